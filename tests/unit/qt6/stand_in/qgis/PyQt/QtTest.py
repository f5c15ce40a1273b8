from PyQt6.QtTest import *  # noqa: F403
