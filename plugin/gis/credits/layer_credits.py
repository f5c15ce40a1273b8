"""Credits, terms and sources of layers as text, read from the layers themselves and so available for any layout."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from typing import Dict, Iterable, Iterator, List, Mapping, Optional, Sequence

from qgis.core import (
    QgsExpressionContext,
    QgsLayoutItemMap,
    QgsLayoutObject,
    QgsMapLayer,
    QgsMapLayerStyleOverride,
    QgsProject,
)

from ...core.custommap.model import LayerPlan, Plan
from ...core.dates import date_span
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.terms.model import Decision
from ...core.terms.paper_gate import PaperCredit, UnfitCredit, UnfitReason, credit_for_paper, unfit_reasons
from ...core.text import fold, inert, single_line
from ..runtime import compat
from ..sources.layer_source import (
    CREDIT,
    CREDIT_REQUIRED,
    ENDPOINT,
    OWN_LAYER,
    SERVICE_TITLE,
    STORED_TERMS,
    UNFIT_CREDITS,
    drawn_parts,
    is_web_layer,
    layers_behind,
    mark,
    source_of,
)
from . import map_credits
from .layer_metadata import is_drawn_at, outdated_credit

#: properties by which an expression chooses the layers or the theme of a layout's map
CHOOSING_PROPERTIES = (QgsLayoutObject.DataDefinedProperty.MapLayers,
                       QgsLayoutObject.DataDefinedProperty.MapStylePreset)
_NO_SHORT_NAME = "\x00"
NO_OPACITIES: Mapping[str, float] = {}
#: the opacity in a style, of a raster and of any other layer
_OPACITY = re.compile(r"<rasterrenderer\b[^>]*?\sopacity=\"([^\"]*)\"|<layerOpacity>([^<]*)<")
_ADDRESS = re.compile(r"https?://[^\s<>\"'«»]+")


def written_lines(layer: QgsMapLayer) -> List[str]:
    """Return the layer's credit as somebody has written it, line by line, to be edited and compared.

    It is read from the metadata's rights (as QGIS's ``map_credits()`` does), else from the mark of
    Cartoguide, else from the attribution. What a layer has kept from another source counts as absent. Nothing of it
    goes to paper but through :func:`paper_credit`.
    """
    outdated = {"", *map(single_line, outdated_credit(layer))}
    rights = [line for line in map(single_line, layer.metadata().rights()) if line not in outdated]
    if rights:
        return list(dict.fromkeys(rights))
    others = (single_line(str(mark(layer, CREDIT) or "")), single_line(compat.attribution(layer)))
    return [line for line in others if line not in outdated][:1]


def written_credit(layer: QgsMapLayer) -> str:
    """Return the layer's credit as somebody has written it, in one line, or ""."""
    return "; ".join(written_lines(layer))


def paper_credit(layer: QgsMapLayer) -> PaperCredit:
    """Return what of the layer's credit may be printed, and what has to be completed before.

    All pages, labels, expressions and files take the credit of a layer from here. A virtual layer owes those of the
    layers that it reads.
    """
    credits = [_own_credit(part) for part in credited_layers(layer)]
    return PaperCredit(tuple(dict.fromkeys(line for credit in credits for line in credit.lines)),
                       tuple(dict.fromkeys(unfit for credit in credits for unfit in credit.unfit)))


def credited_layers(layer: QgsMapLayer) -> List[QgsMapLayer]:
    """Return the layer and those that it is made of whose terms require a credit or may do so."""
    return [layer, *(part for part in layers_behind(layer)[0] if _own_decision(part) is not Decision.NO)]


def _own_credit(layer: QgsMapLayer) -> PaperCredit:
    credit = credit_for_paper(written_lines(layer))
    planned = [_saved_unfit(item) for item in stored_list(mark(layer, UNFIT_CREDITS))]
    unfit = dict.fromkeys((*credit.unfit, *(item for item in planned if item is not None and not (
        item.reason is UnfitReason.NO_OWNER and credit.lines))))
    return PaperCredit(tuple(map(inert, credit.lines)), tuple(unfit))


