"""The custom map's document saved in the project that shows it, as a property of the map's group."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import zip_longest
from typing import Dict, List, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeNode, QgsProject

from ...core.custommap.document import read_document, write_document
from ...core.custommap.model import CustomMap, MapEntry
from ...core.errors import CartoguideError
from ...core.json_document import stored_list, stored_object
from ..own_layers.provenance import recognised, sealed
from ..runtime import log
from ..sources.layer_source import ENDPOINT, LAYER_NAME, OWN_LAYER, mark
from .added_layers import is_marked_for
from .project_group import MAP_PROPERTY

DOCUMENT_PROPERTY = "cartoguide/document"
#: the ids of the entries' layers, as a JSON list of objects by WMS layer name
LAYERS_PROPERTY = "cartoguide/layers"
#: the addresses that these layers are marked with, as a JSON list of one for each entry: a service may ask for its maps
#: elsewhere than the entry says
ADDRESSES_PROPERTY = "cartoguide/addresses"
#: the ids of the own layers' QGIS layers, as a JSON object by the ids in the document
OWN_LAYERS_PROPERTY = "cartoguide/own-layers"

LayerIds = Mapping[str, str]


@dataclass(frozen=True)
class StoredMap:
    """A document and, for each of its entries in order, the ids of the project's layers by WMS layer name.

    ``own_layer_ids`` are those of own layers, by their ids in the document, as far as the group has them.
    """

    document: CustomMap
    layer_ids: Tuple[LayerIds, ...]
    group: QgsLayerTreeGroup
    own_layer_ids: LayerIds


def save_document(group: QgsLayerTreeGroup, document: CustomMap, layer_ids: Sequence[LayerIds] = (),
                  own_layer_ids: Optional[LayerIds] = None) -> str:
    """Write ``document`` to its map's group if it has changed. Return it as it is written there.

    ``layer_ids`` are those of its entries, ``own_layer_ids`` those of the cartographer's layers. Without them the
    layers are found by their properties.
    """
    text = write_document(sealed(document)).decode("utf-8")
    _set_property(group, DOCUMENT_PROPERTY, text)
    _save_layer_ids(group, layer_ids, own_layer_ids or {})
    return text


def _save_layer_ids(group: QgsLayerTreeGroup, layer_ids: Sequence[LayerIds], own_layer_ids: LayerIds) -> None:
    layers = json.dumps([dict(ids) for ids in layer_ids], ensure_ascii=False) if layer_ids else None
    _set_property(group, LAYERS_PROPERTY, layers)
    addresses = [next((_marked_address(group, layer_id) for layer_id in ids.values()), "") for ids in layer_ids]
    _set_property(group, ADDRESSES_PROPERTY, json.dumps(addresses) if any(addresses) else None)
    _set_property(group, OWN_LAYERS_PROPERTY, json.dumps(dict(own_layer_ids)) if own_layer_ids else None)


def _marked_address(group: QgsLayerTreeGroup, layer_id: str) -> str:
    node = group.findLayer(layer_id)
    return str(mark(node.layer(), ENDPOINT) or "") if node is not None and node.layer() is not None else ""


def _set_property(node: QgsLayerTreeNode, name: str, value: Optional[str]) -> None:
    if value is None:
        node.removeCustomProperty(name)
    elif node.customProperty(name) != value:
        node.setCustomProperty(name, value)


def find_group_of_document(project: QgsProject, text: str) -> Optional[QgsLayerTreeGroup]:
    """Return the group that a document is written to, as ``save_document`` returned it, or None."""
    return next((group for group in project.layerTreeRoot().findGroups(True)
                 if group.customProperty(MAP_PROPERTY) and group.customProperty(DOCUMENT_PROPERTY) == text), None)


def has_document(node: Optional[QgsLayerTreeNode]) -> bool:
    """Return whether ``node`` is a group with the document of a map, which may be a copy that nobody has opened."""
    return isinstance(node, QgsLayerTreeGroup) and isinstance(node.customProperty(DOCUMENT_PROPERTY), str)


def is_copy(group: QgsLayerTreeGroup) -> bool:
    """Return whether a map's group was pasted: its layers are others than those that are noted for it."""
    noted = {layer_id for ids in _noted_ids(group) for layer_id in ids.values()}
    return bool(noted) and noted.isdisjoint(group.findLayerIds())


def put_copies_aside(project: QgsProject, group: QgsLayerTreeGroup) -> List[Tuple[QgsLayerTreeGroup, LayerIds]]:
    """Make the copies of maps' groups beside ``group`` plain ones that can be opened as maps.

    Returns those, each with the ids of its layers by those of the layers that they are copies of.
    """
    copies = [other for other in project.layerTreeRoot().findGroups(True)
              if other is not group and other.customProperty(MAP_PROPERTY) and has_document(other) and is_copy(other)]
    found: List[Tuple[QgsLayerTreeGroup, LayerIds]] = []
    for copy in copies:
        stored = read_group(project, copy)
        if stored is not None:
            found.append((copy, ids_of_copies(stored)))
            # now, while the copied layers have the marks of those that they were copied from
            _save_layer_ids(copy, stored.layer_ids, stored.own_layer_ids)
        else:
            found.append((copy, {}))
        copy.removeCustomProperty(MAP_PROPERTY)
    return found


