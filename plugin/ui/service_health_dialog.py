"""Dialog with the health of services."""

from __future__ import annotations

from enum import Enum
from functools import partial
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QHBoxLayout,
    QProgressBar,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import CartoguideError
from ..core.files import write_bytes_atomically
from ..core.health import HealthCheck, Probe, Verdict, health_csv, health_html, latest_checks, verdict_counts
from ..core.i18n import tr
from ..core.numbers import format_decimal
from ..core.records.model.endpoints import normalise_endpoint
from ..core.review.report.html_fragments import html_link
from ..core.text import escaped, inert, printable
from ..gis.checks import service_health as gis_health
from ..gis.checks.service_health import ServiceHealthChecker, ServiceTarget
from ..gis.library.record_library import RecordLibrary
from ..gis.runtime import tasks
from ..gis.runtime.guide_pages import GuideTopic
from .widgets.buttons import dialog_button
from .widgets.dialogs import DialogPrompts, FittedDialog, dialog_button_box
from .widgets.error_actions import ErrorActionRow
from .widgets.flow_layout import FlowLayout
from .widgets.form_widgets import fill_layout
from .widgets.labels import PlainLabel
from .widgets.rich_text import RichTextView
from .widgets.theme import icon

_ICONS = {Verdict.GOOD: "mIconSuccess", Verdict.DOUBTFUL: "mIconWarning", Verdict.FAILED: "error"}
_MIN_WIDTH_WITH_DATE = 620
_EndpointRole = Qt.ItemDataRole.UserRole


class ReportFormat(str, Enum):
    """Formats in which the checks are saved."""

    HTML = "html"
    CSV = "csv"


