"""The person's catalogues: the saved list with the network's own in front, and which of them are searched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Iterable, List, Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.errors import CartoguideError
from ..core.sources import saved
from ..core.sources.model import REMOTE, Source
from . import catalogue, log, settings
from .source_fetch import forget
from .sources import save_sources

#: the kind and key of a source
Name = Tuple[str, str]


class SourceList(QObject):
    """Reads and writes the settings at every call, so that all windows agree. ``changed``: the list is another now."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.problem: Optional[CartoguideError] = None

    @property
    def own(self) -> Optional[Source]:
        """The network's own catalogue as its profile names it; None where it has none, or the profile is broken."""
        try:
            return saved.source_of_profile(catalogue.profile())
        except CartoguideError:
            return None  # the dock tells what is wrong with the profile when it reads its records

    def sources(self) -> List[Source]:
        """Every catalogue that can be searched, the network's own first; ``problem``: the list cannot be read."""
        listed = [source for source in self._saved() if source.kind in REMOTE]
        own = self.own
        if own is None:
            return listed
        kept = next((source for source in listed if name_of(source) == name_of(own)), own)
        return [kept, *(source for source in listed if name_of(source) != name_of(own))]

    def is_own(self, source: Source) -> bool:
        """Whether it is the network's own, which is always in the list."""
        own = self.own
        return own is not None and name_of(own) == name_of(source)

    def switched_on(self) -> List[Source]:
        """The catalogues that are searched."""
        off = self._off()
        return [source for source in self.sources() if name_of(source) not in off]

    def is_on(self, source: Source) -> bool:
        """Whether it is searched."""
        return name_of(source) not in self._off()

    def switch(self, source: Source, on: bool) -> None:
        """Search it, or no longer."""
        if self.is_on(source) == on:
            return
        off = [name for name in self._off() if name != name_of(source)]
        settings.set("sources_off", json.dumps([*off, *([] if on else [name_of(source)])], ensure_ascii=False))
        self.changed.emit()

    def add(self, sources: Iterable[Source]) -> List[Source]:
        """Add catalogues, switched on; gives those that were not in the list. A login that comes with one counts."""
        fresh = []
        for source in sources:
            known = next((one for one in self.sources() if name_of(one) == name_of(source)), None)
            if known is None:
                self._write([*self._saved(), source])
                fresh.append(source)
            elif source.authcfg and source.authcfg != known.authcfg:
                self.change(replace(known, authcfg=source.authcfg))
            self.switch(source, True)
        if fresh:
            self.changed.emit()
        return fresh

    def change(self, source: Source) -> None:
        """Give the catalogue of the same address another title or login."""
        listed = self._saved()
        places = [place for place, one in enumerate(listed) if name_of(one) == name_of(source)]
        if places:
            listed[places[0]] = source
        else:
            listed.insert(0, source)
        forget(source)
        self._write(listed)
        self.changed.emit()

    def remove(self, source: Source) -> int:
        """Take a catalogue out of the list; gives its place there, for ``put_back``. The network's own stays."""
        listed = self._saved()
        place = next((place for place, one in enumerate(listed) if name_of(one) == name_of(source)), -1)
        if place >= 0:
            del listed[place]
            self._write(listed)
            self.changed.emit()
        return place

    def put_back(self, source: Source, place: int) -> None:
        """Undo ``remove``."""
        listed = self._saved()
        listed.insert(max(0, place), source)
        self._write(listed)
        self.changed.emit()

    def _saved(self) -> List[Source]:
        self.problem = None
        try:
            return saved.read_saved(settings.get("sources"))
        except CartoguideError as error:
            self.problem = error
            return []

    def _write(self, listed: List[Source]) -> None:
        if self.problem is not None:
            # what takes its place must not be the end of a list that somebody may mend
            log.warning(settings.get("sources"))
        own = self.own
        save_sources([source for source in listed if source != own])

    @staticmethod
    def _off() -> List[Name]:
        try:
            found = json.loads(settings.get("sources_off") or "[]")
        except ValueError:
            return []
        return [(str(name[0]), str(name[1])) for name in found if isinstance(name, list) and len(name) == 2] \
            if isinstance(found, list) else []


def name_of(source: Source) -> Name:
    """What tells one source of the list from the others."""
    return source.kind, source.key