def find_moved_group(project: QgsProject, text: str) -> Optional[QgsLayerTreeGroup]:
    """Return a copy of the group that a document was written to, which has taken its place, or None."""
    return next((group for group in project.layerTreeRoot().findGroups(True)
                 if group.customProperty(DOCUMENT_PROPERTY) == text and _has_layers(group)), None)


def _has_layers(group: QgsLayerTreeGroup) -> bool:
    """Return whether QGIS knows layers of a group. While it reads a project it knows none."""
    return any(node.layer() is not None for node in group.findLayers())


def has_map(project: QgsProject) -> bool:
    """Return whether the project has a map with layers, which a project that is being read has not yet."""
    stored = read_stored_map(project)
    return stored is not None and _has_layers(stored.group)


def read_stored_map(project: QgsProject) -> Optional[StoredMap]:
    """Return the first custom map saved in the project, or None. Copies of maps come last.

    A map that cannot be read is logged and skipped: a project may come from anywhere.
    """
    groups = [group for group in project.layerTreeRoot().findGroups(True)
              if group.customProperty(MAP_PROPERTY) and has_document(group)]
    found = (read_group(project, group) for group in sorted(groups, key=is_copy))
    return next((stored for stored in found if stored is not None), None)


def read_group(project: QgsProject, group: QgsLayerTreeGroup) -> Optional[StoredMap]:
    """Return the map whose document a group has, or None if it cannot be read, which is logged."""
    try:
        document = recognised(read_document(str(group.customProperty(DOCUMENT_PROPERTY)).encode("utf-8"),
                                            project.baseName()))
    except CartoguideError as error:
        log.warning(f"{error.user_text} {error.detail}")
        return None
    claimed: Set[str] = set()
    addresses = stored_list(group.customProperty(ADDRESSES_PROPERTY))
    layer_ids = _saved_layer_ids(group, document) or tuple(
        _layer_ids_of_entry(group, entry, str(address or ""), claimed)
        for entry, address in zip_longest(document.entries, addresses[:len(document.entries)]))
    return StoredMap(document, layer_ids, group, _own_layer_ids(group, document))


def _noted_ids(group: QgsLayerTreeGroup) -> List[LayerIds]:
    """Return the ids of layers that are noted for a group, by the layers' names or the own layers' ids."""
    noted = (*stored_list(group.customProperty(LAYERS_PROPERTY)), stored_object(group.customProperty(
        OWN_LAYERS_PROPERTY)))
    return [ids for ids in noted if isinstance(ids, dict) and all(isinstance(value, str) for value in ids.values())]


def ids_of_copies(stored: StoredMap) -> Dict[str, str]:
    """Return the ids of a pasted group's layers by those of the layers that they are copies of."""
    pairs = zip(_noted_ids(stored.group), (*stored.layer_ids, stored.own_layer_ids))
    return {former: copies[key] for noted, copies in pairs for key, former in noted.items() if key in copies}


def _own_layer_ids(group: QgsLayerTreeGroup, document: CustomMap) -> Dict[str, str]:
    """Return the ids of the group's QGIS layers of own layers: those that are noted, else those that are tied."""
    layers = {node.layerId(): node.layer() for node in group.findLayers() if node.layer() is not None}
    noted, found = stored_object(group.customProperty(OWN_LAYERS_PROPERTY)), {}
    tied = {str(layer.customProperty(OWN_LAYER)): layer_id for layer_id, layer in layers.items()
            if layer.customProperty(OWN_LAYER)}
    for own in document.own_layers:
        candidates = (noted.get(own.id, ""), own.id, tied.get(own.id, ""))
        layer_id = next((one for one in candidates if one in layers), "")
        if layer_id:
            found[own.id] = layer_id
    return found


def _saved_layer_ids(group: QgsLayerTreeGroup, document: CustomMap) -> Tuple[LayerIds, ...]:
    """Return the saved ids of the entries' layers, or nothing if the group has other layers than those."""
    saved = stored_list(group.customProperty(LAYERS_PROPERTY))
    if len(saved) != len(document.entries) or not all(
            isinstance(ids, dict) and all(isinstance(value, str) for value in ids.values()) for ids in saved):
        return ()
    ids = [layer_id for ids_by_key in saved for layer_id in ids_by_key.values()]
    # the ids are others in a project that was merged into this one
    present = {node.layerId() for node in group.findLayers() if node.layer() is not None}
    return tuple(saved) if len(set(ids)) == len(ids) and present.issuperset(ids) else ()


def _layer_ids_of_entry(group: QgsLayerTreeGroup, entry: MapEntry, address: str, claimed: Set[str]) -> Dict[str, str]:
    """Return the ids of the group's layers of one service, by WMS layer name, from the layers' properties.

    ``address`` is the one that they were marked with when the map was saved.

    A map may have the same service twice: a layer belongs to the lowest entry that names it, and ``claimed`` has the
    ids of those that were given to an entry.
    """
    layer_ids: Dict[str, str] = {}
    for node in reversed(group.findLayers()):
        layer = node.layer()
        if layer is None or layer.id() in claimed:
            continue
        name = str(mark(layer, LAYER_NAME) or "")
        if is_marked_for(layer, entry, address) and name not in layer_ids and name in (entry.layers or (name,)):
            layer_ids[name] = layer.id()
    claimed.update(layer_ids.values())
    return {name: layer_ids[name] for name in entry.layers or tuple(layer_ids) if name in layer_ids}
