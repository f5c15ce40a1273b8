"""Coordinate reference systems in WMS: codes, axis order, coordinate conversion, bounding boxes."""
