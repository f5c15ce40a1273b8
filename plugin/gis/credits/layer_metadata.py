"""Metadata of a layer in QGIS: QgsLayerMetadata, credit, scale range, and the marks that the plugin leaves on it.

QGIS's WMS provider fills in none of this. ``map_credits()`` reads the metadata's rights.

Marks are custom properties. QGIS copies them with a style, and keeps them when the source of a layer changes, so that
they count only while the layer draws what they were written for: everybody reads them with :func:`mark`.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from typing import Any, Mapping, Optional, Tuple

from qgis.core import (
    QgsAbstractMetadataBase,
    QgsBox3d,
    QgsCoordinateReferenceSystem,
    QgsDataSourceUri,
    QgsLayerMetadata,
    QgsMapLayer,
)

from ...core.addresses import is_web_address, without_secrets
from ...core.custommap.model import LayerPlan
from ...core.records.model.endpoints import normalise_endpoint
from ...core.sources.layer_source import SourceType, read_source
from ...core.terms.model import Decision
from ...core.text import inert
from ...core.wms.model.service import scale_limit
from ..runtime import compat

PREFIX = "cartoguide/"
RECORD_ID = PREFIX + "record_id"
ENDPOINT = PREFIX + "endpoint"
LAYER_NAME = PREFIX + "layer"
CREDIT = PREFIX + "credit"
CREDIT_REQUIRED = PREFIX + "credit_required"
#: credits that may not be printed before somebody has completed them, as a JSON list of lines
UNFIT_CREDITS = PREFIX + "unfit_credits"
#: set on a layer whose data is the person's own and needs no credit, as the person has confirmed
OWN_DATA = PREFIX + "own_data"
#: id of the own layer in the map's document that a layer of the project draws
OWN_LAYER = PREFIX + "own_layer"
ROLE = PREFIX + "role"
ENTRY = PREFIX + "entry"
SERVICE_TITLE = PREFIX + "service_title"
#: day of the snapshot that stores other terms of the layer than those known elsewhere
STORED_TERMS = PREFIX + "stored_terms"
#: source of the live service, for a layer that shows a snapshot
LIVE_SOURCE = PREFIX + "live"
#: on a layer of the plugin's own outlines, or without features, that pages draw: what it shows
OUTLINE = PREFIX + "outline"
#: largest image that the service returns, "WIDTHxHEIGHT" in pixels
LARGEST_IMAGE = PREFIX + "largest"
#: the snapshot's raster and folder (relative to the project where possible), and its date
SNAPSHOT_SOURCE, SNAPSHOT_FOLDER, SNAPSHOT_DATE = (PREFIX + "snapshot", PREFIX + "snapshot_folder",
                                                   PREFIX + "snapshot_made")
#: source of the layer that a credit was written for, as :func:`source_key` names it
SOURCE = PREFIX + "source"
#: all that is written for one source. An own layer's tie to its map is told from its copies by the map itself
MARKS = (RECORD_ID, ENDPOINT, LAYER_NAME, CREDIT, CREDIT_REQUIRED, UNFIT_CREDITS, OWN_DATA, ROLE, ENTRY, SERVICE_TITLE,
         STORED_TERMS, LIVE_SOURCE, LARGEST_IMAGE, SNAPSHOT_SOURCE, SNAPSHOT_FOLDER, SNAPSHOT_DATE, SOURCE)


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
    provider, source = layer.providerType() or "", layer.source()
    if live and provider == "gdal":
        # every snapshot names its files alike
        if not _is_file_of_snapshot(source, str(layer.customProperty(SNAPSHOT_SOURCE) or "")) or (
                endpoint and layer.metadata().identifier() not in ("", *_identifiers(layer))):
            return False
        provider, source = "wms", live
    if noted:
        return not set(noted.split("\n")).isdisjoint(_keys(provider, source, layer.id(), _project_folder(layer)))
    if endpoint and provider == "wms":
        return _draws(source, endpoint, str(layer.customProperty(LAYER_NAME) or ""))
    return not endpoint or layer.metadata().identifier() in _identifiers(layer)


def _identifiers(layer: QgsMapLayer) -> Tuple[str, str]:
    """Return the identifiers of the metadata that belong to a layer's marks, as ``layer_metadata`` writes them."""
    record, endpoint = str(layer.customProperty(RECORD_ID) or ""), str(layer.customProperty(ENDPOINT) or "")
    identifier = f"{endpoint}#{layer.customProperty(LAYER_NAME) or ''}"
    return record or identifier, identifier


