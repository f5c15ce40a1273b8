"""Cartoguide inside QGIS's own windows: browser, locator, data source manager, layer menu."""
