from PyQt6.QtGui import *  # noqa: F403
