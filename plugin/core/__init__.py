"""The pure heart of Cartoguide: no QGIS, no Qt, no sockets; a test forbids those imports."""
