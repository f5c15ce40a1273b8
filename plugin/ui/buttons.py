"""The standard buttons of dialogs in the plugin's language: Qt's own catalogue is not on every computer."""

from __future__ import annotations

from qgis.PyQt.QtWidgets import QDialogButtonBox

from ..core.i18n import tr


def speak(box: QDialogButtonBox) -> None:
    """Write the plugin's words on those standard buttons that ``box`` has."""
    kinds = QDialogButtonBox.StandardButton
    for kind, words in ((kinds.Ok, tr("OK")), (kinds.Cancel, tr("Cancel")), (kinds.Close, tr("Close")),
                        (kinds.RestoreDefaults, tr("Restore defaults")), (kinds.Save, tr("Save")),
                        (kinds.Help, tr("Help"))):
        button = box.button(kind)
        if button is not None:
            button.setText(words)
