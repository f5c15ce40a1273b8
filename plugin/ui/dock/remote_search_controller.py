"""Connects what the catalogues find with the dock: the panel of sources, the list, the chosen record and keeping it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence, Set

from qgis.PyQt.QtCore import QObject

from ...app.phrases import short_catalogue_name
from ...app.records.remote_search import RemoteSearch
from ...core.catalogues.deduplication import SourceRecord
from ...core.catalogues.model import Source
from ...core.catalogues.result_merging import RemoteHit
from ...core.date_formatting import format_day
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.records.model.record import Record
from ...gis.catalogues.federated_search import SearchState
from ...gis.library.record_library import RecordSource
from ...gis.runtime import settings
from ..catalogues.catalogue_panel import ADD
from ..catalogues.source_row import EXCLUDE, HARVEST, LIST, LOGIN, MORE, ONLY
from ..catalogues.source_row import REASONS as ROW_WHY
from ..catalogues.source_row import RETRY as ASK_AGAIN
from ..record.catalogue_origin_bar import DETAILS, RELOAD, SAVE
from ..record.record_view import ADD as ADD_TO_MAP
from ..widgets.messages import DetailsDialog

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

#: catalogues that are named where a record is in many
_MAX_NAMED = 2


class RemoteSearchController(QObject):
    """Nothing is asked of the network before the person switches the search on, or changes what is looked for then."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._sources = dock.catalogue_controller.sources
        self._selected_hit: Optional[SearchHit] = None
        self._shown_version: Optional[SourceRecord] = None
        #: the version that the person picked among those of the chosen record
        self._picked_version: Optional[SourceRecord] = None
        #: what is to be kept, and to be put on the map, as soon as it is whole
        self._pending_saves: Set[str] = set()
        self._pending_map_record = ""
        self.search = RemoteSearch(dock.session.library, self._sources, self)
        self.search.changed.connect(self._on_hits_changed)
        self.search.started.connect(self._on_remote_search_started)
        self.search.row_changed.connect(self._on_row_changed)
        self.search.record_updated.connect(self._on_record_updated)
        dock.session.records_changed.connect(self.search.refresh)
        dock.session.background_updated.connect(self.search.refresh)
        dock.results.search_started.connect(self._on_search_started)
        dock.results.record_selected.connect(self._on_record_selected)
        dock.catalogue_panel.action_requested.connect(self._on_panel_action)
        dock.origin_bar.action_requested.connect(self._on_origin_action)
        dock.origin_bar.version_requested.connect(self._show_version)
        self._sources.changed.connect(self._on_sources_changed)
        dock.composer_controller.map.added.connect(lambda item: self.save_for_map(item.entry.record_id or ""))
        self.search.enabled = bool(settings.get("search_catalogues"))
        self._restored_query_seen = False
        # switched on the last time: that is no wish to go to the network now
        dock.search_bar.catalogues.setChecked(self.search.enabled)
        dock.search_bar.catalogues.toggled.connect(self._on_toggled)

    # -- searching

    def _on_search_started(self, query: object) -> None:
        if not self._restored_query_seen:
            self._restored_query_seen = True
            self.search.set_query(query)  # type: ignore[arg-type]
        else:
            self.search.search_later(query)  # type: ignore[arg-type]

    def _on_toggled(self, on: bool) -> None:
        settings.set("search_catalogues", on)
        self.search.set_enabled(on)
        self._show_rows()

    def _on_hits_changed(self) -> None:
        """Lines came or went; the chosen record may have other versions now, though its line is the same."""
        self._dock.results.show_remote_hits(self.search.hits)
        self.show_origin()

    def _on_remote_search_started(self) -> None:
        self._show_rows()

    def _show_rows(self) -> None:
        query, rows = self._dock.results.query, self.search.search.statuses if self.search.enabled else []
        only, why = query.facets.get("source", ()), ""
        if query.collection:
            why = tr("A collection is a set of your own records: no catalogue is asked for it.")
        elif only and not rows:
            names = {**self.search.source_titles(), **self._dock.session.sources()}
            shown = ", ".join(short_catalogue_name(names.get(key, ("", ""))[1] or key) for key in only)
            why = tr("Only records from {sources} are looked for: no other catalogue is asked.", sources=shown)
        self._dock.catalogue_panel.show_rows(rows, self.search.enabled, why, only)
        self._dock.results.show_counts()

    def _on_row_changed(self, key: str) -> None:
        self._dock.catalogue_panel.show_row(self.search.search.status(key))
        self._dock.results.show_counts()
        self._dock.results.update_empty_text()

    def _on_sources_changed(self) -> None:
        if self.search.enabled:
            self.search.search_now()

    def _on_panel_action(self, what: str, key: str) -> None:
        """A line of the panel asks for something."""
        if what == LIST:
            self._dock.catalogue_controller.open_list_dialog()
            return
        if what == ADD:
            self._dock.catalogue_controller.open_add_dialog()
            return
        row = next((row for row in self.search.search.statuses if row.source.key == key), None)
        if row is None:
            return  # another search is about to begin
        if what == MORE:
            self.search.search.load_more(key)
        elif what == ASK_AGAIN:
            self.search.search.retry(key)
        elif what == ROW_WHY:
            error = row.error if row.state is SearchState.FAILED else None
            words = error.user_text if error else "\n".join(row.notes)
            DetailsDialog(f"{row.source.display_name}\n{words}", error.detail if error else row.source.address,
                          self._dock).show()
        elif what == HARVEST:
            self._dock.harvest_controller.open_dialog(row.source)
        elif what == LOGIN:
            self._dock.catalogue_controller.ask_login(row.source)
        elif what == EXCLUDE:
            self._sources.set_enabled(row.source, False)
        elif what == ONLY:
            self._dock.facets.toggle_only_value("source", key)

    # -- the chosen record

    def record(self, hit: RemoteHit) -> Optional[Record]:
        """The record of a line that a catalogue gave, as far as it is there."""
        version = self._version_for(hit)
        return self.search.record(hit.identifier, version) if version is not None else None

    def _version_for(self, hit: Optional[SearchHit]) -> Optional[SourceRecord]:
        """The version that speaks for a catalogue's line: the one that was chosen for it, else the newest."""
        if not isinstance(hit, RemoteHit):
            return None
        versions = self.search.versions(hit.identifier)
        again = self._selected_hit is not None and self._selected_hit.identifier == hit.identifier
        return self._picked_version if again and self._picked_version in versions else next(iter(versions), None)

    def _on_record_selected(self, hit: Optional[SearchHit]) -> None:
        self._shown_version = self._version_for(hit)
        if self._selected_hit is None or hit is None or self._selected_hit.identifier != hit.identifier:
            self._picked_version = None
        self._selected_hit = hit
        self.show_origin()

    def _on_record_updated(self, identifier: str) -> None:
        self._show_full_record(identifier)
        self._run_pending(identifier)

    def _show_full_record(self, identifier: str) -> None:
        if self._selected_hit is None or self._selected_hit.identifier != identifier or self._shown_version is None:
            return
        record = self.search.full_record(identifier, self._shown_version)
        if record is not None:
            self._show_record(record)
        self.show_origin()

    def _show_record(self, record: Record) -> None:
        """Show a version; it is none that took the place of the one before."""
        self._dock.view.record = None
        self._dock.show_record(record)

    def _show_version(self, number: int) -> None:
        hit = self._selected_hit
        if hit is None:
            return
        versions = self.search.versions(hit.identifier)
        kept = self._local_date_stamp()
        if kept is not None and number == len(versions):
            self._shown_version = None
            record = self._dock.session.record(hit.identifier)
            if record is not None:
                self._show_record(record)
        elif number < len(versions):
            self._shown_version = self._picked_version = versions[number]
            self._show_record(self.search.record(hit.identifier, versions[number]))
        self.show_origin()

    def _local_date_stamp(self) -> Optional[str]:
        """The date stamp of the copy that is kept of the chosen record; None where none is."""
        if isinstance(self._selected_hit, RemoteHit):
            return self._selected_hit.local_date_stamp
        return self._selected_hit.date_stamp if self._selected_hit is not None else None

    def show_origin(self) -> None:
        """Say where the chosen record comes from, and allow what can be done with it."""
        hit, version = self._selected_hit, self._shown_version
        versions = self.search.versions(hit.identifier) if hit is not None else []
        if hit is None or not versions:
            self._dock.origin_bar.show_origin("", (), False, False)
            return
        kept = self._local_date_stamp()
        listed = [(_version_label(one.source.display_name, one.item.record.date_stamp), one is version)
                  for one in versions]
        if kept is not None:
            listed.append((_version_label(tr("My records"), kept), version is None))
        if version is None:
            names = list(dict.fromkeys(short_catalogue_name(one.source.display_name) for one in versions))
            said = ", ".join([*names[:_MAX_NAMED], *(["…"] if len(names) > _MAX_NAMED else [])])
            self._dock.origin_bar.show_origin(tr("Also in {catalogues}", catalogues=said), listed, False, False)
            return
        whole = self.search.full_record(hit.identifier, version)
        problem = self.search.error(hit.identifier, version)
        name = short_catalogue_name(version.source.display_name)
        if problem is not None:
            words = tr("{name} gave only an outline of this record.", name=name)
        elif whole is None:
            words = tr("Reading the whole record from {name}…", name=name)
        elif kept is not None:
            words = tr("From {name}; yours is of {day}.", name=name, day=format_day(kept) or tr("no date"))
        else:
            words = tr("From {name}, not kept yet.", name=name)
        self._dock.origin_bar.show_origin(words, listed, whole is not None, problem is not None)
        if whole is None:
            self._dock.view.add_bar.set_disabled_reason(tr("The whole record is not there yet: its terms are missing."))

    def _on_origin_action(self, what: str) -> None:
        hit, version = self._selected_hit, self._shown_version
        if hit is None or version is None:
            return
        if what == SAVE:
            self.save_shown_version()
        elif what == RELOAD:
            self.search.retry(hit.identifier, version)
        elif what == DETAILS:
            problem = self.search.error(hit.identifier, version)
            if problem is not None:
                DetailsDialog(problem.user_text, problem.detail, self._dock).show()

    def save_shown_version(self) -> None:
        """Keep the version that is shown among the person's own records."""
        hit, version = self._selected_hit, self._shown_version
        record = self.search.full_record(hit.identifier, version) if hit is not None and version is not None else None
        if record is not None and version is not None:
            self._save(version.source, record, tr("Kept in your records."))

    def save_records(self, hits: Sequence[RemoteHit]) -> None:
        """Keep what several lines stand for, each as soon as it was read."""
        for hit in hits:
            version = self._version_for(hit)
            if version is None:
                continue
            self._pending_saves.add(hit.identifier)
            self.search.retry(hit.identifier, version)
            self.search.record(hit.identifier, version)
            self._run_pending(hit.identifier)

    def save_for_map(self, identifier: str) -> None:
        """A map's credit is read from its records again and again, so a record that goes onto the map is kept."""
        found = self.search.last_version(identifier)
        if found is not None and any(
                isinstance(hit, RemoteHit) and hit.identifier == identifier for hit in self.search.hits):
            self._save(*found, tr("Kept in your records: the map’s credit is read from it."))

    def add_to_map(self, identifier: str) -> bool:
        """Add a catalogue's record that was dropped on the map, once it is whole; False where it is none."""
        row = self._dock.model.row_of(identifier)
        if not isinstance(self._dock.model.hit(row), RemoteHit):
            return False
        self._pending_map_record = identifier
        self._dock.list.setCurrentIndex(self._dock.model.index(row))
        self._run_pending(identifier)
        return True

    def _run_pending(self, identifier: str) -> None:
        """A record is whole now: do what waited for that."""
        found = self.search.last_version(identifier)
        if found is None:
            return
        if identifier in self._pending_saves:
            self._pending_saves.discard(identifier)
            self._save(*found, tr("Kept in your records."))
        shown = self._dock.view.record
        if identifier == self._pending_map_record and shown is not None and shown.id == found[1].id:
            self._pending_map_record = ""
            self._dock.record_controller.add_service(ADD_TO_MAP)

    def _save(self, source: Source, record: Record, message: str) -> None:
        self.search.discard_last_version(record.id or "")
        self._dock.session.save_record(RecordSource(source.key, source.kind, source.display_name), record, message)

    def close(self) -> None:
        """End what is under way."""
        self.search.close()


def _version_label(name: str, stamp: Optional[str]) -> str:
    return f"{format_day(stamp) or tr('no date')} · {name}"
