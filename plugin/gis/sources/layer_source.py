"""The source that a layer stands for, and the marks that the plugin leaves on the layer for it.

Marks are custom properties. QGIS copies them with a style, and keeps them
when the source of a layer changes, so that they count only while the layer draws what they were written for: everybody
reads them with :func:`mark`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsMapLayer,
    QgsProject,
    QgsRasterDataProvider,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsVirtualLayerDefinition,
)
from qgis.PyQt.QtCore import QUrl

from ...core.snapshot.manifest import MANIFEST
from ...core.sources.identity import service_key
from ...core.sources.kinds import read_source, source_keys
from ...core.sources.layer_source import LayerSource, SourceType
from ..runtime.drawn_source import drawn_source
from .style_expressions import named_sources
from .wms import requested_by

PREFIX = "cartoguide/"
RECORD_ID = PREFIX + "record_id"
ENDPOINT = PREFIX + "endpoint"
LAYER_NAME = PREFIX + "layer"
CREDIT = PREFIX + "credit"
CREDIT_REQUIRED = PREFIX + "credit_required"
#: the credit that was planned for the layer. One whose credit somebody has entered has another
PLANNED_CREDIT = PREFIX + "planned_credit"
#: why what the service says of the layer's terms could not be read completely, as a sentence
TERMS_GAP = PREFIX + "terms_gap"
#: credits that may not be printed before somebody has completed them, as a JSON list of lines
UNFIT_CREDITS = PREFIX + "unfit_credits"
#: set on a layer whose data is the person's own and needs no credit, as the person has confirmed
OWN_DATA = PREFIX + "own_data"
#: id of the own layer in the map's document that a layer of the project draws
OWN_LAYER = PREFIX + "own_layer"
ROLE = PREFIX + "role"
ENTRY = PREFIX + "entry"
SERVICE_TITLE = PREFIX + "service_title"
#: title or endpoint of the series that the layer is one moment of
MOMENT_OF = PREFIX + "moment-of"
#: day of the snapshot that stores other terms of the layer than those known elsewhere
STORED_TERMS = PREFIX + "stored_terms"
#: source of the live service, for a layer that shows a snapshot
LIVE_SOURCE = PREFIX + "live"
#: on a layer of the plugin's own outlines, or without features, that pages draw: what it shows
OUTLINE = PREFIX + "outline"
#: largest image that the service returns, "WIDTHxHEIGHT" in pixels
LARGEST_IMAGE = PREFIX + "largest"
#: scale range that the plan gave to the layer. One whose range a person has changed has another
PLANNED_SCALES = PREFIX + "scales"
#: the snapshot's raster and folder (relative to the project where possible), and its date
SNAPSHOT_SOURCE, SNAPSHOT_FOLDER, SNAPSHOT_DATE = (PREFIX + "snapshot", PREFIX + "snapshot_folder",
                                                   PREFIX + "snapshot_made")
#: source of the layer that a credit was written for, as :func:`source_key` names it
SOURCE = PREFIX + "source"
#: all that is written for one source. An own layer's tie to its map is told from its copies by the map itself
MARKS = (RECORD_ID, ENDPOINT, LAYER_NAME, CREDIT, CREDIT_REQUIRED, PLANNED_CREDIT, TERMS_GAP, UNFIT_CREDITS, OWN_DATA,
         ROLE, ENTRY, SERVICE_TITLE, MOMENT_OF, STORED_TERMS, LIVE_SOURCE, LARGEST_IMAGE, SNAPSHOT_SOURCE,
         SNAPSHOT_FOLDER, SNAPSHOT_DATE, SOURCE)


def source_of(layer: QgsMapLayer) -> LayerSource:
    """Return the source that ``layer`` stands for: the live service's, for a layer that shows a snapshot."""
    live = live_source(layer)
    found = read_source("wms", live) if live else drawn_source(layer)
    # the address with its own parameters, which an encoded source may hold in several ways
    return replace(found, address=service_address(layer)) if live and found.type.is_web else found


def mark(layer: QgsMapLayer, name: str) -> Any:
    """Return a mark of the layer, or None if it has none or it was written for another source."""
    value = layer.customProperty(name)
    return value if value is not None and has_own_marks(layer) else None


