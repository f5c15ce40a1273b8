"""Dialog with the credits of all layers of the project: present, found and missing ones."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Optional, Sequence

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QItemSelectionModel, QModelIndex, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.audit import AuditRow, CreditState
from ...core.audit.audit_report import audit_csv
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.text import inert
from ...gis.credits import credit_audit
from ...gis.library.record_library import RecordLibrary
from ...gis.runtime import tasks
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialog_prompts import DialogPrompts
from ..widgets.dialogs import dialog_button_box
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, resize_for_font

_ICONS = {
    CreditState.CREDITED: "mIconSuccess", CreditState.DIFFERS: "mIconWarning", CreditState.FOUND: "mIconInfo",
    CreditState.NOT_REQUIRED: "mIconSuccess", CreditState.MISSING: "mIndicatorBadLayer",
    CreditState.OWN_DATA: "mIconInfo", CreditState.CONFIRMED: "mIconSuccess"
}
#: longest text of a cell: the tooltip and the CSV have all of it
_MAX_CELL_LENGTH = 220


class _TopDelegate(QStyledItemDelegate):
    """Delegate that draws the icon of a cell beside its first line."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # noqa: N802
        """Qt: fill in what is drawn."""
        super().initStyleOption(option, index)
        option.decorationAlignment = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft


