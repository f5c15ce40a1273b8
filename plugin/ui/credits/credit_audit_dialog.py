"""Dialog with the credits of all layers of the project: present, found and missing ones."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QModelIndex, QRect, QSize, Qt
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
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.audit import AuditGroup, AuditRow, CreditState, group_rows
from ...core.audit.audit_row import audit_csv
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.text import inert
from ...gis.credits import credit_audit
from ...gis.library.record_library import RecordLibrary
from ...gis.runtime import tasks
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import DialogPrompts, dialog_button_box
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.theme import font_scale, icon, resize_for_font

_ICONS = {
    CreditState.CREDITED: "mIconSuccess", CreditState.DIFFERS: "mIconWarning", CreditState.FOUND: "mIconInfo",
    CreditState.NOT_REQUIRED: "mIconSuccess", CreditState.MISSING: "error",
    CreditState.UNKNOWN: "mActionHelpContents", CreditState.CONFIRMED: "mIconSuccess"
}
#: longest text of a cell: the tooltip and the CSV have all of it
_MAX_CELL_LENGTH = 220


class _WrappingDelegate(QStyledItemDelegate):
    """Delegate that breaks the lines of a cell at the width of its column, with the icon beside the first line."""

    def __init__(self, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._tree = tree

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # noqa: N802
        """Qt: fill in what is drawn."""
        super().initStyleOption(option, index)
        option.decorationAlignment = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # noqa: N802
        """Qt: return the size of the wrapped text. A tree measures its rows without the width of the column."""
        width = self._tree.columnWidth(index.column())
        if index.column() == self._tree.treePosition():
            width -= self._tree.indentation() * (2 if index.parent().isValid() else 1)
        measured = QStyleOptionViewItem(option)
        # Qt wraps only in a valid rectangle, whose height it does not look at
        measured.rect = QRect(0, 0, max(1, width), 1)
        measured.features |= QStyleOptionViewItem.ViewItemFeature.WrapText
        return super().sizeHint(measured, index)


def _cells(row: AuditRow) -> Tuple[str, ...]:
    """Return the texts of a row whose layer stands alone."""
    present = "; ".join(row.layer.credit)
    credit = present if row.state is CreditState.CREDITED else "\n".join(row.credit)
    if row.state is CreditState.DIFFERS:
        credit = tr("now: {own}\nfound: {found}", own=present, found=credit)
    return (f"{row.layer.title} ({row.layer.kind.label})", row.state.label, credit or "—",
            row.terms_summary or tr("not stated"), row.origin or row.problem or "—")


def _filled_item(texts: Sequence[str], place: str, problem: str = "") -> QTreeWidgetItem:
    item = QTreeWidgetItem()
    for column, text in enumerate(texts):
        item.setText(column, text if len(text) <= _MAX_CELL_LENGTH else text[:_MAX_CELL_LENGTH].rstrip() + "…")
        item.setToolTip(column, inert(place if column == 0 else problem if column == 4 and problem else text))
        item.setTextAlignment(column, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return item


class CreditAuditDialog(QDialog):
    """The credit audit, a row for each service with its layers below.

    Not modal. The audit starts when the dialog is created.

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
        self.summary = PlainLabel(wraps=True)
        self.summary.setAccessibleName(tr("Summary"))
        self._items: Dict[str, QTreeWidgetItem] = {}
        self.tree = self._create_tree()
        self.progress_bar = QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setMaximumHeight(8)
        layout = QVBoxLayout(self)
        for widget, stretch in ((self.summary, 0), (self.progress_bar, 0), (self.tree, 1)):
            layout.addWidget(widget, stretch)
        layout.addLayout(self._credit_controls())
        layout.addLayout(self._buttons())
        resize_for_font(self, 1040, 520)
        self.refresh()

    def _create_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderLabels([tr("Layer"), tr("State"), tr("Credit"), tr("Terms"), tr("Found in")])
        tree.setAccessibleName(tr("Layers and their credits"))
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setAlternatingRowColors(True)
        tree.setWordWrap(True)
        tree.setItemDelegate(_WrappingDelegate(tree))
        header = tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for column, width in enumerate((215, 160, 230, 215)):
            tree.setColumnWidth(column, round(width * font_scale(self)))
        header.sectionResized.connect(lambda *_sizes: tree.scheduleDelayedItemsLayout())
        tree.itemChanged.connect(lambda _item: self._update_summary())
        tree.itemSelectionChanged.connect(self._on_selection_changed)
        tree.itemActivated.connect(lambda _item: self.credit.setFocus())
        return tree

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
        row = fill_layout(QHBoxLayout(), label, self.credit, self.enter_button, self.own_button, wide=self.credit)
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
        row = fill_layout(QHBoxLayout(), self.apply_button, self.undo, self.refresh_button, self.save)
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
        opened = self._opened_layers()
        self.rows = list(rows)
        self._items.clear()
        self.tree.blockSignals(True)
        self.tree.clear()
        for group in group_rows(self.rows):
            item = self._group_item(group)
            self.tree.addTopLevelItem(item)
            differ = len({_cells(row)[1:] for row in group.rows}) > 1
            item.setExpanded(opened.get(group.rows[0].layer.layer_id, differ))
            chosen = [row for row in group.rows if row.layer.layer_id in selected]
            if len(chosen) == len(group.rows) and not item.isExpanded():
                item.setSelected(True)
                continue
            for row in chosen:
                self.item_of(row).setSelected(True)
        self.tree.blockSignals(False)
        self._on_selection_changed()
        self._set_buttons_enabled(True)
        self._update_summary()

    def _group_item(self, group: AuditGroup) -> QTreeWidgetItem:
        """Return the row of one layer, or that of a service or file with its layers below.

        What all layers have alike is said once, above them.
        """
        if group.is_single:
            row, = group.rows
            return self._layer_item(row, _cells(row))
        rows = [_cells(row) for row in group.rows]
        alike = [texts[0] if len(set(texts)) == 1 else "" for texts in zip(*rows)]
        kind, count = group.rows[0].layer.kind.label, tr("%n layer(s)", n=len(rows))
        item = _filled_item(("", group.state_text, *alike[2:]), group.rows[0].layer.place)
        item.setText(0, f"{group.title} ({kind}, {count})")
        if len(group.states) == 1:
            item.setIcon(1, icon(_ICONS[group.states[0]]))
        for row, texts in zip(group.rows, rows):
            item.addChild(self._layer_item(row, [row.layer.title, *("" if same else text for same, text in
                                                                    zip(alike[1:], texts[1:]))]))
        if all(row.state.has_new_credit for row in group.rows):
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsAutoTristate)
        return item

    def _layer_item(self, row: AuditRow, texts: Sequence[str]) -> QTreeWidgetItem:
        item = _filled_item(texts, row.layer.place, row.problem)
        if texts[1]:
            item.setIcon(1, icon(_ICONS[row.state]))
        layer = self._project.mapLayer(row.layer.layer_id)
        if layer is not None and not layer.isValid():
            item.setText(0, tr("{layer} · cannot be opened", layer=item.text(0)))
        if row.state.has_new_credit:
            item.setCheckState(0, Qt.CheckState.Checked if row.state is CreditState.FOUND else Qt.CheckState.Unchecked)
        self._items[row.layer.layer_id] = item
        return item

    def item_of(self, row: AuditRow) -> QTreeWidgetItem:
        return self._items[row.layer.layer_id]

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
            parts += [f"{state.counted_label}: {states.count(state)}" for state in CreditState if state in states]
            self.summary.setText(" · ".join(parts))
        self.apply_button.setEnabled(bool(self.checked_rows()))

    # -- actions

    def checked_rows(self) -> List[AuditRow]:
        """Return the rows whose credit is to be applied to their layers."""
        return [row for row in self.rows
                if row.state.has_new_credit and self.item_of(row).checkState(0) == Qt.CheckState.Checked]

    def _opened_layers(self) -> Dict[str, bool]:
        """Return the first layer of each service in the tree, with whether its layers are shown."""
        groups = (group for group in group_rows(self.rows) if not group.is_single)
        return {group.rows[0].layer.layer_id: self.item_of(group.rows[0]).parent().isExpanded() for group in groups}

    def apply_credits(self) -> None:
        """Apply the found credits to the checked layers. This can be undone."""
        self._show_changes(credit_audit.apply_credits(self._project, self.checked_rows()))

    def selected_rows(self) -> List[AuditRow]:
        """Return the rows of the selected layers and of all layers of the selected services, from top to bottom."""
        return [row for row in self.rows if self.item_of(row).isSelected()
                or (self.item_of(row).parent() is not None and self.item_of(row).parent().isSelected())]

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
        self.credit.setPlaceholderText(
            tr("Enter whom to credit, or confirm that it is your own data")
            if any(row.state is CreditState.UNKNOWN for row in rows)
            else tr("Enter a credit for %n selected layer(s)", n=len(rows)) if rows
            else tr("Select a layer to enter its credit"))
        for widget in (self.credit, self.enter_button, self.own_button):
            widget.setEnabled(bool(rows) and self._job is None)

    def _choose_file(self) -> None:
        name = safe_file_name(self._project.baseName() or tr("project"))
        path = DialogPrompts(self).save_file(tr("Save the credits"), f"{name}-{tr('credits')}.csv", "CSV (*.csv)")
        if path is not None:
            self.save_csv(path)

    def save_csv(self, path: Path) -> None:
        """Save a row for each layer as CSV. An error is shown in the summary line."""
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