class ServiceHealthDialog(FittedDialog):
    """Lists the checked services, failed ones first, with the probes of the selected one. Not modal.

    Services can be checked again, and the results saved as HTML or CSV.
    """

    def __init__(self, library: RecordLibrary, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, columns=120, lines=28)
        self.setWindowTitle(tr("Cartoguide: health of services"))
        self.setMinimumWidth(300)
        self.checks: List[HealthCheck] = []
        self._library = library
        self._errors: Dict[str, CartoguideError] = {}
        self._targets: Dict[str, ServiceTarget] = {}
        self._listing_job: Optional[tasks.Job] = None
        self.checker = ServiceHealthChecker(lambda identifier: library.load_record(identifier, bool), self)
        self.checker.checked.connect(self._on_checked)
        self.checker.progressed.connect(self._on_progress)
        self.checker.failed.connect(self._show_problem)
        self.checker.ended.connect(self._on_ended)
        self._build()
        self._show_busy(False)
        tasks.start(tr("Reading the checks of services"), lambda _feedback: gis_health.read_results(),
                    self._on_saved_checks_loaded, self._show_problem, self)

    def _build(self) -> None:
        self.status_label = PlainLabel(wraps=True)
        self.service_tree = QTreeWidget()
        self.service_tree.setAccessibleName(tr("Checked services"))
        self.service_tree.setHeaderLabels([tr("Service"), tr("State"), tr("Checked")])
        self.service_tree.setRootIsDecorated(False)
        self.service_tree.setUniformRowHeights(True)
        self.service_tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.service_tree.setMinimumHeight(90)
        self.service_tree.currentItemChanged.connect(lambda _now, _before: self._show_selected())
        self.detail_view = RichTextView(tr("Operations tried"))
        self.detail_view.setMinimumHeight(90)
        self.error_actions = ErrorActionRow()
        right = QWidget()
        fill_layout(QVBoxLayout(right), self.detail_view, self.error_actions, wide=self.detail_view)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.service_tree)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(8)
        buttons = QWidget()
        row = FlowLayout(buttons)
        self.check_all_button = dialog_button(tr("Check all map services"), self.check_all)
        self.check_again_button = dialog_button(tr("Check again"), self.check_selected)
        self.stop = dialog_button(tr("Stop"), self.cancel)
        self.html = dialog_button(tr("Save as HTML…"), partial(self._ask_and_save, ReportFormat.HTML))
        self.csv = dialog_button(tr("Save as CSV…"), partial(self._ask_and_save, ReportFormat.CSV))
        for button in (self.check_all_button, self.check_again_button, self.stop, self.html, self.csv):
            row.addWidget(button)
        end = dialog_button_box(self, GuideTopic.SERVICES, QDialogButtonBox.StandardButton.Close)
        end.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        foot = QHBoxLayout()
        foot.addWidget(buttons, 1)
        foot.addWidget(end, 0, Qt.AlignmentFlag.AlignTop)
        fill_layout(QVBoxLayout(self), self.status_label, self.splitter, self.bar, foot, spacing=5, wide=self.splitter,
                    margins=(8, 8, 8, 8))

    # -- checking

    def check_service(self, target: ServiceTarget) -> None:
        self._targets[normalise_endpoint(target.endpoint)] = target
        self._show_busy(True)
        self.checker.start([target])

    def check_all(self) -> None:
        if self._listing_job is not None or self.checker.running:
            return
        self._show_busy(True)
        self.status_label.setText(tr("Searching for the services of the records…"))
        self._listing_job = tasks.start(tr("Searching for the services of the records…"),
                                        lambda feedback: gis_health.find_targets(self._library, feedback),
                                        self._on_targets_listed, self._on_listing_failed, self)

    def check_selected(self) -> None:
        chosen = self.selected_check()
        if chosen is not None:
            key = normalise_endpoint(chosen.endpoint)
            self.check_service(self._targets.get(key) or ServiceTarget(chosen.endpoint, chosen.title, chosen.record_id))

    def cancel(self) -> None:
        """Stop. Finished checks stay."""
        if self._listing_job is not None:
            self._listing_job.cancel()
            self._listing_job = None
        if self.checker.running:
            self.checker.cancel()
        else:
            self._on_ended()

    def _on_targets_listed(self, targets: List[ServiceTarget]) -> None:
        self._listing_job = None
        self._targets.update((normalise_endpoint(target.endpoint), target) for target in targets)
        if targets:
            self.checker.start(targets)
        else:
            self._on_ended()
            self.status_label.setText(tr("No record leads to a map service."))

    def _on_listing_failed(self, error: CartoguideError) -> None:
        self._listing_job = None
        self._on_ended()
        self._show_problem(error)

    def _on_progress(self, done: int, total: int, text: str) -> None:
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        self.status_label.setText(tr("{done} of {total}: {words}", done=done, total=total, words=text))

    def _on_checked(self, health: HealthCheck, error: Optional[CartoguideError]) -> None:
        key = normalise_endpoint(health.endpoint)
        self._errors.pop(key, None)
        if error is not None:
            self._errors[key] = error
        chosen = self.selected_check()
        self.checks = [health, *self.checks]
        self._fill_tree(
            key if chosen is None or not self.service_tree.hasFocus() else normalise_endpoint(chosen.endpoint))

    def _show_problem(self, error: CartoguideError) -> None:
        self.status_label.setText(error.user_text)

    def _on_ended(self) -> None:
        self._show_busy(False)
        self._show_counts()

    def _on_saved_checks_loaded(self, saved: List[HealthCheck]) -> None:
        self.checks = [*self.checks, *saved]
        self._fill_tree("")
        if not self.checker.running:
            self._show_counts()

    # -- showing

    def selected_check(self) -> Optional[HealthCheck]:
        """Return the latest check of the selected service, or None."""
        item = self.service_tree.currentItem()
        key = item.data(0, _EndpointRole) if item is not None else None
        return next((check for check in latest_checks(self.checks) if normalise_endpoint(check.endpoint) == key), None)

    def _fill_tree(self, selected_key: str) -> None:
        order = list(Verdict)
        shown = sorted(latest_checks(self.checks), key=lambda check: (-order.index(check.verdict), check.title.lower()))
        self.service_tree.blockSignals(True)
        self.service_tree.clear()
        current = None
        for check in shown:
            state_text = f"{check.verdict.symbol} {check.verdict.label}"
            item = QTreeWidgetItem([printable(check.title), state_text, printable(check.local_time)])
            item.setIcon(0, icon(_ICONS.get(check.verdict, "mIconInfo")))
            item.setToolTip(0, inert(f"{check.title}\n{check.endpoint}\n{check.summary()}"))
            key = normalise_endpoint(check.endpoint)
            item.setData(0, _EndpointRole, key)
            self.service_tree.addTopLevelItem(item)
            if key == selected_key or current is None:
                current = item
        self.service_tree.blockSignals(False)
        if current is not None:
            self.service_tree.setCurrentItem(current)
        self._size_columns()
        self._show_selected()

    def _show_selected(self) -> None:
        check = self.selected_check()
        self.check_again_button.setEnabled(check is not None)
        for button in (self.html, self.csv):
            button.setEnabled(bool(self.checks))
        if check is None:
            self.detail_view.show_html("")
            self.error_actions.show_actions(None, self.check_selected)
            return
        key = normalise_endpoint(check.endpoint)
        former = [other for other in self.checks if normalise_endpoint(other.endpoint) == key and other is not check]
        self.detail_view.show_html(detail_html(check, former))
        self.error_actions.show_actions(self._errors.get(key), self.check_selected)

    def _show_counts(self) -> None:
        shown = latest_checks(self.checks)
        count = tr("%n map service(s)", n=len(shown))
        self.status_label.setText(f"{count}: {', '.join(verdict_counts(shown))}" if shown
                                  else tr("No service has been checked yet."))

    def _show_busy(self, busy: bool) -> None:
        self.bar.setVisible(busy)
        self.bar.setRange(0, 0)
        self.stop.setVisible(busy)
        self.check_all_button.setEnabled(not busy)

    def _size_columns(self) -> None:
        """Give the state its width and the titles the rest. Dates are shown only in a wide dialog."""
        wide = self.width() >= _MIN_WIDTH_WITH_DATE
        self.service_tree.setColumnHidden(2, not wide)
        rest = self.service_tree.fontMetrics().horizontalAdvance("✗ " + Verdict.SKIPPED.label) + 24
        date = self.service_tree.fontMetrics().horizontalAdvance("2026-12-31 23:59:59") + 16 if wide else 0
        self.service_tree.setColumnWidth(0, max(120, self.service_tree.viewport().width() - rest - date))
        self.service_tree.setColumnWidth(1, rest)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        """Qt: adapt the columns."""
        super().resizeEvent(event)
        self._size_columns()

    # -- saving

    def _ask_and_save(self, report_format: ReportFormat) -> None:
        names = {ReportFormat.HTML: (tr("Save the checks as HTML"), "HTML (*.html)"),
                 ReportFormat.CSV: (tr("Save the checks as CSV"), "CSV (*.csv)")}
        title, file_filter = names[report_format]
        path = DialogPrompts(self).save_file(title, f"cartoguide-{tr('health')}.{report_format.value}", file_filter)
        if path is not None:
            self.save(path, report_format)

    def save(self, path: Path, report_format: ReportFormat) -> None:
        """Write the latest check of every service to ``path``. CSV has a byte order mark for spreadsheets."""
        shown = latest_checks(self.checks)
        data = (health_html(shown).encode() if report_format is ReportFormat.HTML
                else health_csv(shown).encode("utf-8-sig"))
        try:
            write_bytes_atomically(path, data)
        except CartoguideError as error:
            self._show_problem(error)
        else:
            self.status_label.setText(tr("Saved as {name}.", name=path.name))


