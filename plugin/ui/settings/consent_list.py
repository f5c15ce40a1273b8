"""List of what has a risk and the person agreed to: redirects, and logins that are sent to another server."""

from __future__ import annotations

from functools import partial
from typing import Callable, List, Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...gis.network.origin_settings import (
    RedirectRisk,
    allowed_logins,
    allowed_redirects,
    revoke_login,
    revoke_redirect,
)
from ..widgets.labels import PlainLabel


class ConsentList(QWidget):
    """Consents that are removed from the list are revoked by ``save``, so that the dialog can be cancelled."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        heading = PlainLabel(tr("Servers that may redirect to http, or into your own network, or whose login may be "
                                "sent to another server, with your consent:"))
        heading.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Accepted redirects and logins"))
        self.list.setMaximumHeight(self.fontMetrics().height() * 5)
        self.list.setWordWrap(True)
        for risk in RedirectRisk:
            for before, after in allowed_redirects(risk):
                self._add(f"{before} → {after}", partial(revoke_redirect, before, risk))
        for holder, target in allowed_logins():
            self._add(tr("Login: {host} → {target}", host=holder, target=target), partial(revoke_login, target))
        self.none_label = PlainLabel(tr("None. Such redirects are refused, and logins not sent to other servers, until "
                                        "you accept one in its error message."))
        self.none_label.setWordWrap(True)
        self.revoke_button = QPushButton(tr("&Revoke"))
        self.revoke_button.setToolTip(tr("Refuse this again"))
        self.revoke_button.setAccessibleDescription(self.revoke_button.toolTip())
        self.revoke_button.clicked.connect(lambda _checked=False: self._revoke())
        self.list.currentRowChanged.connect(lambda row: self.revoke_button.setEnabled(row >= 0))
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.revoke_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(heading)
        layout.addWidget(self.list)
        layout.addWidget(self.none_label)
        layout.addLayout(buttons)
        self._heading = heading
        self._revoked: List[Callable[[], None]] = []
        self.list.setCurrentRow(0)
        self._update_visibility()

    def save(self) -> None:
        """Revoke the consents that were removed from the list."""
        for revoke in self._revoked:
            revoke()
        self._revoked = []

    def _add(self, text: str, revoke: Callable[[], None]) -> None:
        item = QListWidgetItem(text, self.list)
        item.setData(Qt.ItemDataRole.UserRole, revoke)

    def _revoke(self) -> None:
        item = self.list.takeItem(self.list.currentRow())
        if item is not None:
            self._revoked.append(item.data(Qt.ItemDataRole.UserRole))
        self._update_visibility()

    def _update_visibility(self) -> None:
        some = self.list.count() > 0
        for widget in (self._heading, self.list, self.revoke_button):
            widget.setVisible(some)
        self.none_label.setVisible(not some)
        self.revoke_button.setEnabled(self.list.currentRow() >= 0)