def remove_marks_of_others(layer: QgsMapLayer) -> None:
    """Remove the marks that were written for another source than the layer's, before new marks are written."""
    if not has_own_marks(layer):
        for name in MARKS:
            layer.removeCustomProperty(name)


def source_key(layer: QgsMapLayer) -> str:
    """Return kind, address or file, and layers of the layer's source, without what may change with the same data.

    A file is named in two ways, a line for each: from the project's folder on, and by its whole path, since projects
    are moved with their data, and saved elsewhere. For a layer that shows a snapshot it is the live service's.
    """
    is_snapshot = shows_snapshot(layer)
    return "\n".join(_keys("wms" if is_snapshot else layer.providerType() or "",
                           str(mark(layer, LIVE_SOURCE)) if is_snapshot else layer.source(), layer.id(),
                           _project_folder(layer)))


def shows_snapshot(layer: QgsMapLayer) -> bool:
    """Return whether the layer shows a snapshot in place of its live service."""
    return bool(layer.providerType() == "gdal" and mark(layer, LIVE_SOURCE))


def _is_file_of_snapshot(source: str, snapshot: str) -> bool:
    """Return whether a raster's source is the noted one, wherever QGIS has found it."""
    names = [re.split(r"[/\\]", path.partition("|")[0])[-1] for path in (source, snapshot)]
    return names[0] == names[1]


@lru_cache(maxsize=4096)
def _draws(source: str, endpoint: str, name: str) -> bool:
    """Return whether a source is this layer of the map service at ``endpoint``, with whatever values of dimensions."""
    found = read_source("wms", source)
    return found.type is SourceType.WMS and found.names == (name,) and (
        _service_key(found.address) == _service_key(endpoint))


def _service_key(address: str) -> str:
    """Return one form for all spellings of a service's address, without keys and values of dimensions.

    Dimensions are those of WMS 1.3.0, annex C.
    """
    base, _, query = normalise_endpoint(without_secrets(address)).partition("?")
    kept = [part for part in query.split("&") if part and not re.match(r"(?:time|elevation|dim_[^=]*)=", part)]
    return f"{base}?{'&'.join(kept)}" if kept else base


def _project_folder(layer: QgsMapLayer) -> str:
    project = layer.project()
    return str(project.absolutePath()) if project is not None else ""


