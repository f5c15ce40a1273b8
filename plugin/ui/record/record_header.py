"""The head of a record's page: its title, its terms in a sentence, its credit, and the way back to the list."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...app.phrases import record_title
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.terms import summary_sentence
from ...core.terms.model import Terms
from ...core.text import inert
from ..widgets.buttons import CopyButton
from ..widgets.labels import ElidedLabel, TwoLineLabel
from ..widgets.map_preview import MapPreview
from ..widgets.theme import scale_font


class RecordHeader(QWidget):
    """``back_requested`` asks for the list, ``terms_requested`` for the terms in full."""

    back_requested = pyqtSignal()
    terms_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.back = QToolButton()
        self.back.setArrowType(Qt.ArrowType.LeftArrow)
        self.back.setAutoRaise(True)
        self.back.setToolTip(tr("Back to the list (Esc)"))
        self.back.setAccessibleName(tr("Back to the list"))
        self.back.clicked.connect(lambda _checked=False: self.back_requested.emit())
        self.title = TwoLineLabel()
        scale_font(self.title, 1.05, bold=True)
        self.preview = MapPreview()
        self.terms_label = TwoLineLabel()
        self.terms_label.setCursor(Qt.CursorShape.PointingHandCursor)
        self.terms_label.installEventFilter(self)
        self.credit = ElidedLabel()
        self.copy = CopyButton(tr("Copy the credit line"))
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        self.favourite = QToolButton()
        self.favourite.setCheckable(True)
        self.favourite.setAutoRaise(True)
        scale_font(self.favourite, 1.3)
        self.more = QToolButton()
        self.more.setText("⋮")
        scale_font(self.more, 1.3, bold=True)
        self.more.setAutoRaise(True)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setMenu(QMenu(self.more))
        self.more.setToolTip(tr("Add, copy, open, export or remove this record"))
        self.more.setAccessibleName(tr("Menu of the record"))
        self.show_favourite(False, False)
        top.addWidget(self.title, 1)
        top.addWidget(self.favourite, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self.credit_row = QWidget()
        credit = QHBoxLayout(self.credit_row)
        credit.setContentsMargins(0, 0, 0, 0)
        credit.addWidget(self.credit, 1)
        credit.addWidget(self.copy)
        self.credit_row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 0)
        layout.setSpacing(3)
        layout.addLayout(top)
        layout.addWidget(self.preview)
        layout.addWidget(self.terms_label)
        layout.addWidget(self.credit_row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: a click on the sentence opens the terms, to which the tab leads too."""
        if watched is self.terms_label and event.type() == QEvent.Type.MouseButtonRelease:
            self.terms_requested.emit()
        return bool(super().eventFilter(watched, event))

    def show_record(self, record: Record, terms: Terms) -> None:
        self.title.show_text(record_title(record))
        self.preview.show_title(record_title(record))
        self.show_terms(terms)

    def show_favourite(self, on: bool, possible: bool) -> None:
        """Show on the star whether the record is a favourite. ``possible``: it is in the library."""
        self.favourite.setChecked(on)
        self.favourite.setText("★" if on else "☆")
        self.favourite.setEnabled(possible)
        text = tr("Remove from the favourites") if on else tr("Add to the favourites")
        self.favourite.setToolTip(inert(text if possible else
                                        tr("Save the record in your records to make it a favourite.")))
        self.favourite.setAccessibleName(text)

    def show_terms(self, terms: Terms) -> None:
        """Show other terms of the record, after its service was read."""
        # the credit has a line of its own
        self.terms_label.show_text(summary_sentence(replace(terms, credit="")))
        self.credit.show_text(tr("Credit: {credit}", credit=terms.credit))
        self.copy.text_to_copy = terms.credit
        self.credit_row.setVisible(bool(terms.credit))
