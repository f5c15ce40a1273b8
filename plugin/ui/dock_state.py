"""What the dock keeps between sessions: the search, what narrows it, the order, the chosen record, tab and splitter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Dict, Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QByteArray

if TYPE_CHECKING:
    from .dock import CartoguideDock

STATE = "cartoguide/dock/"
#: of each kind, and characters: nobody narrows by more, and settings are read at every start
_MOST = 50
_LONGEST = 500


def save(dock: CartoguideDock) -> None:
    """Keep it for the next time."""
    settings = QgsSettings()
    settings.setValue(STATE + "search", dock.search.text())
    settings.setValue(STATE + "narrowed", json.dumps(dock.facets.chosen))
    settings.setValue(STATE + "collection", dock.facets.collection)
    settings.setValue(STATE + "order", dock.facets.sort)
    settings.setValue(STATE + "record", dock.results.chosen_identifier)
    settings.setValue(STATE + "tab", dock.view.tabs.currentIndex())
    settings.setValue(STATE + "splitter", dock.splitter.saveState())


def restore(dock: CartoguideDock) -> None:
    """As it was left; what is damaged counts as never kept. Before the first search: that looks for it all."""
    settings = QgsSettings()
    dock.results.chosen_identifier = _text(settings, "record")
    dock.facets.restore(_narrowed(_text(settings, "narrowed", "{}")), _text(settings, "collection"),
                        _text(settings, "order"))
    dock.search.setText(_text(settings, "search"))
    tab = _text(settings, "tab", "0")
    dock.view.tabs.setCurrentIndex(int(tab) if tab.isdigit() else 0)
    state = settings.value(STATE + "splitter")
    if not (isinstance(state, QByteArray) and dock.splitter.restoreState(state)):
        dock.splitter.setSizes([190, 330, 40])


def _text(settings: QgsSettings, key: str, otherwise: str = "") -> str:
    value = settings.value(STATE + key)
    return str(value)[:_LONGEST * _MOST] if isinstance(value, (str, int)) else otherwise


def _narrowed(stored: str) -> Dict[str, Tuple[str, ...]]:
    try:
        found = json.loads(stored)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(facet): tuple(value[:_LONGEST] for value in values[:_MOST] if isinstance(value, str))
            for facet, values in list(found.items())[:_MOST] if isinstance(values, list) and values}
