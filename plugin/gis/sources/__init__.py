"""Sources of QGIS layers: the one place that asks a layer for its provider."""
