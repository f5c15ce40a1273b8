"""Metadata of a layer in QGIS: QgsLayerMetadata, credit and scale range.

QGIS's WMS provider fills in none of this. ``map_credits()`` reads the metadata's rights.
"""

from __future__ import annotations

import json
from typing import List, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsAbstractMetadataBase,
    QgsBox3d,
    QgsCoordinateReferenceSystem,
    QgsLayerMetadata,
    QgsMapLayer,
    QgsProject,
)

from ...core.addresses import is_web_address
from ...core.custommap.model import LayerPlan, legend_title
from ...core.sources.identity import service_key
from ...core.terms.model import Decision
from ...core.text import inert
from ...core.wms.model.service import ScaleRange, in_scale_range, scale_limit
from ..runtime import compat
from ..runtime.drawn_source import drawn_source
from ..sources.layer_source import (
    CREDIT,
    CREDIT_REQUIRED,
    ENDPOINT,
    ENTRY,
    LAYER_NAME,
    OUTLINE,
    PLANNED_CREDIT,
    PLANNED_SCALES,
    RECORD_ID,
    ROLE,
    SERVICE_TITLE,
    SOURCE,
    STORED_TERMS,
    TERMS_GAP,
    UNFIT_CREDITS,
    has_own_marks,
    is_in_snapshot,
    mark,
    marked_identifiers,
    remove_marks_of_others,
    source_key,
)


def is_outline(layer: QgsMapLayer) -> bool:
    """Return whether the plugin made the layer for pages, from its own outlines.

    Their features stand in the source itself, so that no layer of a file or a service can be marked as one.
    """
    return bool(layer.customProperty(OUTLINE)) and layer.source().startswith("{")


def listed_layers(project: QgsProject) -> List[QgsMapLayer]:
    """Return the layers of the project but for the outlines, which are in it once a layout was made, and unseen."""
    return [layer for layer in project.mapLayers().values() if not is_outline(layer)]


def fill_metadata(layer: QgsMapLayer, plan: LayerPlan) -> None:
    """Write texts, metadata, credit, scales, legend and properties of the plan into the layer."""
    layer.setName(inert(plan.label))
    set_private(layer, plan.private)
    layer.setMetadata(layer_metadata(plan, layer.crs()))
    _set_planned_range(layer, plan)
    _fill_service_texts(layer, plan)


def update_metadata(layer: QgsMapLayer, plan: LayerPlan) -> None:
    """Write what the plan says into a layer whose source was changed.

    A name and a scale range that a person has given to it stay, and so do the texts of the metadata of the same source.
    """
    if layer.name() == compat.layer_title(layer):
        layer.setName(inert(plan.label))
    if layer.customProperty(PLANNED_SCALES) == _range_text(layer):
        _set_planned_range(layer, plan)
    metadata = layer_metadata(plan, layer.crs())
    # one without an identifier stood for a service that moved, whose texts are not known
    if has_own_marks(layer) and layer.metadata().identifier():
        planned, metadata = metadata, layer.metadata().clone()
        metadata.setConstraints(planned.constraints())
        metadata.setLicenses(planned.licenses())
        metadata.setFees(planned.fees())
        metadata.setCrs(planned.crs())
        metadata.setExtent(planned.extent())
    layer.setMetadata(metadata)
    _fill_service_texts(layer, plan)


def _set_planned_range(layer: QgsMapLayer, plan: LayerPlan) -> None:
    set_scale_range(layer, *plan.scale_range)
    layer.setCustomProperty(PLANNED_SCALES, _range_text(layer))


def _range_text(layer: QgsMapLayer) -> str:
    # a style that is changed for a while, as by a theme, comes back with six digits
    return " ".join(f"{limit or 0:.5g}" for limit in scale_range(layer))


def _fill_service_texts(layer: QgsMapLayer, plan: LayerPlan) -> None:
    compat.set_title_and_abstract(layer, inert(plan.title or plan.name), inert(plan.abstract))
    set_planned_credit(layer, plan)
    source = plan.wms
    if source is not None and source.legend_url:
        compat.set_legend_url(layer, source.legend_url)
    if source is not None and source.feature_info_format:
        layer.setCustomProperty("identify/format", _identify_format(source.feature_info_format))


def given_name(layer: QgsMapLayer) -> str:
    """Return the name that a person gave to a layer of a service, or "" if it has its title at the service.

    The title stays in the layer's metadata.
    """
    title, name = (legend_title(inert(text)) for text in (layer.metadata().title(), layer.name()))
    return name if title and name and name != title else ""


