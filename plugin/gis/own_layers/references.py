"""Own layers in the document and their QGIS layers: referred to, found, opened again, kept in step, in order."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsMapLayer,
    QgsMapLayerFactory,
    QgsProject,
    QgsProviderRegistry,
    QgsReadWriteContext,
)
from qgis.PyQt.QtXml import QDomDocument

from ...core.addresses import host_and_port, source_without_secrets
from ...core.custommap.model import MAX_LICENCES, MAX_STYLE, LayerPlan, OwnLayer, Plan
from ...core.custommap.own_sources import file_of
from ...core.errors import CartoguideError, UnreadableDocument
from ...core.i18n import tr
from ...core.safe_xml import without_forbidden
from ...core.terms.model import Decision
from ...core.text import inert
from ...core.trust.drawing import allowed_style
from ...core.trust.provenance import Trust
from ..credits.layer_credits import credit_required, owes_unknown_credit, written_credit
from ..credits.layer_metadata import is_private, set_credit, set_licences, set_private, set_terms_gap
from ..runtime import compat, log
from ..runtime.drawn_source import drawn_source
from ..runtime.symbol_library import svg_library
from ..sources.layer_source import CREDIT_REQUIRED, OWN_LAYER, TERMS_GAP, mark

#: kinds of layers that a provider and a source lead to. Groups and annotations exist in their project only
LAYER_TYPES = ("vector", "raster", "mesh", "vector-tile", "point-cloud")
_CATEGORIES = QgsMapLayer.StyleCategory
#: what is drawn: forms and actions, which may contain programs, are neither saved nor read
STYLE_CATEGORIES = (_CATEGORIES.Symbology | _CATEGORIES.Labeling | _CATEGORIES.Diagrams | _CATEGORIES.Rendering
                    | _CATEGORIES.Fields | _CATEGORIES.Legend)
#: the opacity of a whole layer in QML, as an element or as a raster renderer's attribute
_OPACITY = re.compile(r"<layerOpacity>[^<]*</layerOpacity>\n?|(<rasterrenderer\b[^>]*?)\sopacity=\"[^\"]*\"")


def can_be_referred_to(layer: QgsMapLayer) -> bool:
    """Return whether a document can refer to ``layer``: groups and annotations exist in their project only."""
    return layer.isValid() and str(QgsMapLayerFactory.typeToString(layer.type())) in LAYER_TYPES


def refer_to(layer: QgsMapLayer, visible: bool = True, entries_below: int = 0) -> OwnLayer:
    """Return the document's reference to ``layer`` as it is now, with its id in the project.

    Raises CartoguideError for a layer that a document cannot refer to, or whose style is too large for one.
    """
    if not can_be_referred_to(layer):
        raise CartoguideError(tr("“{layer}” cannot be put on the map: it exists in this project only. Export it to a "
                                 "file first.", layer=layer.name()))
    source = drawn_source(layer)
    return OwnLayer(layer.id(), inert(layer.name()), str(QgsMapLayerFactory.typeToString(layer.type())),
                    source.provider, source_without_secrets(source.text), style_of(layer),
                    round(layer.opacity(), 4), visible, entries_below=entries_below, **_layer_members(layer))


def _layer_members(layer: QgsMapLayer) -> Dict[str, Any]:
    """Return the members of a reference that say what a person or a service has said of the layer."""
    return {"credit": written_credit(layer), "private": is_private(layer), "crs": _given_crs(layer),
            "credit_owed": owes_unknown_credit(layer), "terms_gap": str(mark(layer, TERMS_GAP) or ""),
            "licences": tuple(map(inert, layer.metadata().licenses()[:MAX_LICENCES]))}


def style_of(layer: QgsMapLayer) -> str:
    """Return what is drawn of the layer and how, as QML without the layer's opacity, which the document has apart.

    Raises CartoguideError if it is too large for a document.
    """
    document = QDomDocument()
    layer.exportNamedStyle(document, QgsReadWriteContext(), STYLE_CATEGORIES)
    style = without_forbidden(_OPACITY.sub(r"\1", str(document.toString(0))))
    if len(style) > MAX_STYLE:
        raise CartoguideError(tr("The style of “{layer}” is too large for the map's document. Use image files "
                                 "instead of embedded images.", layer=layer.name()), f"{len(style)} > {MAX_STYLE}")
    return style


def apply_style(layer: QgsMapLayer, style: str) -> None:
    """Draw the layer as ``style`` (QML) says. An empty style changes nothing.

    Raises CartoguideError if it is not a style.
    """
    document = QDomDocument()
    if not style:
        return
    # QGIS's styles have no entities: those of others could be expanded without end
    parsed = "<!ENTITY" not in style and document.setContent(without_forbidden(style))
    applied = (parsed[0] if isinstance(parsed, tuple) else bool(parsed)) and layer.importNamedStyle(
        document, STYLE_CATEGORIES)
    if not applied or not (applied[0] if isinstance(applied, tuple) else applied):
        raise _unreadable_style(layer)


def _unreadable_style(layer: QgsMapLayer, detail: str = "") -> CartoguideError:
    return CartoguideError(tr("The style of “{layer}” in the map's document cannot be read.", layer=layer.name()),
                           detail)


def show_foreign(layer: QgsMapLayer, own: OwnLayer) -> Tuple[str, ...]:
    """Give the layer what a foreign document says of it, and return what was left out of its style, in words.

    Without a style in the document that is judged which the layer has: QGIS loads one from beside or inside the file.
    Raises CartoguideError if the style cannot be read.
    """
    try:
        drawing = allowed_style(own.style or style_of(layer), svg_library())
    except UnreadableDocument as error:
        raise _unreadable_style(layer, str(error)) from error
    show_as_documented(layer, replace(own, style=drawing.text))
    return drawing.left_out


def show_opened(layer: QgsMapLayer, own: OwnLayer) -> None:
    """Draw a layer that was just opened as the document says.

    For a foreign one without a style QGIS may have taken one from the file, such as the pictures that a KML names.
    Raises CartoguideError if the style cannot be read.
    """
    if own.trust is Trust.AGREED and not own.style:
        show_foreign(layer, own)
    else:
        show_as_documented(layer, own)


def unavailable_text(own: OwnLayer) -> str:
    """Return the text about an own layer whose source cannot be opened. It names the server of one."""
    host = host_and_port(own.origin.address)
    if host:
        return tr("“{layer}” is missing from the map: {host} sent nothing that QGIS can open. Try again, or remove it "
                  "from the map.", layer=own.name, host=host)
    return tr("“{layer}” is missing from the map: its source cannot be opened. Locate it, or remove it from the map.",
              layer=own.name)


def show_as_documented(layer: QgsMapLayer, own: OwnLayer, with_style: bool = True) -> None:
    """Give the layer the name, style, opacity and source line of the document, and tie it to its reference.

    Raises CartoguideError if the style cannot be read.
    """
    layer.setCustomProperty(OWN_LAYER, own.id)
    if inert(layer.name()) != own.name:
        layer.setName(inert(own.name))
    if with_style and own.style != style_of(layer):
        apply_style(layer, own.style)
    layer.setOpacity(own.opacity)
    set_private(layer, own.private)
    _show_crs(layer, own)
    _show_filter(layer, own)
    show_credit(layer, own.credit)
    if own.credit_owed and mark(layer, CREDIT_REQUIRED) is None:
        set_credit(layer, "")
    set_terms_gap(layer, own.terms_gap)
    if own.licences:
        set_licences(layer, own.licences)


def _given_crs(layer: QgsMapLayer) -> str:
    """Return the reference system that a person gave to a layer, "" where it is that of the layer's source."""
    provider = layer.dataProvider()
    given = str(layer.crs().authid())
    return given if provider is not None and given != provider.crs().authid() else ""