def _saved_unfit(line: object) -> Optional[UnfitCredit]:
    """Return why a line that the plan did not print may not be printed, None if it may by now."""
    if not isinstance(line, str):
        return None
    return next(iter(credit_for_paper((line,), Decision.YES).unfit), None)


def layer_credit(layer: QgsMapLayer) -> str:
    """Return the layer's credit as it may be printed, in one line, or ""."""
    return "; ".join(credit_lines(layer))


def credit_lines(layer: QgsMapLayer) -> List[str]:
    """Return the layer's credit as it may be printed, line by line: a service may require several credits."""
    return list(paper_credit(layer).lines)


def unfit_credits(layers: Iterable[QgsMapLayer]) -> List[str]:
    """Return a sentence for each credit of these layers that may not be printed before somebody has completed it."""
    return list(dict.fromkeys(sentence for layer in layers if credit_required(layer) is not Decision.NO
                              for sentence in unfit_reasons(paper_credit(layer).unfit, _known_as(layer))))


def _known_as(layer: QgsMapLayer) -> str:
    return str(mark(layer, SERVICE_TITLE) or "") or str(layer.name())


def credit_required(layer: QgsMapLayer) -> Decision:
    """Return the decision whether the layer's terms require a credit, as the project has saved it.

    Of a layer that is made of others it is the gravest of theirs.
    """
    own = _own_decision(layer)
    others = [_own_decision(part) for part in credited_layers(layer)[1:] if written_lines(part) or _owes_credit(part)]
    return own if not others or own is Decision.YES else Decision.YES if Decision.YES in others else Decision.UNDECIDED


def _own_decision(layer: QgsMapLayer) -> Decision:
    value = str(mark(layer, CREDIT_REQUIRED) or "")
    return Decision(value) if value in (Decision.YES, Decision.NO) else Decision.UNDECIDED


def owes_unknown_credit(layer: QgsMapLayer) -> bool:
    """Return whether a layer has no credit although its terms, as far as they were read, require one or may do so."""
    return not written_lines(layer) and mark(layer, CREDIT_REQUIRED) is not None and (
        _own_decision(layer) is not Decision.NO)


def visible_layers(layers: Iterable[QgsMapLayer], scale: float = 0.0,
                   opacities: Mapping[str, float] = NO_OPACITIES) -> List[QgsMapLayer]:
    """Return the layers drawn at ``scale`` (a denominator, 0 for any), in their order.

    Layers of a group that is drawn as one layer follow in its place. ``opacities`` are those of layers that a map draws
    with another style than they have now, by their ids.
    """
    return [part for layer in layers if layer is not None and _is_visible(layer, scale, opacities)
            for part in drawn_parts(layer) if part is layer or _is_visible(part, scale, opacities)]


def _is_visible(layer: QgsMapLayer, scale: float, opacities: Mapping[str, float]) -> bool:
    return layer.isValid() and opacities.get(layer.id(), layer.opacity()) > 0 and (
        # a canvas draws by the last digits of its scale: a credit too many does no harm
        scale <= 0 or is_drawn_at(layer, scale) or layer.isInScaleRange(scale))


def credits_of_layers(layers: Iterable[QgsMapLayer], scale: float = 0.0) -> List[str]:
    """Return the credit lines of the layers drawn at ``scale``, in the order of ``layers`` (top first), each once."""
    return list(dict.fromkeys(credit for credit in map(layer_credit, visible_layers(layers, scale)) if credit))


def owed_credits(layers: Iterable[QgsMapLayer]) -> Dict[str, str]:
    """Return the credit lines that a page with these drawn layers owes, with the name of the first layer of each.

    All proofs and checks of pages take the credits from here.
    """
    owed: Dict[str, str] = {}
    for layer in layers:
        if credit_required(layer) is not Decision.NO:
            for line in credit_lines(layer):
                owed.setdefault(line, layer.name())
    return owed


def organisations_of(layers: Iterable[QgsMapLayer]) -> List[str]:
    """Return the organisations, or else the people, named in the layers' metadata, each once."""
    return list(dict.fromkeys(contact.organization or contact.name for layer in layers
                              for contact in layer.metadata().contacts() if contact.organization or contact.name))


