"""Snapshots: a custom map's pixels and papers kept for use without a network: planned, described, packed."""
