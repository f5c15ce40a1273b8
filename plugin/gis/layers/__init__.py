"""Layers of a custom map in a QGIS project: made, grouped, given their times, and switched to snapshots."""
