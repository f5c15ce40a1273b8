"""The credits of the whole project in one table: what each layer carries, what was found, what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Optional, Sequence

from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..core.audit import Row, State
from ..core.audit.as_csv import rows_csv
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis import audit, audit_apply, settings, tasks
from ..gis.shelf import Shelf
from . import guide
from .buttons import speak
from .files import safe_name, write_whole
from .theme import icon

_ICONS = {State.CREDITED: "mIconSuccess", State.DIFFERS: "mIconWarning", State.FOUND: "mIconInfo",
          State.NOT_ASKED: "mIconSuccess", State.MISSING: "mIndicatorBadLayer"}
#: letters of a cell; the whole text is in its tooltip and in the CSV
_LONGEST_CELL = 220


class AuditDialog(QDialog):
    """Not modal. It looks as soon as it is shown; ``shelf`` is where the kept records are."""

    def __init__(self, shelf: Shelf, parent: Optional[QWidget] = None, project: Optional[QgsProject] = None,
                 closed: Optional[Callable[[], None]] = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Cartoguide: credits of this project"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shelf, self._closed = shelf, closed
        self._project = project or QgsProject.instance()
        self.rows: List[Row] = []
        self._applied: Optional[audit_apply.Applied] = None
        self._job: Optional[tasks.Job] = None
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setAccessibleName(tr("Summary"))
        self.table = self._table()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(8)
        layout = QVBoxLayout(self)
        for widget, stretch in ((self.summary, 0), (self.bar, 0), (self.table, 1)):
            layout.addWidget(widget, stretch)
        layout.addLayout(self._buttons())
        self.resize(980, 480)
        self.look()

    def _table(self) -> QTableWidget:
        names = (tr("Layer"), tr("State"), tr("Credit"), tr("Terms"), tr("Found in"))
        table = QTableWidget(0, len(names))
        table.setHorizontalHeaderLabels(names)
        table.setAccessibleName(tr("Layers and their credits"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setAlternatingRowColors(True)
        table.setWordWrap(True)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for column, width in enumerate((165, 125, 275, 245)):
            table.setColumnWidth(column, width)
        header.sectionResized.connect(lambda *_sizes: table.resizeRowsToContents())
        table.itemChanged.connect(lambda _item: self._count())
        return table

    def _buttons(self) -> QHBoxLayout:
        self.give = QPushButton(tr("&Give the ticked layers their credit"))
        self.give.clicked.connect(lambda _checked=False: self.apply())
        self.undo = QPushButton(tr("&Undo"))
        self.undo.setToolTip(tr("Give the layers back what they had before"))
        self.undo.clicked.connect(lambda _checked=False: self.take_back())
        self.again = QPushButton(tr("&Look again"))
        self.again.clicked.connect(lambda _checked=False: self.look())
        self.save = QPushButton(tr("&Save as CSV…"))
        self.save.clicked.connect(lambda _checked=False: self._ask_where())
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        speak(close)
        guide.help_with(self, guide.CREDITS, close)
        close.rejected.connect(self.close)
        row = QHBoxLayout()
        for widget in (self.give, self.undo, self.again, self.save):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(close)
        self.undo.setEnabled(False)
        return row

    # -- looking

    def look(self) -> None:
        """Ask about every layer; what is under way is given up."""
        if self._job is not None:
            self._job.cancel()
        self.bar.setRange(0, 0)
        self.bar.show()
        self.summary.setText(tr("Asking the services and the records that you keep…"))
        self._enable(False)
        self._job = audit.start(self._project, self._shelf, self.show_rows, self._failed, self, self._progressed)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show what was found."""
        self._job = None
        self.rows = list(rows)
        self.bar.hide()
        self.table.blockSignals(True)
        self.table.setRowCount(len(self.rows))
        for number, row in enumerate(self.rows):
            self._show_row(number, row)
        self.table.blockSignals(False)
        self.table.resizeRowsToContents()
        self._enable(True)
        self._count()

    def _show_row(self, number: int, row: Row) -> None:
        own = "; ".join(row.layer.credit)
        credit = own if row.state is State.CREDITED else "\n".join(row.credit)
        if row.state is State.DIFFERS:
            credit = tr("now: {own}\nfound: {found}", own=own, found=credit)
        cells = (f"{row.layer.title} ({row.layer.kind})", row.state.words, credit or "—", row.terms or tr("not stated"),
                 row.origin or row.problem or "—")
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text if len(text) <= _LONGEST_CELL else text[:_LONGEST_CELL].rstrip() + "…")
            item.setToolTip(row.layer.address if column == 0 else row.problem if column == 4 and row.problem else text)
            item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            self.table.setItem(number, column, item)
        self.table.item(number, 1).setIcon(icon(_ICONS[row.state]))
        if row.state.offers:
            ticked = Qt.CheckState.Checked if row.state is State.FOUND else Qt.CheckState.Unchecked
            self.table.item(number, 0).setCheckState(ticked)

    def _progressed(self, percent: float, words: str) -> None:
        self.bar.setRange(0, 100)
        self.bar.setValue(int(percent))
        self.summary.setText(tr("Asked: {host}", host=words) if words else self.summary.text())

    def _failed(self, error: CartoguideError) -> None:
        self._job = None
        self.bar.hide()
        self.summary.setText(error.user_text)
        self._enable(True)

    def _enable(self, on: bool) -> None:
        for button in (self.again, self.save):
            button.setEnabled(on)
        self.give.setEnabled(on and bool(self.chosen()))

    def _count(self) -> None:
        states = [row.state for row in self.rows]
        if not states:
            self.summary.setText(tr("This project has no layer from a map service (WMS, WMTS, XYZ)."))
        else:
            parts = [tr("%n layer(s) from map services", n=len(states))]
            parts += [f"{state.words}: {states.count(state)}" for state in State if state in states]
            self.summary.setText(" · ".join(parts))
        self.give.setEnabled(bool(self.chosen()))

    # -- doing

    def chosen(self) -> List[Row]:
        """The rows whose found credit is to be given to their layers."""
        return [row for number, row in enumerate(self.rows) if row.state.offers
                and self.table.item(number, 0).checkState() == Qt.CheckState.Checked]

    def apply(self) -> None:
        """Give the ticked layers their credit, and look again; it can be undone."""
        self._applied = audit_apply.apply(self._project, self.chosen())
        self.undo.setEnabled(bool(self._applied.titles))
        self.look()

    def take_back(self) -> None:
        """Undo the last giving."""
        if self._applied is not None:
            self._applied.undo()
            self._applied = None
        self.undo.setEnabled(False)
        self.look()

    def _ask_where(self) -> None:
        name = safe_name(self._project.baseName() or tr("project"))
        start = str(Path(settings.get("last_folder")) / f"{name}-{tr('credits')}.csv")
        path, _ = QFileDialog.getSaveFileName(self, tr("Save the credits"), start, "CSV (*.csv)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.save_to(Path(path))

    def save_to(self, path: Path) -> None:
        """Write the table as CSV; what goes wrong is told."""
        try:
            # spreadsheets take a file without the mark for one in the system's own encoding
            write_whole(path, rows_csv(self.rows).encode("utf-8-sig"))
        except CartoguideError as error:
            self.summary.setText(error.user_text)
            return
        self.summary.setText(tr("Saved as {name}.", name=path.name))

    def done(self, result: int) -> None:
        """Qt: closed, however: end what is under way."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        super().done(result)
        if self._closed is not None:
            closed, self._closed = self._closed, None
            closed()
