"""Harvest of a catalogue into the record library, in a task. An interrupted harvest can be resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Set

from qgis.PyQt.QtCore import QObject

from ...core.catalogues import harvesting
from ...core.catalogues.harvesting import HarvestSummary, discard_checkpoint, is_resumable
from ...core.catalogues.model import CatalogueQuery, Source, query_key
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..library.record_library import remove_replaced_starters
from ..runtime import tasks
from ..runtime.i18n import record_language
from ..runtime.tasks import ErrorCallback, ProgressCallback
from .catalogue_client import fetcher, open_protocol

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore

__all__ = ["EVERYTHING", "HarvestSummary", "discard_checkpoint", "harvest", "start", "is_resumable"]

#: records of one page: enough to keep the overhead of requests low, few enough to save often
PAGE_SIZE = 100
#: the query for all records of a catalogue
EVERYTHING = CatalogueQuery(page_size=PAGE_SIZE)
_running: Set[str] = set()


def start(source: Source, query: CatalogueQuery, store: RecordStore, done: Callable[[HarvestSummary], None],
          failed: ErrorCallback, owner: Optional[QObject] = None,
          progress: Optional[ProgressCallback] = None) -> tasks.Job:
    """Harvest the results of ``query`` in ``source`` into the store, in a task.

    Batches are saved durably, every few seconds at least. After a cancel, a failure or a crash the same call resumes
    after the last saved page. ``is_resumable`` returns True in that case, and ``discard_checkpoint`` lets the harvest
    start over. ``progress`` is called with percent (0 if the catalogue reports no total) and a text.

    Raises CartoguideError if the same harvest is running.
    """
    key = query_key(source, query)
    if key in _running:
        raise CartoguideError(tr("“{name}” is already being harvested.", name=source.display_name), key)
    _running.add(key)
    job = tasks.start(tr("Harvesting {name}", name=source.display_name),
                      lambda feedback: harvest(source, query, store, feedback), done, failed, owner, progress)
    job.ended.connect(lambda: _running.discard(key))
    return job


def harvest(source: Source, query: CatalogueQuery, store: RecordStore, feedback: tasks.Feedback) -> HarvestSummary:
    """Harvest in the calling worker thread, see ``start``. Raises CartoguideError, Cancelled."""
    send_request = fetcher(source, feedback, bypass_cache=True)
    protocol = open_protocol(source, send_request, record_language())

    def report_progress(summary: HarvestSummary) -> None:
        percent = min(99.0, 100.0 * summary.processed / summary.total) if summary.total else 0.0
        feedback.report(percent, tr("%n record(s) read", n=summary.processed))
        feedback.raise_if_cancelled()

    feedback.raise_if_cancelled()
    try:
        return harvesting.harvest(protocol, query, store, send_request, report_progress)
    finally:
        remove_replaced_starters(store)
