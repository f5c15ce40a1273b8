"""Preflight findings: one line that opens into a list with the advice on each finding."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.blanks import unfilled_blanks
from ...core.custommap.model import MAX_ANSWER
from ...core.i18n import tr
from ...core.preflight import MapFinding, MapRemedy
from ...core.review.checks.rules import Severity
from ...core.text import escaped, inert, single_line
from ..widgets.buttons import ElidedButton, ShrinkingButton
from ..widgets.flow_layout import FlowLayout
from ..widgets.form_widgets import fill_layout, wrapped_label
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import SEVERITY_ICONS, icon, make_muted, scale_font
from .fold_section import LimitedArea, remembered_grip

_ICON_SIZE = 16
#: pixels of the width of the button that opens the list, at least
_NARROWEST_BUTTON = 60
#: pixels of the width of the panel in the narrowest dock
_NARROWEST_PANEL = 230


def findings_summary(findings: Sequence[MapFinding], separator: str = ", ") -> str:
    """Return the number of findings of each severity: "1 error, 2 warnings"."""
    counts = [(severity, sum(1 for finding in findings if finding.severity is severity)) for severity in Severity]
    labels = {Severity.ERROR: lambda n: tr("%n error(s)", n=n), Severity.WARNING: lambda n: tr("%n warning(s)", n=n),
              Severity.NOTE: lambda n: tr("%n note(s)", n=n)}
    summary = separator.join(labels[severity](count) for severity, count in counts if count)
    return summary or tr("No issues")


class FindingRow(QFrame):
    """Row of a finding: severity, message, advice, and a button if the plugin can resolve it."""

    remedy_requested = pyqtSignal(object)

    def __init__(self, finding: MapFinding, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.finding = finding
        severity_icon = PlainLabel()
        severity_icon.setPixmap(icon(SEVERITY_ICONS[finding.severity.value]).pixmap(_ICON_SIZE, _ICON_SIZE))
        severity_icon.setAccessibleName(finding.severity.label)
        about = f"{finding.service_title}. " if finding.service_title else ""
        # notes are below a heading that says so
        kind = f"<b>{escaped(finding.severity.label)}:</b> " if finding.is_problem else ""
        self.message_label = _text_label(kind + escaped(about + finding.message), html=True)
        self.message_label.setAccessibleName(f"{finding.severity.label}: {about}{finding.message}")
        self.advice = _text_label(finding.advice)
        if not finding.advice:
            self.advice.hide()
        make_muted(self.advice)
        if finding.detail:
            self.setToolTip(inert(finding.detail[:1000]))
        column = fill_layout(QVBoxLayout(), self.message_label, self.advice, spacing=1)
        self.buttons: list[QToolButton] = []
        self.field: Optional[QLineEdit] = None
        if finding.remedy is not None and finding.remedy.asks_for_text:
            self.field = self._text_field(finding.remedy)
            column.addWidget(self.field)
        # below each other where they have no room: a scale that is cut reads as another one
        line = FlowLayout()
        for remedy in finding.remedies:
            line.addWidget(self._remedy_button(remedy))
        column.addLayout(line)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 3, 2, 3)
        row.setSpacing(6)
        row.addWidget(severity_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    @property
    def button(self) -> Optional[QToolButton]:
        """The button of the best remedy, or None."""
        return self.buttons[0] if self.buttons else None

    def _remedy_button(self, remedy: MapRemedy) -> QToolButton:
        button = ElidedButton(remedy.label)
        button.setAutoRaise(False)
        button.setIconSize(QSize(0, 0))
        button.setMinimumWidth(_NARROWEST_BUTTON)
        # as wide as its text, where there is room
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        button.setToolTip(inert(button.accessibleName()))
        button.setAccessibleDescription(self.message_label.accessibleName())
        button.clicked.connect(lambda _checked=False: self._request_remedy(remedy))
        self.buttons.append(button)
        return button

    def _text_field(self, remedy: MapRemedy) -> QLineEdit:
        """Return the field for what is missing, with the text as it stands and its first blank selected."""
        text = single_line(str(remedy.value or ""))
        field = QLineEdit(text)
        field.setMaxLength(MAX_ANSWER)
        field.setClearButtonEnabled(True)
        field.setPlaceholderText(tr("© Owner, year"))
        field.setAccessibleName(tr("Credit to be printed"))
        field.setAccessibleDescription(self.message_label.accessibleName())
        field.setMinimumWidth(_NARROWEST_BUTTON)
        blank = next(iter(unfilled_blanks(text)), "")
        if blank:
            field.setSelection(text.index(blank), len(blank))
        field.returnPressed.connect(lambda: self._request_remedy(remedy))
        return field

    def _request_remedy(self, remedy: MapRemedy) -> None:
        """Ask for the remedy, with the text that was written. Without one the field is shown to be missing it."""
        if self.field is not None and remedy.asks_for_text:
            if not self.field.text().strip():
                self.field.setFocus()
                return
            remedy = replace(remedy, value=self.field.text().strip())
        self.remedy_requested.emit(replace(self.finding, remedy=remedy))


class _HeaderBar(QWidget):
    """Line above the list. ``resized`` says that it has another size."""

    resized = pyqtSignal()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: announce the new size."""
        super().resizeEvent(event)
        self.resized.emit()


