"""Legends of map layers: fetched for print, previewed in the layer tree, and read from snapshots."""
