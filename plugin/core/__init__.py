"""Core of Cartoguide without QGIS, Qt and network access. A test forbids those imports."""
