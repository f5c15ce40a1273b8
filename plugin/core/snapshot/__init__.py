"""Snapshots: the map's pixels saved as rasters for offline use, with manifest, estimate and findings."""