def licences_of(layers: Iterable[QgsMapLayer]) -> List[str]:
    """Return the licences in the layers' metadata, each once."""
    return list(dict.fromkeys(licence for layer in layers for licence in layer.metadata().licenses()))


def keywords_of(layers: Iterable[QgsMapLayer]) -> List[str]:
    """Return the keywords of all groups in the layers' metadata, each once."""
    return list(dict.fromkeys(keyword for layer in layers for group in layer.metadata().keywords().values()
                              for keyword in group))


def layers_without_credit(layers: Iterable[QgsMapLayer]) -> List[QgsMapLayer]:
    """Return those of ``layers``, which are drawn, without a credit whose terms require or may require one.

    These are layers of known services and all others that draw something published on the web. For those with a credit
    that has to be completed see :func:`unfit_credits`.
    """
    # a map may draw a layer with another opacity than it has now
    return [part for layer in layers for part in drawn_parts(layer)
            if part.isValid() and not written_lines(part) and _lacks_credit(part)]


def _lacks_credit(layer: QgsMapLayer) -> bool:
    """Return whether a layer without a credit, or anything that it is made of, requires one or may do so."""
    parts, others = layers_behind(layer)
    return _owes_credit(layer) or any(source.type.is_web for source in others) or any(
        not written_lines(part) and _owes_credit(part) for part in parts)


def _owes_credit(layer: QgsMapLayer) -> bool:
    """Return whether a layer by itself has no credit that is to be completed, and requires one or may do so."""
    return not _own_credit(layer).unfit and _own_decision(layer) is not Decision.NO and (
        mark(layer, CREDIT_REQUIRED) is not None or is_web_layer(layer))


def layers_of_map(item: QgsLayoutItemMap) -> List[QgsMapLayer]:
    """Return the layers of a layout's map, top first: its own, its theme's, else the project's visible ones.

    Layers and themes that an expression of the map chooses are resolved. QGIS draws the project's own annotations above
    all of them.
    """
    project = item.layout().project() if item.layout() is not None else QgsProject.instance()
    return [*annotations_of(project), *_chosen_layers(item, project)]


def annotations_of(project: QgsProject) -> List[QgsMapLayer]:
    """Return the layer of the project's own annotations, which every map and the canvas show, if it has any."""
    layer = project.mainAnnotationLayer()
    return [] if layer is None or layer.isEmpty() else [layer]


def _chosen_layers(item: QgsLayoutItemMap, project: QgsProject) -> List[QgsMapLayer]:
    if is_data_defined(item):
        ids = item.createExpressionContext().variable("map_layer_ids") or []
        return [layer for layer in (project.mapLayer(str(name)) for name in ids) if layer is not None]
    if item.followVisibilityPreset():
        theme, themes = item.followVisibilityPresetName(), project.mapThemeCollection()
        if themes.hasMapTheme(theme):
            return list(themes.mapThemeVisibleLayers(theme))
        # in place of a theme that the project lacks QGIS draws what is visible (QgsLayoutItemMap::layersToRender)
        return visible_project_layers(project)
    layers: Sequence[QgsMapLayer] = item.layers()
    return list(layers) if layers else visible_project_layers(project)


def layers_chosen_in(item: QgsLayoutItemMap, context: QgsExpressionContext) -> List[QgsMapLayer]:
    """Return the layers that a map's expressions choose in a context, as QGIS does (QgsLayoutItemMap::layersToRender).
    """
    properties, project = item.dataDefinedProperties(), item.layout().project()
    layers, theme = map(compat.enum_value, CHOOSING_PROPERTIES)
    if properties.isActive(theme):
        name, themes = properties.valueAsString(theme, context)[0], project.mapThemeCollection()
        if themes.hasMapTheme(name):
            return list(themes.mapThemeVisibleLayers(name))
    value = properties.value(layers, context) if properties.isActive(layers) else None
    names = value.split("|") if isinstance(value, str) else value if isinstance(value, list) else ()
    found = [(project.mapLayersByName(str(name)) or [project.mapLayer(str(name))])[0] for name in names]
    return [layer for layer in found if layer is not None]


