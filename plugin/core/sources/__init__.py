"""Kinds of layers' sources, read from what QGIS says of a layer."""
