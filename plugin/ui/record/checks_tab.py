"""Checks tab: findings on the record. Its links and its live service are checked on request."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...app.phrases import record_title
from ...app.records.record_checks import CheckSubject, RecordChecks
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.review import checks
from ...core.review.checks.rules import Finding, Severity
from ...core.review.report.html_fragments import html_link
from ...core.text import escaped, inert
from ..results.facet_row import SidewaysArea
from ..widgets.buttons import text_button
from ..widgets.dialogs import DialogPrompts
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import RichTextView
from ..widgets.theme import SEVERITY_ICONS, icon

_ICON_SIZE = 16


class ChecksTab(QWidget):
    """Page of findings with buttons for the checks that need the network.

    The record is checked when the tab is first shown, then ``record_checked`` is emitted with the record.
    ``compare_requested`` carries the previous version. ``batch_check_requested`` requests the findings on all records
    in the list.
    """

    compare_requested = pyqtSignal(object)
    record_checked = pyqtSignal(object)
    batch_check_requested = pyqtSignal()
    health_check_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.checks = RecordChecks(self)
        self._previous: Optional[Record] = None
        self._check_pending = False
        self.summary = PlainLabel()
        self.summary.setAccessibleName(tr("Number of issues"))
        self.status = PlainLabel()
        self.status.setAccessibleName(tr("State of the check"))
        for part in (self.summary, self.status):
            part.setWordWrap(True)
            part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.links = text_button(tr("Check links"), self.checks.check_links,
                                 tr("Check that every link of the record responds"))
        self.service = text_button(tr("Compare with the service"), self.checks.compare_with_service,
                                   tr("Compare the record with the capabilities of the live service"))
        self.compare = text_button(tr("Compare with another…"), lambda: self.compare_requested.emit(self._previous),
                                   tr("Compare this record with another one, field by field"))
        # an icon, so that all three buttons are seen in a narrow dock
        self.export = text_button(tr("Export CSV…"), self.export_csv, tr("Save the issues as a table"))
        self.export.setToolTip(inert(f"{self.export.text()}\n{self.export.toolTip()}"))
        self.export.setIcon(icon("mActionFileSave"))
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        menu = QMenu(self.export)
        menu.addAction(tr("Issues of this record…"), self.export_csv)
        menu.addAction(tr("Check the listed records…"), self.batch_check_requested.emit)
        self.export.setMenu(menu)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.cancel = text_button(tr("Cancel"), self.checks.cancel, tr("Cancel the requests"))
        for wide in (self.links, self.service, self.compare, self.export, self.cancel):
            wide.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        self.findings_view = RichTextView(tr("Issues of the record"))
        self.findings_view.link_clicked.connect(lambda _link: self.compare_requested.emit(self._previous))
        # one line: the list of issues needs the height
        below = SidewaysArea(tr("Buttons to the left"), tr("Buttons to the right"))
        health = QMenu(self.service)
        health.addAction(tr("Compare with the service"), self.checks.compare_with_service)
        health.addAction(tr("Check the service’s health…"), self.health_check_requested.emit)
        self.service.setMenu(health)
        self.service.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        for button in (self.links, self.service, self.export):
            below.add_widget(button)
        self.compare.setAutoRaise(True)
        top = fill_layout(QHBoxLayout(), self.summary, self.compare, wide=self.summary)
        fill_layout(QVBoxLayout(self), top, self.findings_view, self.status, self.cancel, below, spacing=4,
                    wide=self.findings_view, margins=(6, 6, 6, 0))
        self._show_status("")
        self.checks.status_changed.connect(self._show_status)
        self.checks.checked.connect(self._render)

    # -- the record

    def show_record(self, record: Record, previous: Optional[Record] = None) -> None:
        """Check ``record`` now if the tab is visible, else when it is shown. ``previous`` is the version that it
        replaced.
        """
        self._previous = previous
        self.checks.set_record(record)
        self._check_pending = True
        if self.isVisible():
            self._check_record()

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Qt: check the record if that is pending."""
        super().showEvent(event)
        self._check_record()

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """All findings on display, first those on the record itself."""
        return self.checks.findings

    def _check_record(self) -> None:
        if self._check_pending and self.checks.record is not None:
            self._check_pending = False
            self.checks.check_fields()
            self.findings_view.verticalScrollBar().setValue(0)
            self.record_checked.emit(self.checks.record)

    # -- saving

    def export_csv(self) -> None:
        """Ask for a file and save the findings to it."""
        if self.checks.record is None:
            return
        name = f"{safe_file_name(record_title(self.checks.record))}.csv"
        path = DialogPrompts(self).save_file(tr("Save the issues"), name, "CSV (*.csv)")
        if path is not None:
            self.save_csv(path)

    def save_csv(self, path: Path) -> None:
        """Save the findings to ``path`` as CSV: UTF-8 with a byte order mark, which spreadsheets need.

        An error is shown in the tab's status line.
        """
        if self.checks.record is None:
            return
        try:
            write_bytes_atomically(path, checks.findings_csv([(self.checks.record, self.findings)]).encode("utf-8-sig"))
        except CartoguideError as error:
            self._show_status(error.user_text)
        else:
            self._show_status(tr("Saved as {name}.", name=path.name))

    # -- showing

    def _show_status(self, text: str) -> None:
        self.status.setText(text)
        self.status.setVisible(bool(text))
        busy = self.checks.busy
        self.cancel.setVisible(busy)
        self.links.setEnabled(not busy)
        self.service.setEnabled(not busy and self.checks.has_service)

    def _render(self, subject: CheckSubject) -> None:
        """Show all findings, scrolled to those on ``subject``."""
        self.summary.setText(_capitalised(checks.severity_summary(self.findings)))
        parts = [self._previous_note(), findings_html(self.checks.field_findings)]
        times = self.checks.checked_at
        for section, heading, no_findings, findings in (
                (CheckSubject.LINKS, tr("Links, checked at {time}", time=times[CheckSubject.LINKS]),
                 tr("All links respond."), self.checks.link_findings),
                (CheckSubject.SERVICE,
                 tr("Record and live service, compared at {time}", time=times[CheckSubject.SERVICE]),
                 tr("The record agrees with the service."), self.checks.service_findings)):
            if findings is not None:
                body = findings_html(findings) if findings else f"<p>{escaped(no_findings)}</p>"
                parts.append(f'<a name="{section.value}"></a><h2>{escaped(heading)}</h2>{body}')
        self.findings_view.show_html("".join(parts), severity_images())
        if subject is not CheckSubject.FIELDS:
            self.findings_view.scrollToAnchor(subject.value)

    def _previous_note(self) -> str:
        if self._previous is None:
            return ""
        note = tr("This record has replaced an earlier version.")
        return f'<p>{escaped(note)} <a href="#former">{escaped(tr("Compare the two"))}</a></p>'


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def severity_images() -> Dict[str, QImage]:
    """Return the icons of the severities from QGIS's theme, in the resolution of the screen, for ``findings_html``."""
    return {severity.value: icon(SEVERITY_ICONS[severity.value]).pixmap(_ICON_SIZE, _ICON_SIZE).toImage()
            for severity in Severity}


