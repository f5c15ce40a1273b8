"""The form of what a leaflet has besides its map."""
