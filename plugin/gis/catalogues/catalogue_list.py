"""The person's catalogues: the saved list with the network's own in front, and which of them are searched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Iterable, List, Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues import catalogue_list
from ...core.catalogues.model import REMOTE, Source
from ...core.errors import CartoguideError
from ..profiles import record_loading
from ..profiles.catalogue_client import forget_protocol
from ..runtime import log, settings
from .federated_search import save_sources

#: the kind and key of a source
SourceKey = Tuple[str, str]


class CatalogueList(QObject):
    """Reads and writes the settings at every call, so that all windows agree. ``changed``: the list is another now."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.problem: Optional[CartoguideError] = None

    @property
    def network_catalogue(self) -> Optional[Source]:
        """The network's own catalogue as its profile names it; None where it has none, or the profile is broken."""
        try:
            return catalogue_list.source_of_profile(record_loading.current_profile())
        except CartoguideError:
            return None  # the dock tells what is wrong with the profile when it reads its records

    def sources(self) -> List[Source]:
        """Every catalogue that can be searched, the network's own first; ``problem``: the list cannot be read."""
        listed = [source for source in self._saved() if source.kind in REMOTE]
        own = self.network_catalogue
        if own is None:
            return listed
        kept = next((source for source in listed if source_key(source) == source_key(own)), own)
        return [kept, *(source for source in listed if source_key(source) != source_key(own))]

    def is_network_catalogue(self, source: Source) -> bool:
        """Whether it is the network's own, which is always in the list."""
        own = self.network_catalogue
        return own is not None and source_key(own) == source_key(source)

    def enabled_sources(self) -> List[Source]:
        """The catalogues that are searched."""
        off = self._disabled()
        return [source for source in self.sources() if source_key(source) not in off]

    def is_enabled(self, source: Source) -> bool:
        """Whether it is searched."""
        return source_key(source) not in self._disabled()

    def set_enabled(self, source: Source, enabled: bool) -> None:
        """Search it, or no longer."""
        if self.is_enabled(source) == enabled:
            return
        off = [name for name in self._disabled() if name != source_key(source)]
        settings.set("sources_off", json.dumps([*off, *([] if enabled else [source_key(source)])], ensure_ascii=False))
        self.changed.emit()

    def add(self, sources: Iterable[Source]) -> List[Source]:
        """Add catalogues, switched on; gives those that were not in the list. A login that comes with one counts."""
        fresh = []
        for source in sources:
            known = next((one for one in self.sources() if source_key(one) == source_key(source)), None)
            if known is None:
                self._write([*self._saved(), source])
                fresh.append(source)
            elif source.authcfg and source.authcfg != known.authcfg:
                self.update(replace(known, authcfg=source.authcfg))
            self.set_enabled(source, True)
        if fresh:
            self.changed.emit()
        return fresh

    def update(self, source: Source) -> None:
        """Give the catalogue of the same address another title or login."""
        listed = self._saved()
        places = [place for place, one in enumerate(listed) if source_key(one) == source_key(source)]
        if places:
            listed[places[0]] = source
        else:
            listed.insert(0, source)
        forget_protocol(source)
        self._write(listed)
        self.changed.emit()

    def remove(self, source: Source) -> int:
        """Take a catalogue out of the list; gives its place there, for ``put_back``. The network's own stays."""
        listed = self._saved()
        place = next((place for place, one in enumerate(listed) if source_key(one) == source_key(source)), -1)
        if place >= 0:
            del listed[place]
            self._write(listed)
            self.changed.emit()
        return place

    def restore(self, source: Source, position: int) -> None:
        """Undo ``remove``."""
        listed = self._saved()
        listed.insert(max(0, position), source)
        self._write(listed)
        self.changed.emit()

    def _saved(self) -> List[Source]:
        self.problem = None
        try:
            return catalogue_list.load_catalogue_list(settings.get("sources"))
        except CartoguideError as error:
            self.problem = error
            return []

    def _write(self, listed: List[Source]) -> None:
        if self.problem is not None:
            # what takes its place must not be the end of a list that somebody may mend
            log.warning(settings.get("sources"))
        own = self.network_catalogue
        save_sources([source for source in listed if source != own])

    @staticmethod
    def _disabled() -> List[SourceKey]:
        try:
            found = json.loads(settings.get("sources_off") or "[]")
        except ValueError:
            return []
        return [(str(name[0]), str(name[1])) for name in found if isinstance(name, list) and len(name) == 2] \
            if isinstance(found, list) else []


def source_key(source: Source) -> SourceKey:
    """What tells one source of the list from the others."""
    return source.kind, source.key