def has_own_marks(layer: QgsMapLayer) -> bool:
    """Return whether the layer's marks were written for the source that it has, as those of a new layer are.

    Projects of earlier versions have no :data:`SOURCE`. There the marks of a map service are known by its address and
    layer, and others by the layer's metadata, which QGIS does not copy with a style.
    """
    endpoint, noted = str(layer.customProperty(ENDPOINT) or ""), str(layer.customProperty(SOURCE) or "")
    live = str(layer.customProperty(LIVE_SOURCE) or "")
    if not (endpoint or noted or live):
        return True
    source, is_own = drawn_source(layer), True
    if live and source.by_gdal:
        # every snapshot names its files alike
        is_own = _is_file_of_snapshot(source.text, str(layer.customProperty(SNAPSHOT_SOURCE) or "")) and (
            not endpoint or layer.metadata().identifier() in ("", *marked_identifiers(layer)))
        source = read_source("wms", live)
    if noted or not is_own:
        return is_own and not set(noted.split("\n")).isdisjoint(_keys(layer, source))
    if endpoint and source.is_map_service:
        # with whatever values of dimensions
        return source.type is SourceType.WMS and source.names == (str(layer.customProperty(LAYER_NAME) or ""),) and (
            service_key(source.address) == service_key(endpoint))
    return not endpoint or layer.metadata().identifier() in marked_identifiers(layer)


def marked_identifiers(layer: QgsMapLayer) -> Tuple[str, str]:
    """Return the identifiers of the metadata that belong to a layer's marks, as ``layer_metadata`` writes them."""
    record, endpoint = str(layer.customProperty(RECORD_ID) or ""), str(layer.customProperty(ENDPOINT) or "")
    identifier = f"{endpoint}#{layer.customProperty(LAYER_NAME) or ''}"
    return record or identifier, identifier


def remove_marks_of_others(layer: QgsMapLayer) -> None:
    """Remove the marks that were written for another source than the layer's, before new marks are written."""
    if not has_own_marks(layer):
        for name in MARKS:
            layer.removeCustomProperty(name)


def marks_of(layer: QgsMapLayer) -> Dict[str, Any]:
    return {name: value for name in MARKS if (value := layer.customProperty(name)) is not None}


def set_marks(layer: QgsMapLayer, marks: Mapping[str, Any]) -> None:
    """Give the layer these marks and no others."""
    for name in MARKS:
        if name in marks:
            layer.setCustomProperty(name, marks[name])
        else:
            layer.removeCustomProperty(name)


def source_key(layer: QgsMapLayer) -> str:
    """Return kind, address or file, and layers of the layer's source, without what may change with the same data.

    A file is named in two ways, a line for each: from the project's folder on, for this layer alone, and by its whole
    path, since projects are moved with their data, and saved elsewhere. For a layer that shows a snapshot it is the
    live service's.
    """
    return "\n".join(_keys(layer, read_source("wms", live_source(layer)) if shows_snapshot(layer)
                           else drawn_source(layer)))


def _keys(layer: QgsMapLayer, source: LayerSource) -> Tuple[str, ...]:
    project = layer.project()
    return source_keys(source, layer.id(), str(project.absolutePath()) if project is not None else "")


def shows_snapshot(layer: QgsMapLayer) -> bool:
    """Return whether the layer shows a snapshot in place of its live service."""
    return drawn_source(layer).by_gdal and bool(mark(layer, LIVE_SOURCE))


def is_in_snapshot(source: str) -> bool:
    """Return whether a raster's source lies in the folder of a snapshot, whatever is noted on its layer."""
    folder = Path(re.sub("^GPKG:(.*):[^:]*$", r"\1", source)).parent
    return (folder / MANIFEST).is_file() or (folder.parent / MANIFEST).is_file()


def _is_file_of_snapshot(source: str, snapshot: str) -> bool:
    """Return whether a raster's source is the noted one, wherever QGIS has found it."""
    names = [re.split(r"[/\\]", path.partition("|")[0])[-1] for path in (source, snapshot)]
    return names[0] == names[1]


def live_source(layer: QgsMapLayer) -> str:
    """Return the source of the live layer, whatever the layer shows now, or "" if it is not from a map service."""
    source = drawn_source(layer)
    return source.text if source.provider == "wms" else str(mark(layer, LIVE_SOURCE) or "")


def service_address(layer: QgsMapLayer) -> str:
    """Return the base address of the live layer's service, without the layer's dimension values.

    "" if the layer is not from a map service.
    """
    address, planned = requested_by(live_source(layer)).address, str(mark(layer, ENDPOINT) or "")
    return planned if planned and address.startswith(planned) else address


def source_address(layer: QgsMapLayer) -> str:
    """Return the http(s) address of the service or file that the layer draws, or "".

    For a layer that shows a snapshot this is the address of its live service.
    """
    return source_of(layer).web_address


