"""The record library in the QGIS profile: imports, removal, watched folders, thumbnails."""
