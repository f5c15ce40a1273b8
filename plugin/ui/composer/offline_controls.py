"""Controls for offline use: the state of the map's snapshot, and a menu button."""

from __future__ import annotations

from enum import Enum
from typing import Optional

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from ...core.i18n import tr
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, scale_font


class OfflineAction(str, Enum):
    """Action on the snapshot of the custom map."""

    TAKE = "snapshot"
    SWITCH = "switch"
    PACK = "pack"
    UNPACK = "unpack"


class SnapshotStateRow(QFrame):
    """Row that shows if the map uses its snapshot. Hidden while the map has no snapshot.

    ``switch_requested`` is emitted to switch between the snapshot and the live services.
    """

    switch_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._icon = PlainLabel()
        self.text_label = PlainLabel()
        self.text_label.setWordWrap(True)
        scale_font(self.text_label, 0.95)
        self.text_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.button = QToolButton()
        self.button.clicked.connect(lambda _checked=False: self.switch_requested.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 3, 4, 3)
        row.addWidget(self._icon)
        row.addWidget(self.text_label, 1)
        row.addWidget(self.button)
        self.hide()

    def show_state(self, has_snapshot: bool, in_use: bool, day: str = "", missing_layers: int = 0) -> None:
        """Show the state of the snapshot, which was taken on ``day``. ``missing_layers`` layers stay live."""
        self.setVisible(has_snapshot)
        if not has_snapshot:
            return
        text = tr("Shows its snapshot of {date}.", date=day) if in_use else \
            tr("Shows the live services; there is a snapshot of {date}.", date=day) if day else \
            tr("Shows the live services; there is a snapshot.")
        if in_use and missing_layers:
            text += " " + tr("%n layer(s) are not in it and stay live.", n=missing_layers)
        self.text_label.setText(text)
        self.setAccessibleName(text)
        self._icon.setPixmap(icon("offline" if in_use else "mActionRefresh").pixmap(16, 16))
        self.button.setText(tr("Show live") if in_use else tr("Show snapshot"))
        self.button.setToolTip(tr("Use the live services again") if in_use
                               else tr("Use the snapshot (no network requests)"))
        self.button.setAccessibleDescription(text)


class OfflineButton(QToolButton):
    """Menu button for offline use. ``action_requested`` carries an OfflineAction."""

    action_requested = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setText(tr("Offline"))
        self.setIcon(icon("offline"))
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolTip(tr("Offline: save the map for use without a network"))
        self.setAccessibleName(tr("Offline: save the map for use without a network"))
        menu = QMenu(self)
        self.take = self._add_action(menu, OfflineAction.TAKE, "mIconCamera", tr("Take a snapshot…"))
        self.switch = self._add_action(menu, OfflineAction.SWITCH, "mActionRefresh", tr("Show the snapshot"))
        self.pack = self._add_action(menu, OfflineAction.PACK, "mActionFileSaveAs",
                                     tr("Package for an offline computer…"))
        menu.addSeparator()
        self._add_action(menu, OfflineAction.UNPACK, "mActionFileOpen", tr("Open a package…"))
        self.setMenu(menu)
        self.show_state(False, False, False)

    def show_state(self, has_map: bool, has_snapshot: bool, in_use: bool) -> None:
        """Enable the actions that are available."""
        self.take.setEnabled(has_map)
        self.switch.setEnabled(has_snapshot)
        self.switch.setText(tr("Show the live services") if in_use else tr("Show the snapshot"))
        self.pack.setEnabled(has_snapshot)

    def _add_action(self, menu: QMenu, action: OfflineAction, name: str, label: str) -> QAction:
        return menu.addAction(icon(name), label, lambda: self.action_requested.emit(action))