def is_web_layer(layer: QgsMapLayer) -> bool:
    """Return whether the layer draws something that is published on the web, whose terms may require a credit."""
    return source_of(layer).type.is_web


def drawn_parts(layer: QgsMapLayer) -> List[QgsMapLayer]:
    """Return the layers that are drawn for ``layer``: those of a group that is drawn as one layer, else itself."""
    if not is_group_layer(layer):
        return [layer]
    children: Sequence[Optional[QgsMapLayer]] = layer.childLayers()
    return [part for child in children if child is not None for part in drawn_parts(child)]


def is_group_layer(layer: QgsMapLayer) -> bool:
    """Return whether a layer is a group of the layer tree that QGIS draws as one layer."""
    # QgsGroupLayer exists from QGIS 3.24 on
    return hasattr(layer, "childLayers")


class ReadSources(NamedTuple):
    """The data of others that a layer is made of: layers of the project (None for one that is missing), and sources.

    ``queried`` are those that a virtual layer reads, ``joined`` those whose attributes a layer takes over, and
    ``named`` those that expressions of its style draw from. ``embedded`` are sources that a virtual layer, a calculated
    raster or an expression names itself.
    """

    queried: Tuple[Optional[QgsMapLayer], ...] = ()
    joined: Tuple[Optional[QgsMapLayer], ...] = ()
    embedded: Tuple[LayerSource, ...] = ()
    named: Tuple[Optional[QgsMapLayer], ...] = ()


def sources_read_by(layer: QgsMapLayer) -> ReadSources:
    """Return the data of others that ``layer`` itself reads. Those may read further ones."""
    is_virtual = drawn_source(layer).type is SourceType.VIRTUAL
    if isinstance(layer, QgsRasterLayer) and is_virtual:
        parameters, is_read = QgsRasterDataProvider.decodeVirtualRasterProviderUri(layer.source())
        return ReadSources(embedded=tuple(read_source(part.provider, part.uri) for part in (
            parameters.rInputLayers if is_read else ())))
    provider = layer.dataProvider() if isinstance(layer, QgsVectorLayer) else None
    if provider is None:
        return ReadSources()
    joined = tuple(_find_layer(layer, join.joinLayerId()) for join in layer.vectorJoins())
    of_style = named_sources(layer)
    named = tuple(_find_layer(layer, name) if name is not None else None for name in of_style.layer_ids)
    if not is_virtual:
        return ReadSources(joined=joined, embedded=of_style.opened, named=named)
    definition = QgsVirtualLayerDefinition.fromUrl(QUrl.fromEncoded(layer.source().encode()))
    queried = tuple(_find_layer(layer, dependency.layerId()) for dependency in provider.dependencies())
    return ReadSources(queried, joined, (*(read_source(part.provider(), part.source())
                                           for part in definition.sourceLayers() if not part.isReferenced()),
                                         *of_style.opened), named)


def _find_layer(layer: QgsMapLayer, layer_id: str) -> Optional[QgsMapLayer]:
    """Return the layer that QGIS's provider of virtual layers reads: it looks into the open project only."""
    own = layer.project()
    found = own.mapLayer(layer_id) if own is not None else None
    return found if found is not None else QgsProject.instance().mapLayer(layer_id)


def layers_behind(layer: QgsMapLayer) -> Tuple[List[QgsMapLayer], List[LayerSource]]:
    """Return the layers that ``layer`` is made of, and those that these are made of, and sources that no layer has.

    A source that a layer names itself is that of a layer of the project, if there is one with the same.
    """
    found: Dict[str, QgsMapLayer] = {}
    unknown: List[LayerSource] = []
    waiting = [layer]
    while waiting:
        read = sources_read_by(waiting.pop())
        parts = [*read.queried, *read.joined, *read.named]
        for source in read.embedded:
            same = _layer_of_source(layer, source)
            parts.append(same)
            if same is None:
                unknown.append(source)
        for part in parts:
            if part is not None and part.id() not in found and part.id() != layer.id():
                found[part.id()] = part
                waiting.append(part)
    return list(found.values()), unknown


def _layer_of_source(layer: QgsMapLayer, source: LayerSource) -> Optional[QgsMapLayer]:
    project = layer.project() or QgsProject.instance()
    keys = set(_keys(layer, source))
    return next((other for other in project.mapLayers().values() if other.id() != layer.id()
                 and not keys.isdisjoint(_keys(other, drawn_source(other)))), None)