def findings_html(findings: Sequence[Finding]) -> str:
    """Return findings as HTML, with pictures called as in ``severity_images``."""
    if not findings:
        return f"<p>{escaped(tr('No issues.'))}</p>"
    return "".join(_finding_html(finding) for finding in findings)


def _finding_html(finding: Finding) -> str:
    """Return a finding as HTML: icon and severity, message, field and value, advice, name of the rule."""
    from ...core.review.comparison import field_label

    severity, message = escaped(finding.severity.label), escaped(finding.message)
    heading = f"<b>{severity}:</b> {message}" if finding.severity is Severity.NOTE else f"<b>{severity}: {message}</b>"
    lines: List[str] = [
        f'<img src="{finding.severity.value}" width="{_ICON_SIZE}" height="{_ICON_SIZE}" alt="{severity}"> {heading}'
    ]
    field = escaped(field_label(finding.field))
    if finding.other:
        lines.append(tr("{field}, the record says: {value}", field=field, value=_value_html(finding.value)))
        lines.append(tr("instead: {value}", value=_value_html(finding.other)))
    else:
        lines.append(f"{field}: {_value_html(finding.value)}" if finding.value else field)
    lines.append(escaped(finding.advice))
    # the number of a requirement is enough here: the CSV has its whole identifier
    rule = " · ".join(part for part in (finding.name, finding.basis.partition(": metadata/")[0]) if part)
    lines.append(f'<span class="quiet">{escaped(tr("Rule: {name}", name=rule))}</span>')
    return f"<p>{'<br>'.join(lines)}</p>"


def _value_html(text: str) -> str:
    """Return a value as HTML, a web address as a link, an empty value as "nothing"."""
    return html_link(text) if text else f'<span class="quiet">{escaped(tr("nothing"))}</span>'
