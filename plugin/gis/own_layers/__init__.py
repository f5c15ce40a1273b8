"""A cartographer's own layers on a custom map: references to them, their QGIS layers, their place among the services.
"""
