"""Snapshots: images of a map's area saved for use without a network."""
