"""Terms tab: terms of use in one sentence, the credit line, and the fields that they were read from."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QPalette
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.terms import summary_sentence
from ...core.terms.labels import field_label, licence_title, limit_label, step_text, trail_text
from ...core.terms.model import Decision, Terms, TrailStep
from ...core.text import escaped, quoted, shorten, with_bounded_texts
from ..widgets.buttons import CopyButton
from ..widgets.form_widgets import wrapped_label
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import html_link, html_paragraphs, html_table, open_link, truncate_html
from ..widgets.theme import rich_text_style_sheet, scale_font

#: characters of one text, and of the HTML of all of them
_MAX_TEXT, _MAX_DETAILS = 8_000, 30_000


class TermsTab(QScrollArea):
    """Scrollable page with the sentence, the credit line with its copy button, and the fields."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
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
        self.credit_heading = PlainLabel()
        self.credit_heading.setWordWrap(True)
        self.credit = self._selectable_label(tr("Credit line"))
        self.copy = CopyButton(tr("Copy the credit line"))
        heading = QHBoxLayout()
        heading.addWidget(self.credit_heading, 1)
        heading.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignBottom)
        self.credit_header = QWidget()
        heading.setContentsMargins(0, 0, 0, 0)
        self.credit_header.setLayout(heading)
        self.credit_frame = QFrame()
        self.credit_frame.setFrameShape(QFrame.Shape.StyledPanel)
        box = QVBoxLayout(self.credit_frame)
        box.setContentsMargins(8, 6, 8, 6)
        box.addWidget(self.credit)
        self.fields = self._selectable_label(tr("Fields that the terms were read from"), html=True)
        self.fields.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.fields.linkActivated.connect(open_link)
        for part in (self.sentence, self.credit_header, self.credit_frame, self.fields):
            layout.addWidget(part)
        layout.addStretch(1)
        self._terms: Optional[Terms] = None

    def show_terms(self, terms: Terms) -> None:
        self._terms = terms
        # the credit line has a label with a copy button
        self.sentence.setText(summary_sentence(replace(terms, credit="")))
        self.credit.setText(terms.credit)
        self.copy.text_to_copy = terms.credit
        self.credit_frame.setVisible(bool(terms.credit))
        self.credit_header.setVisible(bool(terms.credit))
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
        details = truncate_html(_details_html(with_bounded_texts(terms, _MAX_TEXT)), _MAX_DETAILS)
        self.fields.setText(f"<style>{rich_text_style_sheet(self)}</style>{details}")

    def _selectable_label(self, name: str, html: bool = False) -> QLabel:
        label = wrapped_label("", name, html=html)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                      | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        return label


def _details_html(terms: Terms) -> str:
    """Return licence, fees, open questions and the reading trail with each field's text as HTML."""
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
    if terms.chain:
        parts.append(f"<p class='quiet'>{escaped(tr('Read from: {way}', way=trail_text(terms)))}</p>")
        parts += [_step_html(step) for step in terms.chain]
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


