"""The buttons at the foot of the plugin's dialogs."""

from __future__ import annotations

from typing import Optional, Union

from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox

from . import guide
from .buttons import translate_buttons

_Standard = Union[QDialogButtonBox.StandardButton, "QDialogButtonBox.StandardButtons"]


def dialog_button_box(dialog: QDialog, help_page: str, standard: Optional[_Standard] = None) -> QDialogButtonBox:
    """Return the button box of ``dialog``: the ``standard`` buttons (Cancel if left out) and Help.

    The buttons have the plugin's own translations. Help and F1 open ``help_page`` of the user guide. A button that
    rejects, such as Cancel or Close, closes the dialog.
    """
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel if standard is None else standard)
    translate_buttons(buttons)
    guide.install_help(dialog, help_page, buttons)
    buttons.rejected.connect(dialog.close)
    return buttons
