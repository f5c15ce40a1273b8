"""Qt by QGIS's name."""
from PyQt6 import sip  # noqa: F401
