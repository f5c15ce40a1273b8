"""The custom map offline: the menu of its snapshot, the row that says whether it is shown, and the dialog of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence, Union

from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAction,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.offline_controller import OfflineController, SnapshotArea
from ...core.box import Box
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.preflight import MapFinding
from ...core.snapshot.findings import FORBIDDEN
from ...core.snapshot.manifest import RasterFormat
from ...gis.runtime import settings
from ...gis.runtime.guide_pages import GuideTopic
from ...gis.runtime.main_thread import single_shot
from ...gis.snapshots.snapshot_job import SnapshotOptions, SnapshotPlan, unfinished_manifest
from ..widgets.dialogs import dialog_button_box, existing_folder
from ..widgets.form_widgets import fill_layout, narrow_combo_box, wheel_needs_focus, wrapped_label
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, make_muted, resize_for_font, scale_font
from .findings_panel import FindingRow
from .map_series_dialog import no_scales_text, parse_scales, scales_text


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
        self.text_label = PlainLabel(wraps=True)
        scale_font(self.text_label, 0.95)
        self.text_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.button = QToolButton()
        self.button.clicked.connect(lambda _checked=False: self.switch_requested.emit())
        fill_layout(QHBoxLayout(self), self._icon, self.text_label, self.button, wide=self.text_label,
                    margins=(6, 3, 4, 3))
        self.hide()

    def show_state(self, has_snapshot: bool, in_use: bool, day: str = "", missing_layers: int = 0) -> None:
        """Show the state of the snapshot, which was taken on ``day``. ``missing_layers`` layers stay live.

        A snapshot that is in use and has no day is not there.
        """
        self.setVisible(has_snapshot)
        if not has_snapshot:
            return
        text = tr("Shows its snapshot of {date}.", date=day) if in_use and day else \
            tr("Shows nothing: its snapshot is not there.") if in_use else \
            tr("Shows the live services; there is a snapshot of {date}.", date=day) if day else \
            tr("Shows the live services; there is a snapshot.")
        if in_use and missing_layers:
            text += " " + tr("Live, because not in it: %n layer(s).", n=missing_layers)
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
        self.take = self._add_action(menu, OfflineAction.TAKE, "mIconCamera", tr("Snapshot for offline use…"))
        self.switch = self._add_action(menu, OfflineAction.SWITCH, "mActionRefresh", tr("Show the snapshot"))
        self.pack = self._add_action(menu, OfflineAction.PACK, "mActionFileSaveAs",
                                     tr("Package for an offline computer…"))
        menu.addSeparator()
        self._add_action(menu, OfflineAction.UNPACK, "mActionFileOpen", tr("Open a package…"))
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.show_state(False, False, False)

    def show_state(self, has_map: bool, has_snapshot: bool, in_use: bool) -> None:
        """Enable the actions that are available."""
        self.take.setEnabled(has_map)
        self.switch.setEnabled(has_snapshot)
        self.switch.setText(tr("Show the live services") if in_use else tr("Show the snapshot"))
        self.pack.setEnabled(has_snapshot)
        self.take.setToolTip("" if has_map else tr("Add a service to the map first."))
        for action in (self.switch, self.pack):
            action.setToolTip("" if has_snapshot else tr("Take a snapshot of the map first."))

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
        controller.busy_changed.connect(lambda text: row.button.setDisabled(bool(text)))

    def ask_snapshot(self) -> None:
        """Ask what a snapshot of the map covers, then take it. It waits for what is being added to the map."""
        self._controller.when_here(self._ask_snapshot)

    def _ask_snapshot(self) -> None:
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


_RESOLUTIONS = (96, 150, 200, 300, 400)
_UPDATE_DELAY = 250


@dataclass(frozen=True)
class SnapshotDefaults:
    """Initial values of the dialog: the available areas in the map's CRS (x to the east), scales, resolution,
    folder.
    """

    boxes: Mapping[SnapshotArea, Box]
    scales: Sequence[float]
    dpi: int
    folder: Path


class SnapshotDialog(QDialog):
    """Dialog that emits ``chosen`` with the prepared snapshot. Not modal.

    ``prepare`` plans a snapshot without network requests. Its second argument says if the publishers permit a copy that
    their terms forbid.
    """

    chosen = pyqtSignal(object)

    def __init__(self, defaults: SnapshotDefaults, prepare: Callable[[SnapshotOptions, bool], SnapshotPlan],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Snapshot for offline use"))
        self._defaults, self._prepare = defaults, prepare
        self._prepared: Optional[SnapshotPlan] = None
        self._update_timer = single_shot(self, _UPDATE_DELAY, self.update_estimate)
        self._create_fields()
        layout = QVBoxLayout(self)
        layout.addWidget(
            _muted_label(tr("Saves the map at these scales to a folder, with records, terms, legends and credits.")))
        layout.addLayout(self._create_form())
        layout.addWidget(self.estimate_label)
        layout.addWidget(self.permission_check_box)
        layout.addWidget(self.findings, 20)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        for field in (self.area, self.format_combo, self.dpi):
            field.currentIndexChanged.connect(lambda _index: self._update_timer.start())
        for line in (self.scales, self.folder):
            line.textChanged.connect(lambda _text: self._update_timer.start())
        self.permission_check_box.toggled.connect(lambda _on: self.update_estimate())
        self.buttons.accepted.connect(self._accept)
        resize_for_font(self, 440, 460)
        self.update_estimate()

    def update_estimate(self) -> None:
        self._update_timer.stop()
        self._prepared = None
        order = self._read_options()
        if isinstance(order, str):
            self._show_estimate(order, ())
            return
        try:
            prepared = self._prepare(order, self.permission_check_box.isChecked())
        except CartoguideError as error:
            self._show_estimate(error.user_text, ())
            return
        self._prepared = prepared
        text = prepared.estimate.text()
        resumes = unfinished_manifest(order.folder) is not None
        if resumes:
            text += "\n" + tr("This folder has an unfinished snapshot. What it already holds is not downloaded again.")
        forbidden = any(finding.rule == FORBIDDEN for finding in prepared.findings)
        self.permission_check_box.setVisible(forbidden or self.permission_check_box.isChecked())
        self._show_estimate(text, prepared.findings)
        self.take_button.setText(tr("Continue") if resumes else tr("Take the snapshot"))
        self.take_button.setEnabled(not prepared.blocked)

    def _read_options(self) -> Union[SnapshotOptions, str]:
        scales = parse_scales(self.scales.text())
        area = self.area.currentData()
        box = self._defaults.boxes.get(SnapshotArea(area)) if area else None
        if not scales:
            return no_scales_text()
        if box is None:
            return tr("The map has no area yet. Choose an extent, or a centre and a scale.")
        if not self.folder.text().strip():
            return tr("Choose a folder for the snapshot.")
        return SnapshotOptions(Path(self.folder.text().strip()), box, tuple(scales), int(self.dpi.currentData()),
                               RasterFormat(self.format_combo.currentData()))

    def _show_estimate(self, text: str, findings: Sequence[MapFinding]) -> None:
        self.estimate_label.setText(text)
        self.estimate_label.setAccessibleName(text)
        self.take_button.setEnabled(False)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        for finding in findings:
            row = FindingRow(finding, inner)
            if row.button is not None:
                # the map is changed in the composer panel, where the change is visible
                row.button.hide()
            column.addWidget(row)
        column.addStretch(1)
        self.findings.setWidget(inner)
        self.findings.setVisible(bool(findings))

    def _create_fields(self) -> None:
        self.area = narrow_combo_box(tr("Area"), 12)
        names = {SnapshotArea.PRINTED: tr("The printed page"), SnapshotArea.CANVAS: tr("Map canvas"),
                 SnapshotArea.WHOLE_BASE: tr("Whole base layer")}
        for area in names:
            if area in self._defaults.boxes:
                self.area.addItem(names[area], area)
        self.scales = QLineEdit(scales_text(self._defaults.scales))
        self.scales.setAccessibleName(tr("Scales"))
        self.scales.setPlaceholderText(scales_text((10000, 25000, 50000)))
        self.dpi = wheel_needs_focus(QComboBox())
        self.dpi.setAccessibleName(tr("Resolution"))
        for number in sorted({*_RESOLUTIONS, self._defaults.dpi}):
            self.dpi.addItem(tr("{number} dpi", number=number), number)
        self.dpi.setCurrentIndex(self.dpi.findData(self._defaults.dpi))
        self.format_combo = narrow_combo_box(tr("Format"), 12)
        self.format_combo.addItem(tr("GeoPackage, one file"), RasterFormat.GPKG.value)
        self.format_combo.addItem(tr("GeoTIFF (cloud-optimised), a file for each layer"), RasterFormat.COG.value)
        self.folder = QLineEdit(str(self._defaults.folder))
        self.folder.setAccessibleName(tr("Folder"))
        self.estimate_label = _muted_label("")
        self.permission_check_box = QCheckBox(tr("The publisher permits me to make a copy"))
        self.permission_check_box.hide()
        self.findings = QScrollArea()
        self.findings.setWidgetResizable(True)
        self.findings.setFrameShape(QFrame.Shape.NoFrame)
        self.findings.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.findings.setAccessibleName(tr("Issues"))
        self.buttons = dialog_button_box(self, GuideTopic.OFFLINE)
        self.take_button = self.buttons.addButton(tr("Take the snapshot"), QDialogButtonBox.ButtonRole.AcceptRole)

    def _create_form(self) -> QFormLayout:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        browse = QToolButton()
        browse.setText("…")
        browse.setAccessibleName(tr("Choose a folder"))
        browse.setToolTip(tr("Choose a folder"))
        browse.clicked.connect(lambda _checked=False: self._browse())
        folder_row = fill_layout(QHBoxLayout(), self.folder, browse, wide=self.folder)
        form.addRow(tr("&Area"), self.area)
        form.addRow(tr("&Scales"), self.scales)
        form.addRow(tr("&Resolution"), self.dpi)
        form.addRow(tr("&Format"), self.format_combo)
        label = PlainLabel(tr("F&older"))
        label.setBuddy(self.folder)
        form.addRow(label, folder_row)
        return form

    def _browse(self) -> None:
        now = Path(self.folder.text())
        path = existing_folder(self, tr("Choose a folder"), str(now.parent))
        if path:
            self.folder.setText(str(Path(path) / now.name))

    def _accept(self) -> None:
        self.update_estimate()
        if self._prepared is not None and not self._prepared.blocked:
            self.chosen.emit(self._prepared)
            self.close()


def _muted_label(text: str) -> QLabel:
    label = wrapped_label(text)
    make_muted(label)
    return label