def _show_crs(layer: QgsMapLayer, own: OwnLayer) -> None:
    """Draw the layer where the document says that it is."""
    if layer.isValid() and _given_crs(layer) != own.crs:
        crs = QgsCoordinateReferenceSystem(own.crs) if own.crs else layer.dataProvider().crs()
        # one without a reference system has that which QGIS's settings say
        if crs.isValid():
            layer.setCrs(crs)


def show_file(layer: QgsMapLayer, own: OwnLayer) -> None:
    """Draw the file that the document names, where a person has given the layer another one. Nothing else is changed.

    A file that cannot be opened leaves the layer as it is.
    """
    drawn = drawn_source(layer)
    if not layer.isValid() or not file_of(own) or _without_filter(drawn.provider, drawn.text) == _without_filter(
            own.provider, own.source):
        return
    metadata, options = layer.metadata().clone(), QgsDataProvider.ProviderOptions()
    layer.setDataSource(own.source, layer.name(), own.provider, options, False)
    if not layer.isValid():
        layer.setDataSource(drawn.text, layer.name(), drawn.provider, options, False)
    layer.setMetadata(metadata)


def _without_filter(provider: str, source: str) -> Dict[str, object]:
    parts = QgsProviderRegistry.instance().decodeUri(provider, source)
    return {name: value for name, value in parts.items() if name not in ("subset", "sql") and value not in (None, "")}


