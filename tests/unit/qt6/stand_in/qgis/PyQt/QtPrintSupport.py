from PyQt6.QtPrintSupport import *  # noqa: F403
