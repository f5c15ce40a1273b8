"""Coordinate reference systems of WMS: codes, axis order, conversion, bounding boxes."""
