"""A row for each harvest and each large import: its progress, its outcome and the reasons of failures."""

from __future__ import annotations

from typing import Callable, Optional, Protocol, Sequence

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtBoundSignal

from ...app.records.harvest_controller import HarvestController, HarvestJob
from ...app.records.import_jobs import ImportJob, ImportJobs
from ...app.window import Notifier
from ...core.i18n import tr
from ..widgets.job_rows import JobAction, JobRow, JobRows


class _RowJob(Protocol):
    """Signals and methods of a job that its row uses."""

    @property
    def progressed(self) -> pyqtBoundSignal:
        """Percent and text."""

    @property
    def ended(self) -> pyqtBoundSignal:
        """Summary, its detail and whether the job can be resumed."""

    def cancel(self) -> None:
        """Stop the job."""

    def deleteLater(self) -> None:  # noqa: N802
        """Delete the job (Qt)."""


class JobProgress(QObject):
    """Adds ``rows`` for imports and harvests as they start, which the owner places."""

    def __init__(self, imports: ImportJobs, harvests: HarvestController, notifier: Notifier,
                 show_sources: Callable[[Sequence[str]], None], parent: Optional[QObject] = None) -> None:
        """``show_sources`` filters the list by where records come from."""
        super().__init__(parent)
        self.rows = JobRows()
        self._notifier, self._show_sources, self._harvests = notifier, show_sources, harvests
        imports.large_import_started.connect(self._show_import)
        harvests.started.connect(self._show_harvest)

    def _show_import(self, job: ImportJob) -> None:
        row = self.rows.add(job.name, "\n".join(job.paths), True)
        row.show_running(0.0, tr("reading…"))
        _RowPresenter(row, job, self.rows, self._notifier, job.restart,
                      lambda: self._show_sources(job.result.folders), lambda: bool(job.result.saved))

    def _show_harvest(self, job: HarvestJob) -> None:
        row = self.rows.add(job.source.display_name, job.source.key)
        _RowPresenter(row, job, self.rows, self._notifier, lambda: self._harvests.resume(job))


class _RowPresenter(QObject):
    """Connects one job with its row. It and the job live as long as the row."""

    def __init__(self, row: JobRow, job: _RowJob, rows: JobRows, notifier: Notifier, resume: Callable[[], None],
                 show: Callable[[], None] = lambda: None, has_records: Callable[[], bool] = lambda: False) -> None:
        super().__init__(row)
        self._row, self._job, self._rows, self._notifier = row, job, rows, notifier
        self._resume, self._show, self._has_records = resume, show, has_records
        self._detail = ""
        job.progressed.connect(self._on_progress)
        job.ended.connect(self._on_ended)
        row.action_requested.connect(self._on_action)
        row.destroyed.connect(job.deleteLater)

    def _on_progress(self, percent: float, text: str) -> None:
        if not sip.isdeleted(self._row):
            self._row.show_running(percent, text)

    def _on_ended(self, summary: str, detail: str, can_resume: bool) -> None:
        self._detail = detail
        if not sip.isdeleted(self._row):
            self._row.show_result(summary, bool(detail), can_resume, self._has_records())

    def _on_action(self, action: str) -> None:
        if action == JobAction.CANCEL:
            self._job.cancel()
        elif action == JobAction.REASONS:
            self._notifier.show_details(self._row.label.text(), self._detail)
        elif action == JobAction.SHOW:
            self._show()
        elif action == JobAction.RESUME:
            self._rows.remove(self._row)
            self._resume()
