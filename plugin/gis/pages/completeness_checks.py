"""Check that a map is complete before export: every service is on it, and every credit is legible."""

from __future__ import annotations

import re
from typing import Callable, Dict, Iterable, Iterator, List, Sequence, Set, Tuple, TypeVar

from qgis.core import (
    QgsAnnotationLayer,
    QgsCategorizedSymbolRenderer,
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextScope,
    QgsFeatureRequest,
    QgsGeometry,
    QgsGeometryGeneratorSymbolLayer,
    QgsGraduatedSymbolRenderer,
    QgsLayout,
    QgsLayoutAtlas,
    QgsLayoutItem,
    QgsLayoutItemGroup,
    QgsLayoutItemHtml,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutItemShape,
    QgsLayoutObject,
    QgsMapLayer,
    QgsPalLayerSettings,
    QgsPrintLayout,
    QgsRectangle,
    QgsRenderContext,
    QgsRuleBasedRenderer,
    QgsSimpleFillSymbolLayer,
    QgsSymbol,
    QgsVectorLayer,
    QgsVectorTileBasicRenderer,
    QgsVectorTileBasicRendererStyle,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QPainter, QRegion, QTransform

from ...core.addresses import host_and_port, is_web_address, without_secrets
from ...core.custommap.map_findings import MapFinding
from ...core.errors import CartoguideError, InvalidRequest
from ...core.html_text import without_markup
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...core.review.checks.rules import Severity
from ...core.sources.files import is_cut_short
from ...core.sources.identity import service_key
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import SourceType
from ...core.sources.source_kind import SourceProof
from ...core.sources.tile_hosts import ONLINE_TERRAIN, tile_host_info
from ...core.terms.paper_gate import credit_for_paper
from ...core.text import bounded_title, fold, list_quoted_names, single_line, truncate
from ...core.trust.files import is_local_path, read_regular
from ...core.wms.requests.urls import split_address
from ..credits.layer_credits import (
    drawn_styles,
    in_style,
    is_data_defined,
    layers_chosen_in,
    layers_drawn_by,
    layers_of_map,
    layers_of_maps,
    layers_read_by_styles,
    layers_without_credit,
    owed_credits,
    style_opacities,
    unfit_credits,
    visible_layers,
    written_lines,
)
from ..layouts import layout_items, text_fitting
from ..layouts.credit_legibility import copy_reader, label_text, unreadable_credits
from ..layouts.map_grids import scale_problems
from ..runtime import compat, page_fonts
from ..runtime.conversions import rectangle_box
from ..runtime.drawn_source import drawn_source
from ..runtime.images import image_from_bytes
from ..sources.files import leaves_shapes_out
from ..sources.kinds import is_fetched
from ..sources.layer_source import drawn_parts, layers_behind, shows_snapshot, source_of, sources_read_by
from ..sources.service_states import missing_causes
from ..sources.style_expressions import choosing_renderer, label_settings, symbol_parts
from . import legend_fitting
from .layout_builder import awaits_legends, background_layers, is_built, layout_requirements, missing_legends
from .page_features import FEATURES

#: requests for pictures that are maps, in lower case: WMS (and 1.0.0), WMTS and WCS. ArcGIS has a path for them
_MAP_REQUESTS = frozenset(("getmap", "map", "gettile", "getcoverage"))
_ARCGIS_IMAGE = re.compile(r"(/(?:Map|Image)Server)/export.*", re.IGNORECASE)
#: functions that list the credits of what a map draws, in a label
_CREDIT_FUNCTION = re.compile(r"\b(?:cartoguide|map)_credits\b")
#: methods that return the symbols of annotations, the last two since QGIS 3.40
_NOTE_SYMBOLS = ("symbol", "backgroundSymbol", "frameSymbol")
#: share of the map's width by which a snapshot may fall short, too little to be visible
_EDGE_TOLERANCE = 0.002
#: share of the sides of a covered map that may still be seen, and pixels of the side of a picture that is judged
_UNCOVERED, _SAMPLE = 0.02, 24
#: bytes of a picture that is judged
_MAX_PICTURE = 100_000_000
#: letters of an expression in a sentence
_MAX_EXPRESSION = 80

Found = TypeVar("Found")


class IncompleteMap(CartoguideError):
    """The map lacks a service or a credit and was not exported. ``problems`` names each for the user."""

    def __init__(self, problems: List[str], detail: str = "") -> None:
        head = tr("The map was not exported, because it is not complete:")
        super().__init__("\n".join([head, *problems]), detail)
        self.problems = problems


def check_complete(layout: QgsPrintLayout) -> None:
    """Raise IncompleteMap unless the layout shows everything it was built for: layers, credits, legends, all uncut."""
    problems = (missing_services(layout) + undrawn_parts(layout) + missing_credits(layout)
                + unwritable_credits(layout) + covered_maps(layout) + cut_off_items(layout) + missing_legends(layout)
                + scale_problems(layout))
    if awaits_legends(layout):
        problems.append(tr("Its legend has not been loaded yet."))
    for feature in FEATURES:
        if feature.problems is not None:
            problems += feature.problems(layout)
    if problems:
        raise IncompleteMap(problems)


def undrawn_parts(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each background, layer or part of a layer that the layout's maps have and QGIS does not draw.
    """
    return (missing_backgrounds(layout) + unreadable_layers(layout)
            + [tr("A file of “{layer}” is cut short, so that only a part of it would be drawn. Copy the file "
                  "again, or take the layer off the page.", layer=single_line(layer.name()))
               for layer in page_layers(layout) if reads_cut_file(layer)]
            + as_drawn(layout, style_errors))


def missing_services(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each layer missing from the map: not made, removed, broken, or outside this area or time."""
    item = layout_items.main_map(layout)
    if item is None:
        return [tr("The layout has no map item with the id “map”.")]
    maps = list(filter(layout_items.is_printed, layout_items.map_items(layout)))
    shown = {part.id(): part for layer in layers_of_maps(maps) for part in drawn_parts(layer)}
    seen = {layer.id() for other in maps for layer in visible_layers(layers_of_map(other), 0.0, style_opacities(other))}
    timely = {part.id() for other in maps for layer in layers_of_maps([other]) for part in drawn_parts(layer)
              if _is_at_time(part, other)}
    requirements = layout_requirements(layout)
    if not requirements and is_built(layout) and not layers_drawn_by(layout_items.map_items(layout)):
        return [tr("The map shows no layer. Add a service or a layer to it.")]
    problems = []
    for requirement in requirements:
        missing_names = [name for layer_id, name in zip(requirement.layers, requirement.names)
                         if layer_id not in seen]
        if requirement.names == [""]:
            problems.append(requirement.title)
        elif len(missing_names) == len(requirement.names):
            problems.append(tr("“{service}” is missing from the map.", service=requirement.title))
        elif missing_names:
            problems.append(tr("Layers missing from “{service}”: {layers}.", service=requirement.title,
                               layers=", ".join(missing_names)))
        elif not timely.issuperset(requirement.layers):
            problems.append(tr("“{service}” is not drawn for the time that the map shows: {layers}.",
                               service=requirement.title, layers=", ".join(
                                   name for layer_id, name in zip(requirement.layers, requirement.names)
                                   if layer_id not in timely)))
        elif any(_snapshot_too_small(shown[layer_id], item) for layer_id in requirement.layers):
            problems.append(tr("The snapshot of “{service}” does not cover all of this map.",
                               service=requirement.title))
        elif not any(_intersects_map(shown[layer_id], item) for layer_id in requirement.layers):
            problems.append(tr("“{service}” has nothing in the area of this map.", service=requirement.title))
    return problems


def services_of_other_scales(layouts: Sequence[QgsPrintLayout]) -> Tuple[MapFinding, ...]:
    """Return a warning for each service that lies on the maps of the layouts and is drawn at the scale of none."""
    drawn = {layer.id() for layout in layouts for layer in printed_map_layers(layout)}
    found: List[MapFinding] = []
    for layout, item in ((one, layout_items.main_map(one)) for one in layouts):
        if item is None:
            continue
        on_map = {part.id() for layer in layers_of_map(item) for part in drawn_parts(layer)}
        found += [MapFinding("scale", Severity.WARNING,
                             tr("It is not drawn at {scale}.", scale=format_scale(item.scale())),
                             tr("Leave it out, or choose a scale at which it is drawn."), requirement.title)
                  for requirement in layout_requirements(layout)
                  if on_map.issuperset(requirement.layers) and drawn.isdisjoint(requirement.layers)]
    return tuple(dict.fromkeys(found))


def missing_backgrounds(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each map of the page that lost a background layer: a location map without its outline.

    QGIS would draw what is visible in the project instead, or nothing. A map that somebody gave other layers counts as
    complete.
    """
    problems = []
    for item_id, layer_ids in background_layers(layout).items():
        item = layout_items.find_item(layout, item_id, QgsLayoutItemMap)
        if item is None or not layout_items.is_printed(item):
            continue
        shown = {layer.id() for layer in item.layers() if layer.isValid()}
        is_changed = item.followVisibilityPreset() or bool(shown - set(layer_ids))
        if not is_changed and not shown.issuperset(layer_ids):
            problems.append(tr("The background of the page's map “{id}” was removed after the page was built. Export "
                               "the map again.", id=item_id))
    return problems


def unreadable_layers(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each layer of the printed maps that QGIS cannot read, but those that the page was built for."""
    known = {layer_id for requirement in layout_requirements(layout) for layer_id in requirement.layers}
    maps = filter(layout_items.is_printed, layout_items.items_of_type(layout, QgsLayoutItemMap))
    return [tr("“{layer}” cannot be read from its source. Repair the layer, or take it off the map.",
               layer=single_line(layer.name()))
            for layer in layers_of_maps(maps) if not layer.isValid() and layer.id() not in known]


def reads_cut_file(layer: QgsMapLayer) -> bool:
    """Return whether ``layer``, or one that it is made of, reads a file that is cut short. QGIS draws a part of it."""
    for part in drawn_parts(layer):
        behind, embedded = layers_behind(part)
        if any(map(is_cut_short, [*map(drawn_source, (part, *behind)), *embedded])):
            return True
    return False


def style_errors(layer: QgsMapLayer) -> List[str]:
    """Return a text if QGIS leaves out what an expression of the layer's style is for, because it cannot be read."""
    broken = next((text for text in _deciding_expressions(layer) if _is_broken(text, layer)), None)
    return [] if broken is None else [
        tr("QGIS cannot evaluate an expression in the style of “{layer}”: {expression}. Correct the style, or take the "
           "layer off the map.", layer=single_line(layer.name()),
           expression=truncate(single_line(broken), _MAX_EXPRESSION))]


def _deciding_expressions(layer: QgsMapLayer) -> Iterator[str]:
    """Yield the expressions that decide which features of a layer are drawn, and with which shapes and labels."""
    renderer = choosing_renderer(layer) if isinstance(layer, QgsVectorLayer) else None
    if renderer is None:
        return
    if isinstance(renderer, QgsRuleBasedRenderer):
        yield from (rule.filterExpression() for rule in renderer.rootRule().descendants()
                    if rule.active() and not rule.isElse())
    elif isinstance(renderer, (QgsCategorizedSymbolRenderer, QgsGraduatedSymbolRenderer)):
        yield _field_or_expression(layer, renderer.classAttribute())
    yield from (part.geometryExpression() for part in symbol_parts(layer.renderer().symbols(QgsRenderContext()))
                if isinstance(part, QgsGeometryGeneratorSymbolLayer))
    for settings in label_settings(layer):
        if settings.drawLabels and settings.fieldName:
            yield settings.fieldName if settings.isExpression else QgsExpression.quotedColumnRef(settings.fieldName)


def _field_or_expression(layer: QgsVectorLayer, text: str) -> str:
    return QgsExpression.quotedColumnRef(text) if layer.fields().lookupField(text) >= 0 else text


def _is_broken(text: str, layer: QgsVectorLayer) -> bool:
    """Return whether an expression is not one, or names a field that the layer lacks."""
    if not text:
        return False
    expression, fields = QgsExpression(text), layer.fields()
    # fields in an aggregate may be those of another layer
    is_own = not any("aggregate" in name for name in expression.referencedFunctions())
    columns = expression.referencedColumns() - {QgsFeatureRequest.ALL_ATTRIBUTES}
    return bool(expression.hasParserError()) or is_own and any(fields.lookupField(name) < 0 for name in columns)


def missing_credits(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each credit that the map's layers require and no label shows."""
    texts = [fold(label_text(label)) for label in credit_labels(layout)]
    problems = [_missing_credit_text(title, credit) for credit, title in page_credits(layout).items()
                if not any(fold(credit) in text for text in texts)]
    of_features = feature_credits(layout)
    # to evaluate a label takes milliseconds, and only features owe credits to its other labels
    every = [fold(label_text(label)) for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)
             if layout_items.is_exported(label)] if of_features else []
    problems += [_missing_credit_text(title, credit) for credit, title in of_features.items()
                 if not any(fold(credit) in text for text in every)]
    shown = page_layers(layout)
    return problems + unfit_credits(shown) + [
        _uncredited_text(layer) for layer in _uncredited_layers(layout, shown)] + uncredited_pictures(layout, shown)


def _uncredited_layers(layout: QgsLayout, shown: Sequence[QgsMapLayer]) -> List[QgsMapLayer]:
    """Return those of the layers on a page that lack a credit, also by what only the style of a map makes them of."""
    without = {layer.id() for layer in printed_map_layers(layout) if not written_lines(layer)}
    found = [*layers_without_credit(shown), *as_drawn(layout, lambda layer: [layer] if layer.id() in without and any(
        source.type.is_web for source in layers_behind(layer)[1]) else [])]
    return list({layer.id(): layer for layer in found}.values())


def unwritable_credits(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each credit of the page with letters that no installed font has."""
    problems = []
    for credit in printed_credits(layout):
        letters = page_fonts.letters_without_font(credit)
        if letters:
            problems.append(letters_text(letters, credit))
    return problems


def letters_text(letters: str, credit: str) -> str:
    """Return the sentence about letters of a credit that no installed font has."""
    return tr("No font of this computer has these letters of the credit “{credit}”: {letters}. Install one that has "
              "them, such as Noto Sans for their script, and begin QGIS anew.", credit=credit,
              letters=page_fonts.listed_letters(letters))


def page_credits(layout: QgsPrintLayout) -> Dict[str, str]:
    """Return the credit lines that the layers on the layout's maps require, with the titles of their services.

    The credits that the layout was built with count as well, as long as a layer of their service is drawn.
    """
    shown = page_layers(layout)
    drawn = {layer.id() for layer in shown}
    titles_by_credit = {
        line: requirement.title for requirement in layout_requirements(layout)
        for line in credit_for_paper(requirement.credits).lines
        if any(layer_id in drawn for layer_id in requirement.layers)
    }
    return {**owed_credits(shown), **titles_by_credit}


def _web_credits(layout: QgsLayout) -> Dict[str, str]:
    """Return the credit lines of what the page takes from the web without a layer, which any of its labels may have.

    These are the heights of views in 3D and the pictures of well-known hosts.
    """
    named = {address: _picture_name(address) for address in _web_pictures_of(layout)}
    if layout_items.has_online_terrain(layout):
        named[ONLINE_TERRAIN] = tr("online terrain")
    return {info.credit: name for address, name in named.items() for info in (tile_host_info(address),) if info}


def _web_pictures_of(layout: QgsLayout) -> List[str]:
    """Return the addresses of the pictures from the web on a page, those of the symbols of its layers too."""
    return [*layout_items.web_contents(layout),
            *as_drawn(layout, _web_pictures)]


def _picture_name(address: str) -> str:
    return tr("picture from {host}", host=host_and_port(address))


def uncredited_pictures(layout: QgsLayout, shown: Sequence[QgsMapLayer]) -> List[str]:
    """Return a text for each picture of a page that draws the map of a service, unless a layer of it is in ``shown``.

    That layer owes the credit that the picture does. Which pictures the features of a service choose is known once
    these have come, when the page draws from them.
    """
    services = {address: service for address in _web_pictures_of(layout) if tile_host_info(address) is None
                for service in [_service_of_map(address)] if service}
    drawn = {service_key(source_of(layer).address) for layer in shown} if services else set()
    return [tr("The page shows a picture of a map service that no layer draws, and its terms may require a credit: "
               "{address}. Add the service as a layer in place of the picture.",
               address=bounded_title(without_secrets(address)))
            for address, service in services.items() if service not in drawn]


def _service_of_map(address: str) -> str:
    """Return the key of the service that an address requests a map of, or "" if it requests none."""
    try:
        split = split_address(_ARCGIS_IMAGE.sub(r"\1", address))
    except InvalidRequest:
        return ""
    is_map = split.parameters.get("REQUEST", "").lower() in _MAP_REQUESTS or _ARCGIS_IMAGE.search(address)
    return service_key(split.endpoint) if is_map else ""


def printed_credits(layout: QgsPrintLayout) -> Dict[str, str]:
    """Return all credit lines that have to be read on the written pages: those of layers and of page features."""
    return {**feature_credits(layout), **page_credits(layout)}


def feature_credits(layout: QgsPrintLayout) -> Dict[str, str]:
    """Return the credit lines that the features and views of the page owe, with what they are of."""
    return {**_web_credits(layout), **{line: owner for feature in FEATURES if feature.credits is not None
                                          for line, owner in feature.credits(layout).items()}}


def page_layers(layout: QgsLayout) -> List[QgsMapLayer]:
    """Return the layers that a layout's pages show, each once, those of its maps first."""
    layers = [*printed_map_layers(layout), *layers_read_by_styles(_printed_maps(layout)),
              *layout_items.layers_beside_maps(layout)]
    return list({layer.id(): layer for layer in layers}.values())


def layers_of_pages(layouts: Sequence[QgsPrintLayout]) -> List[QgsMapLayer]:
    """Return the layers that the pages of several layouts show, each once, those of each one's main maps first."""
    return list({layer.id(): layer for layout in layouts for layer in (
        *layers_drawn_by(layout_items.map_items(layout)), *page_layers(layout))}.values())


def printed_map_layers(layout: QgsLayout) -> List[QgsMapLayer]:
    """Return the layers that the layout's printed maps draw, each once."""
    return layers_drawn_by(_printed_maps(layout))


def _printed_maps(layout: QgsLayout) -> List[QgsLayoutItemMap]:
    return list(filter(layout_items.is_printed, layout_items.items_of_type(layout, QgsLayoutItemMap)))


def as_drawn(layout: QgsLayout, find: Callable[[QgsMapLayer], Iterable[Found]]) -> List[Found]:
    """Return what ``find`` returns for the layers of the printed maps, in each style that a map draws them with."""
    found: List[Found] = []
    known: Set[Tuple[str, str]] = set()
    for item in _printed_maps(layout):
        styles = drawn_styles(item)
        for layer in layers_drawn_by([item]):
            style = styles.get(layer.id(), "")
            if (layer.id(), style) in known:
                continue
            known.add((layer.id(), style))
            with in_style(layer, style):
                found += find(layer)
    return found


def layout_problems(layout: QgsLayout) -> List[Tuple[str, str]]:
    """Return (title, sentence) for each problem of any layout, made by Cartoguide or not."""
    problems: List[Tuple[str, str]] = []
    if layout_requirements(layout):
        problems += [(tr("A service is missing"), sentence) for sentence in missing_services(layout)]
    problems += [(tr("A service is missing"), sentence) for sentence in covered_maps(layout)]
    problems += [(tr("A layer is not drawn"), sentence) for sentence in undrawn_parts(layout)]
    on_all_pages = {layer.id(): layer for layer in [*page_layers(layout), *_layers_of_other_pages(layout)]}
    shown = list(on_all_pages.values())
    problems += [(tr("A layer is not drawn"), tr("“{layer}” did not come when it was requested last: {cause}.",
                                                 layer=layer_label(layer), cause=cause))
                 for layer in printed_map_layers(layout) for cause in missing_causes(layer)]
    owed = {**owed_credits(shown), **feature_credits(layout)}
    texts = [fold(text) for text in _page_texts(layout)]
    problems += [(tr("A credit is not on the page"), _missing_credit_text(name, line)) for line, name in owed.items()
                 if not any(fold(line) in text for text in texts)]
    problems += [(tr("A credit cannot be read"), sentence)
                 for sentence in unreadable_credits(layout, owed, copy_reader(layout))]
    problems += [(tr("A credit cannot be written"), letters_text(letters, line)) for line in owed
                 for letters in (page_fonts.letters_without_font(line),) if letters]
    problems += [(tr("A credit is not complete"), sentence) for sentence in unfit_credits(shown)]
    problems += [(tr("A layer has no credit"), _uncredited_text(layer))
                 for layer in _uncredited_layers(layout, shown)]
    problems += [(tr("A picture has no credit"), sentence) for sentence in uncredited_pictures(layout, shown)]
    return problems


def _layers_of_other_pages(layout: QgsLayout) -> List[QgsMapLayer]:
    """Return the layers that QGIS's own atlas may draw on a page of another scale, unless a label follows the pages."""
    atlas = layout.atlas() if isinstance(layout, QgsPrintLayout) else None
    if atlas is None or not atlas.enabled() or any(
            _CREDIT_FUNCTION.search(label.text()) for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)):
        return []
    maps = _printed_maps(layout)
    chosen = [layer for item in maps if is_data_defined(item) for context in _page_contexts(atlas, item)
              for layer in visible_layers(layers_chosen_in(item, context))]
    return [*chosen, *(layer for item in maps if item.atlasDriven() for layer in visible_layers(layers_of_map(item)))]


def _page_contexts(atlas: QgsLayoutAtlas, item: QgsLayoutItemMap) -> Iterator[QgsExpressionContext]:
    """Yield what the expressions of a map know on each page of QGIS's own atlas, which stays on the page that it shows.

    Of an atlas of another service's features none are requested.
    """
    layer = atlas.coverageLayer()
    if layer is None or not layer.isValid() or layer_proof(layer) is not SourceProof.LOCAL:
        return
    request = QgsFeatureRequest().setLimit(layout_items.MAX_FEATURES)
    if atlas.filterFeatures():
        request.setFilterExpression(atlas.filterExpression())
    for feature in layer.getFeatures(request):
        context, scope = item.createExpressionContext(), QgsExpressionContextScope()
        scope.setFeature(feature)
        for name, value in (("feature", feature), ("featureid", feature.id()), ("geometry", feature.geometry())):
            scope.setVariable(f"atlas_{name}", value)
        context.appendScope(scope)
        scope.setVariable("atlas_pagename", QgsExpression(atlas.pageNameExpression()).evaluate(context))
        yield context


def _missing_credit_text(service_title: str, credit: str) -> str:
    return tr("The credit of “{service}” is not on the map: {credit}", service=service_title, credit=credit)


def _uncredited_text(layer: QgsMapLayer) -> str:
    return tr("“{layer}” has no credit line, and its terms may require one.", layer=layer.name())


def _page_texts(layout: QgsLayout) -> List[str]:
    """Return the texts that are printed: labels, and HTML with its expressions evaluated."""
    texts = [label_text(label) for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)
             if layout_items.is_exported(label)]
    shown = (frame for frame in layout.multiFrames() if isinstance(frame, QgsLayoutItemHtml)
             and frame.contentMode() == QgsLayoutItemHtml.ContentMode.ManualHtml
             and any(map(layout_items.is_printed, frame.frames())))
    texts += [single_line(without_markup(QgsExpression.replaceExpressionText(
        frame.html(), frame.createExpressionContext()))) for frame in shown]
    return texts


def credit_labels(layout: QgsPrintLayout) -> List[QgsLayoutItemLabel]:
    """Return the label with the id "credits", else all visible labels: other templates may show credits anywhere.

    Those that lie beside the page are among them: what cannot be read of them is said with its reason.
    """
    credits_label = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    labels = [credits_label] if credits_label is not None else layout_items.items_of_type(layout, QgsLayoutItemLabel)
    return [label for label in labels if layout_items.is_exported(label)]


def cut_off_items(layout: QgsPrintLayout) -> List[str]:
    """Return a text for credits that overflow their label and for a legend that overflows its item."""
    problems = []
    credits_label = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    if credits_label is not None and text_fitting.label_overflows(credits_label):
        problems.append(tr("The credits do not fit on the page. Make the item “credits” larger in your template, or "
                           "choose a larger paper or one of Cartoguide's templates, which move long texts to an "
                           "extra page."))
    problems += [legend_fitting.overflow_text(item) for item in layout_items.legends(layout)
                 if not item.resizeToContents() and legend_fitting.legend_overflows(item)]
    return list(dict.fromkeys(problems))


def covered_maps(layout: QgsLayout) -> List[str]:
    """Return a text for each printed map of which nothing is seen but for an edge, if no other map has its layers.

    Opaque items cover it, or it is clipped to an item or a feature that lies beside it.
    """
    hidden: List[Tuple[QgsLayoutItemMap, str]] = []
    seen: Set[str] = set()
    printed = [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
               if not isinstance(item, (QgsLayoutItemGroup, QgsLayoutItemPage)) and layout_items.is_printed(item)]
    for item in (one for one in printed if isinstance(one, QgsLayoutItemMap)):
        above = [other for other in printed if other.zValue() > item.zValue()
                 and other.sceneBoundingRect().intersects(item.sceneBoundingRect())]
        # pictures are read only where the map would be covered if all of them were opaque
        hiding = [other for other in above if _is_opaque(other)] if _is_covered(item, above) else []
        clip, cut = item.itemClippingSettings(), item.atlasClippingSettings()
        window = clip.sourceItem() if clip.isActive() else None
        # the feature of another page says nothing: the page is drawn with the one that the layout shows
        area = layout.reportContext().currentGeometry(item.crs()) if cut.enabled() else QgsGeometry()
        if hiding and _is_covered(item, hiding):
            hidden.append((item, tr(
                "The map “{map}” cannot be seen, because it is covered by {items}. Move them, or put the map above "
                "them.", map=item.displayName(), items=list_quoted_names(
                    [str(other.displayName()) for other in hiding]))))
        elif window is not None and not _region(item, item.rect()).intersects(_region(window, window.rect())):
            hidden.append((item, tr(
                "The map “{map}” cannot be seen, because it is clipped to “{item}”, which lies beside it.",
                map=item.displayName(), item=window.displayName())))
        elif not area.isNull() and not cut.restrictToLayers() and not area.intersects(
                QgsGeometry.fromQPolygonF(item.visibleExtentPolygon())):
            hidden.append((item, tr(
                "The map “{map}” cannot be seen, because it is clipped to the feature of the atlas, which lies beside "
                "it.", map=item.displayName())))
        else:
            seen.update(layer.id() for layer in layers_drawn_by([item]))
    return [text for item, text in hidden if not seen.issuperset(layer.id() for layer in layers_drawn_by([item]))]


def _is_covered(item: QgsLayoutItemMap, above: Iterable[QgsLayoutItem]) -> bool:
    width, height = item.rect().width(), item.rect().height()
    left = _region(item, item.rect().adjusted(_UNCOVERED * width, _UNCOVERED * height,
                                              -_UNCOVERED * width, -_UNCOVERED * height))
    for other in above:
        left = left.subtracted(_region(other, other.rect()))
    return bool(left.isEmpty())


def _region(item: QgsLayoutItem, part: QRectF) -> QRegion:
    """Return where a part of an item lies, in tenths of a millimetre."""
    return QRegion(QTransform.fromScale(10, 10).map(item.mapToScene(part)).toPolygon())


def _is_opaque(item: QgsLayoutItem) -> bool:
    """Return whether nothing below an item is seen through it, as far as its own settings and its picture say."""
    properties = item.dataDefinedProperties()
    if item.itemOpacity() < 1 or item.blendMode() != QPainter.CompositionMode.CompositionMode_SourceOver or any(
            map(properties.isActive, (QgsLayoutObject.DataDefinedProperty.Opacity,
                                      QgsLayoutObject.DataDefinedProperty.BackgroundColor))):
        return False
    if item.hasBackground() and item.backgroundColor().alpha() == 255:
        return True
    if isinstance(item, QgsLayoutItemShape):
        symbol = item.symbol()
        return item.shapeType() == QgsLayoutItemShape.Shape.Rectangle and symbol.opacity() == 1 and any(
            isinstance(part, QgsSimpleFillSymbolLayer) and part.enabled() and part.fillColor().alpha() == 255
            and part.brushStyle() == Qt.BrushStyle.SolidPattern
            and not part.dataDefinedProperties().hasActiveProperties() for part in symbol.symbolLayers())
    if isinstance(item, QgsLayoutItemPicture):
        return _is_opaque_picture(item.evaluatedPath() or item.picturePath())
    return False


def _is_opaque_picture(path: str) -> bool:
    """Return whether a picture of this computer has no transparent part. The layout may be somebody else's."""
    try:
        image = image_from_bytes(read_regular(path, _MAX_PICTURE)) if is_local_path(path) else None
    except CartoguideError:
        return False
    return image is not None and not image.isNull() and all(
        image.pixelColor(x * image.width() // _SAMPLE, y * image.height() // _SAMPLE).alpha() == 255
        for x in range(_SAMPLE) for y in range(_SAMPLE))


def _is_at_time(layer: QgsMapLayer, item: QgsLayoutItemMap) -> bool:
    """Return whether a map draws a layer, or any that it is made of, for its time. QGIS leaves others out silently."""
    return not item.isTemporal() or any(
        part.temporalProperties() is None or part.temporalProperties().isVisibleInTemporalRange(item.temporalRange())
        for part in drawn_parts(layer))


def _snapshot_too_small(layer: QgsMapLayer, item: QgsLayoutItemMap) -> bool:
    """Return whether the layer shows a snapshot that ends within the map, so that the rest would be blank."""
    if not shows_snapshot(layer):
        return False
    shown = layout_items.visible_bounds(item).buffered(-item.extent().width() * _EDGE_TOLERANCE)
    transform = QgsCoordinateTransform(layer.crs(), item.crs(), item.layout().project())
    try:
        return not transform.transformBoundingBox(layer.extent()).contains(shown)
    except QgsCsException:
        return True


def _intersects_map(layer: QgsMapLayer, item: QgsLayoutItemMap) -> bool:
    """Return whether the layer's extent intersects the map's. True for a layer without an extent."""
    extent = QgsRectangle(layer.extent())
    sides = rectangle_box(extent)
    # versions of QGIS differ in what they give a layer without features
    if not any(sides) or not extent.isFinite() or sides.width < 0:
        return True
    if extent.isEmpty():
        # that of one point, or of a level line, is empty too for QGIS
        extent.grow(1e-7 * max(1.0, *map(abs, sides)))
    transform = QgsCoordinateTransform(layer.crs(), item.crs(), item.layout().project())
    try:
        return bool(transform.transformBoundingBox(extent).intersects(layout_items.visible_bounds(item)))
    except QgsCsException:
        return True


# -- layers whose completeness is not known. The issues of a map, the export and the algorithms all go by this


def layer_proof(layer: QgsMapLayer) -> SourceProof:
    """Return how it is known that ``layer`` is drawn completely. A layer made of others is known as its parts are."""
    proofs = {_own_proof(part, set()) for part in drawn_parts(layer)}
    if SourceProof.UNCHECKED in proofs:
        return SourceProof.UNCHECKED
    return SourceProof.WATCHED if SourceProof.WATCHED in proofs else SourceProof.LOCAL


def unchecked_layers(layers: Iterable[QgsMapLayer]) -> List[QgsMapLayer]:
    """Return those of ``layers`` that are not known to be complete."""
    return [layer for layer in layers if layer_proof(layer) is SourceProof.UNCHECKED]


def unchecked_names(layouts: Sequence[QgsLayout]) -> List[str]:
    """Return the names of the layers on the layouts' pages that are not known to be complete, each once."""
    found = {layer.id(): layer for layout in layouts
             for layer in as_drawn(layout, lambda layer: unchecked_layers([layer]))}
    # QGIS itself reads what is not on a map, whatever the maps draw from
    beside = [layer for layout in layouts for layer in layout_items.layers_beside_maps(layout)
              if layer_proof(layer) is not SourceProof.LOCAL]
    names = [*map(layer_label, beside), *([tr("online terrain")] if any(map(layout_items.has_online_terrain, layouts))
                                         else []),
             *(_picture_name(address) for layout in layouts for address in layout_items.web_contents(layout)),
             *(truncate(single_line(text), _MAX_EXPRESSION) for layout in layouts
               for text in layout_items.unknown_readings(layout))]
    shown = {layer.id(): layer for layout in layouts for layer in printed_map_layers(layout)}
    parts = pictured_names(layouts)
    parts += [tr("{page} (page that cannot be searched for maps)", page=bounded_title(single_line(name)))
              for layout in layouts for name in layout_items.unread_pages(layout)]
    parts += [left_out_text(layer) for layer in shown.values() if leaves_shapes_out(layer)]
    return list(dict.fromkeys([*map(layer_label, found.values()), *parts, *(
        tr("{layer} (outside of the maps)", layer=name) for name in names)]))


def pictured_names(layouts: Sequence[QgsLayout]) -> List[str]:
    """Return the names of the layers whose symbols or labels have pictures from the web, each once.

    Those that the features of a service choose are known once these have come, when the pages draw from them.
    """
    return list(dict.fromkeys(name for layout in layouts for name in as_drawn(layout, lambda layer: [
        tr("{layer} (pictures of its symbols)", layer=layer_label(layer))] if _web_pictures(layer) else [])))


def left_out_text(layer: QgsMapLayer) -> str:
    """Return the name of a layer that draws one kind of shapes of a file that has several, with which."""
    return {compat.point_geometry(): tr("{layer} (only its points are drawn)", layer=layer_label(layer)),
            compat.line_geometry(): tr("{layer} (only its lines are drawn)", layer=layer_label(layer))}.get(
        layer.geometryType(), tr("{layer} (only its areas are drawn)", layer=layer_label(layer)))


def _web_pictures(layer: QgsMapLayer) -> List[str]:
    """Return the addresses of the pictures from the web that a layer's symbols or labels are drawn with."""
    # what they refer to dies with the styles, settings and formats
    styles: List[QgsVectorTileBasicRendererStyle] = []
    symbols: List[QgsSymbol] = []
    settings: List[QgsPalLayerSettings] = []
    renderer = layer.renderer() if isinstance(layer, (QgsVectorLayer, QgsVectorTileLayer)) else None
    if isinstance(renderer, QgsVectorTileBasicRenderer):
        styles = renderer.styles()
        symbols = [style.symbol() for style in styles]
        labeling = layer.labeling()
        settings = [] if labeling is None else [style.labelSettings() for style in labeling.styles()]
    elif isinstance(layer, QgsVectorLayer) and renderer is not None:
        symbols, settings = renderer.symbols(QgsRenderContext()), label_settings(layer)
    notes = list(layer.items().values()) if isinstance(layer, QgsAnnotationLayer) else []
    symbols += [getattr(note, name)() for note in notes for name in _NOTE_SYMBOLS if hasattr(note, name)]
    pictures = [note.path() for note in notes if hasattr(note, "path")]
    # a service would be asked for its features here, unless the layer holds those that came
    readable = layer if isinstance(layer, QgsVectorLayer) and layer.isValid() and (
        layer.dataProvider().name() == "memory" or layer_proof(layer) is SourceProof.LOCAL) else None
    pictures += layout_items.symbol_pictures(symbols, readable)
    for one in settings:
        pictures += layout_items.label_pictures(one, readable)
    texts = [*settings, *(note for note in notes if hasattr(note, "format"))]
    pictures += layout_items.format_pictures(one.format() for one in texts)
    pictures += layout_items.html_pictures(*(note.text() for note in notes if hasattr(note, "text")
                                             and note.format().allowHtmlFormatting()))
    return list(filter(is_web_address, pictures))


def layer_label(layer: QgsMapLayer) -> str:
    """Return the layer's name for a sentence: on one line, of bounded length."""
    return bounded_title(single_line(layer.name()))


def unchecked_text(names: Sequence[str]) -> str:
    """Return the sentence about the layers with these names, or "" without any."""
    if not names:
        return ""
    return tr("The completeness of these layers was not checked: {layers}.",
              layers=list_quoted_names(names, len(names)))


def _own_proof(layer: QgsMapLayer, visited: Set[str]) -> SourceProof:
    """Return the proof of a single layer, not of a group. ``visited`` are the layers that read it."""
    source, visited = drawn_source(layer), visited | {layer.id()}
    read = sources_read_by(layer)
    if source.type is SourceType.VIRTUAL:
        own = SourceProof.LOCAL if read.queried or read.embedded else SourceProof.UNCHECKED
    else:
        own = kind_of(source).proof(source)
        if own is SourceProof.WATCHED and not is_fetched(layer):
            # a query of its own for example, which is not asked here
            own = SourceProof.UNCHECKED
    # one that is missing, or reads itself, is not known to be complete
    are_local = all(kind_of(part).proof(part) is SourceProof.LOCAL for part in read.embedded) and all(
        part is not None and part.id() not in visited and _own_proof(part, visited) is SourceProof.LOCAL
        for part in (*read.queried, *read.joined, *read.named))
    return own if are_local else SourceProof.UNCHECKED
