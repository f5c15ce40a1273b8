"""The user's catalogues in the settings, with the network's catalogue first, and which of them are searched."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Iterable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues import source_list
from ...core.catalogues.model import Source
from ...core.catalogues.source_list import SuggestedCatalogue, suggested_catalogues
from ...core.errors import CartoguideError
from ...core.json_document import stored_list
from ...core.network_profile import NetworkProfile
from ..profiles import record_loading
from ..runtime import log, settings
from .catalogue_client import forget_protocol

#: kind and key of a catalogue, which identify it in the list
SourceKey = Tuple[str, str]


class CatalogueList(QObject):
    """List of the user's catalogues. It reads the settings at every call, so that all windows show the same list.

    ``changed`` is emitted after every change. ``problem`` is set if the saved list cannot be read.
    """

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.problem: Optional[CartoguideError] = None

    @property
    def network_catalogue(self) -> Optional[Source]:
        """The catalogue in the network profile, or None if there is none or the profile cannot be read."""
        try:
            return source_list.profile_source(record_loading.current_profile())
        except CartoguideError:
            return None  # the dock shows this error when it loads the records of the profile

    def sources(self) -> List[Source]:
        """Return all catalogues that can be searched, the network's catalogue first."""
        listed = [source for source in self._saved() if source.kind.is_catalogue]
        network = self.network_catalogue
        if network is None:
            return listed
        first = next((source for source in listed if source_key(source) == source_key(network)), network)
        return [first, *(source for source in listed if source_key(source) != source_key(network))]

    def suggestions(self) -> List[SuggestedCatalogue]:
        """Return the public catalogues that are suggested and not in the list yet. Nothing is requested of them."""
        known = {source_key(source) for source in self.sources()}
        return [found for found in suggested_catalogues() if source_key(found.source) not in known]

    def is_network_catalogue(self, source: Source) -> bool:
        """Return True for the network's catalogue, which is always in the list."""
        network = self.network_catalogue
        return network is not None and source_key(network) == source_key(source)

    def enabled_sources(self) -> List[Source]:
        disabled = self._disabled()
        return [source for source in self.sources() if source_key(source) not in disabled]

    def is_enabled(self, source: Source) -> bool:
        """Return True if the catalogue is searched."""
        return source_key(source) not in self._disabled()

    def set_enabled(self, source: Source, enabled: bool) -> None:
        """Include the catalogue in searches, or exclude it."""
        if self.is_enabled(source) == enabled:
            return
        disabled = [key for key in self._disabled() if key != source_key(source)]
        if not enabled:
            disabled.append(source_key(source))
        settings.set("sources_off", json.dumps(disabled, ensure_ascii=False))
        self.changed.emit()

    def add(self, sources: Iterable[Source]) -> List[Source]:
        """Add catalogues and include them in searches. Returns those that are new.

        The login of a catalogue that is in the list already is updated.
        """
        added = []
        for source in sources:
            known = next((old for old in self.sources() if source_key(old) == source_key(source)), None)
            if known is None:
                self._write([*self._saved(), source])
                added.append(source)
            elif source.authcfg and source.authcfg != known.authcfg:
                self.update(replace(known, authcfg=source.authcfg))
            self.set_enabled(source, True)
        if added:
            self.changed.emit()
        return added

    def update(self, source: Source) -> None:
        """Update title and login of the catalogue with the same address."""
        listed = self._saved()
        positions = [position for position, old in enumerate(listed) if source_key(old) == source_key(source)]
        if positions:
            listed[positions[0]] = source
        else:
            listed.insert(0, source)
        forget_protocol(source)
        self._write(listed)
        self.changed.emit()

    def remove(self, source: Source) -> int:
        """Remove a catalogue and return its position for ``restore``, or -1 if it is not in the saved list."""
        listed = self._saved()
        position = next((index for index, old in enumerate(listed) if source_key(old) == source_key(source)), -1)
        if position >= 0:
            del listed[position]
            self._write(listed)
            self.changed.emit()
        return position

    def restore(self, source: Source, position: int) -> None:
        """Undo ``remove``."""
        listed = self._saved()
        listed.insert(max(0, position), source)
        self._write(listed)
        self.changed.emit()

    def _saved(self) -> List[Source]:
        self.problem = None
        try:
            return source_list.load_sources(settings.get("sources"))
        except CartoguideError as error:
            self.problem = error
            return []

    def _write(self, listed: List[Source]) -> None:
        if self.problem is not None:
            # the unreadable list is replaced, so it is logged for repair
            log.warning(settings.get("sources"))
        network = self.network_catalogue
        save_sources([source for source in listed if source != network])

    @staticmethod
    def _disabled() -> List[SourceKey]:
        return [(str(name[0]), str(name[1])) for name in stored_list(settings.get("sources_off"))
                if isinstance(name, list) and len(name) == 2]


def source_key(source: Source) -> SourceKey:
    return source.kind, source.key


def saved_sources(network: Optional[NetworkProfile] = None) -> List[Source]:
    """Return the user's catalogues, the one of the network profile first. Raises CartoguideError for an invalid list.
    """
    saved = source_list.load_sources(settings.get("sources"))
    return source_list.with_profile_catalogue(saved, network or record_loading.current_profile())


def save_sources(sources: Sequence[Source]) -> None:
    """Save the list in the settings. It contains ids of authentication configurations, but no secrets."""
    settings.set("sources", source_list.dump_sources(sources))
