"""Choosing the login of a catalogue among QGIS's own authentication configurations. Not modal."""

from __future__ import annotations

from typing import Optional

from qgis.gui import QgsAuthConfigSelect
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from ..core.i18n import tr
from ..core.sources.model import Source
from .buttons import speak
from .source_words import host_words


class LoginDialog(QDialog):
    """``chosen`` carries the id of a configuration; empty: none. The secret never leaves QGIS's own store."""

    chosen = pyqtSignal(str)

    def __init__(self, source: Source, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Login"))
        words = QLabel(tr("Login for {name}. It is sent to {host} and nowhere else.", name=source.shown,
                          host=host_words(source)))
        words.setWordWrap(True)
        self.select = QgsAuthConfigSelect()
        self.select.setConfigId(source.authcfg)
        self.select.setAccessibleName(tr("Authentication configuration"))
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        speak(self.buttons)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(self.select)
        layout.addStretch(1)
        layout.addWidget(self.buttons)

    def _accept(self) -> None:
        self.chosen.emit(self.select.configId())
        self.close()