class FindingsPanel(QWidget):
    """List of findings. ``header_bar`` opens it, ``status_label`` says what the check found: the owner places both.

    ``check_requested`` is emitted by the button "Check before printing", ``remedy_requested`` carries the finding whose
    button was pressed.
    """

    check_requested = pyqtSignal()
    remedy_requested = pyqtSignal(object)
    toggled = pyqtSignal(bool)
    #: there are other rows than before
    rebuilt = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.findings: tuple[MapFinding, ...] = ()
        self.rows: list[FindingRow] = []
        self._headings: list[QLabel] = []
        self.fold_button = QToolButton()
        self.fold_button.setCheckable(True)
        self.fold_button.setAutoRaise(True)
        self.fold_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.fold_button.setMinimumWidth(_NARROWEST_BUTTON)
        self.fold_button.toggled.connect(self._show_list)
        self.check = ShrinkingButton(tr("Check before printing"), tr("Check"))
        self.check.setAccessibleName(tr("Check before printing"))
        self.check.setIcon(icon("mActionFilePrint"))
        self.check.setToolTip(inert(f"{tr('Check before printing')}\n"
                                    f"{tr('Request the map of each service at print size, as the export does')}"))
        self.check.clicked.connect(lambda _checked=False: self.check_requested.emit())
        # one line: with two, the panel would not fit a low screen any more once the map is checked
        self.status_label = ElidedLabel()
        scale_font(self.status_label, 0.95)
        make_muted(self.status_label)
        self.list = QWidget()
        self._column = QVBoxLayout(self.list)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.area = LimitedArea(self.list)
        self.grip = remembered_grip("issues", tr("Issues"), self.area.set_limit, self.area.height,
                                    2 * self.fontMetrics().height())
        self.header_bar = _HeaderBar()
        #: has the button, and what its owner shows in its place
        self.beside = QStackedWidget()
        self.beside.addWidget(self.check)
        # one line at every width: the panel above needs the height
        fill_layout(QHBoxLayout(self.header_bar), self.fold_button, self.beside, spacing=4, wide=self.beside)
        fill_layout(QVBoxLayout(self), self.area, self.grip, spacing=2)
        self.header_bar.resized.connect(self._fit_summary)
        self.area.hide()
        self.grip.hide()
        self.show_findings(())

    def show_findings(self, findings: Sequence[MapFinding], state: str = "") -> None:
        """Show ``findings``. ``state`` is the estimated cost of the map and the time of the last check."""
        # the result of the check is never cut for the figures
        self.status_label.show_text(state, shorter=f"{first}." if (first := state.split(". ")[0].rstrip(".")) else "")
        self.status_label.setAccessibleName(tr("State of the check"))
        self.status_label.setAccessibleDescription(state)
        self.status_label.setVisible(bool(state))
        summary = findings_summary(findings)
        worst = min((finding.severity for finding in findings), key=lambda severity: severity.rank, default=None)
        self.fold_button.setToolTip(inert(f"{summary}\n{tr('To be reviewed before the map is printed')}"))
        self.fold_button.setAccessibleName(tr("Issues: {words}", words=summary))
        self.fold_button.setIcon(icon(SEVERITY_ICONS[worst.value] if worst is not None else "mIconSuccess"))
        self.fold_button.setEnabled(bool(findings))
        if not findings:
            self.fold_button.setChecked(False)
        if tuple(findings) != self.findings:
            self.findings = tuple(findings)
            self._rebuild_rows()
        self._fit_summary()

    def _fit_summary(self) -> None:
        """Show the number of each severity, of all issues, or the mere number, the first that has room.

        Cut, it would read as another one. "Check" beside it gives way first, as far as what is shown in its place
        needs.
        """
        needed = self.header_bar.layout().spacing() + self.beside.minimumSizeHint().width()
        room, count = max(_NARROWEST_PANEL, self.header_bar.width()) - needed, len(self.findings)
        for text in (findings_summary(self.findings, " · "), tr("%n issue(s)", n=count), str(count)):
            self.fold_button.setText(text)
            if not count or self.fold_button.sizeHint().width() <= room:
                break
        self.fold_button.setMinimumWidth(max(_NARROWEST_BUTTON, min(
            _NARROWEST_PANEL - needed, self.fold_button.sizeHint().width())))

    @property
    def unfolded_height(self) -> int:
        """Pixels of the height that the panel takes for an unfolded list besides the list itself."""
        return int(self.grip.height() + self.layout().spacing())

    def show_busy(self, on: bool) -> None:
        """Disable the button while services are being checked."""
        self.check.setEnabled(not on)

    def set_expanded(self, on: bool) -> None:
        """Expand or collapse the list."""
        self.fold_button.setChecked(on and bool(self.findings))

    def _rebuild_rows(self) -> None:
        for row in self.rows:
            self._column.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        for heading in self._headings:
            self._column.removeWidget(heading)
            heading.setParent(None)
            heading.deleteLater()
        self.rows, self._headings = [], []
        if any(finding.is_problem for finding in self.findings):
            self._heading(tr("Errors and warnings"))
        for number, finding in enumerate(self.findings):
            if not finding.is_problem and (not number or self.findings[number - 1].is_problem):
                self._heading(tr("Notes"))
            row = FindingRow(finding, self.list)
            row.remedy_requested.connect(self.remedy_requested)
            self._column.addWidget(row)
            self.rows.append(row)
        self.rebuilt.emit()

    def _heading(self, text: str) -> None:
        heading = PlainLabel(text)
        scale_font(heading, 0.95, bold=True)
        self._column.addWidget(heading)
        self._headings.append(heading)

    def _show_list(self, on: bool) -> None:
        self.area.setVisible(on)
        self.grip.setVisible(on)
        self.toggled.emit(on)


def _text_label(text: str, html: bool = False) -> QLabel:
    return wrapped_label(text, shrinkable=True, font_scale=0.95, html=html)
