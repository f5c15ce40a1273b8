"""Harvests asked for in the dock: started, shown, stopped, gone on with; every reason of a failure is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.sources.harvesting import Summary
from ..core.sources.model import Source, SourceQuery
from ..core.sources.weaving import source_query
from ..gis import harvest, tasks
from ..gis.i18n import record_language
from ..gis.source_fetch import known
from .harvest_rows import CANCEL, GO_ON, WHY, HarvestRow
from .messages import DetailsDialog
from .source_words import failure_words

if TYPE_CHECKING:
    from ..core.store.store import Store
    from .dock import CartoguideDock


class Harvests(QObject):
    """Connects harvests with the dock."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.running: List[Harvest] = []

    def ask(self, source: Source) -> None:
        """Ask what of ``source`` is to be harvested, and start."""
        from .harvest_dialog import HarvestDialog

        store = self.store()
        if store is None:
            return
        query = replace(source_query(self._dock.results.query, harvest.PAGE_SIZE), sort="")
        protocol = known(source, record_language())
        dialog = HarvestDialog(source, query, lambda asked: harvest.unfinished(store, source, asked), self._dock,
                               None if protocol is None else protocol.unsent(query))
        dialog.chosen.connect(lambda wanted, anew: self.start(source, wanted, anew))
        dialog.show()

    def store(self) -> Optional[Store]:
        """The store that records are taken into; where it is not open yet, that is told."""
        store = self._dock.session.shelf.ready
        if store is None:
            self._dock.messages.error(CartoguideError(tr("The records are still being opened. Try again in a moment.")))
        return store

    def start(self, source: Source, query: SourceQuery, anew: bool = False) -> None:
        """Harvest ``query`` from ``source``, from the beginning where ``anew``."""
        store = self.store()
        if store is None:
            return
        if anew:
            harvest.forget(store, source, query)
        try:
            self.running.append(Harvest(self, source, query, store))
        except CartoguideError as error:
            self._dock.messages.error(error)

    def row(self, source: Source) -> HarvestRow:
        """A new line for a harvest; what came of the one before of the same source is old news."""
        return self._dock.harvest_rows.add(source.shown, source.key)

    def close_row(self, row: HarvestRow) -> None:
        """Its harvest goes on in another line."""
        self._dock.harvest_rows.remove(row)

    def details(self, words: str, detail: str) -> None:
        """Show the reasons."""
        DetailsDialog(words, detail, self._dock).show()

    def came(self) -> None:
        """Records came in: the list is looked up again before long."""
        self._dock.session.imports.came()

    def ended(self, ended: Harvest) -> None:
        """One came to its end."""
        if ended in self.running:
            self.running.remove(ended)
        self._dock.session.forget_read()

    def close(self) -> None:
        """Break off what is under way; each goes on the next time it is asked for."""
        for one in list(self.running):
            one.job.cancel()
        self.running.clear()

class Harvest(QObject):
    """One harvest and its line."""

    def __init__(self, harvests: Harvests, source: Source, query: SourceQuery, store: Store) -> None:
        """CartoguideError where the same is being harvested already."""
        super().__init__(harvests)
        self._harvests, self._source, self._query, self._store = harvests, source, query, store
        self._detail = ""
        self._told = False
        self.job: tasks.Job = harvest.start(source, query, store, self._done, self._failed, self, self._progressed)
        self.row = harvests.row(source)
        self.row.asked.connect(self._asked)
        self.job.ended.connect(self._ended)

    def _progressed(self, percent: float, words: str) -> None:
        if not sip.isdeleted(self.row):
            self.row.show_running(percent, words)
        self._harvests.came()

    def _done(self, summary: Summary) -> None:
        self._detail = _details(summary)
        self._end(summary.words(), False)

    def _failed(self, error: CartoguideError) -> None:
        self._detail = "\n\n".join(part for part in (error.user_text, error.detail) if part)
        self._end(tr("broken off ({reason}). What came is kept.", reason=failure_words(error)), True)

    def _ended(self) -> None:
        """However it ended; what was stopped has told nothing yet."""
        if not self._told:
            self._end(tr("stopped. What came is kept."), True)
        self._harvests.ended(self)

    def _end(self, words: str, broken: bool) -> None:
        self._told = True
        if not sip.isdeleted(self.row):
            self.row.show_end(words, bool(self._detail), broken)

    def _asked(self, what: str) -> None:
        if what == CANCEL:
            self.job.cancel()
        elif what == WHY:
            self._harvests.details(self.row.words.text(), self._detail)
        elif what == GO_ON:
            self._harvests.close_row(self.row)
            self._harvests.start(self._source, self._query)

def _details(summary: Summary) -> str:
    """Every reason, and every oddity of the source."""
    failures = [f"{what}\n{why}\n{detail}".strip() for what, why, detail in summary.failures]
    rest = summary.failed - len(summary.failures)
    if rest > 0:
        failures.append(tr("… and %n more", n=rest))
    return "\n\n".join([*summary.notes, *failures])
