"""Comparison of two records field by field. Signs and words show the differences, not colour alone."""

from __future__ import annotations

from functools import partial
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, Qt
from qgis.PyQt.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QSizePolicy, QVBoxLayout, QWidget

from ...app.phrases import hit_title, record_title
from ...app.records.dock_session import DockSession
from ...app.records.record_controller import SelectedRecord
from ...core.catalogues.result_merging import RemoteHit
from ...core.dates import format_date, format_day
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.review.comparison import (
    ComparisonMark,
    FieldDifference,
    MarkedText,
    compare_records,
    is_version_of,
    newer_record,
)
from ...core.text import escaped
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import fill_layout, narrow_combo_box
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import RichTextView
from ..widgets.theme import resize_for_font

#: function that returns a record, or None if it no longer exists
LoadRecord = Callable[[], Optional[Record]]


class CompareView(QWidget):
    """Page that compares two records. Equal fields are shown on request."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._first: Optional[Record] = None
        self._second: Optional[Record] = None
        self.heading = PlainLabel(wraps=True)
        self.heading.setAccessibleName(tr("The two records"))
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.all_fields = QCheckBox(tr("Also show equal fields"))
        self.all_fields.toggled.connect(lambda _on: self._render())
        self.page = RichTextView(tr("Differences between the two records"))
        fill_layout(QVBoxLayout(self), self.heading, self.page, self.all_fields, wide=self.page)

    def show_records(self, first: Record, second: Record) -> None:
        """Compare ``first`` with ``second``. Of two versions of one record the newer one is shown second."""
        if is_version_of(first, second) and newer_record(first, second) is first:
            first, second = second, first
        self._first, self._second = first, second
        self._render()
        self.page.verticalScrollBar().setValue(0)

    def _render(self) -> None:
        first, second = self._first, self._second
        if first is None or second is None:
            return
        fields = compare_records(first, second)
        shown = fields if self.all_fields.isChecked() else [
            item for item in fields if item.mark is not ComparisonMark.SAME
        ]
        self.heading.setText("\n".join(
            (tr("− first: {title}", title=_record_heading(first,
                                                          newer_record(first, second) is first)),
             tr("+ second: {title}", title=_record_heading(second,
                                                           newer_record(first, second) is second)))))
        if not shown:
            body = f"<p>{escaped(tr('The two records are equal in every field.'))}</p>"
        else:
            same = sum(item.mark is ComparisonMark.SAME for item in fields)
            count = tr("%n field(s) with differences", n=len(fields) - same)
            body = f'<p class="quiet">{escaped(count)}, {escaped(tr("%n unchanged", n=same))}</p>'
            body += "".join(_field_html(item) for item in shown)
        self.page.show_html(body)


class CompareDialog(QDialog):
    """Dialog that compares a record with another one, chosen from a list and loaded when it is chosen."""

    def __init__(self, record: Record, others: Sequence[Record] = (), parent: Optional[QWidget] = None,
                 previous: Optional[Record] = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Compare records"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._record = record
        self._loaders: List[LoadRecord] = []
        self._user_has_chosen = False
        self.choice = narrow_combo_box(tr("Compare with"), 20)
        self.view = CompareView()
        self.empty_label = PlainLabel(tr("Open another record to compare with this one."), wraps=True)
        buttons = dialog_button_box(self, GuideTopic.RECORDS, QDialogButtonBox.StandardButton.Close)
        layout = QVBoxLayout(self)
        for widget, stretch in ((self.choice, 0), (self.empty_label, 0), (self.view, 1), (buttons, 0)):
            layout.addWidget(widget, stretch)
        self.choice.setVisible(False)
        self.choice.currentIndexChanged.connect(self._show_choice)
        self.choice.activated.connect(self._note_user_choice)
        if previous is not None:
            self.add_choice(tr("{title} (earlier version)", title=record_title(previous)), lambda: previous)
        listed = [other for other in others if other is not record and other is not previous]
        for other in sorted(listed, key=lambda other: not is_version_of(record, other)):
            self.add_choice(record_title(other), lambda other=other: other)  # type: ignore[misc]
        resize_for_font(self, 560, 620)

    def add_choice(self, label: str, load: LoadRecord, first: bool = False) -> None:
        """Add a record to the list, which ``load`` returns.

        With ``first`` it becomes the first entry, and the chosen one unless the person has chosen already.
        """
        row = 0 if first else len(self._loaders)
        self._loaders.insert(row, load)
        self.empty_label.hide()
        self.choice.setVisible(True)
        if not first:
            self.choice.addItem(label)
            return
        self.choice.blockSignals(True)
        self.choice.insertItem(row, label)
        if not self._user_has_chosen:
            self.choice.setCurrentIndex(row)
        self.choice.blockSignals(False)
        if not self._user_has_chosen:
            self._show_choice(row)

    def _note_user_choice(self, _row: int) -> None:
        self._user_has_chosen = True

    def _show_choice(self, row: int) -> None:
        other = self._loaders[row]() if 0 <= row < len(self._loaders) else None
        if other is not None:
            self.view.show_records(self._record, other)


def _record_heading(record: Record, is_newer: bool) -> str:
    stamp = f", {format_date(record.date_stamp)}" if record.date_stamp else ""
    return record_title(record) + stamp + (f" ({tr('newer')})" if is_newer else "")


def _mark_label(mark: ComparisonMark) -> str:
    return {
        ComparisonMark.SAME: tr("the same"), ComparisonMark.CHANGED: tr("differs"),
        ComparisonMark.FIRST: tr("only in the first"), ComparisonMark.SECOND: tr("only in the second")
    }[mark]


def _field_html(item: FieldDifference) -> str:
    """Return a field as HTML: its name, its state in words, and its entries with − (first), + (second) or = (both)."""
    state = f"{item.mark.symbol} {_mark_label(item.mark)}"
    heading = f'<h3>{escaped(item.name)} <span class="quiet">{escaped(state)}</span></h3>'
    if item.word_marks:
        first = "".join(_piece_html(piece, "s") for piece in item.word_marks if piece.mark is not ComparisonMark.SECOND)
        second = "".join(_piece_html(piece, "u") for piece in item.word_marks if piece.mark is not ComparisonMark.FIRST)
        return (f"{heading}<p>{ComparisonMark.FIRST.symbol}&nbsp;{first}</p>"
                f"<p>{ComparisonMark.SECOND.symbol}&nbsp;{second}</p>")
    lines = "".join(f"<p>{piece.mark.symbol}&nbsp;{_text_html(piece.text)}</p>" for piece in item.items)
    return heading + lines


def _piece_html(piece: MarkedText, tag: str) -> str:
    text = _text_html(piece.text)
    if piece.mark is ComparisonMark.SAME:
        return text
    ending = " " if piece.text[-1:].isspace() else ""
    return f"<b><{tag}>{text.rstrip()}</{tag}></b>{ending}"


def _text_html(text: str) -> str:
    return escaped(text).replace("\n", "<br>")


#: records of the list that are offered for a comparison; a search brings others to the front
_MAX_OFFERED = 50


class CompareController(QObject):
    """Opens comparisons as windows of ``window``."""

    def __init__(self, session: DockSession, selected: SelectedRecord, hits: Callable[[], Sequence[SearchHit]],
                 window: QWidget) -> None:
        """``hits`` returns what the list shows."""
        super().__init__(window)
        self._session, self._selected, self._hits, self._window = session, selected, hits, window

    def compare_selected(self, former: Optional[Record] = None) -> None:
        """Compare the selected record with ``former``, the version before it.

        The dialog also offers the other versions that the library has, and the records of the list. Records of the
        same service come first.
        """

        record = self._selected.record
        if record is None:
            return
        dialog = CompareDialog(record, (), self._window, former)
        endpoint = self._session.endpoint(record)
        key = normalise_endpoint(endpoint) if endpoint else ""
        hits = [hit for hit in self._hits()[:_MAX_OFFERED]
                if hit.identifier != record.id and not isinstance(hit, RemoteHit)]
        for hit in sorted(hits, key=lambda hit: not key or hit.endpoint != key):
            dialog.add_choice(hit_title(hit), partial(self._session.record, hit.identifier))
        dialog.show()

        def add_versions(versions: List[Tuple[str, str, Record]]) -> None:
            for day, source, version in reversed(versions):
                if former is None or version.original != former.original:
                    dialog.add_choice(tr("As read on {day} from {source}", day=format_day(day), source=source),
                                      lambda version=version: version, first=former is None)  # type: ignore[misc]

        self._session.versions(record, add_versions, dialog)

    def compare_two(self, first: SearchHit, second: SearchHit) -> None:
        first_record, second_record = self._session.record(first.identifier), self._session.record(second.identifier)
        if first_record is not None and second_record is not None:
            CompareDialog(first_record, [second_record], self._window).show()