@lru_cache(maxsize=4096)
def _keys(provider: str, source: str, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Return the names of a source, as ``source_key`` has them. Styles take them along: they hold no keys."""
    found = read_source(provider, source)
    if found.path:
        path, below = found.path.replace("\\", "/"), f"{folder}/"
        inside = f"./{path[len(below):]}" if folder and path.startswith(below) else ""
        return tuple("|".join((found.type.value, name, _part_of_file(source, found.path)))
                     for name in (inside, _digest(path)) if name)
    if found.type in _OGC_SERVICES:
        return ("|".join((found.type.value, _service_key(found.address), *found.names)),)
    if found.address:
        return ("|".join((found.type.value, without_secrets(found.address), *found.names)),)
    if found.type in (SourceType.MEMORY, SourceType.ANNOTATIONS):
        # QGIS writes the source of a temporary layer anew with each change of its fields
        return (f"{found.type.value}|{layer_id}",)
    # without the filter. An address in a database may hold a password
    return (f"{found.type.value}|{_digest(re.sub(r'(?:^| )sql=.*', '', source, flags=re.DOTALL))}",)


_OGC_SERVICES = frozenset((SourceType.WMS, SourceType.WMTS, SourceType.WFS, SourceType.WCS))


def _part_of_file(source: str, path: str) -> str:
    """Return the table or the variable in a file, without a filter and the options of opening it.

    QGIS leaves out the number of the first layer where a filter is set.
    """
    before, _, after = source.partition(path)
    table = re.search(r"\|(layername=[^|]*|layerid=[1-9][^|]*)", after)
    return before + after.partition("|")[0] + (table.group(1) if table else "")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_outline(layer: QgsMapLayer) -> bool:
    """Return whether the plugin made the layer for pages, from its own outlines.

    Their features stand in the source itself, so that no layer of a file or a service can be marked as one.
    """
    return bool(layer.customProperty(OUTLINE)) and layer.source().startswith("{")


def fill_metadata(layer: QgsMapLayer, plan: LayerPlan) -> None:
    """Write texts, metadata, credit, scales, legend and properties of the plan into the layer."""
    layer.setName(inert(plan.title or plan.name))
    compat.set_title_and_abstract(layer, inert(plan.title or plan.name), inert(plan.abstract))
    layer.setMetadata(layer_metadata(plan, layer.crs()))
    set_planned_credit(layer, plan)
    set_scale_range(layer, *plan.scale_range)
    if plan.legend_url:
        compat.set_legend_url(layer, plan.legend_url)
    if plan.feature_info_format:
        layer.setCustomProperty("identify/format", _identify_format(plan.feature_info_format))


def set_planned_credit(layer: QgsMapLayer, plan: LayerPlan) -> None:
    """Mark the layer as the planned one, with the plan's credit and the day of the snapshot whose terms differ."""
    remove_marks_of_others(layer)
    # the first: what follows counts for this source
    layer.setCustomProperty(SOURCE, source_key(layer))
    marks = {
        RECORD_ID: plan.record_id or "", ENDPOINT: plan.address, LAYER_NAME: plan.name, ROLE: plan.role.value,
        ENTRY: plan.entry_index, SERVICE_TITLE: plan.service_title
    }
    for name, value in marks.items():
        layer.setCustomProperty(name, value)
    set_credit(layer, "; ".join(plan.rights), plan.credit_required, plan.attribution_url or "", plan.rights)
    if plan.unfit_credits:
        layer.setCustomProperty(UNFIT_CREDITS, json.dumps([item.line for item in plan.unfit_credits]))
    if plan.stored_terms_day:
        layer.setCustomProperty(STORED_TERMS, plan.stored_terms_day)
    else:
        layer.removeCustomProperty(STORED_TERMS)


def live_source(layer: QgsMapLayer) -> str:
    """Return the source of the live layer, whatever the layer shows now, or "" if it is not from a map service."""
    return str(layer.source() if layer.providerType() == "wms" else mark(layer, LIVE_SOURCE) or "")


def service_address(layer: QgsMapLayer) -> str:
    """Return the base address of the live layer's service, without the layer's dimension values.

    "" if the layer is not from a map service.
    """
    uri = QgsDataSourceUri()
    uri.setEncodedUri(live_source(layer))
    address, planned = str(uri.param("url")), str(mark(layer, ENDPOINT) or "")
    return planned if planned and address.startswith(planned) else address


def set_credit(layer: QgsMapLayer, credit: str, required: Decision = Decision.UNDECIDED,
               url: str = "", rights: Tuple[str, ...] = ()) -> None:
    """Make ``credit`` the layer's credit: rights, attribution and the properties saved in the project.

    ``required``: the layer's terms require a credit. ``rights`` are the lines of a credit that has several.
    """
    remove_marks_of_others(layer)
    metadata = layer.metadata()
    metadata.setRights([inert(line) for line in (rights or (credit,)) if line])
    layer.setMetadata(metadata)
    compat.set_attribution(layer, inert(credit), url if is_web_address(url) else "")
    layer.setCustomProperty(CREDIT, credit)
    layer.setCustomProperty(CREDIT_REQUIRED, required.value)
    layer.setCustomProperty(SOURCE, source_key(layer))
    layer.removeCustomProperty(UNFIT_CREDITS)


def outdated_credit(layer: QgsMapLayer) -> Tuple[str, ...]:
    """Return the credit lines that a layer has kept from another service, which it drew before.

    They differ from its own by what QGIS does not copy with a style: the metadata, which it keeps or empties when the
    source changes, and the attribution.
    """
    credit, endpoint = str(layer.customProperty(CREDIT) or ""), str(layer.customProperty(ENDPOINT) or "")
    if not (credit and endpoint) or has_own_marks(layer):
        return ()
    rights = tuple(layer.metadata().rights())
    is_of_mark = layer.metadata().identifier() in _identifiers(layer) and "; ".join(rights) == inert(credit) \
        if rights else compat.attribution(layer) == inert(credit)
    address = read_source(layer.providerType() or "", layer.source()).address
    same_service = _service_key(address) == _service_key(endpoint)
    return (*rights, inert(credit)) if is_of_mark and not same_service else ()


def set_scale_range(layer: QgsMapLayer, largest: Optional[float], smallest: Optional[float]) -> None:
    """Limit the layer to these scale denominators (WMS Min- and MaxScaleDenominator, 06-042 7.2.4.6.9).

    QGIS names them the other way round: its minimum scale is the smallest scale, the larger denominator. It would
    include the smallest scale in place of the largest, and goes by the last digits of a page's scale.
    """
    layer.setMaximumScale(scale_limit(largest) or 0)
    layer.setMinimumScale(scale_limit(smallest) or 0)
    layer.setScaleBasedVisibility(bool(largest or smallest))


def layer_metadata(plan: LayerPlan, crs: QgsCoordinateReferenceSystem) -> QgsLayerMetadata:
    """Return the plan's texts and terms as QGIS layer metadata. ``crs`` is the layer's.

    QGIS shows them as HTML in the layer's properties.
    """
    metadata = QgsLayerMetadata()
    metadata.setIdentifier(plan.record_id or f"{plan.address}#{plan.name}")
    metadata.setType("dataset")
    metadata.setTitle(inert(plan.title or plan.name))
    metadata.setAbstract(inert(plan.abstract))
    if plan.keywords:
        metadata.addKeywords("keywords", [inert(keyword) for keyword in plan.keywords])
    metadata.setContacts([_contact(contact) for contact in plan.contacts])
    metadata.setConstraints([QgsLayerMetadata.Constraint(inert(text), kind) for kind, text in plan.constraints])
    metadata.setLicenses([inert(licence) for licence in plan.licences])
    metadata.setRights([inert(line) for line in plan.rights])
    metadata.setFees(inert(plan.fees))
    metadata.setLinks([_link(link) for link in plan.links])
    metadata.setCrs(crs)
    if plan.extent is not None:
        metadata.setExtent(_extent(plan))
    return metadata


def _extent(plan: LayerPlan) -> QgsLayerMetadata.Extent:
    bounds = plan.extent
    spatial = QgsLayerMetadata.SpatialExtent()
    spatial.extentCrs = QgsCoordinateReferenceSystem("EPSG:4326")
    if bounds is not None:
        spatial.bounds = QgsBox3d(bounds.west, bounds.south, 0, bounds.east, bounds.north, 0)
    extent = QgsLayerMetadata.Extent()
    extent.setSpatialExtents([spatial])
    return extent


def _contact(written: Mapping[str, str]) -> QgsAbstractMetadataBase.Contact:
    values = {name: inert(text) for name, text in written.items() if text}
    contact = QgsAbstractMetadataBase.Contact(values.get("individual") or values.get("name") or "")
    contact.organization = values.get("organisation") or ""
    contact.position = values.get("position") or ""
    contact.email = values.get("email") or ""
    contact.voice = values.get("phone") or ""
    contact.role = values.get("role") or ""
    if values.get("address"):
        contact.addresses = [QgsAbstractMetadataBase.Address("postal", values["address"], "", "", "", "")]
    return contact


def _link(written: Mapping[str, str]) -> QgsAbstractMetadataBase.Link:
    values = {name: inert(text) for name, text in written.items() if text}
    url = values.get("url") or ""
    kind = values.get("protocol") or values.get("type") or ""
    link = QgsAbstractMetadataBase.Link(values.get("name") or url, kind, url)
    link.description = values.get("description") or ""
    link.mimeType = values.get("format") or ""
    return link


def _identify_format(media_type: str) -> str:
    """Return QGIS's name for reading identify responses of this media type."""
    lowered = media_type.lower()
    if "html" in lowered:
        return "Html"
    return "Feature" if "gml" in lowered or "json" in lowered else "Text"
