"""Snapshots: a custom map's area saved at chosen scales for use without a network."""
