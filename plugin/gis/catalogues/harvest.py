"""Harvesting a source into the store, in a task: with progress, cancel, and going on after a break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Set

from qgis.PyQt.QtCore import QObject

from ...core.catalogues import harvesting
from ...core.catalogues.harvesting import HarvestSummary, discard_checkpoint, is_resumable
from ...core.catalogues.model import CatalogueQuery, Source, query_key
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..library.record_library import remove_replaced_starters
from ..profiles.catalogue_client import fetcher, open_protocol
from ..runtime import tasks
from ..runtime.i18n import record_language

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore

__all__ = ["EVERYTHING", "HarvestSummary", "discard_checkpoint", "harvest", "start", "is_resumable"]

#: records of one page: large enough that a page's way costs little, small enough to be acknowledged often
PAGE_SIZE = 100
#: the whole source
EVERYTHING = CatalogueQuery(page_size=PAGE_SIZE)
_running: Set[str] = set()


def start(source: Source, query: CatalogueQuery, store: RecordStore, done: Callable[[HarvestSummary], None],
          failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None,
          progress: Optional[Callable[[float, str], None]] = None) -> tasks.Job:
    """Take what ``query`` (the empty one: everything) finds in ``source`` into the store.

    What came is acknowledged batch by batch, every few seconds at least. After a cancel, a failure or a crash the same
    call goes on behind the last page that was; ``unfinished`` says whether there is such a break, ``forget`` lets it
    begin anew.
    ``progress`` gets percent (0 where the source does not say how much there is) and words.
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
    """The same within a task that is running already."""
    carry = fetcher(source, feedback, bypass_cache=True)
    protocol = open_protocol(source, carry, record_language())

    def told(summary: HarvestSummary) -> None:
        percent = min(99.0, 100.0 * summary.processed / summary.total) if summary.total else 0.0
        feedback.report(percent, tr("%n record(s) read", n=summary.processed))
        feedback.raise_if_cancelled()

    feedback.raise_if_cancelled()
    try:
        return harvesting.harvest(protocol, query, store, carry, told)
    finally:
        remove_replaced_starters(store)
