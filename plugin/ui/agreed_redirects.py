"""The redirects from https to http that were agreed to, listed so that each can be taken back."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from ..core.i18n import tr
from ..gis import redirects


class AgreedRedirects(QWidget):
    """What is taken out of the list is forgotten by ``store``, and not before: the dialog may be cancelled."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        words = QLabel(tr("Servers that may send you on from https to http, because you agreed to it:"))
        words.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Redirects to http that were agreed to"))
        self.list.setMaximumHeight(self.fontMetrics().height() * 5)
        self.list.setWordWrap(True)
        for before, after in redirects.agreed():
            item = QListWidgetItem(f"{before} → {after}", self.list)
            item.setData(Qt.ItemDataRole.UserRole, before)
        self.none = QLabel(tr("None: every such redirect is refused until you agree to it where it is told."))
        self.none.setWordWrap(True)
        self.forget = QPushButton(tr("&Forget"))
        self.forget.setToolTip(tr("Refuse this redirect again"))
        self.forget.setAccessibleDescription(self.forget.toolTip())
        self.forget.clicked.connect(lambda _checked=False: self._forget())
        self.list.currentRowChanged.connect(lambda row: self.forget.setEnabled(row >= 0))
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.forget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(words)
        layout.addWidget(self.list)
        layout.addWidget(self.none)
        layout.addLayout(buttons)
        self._words = words
        self._forgotten: list[str] = []
        self.list.setCurrentRow(0)
        self._show()

    def store(self) -> None:
        """Refuse again what was taken out of the list."""
        for before in self._forgotten:
            redirects.forget_http(before)
        self._forgotten = []

    def _forget(self) -> None:
        item = self.list.takeItem(self.list.currentRow())
        if item is not None:
            self._forgotten.append(item.data(Qt.ItemDataRole.UserRole))
        self._show()

    def _show(self) -> None:
        some = self.list.count() > 0
        for widget in (self._words, self.list, self.forget):
            widget.setVisible(some)
        self.none.setVisible(not some)
        self.forget.setEnabled(self.list.currentRow() >= 0)