def is_data_defined(item: QgsLayoutItemMap) -> bool:
    """Return whether an expression chooses the layers or the theme of a layout's map."""
    properties = item.dataDefinedProperties()
    return any(properties.isActive(compat.enum_value(name)) for name in CHOOSING_PROPERTIES)


def layers_of_maps(items: Iterable[QgsLayoutItemMap]) -> List[QgsMapLayer]:
    """Return the layers that any of a layout's maps shows, each once, the first map's first."""
    return list({layer.id(): layer for item in items for layer in layers_of_map(item)}.values())


def layers_drawn_by(items: Iterable[QgsLayoutItemMap]) -> List[QgsMapLayer]:
    """Return the layers that these maps draw, each at its own scale, each layer once, the first map's first.

    The credits of these layers are what the page owes. This is the one decision about it: the check of a layout, the
    export and its proof, and the labels go by it.
    """
    return list({layer.id(): layer for item in items for layer in visible_layers(
        layers_of_map(item), item.scale(), style_opacities(item))}.values())


def style_opacities(item: QgsLayoutItemMap) -> Dict[str, float]:
    """Return by their ids the opacities of the layers that a map draws with a style of its theme, or one that it holds.

    Limits of scale are the layers' own all the same: QGIS goes by them before it takes such a style.
    """
    return {layer_id: _opacity_of(style) for layer_id, style in drawn_styles(item).items()}


@contextmanager
def in_style(layer: QgsMapLayer, style: str) -> Iterator[None]:
    """Give ``layer`` another style within the context, as QGIS does while it draws: nobody is notified.

    Its own marks may be absent meanwhile, for they are a part of its style.
    """
    override = QgsMapLayerStyleOverride(layer)
    if style:
        override.setOverrideStyle(style)
    try:
        yield
    finally:
        del override


def layers_read_by_styles(items: Iterable[QgsLayoutItemMap]) -> List[QgsMapLayer]:
    """Return the layers that are read by styles which maps draw layers with in place of the layers' own, each once."""
    found: Dict[str, QgsMapLayer] = {}
    for item in items:
        styles = drawn_styles(item)
        for layer in layers_drawn_by([item]) if styles else ():
            if layer.id() in styles:
                with in_style(layer, styles[layer.id()]):
                    found.update((part.id(), part) for part in layers_behind(layer)[0])
    return list(found.values())


def drawn_styles(item: QgsLayoutItemMap) -> Dict[str, str]:
    """Return by their ids the styles of the layers that a map draws with one of its theme, or one that it holds."""
    properties, chosen = item.dataDefinedProperties(), compat.enum_value(CHOOSING_PROPERTIES[1])
    theme = item.followVisibilityPresetName() if item.followVisibilityPreset() else ""
    if properties.isActive(chosen):
        theme = properties.valueAsString(chosen, item.createExpressionContext(), theme)[0]
    project = item.layout().project() if item.layout() is not None else QgsProject.instance()
    if not project.mapThemeCollection().hasMapTheme(theme):
        return dict(item.layerStyleOverrides()) if item.keepLayerStyles() and not theme else {}
    records = project.mapThemeCollection().mapThemeState(theme).layerRecords()
    return {record.layer().id(): record.layer().styleManager().style(record.currentStyle).xmlData()
            for record in records if record.usingCurrentStyle and record.layer() is not None
            and record.currentStyle != record.layer().styleManager().currentStyle()}


def _opacity_of(style: str) -> float:
    """Return the opacity (0 to 1) with which a style draws a layer."""
    found = _OPACITY.search(style)
    try:
        return float(found.group(1) or found.group(2)) if found is not None else 1.0
    except ValueError:
        return 1.0


def visible_project_layers(project: QgsProject) -> List[QgsMapLayer]:
    """Return the project's visible layers, top first."""
    root = project.layerTreeRoot()
    checked = set(root.checkedLayers())
    return [layer for layer in root.layerOrder() if layer in checked]


