"""What a leaflet shows besides its map, without QGIS: the table of trails and facilities."""
