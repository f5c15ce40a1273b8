"""GetFeatureInfo: queries for a click on the map, and results read from any format."""
