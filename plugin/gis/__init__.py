"""PyQGIS without widgets: network, tasks, layers, layouts, settings and whatever else talks to QGIS."""
