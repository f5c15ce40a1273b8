"""State of the dock that is saved between sessions: search, facets, selected record, tab and splitter."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Dict, Mapping, Optional, Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QByteArray

from ...core.json_document import stored_object

STATE_PREFIX = "cartoguide/dock/"
#: facets, values of a facet, and characters of a value that are read: a damaged setting may be of any size
_MAX_VALUES = 50
_MAX_LENGTH = 500


@dataclass(frozen=True)
class DockState:
    """State of the dock in QGIS's settings. Anything damaged there is replaced by its default."""

    search: str = ""
    facets: Mapping[str, Tuple[str, ...]] = field(default_factory=dict)
    collection: str = ""
    sort: str = ""
    record: str = ""
    tab: int = 0
    splitter: Optional[QByteArray] = None
    filters_shown: bool = True

    def save(self) -> None:
        """Write the state to QGIS's settings."""
        settings = QgsSettings()
        for key, value in (("search", self.search), ("narrowed", json.dumps(self.facets)),
                           ("collection", self.collection), ("order", self.sort), ("record", self.record),
                           ("tab", self.tab), ("list_and_record", self.splitter),
                           ("filters_shown", str(self.filters_shown))):
            settings.setValue(STATE_PREFIX + key, value)

    @classmethod
    def load(cls) -> DockState:
        """Read the state from QGIS's settings."""
        settings = QgsSettings()
        tab = _text(settings, "tab", "0")
        splitter = settings.value(STATE_PREFIX + "list_and_record")
        return cls(_text(settings, "search"), _facets_from_json(_text(settings, "narrowed", "{}")),
                   _text(settings, "collection"), _text(settings, "order"), _text(settings, "record"),
                   int(tab) if tab.isdigit() else 0, splitter if isinstance(splitter, QByteArray) else None,
                   _text(settings, "filters_shown", "True").lower() != "false")


def _text(settings: QgsSettings, key: str, default: str = "") -> str:
    value = settings.value(STATE_PREFIX + key)
    return str(value)[:_MAX_LENGTH * _MAX_VALUES] if isinstance(value, (str, int)) else default


def _facets_from_json(text: str) -> Dict[str, Tuple[str, ...]]:
    return {
        str(facet): tuple(value[:_MAX_LENGTH] for value in values[:_MAX_VALUES] if isinstance(value, str))
        for facet, values in list(stored_object(text).items())[:_MAX_VALUES] if isinstance(values, list) and values
    }
