"""Harvests of catalogues: started, stopped and resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.harvesting import HarvestSummary
from ...core.catalogues.model import CatalogueQuery, Source
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.catalogues import harvest
from ...gis.runtime import tasks
from ..phrases import failure_label
from ..window import Notifier
from .dock_session import DockSession

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore


class HarvestController(QObject):
    """Runs harvests into the record library."""

    started = pyqtSignal(object)

    def __init__(self, session: DockSession, notifier: Notifier, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._notifier = session, notifier
        self.running: List[HarvestJob] = []

    def open_store(self) -> Optional[RecordStore]:
        """Return the store that records are saved in. While it is being opened, show a message and return None."""
        store = self._session.library.store_if_open
        if store is None:
            self._notifier.show_error(CartoguideError(tr("The records are still being opened. Try again in a moment.")))
        return store

    def start(self, source: Source, query: CatalogueQuery, restart: bool = False) -> None:
        """Harvest the records of ``source`` that match ``query``.

        ``restart`` discards where an earlier harvest stopped.
        """
        store = self.open_store()
        if store is None:
            return
        try:
            if restart:
                harvest.discard_checkpoint(store, source, query)
            job = HarvestJob(source, query, store, self)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        self.running.append(job)
        job.progressed.connect(lambda *_: self._session.imports.notify_records_added())
        job.job.ended.connect(lambda: self._on_ended(job))
        self.started.emit(job)

    def resume(self, job: HarvestJob) -> None:
        """Continue a harvest that was stopped or failed."""
        self.start(job.source, job.query)

    def _on_ended(self, job: HarvestJob) -> None:
        if job in self.running:
            self.running.remove(job)
        self._session.invalidate_records()

    def close(self) -> None:
        """Cancel the running harvests. Each can be resumed."""
        for job in list(self.running):
            job.cancel()
        self.running.clear()


class HarvestJob(QObject):
    """One harvest. ``progressed`` carries percent and text.

    ``ended`` carries a summary, its detail and whether the harvest can be resumed. Raises CartoguideError on
    construction if the same harvest is running already.
    """

    progressed = pyqtSignal(float, str)
    ended = pyqtSignal(str, str, bool)

    def __init__(self, source: Source, query: CatalogueQuery, store: RecordStore, parent: QObject) -> None:
        super().__init__(parent)
        self.source, self.query = source, query
        self._reported = False
        try:
            self.job: tasks.Job = harvest.start(source, query, store, self._on_done, self._on_failed, self,
                                                self.progressed.emit)
        except CartoguideError:
            # else its parent would hold it to the end
            self.deleteLater()
            raise
        self.job.ended.connect(self._on_job_ended)

    def cancel(self) -> None:
        """Stop. The records that have arrived stay."""
        self.job.cancel()

    def _on_done(self, summary: HarvestSummary) -> None:
        self._emit_ended(summary.to_text(), _summary_details(summary), False)

    def _on_failed(self, error: CartoguideError) -> None:
        detail = "\n\n".join(part for part in (error.user_text, error.detail) if part)
        self._emit_ended(
            tr("interrupted ({reason}). Records received so far are kept.", reason=failure_label(error)), detail, True)

    def _on_job_ended(self) -> None:
        # a cancelled job calls neither _on_done nor _on_failed
        if not self._reported:
            self._emit_ended(tr("stopped. Records received so far are kept."), "", True)

    def _emit_ended(self, summary: str, detail: str, can_resume: bool) -> None:
        self._reported = True
        self.ended.emit(summary, detail, can_resume)


def _summary_details(summary: HarvestSummary) -> str:
    """Return the catalogue's oddities and the reason of every failure."""
    failures = [f"{title}\n{reason}\n{detail}".strip() for title, reason, detail in summary.failures]
    rest = summary.failed - len(summary.failures)
    if rest > 0:
        failures.append(tr("… and %n more", n=rest))
    return "\n\n".join([*summary.notes, *failures])