def _show_filter(layer: QgsMapLayer, own: OwnLayer) -> None:
    """Let the layer show those of its features that the document's source names."""
    if not hasattr(layer, "setSubsetString") or not layer.isValid():
        return
    drawn, wanted = drawn_source(layer), _filter_in(own.provider, own.source)
    # not every provider says what in its source is the filter
    if _filter_in(drawn.provider, drawn.text) == layer.subsetString() != wanted:
        layer.setSubsetString(wanted)


def _filter_in(provider: str, source: str) -> str:
    parts = QgsProviderRegistry.instance().decodeUri(provider, source)
    return str(parts.get("subset") or parts.get("sql") or "")


def show_credit(layer: QgsMapLayer, credit: str) -> None:
    """Make ``credit`` the layer's source line, which every page with it owes. An empty one removes it."""
    if written_credit(layer) != credit:
        required = credit_required(layer)
        set_credit(layer, credit, Decision.YES if credit and required is Decision.NO else required,
                   compat.attribution_url(layer))


def find_layer(project: QgsProject, own: OwnLayer) -> Optional[QgsMapLayer]:
    """Return the project's layer of an own layer: the one that was put on the map, or opened for it. Else None."""
    layer = project.mapLayer(own.id)
    if layer is not None:
        return layer
    tied = (found for found in project.mapLayers().values() if found.customProperty(OWN_LAYER) == own.id)
    return next(tied, None)


def tie(project: QgsProject, layer_ids: Mapping[str, str]) -> None:
    """Tie layers of the project to their references, given by id, and no others: QGIS copies a tie with its layer."""
    ids_by_layer: Dict[str, str] = {layer_id: own_id for own_id, layer_id in layer_ids.items()}
    for layer_id, layer in project.mapLayers().items():
        wanted, present = ids_by_layer.get(layer_id), layer.customProperty(OWN_LAYER)
        if wanted is not None and present != wanted:
            layer.setCustomProperty(OWN_LAYER, wanted)
        elif wanted is None and present is not None:
            layer.removeCustomProperty(OWN_LAYER)


def updated(own: OwnLayer, layer: QgsMapLayer, with_style: bool) -> OwnLayer:
    """Return the reference with name, source, opacity and source line that the layer has now, and with its style.

    A style that is too large for a document stays as it was.
    """
    style = own.style
    if with_style:
        try:
            style = style_of(layer)
        except CartoguideError as error:
            log.warning(error.user_text)
    if not layer.isValid():
        return own
    source = drawn_source(layer)
    opacity = own.opacity if abs(layer.opacity() - own.opacity) < 0.004 else round(layer.opacity(), 4)
    return replace(own, name=inert(layer.name()), provider=source.provider or own.provider,
                   source=source_without_secrets(source.text), style=style, opacity=opacity, **_layer_members(layer))


PlannedLayer = Tuple[LayerPlan, Optional[QgsMapLayer]]


def layers_in_drawing_order(plan: Plan, planned: Iterable[PlannedLayer],
                            project: QgsProject) -> List[Tuple[Union[LayerPlan, OwnLayer], Optional[QgsMapLayer]]]:
    """Return these planned layers and all own layers of the plan, bottom first, each with its layer of the project.

    The layer is None for one that could not be made or opened.
    """
    pairs = list(planned)
    order: List[Tuple[Union[LayerPlan, OwnLayer], Optional[QgsMapLayer]]] = []
    for part in plan.order:
        if isinstance(part, OwnLayer):
            layer = find_layer(project, part)
            order.append((part, layer if layer is not None and layer.isValid() else None))
        else:
            order.extend(pair for pair in pairs if pair[0].entry_index == part)
    return order


def visible_layers_in_order(plan: Plan, layers: Sequence[Optional[QgsMapLayer]], project: QgsProject,
                            indexes: Optional[Iterable[int]] = None) -> List[QgsMapLayer]:
    """Return the QGIS layers that a map of the plan draws, bottom first.

    ``layers`` are those of ``plan.layers``. ``indexes`` chooses among them, by default all visible ones.
    """
    pairs = list(zip(plan.layers, layers))
    chosen = [pair for pair in pairs if pair[0].visible] if indexes is None else [pairs[number] for number in indexes]
    order = layers_in_drawing_order(plan, chosen, project)
    return [layer for part, layer in order if layer is not None and (isinstance(part, LayerPlan) or part.visible)]
