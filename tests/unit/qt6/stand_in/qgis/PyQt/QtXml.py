from PyQt6.QtXml import *  # noqa: F403
