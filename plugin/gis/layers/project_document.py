"""The custom map's document saved in the project that shows it, as a property of the map's group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, Mapping, Optional, Tuple

from qgis.core import QgsLayerTreeGroup, QgsProject

from ...core.custommap.document import read_document, write_document
from ...core.custommap.model import CustomMap, MapEntry
from ...core.errors import CartoguideError
from ...core.records.model.endpoints import normalise_endpoint
from ..credits.layer_metadata import ENDPOINT, LAYER_NAME, RECORD_ID
from ..runtime import log
from . import project_group
from .project_group import MAP_PROPERTY

DOCUMENT_PROPERTY = "cartoguide/document"


@dataclass(frozen=True)
class StoredMap:
    """A document and, for each of its entries in order, the ids of the project's layers by WMS layer name."""

    document: CustomMap
    layer_ids: Tuple[Mapping[str, str], ...]


def save_document(group: Optional[QgsLayerTreeGroup], document: CustomMap) -> None:
    """Write ``document`` to its map's group if it has changed."""
    text = write_document(document).decode("utf-8")
    if group is not None and group.customProperty(DOCUMENT_PROPERTY) != text:
        group.setCustomProperty(DOCUMENT_PROPERTY, text)


def save_document_for_layers(project: QgsProject, layer_ids: Iterable[str], document: CustomMap) -> None:
    """Write ``document`` to the group of the map that has these layers."""
    save_document(project_group.group_of_layers(project, layer_ids), document)


def read_stored_map(project: QgsProject) -> Optional[StoredMap]:
    """Return the first custom map saved in the project, or None.

    A map that cannot be read is logged and skipped: a project may come from anywhere.
    """
    for group in project.layerTreeRoot().findGroups(True):
        text = group.customProperty(DOCUMENT_PROPERTY) if group.customProperty(MAP_PROPERTY) else None
        if not isinstance(text, str):
            continue
        try:
            document = read_document(text.encode("utf-8"), project.baseName())
        except CartoguideError as error:
            log.warning(f"{error.user_text} {error.detail}")
            continue
        return StoredMap(document, tuple(_layer_ids_of_entry(group, entry) for entry in document.entries))
    return None


def _layer_ids_of_entry(group: QgsLayerTreeGroup, entry: MapEntry) -> Dict[str, str]:
    """Return the ids of the group's layers of one service, by WMS layer name, from the layers' properties."""
    endpoint = normalise_endpoint(entry.endpoint)
    layer_ids: Dict[str, str] = {}
    for node in group.findLayers():
        layer = node.layer()
        if layer is None:
            continue
        same_service = normalise_endpoint(str(layer.customProperty(ENDPOINT) or "")) == endpoint
        of_record = bool(entry.record_id) and layer.customProperty(RECORD_ID) == entry.record_id
        if same_service or of_record:
            layer_ids[str(layer.customProperty(LAYER_NAME) or "")] = layer.id()
    return {name: layer_ids[name] for name in entry.layers or tuple(layer_ids) if name in layer_ids}
