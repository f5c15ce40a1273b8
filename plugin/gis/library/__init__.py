"""The record library in the QGIS profile: imports, removal, thumbnails."""
