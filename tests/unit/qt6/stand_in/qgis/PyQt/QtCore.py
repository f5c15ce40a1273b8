from PyQt6.QtCore import *  # noqa: F403
