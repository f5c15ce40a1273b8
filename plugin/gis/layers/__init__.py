"""Layers of a custom map in the project: WMS layers, their group, time series, snapshots."""
