"""Favourite records, which are a collection of the library, and the records that were opened last."""

from __future__ import annotations

import json
from typing import List, Optional, Sequence

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.json_document import stored_list
from ...core.library.query import SearchHit
from ...core.library.record_collections import FAVOURITES
from .dock_session import DockSession

_RECENT_KEY = "cartoguide/dock/recent_records"
_MAX_RECENT = 12
_MAX_IDENTIFIER_LENGTH = 500


class RecordMarks(QObject):
    """``changed`` is emitted when the favourites are others than before."""

    changed = pyqtSignal()

    def __init__(self, session: DockSession, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session = session

    def is_favourite(self, identifier: str) -> bool:
        """Return True if a record is a favourite."""
        store = self._session.library.store_if_open
        return store is not None and identifier in store.collections.members(FAVOURITES)

    def is_saved(self, identifier: str) -> bool:
        """Return True if a record is in the library. Others cannot be favourites."""
        return bool(self._saved([identifier]))

    def favourite_count(self) -> int:
        store = self._session.library.store_if_open
        return len(self._saved(store.collections.members(FAVOURITES))) if store is not None else 0

    def set_favourite(self, identifier: str, on: bool) -> None:
        self._session.change_collections(
            lambda collections: collections.add_members(FAVOURITES, [identifier]) if on
            else collections.remove_members(FAVOURITES, [identifier]), lambda _count: self.changed.emit())

    def remember(self, identifier: str) -> None:
        """Note that a record was opened."""
        if identifier:
            names = [identifier[:_MAX_IDENTIFIER_LENGTH], *(name for name in _recent() if name != identifier)]
            QgsSettings().setValue(_RECENT_KEY, json.dumps(names[:_MAX_RECENT]))

    def recent(self) -> List[SearchHit]:
        """Return the records that were opened last, the last one first. Those that were removed are left out."""
        names = _recent()
        hits = {hit.identifier: hit for hit in self._saved(names)}
        return [hits[name] for name in names if name in hits]

    def _saved(self, identifiers: Sequence[str]) -> List[SearchHit]:
        store = self._session.library.store_if_open
        return store.find_by_identifiers(identifiers) if store is not None and identifiers else []


def _recent() -> List[str]:
    """Return the identifiers in the settings, where anything may stand."""
    names = stored_list(QgsSettings().value(_RECENT_KEY))
    return [name for name in names if isinstance(name, str)][:_MAX_RECENT]
