"""Connects what the catalogues find with the dock: the panel of sources, the list, the chosen record and keeping it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence, Set

from qgis.PyQt.QtCore import QObject

from ..core.days import shown_day
from ..core.i18n import tr
from ..core.records.model import Record
from ..core.sources.merging import Version
from ..core.sources.model import Source
from ..core.sources.weaving import RemoteHit
from ..core.store.query import Hit
from ..gis import settings
from ..gis.shelf import Place
from ..gis.sources import FAILED
from .catalogue_panel import ADD
from .messages import DetailsDialog
from .origin_bar import AGAIN, KEEP, WHY
from .record_view import ADD as ADD_TO_MAP
from .remote_results import RemoteResults
from .source_row import AGAIN as ASK_AGAIN
from .source_row import HARVEST, LIST, LOGIN, MORE, OFF, ONLY
from .source_row import WHY as ROW_WHY
from .source_words import short_name

if TYPE_CHECKING:
    from .dock import CartoguideDock

#: catalogues that are named where a record is in many
_MOST_NAMED = 2


class CatalogueSearch(QObject):
    """Nothing is asked of the network before the person switches the search on, or changes what is looked for then."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._sources = dock.catalogues.sources
        self._hit: Optional[Hit] = None
        self._version: Optional[Version] = None
        #: the version that the person picked among those of the chosen record
        self._picked: Optional[Version] = None
        #: what is to be kept, and to be put on the map, as soon as it is whole
        self._wanted: Set[str] = set()
        self._on_map = ""
        self.remote = RemoteResults(dock.session.shelf, self._sources, self)
        self.remote.changed.connect(self._changed)
        self.remote.started.connect(self._started)
        self.remote.row_changed.connect(self._row_changed)
        self.remote.record_came.connect(self._record_came)
        dock.session.records_changed.connect(self.remote.refresh)
        dock.session.records_came.connect(self.remote.refresh)
        dock.results.looked_for.connect(self._looked_for)
        dock.results.chosen.connect(self._chosen)
        dock.panel.asked.connect(self._asked)
        dock.origin.asked.connect(self._origin_asked)
        dock.origin.version_asked.connect(self._show_version)
        self._sources.changed.connect(self._sources_changed)
        dock.composer_actions.map.added.connect(lambda item: self.keep_for_map(item.entry.record_id or ""))
        self.remote.on = bool(settings.get("search_catalogues"))
        self._begun = False
        # switched on the last time: that is no wish to go to the network now
        dock.top.catalogues.setChecked(self.remote.on)
        dock.top.catalogues.toggled.connect(self._switched)

    # -- searching

    def _looked_for(self, query: object) -> None:
        if not self._begun:
            self._begun = True
            self.remote.remember(query)  # type: ignore[arg-type]
        else:
            self.remote.wish(query)  # type: ignore[arg-type]

    def _switched(self, on: bool) -> None:
        settings.set("search_catalogues", on)
        self.remote.switch(on)
        self._show_rows()

    def _changed(self) -> None:
        """Lines came or went; the chosen record may have other versions now, though its line is the same."""
        self._dock.results.show_remote(self.remote.rows)
        self.show_origin()

    def _started(self) -> None:
        self._show_rows()

    def _show_rows(self) -> None:
        query, rows = self._dock.results.query, self.remote.search.rows if self.remote.on else []
        only, why = query.facets.get("source", ()), ""
        if query.collection:
            why = tr("A collection is a set of your own records: no catalogue is asked for it.")
        elif only and not rows:
            names = {**self.remote.titles(), **self._dock.session.sources()}
            shown = ", ".join(short_name(names.get(key, ("", ""))[1] or key) for key in only)
            why = tr("Only records from {sources} are looked for: no other catalogue is asked.", sources=shown)
        self._dock.panel.show_rows(rows, self.remote.on, why, only)
        self._dock.results.show_counts()

    def _row_changed(self, key: str) -> None:
        self._dock.panel.show_row(self.remote.search.row(key))
        self._dock.results.show_counts()
        self._dock.results.say_empty()

    def _sources_changed(self) -> None:
        if self.remote.on:
            self.remote.ask()

    def _asked(self, what: str, key: str) -> None:
        """A line of the panel asks for something."""
        if what == LIST:
            self._dock.catalogues.manage()
            return
        if what == ADD:
            self._dock.catalogues.add()
            return
        row = next((row for row in self.remote.search.rows if row.source.key == key), None)
        if row is None:
            return  # another search is about to begin
        if what == MORE:
            self.remote.search.more(key)
        elif what == ASK_AGAIN:
            self.remote.search.retry(key)
        elif what == ROW_WHY:
            error = row.error if row.state == FAILED else None
            words = error.user_text if error else "\n".join(row.notes)
            DetailsDialog(f"{row.source.shown}\n{words}", error.detail if error else row.source.address,
                          self._dock).show()
        elif what == HARVEST:
            self._dock.harvests.ask(row.source)
        elif what == LOGIN:
            self._dock.catalogues.log_in(row.source)
        elif what == OFF:
            self._sources.switch(row.source, False)
        elif what == ONLY:
            self._dock.facets.choose_only("source", key)

    # -- the chosen record

    def record(self, hit: RemoteHit) -> Optional[Record]:
        """The record of a line that a catalogue gave, as far as it is there."""
        version = self._version_of(hit)
        return self.remote.record(hit.identifier, version) if version is not None else None

    def _version_of(self, hit: Optional[Hit]) -> Optional[Version]:
        """The version that speaks for a catalogue's line: the one that was chosen for it, else the newest."""
        if not isinstance(hit, RemoteHit):
            return None
        versions = self.remote.versions(hit.identifier)
        again = self._hit is not None and self._hit.identifier == hit.identifier
        return self._picked if again and self._picked in versions else next(iter(versions), None)

    def _chosen(self, hit: Optional[Hit]) -> None:
        self._version = self._version_of(hit)
        if self._hit is None or hit is None or self._hit.identifier != hit.identifier:
            self._picked = None
        self._hit = hit
        self.show_origin()

    def _record_came(self, identifier: str) -> None:
        self._show_whole(identifier)
        self._do_wanted(identifier)

    def _show_whole(self, identifier: str) -> None:
        if self._hit is None or self._hit.identifier != identifier or self._version is None:
            return
        record = self.remote.whole(identifier, self._version)
        if record is not None:
            self._show(record)
        self.show_origin()

    def _show(self, record: Record) -> None:
        """Show a version; it is none that took the place of the one before."""
        self._dock.view.record = None
        self._dock.show_record(record)

    def _show_version(self, number: int) -> None:
        hit = self._hit
        if hit is None:
            return
        versions = self.remote.versions(hit.identifier)
        kept = self._kept_stamp()
        if kept is not None and number == len(versions):
            self._version = None
            record = self._dock.session.record(hit.identifier)
            if record is not None:
                self._show(record)
        elif number < len(versions):
            self._version = self._picked = versions[number]
            self._show(self.remote.record(hit.identifier, versions[number]))
        self.show_origin()

    def _kept_stamp(self) -> Optional[str]:
        """The date stamp of the copy that is kept of the chosen record; None where none is."""
        if isinstance(self._hit, RemoteHit):
            return self._hit.held
        return self._hit.date_stamp if self._hit is not None else None

    def show_origin(self) -> None:
        """Say where the chosen record comes from, and allow what can be done with it."""
        hit, version = self._hit, self._version
        versions = self.remote.versions(hit.identifier) if hit is not None else []
        if hit is None or not versions:
            self._dock.origin.show_origin("", (), False, False)
            return
        kept = self._kept_stamp()
        listed = [(_version_words(one.source.shown, one.found.record.date_stamp), one is version) for one in versions]
        if kept is not None:
            listed.append((_version_words(tr("My records"), kept), version is None))
        if version is None:
            names = list(dict.fromkeys(short_name(one.source.shown) for one in versions))
            said = ", ".join([*names[:_MOST_NAMED], *(["…"] if len(names) > _MOST_NAMED else [])])
            self._dock.origin.show_origin(tr("Also in {catalogues}", catalogues=said), listed, False, False)
            return
        whole = self.remote.whole(hit.identifier, version)
        problem = self.remote.problem(hit.identifier, version)
        name = short_name(version.source.shown)
        if problem is not None:
            words = tr("{name} gave only an outline of this record.", name=name)
        elif whole is None:
            words = tr("Reading the whole record from {name}…", name=name)
        elif kept is not None:
            words = tr("From {name}; yours is of {day}.", name=name, day=shown_day(kept) or tr("no date"))
        else:
            words = tr("From {name}, not kept yet.", name=name)
        self._dock.origin.show_origin(words, listed, whole is not None, problem is not None)
        if whole is None:
            self._dock.view.add_bar.allow(tr("The whole record is not there yet: its terms are missing."))

    def _origin_asked(self, what: str) -> None:
        hit, version = self._hit, self._version
        if hit is None or version is None:
            return
        if what == KEEP:
            self.keep()
        elif what == AGAIN:
            self.remote.retry(hit.identifier, version)
        elif what == WHY:
            problem = self.remote.problem(hit.identifier, version)
            if problem is not None:
                DetailsDialog(problem.user_text, problem.detail, self._dock).show()

    def keep(self) -> None:
        """Keep the version that is shown among the person's own records."""
        hit, version = self._hit, self._version
        record = self.remote.whole(hit.identifier, version) if hit is not None and version is not None else None
        if record is not None and version is not None:
            self._keep(version.source, record, tr("Kept in your records."))

    def keep_all(self, hits: Sequence[RemoteHit]) -> None:
        """Keep what several lines stand for, each as soon as it was read."""
        for hit in hits:
            version = self._version_of(hit)
            if version is None:
                continue
            self._wanted.add(hit.identifier)
            self.remote.retry(hit.identifier, version)
            self.remote.record(hit.identifier, version)
            self._do_wanted(hit.identifier)

    def keep_for_map(self, identifier: str) -> None:
        """A map's credit is read from its records again and again, so a record that goes onto the map is kept."""
        found = self.remote.last(identifier)
        if found is not None and any(isinstance(hit, RemoteHit) and hit.identifier == identifier
                                     for hit in self.remote.rows):
            self._keep(*found, tr("Kept in your records: the map’s credit is read from it."))

    def add_to_map(self, identifier: str) -> bool:
        """Add a catalogue's record that was dropped on the map, once it is whole; False where it is none."""
        row = self._dock.model.row_of(identifier)
        if not isinstance(self._dock.model.hit(row), RemoteHit):
            return False
        self._on_map = identifier
        self._dock.list.setCurrentIndex(self._dock.model.index(row))
        self._do_wanted(identifier)
        return True

    def _do_wanted(self, identifier: str) -> None:
        """A record is whole now: do what waited for that."""
        found = self.remote.last(identifier)
        if found is None:
            return
        if identifier in self._wanted:
            self._wanted.discard(identifier)
            self._keep(*found, tr("Kept in your records."))
        shown = self._dock.view.record
        if identifier == self._on_map and shown is not None and shown.id == found[1].id:
            self._on_map = ""
            self._dock.record_actions.add(ADD_TO_MAP)

    def _keep(self, source: Source, record: Record, said: str) -> None:
        self.remote.drop(record.id or "")
        self._dock.session.keep_record(Place(source.key, source.kind, source.shown), record, said)

    def close(self) -> None:
        """End what is under way."""
        self.remote.close()


def _version_words(name: str, stamp: Optional[str]) -> str:
    return f"{shown_day(stamp) or tr('no date')} · {name}"
