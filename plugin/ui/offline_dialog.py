"""What a snapshot is to hold: which area, which scales, which format, where; what it costs, and what stands in the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence, Union

from qgis.PyQt.QtCore import Qt, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.custommap.preflight import MapFinding
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.snapshot.findings import FORBIDDEN
from ..core.snapshot.model import COG, GPKG, Box
from ..gis.snapshot import Order, Prepared, unfinished
from . import guide
from .buttons import speak
from .findings_panel import FindingRow
from .series_dialogs import scales_in
from .theme import make_quiet

#: areas that can be chosen
PRINTED, WINDOW, WHOLE = "printed", "window", "whole"
_RESOLUTIONS = (96, 150, 200, 300, 400)
_RESTING = 250


@dataclass(frozen=True)
class Start:
    """What the dialog begins with: the boxes of the areas that there are, scales, resolution, and the folder."""

    boxes: Mapping[str, Box]
    scales: Sequence[float]
    dpi: int
    folder: Path


class OfflineDialog(QDialog):
    """Not modal. ``prepare`` works an order out without asking anybody (the second argument: whether publishers allow a
    copy that their terms forbid); ``chosen`` carries what came of it.
    """

    chosen = pyqtSignal(object)

    def __init__(self, start: Start, prepare: Callable[[Order, bool], Prepared],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Snapshot for offline use"))
        self._start, self._prepare = start, prepare
        self._prepared: Optional[Prepared] = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_RESTING)
        self._rest.timeout.connect(self.work_out)
        self._fields()
        layout = QVBoxLayout(self)
        layout.addWidget(_label(tr("Keeps the map at these scales in a folder, with records, terms, legends and "
                                   "credits.")))
        layout.addLayout(self._form())
        layout.addWidget(self.cost)
        layout.addWidget(self.permitted)
        layout.addWidget(self.findings, 20)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        for field in (self.area, self.kind, self.dpi):
            field.currentIndexChanged.connect(lambda _index: self._rest.start())
        for line in (self.scales, self.folder):
            line.textChanged.connect(lambda _text: self._rest.start())
        self.permitted.toggled.connect(lambda _on: self.work_out())
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.close)
        self.resize(440, 460)
        self.work_out()

    def work_out(self) -> None:
        """Show what the snapshot would cost and what stands in its way."""
        self._rest.stop()
        self._prepared = None
        order = self._order()
        if isinstance(order, str):
            self._show(order, ())
            return
        try:
            prepared = self._prepare(order, self.permitted.isChecked())
        except CartoguideError as error:
            self._show(error.user_text, ())
            return
        self._prepared = prepared
        words = prepared.estimate.words()
        going_on = unfinished(order.folder) is not None
        if going_on:
            words += "\n" + tr("There is an unfinished snapshot in this folder: what it has is not fetched again.")
        forbidden = any(finding.rule == FORBIDDEN for finding in prepared.findings)
        self.permitted.setVisible(forbidden or self.permitted.isChecked())
        self._show(words, prepared.findings)
        self.go.setText(tr("Go on") if going_on else tr("Take the snapshot"))
        self.go.setEnabled(not prepared.blocked)

    def _order(self) -> Union[Order, str]:
        scales = scales_in(self.scales.text())
        box = self._start.boxes.get(str(self.area.currentData()))
        if not scales:
            return tr("Write one scale or several: 10000, 25000.")
        if box is None:
            return tr("The map has no area yet. Choose an extent, or a centre and a scale.")
        if not self.folder.text().strip():
            return tr("Choose a folder for the snapshot.")
        return Order(Path(self.folder.text().strip()), box, tuple(scales), int(self.dpi.currentData()),
                     str(self.kind.currentData()))

    def _show(self, words: str, findings: Sequence[MapFinding]) -> None:
        self.cost.setText(words)
        self.cost.setAccessibleName(words)
        self.go.setEnabled(False)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        for finding in findings:
            row = FindingRow(finding, inner)
            if row.button is not None:
                # the map is changed in the composer, where it is seen
                row.button.hide()
            column.addWidget(row)
        column.addStretch(1)
        self.findings.setWidget(inner)
        self.findings.setVisible(bool(findings))

    def _fields(self) -> None:
        self.area = QComboBox()
        self.area.setAccessibleName(tr("Area"))
        names = {PRINTED: tr("The printed page"), WINDOW: tr("The map window"), WHOLE: tr("All of the base")}
        for what in names:
            if what in self._start.boxes:
                self.area.addItem(names[what], what)
        self.scales = QLineEdit(", ".join(f"{scale:.0f}" for scale in self._start.scales))
        self.scales.setAccessibleName(tr("Scales"))
        self.scales.setPlaceholderText("10000, 25000, 50000")
        self.dpi = QComboBox()
        self.dpi.setAccessibleName(tr("Resolution"))
        for number in sorted({*_RESOLUTIONS, self._start.dpi}):
            self.dpi.addItem(tr("{number} dpi", number=number), number)
        self.dpi.setCurrentIndex(self.dpi.findData(self._start.dpi))
        self.kind = QComboBox()
        self.kind.setAccessibleName(tr("Format"))
        self.kind.addItem(tr("GeoPackage, one file"), GPKG)
        self.kind.addItem(tr("GeoTIFF (cloud-optimised), a file for each layer"), COG)
        self.folder = QLineEdit(str(self._start.folder))
        self.folder.setAccessibleName(tr("Folder"))
        self.cost = _label("")
        self.cost.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.permitted = QCheckBox(tr("The publisher allows me a copy"))
        self.permitted.hide()
        self.findings = QScrollArea()
        self.findings.setWidgetResizable(True)
        self.findings.setFrameShape(QFrame.Shape.NoFrame)
        self.findings.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.findings.setAccessibleName(tr("Findings"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        speak(self.buttons)
        guide.help_with(self, guide.OFFLINE, self.buttons)
        self.go = self.buttons.addButton(tr("Take the snapshot"), QDialogButtonBox.ButtonRole.AcceptRole)

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        browse = QToolButton()
        browse.setText("…")
        browse.setAccessibleName(tr("Choose a folder"))
        browse.setToolTip(tr("Choose a folder"))
        browse.clicked.connect(lambda _checked=False: self._browse())
        place = QHBoxLayout()
        place.addWidget(self.folder, 1)
        place.addWidget(browse)
        for field in (self.area, self.kind):
            field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            field.setMinimumContentsLength(12)
        form.addRow(tr("&Area"), self.area)
        form.addRow(tr("&Scales"), self.scales)
        form.addRow(tr("&Resolution"), self.dpi)
        form.addRow(tr("&Format"), self.kind)
        label = QLabel(tr("F&older"))
        label.setBuddy(self.folder)
        form.addRow(label, place)
        return form

    def _browse(self) -> None:
        now = Path(self.folder.text())
        path = QFileDialog.getExistingDirectory(self, tr("Choose a folder"), str(now.parent))
        if path:
            self.folder.setText(str(Path(path) / now.name))

    def _accept(self) -> None:
        self.work_out()
        if self._prepared is not None and not self._prepared.blocked:
            self.chosen.emit(self._prepared)
            self.close()


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    make_quiet(label)
    return label
