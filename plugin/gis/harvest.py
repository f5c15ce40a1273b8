"""Harvesting a source into the store, in a task: with progress, cancel, and going on after a break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Set

from qgis.PyQt.QtCore import QObject

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.sources import harvesting
from ..core.sources.harvesting import Summary, forget, unfinished
from ..core.sources.model import Source, SourceQuery, query_key
from . import tasks
from .i18n import record_language
from .keeper import retire_starters
from .source_fetch import fetcher, opened

if TYPE_CHECKING:
    from ..core.store.store import Store

__all__ = ["EVERYTHING", "Summary", "forget", "harvest", "start", "unfinished"]

#: records of one page: large enough that a page's way costs little, small enough to be acknowledged often
PAGE_SIZE = 100
#: the whole source
EVERYTHING = SourceQuery(page_size=PAGE_SIZE)
_running: Set[str] = set()


def start(source: Source, query: SourceQuery, store: Store, done: Callable[[Summary], None],
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
        raise CartoguideError(tr("“{name}” is being harvested already.", name=source.shown), key)
    _running.add(key)
    job = tasks.start(tr("Harvesting {name}", name=source.shown),
                      lambda feedback: harvest(source, query, store, feedback), done, failed, owner, progress)
    job.ended.connect(lambda: _running.discard(key))
    return job


def harvest(source: Source, query: SourceQuery, store: Store, feedback: tasks.Feedback) -> Summary:
    """The same within a task that is running already."""
    carry = fetcher(source, feedback, afresh=True)
    protocol = opened(source, carry, record_language())

    def told(summary: Summary) -> None:
        percent = min(99.0, 100.0 * summary.read / summary.total) if summary.total else 0.0
        feedback.tell(percent, tr("%n record(s) read", n=summary.read))
        feedback.stop_if_cancelled()

    feedback.stop_if_cancelled()
    try:
        return harvesting.harvest(protocol, query, store, carry, told)
    finally:
        retire_starters(store)