class CreditAuditDialog(QDialog):
    """Table of the credit audit. Not modal. The audit starts when the dialog is created.

    ``library`` is searched for the records of the layers. ``on_closed`` is called once when the dialog is closed.
    """

    def __init__(self, library: RecordLibrary, parent: Optional[QWidget] = None, project: Optional[QgsProject] = None,
                 on_closed: Optional[Callable[[], None]] = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Cartoguide: credits of this project"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._library, self._on_closed = library, on_closed
        self._project = project or QgsProject.instance()
        self.rows: List[AuditRow] = []
        self._applied: List[credit_audit.AppliedCredits] = []
        self._job: Optional[tasks.Job] = None
        self.summary = PlainLabel()
        self.summary.setWordWrap(True)
        self.summary.setAccessibleName(tr("Summary"))
        self.table = self._create_table()
        self.progress_bar = QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setMaximumHeight(8)
        layout = QVBoxLayout(self)
        for widget, stretch in ((self.summary, 0), (self.progress_bar, 0), (self.table, 1)):
            layout.addWidget(widget, stretch)
        layout.addLayout(self._credit_controls())
        layout.addLayout(self._buttons())
        resize_for_font(self, 1040, 520)
        self.refresh()

    def _create_table(self) -> QTableWidget:
        names = (tr("Layer"), tr("State"), tr("Credit"), tr("Terms"), tr("Found in"))
        table = QTableWidget(0, len(names))
        table.setHorizontalHeaderLabels(names)
        table.setAccessibleName(tr("Layers and their credits"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setAlternatingRowColors(True)
        table.setWordWrap(True)
        table.setItemDelegate(_TopDelegate(table))
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for column, width in enumerate((150, 145, 240, 215)):
            table.setColumnWidth(column, width)
        header.sectionResized.connect(lambda *_sizes: table.resizeRowsToContents())
        table.itemChanged.connect(lambda _item: self._update_summary())
        table.itemSelectionChanged.connect(self._on_selection_changed)
        table.itemActivated.connect(lambda _item: self.credit.setFocus())
        return table

    def _credit_controls(self) -> QHBoxLayout:
        """Create the field for a credit that the person enters for the selected layers."""
        self.credit = QLineEdit()
        self.credit.setPlaceholderText(tr("Select a layer to enter its credit"))
        self.credit.setClearButtonEnabled(True)
        self.credit.returnPressed.connect(self.enter_credit)
        label = PlainLabel(tr("Credit of the se&lected layers:"))
        label.setBuddy(self.credit)
        self.enter_button = QPushButton(tr("S&et credit"))
        self.enter_button.setToolTip(tr("Save this credit in the selected layers. It stays in the project."))
        self.enter_button.clicked.connect(lambda _checked=False: self.enter_credit())
        self.own_button = QPushButton(tr("&Own data"))
        self.own_button.setToolTip(tr("The selected layers are your own data and need no credit"))
        self.own_button.clicked.connect(lambda _checked=False: self.confirm_own_data())
        for button in (self.enter_button, self.own_button):
            # Enter in the field sets the credit, and nothing else
            button.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self.credit, 1)
        row.addWidget(self.enter_button)
        row.addWidget(self.own_button)
        return row

    def _buttons(self) -> QHBoxLayout:
        self.apply_button = QPushButton(tr("&Apply credits to checked layers"))
        self.apply_button.clicked.connect(lambda _checked=False: self.apply_credits())
        self.undo = QPushButton(tr("&Undo"))
        self.undo.setToolTip(tr("Restore the former credits of the layers"))
        self.undo.clicked.connect(lambda _checked=False: self.undo_credits())
        self.refresh_button = QPushButton(tr("&Refresh"))
        self.refresh_button.clicked.connect(lambda _checked=False: self.refresh())
        self.save = QPushButton(tr("&Save as CSV…"))
        self.save.clicked.connect(lambda _checked=False: self._choose_file())
        close = dialog_button_box(self, GuideTopic.CREDITS, QDialogButtonBox.StandardButton.Close)
        row = QHBoxLayout()
        for widget in (self.apply_button, self.undo, self.refresh_button, self.save):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(close)
        self.undo.setEnabled(False)
        return row

    # -- audit

    def refresh(self) -> None:
        """Start the audit again and cancel a running one."""
        if self._job is not None:
            self._job.cancel()
        self.progress_bar.setRange(0, 0)
        self.progress_bar.show()
        self.summary.setText(tr("Checking the services and your saved records…"))
        self._set_buttons_enabled(False)
        self._job = credit_audit.start_audit(self._project, self._library, self.show_rows, self._on_failed, self,
                                             self._on_progress)

    def show_rows(self, rows: Sequence[AuditRow]) -> None:
        self._job = None
        self.progress_bar.hide()
        selected = {row.layer.layer_id for row in self.selected_rows()}
        self.table.blockSignals(True)
        self.table.clearSelection()
        self.rows = list(rows)
        self.table.setRowCount(len(self.rows))
        for number, row in enumerate(self.rows):
            self._show_row(number, row)
            if row.layer.layer_id in selected:
                self.table.selectionModel().select(
                    self.table.model().index(number, 0), QItemSelectionModel.SelectionFlag.Select
                    | QItemSelectionModel.SelectionFlag.Rows)
        self.table.blockSignals(False)
        self._on_selection_changed()
        self.table.resizeRowsToContents()
        self._set_buttons_enabled(True)
        self._update_summary()

    def _show_row(self, number: int, row: AuditRow) -> None:
        present = "; ".join(row.layer.credit)
        credit = present if row.state is CreditState.CREDITED else "\n".join(row.credit)
        if row.state is CreditState.DIFFERS:
            credit = tr("now: {own}\nfound: {found}", own=present, found=credit)
        cells = (f"{row.layer.title} ({row.layer.kind.label})", row.state.label, credit or "—", row.terms_summary or
                 tr("not stated"), row.origin or row.problem or "—")
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text if len(text) <= _MAX_CELL_LENGTH else text[:_MAX_CELL_LENGTH].rstrip() + "…")
            tip = row.layer.place if column == 0 else row.problem if column == 4 and row.problem else text
            item.setToolTip(inert(tip))
            item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            self.table.setItem(number, column, item)
        self.table.item(number, 1).setIcon(icon(_ICONS[row.state]))
        if row.state.has_new_credit:
            ticked = Qt.CheckState.Checked if row.state is CreditState.FOUND else Qt.CheckState.Unchecked
            self.table.item(number, 0).setCheckState(ticked)

    def _on_progress(self, percent: float, host: str) -> None:
        self.progress_bar.setRange(0, 100)
        self.progress_bar.setValue(int(percent))
        self.summary.setText(tr("Checked: {host}", host=host) if host else self.summary.text())

    def _on_failed(self, error: CartoguideError) -> None:
        self._job = None
        self.progress_bar.hide()
        self.summary.setText(error.user_text)
        self._set_buttons_enabled(True)

    def _set_buttons_enabled(self, on: bool) -> None:
        self._on_selection_changed()
        for button in (self.refresh_button, self.save):
            button.setEnabled(on)
        self.apply_button.setEnabled(on and bool(self.checked_rows()))

    def _update_summary(self) -> None:
        states = [row.state for row in self.rows]
        if not states:
            self.summary.setText(tr("This project has no layers."))
        else:
            parts = [tr("%n layer(s)", n=len(states))]
            parts += [f"{state.label}: {states.count(state)}" for state in CreditState if state in states]
            self.summary.setText(" · ".join(parts))
        self.apply_button.setEnabled(bool(self.checked_rows()))

    # -- actions

    def checked_rows(self) -> List[AuditRow]:
        """Return the rows whose credit is to be applied to their layers."""
        return [
            row for number, row in enumerate(self.rows)
            if row.state.has_new_credit and self.table.item(number, 0).checkState() == Qt.CheckState.Checked
        ]

    def apply_credits(self) -> None:
        """Apply the found credits to the checked layers. This can be undone."""
        self._show_changes(credit_audit.apply_credits(self._project, self.checked_rows()))

    def selected_rows(self) -> List[AuditRow]:
        """Return the rows selected in the table, from top to bottom."""
        selection = self.table.selectionModel()
        numbers = sorted(index.row() for index in selection.selectedRows()) if selection is not None else []
        return [self.rows[number] for number in numbers if number < len(self.rows)]

    def enter_credit(self) -> None:
        """Make the text of the field the credit of the selected layers. This can be undone."""
        layers = [row.layer.layer_id for row in self.selected_rows()]
        self._show_changes(credit_audit.enter_credit(self._project, layers, self.credit.text()))

    def confirm_own_data(self) -> None:
        """Mark the selected layers as own data that needs no credit. This can be undone."""
        layers = [row.layer.layer_id for row in self.selected_rows() if not row.layer.confirmed]
        self._show_changes(credit_audit.confirm_own_data(self._project, layers))

    def undo_credits(self) -> None:
        """Restore what the layers had before the last change made here."""
        if self._applied:
            self._applied.pop().undo()
        self._show_changes()

    def _show_changes(self, applied: Optional[credit_audit.AppliedCredits] = None) -> None:
        """Show what the layers carry now, without inspecting their sources again."""
        if applied is not None and applied.layer_names:
            self._applied.append(applied)
        self.undo.setEnabled(bool(self._applied))
        if self._job is None:
            self.show_rows(credit_audit.rows_of_changed_layers(self._project, self.rows))

    def _on_selection_changed(self) -> None:
        """Show the credit of the selected layers, or the one that was found for them."""
        rows = self.selected_rows()
        credits = list(dict.fromkeys("; ".join(row.layer.credit or row.credit) for row in rows))
        self.credit.setText(credits[0] if len(credits) == 1 else "")
        for widget in (self.credit, self.enter_button, self.own_button):
            widget.setEnabled(bool(rows) and self._job is None)

    def _choose_file(self) -> None:
        name = safe_file_name(self._project.baseName() or tr("project"))
        path = DialogPrompts(self).save_file(tr("Save the credits"), f"{name}-{tr('credits')}.csv", "CSV (*.csv)")
        if path is not None:
            self.save_csv(path)

    def save_csv(self, path: Path) -> None:
        """Save the table as CSV. An error is shown in the summary line."""
        try:
            # without a byte order mark spreadsheets assume the system's encoding
            write_bytes_atomically(path, audit_csv(self.rows).encode("utf-8-sig"))
        except CartoguideError as error:
            self.summary.setText(error.user_text)
            return
        self.summary.setText(tr("Saved as {name}.", name=path.name))

    def done(self, result: int) -> None:
        """Qt: cancel the audit, however the dialog is closed."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        super().done(result)
        if self._on_closed is not None:
            closed, self._on_closed = self._on_closed, None
            closed()
