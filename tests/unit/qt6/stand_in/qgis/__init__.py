"""What stands in for QGIS where only PyQt6 is: Qt itself is the real one, QGIS's own classes do nothing."""
