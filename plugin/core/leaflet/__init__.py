"""Contents of a leaflet besides its map, without QGIS: the table of trails and facilities."""