def detail_html(check: HealthCheck, former: Sequence[HealthCheck]) -> str:
    """Return the probes of a check and the dates of the former ones as HTML."""
    rows = "".join(_probe_html(probe) for probe in check.probes)
    before = "".join(f"<li>{escaped(other.local_time)}: {other.verdict.symbol} {escaped(other.verdict.label)}</li>"
                     for other in former)
    version = f"WMS {check.version} · " if check.version else ""
    when = f"{version}{tr('checked {when}', when=check.local_time)} · {format_decimal(check.seconds, 1)} s"
    return (f'<h2>{escaped(check.title)}</h2><p class="quiet">{escaped(when)}</p>{rows}'
            f"<p>{html_link(check.endpoint)}</p>" +
            (f"<h3>{escaped(tr('Before'))}</h3><ul>{before}</ul>" if before else ""))


def _probe_html(probe: Probe) -> str:
    seconds = "" if probe.seconds is None else f' <span class="quiet">· {format_decimal(probe.seconds, 2)} s</span>'
    text = f"{probe.verdict.symbol} {probe.label}: {probe.verdict.label}"
    head = f"<b>{escaped(text)}</b>" if probe.verdict in (Verdict.FAILED, Verdict.DOUBTFUL) else escaped(text)
    message = f"<br>{escaped(probe.message)}" if probe.message else ""
    return f"<p>{head}{seconds}{message}</p>"
