"""Metadata of a layer in QGIS: QgsLayerMetadata, credit, scale range, and custom properties.

QGIS's WMS provider fills in none of this. ``map_credits()`` reads the metadata's rights.
"""

from __future__ import annotations

import json
from typing import Mapping, Optional, Tuple

from qgis.core import (
    QgsAbstractMetadataBase,
    QgsBox3d,
    QgsCoordinateReferenceSystem,
    QgsDataSourceUri,
    QgsLayerMetadata,
    QgsMapLayer,
)

from ...core.addresses import is_web_address
from ...core.custommap.model import LayerPlan
from ...core.terms.model import Decision
from ...core.text import inert
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
    properties = {
        RECORD_ID: plan.record_id or "", ENDPOINT: plan.address, LAYER_NAME: plan.name, ROLE: plan.role.value,
        ENTRY: plan.entry_index, SERVICE_TITLE: plan.service_title
    }
    for name, value in properties.items():
        layer.setCustomProperty(name, value)
    set_planned_credit(layer, plan)
    set_scale_range(layer, *plan.scale_range)
    if plan.legend_url:
        compat.set_legend_url(layer, plan.legend_url)
    if plan.feature_info_format:
        layer.setCustomProperty("identify/format", _identify_format(plan.feature_info_format))


def set_planned_credit(layer: QgsMapLayer, plan: LayerPlan) -> None:
    """Make the plan's credit that of the layer, with the day of the snapshot whose terms differ."""
    set_credit(layer, "; ".join(plan.rights), plan.credit_required, plan.attribution_url or "", plan.rights)
    if plan.unfit_credits:
        layer.setCustomProperty(UNFIT_CREDITS, json.dumps([item.line for item in plan.unfit_credits]))
    if plan.stored_terms_day:
        layer.setCustomProperty(STORED_TERMS, plan.stored_terms_day)
    else:
        layer.removeCustomProperty(STORED_TERMS)


def live_source(layer: QgsMapLayer) -> str:
    """Return the source of the live layer, whatever the layer shows now, or "" if it is not from a map service."""
    return str(layer.source() if layer.providerType() == "wms" else layer.customProperty(LIVE_SOURCE) or "")


def service_address(layer: QgsMapLayer) -> str:
    """Return the base address of the live layer's service, without the layer's dimension values.

    "" if the layer is not from a map service.
    """
    uri = QgsDataSourceUri()
    uri.setEncodedUri(live_source(layer))
    address, planned = str(uri.param("url")), str(layer.customProperty(ENDPOINT) or "")
    return planned if planned and address.startswith(planned) else address


def set_credit(layer: QgsMapLayer, credit: str, required: Decision = Decision.UNDECIDED,
               url: str = "", rights: Tuple[str, ...] = ()) -> None:
    """Make ``credit`` the layer's credit: rights, attribution and the properties saved in the project.

    ``required``: the layer's terms require a credit. ``rights`` are the lines of a credit that has several.
    """
    metadata = layer.metadata()
    metadata.setRights([inert(line) for line in (rights or (credit,)) if line])
    layer.setMetadata(metadata)
    compat.set_attribution(layer, inert(credit), url if is_web_address(url) else "")
    layer.setCustomProperty(CREDIT, credit)
    layer.setCustomProperty(CREDIT_REQUIRED, required.value)
    layer.removeCustomProperty(UNFIT_CREDITS)


def set_scale_range(layer: QgsMapLayer, largest: Optional[float], smallest: Optional[float]) -> None:
    """Limit the layer to these scale denominators (WMS Min- and MaxScaleDenominator, 06-042 7.2.4.6.9).

    QGIS names them the other way round: its minimum scale is the smallest scale, the larger denominator.
    """
    layer.setMaximumScale(largest or 0)
    layer.setMinimumScale(smallest or 0)
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
