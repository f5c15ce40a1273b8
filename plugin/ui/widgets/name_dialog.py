"""Asking for a collection's name, without making anybody wait."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialogButtonBox, QInputDialog, QWidget

from ...core.i18n import tr
from .buttons import translate_buttons

_MAX_LENGTH = 80


def open_name_dialog(parent: Optional[QWidget], title: str, name: str, on_accepted: Callable[[str],
                                                                                             object]) -> QInputDialog:
    """Ask for the name of a collection; ``done`` gets it tidied, and nothing where it is empty."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(tr("Name of the collection:"))
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(lambda text: on_accepted(_normalise(text)) if _normalise(text) else None)
    dialog.open()
    for box in dialog.findChildren(QDialogButtonBox):
        translate_buttons(box)
    return dialog


def _normalise(name: str) -> str:
    return " ".join(name.split())[:_MAX_LENGTH]
