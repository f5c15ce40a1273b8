"""The custom map offline: the menu of its snapshot, the row that says whether it is shown, and what both do."""

from __future__ import annotations

from enum import Enum
from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from ...app.maps.offline_controller import OfflineController
from ...core.i18n import tr
from ...gis.runtime import settings
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, scale_font
from .snapshot_dialog import SnapshotDefaults, SnapshotDialog


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


class OfflineActions(QObject):
    """Takes, shows and packages the snapshot of the map, and shows its state."""

    def __init__(self, button: OfflineButton, row: SnapshotStateRow, controller: OfflineController,
                 window: QWidget) -> None:
        """The dialog is a window of ``window``."""
        super().__init__(window)
        self._button, self._row, self._controller, self._window = button, row, controller, window
        #: the one that was opened last
        self.dialog: Optional[SnapshotDialog] = None
        button.action_requested.connect(self._run)
        row.switch_requested.connect(controller.toggle_snapshot)
        controller.state_changed.connect(self._show_state)

    def ask_snapshot(self) -> None:
        """Ask what a snapshot of the map covers, then take it."""
        if not self._controller.can_take_snapshot:
            return
        defaults = SnapshotDefaults(self._controller.available_extents(), (self._controller.default_scale(),),
                                    settings.get("export_dpi"), self._controller.default_folder())
        self.dialog = SnapshotDialog(defaults, self._controller.prepare, self._window)
        self.dialog.chosen.connect(self._controller.take_snapshot)
        self.dialog.show()

    def _run(self, action: OfflineAction) -> None:
        run: dict[OfflineAction, Callable[[], object]] = {
            OfflineAction.TAKE: self.ask_snapshot, OfflineAction.SWITCH: self._controller.toggle_snapshot,
            OfflineAction.PACK: self._controller.ask_package_path,
            OfflineAction.UNPACK: self._controller.ask_and_open_package
        }
        run[action]()

    def _show_state(self, has_map: bool, has_snapshot: bool, in_use: bool, day: str, lacking: int) -> None:
        self._button.show_state(has_map, has_snapshot, in_use)
        self._row.show_state(has_snapshot, in_use, day, lacking)
