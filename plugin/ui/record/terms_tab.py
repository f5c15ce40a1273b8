"""Terms tab: licence, restrictions and open questions, and the fields that they were read from."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QPalette
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.review.report.html_fragments import html_link
from ...core.terms import summary_sentence
from ...core.terms.labels import field_label, licence_title, limit_label, step_text
from ...core.terms.model import Decision, Terms, TrailStep
from ...core.text import escaped, inert, quoted, shorten, with_bounded_texts
from ..widgets.buttons import CopyButton
from ..widgets.form_widgets import fill_layout, wrapped_label
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import html_paragraphs, html_table, open_link, truncate_html
from ..widgets.theme import rich_text_style_sheet, scale_font

#: characters of one text, and of the HTML of all of them
_MAX_TEXT, _MAX_DETAILS = 8_000, 30_000


class TermsTab(QScrollArea):
    """Scrollable page with the terms in detail, and the fields that they were read from, which can be folded away.

    With ``has_summary`` it begins with the sentence and the credit line with its copy button, for windows that do not
    show them above it.
    """

    def __init__(self, parent: Optional[QWidget] = None, has_summary: bool = True) -> None:
        super().__init__(parent)
        self._has_summary = has_summary
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setBackgroundRole(QPalette.ColorRole.Base)
        page.setAutoFillBackground(True)
        self.setWidget(page)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        self.sentence = self._selectable_label(tr("Summary of the terms"))
        scale_font(self.sentence, 1.08, bold=True)
        self.credit_heading = PlainLabel(wraps=True)
        self.credit = self._selectable_label(tr("Credit line"))
        self.copy = CopyButton(tr("Copy credit"))
        heading = QHBoxLayout()
        heading.addWidget(self.credit_heading, 1)
        heading.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignBottom)
        self.credit_header = QWidget()
        heading.setContentsMargins(0, 0, 0, 0)
        self.credit_header.setLayout(heading)
        self.credit_frame = QFrame()
        self.credit_frame.setFrameShape(QFrame.Shape.StyledPanel)
        fill_layout(QVBoxLayout(self.credit_frame), self.credit, margins=(8, 6, 8, 6))
        self.details = self._html_label(tr("Terms"))
        self.fields = self._html_label(tr("Fields that the terms were read from"))
        self.fold = QToolButton()
        self.fold.setText(tr("Read from these fields"))
        self.fold.setCheckable(True)
        # their words are what somebody who reads the terms looks for
        self.fold.setChecked(True)
        self.fold.setAutoRaise(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        # a narrow dock may cut its text off, as it would be wider than the page
        self.fold.setToolTip(inert(self.fold.text()))
        self.fold.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.fold.toggled.connect(self._show_fold)
        for part in (self.sentence, self.credit_header, self.credit_frame, self.details, self.fold, self.fields):
            layout.addWidget(part)
        layout.addStretch(1)
        self._terms: Optional[Terms] = None

    def show_terms(self, terms: Terms) -> None:
        self._terms = terms
        # the credit line has a label with a copy button
        self.sentence.setText(summary_sentence(replace(terms, credit="")))
        self.credit.setText(terms.credit)
        self.copy.text_to_copy = terms.credit
        self.sentence.setVisible(self._has_summary)
        self.credit_frame.setVisible(self._has_summary and bool(terms.credit))
        self.credit_header.setVisible(self._has_summary and bool(terms.credit))
        self.credit_heading.setText({
            Decision.YES: tr("A map must show this credit:"), Decision.NO: tr("A map may show this credit:"),
        }.get(terms.credit_required, tr("Show this credit, to be safe:")))
        self._show_fields(terms)
        self.verticalScrollBar().setValue(0)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: apply the colours of another theme."""
        super().changeEvent(event)
        terms: Optional[Terms] = getattr(self, "_terms", None)
        if event.type() == QEvent.Type.PaletteChange and terms is not None:
            self._show_fields(terms)

    def _show_fields(self, terms: Terms) -> None:
        # a label lays out all of its text at once
        bounded = with_bounded_texts(terms, _MAX_TEXT)
        for label, html in ((self.details, _details_html(bounded)),
                            (self.fields, "".join(_step_html(step) for step in bounded.chain))):
            style = f"<style>{rich_text_style_sheet(self)}</style>"
            label.setText(f"{style}{truncate_html(html, _MAX_DETAILS)}" if html else "")
        self.details.setVisible(bool(self.details.text()))
        self._show_fold()

    def _show_fold(self) -> None:
        """Show or hide the fields below their heading. Terms that were read from no field have none."""
        is_open = self.fold.isChecked()
        self.fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.fold.setVisible(bool(self.fields.text()))
        self.fields.setVisible(is_open and bool(self.fields.text()))

    def _html_label(self, name: str) -> QLabel:
        label = self._selectable_label(name, html=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.linkActivated.connect(open_link)
        return label

    def _selectable_label(self, name: str, html: bool = False) -> QLabel:
        label = wrapped_label("", name, html=html)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                      | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        return label


def _details_html(terms: Terms) -> str:
    """Return licence, fees, restrictions and open questions as HTML."""
    parts = []
    if terms.licence or terms.licence_url:
        title = licence_title(terms.licence) if terms.licence else terms.licence_url or ""
        address = (terms.licence.url if terms.licence else None) or terms.licence_url
        parts.append(html_table([(tr("Licence"), html_link(address, title) if address else escaped(title))]))
    if terms.fees and terms.free != Decision.YES:
        parts.append(html_table([(tr("Fees"), escaped(terms.fees))]))
    if terms.limits:
        limits = "".join(f"<li>{escaped(limit_label(limit.kind))}: {escaped(quoted(shorten(limit.text, 300)))}</li>"
                         for limit in terms.limits)
        parts.append(f"<h3>{escaped(tr('Restrictions'))}</h3><ul>{limits}</ul>")
    if terms.undecided:
        points = "".join(f"<li>{escaped(point)}</li>" for point in terms.undecided)
        parts.append(f"<h3>{escaped(tr('Open questions'))}</h3><ul>{points}</ul>")
    return "".join(parts)


def _step_html(step: TrailStep) -> str:
    """Return a field of the reading trail as HTML: its name, its text, and the field that it refers to."""
    said = step_text(step)
    text = html_paragraphs(said) if said else ""
    href = f"<p>{html_link(step.href)}</p>" if step.href else ""
    onward = ""
    if step.leads_to:
        reference = tr("refers to: {field}", field=field_label(step.leads_to))
        onward = f"<p class='quiet'>→ {escaped(reference)}</p>"
    return f"<h4>{escaped(field_label(step.field))}</h4>{text}{href}{onward}"


