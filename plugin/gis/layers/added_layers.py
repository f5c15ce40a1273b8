"""Layers that a person put into a map's group, as parts of the map: services of the document, or own layers."""

from __future__ import annotations

from typing import Collection, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeLayer, QgsMapLayer
from qgis.PyQt import sip

from ...core.custommap.model import MapEntry, StoredCredit
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.sources.identity import service_key
from ...core.sources.layer_source import SourceType
from ..credits.layer_credits import credit_required, written_credit
from ..own_layers.references import can_be_referred_to
from ..sources.layer_source import (
    ENDPOINT,
    LAYER_NAME,
    RECORD_ID,
    SERVICE_TITLE,
    live_source,
    mark,
    shows_snapshot,
    source_of,
)
from ..sources.wms import requested_by
from .project_group import MAP_PROPERTY

#: the service of a layer: the address that its maps are requested from, and the id of its record
ServiceKey = Tuple[str, str]


def known_service(layer: Optional[QgsMapLayer]) -> Optional[ServiceKey]:
    """Return the service that a layer was made for by the plugin, or None for any other layer.

    A document can hold one layer of a Web Map Service with its record, terms and legend, which is more than an own
    layer has. A snapshot's raster, or a file made of an answer, is a layer by itself.
    """
    if layer is None or shows_snapshot(layer) or not mark(layer, ENDPOINT):
        return None
    source = source_of(layer)
    if source.type is not SourceType.WMS or source.names != (str(mark(layer, LAYER_NAME) or ""),):
        return None
    return str(mark(layer, ENDPOINT)), str(mark(layer, RECORD_ID) or "")


def draws_entry(layer: QgsMapLayer, entry: MapEntry, name: str, address: str = "") -> bool:
    """Return whether a layer draws the WMS layer ``name`` of ``entry``, and not what a person has chosen in its place.

    Its marks say so, or its source where a style that was pasted has brought the marks of another layer. ``address`` is
    the one that the layer was marked with when it was made: a service may ask for its maps elsewhere than the entry.
    """
    if mark(layer, ENDPOINT):
        return is_marked_for(layer, entry, address) and mark(layer, LAYER_NAME) == name
    source = source_of(layer)
    return source.type is SourceType.WMS and source.names == (name,) and (
        service_key(source.address) in map(service_key, (entry.endpoint, address)))


def is_marked_for(layer: QgsMapLayer, entry: MapEntry, address: str = "") -> bool:
    """Return whether a layer's marks name the service of ``entry``, by its address or ``address``, or its record."""
    endpoint = normalise_endpoint(str(mark(layer, ENDPOINT) or ""))
    return endpoint in map(normalise_endpoint, filter(None, (entry.endpoint, address))) or (
        bool(entry.record_id) and mark(layer, RECORD_ID) == entry.record_id)


def added_parts(group: QgsLayerTreeGroup, known: Collection[str]) -> List[List[QgsLayerTreeLayer]]:
    """Return the nodes of layers in a map's group, or any group in it, that are not on the map, bottom first.

    ``known`` are the ids of the map's layers. Layers of one service that lie beside each other are one part. A layer
    that is there a second time is another part.
    """
    parts: List[List[QgsLayerTreeLayer]] = []
    before: Optional[QgsLayerTreeLayer] = None
    for node in reversed(group.findLayers()):
        if node.layer() is not None and node.layerId() not in known:
            if before is not None and _continues(parts[-1], before, node):
                parts[-1].append(node)
            else:
                parts.append([node])
            before = node
        else:
            before = None
    return parts


def _continues(part: Sequence[QgsLayerTreeLayer], before: QgsLayerTreeLayer, node: QgsLayerTreeLayer) -> bool:
    key = known_service(node.layer())
    names = [mark(other.layer(), LAYER_NAME) for other in part]
    return (key is not None and key == known_service(before.layer()) and node.parent() is before.parent()
            and mark(node.layer(), LAYER_NAME) not in names)


def entry_of_layers(layers: Sequence[QgsMapLayer], of_service: Optional[MapEntry] = None) -> MapEntry:
    """Return the document's entry for layers of one service (bottom first), as they are marked.

    ``of_service`` is an entry for the same service and record, whose title, credit and moment are taken.
    """
    first = layers[0]
    requested = [requested_by(live_source(layer)) for layer in layers]
    endpoint = str(mark(first, ENDPOINT) or "")
    credit = StoredCredit(line=written_credit(first), required=credit_required(first))
    known = of_service or MapEntry(endpoint, str(mark(first, SERVICE_TITLE) or "") or endpoint,
                                   str(mark(first, RECORD_ID) or "") or None, credit=credit)
    return MapEntry(known.endpoint, known.title, known.record_id,
                    layers=tuple(str(mark(layer, LAYER_NAME)) for layer in layers),
                    styles=tuple(next(iter(one.styles), "") for one in requested),
                    format=requested[0].format or None, credit=known.credit, moment=known.moment,
                    data_credits=known.data_credits)


def reason_not_on_map(layer: QgsMapLayer) -> str:
    """Return why a layer cannot be on a map, as a sentence, or "" if it can."""
    if not layer.isValid():
        return tr("QGIS cannot open its source.")
    return "" if can_be_referred_to(layer) else tr("It exists in this project only, and the map's document cannot "
                                                   "refer to it.")


def release_pasted_maps(group: QgsLayerTreeGroup) -> List[QgsLayerTreeGroup]:
    """Make the groups of maps that lie in a map's group ordinary ones: their layers are the outer map's. Return those.
    """
    maps = [inner for inner in group.findGroups(True) if MAP_PROPERTY in inner.customProperties()]
    for inner in maps:
        for name in inner.customProperties():
            if name.startswith("cartoguide/"):
                inner.removeCustomProperty(name)
    return maps


def remove_empty(groups: Sequence[QgsLayerTreeGroup]) -> None:
    """Remove those of ``groups`` that have nothing in them."""
    for group in groups:
        if not sip.isdeleted(group) and group.parent() is not None and not group.children():
            group.parent().removeChildNode(group)
