from PyQt6.QtGui import QAction, QActionGroup, QFileSystemModel, QShortcut  # noqa: F401 - as QGIS 4 gives them
from PyQt6.QtWidgets import *  # noqa: F403
