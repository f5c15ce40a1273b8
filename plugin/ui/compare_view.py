"""Two records field by field: signs and words tell what differs, never colour alone."""

from __future__ import annotations

from html import escape
from typing import Callable, List, Optional, Sequence

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..core.days import shown
from ..core.i18n import tr
from ..core.records.compare import Difference, Mark, Piece, compare, is_version_of, newer
from ..core.records.model import Record
from . import guide
from .buttons import speak
from .rich_text import RichText
from .words import title_of

#: gives a record when it is asked for; None where it is not there any more
Load = Callable[[], Optional[Record]]


class CompareView(QWidget):
    """Two records on one page; what is the same is left out unless it is asked for."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._first: Optional[Record] = None
        self._second: Optional[Record] = None
        self.heading = QLabel()
        self.heading.setWordWrap(True)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.heading.setAccessibleName(tr("The two records"))
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.all_fields = QCheckBox(tr("Also show what is the same"))
        self.all_fields.toggled.connect(lambda _on: self._render())
        self.page = RichText(tr("Differences between the two records"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.heading)
        layout.addWidget(self.page, 1)
        layout.addWidget(self.all_fields)

    def show_records(self, first: Record, second: Record) -> None:
        """Show ``first`` beside ``second``; of two versions the newer one comes second."""
        if is_version_of(first, second) and newer(first, second) is first:
            first, second = second, first
        self._first, self._second = first, second
        self._render()
        self.page.verticalScrollBar().setValue(0)

    def _render(self) -> None:
        first, second = self._first, self._second
        if first is None or second is None:
            return
        fields = compare(first, second)
        shown = fields if self.all_fields.isChecked() else [item for item in fields if item.mark is not Mark.SAME]
        self.heading.setText("\n".join((
            tr("− first: {title}", title=_named(first, newer(first, second) is first)),
            tr("+ second: {title}", title=_named(second, newer(first, second) is second)))))
        if not shown:
            body = f"<p>{escape(tr('The two records say the same in every field.'))}</p>"
        else:
            same = sum(item.mark is Mark.SAME for item in fields)
            count = tr("%n field(s) with differences", n=len(fields) - same)
            body = f'<p class="quiet">{escape(count)}, {escape(tr("%n the same", n=same))}</p>'
            body += "".join(_field_html(item) for item in shown)
        self.page.show_body(body)


class CompareDialog(QDialog):
    """The comparison in a window of its own, with a list of the records to compare with, each read when it is chosen.
    """

    def __init__(self, record: Record, others: Sequence[Record] = (), parent: Optional[QWidget] = None,
                 former: Optional[Record] = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Compare records"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._record = record
        self._loads: List[Load] = []
        self._touched = False
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Compare with"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(20)
        self.view = CompareView()
        self.nothing = QLabel(tr("There is no other record to compare with. Open one first."))
        self.nothing.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        speak(buttons)
        guide.help_with(self, guide.RECORDS, buttons)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget, stretch in ((self.choice, 0), (self.nothing, 0), (self.view, 1), (buttons, 0)):
            layout.addWidget(widget, stretch)
        self.choice.setVisible(False)
        self.choice.currentIndexChanged.connect(self._chosen)
        self.choice.activated.connect(self._touch)
        if former is not None:
            self.offer(tr("{title} (earlier version)", title=title_of(former)), lambda: former)
        listed = [other for other in others if other is not record and other is not former]
        for other in sorted(listed, key=lambda other: not is_version_of(record, other)):
            self.offer(title_of(other), lambda other=other: other)  # type: ignore[misc]
        self.resize(560, 620)

    def offer(self, words: str, load: Load, first: bool = False) -> None:
        """One more record to compare with; ``load`` gives it. ``first``: what is chosen, until a person chooses."""
        row = 0 if first else len(self._loads)
        self._loads.insert(row, load)
        self.nothing.hide()
        self.choice.setVisible(True)
        if not first:
            self.choice.addItem(words)
            return
        self.choice.blockSignals(True)
        self.choice.insertItem(row, words)
        if not self._touched:
            self.choice.setCurrentIndex(row)
        self.choice.blockSignals(False)
        if not self._touched:
            self._chosen(row)

    def _touch(self, _row: int) -> None:
        self._touched = True

    def _chosen(self, row: int) -> None:
        other = self._loads[row]() if 0 <= row < len(self._loads) else None
        if other is not None:
            self.view.show_records(self._record, other)


def _named(record: Record, is_newer: bool) -> str:
    stamp = f", {shown(record.date_stamp)}" if record.date_stamp else ""
    return title_of(record) + stamp + (f" ({tr('newer')})" if is_newer else "")


def _mark_words(mark: Mark) -> str:
    return {Mark.SAME: tr("the same"), Mark.CHANGED: tr("differs"), Mark.FIRST: tr("only in the first"),
            Mark.SECOND: tr("only in the second")}[mark]


def _field_html(item: Difference) -> str:
    """A field: its name, how it stands in words, and its entries with − (first), + (second) or = (both)."""
    how = f"{item.mark.symbol} {_mark_words(item.mark)}"
    heading = f'<h3>{escape(item.name)} <span class="quiet">{escape(how)}</span></h3>'
    if item.pieces:
        first = "".join(_piece(piece, "s") for piece in item.pieces if piece.mark is not Mark.SECOND)
        second = "".join(_piece(piece, "u") for piece in item.pieces if piece.mark is not Mark.FIRST)
        return f"{heading}<p>{Mark.FIRST.symbol}&nbsp;{first}</p><p>{Mark.SECOND.symbol}&nbsp;{second}</p>"
    lines = "".join(f"<p>{piece.mark.symbol}&nbsp;{_text(piece.text)}</p>" for piece in item.items)
    return heading + lines


def _piece(piece: Piece, tag: str) -> str:
    text = _text(piece.text)
    if piece.mark is Mark.SAME:
        return text
    ending = " " if piece.text[-1:].isspace() else ""
    return f"<b><{tag}>{text.rstrip()}</{tag}></b>{ending}"


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")
