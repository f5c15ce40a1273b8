"""Services whose layers left the project or the map, and may return with Undo."""

from __future__ import annotations

from typing import Callable, Collection, Mapping, Optional

from qgis.core import QgsMapLayer

from ...core.custommap.model import MapEntry
from .map_state import MapItem, is_same_service, source_of_layer


class FormerServices:
    """Remembers of which service layers were that left, and what each layer of a service was made from.

    The layers themselves are in the project, or are kept by ``RemovedLayers``.
    """

    def __init__(self, find_layer: Callable[[str], Optional[QgsMapLayer]],
                 find_ids: Callable[[], Collection[str]]) -> None:
        """``find_layer`` returns a layer that can return, by its id. ``find_ids`` returns the ids of the map's layers.
        """
        self._find_layer, self._find_ids = find_layer, find_ids
        #: the newest last
        self._left: list[MapItem] = []
        #: what the layers of services were made from, by id
        self.drawn_from: dict[str, tuple[object, ...]] = {}

    def forget(self) -> None:
        """Let no layer that left return. What those of the map were made from is known as before."""
        self._left = []

    def clear(self) -> None:
        """Forget everything: the project was cleared."""
        self._left, self.drawn_from = [], {}

    def note(self, item: MapItem, layer_ids: Mapping[str, str]) -> None:
        """Remember of which service the layers are that leave, by WMS layer name."""
        self._left = [left for left in self._left if any(map(self._find_layer, left.layer_ids.values()))]
        self._left.append(MapItem(item.entry, item.role, dict(layer_ids), expanded=item.expanded, adopted=item.adopted))

    def note_sources(self, item: MapItem) -> None:
        """Remember that the layers of a service are drawn from what its entry says."""
        self.drawn_from.update({layer_id: source_of_layer(item.entry, name)
                                for name, layer_id in item.layer_ids.items()})

    def layers_of(self, entry: MapEntry, drawn_alike: bool = False) -> dict[str, str]:
        """Return the ids of layers that were this service's and left the project or the map, by WMS layer name.

        With ``drawn_alike`` only those that are drawn from what the entry says.
        """
        on_map, found = set(self._find_ids()), dict[str, str]()
        for left in self._items_of(entry):
            for name, layer_id in left.layer_ids.items():
                if layer_id not in on_map and self._find_layer(layer_id) is not None and (
                        not drawn_alike or self.drawn_from.get(layer_id) == source_of_layer(entry, name)):
                    found.setdefault(name, layer_id)
        return {name: layer_id for name, layer_id in found.items() if name in entry.layers or not entry.layers}

    def bring_back(self, item: MapItem) -> None:
        """Give a service the layers that it had before, as far as they are drawn from what its entry says."""
        item.layer_ids = {**self.layers_of(item.entry, drawn_alike=True), **item.layer_ids}
        item.adopted = item.adopted.union(*(left.adopted for left in self._items_of(item.entry))).intersection(
            item.layer_ids.values())
        if item.expanded is None:
            item.expanded = next((left.expanded for left in self._items_of(item.entry)), None)

    def _items_of(self, entry: MapEntry) -> list[MapItem]:
        """Return what is remembered of a service, the same entry first, and then the newest."""
        alike = [left for left in reversed(self._left) if is_same_service(left.entry, entry)]
        return sorted(alike, key=lambda left: left.entry != entry)
