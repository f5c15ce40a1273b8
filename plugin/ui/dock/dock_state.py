"""What the dock keeps between sessions: the search, what narrows it, the order, the chosen record, tab and splitter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Dict, Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QByteArray

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

STATE_PREFIX = "cartoguide/dock/"
#: of each kind, and characters: nobody narrows by more, and settings are read at every start
_MAX_STATE_VALUES = 50
_MAX_STATE_LENGTH = 500


def _save_state(dock: CartoguideDock) -> None:
    """Keep it for the next time."""
    settings = QgsSettings()
    settings.setValue(STATE_PREFIX + "search", dock.search.text())
    settings.setValue(STATE_PREFIX + "narrowed", json.dumps(dock.facets.selected))
    settings.setValue(STATE_PREFIX + "collection", dock.facets.collection)
    settings.setValue(STATE_PREFIX + "order", dock.facets.sort)
    settings.setValue(STATE_PREFIX + "record", dock.results.selected_identifier)
    settings.setValue(STATE_PREFIX + "tab", dock.view.tabs.currentIndex())
    settings.setValue(STATE_PREFIX + "splitter", dock.splitter.saveState())


def _restore_state(dock: CartoguideDock) -> None:
    """As it was left; what is damaged counts as never kept. Before the first search: that looks for it all."""
    settings = QgsSettings()
    dock.results.selected_identifier = _state_text(settings, "record")
    dock.facets.restore(_facets_from_json(_state_text(settings, "narrowed", "{}")), _state_text(settings, "collection"),
                        _state_text(settings, "order"))
    dock.search.setText(_state_text(settings, "search"))
    tab = _state_text(settings, "tab", "0")
    dock.view.tabs.setCurrentIndex(int(tab) if tab.isdigit() else 0)
    state = settings.value(STATE_PREFIX + "splitter")
    if not (isinstance(state, QByteArray) and dock.splitter.restoreState(state)):
        dock.splitter.setSizes([190, 330, 40])


def _state_text(settings: QgsSettings, key: str, default: str = "") -> str:
    value = settings.value(STATE_PREFIX + key)
    return str(value)[:_MAX_STATE_LENGTH * _MAX_STATE_VALUES] if isinstance(value, (str, int)) else default


def _facets_from_json(stored: str) -> Dict[str, Tuple[str, ...]]:
    try:
        found = json.loads(stored)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        str(facet): tuple(value[:_MAX_STATE_LENGTH] for value in values[:_MAX_STATE_VALUES] if isinstance(value, str))
        for facet, values in list(found.items())[:_MAX_STATE_VALUES] if isinstance(values, list) and values
    }