def is_private(layer: QgsMapLayer) -> bool:
    """Return whether QGIS draws the layer and lists it nowhere."""
    return bool(layer.flags() & QgsMapLayer.LayerFlag.Private)


def set_private(layer: QgsMapLayer, private: bool) -> None:
    """Let QGIS draw the layer and list it nowhere, or list it again."""
    if is_private(layer) != private:
        flag = QgsMapLayer.LayerFlag.Private
        layer.setFlags(layer.flags() | flag if private else layer.flags() & ~flag)


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
    layer.setCustomProperty(PLANNED_CREDIT, _rights(layer))
    if plan.unfit_credits:
        layer.setCustomProperty(UNFIT_CREDITS, json.dumps([item.line for item in plan.unfit_credits]))
    if plan.stored_terms_day:
        layer.setCustomProperty(STORED_TERMS, plan.stored_terms_day)
    else:
        layer.removeCustomProperty(STORED_TERMS)


def has_planned_credit(layer: QgsMapLayer) -> bool:
    """Return whether the layer has the credit that was planned for it, and none that somebody entered."""
    return bool(mark(layer, PLANNED_CREDIT) == _rights(layer))


def _rights(layer: QgsMapLayer) -> str:
    return "; ".join(map(str, layer.metadata().rights()))


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


def set_licences(layer: QgsMapLayer, licences: Sequence[str]) -> None:
    """Write what the terms of a layer say into its metadata."""
    metadata = layer.metadata()
    metadata.setLicenses([inert(licence) for licence in licences])
    layer.setMetadata(metadata)


def set_terms_gap(layer: QgsMapLayer, reason: str) -> None:
    """Note why what the service says of the layer's terms is not known completely. An empty reason removes the note."""
    if reason:
        layer.setCustomProperty(TERMS_GAP, reason)
        layer.setCustomProperty(SOURCE, source_key(layer))
    else:
        layer.removeCustomProperty(TERMS_GAP)


def outdated_credit(layer: QgsMapLayer) -> Tuple[str, ...]:
    """Return the credit lines that a layer has kept from another service, which it drew before.

    They differ from its own by what QGIS does not copy with a style: the metadata, which it keeps or empties when the
    source changes, and the attribution.
    """
    credit, endpoint = str(layer.customProperty(CREDIT) or ""), str(layer.customProperty(ENDPOINT) or "")
    if not (credit and endpoint) or has_own_marks(layer):
        return ()
    rights = tuple(layer.metadata().rights())
    is_of_mark = layer.metadata().identifier() in marked_identifiers(layer) and "; ".join(rights) == inert(credit) \
        if rights else compat.attribution(layer) == inert(credit)
    source = drawn_source(layer)
    # a style of before, which lacks the marks of a snapshot, takes nothing from what the snapshot shows
    is_same = source.by_gdal and is_in_snapshot(source.text) or service_key(source.address) == service_key(endpoint)
    return (*rights, inert(credit)) if is_of_mark and not is_same else ()


def set_scale_range(layer: QgsMapLayer, largest: Optional[float], smallest: Optional[float]) -> None:
    """Limit the layer to these scale denominators (WMS Min- and MaxScaleDenominator, 06-042 7.2.4.6.9).

    QGIS names them the other way round: its minimum scale is the smallest scale, the larger denominator. It would
    include the smallest scale in place of the largest, and goes by the last digits of a page's scale.
    """
    layer.setMaximumScale(scale_limit(largest) or 0)
    layer.setMinimumScale(scale_limit(smallest) or 0)
    layer.setScaleBasedVisibility(bool(largest or smallest))


def scale_range(layer: QgsMapLayer) -> ScaleRange:
    """Return the denominators between which the layer is drawn, as ``set_scale_range`` takes them."""
    limits = (layer.maximumScale(), layer.minimumScale()) if layer.hasScaleBasedVisibility() else (0, 0)
    return float(limits[0]) or None, float(limits[1]) or None


def is_drawn_at(layer: QgsMapLayer, scale: float) -> bool:
    """Return whether a page at ``scale`` (a denominator) is to show the layer, by the limits of its scales.

    QGIS itself (``isInScaleRange``) goes by the last digits of the scale.
    """
    return in_scale_range(scale_range(layer), scale)


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
