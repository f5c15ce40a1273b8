"""Asking for a collection's name, without making anybody wait."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialogButtonBox, QInputDialog, QWidget

from ..core.i18n import tr
from .buttons import speak

_LONGEST = 80


def ask_name(parent: Optional[QWidget], title: str, name: str, done: Callable[[str], object]) -> QInputDialog:
    """Ask for the name of a collection; ``done`` gets it tidied, and nothing where it is empty."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(tr("Name of the collection:"))
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(lambda text: done(_tidy(text)) if _tidy(text) else None)
    dialog.open()
    for box in dialog.findChildren(QDialogButtonBox):
        speak(box)
    return dialog


def _tidy(name: str) -> str:
    return " ".join(name.split())[:_LONGEST]
