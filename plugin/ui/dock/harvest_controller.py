"""Harvests asked for in the dock: started, shown, stopped, gone on with; every reason of a failure is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...app.phrases import failure_label
from ...core.catalogues.harvesting import HarvestSummary
from ...core.catalogues.model import CatalogueQuery, Source
from ...core.catalogues.result_merging import to_catalogue_query
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.catalogues import harvest
from ...gis.profiles.catalogue_client import cached_protocol
from ...gis.runtime import tasks
from ...gis.runtime.i18n import record_language
from ..widgets.job_rows import CANCEL, REASONS, RESUME, JobRow
from ..widgets.messages import DetailsDialog

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore
    from .dock_widget import CartoguideDock


class HarvestController(QObject):
    """Connects harvests with the dock."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.running: List[HarvestJob] = []

    def open_dialog(self, source: Source) -> None:
        """Ask what of ``source`` is to be harvested, and start."""
        from ..catalogues.harvest_dialog import HarvestDialog

        store = self.open_store()
        if store is None:
            return
        query = replace(to_catalogue_query(self._dock.results.query, harvest.PAGE_SIZE), sort="")
        protocol = cached_protocol(source, record_language())
        dialog = HarvestDialog(source, query, lambda asked: harvest.is_resumable(store, source, asked), self._dock,
                               None if protocol is None else protocol.unsent_conditions(query))
        dialog.harvest_chosen.connect(lambda wanted, anew: self.start(source, wanted, anew))
        dialog.show()

    def open_store(self) -> Optional[RecordStore]:
        """The store that records are taken into; where it is not open yet, that is told."""
        store = self._dock.session.library.store_if_open
        if store is None:
            self._dock.messages.show_error(
                CartoguideError(tr("The records are still being opened. Try again in a moment.")))
        return store

    def start(self, source: Source, query: CatalogueQuery, restart: bool = False) -> None:
        """Harvest ``query`` from ``source``, from the beginning where ``anew``."""
        store = self.open_store()
        if store is None:
            return
        if restart:
            harvest.discard_checkpoint(store, source, query)
        try:
            self.running.append(HarvestJob(self, source, query, store))
        except CartoguideError as error:
            self._dock.messages.show_error(error)

    def add_row(self, source: Source) -> JobRow:
        """A new line for a harvest; what came of the one before of the same source is old news."""
        return self._dock.job_rows.add(source.display_name, source.key)

    def remove_row(self, row: JobRow) -> None:
        """Its harvest goes on in another line."""
        self._dock.job_rows.remove(row)

    def show_details(self, words: str, detail: str) -> None:
        """Show the reasons."""
        DetailsDialog(words, detail, self._dock).show()

    def notify_records_added(self) -> None:
        """Records came in: the list is looked up again before long."""
        self._dock.session.imports.notify_records_added()

    def on_harvest_ended(self, ended: HarvestJob) -> None:
        """One came to its end."""
        if ended in self.running:
            self.running.remove(ended)
        self._dock.session.invalidate_records()

    def close(self) -> None:
        """Break off what is under way; each goes on the next time it is asked for."""
        for one in list(self.running):
            one.job.cancel()
        self.running.clear()

class HarvestJob(QObject):
    """One harvest and its line."""

    def __init__(self, harvests: HarvestController, source: Source, query: CatalogueQuery, store: RecordStore) -> None:
        """CartoguideError where the same is being harvested already."""
        super().__init__(harvests)
        self._harvests, self._source, self._query, self._store = harvests, source, query, store
        self._detail = ""
        self._is_reported = False
        self.job: tasks.Job = harvest.start(source, query, store, self._on_done, self._on_failed, self,
                                            self._on_progress)
        self.row = harvests.add_row(source)
        self.row.action_requested.connect(self._on_action)
        self.job.ended.connect(self._on_job_ended)

    def _on_progress(self, percent: float, words: str) -> None:
        if not sip.isdeleted(self.row):
            self.row.show_running(percent, words)
        self._harvests.notify_records_added()

    def _on_done(self, summary: HarvestSummary) -> None:
        self._detail = _summary_details(summary)
        self._show_end(summary.to_text(), False)

    def _on_failed(self, error: CartoguideError) -> None:
        self._detail = "\n\n".join(part for part in (error.user_text, error.detail) if part)
        self._show_end(tr("broken off ({reason}). What came is kept.", reason=failure_label(error)), True)

    def _on_job_ended(self) -> None:
        """However it ended; what was stopped has told nothing yet."""
        if not self._is_reported:
            self._show_end(tr("stopped. What came is kept."), True)
        self._harvests.on_harvest_ended(self)

    def _show_end(self, words: str, broken: bool) -> None:
        self._is_reported = True
        if not sip.isdeleted(self.row):
            self.row.show_result(words, bool(self._detail), broken)

    def _on_action(self, what: str) -> None:
        if what == CANCEL:
            self.job.cancel()
        elif what == REASONS:
            self._harvests.show_details(self.row.label.text(), self._detail)
        elif what == RESUME:
            self._harvests.remove_row(self.row)
            self._harvests.start(self._source, self._query)

def _summary_details(summary: HarvestSummary) -> str:
    """Every reason, and every oddity of the source."""
    failures = [f"{what}\n{why}\n{detail}".strip() for what, why, detail in summary.failures]
    rest = summary.failed - len(summary.failures)
    if rest > 0:
        failures.append(tr("… and %n more", n=rest))
    return "\n\n".join([*summary.notes, *failures])
