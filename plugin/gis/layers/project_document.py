"""The custom map's document saved in the project that shows it, as a property of the map's group."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import QgsLayerTreeGroup, QgsProject

from ...core.custommap.document import read_document, write_document
from ...core.custommap.model import CustomMap, MapEntry
from ...core.errors import CartoguideError
from ...core.json_document import stored_list
from ...core.records.model.endpoints import normalise_endpoint
from ..credits.layer_metadata import ENDPOINT, LAYER_NAME, RECORD_ID, mark
from ..own_layers.provenance import recognised, sealed
from ..runtime import log
from .project_group import MAP_PROPERTY

DOCUMENT_PROPERTY = "cartoguide/document"
#: the ids of the entries' layers, as a JSON list of objects by WMS layer name
LAYERS_PROPERTY = "cartoguide/layers"

LayerIds = Mapping[str, str]


@dataclass(frozen=True)
class StoredMap:
    """A document and, for each of its entries in order, the ids of the project's layers by WMS layer name."""

    document: CustomMap
    layer_ids: Tuple[LayerIds, ...]
    group: QgsLayerTreeGroup


def save_document(group: QgsLayerTreeGroup, document: CustomMap, layer_ids: Sequence[LayerIds] = ()) -> str:
    """Write ``document`` to its map's group if it has changed. Return it as it is written there.

    ``layer_ids`` are those of its entries. Without them the layers are found by their properties.
    """
    text = write_document(sealed(document)).decode("utf-8")
    layers = json.dumps([dict(ids) for ids in layer_ids], ensure_ascii=False) if layer_ids else None
    for name, value in ((DOCUMENT_PROPERTY, text), (LAYERS_PROPERTY, layers)):
        if group.customProperty(name) != value:
            group.setCustomProperty(name, value)
    return text


def find_group_of_document(project: QgsProject, text: str) -> Optional[QgsLayerTreeGroup]:
    """Return the group that a document is written to, as ``save_document`` returned it, or None."""
    return next((group for group in project.layerTreeRoot().findGroups(True)
                 if group.customProperty(MAP_PROPERTY) and group.customProperty(DOCUMENT_PROPERTY) == text), None)


def read_stored_map(project: QgsProject) -> Optional[StoredMap]:
    """Return the first custom map saved in the project, or None.

    A map that cannot be read is logged and skipped: a project may come from anywhere.
    """
    for group in project.layerTreeRoot().findGroups(True):
        text = group.customProperty(DOCUMENT_PROPERTY) if group.customProperty(MAP_PROPERTY) else None
        if not isinstance(text, str):
            continue
        try:
            document = recognised(read_document(text.encode("utf-8"), project.baseName()))
        except CartoguideError as error:
            log.warning(f"{error.user_text} {error.detail}")
            continue
        claimed: Set[str] = set()
        layer_ids = _saved_layer_ids(group, document) or tuple(
            _layer_ids_of_entry(group, entry, claimed) for entry in document.entries)
        return StoredMap(document, layer_ids, group)
    return None


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


def _layer_ids_of_entry(group: QgsLayerTreeGroup, entry: MapEntry, claimed: Set[str]) -> Dict[str, str]:
    """Return the ids of the group's layers of one service, by WMS layer name, from the layers' properties.

    A map may have the same service twice: a layer belongs to the lowest entry that names it, and ``claimed`` has the
    ids of those that were given to an entry.
    """
    endpoint = normalise_endpoint(entry.endpoint)
    layer_ids: Dict[str, str] = {}
    for node in reversed(group.findLayers()):
        layer = node.layer()
        if layer is None or layer.id() in claimed:
            continue
        name = str(mark(layer, LAYER_NAME) or "")
        same_service = normalise_endpoint(str(mark(layer, ENDPOINT) or "")) == endpoint
        of_record = bool(entry.record_id) and mark(layer, RECORD_ID) == entry.record_id
        if (same_service or of_record) and name not in layer_ids and (not entry.layers or name in entry.layers):
            layer_ids[name] = layer.id()
    claimed.update(layer_ids.values())
    return {name: layer_ids[name] for name in entry.layers or tuple(layer_ids) if name in layer_ids}
