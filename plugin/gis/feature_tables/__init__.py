"""Features of layers as texts on a page: their names, and the table of a leaflet with its numbers on the map."""