def credits_text(layers: Sequence[QgsMapLayer], separator: str = "\n") -> str:
    """Return the credit lines of ``layers`` (top first), each once, with the addresses of their licences.

    In the place of a credit that may not be printed stands that it is not complete, and in that of a missing one that
    it is not known: a page without it would look as if none were owed.
    """
    lines = [_add_licence_links(line, part) for layer in layers for part in credited_layers(layer)
             for line in _own_credit(part).lines]
    lines += [tr("{layer}: the credit is not complete", layer=inert(layer.name())) for layer in layers
              if unfit_credits([layer])]
    lines += [tr("{layer}: the credit is not known", layer=inert(layer.name()))
              for layer in layers_without_credit(layers)]
    return separator.join(dict.fromkeys(lines))


def terms_text(layers: Sequence[QgsMapLayer], language: str) -> str:
    """Return licences and fees of the services behind ``layers``, services with the same terms in one sentence."""
    plan = plan_from_layers(layers, language)
    return map_credits.terms_statement(plan) if plan.layers else ""


def sources_text(layers: Sequence[QgsMapLayer], language: str) -> str:
    """Return title and address of each service behind ``layers``, two lines for each."""
    return map_credits.sources_statement(plan_from_layers(layers, language))


def plan_from_layers(layers: Sequence[QgsMapLayer], language: str) -> Plan:
    """Return a plan of ``layers`` (top first) made of what the layers know about themselves.

    It includes layers from the network and others that name a credit or a licence, with one entry for each service. A
    cartographer's own file without a licence has a credit alone: it has no terms, and no address to be consulted at.
    """
    entries: Dict[str, int] = {}
    plans: List[LayerPlan] = []
    for layer in layers:
        source, metadata = source_of(layer), layer.metadata()
        address = source.web_address
        rights = tuple(credit_lines(layer))
        if not (address or metadata.licenses() or (rights and not layer.customProperty(OWN_LAYER))):
            continue
        title = str(mark(layer, SERVICE_TITLE) or "") or layer.name()
        entry = entries.setdefault(str(mark(layer, ENDPOINT) or "") or address or layer.id(), len(entries))
        plans.append(
            LayerPlan(replace(source, address=address), layer.name(), service_title=title, entry_index=entry,
                      rights=rights, licences=tuple(metadata.licenses()), constraints=tuple(
                          (item.type, item.constraint) for item in metadata.constraints()), fees=metadata.fees(),
                      credit_required=credit_required(layer),
                      stored_terms_day=_iso_day(str(mark(layer, STORED_TERMS) or ""))))
    return Plan(title="", crs="", layers=tuple(plans), language=language)


def _iso_day(text: str) -> str:
    """Return the day in ``text``, which anybody may have written into the project, or an empty text."""
    return text if re.fullmatch(r"\d{4}-\d\d-\d\d", text) and date_span(text) is not None else ""


def _add_licence_links(line: str, layer: QgsMapLayer) -> str:
    """Return the line followed by the layer's licences that have an address which the line lacks."""
    for licence in layer.metadata().licenses():
        found = _ADDRESS.search(licence)
        if found is None or found.group() in line:
            continue
        name, short_name = licence[:found.start()].rstrip(" ,;:("), _licence_short_name(found.group())
        is_named = not name or fold(name) in fold(line) or short_name in fold(line)
        if short_name != _NO_SHORT_NAME:
            # as the licence itself is cited, and a third as long
            name = short_name.upper()
        line += f" ({found.group()})" if is_named else f", {name} ({found.group()})"
    return line


def _licence_short_name(address: str) -> str:
    """Return the folded short name of a Creative Commons licence ("cc by 4.0"), else a text that no line contains."""
    match = re.search(r"creativecommons\.org/(?:licenses/([a-z-]+)|publicdomain/zero)/(\d\.\d)", address)
    if match is None:
        return _NO_SHORT_NAME
    return f"cc {match.group(1) or '0'} {match.group(2)}".replace("cc 0 ", "cc0 ")
