from PyQt6.QtNetwork import *  # noqa: F403
