"""The button box at the foot of the plugin's dialogs."""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox

from . import guide
from .buttons import translate_buttons


def dialog_button_box(dialog: QDialog, help_page: str, *standard: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """Return a button box for ``dialog`` with the ``standard`` buttons (Cancel if none is given) and Help.

    The buttons have the plugin's own translations. Help and F1 open ``help_page`` of the user guide. A button that
    rejects, such as Cancel or Close, closes the dialog.
    """
    buttons = QDialogButtonBox()
    for button in standard or (QDialogButtonBox.StandardButton.Cancel,):
        buttons.addButton(button)
    translate_buttons(buttons)
    guide.install_help(dialog, help_page, buttons)
    buttons.rejected.connect(dialog.close)
    return buttons
