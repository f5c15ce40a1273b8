"""What lies at a place: GetFeatureInfo asked at the right pixel, and its answers read in whatever format they come."""
