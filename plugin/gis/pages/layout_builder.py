"""Build a print layout from a plan and its layers: a template is loaded and its items are filled by id."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any, Collection, Dict, Generator, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    Qgis,
    QgsExpressionContextUtils,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QFont

from ...core.cooperative_yield import run_to_end, steps_within
from ...core.custommap.legend.tree import is_in_legend
from ...core.custommap.model import LayerPlan, MapRole, Orientation, OwnLayer, PageSetup, Plan
from ...core.custommap.moments import plan_multiples
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.json_document import stored_list, stored_object
from ...core.numbers import format_scale
from ...core.page_design.type_scale import MIN_CREDIT, TextRole
from ...core.preflight.ground import ground_notes
from ...core.terms.paper_gate import credit_for_paper
from ...core.text import (
    MAX_SHOWN,
    MAX_TITLE,
    bounded_title,
    inert,
    printable,
    single_line,
    truncate,
    truncate_words,
    with_short_paragraphs,
    without_direction_marks,
)
from ...core.wms.dimensions.time_series import TimeSeriesEntry
from ...core.wms.requests.symbol_size import layer_symbol_factor
from ..credits import expression_functions, layer_credits, map_credits
from ..credits.layer_credits import annotations_of, is_data_defined
from ..credits.layer_metadata import is_drawn_at, is_outline
from ..credits.map_phrases import long_date, map_phrase, moment_text
from ..layouts import dynamic_labels, layout_items, qgis_server_entries, templates, text_fitting
from ..layouts.locator_map import fill_locator_map
from ..layouts.map_frame import MapFrame, frame_corners, set_frame, set_map_time
from ..layouts.map_grids import labels_with_qgis_scale, set_grids, set_scale_bar
from ..layouts.page_theme import apply_theme
from ..layouts.symbol_size import symbol_factor
from ..layouts.template_loading import is_foreign, loading_steps, template_notes
from ..legends.legend_graphics import FetchedLegends, is_visible_at, legend_key
from ..own_layers.references import find_layer, layers_in_drawing_order, visible_layers_in_order
from ..runtime import compat, page_fonts
from ..runtime.compat import enum_value
from . import layout_legend, overflow_page
from .frame_cut import cut_frame
from .ground import filling_layers, show_ground
from .layout_feature import PageBuilding
from .layout_legend import filling_steps
from .logos import LOGO_PREFIX
from .page_features import FEATURES
from .technical_sheet import abstract_text, spread_location

#: largest share of the legend's height for a note that has no room in its own place
_NOTE_SHARE = 0.85
#: millimetres by which items one above the other may touch
_TOUCH = 0.1
_LEGEND_STATE = "cartoguide/legend"
_LEGENDS_AWAITED, _LEGENDS_SET = "pending", "complete"
#: the state as former versions saved it
_FORMER_AWAITED = "wanted"
_MISSING_LEGENDS, _UNOFFERED_LEGENDS = "cartoguide/lacking-legends", "cartoguide/unoffered-legends"
#: notes on what the issues of the map say too, as JSON
_ISSUES = "cartoguide/issues"
#: ids of the background layers of each map of the page, as JSON
_BACKGROUNDS = "cartoguide/backgrounds"
#: least millimetres on A4 between the paper's edge and a title of two lines that has the place of its subtitle too
_TITLE_MARGIN = 1.5
_HEADINGS = ("legend", "location", "credits", "terms", "sources", "abstract", "facts", "table")


@dataclass(frozen=True)
class ServiceRequirement:
    """Layers and credits of one service that a finished map must show.

    ``layers`` are layer ids, "" for one that could not be made. The fields are saved in the layout as JSON.
    """

    title: str
    layers: Sequence[str]
    names: Sequence[str]
    credits: Sequence[str]


def build_layout(project: QgsProject, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], *,
                 legends: Optional[FetchedLegends] = None, name: str = "",
                 today: Optional[date] = None) -> QgsPrintLayout:
    """Build a layout of ``plan`` from its template and add it to the project, replacing one that nobody has edited.

    ``layers`` are the QGIS layers of ``plan.layers`` in the same order, None for one that could not be made. All are in
    the project, as are the plan's own layers. ``legends`` are from ``legend_graphics.fetch_legends``. Without them the
    legend stays empty. Items that the template lacks, and other decisions, are listed in ``layout_notes``. Raises
    CartoguideError if the template cannot be read or has no map, or if the map's area or CRS cannot be used.
    """
    layout = run_to_end(building_steps(project, plan, layers, today=today))
    if legends is not None:
        set_legends(layout, plan, [_valid(layer) for layer in layers], legends)
    # in the designer Undo takes back what a person did, not the page itself
    layout.undoStack().stack().clear()
    _add_to_project(project, layout, name or plan.title or "Cartoguide")
    qgis_server_entries.save_getprint_query(layout)
    qgis_server_entries.update_server_entries(project, plan.language)
    return layout


def building_steps(project: QgsProject, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], *,
                   today: Optional[date] = None,
                   outline_project: Optional[QgsProject] = None) -> Generator[None, None, QgsPrintLayout]:
    """Build a layout as ``build_layout`` does, without legends, and pause between short steps.

    The layout is returned at the end, and is not added to the project. With ``outline_project`` it is for a look only:
    that project gets the layers of the location map, and the labels work with the plugin alone.
    """
    path = _template_path(plan.page)
    # expressions of labels and legend check for the plugin, which is loaded in scripts as well
    expression_functions.register()
    layout = yield from loading_steps(project, path, agreed_file=plan.page.agreed_file)
    yield
    item = layout_items.main_map(layout)
    if item is None:
        raise CartoguideError(tr("The template {name} has no map item with the id “map”. Give its map that id.",
                                 name=path.name))
    # each change of the stacking would save every item for Undo
    layout.undoStack().blockCommands(True)
    issues = template_notes(layout)
    notes = [
        tr("The template has no item “{id}”, so it is left out of the map.", id=missing)
        for missing in layout_items.missing_items(layout)
    ]
    text_fitting.use_installed_styles(layout)
    if not plan.is_title_given:
        notes.append(tr("The map has no title, so it is called “{title}”. Give it one.", title=plan.title))
    notes.extend(apply_theme(layout, plan.page.theme))
    for feature in FEATURES:
        if feature.room is not None:
            feature.room.share(layout, plan.page, bool(map_credits.visible_services(plan)))
    usable, area = [_valid(layer) for layer in layers], None
    drawable = visible_layers_in_order(plan, usable, project)
    give_foot_to_map(layout, plan.page, (yield from _foot_of_layers(drawable, plan.language)))
    for feature in FEATURES:
        if feature.arrange is not None:
            plan, arranged_area, arranged = feature.arrange(layout, plan, project)
            area = arranged_area or area
            notes.extend(arranged)
    plan, area = cut_frame(layout, plan, project, area)
    frame = set_frame(item, plan, project, area)
    drawn = visible_layers_in_order(plan, usable, project)
    item.setLayers(drawn[::-1])
    item.setKeepLayerSet(True)
    _limit_other_maps(layout, plan, drawn, all_of_them=is_foreign(path))
    set_map_time(item, plan)
    yield
    layout.setReferenceMap(item)
    QgsExpressionContextUtils.setLayoutVariable(layout, expression_functions.LANGUAGE_VARIABLE, plan.language)
    set_scale_bar(layout, frame, plan.language)
    kilometre_crs = set_grids(layout, frame, plan.language, outline_project or project)
    notes.extend(labels_with_qgis_scale(layout, frame))
    today = today or datetime.now().astimezone().date()
    page = PageBuilding(layout, item, plan, usable, frame, outline_project or project, today, kilometre_crs)
    show_ground(page)
    for feature in FEATURES:
        if feature.fill is not None:
            notes.extend(feature.fill(page))
            yield
    dynamic_labels.bind_labels(layout, _available_layers(project, drawn), plan.language,
                               only_with_plugin=outline_project is not None)
    # the labels measured here hold the functions' texts, in a project that is not QGIS's open one too
    notes.extend((yield from steps_within(partial(expression_functions.extra_project, project),
                                          _fill_texts(layout, plan, today))))
    yield
    for feature in FEATURES:
        if feature.fill_rest is not None:
            notes.extend(feature.fill_rest(page))
            yield
    notes.extend(note for note in (fill_locator_map(layout, outline_project or project, frame),) if note)
    corners = frame_corners(item, project)
    if corners is not None:
        issues += ground_notes(plan, frame.scale, corners, filling_layers(plan.own_layers, project, corners))
    issues += [*_hidden_by_scale_notes(plan, frame, project), *_substituted_fonts(layout, plan)]
    layout_items.set_notes(layout, [*issues, *notes])
    layout.setCustomProperty(_ISSUES, json.dumps(issues))
    layout.setCustomProperty(layout_items.REQUIREMENTS, json.dumps(_requirements(plan, usable, project)))
    layout.setCustomProperty(layout_items.MOMENTS, json.dumps(
        {layer.id(): moment for layer, moment in (*zip(usable, _shown_moments(layout, plan)), *(
            (layer, own.moment) for own, layer in layers_in_drawing_order(plan, (), project)
            if isinstance(own, OwnLayer) and own.visible)) if layer and moment}))
    layout.setCustomProperty(_BACKGROUNDS, json.dumps(
        {map_item.id(): ids for map_item in layout_items.items_of_type(layout, QgsLayoutItemMap)
         if (ids := [layer.id() for layer in map_item.layers() if is_outline(layer)])}))
    layout.setCustomProperty(_LEGEND_STATE, _LEGENDS_AWAITED)
    # for QGIS's own export: keep text as text
    layout.setCustomProperty("pdfTextFormat", enum_value(Qgis.TextRenderFormat.AlwaysText))
    layout.undoStack().blockCommands(False)
    return layout


def _shown_moments(layout: QgsPrintLayout, plan: Plan) -> List[str]:
    """Return what the page shows of time of each of the plan's layers (ISO 8601), on small maps as an interval."""
    on_small_maps = _shown_on_small_maps(layout, plan) if not plan.moment_title else ()
    ends = "/".join(_first_and_last(plan)) if on_small_maps else ""
    return ["" if not layer.visible else ends if number in on_small_maps and layer.time_extent else
            layer.moment for number, layer in enumerate(plan.layers)]


def _limit_other_maps(layout: QgsPrintLayout, plan: Plan, drawn: Sequence[QgsMapLayer], all_of_them: bool) -> None:
    """Let maps of the template that Cartoguide does not fill draw the map's layers.

    These are those whose theme or layers the project lacks, and all maps of somebody else's template. Else they would
    draw all that is visible in the project.
    """
    filled = {item.uuid() for item in (*layout_items.map_items(layout), layout.itemById(layout_items.GRID),
                                       layout.itemById(layout_items.INSET)) if item is not None}
    for other in layout_items.items_of_type(layout, QgsLayoutItemMap):
        if other.uuid() not in filled and (all_of_them or _lacks_layers(other)):
            other.setFollowVisibilityPreset(False)
            other.setLayers(drawn[::-1])
            other.setKeepLayerSet(True)
            set_map_time(other, plan)
            # without any layer QGIS draws those of the project
            other.setVisibility(other.isVisible() and bool(drawn))


def _lacks_layers(item: QgsLayoutItemMap) -> bool:
    """Return whether a map follows a theme that its project lacks, or is locked to layers of which it has none."""
    if is_data_defined(item):
        return False
    themes = item.layout().project().mapThemeCollection()
    return not themes.hasMapTheme(item.followVisibilityPresetName()) if item.followVisibilityPreset() else bool(
        item.keepLayerSet() and not item.layers())


def _valid(layer: Optional[QgsMapLayer]) -> Optional[QgsMapLayer]:
    """Return the layer if it can be drawn. It may have been removed while the layout was built."""
    return layer if layer is not None and not sip.isdeleted(layer) and layer.isValid() else None


def set_legends(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                legends: FetchedLegends) -> None:
    """Fill the legend of a layout that was built without, and add notes about missing legends.

    The legend is saved as an image too, for programs without the plugin.
    """
    run_to_end(legend_steps(layout, plan, layers, legends))
    layout_legend.save_legend_image(layout)
    layout.setCustomProperty(_LEGEND_STATE, _LEGENDS_SET)


def legend_steps(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                 legends: FetchedLegends) -> Generator[None, None, None]:
    """Fill the legend as ``set_legends`` does, for a look only, and pause between short steps."""
    item = layout_items.main_map(layout)
    notes = layout_items.layout_notes(layout)
    # legends take a while, and layers may have been removed
    layers = [None if layer is None or sip.isdeleted(layer) else layer for layer in layers]
    if item is not None:
        legend_plan, shown = plan, layers
        shared = _legend_plans(layout, plan)
        if shared is not None:
            plans_by_key = {legend_key(member): member for member in shared}
            pairs = [(plans_by_key[legend_key(layer_plan)], layer) for layer_plan, layer in zip(plan.layers, layers)
                     if legend_key(layer_plan) in plans_by_key]
            series = {legend_key(plan.layers[number])
                      for number in plan.varying_layers or plan_multiples(plan).varying_layers}
            legend_plan = replace(plan, layers=tuple(layer_plan for layer_plan, _ in pairs), varying_layers=tuple(
                number for number, (layer_plan, _) in enumerate(pairs) if legend_key(layer_plan) in series))
            shown = [layer for _, layer in pairs]
        notes += yield from filling_steps(layout, legend_plan, shown, legends, item.scale())
        spread_location(layout, plan.page)
    layout_items.set_notes(layout, notes)
    layout.setCustomProperty(_MISSING_LEGENDS, json.dumps(legends.missing))
    layout.setCustomProperty(_UNOFFERED_LEGENDS, json.dumps(legends.unoffered))


def _legend_plans(layout: QgsPrintLayout, plan: Plan) -> Optional[Sequence[LayerPlan]]:
    """Return the layers that a feature of the page has in the legend, None for those of the plan."""
    found = (feature.legend_plans(layout, plan) for feature in FEATURES if feature.legend_plans is not None)
    return next((plans for plans in found if plans is not None), None)


def legend_layers(layout: QgsPrintLayout, plan: Plan) -> Sequence[LayerPlan]:
    """Return the layers whose legends the layout shows, without those hidden in it."""
    shared = _legend_plans(layout, plan)
    factor, scale = symbol_factor(layout), layout_items.map_scale(layout)
    return [replace(layer, symbol_factor=layer_symbol_factor(factor, scale, layer.scale_range))
            if layer.snapshot_source is None else layer
            for layer in (plan.layers if shared is None else shared) if is_in_legend(plan, layer)]


def awaits_legends(layout: QgsPrintLayout) -> bool:
    """Return whether the layout was built without its legends and has an item for them."""
    is_awaited = layout.customProperty(_LEGEND_STATE) in (_LEGENDS_AWAITED, _FORMER_AWAITED)
    return bool(is_awaited) and layout.itemById(layout_items.LEGEND) is not None


def missing_legends(layout: QgsPrintLayout) -> List[str]:
    """Return notes on legends that services advertise and that could not be fetched.

    Empty if the layout shows no legend.
    """
    return _legend_notes(layout, _MISSING_LEGENDS)


def unoffered_legends(layout: QgsPrintLayout) -> List[str]:
    """Return notes on legends that could not be fetched, and that their services do not advertise.

    The page is printed without them. Empty if the layout shows no legend.
    """
    return _legend_notes(layout, _UNOFFERED_LEGENDS)


def _legend_notes(layout: QgsPrintLayout, name: str) -> List[str]:
    item = layout.itemById(layout_items.LEGEND)
    if item is None or not layout_items.is_exported(item):
        return []
    return [note for note in stored_list(layout.customProperty(name)) if isinstance(note, str)]


def notes_of_page(layout: QgsPrintLayout) -> List[str]:
    """Return the layout's notes without those on what the issues of its map say in their own words."""
    said = {*issues_of_page(layout), *missing_legends(layout)}
    return [note for note in layout_items.layout_notes(layout) if note not in said]


def issues_of_page(layout: QgsPrintLayout) -> List[str]:
    """Return the layout's notes that say what the issues of its map say too."""
    return [note for note in stored_list(layout.customProperty(_ISSUES)) if isinstance(note, str)]


def background_layers(layout: QgsPrintLayout) -> Dict[str, List[str]]:
    """Return the ids of the background layers that each map item was given, by the item's id: outlines, and no layer.

    Empty for a layout that Cartoguide has not built.
    """
    stored = stored_object(layout.customProperty(_BACKGROUNDS))
    return {name: [layer_id for layer_id in ids if isinstance(layer_id, str)] for name, ids in stored.items()
            if isinstance(ids, list)}


def is_built(layout: QgsPrintLayout) -> bool:
    return bool(layout.customProperty(_LEGEND_STATE))


def _substituted_fonts(layout: QgsPrintLayout, plan: Plan) -> List[str]:
    """Return a note on each font that credits are drawn with because the page's own lacks their letters."""
    label = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    if label is None:
        return []
    lines = [*(line for layer in plan.layers if layer.visible for line in layer.rights),
             *(own.credit for own in plan.own_layers if own.visible)]
    return substituted_font_notes("".join(lines), compat.label_font(label))


def substituted_font_notes(text: str, font: QFont) -> List[str]:
    """Return a note on each installed font with which letters of ``text`` are drawn because ``font`` lacks them."""
    return [tr("The page's font {font} lacks the letters {letters} of the credits. They are drawn with {other}.",
               font=font.family(), letters=page_fonts.listed_letters(letters), other=family)
            for family, letters in page_fonts.substituted_letters(text, font).items()]


def _available_layers(project: QgsProject, drawn: Sequence[QgsMapLayer]) -> List[QgsMapLayer]:
    """Return the layers on the map and all others of the project, which a theme or a person may show."""
    layers = (*annotations_of(project), *drawn, *project.mapLayers().values())
    return list({layer.id(): layer for layer in layers}.values())


def _template_path(page: PageSetup) -> Path:
    """Return the page's template file. Raises CartoguideError if the plugin has none for this paper."""
    path = templates.template_path(page)
    if not path.is_file() and not templates.is_user_template(page.template):
        turned = tr("Landscape") if page.orientation is Orientation.LANDSCAPE else tr("Portrait")
        raise CartoguideError(tr("There is no template “{name}” for {paper} {orientation}. Choose another paper or "
                                 "template.", name=page.template, paper=page.paper, orientation=turned.lower()),
                              path.name)
    return path


def layout_requirements(layout: QgsPrintLayout) -> List[ServiceRequirement]:
    """Return the requirements of each service on the map, empty for a layout not built by Cartoguide."""
    saved = layout.customProperty(layout_items.REQUIREMENTS) or layout.customProperty(layout_items.FORMER_REQUIREMENTS)
    return [ServiceRequirement(str(item.get("title", "")), *(
        [text for text in item[name] if isinstance(text, str)] if isinstance(item.get(name), list) else []
        for name in ("layers", "names", "credits")))
            for item in stored_list(saved) if isinstance(item, dict)]


def _requirements(plan: Plan, layers: Sequence[Optional[QgsMapLayer]], project: QgsProject) -> List[Dict[str, Any]]:
    """Return the plan's requirements in the form saved in the layout, so that a reopened project can be checked."""
    by_plan = {id(layer_plan): layer for layer_plan, layer in zip(plan.layers, layers)}
    requirements = []
    for service in map_credits.visible_services(plan):
        service_layers = [by_plan[id(layer_plan)] for layer_plan in service.layers]
        requirements.append({"title": service.title_in_window,
                             "layers": [layer.id() if layer is not None else "" for layer in service_layers],
                             "names": [layer_plan.label for layer_plan in service.layers],
                             "credits": list(service.credits)})
    for own, layer in layers_in_drawing_order(plan, (), project):
        if isinstance(own, OwnLayer) and own.visible:
            requirements.append({"title": own.name, "layers": [layer.id() if layer is not None else ""],
                                 "names": [own.name], "credits": list(credit_for_paper((own.credit,)).lines)})
    requirements.extend({"title": note.text, "layers": [""], "names": [""], "credits": []} for note in plan.notes
                        if note.is_missing)
    return requirements


def _fill_texts(layout: QgsPrintLayout, plan: Plan, today: date) -> Generator[None, None, List[str]]:
    """Fill titles, headings, credits, terms and sources, and pause between them.

    Return notes on texts that do not fit.
    """
    on_small_maps = _shown_on_small_maps(layout, plan)
    moments = map_credits.moments_text(plan, on_small_maps)
    if on_small_maps and not plan.moment_title:
        # their headings lack the year where it is the same
        played = " – ".join(moment_text(plan.language, moment) for moment in _first_and_last(plan))
        moments = _joined(played, moments)
    # a day on a leaflet's cover would be taken for that of the leaflet
    has_cover = layout_items.has_leaflet_texts(layout)
    has_subtitle = layout_items.find_item(layout, layout_items.SUBTITLE, QgsLayoutItemLabel) is not None
    texts = {
        # before the title, which has its place too where it is empty
        layout_items.SUBTITLE: _cover_line(layout, plan) if has_cover else moments,
        layout_items.TITLE: _joined(bounded_title(plan.title), "" if has_subtitle else moments),
        layout_items.ABSTRACT: with_short_paragraphs(truncate(abstract_text(plan), MAX_SHOWN)),
        layout_items.FOOT: _joined(bounded_title(plan.title), moments),
        layout_items.COLOPHON: map_phrase(plan.language, "colophon", date=long_date(plan.language, today))
    }
    texts.update({layout_items.HEADING_PREFIX + heading: map_phrase(plan.language, heading) for heading in _HEADINGS})
    if has_cover:
        # the leaflet's texts share the room of all of them
        del texts[layout_items.ABSTRACT]
    texts[layout_items.HEADING_PREFIX + "sources"] = map_credits.sources_heading(plan, today)
    for item_id, text in texts.items():
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            label.setText(inert(text))
    template_styles, sizes = overflow_page.label_styles(layout), _text_sizes(layout)
    evaluated = yield from _evaluated_texts(layout)
    _show_headings(layout, evaluated)
    if templates.may_have_more_pages(plan.page):
        share_foot(layout, evaluated)
    unfit = []
    for item_id in (*texts, *dynamic_labels.LABEL_FUNCTIONS, layout_items.PROJECTION, layout_items.FIELD_NOTE):
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            if item_id in dynamic_labels.LABEL_FUNCTIONS:
                fits = yield from _fitting_steps(layout, label, item_id, evaluated[item_id])
            else:
                fits = _fit_subtitle(label) if item_id == layout_items.SUBTITLE else _fit_label(layout, label, item_id)
            if not fits or item_id == layout_items.TITLE and len(plan.title) > MAX_TITLE:
                unfit.append(item_id)
    notes = []
    if templates.may_have_more_pages(plan.page) and any(item_id in template_styles for item_id in unfit):
        if not (yield from _row_steps(layout)):
            notes = yield from _move_steps(layout, plan.language, template_styles)
        unfit = [item_id for item_id in unfit if item_id not in template_styles]
        for item_id in template_styles:
            heading = layout_items.HEADING_PREFIX + item_id
            label = layout_items.find_item(layout, heading, QgsLayoutItemLabel)
            if label is not None:
                # it was cut to its former place
                label.setText(inert(texts[heading]))
                text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))
                text_fitting.cut_to_fit(label)
                if heading in unfit and label.text() == inert(texts[heading]):
                    unfit.remove(heading)
    _share_sizes(layout, sizes)
    return notes + [tr("The text “{id}” is too long for its space on the page.", id=item_id) for item_id in unfit]


def fit_changed_credits(layout: QgsPrintLayout) -> None:
    """Make credits, terms and sources fit that became longer since the page was built."""
    evaluated = run_to_end(_evaluated_texts(layout))
    _show_headings(layout, evaluated)
    labels = [layout_items.find_item(layout, item_id, QgsLayoutItemLabel) for item_id in dynamic_labels.LABEL_FUNCTIONS]
    if not any(label is not None and text_fitting.label_overflows(label) for label in labels):
        return
    sizes = _text_sizes(layout)
    share_foot(layout, evaluated)
    for item_id, label in zip(dynamic_labels.LABEL_FUNCTIONS, labels):
        if label is not None and text_fitting.label_overflows(label):
            run_to_end(_fitting_steps(layout, label, item_id, evaluated[item_id]))
    _share_sizes(layout, sizes)


def _text_sizes(layout: QgsPrintLayout) -> Dict[str, float]:
    """Return the points of headings, and of credits, terms and sources, by the ids of their labels."""
    return {label.id(): float(compat.label_font(label).pointSizeF())
            for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)
            if text_fitting.role_of(label.id()) in (TextRole.HEADING, TextRole.CREDITS)}


def _share_sizes(layout: QgsPrintLayout, sizes: Mapping[str, float]) -> None:
    """Give texts of one kind on a page one size, which they had before (``sizes``) each was fitted to its place."""
    alike: Dict[Tuple[TextRole, int, float], List[QgsLayoutItemLabel]] = {}
    for item_id, points in sizes.items():
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None and label.isVisible() and label.text():
            alike.setdefault((text_fitting.role_of(item_id), label.page(), points), []).append(label)
    for labels in alike.values():
        text_fitting.share_smallest_size(labels)


def _evaluated_texts(layout: QgsPrintLayout) -> Generator[None, None, Dict[str, str]]:
    """Return what the texts with headings say, by the ids of their labels, and pause after the evaluation of each.

    With many layers each takes some ten milliseconds.
    """
    evaluated: Dict[str, str] = {}
    for item_id in (layout_items.ABSTRACT, *dynamic_labels.LABEL_FUNCTIONS):
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            evaluated[item_id] = label.currentText()
            yield
    return evaluated


def _show_headings(layout: QgsPrintLayout, evaluated: Mapping[str, str]) -> None:
    """Show the headings of those texts that say something: a map of own layers may have neither terms nor sources."""
    if not layout_items.has_leaflet_texts(layout):
        for item_id, text in evaluated.items():
            layout_items.show_heading(layout, item_id, bool(text.strip()))


def _fit_label(layout: QgsPrintLayout, label: QgsLayoutItemLabel, item_id: str) -> bool:
    font, least = QFont(compat.label_font(label)), text_fitting.least_label_points(label)
    if item_id == layout_items.PROJECTION:
        text_fitting.keep_codes_whole(label)
        text_fitting.shrink_to_fit(label, least)
        # smaller letters break elsewhere
        text_fitting.keep_codes_whole(label)
    fits = text_fitting.shrink_to_fit(label, least)
    if not fits and item_id == layout_items.FIELD_NOTE:
        compat.set_label_font(label, font)
        fits = _take_room_of_legend(layout, label)
    elif not fits and item_id == layout_items.FOOT:
        compat.set_label_font(label, font)
        fits = _grow_below_legend(layout, label)
    text_fitting.cut_to_fit(label)
    if item_id == layout_items.TITLE:
        text_fitting.balance_lines(label)
    return fits


def _fitting_steps(layout: QgsPrintLayout, label: QgsLayoutItemLabel, item_id: str,
                   text: str) -> Generator[None, None, bool]:
    """Make credits, terms or sources, which say ``text``, fit, and pause after each further evaluation.

    Addresses are broken only if a smaller font does not help.
    """
    font, min_size = QFont(compat.label_font(label)), text_fitting.least_label_points(label)
    fits = text_fitting.shrink_to_fit(label, min_size, text)
    if not fits:
        text_fitting.extend_down(label, _obstacles(layout))
        compat.set_label_font(label, font)
        fits = dynamic_labels.fit_broken(label, layout, item_id, min_size)
        yield
    if not fits and item_id == layout_items.CREDITS:
        # credits in one paragraph take less room than one line each
        compat.set_label_font(label, font)
        fits = dynamic_labels.fit_broken(label, layout, item_id, min_size, on_one_line=True)
        yield
    return fits


def _obstacles(layout: QgsPrintLayout) -> List[QgsLayoutItem]:
    """Return what a text that is extended downwards meets, after lines of text were made no wider than they need."""
    for item_id in (layout_items.COLOPHON, layout_items.PROJECTION):
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            text_fitting.narrow_to_text(label)
    return [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
            if item.id() and not isinstance(item, QgsLayoutItemPage)]


def _take_room_of_legend(layout: QgsPrintLayout, label: QgsLayoutItemLabel) -> bool:
    """Put a label that is too large for its place at the foot of the legend's, and return whether it fits there.

    The legend goes to an extra page where the rest is too small for it.
    """
    legend = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if legend is None or legend.page() != label.page():
        return False
    width, height = legend.rect().width(), legend.rect().height()
    gap = 2.0 * text_fitting.space_factor(layout)
    needed = text_fitting.text_height(label.currentText(), compat.label_font(label),
                                      width - 2 * label.marginX()) + 2 * label.marginY() + 0.5
    if needed + gap > _NOTE_SHARE * height:
        return False
    corner = legend.pos()
    legend.attemptResize(QgsLayoutSize(width, height - needed - gap))
    label.attemptResize(QgsLayoutSize(width, needed))
    label.attemptMove(QgsLayoutPoint(corner.x(), corner.y() + height - needed), True, False)
    return text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))


def _grow_below_legend(layout: QgsPrintLayout, label: QgsLayoutItemLabel) -> bool:
    """Let a label grow upwards with all that stands between it and the legend, and return whether its text fits then.
    """
    legend = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    bounds, height = label.sceneBoundingRect(), label.rect().height()
    more = text_fitting.text_height(label.currentText(), compat.label_font(label), bounds.width() - 2 * label.marginX()
                                    ) + 2 * label.marginY() + 0.5 - height
    if legend is None or legend.page() != label.page() or more > (1 - _NOTE_SHARE) * legend.rect().height():
        return False
    place = legend.sceneBoundingRect()
    for item in layout_items.items_of_type(layout, QgsLayoutItem):
        at = item.sceneBoundingRect()
        if item is label or at.top() >= place.bottom() and at.bottom() <= bounds.top() + _TOUCH and (
                at.left() < bounds.right() and at.right() > bounds.left()):
            item.attemptMoveBy(0, -more)
    legend.attemptResize(QgsLayoutSize(place.width(), place.height() - more))
    label.attemptResize(QgsLayoutSize(bounds.width(), height + more))
    return text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))


def _joined(*texts: str) -> str:
    return map_credits.SEPARATOR.join(filter(None, texts))


def _shown_on_small_maps(layout: QgsPrintLayout, plan: Plan) -> Collection[int]:
    """Return the indexes of the layers whose time stands above each map of the page."""
    if plan.moment_title:
        return plan.varying_layers
    if len(layout_items.map_items(layout)) < 2:
        return ()
    multiples = plan_multiples(plan)
    timed = {number for number, layer in enumerate(plan.layers) if layer.time_extent}
    return {*multiples.varying_layers, *(timed if any(panel.time_span for panel in multiples.panels) else ())}


def _first_and_last(plan: Plan) -> List[str]:
    """Return the moments of the first and the last small map (ISO 8601), once if they are the same."""
    spans = [panel.time_span for panel in plan_multiples(plan).panels if panel.time_span is not None]
    return list(dict.fromkeys(TimeSeriesEntry("", "", *span).moment for span in (*spans[:1], *spans[-1:])))


def _cover_line(layout: QgsPrintLayout, plan: Plan) -> str:
    """Return whose data the base of a leaflet is, for its cover. Empty beside logos, which say who publishes it."""
    if any(item.id().startswith(LOGO_PREFIX) for item in layout_items.items_of_type(layout, QgsLayoutItemPicture)):
        return ""
    names = (str(person.get("organisation") or "") for layer in plan.layers if layer.role is MapRole.BASE
             for person in layer.contacts)
    name = next(filter(None, (single_line(without_direction_marks(printable(name))) for name in names)), "")
    return map_phrase(plan.language, "table_data", credits=truncate_words(name, MAX_SHOWN)) if name else ""


def _fit_subtitle(label: QgsLayoutItemLabel) -> bool:
    """Fit what the map shows of time into the line below the title. Without any the title has its place."""
    if label.text():
        fits = text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))
        text_fitting.cut_to_fit(label)
        return fits
    title = layout_items.find_item(label.layout(), layout_items.TITLE, QgsLayoutItemLabel)
    if title is not None and title.page() == label.page() and title.vAlign() == Qt.AlignmentFlag.AlignVCenter:
        bottom = label.pagePos().y() + label.rect().height()
        title.attemptResize(QgsLayoutSize(title.rect().width(), bottom - title.pagePos().y()))
        # for a title of two lines
        title.setMarginY(max(0.0, _TITLE_MARGIN * text_fitting.space_factor(label.layout()) - title.pagePos().y()))
        # the title's letters would else be read as those of the empty label that they lie on
        label.setVisibility(False)
    return True


def _hidden_by_scale_notes(plan: Plan, frame: MapFrame, project: QgsProject) -> List[str]:
    names = [layer.label for layer in plan.layers if layer.visible and not is_visible_at(layer, frame.nominal_scale)]
    own_layers = ((own, find_layer(project, own)) for own in plan.own_layers if own.visible)
    names += [own.name for own, layer in own_layers
              if layer is not None and not is_drawn_at(layer, frame.nominal_scale)]
    return [tr("“{layer}” is not drawn at {scale}: it is made for other scales.", layer=name,
               scale=format_scale(frame.scale)) for name in names]


def _add_to_project(project: QgsProject, layout: QgsPrintLayout, name: str) -> None:
    """Add a layout under the first of ``name``, ``name (2)`` … that no layout has which a person made or edited."""
    manager = project.layoutManager()
    free = next(free for free in layout_items.layout_names(name)
                if layout_items.is_as_built(manager.layoutByName(free)))
    former = manager.layoutByName(free)
    if former is not None:
        manager.removeLayout(former)
    layout.setName(free)
    layout_items.note_as_built(layout, name)
    manager.addLayout(layout)


_NAMES = (layout_items.CREDITS, layout_items.TERMS, layout_items.SOURCES)
#: millimetres by which the tops of columns that stand side by side may differ
_SAME_TOP = 1.0
#: steps in which the width is shared out, and the least share of a column
_STEPS, _LEAST = 40, 6
#: millimetres that no page has
_NO_ROOM = 10_000.0
#: attempts to share out the foot, after each of which a text that has no room counts a line more
_ATTEMPTS = 4
#: part of a line that a part of an address leaves free where it is broken
_BROKEN = 1.12


#: bundled templates with a foot below the map, which takes the height that the foot's texts do not need
_FOOT_TEMPLATES = ("guide", "sheet", "field")
#: part of a line that is kept free below the estimated lines of the foot, and least millimetres on A4 for the map
_SPARE_LINE, _LEAST_GAIN = 0.6, 1.5
#: ids of what is looked at for that, and beginnings of ids
FOOT_NEEDS = (*_NAMES, *(layout_items.HEADING_PREFIX + name for name in _NAMES), layout_items.SCALEBAR,
              layout_items.SCALE_TEXT, layout_items.NORTH_ARROW)
#: the height in millimetres that the template gives its map
_TEMPLATE_HEIGHT = "cartoguide/template_height"


def foot_of_plan(plan: Plan) -> Dict[str, str]:
    """Return what the foot of the page will say of the plan, by the ids of its labels, before there are layers."""
    lines = [*(line for service in map_credits.visible_services(plan) for line in service.credits),
             *(own.credit for own in plan.own_layers if own.visible)]
    return {layout_items.CREDITS: "\n".join(dict.fromkeys(lines)),
            layout_items.TERMS: map_credits.terms_statement(plan),
            layout_items.SOURCES: map_credits.sources_statement(plan)}


def _foot_of_layers(layers: Sequence[QgsMapLayer], language: str) -> Generator[None, None, Dict[str, str]]:
    """Return what the foot says of the layers, with a pause after each text: each reads all layers."""
    texts = {layout_items.CREDITS: layer_credits.credits_text(layers)}
    yield
    texts[layout_items.TERMS] = layer_credits.terms_text(layers, language)
    yield
    return {**texts, layout_items.SOURCES: layer_credits.sources_text(layers, language)}


def give_foot_to_map(layout: QgsPrintLayout, page: PageSetup, texts: Mapping[str, str], is_measured: bool = False
                     ) -> None:
    """Make the map higher by what the page's foot does not need for ``texts``, and move what lies below it down.

    Of a layout that is measured again and again the map alone is changed, from its template's height each time.
    """
    item = layout_items.main_map(layout)
    if item is None:
        return
    height = float(item.customProperty(_TEMPLATE_HEIGHT) or item.rect().height())
    item.setCustomProperty(_TEMPLATE_HEIGHT, height)
    grid, width = layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap), item.rect().width()
    taken = _free_in_foot(layout, item, page, texts)
    item.attemptResize(QgsLayoutSize(width, height + taken))
    if is_measured or not taken:
        return
    if grid is not None:
        grid.attemptResize(QgsLayoutSize(width, height + taken))
    labels = [label for label in map(layout.itemById, _NAMES) if label is not None]
    bottom = max(label.sceneBoundingRect().bottom() for label in labels)
    for other in _below_map(layout, item, height, labels):
        if other.sceneBoundingRect().bottom() <= bottom + _TOUCH:
            place = QRectF(other.pagePos(), other.rect().size())
            layout_items.place_item(other, place.adjusted(0, taken, 0, 0 if other in labels else taken))


def _below_map(layout: QgsPrintLayout, item: QgsLayoutItemMap, height: float,
               foot: Sequence[QgsLayoutItem]) -> List[QgsLayoutItem]:
    """Return the items below the map, where it has this height in millimetres, as far across as it or the foot is."""
    frame = item.sceneBoundingRect()
    across = [(part.sceneBoundingRect().left(), part.sceneBoundingRect().right()) for part in (item, *foot)]
    left, right = min(start for start, _ in across), max(end for _, end in across)
    found = ((other, other.sceneBoundingRect()) for other in layout_items.items_of_type(layout, QgsLayoutItem)
             if other.id() and not isinstance(other, QgsLayoutItemPage) and other.page() == item.page())
    return [other for other, place in found if place.top() >= frame.top() + height - _TOUCH
            and place.left() < right - _SAME_TOP and place.right() > left]


def _free_in_foot(layout: QgsPrintLayout, item: QgsLayoutItemMap, page: PageSetup, texts: Mapping[str, str]) -> float:
    """Return the millimetres that the foot does not need for texts that stand side by side, 0 elsewhere."""
    labels = [label for name in _NAMES
              if (label := layout_items.find_item(layout, name, QgsLayoutItemLabel)) is not None]
    # a QR code has the foot's height
    if page.template not in _FOOT_TEMPLATES or page.link or len(labels) < len(_NAMES) or (
            len(layout_items.map_items(layout)) > 1 or text_fitting.type_factor(layout) is None):
        return 0.0
    places = [QRectF(label.pagePos(), label.rect().size()) for label in labels]
    bottom, top = max(place.bottom() for place in places), min(place.top() for place in places)
    if max(place.top() for place in places) - top > _SAME_TOP:
        return 0.0
    columns = [_column(layout, label, texts[label.id()], 0) for label in labels]
    total = sum(place.width() for place in places)
    heights = [[_needed(column, part * total / _STEPS) for part in range(1, _STEPS)] for column in columns]
    needed = min(max(height[part - 1] for height, part in zip(heights, parts)) for parts in _divisions(len(columns)))
    needed += _SPARE_LINE * columns[0].line_height if any(texts.values()) else 0.0
    beside = [other.pagePos().y() + other.rect().height() for other in map(layout.itemById, FOOT_NEEDS)
              if other is not None and other not in labels and other.pagePos().y() + other.rect().height() > top]
    free = min(bottom - top - needed, bottom - max(beside, default=top))
    return free if free >= _LEAST_GAIN * text_fitting.space_factor(layout) else 0.0


class _Column(NamedTuple):
    label: QgsLayoutItemLabel
    heading: Optional[QgsLayoutItemLabel]
    #: widths of the words of each paragraph, of an address those of its parts
    words: List[List[List[float]]]
    space: float
    line_height: float
    heading_width: float
    #: lines beyond those estimated
    more: int


def share_foot(layout: QgsPrintLayout, evaluated: Mapping[str, str], left_out: str = "",
               more: Optional[Mapping[str, int]] = None) -> bool:
    """Share out the width of the page's foot so that the fullest column is as little filled as can be.

    The template's shares stay where all texts fit. No-op where the texts do not stand side by side, which is returned.
    ``evaluated`` is what they say, by the ids of their labels. The others share the place of the text ``left_out``.
    ``more`` are lines that texts need beyond those estimated.
    """
    labels = [layout_items.find_item(layout, name, QgsLayoutItemLabel) for name in _NAMES]
    if text_fitting.type_factor(layout) is None or not all(labels):
        return False
    columns = [_column(layout, label, evaluated[label.id()], (more or {}).get(label.id(), 0))
               for label in labels if label is not None]
    places = [column.label.pagePos() for column in columns]
    widths = [float(column.label.rect().width()) for column in columns]
    gaps = [places[number + 1].x() - places[number].x() - widths[number] for number in range(2)]
    if max(place.y() for place in places) - min(place.y() for place in places) > _SAME_TOP or min(gaps) < 0:
        return False
    total, height = sum(widths), min(float(column.label.rect().height()) for column in columns)
    if left_out:
        columns = [column for column in columns if column.label.id() != left_out]
        total += gaps.pop()
    elif all(_needed(column, width) <= height for column, width in zip(columns, widths)):
        return True
    needed = [[_needed(column, part * total / _STEPS) for part in range(1, _STEPS)] for column in columns]
    edges = [(0.0, math.inf, height)]

    def fullest(parts: Sequence[int]) -> float:
        """Return the part of the height that the fullest column takes, over 1 too where a heading has no room."""
        x, found = places[0].x(), 0.0
        for number, part in enumerate(parts):
            right = x + part * total / _STEPS
            found, x = max(found, needed[number][part - 1] / text_fitting.room_down(edges, x, right)), right + gaps[0]
        return found

    divisions = _divisions(len(columns))
    shares = min(divisions, key=fullest)
    if fullest(shares) > 1:
        others = [item for item in _obstacles(layout) if item not in labels]
        edges = text_fitting.edges_below(columns[0].label, others)
        shares = min(divisions, key=fullest)
    x = places[0].x()
    for column, part, gap in zip(columns, shares, (*gaps, 0.0)):
        width = part * total / _STEPS
        for item in (column.label, column.heading):
            if item is not None:
                layout_items.place_item(item, QRectF(x, item.pagePos().y(), width, item.rect().height()))
        x += width + gap
    return True


def _move_steps(layout: QgsPrintLayout, language: str,
                template_styles: Dict[str, overflow_page.LabelStyle]) -> Generator[None, None, List[str]]:
    """Move as few texts to a further page as have no room in the foot. Return notes on those that fit nowhere.

    Either of terms and sources may go alone. Else both go, and the credits only if that is not enough.
    """
    labels = overflow_page.text_labels(layout)
    points = min(font.pointSizeF() for font, _ in template_styles.values())
    for item_id, row in ((name, row) for row in (False, True) for name in (layout_items.TERMS, layout_items.SOURCES)):
        if item_id not in labels:
            continue
        places = _places(layout, labels)
        for name, (_, bounds) in template_styles.items():
            layout_items.place_item(labels[name], bounds)
        fits = yield from _row_steps(layout, item_id, points, row)
        if fits and overflow_page.has_room_for_note(layout, item_id, language):
            return overflow_page.move_one_text(layout, item_id, language, template_styles[item_id][0])
        _put_back(places)
    return overflow_page.move_to_overflow_page(layout, language, template_styles)


def _row_steps(layout: QgsPrintLayout, left_out: str = "", points: float = 0.0,
               in_a_row: bool = True) -> Generator[None, None, bool]:
    """Set credits, terms and sources somewhat smaller, each in one paragraph, in columns shared out for that.

    One that has room for its paragraphs in the end keeps them. Returns whether they fit, and pauses after the
    evaluation of each text. They do not fit in a template whose type does not follow the plugin's scale. The text
    ``left_out`` goes elsewhere, and leaves its column to the others, which are set in this many ``points`` then, and
    keep their paragraphs unless ``in_a_row``.
    """
    labels, factor = overflow_page.text_labels(layout), text_fitting.type_factor(layout)
    if factor is None:
        return False
    labels.pop(left_out, None)
    points = points or MIN_CREDIT * factor
    for item_id, label in labels.items():
        font = QFont(compat.label_font(label))
        font.setPointSizeF(points)
        compat.set_label_font(label, font)
        label.setText(dynamic_labels.label_expression(layout, item_id, on_one_line=in_a_row))
    _put_projection_aside(layout)
    evaluated, places, more = (yield from _evaluated_texts(layout)), _places(layout, labels), dict.fromkeys(labels, 0)
    for _attempt in range(_ATTEMPTS):
        _put_back(places)
        is_shared = share_foot(layout, evaluated, left_out, more)
        if left_out and not is_shared:
            return False
        obstacles = [item for item in _obstacles(layout)
                     if not left_out or item.id() not in (left_out, layout_items.HEADING_PREFIX + left_out)]
        unfit = ""
        for item_id, label in labels.items():
            text_fitting.extend_down(label, obstacles)
            fits = dynamic_labels.fit_broken(label, layout, item_id, points, on_one_line=in_a_row)
            yield
            if not fits:
                unfit = item_id
                break
        if not unfit or not is_shared:
            # columns that are not shared out have the same room the next time
            for item_id in labels if in_a_row and not unfit else ():
                if not dynamic_labels.fit_broken(labels[item_id], layout, item_id, points):
                    yield
                    dynamic_labels.fit_broken(labels[item_id], layout, item_id, points, on_one_line=True)
                yield
            return not unfit
        # addresses took more lines than was estimated
        more[unfit] += 1
    return False


def _places(layout: QgsPrintLayout, names: Iterable[str]) -> Dict[QgsLayoutItemLabel, QRectF]:
    """Return where texts and their headings stand on their page, in millimetres."""
    found = [layout_items.find_item(layout, f"{prefix}{name}", QgsLayoutItemLabel)
             for name in names for prefix in ("", layout_items.HEADING_PREFIX)]
    return {item: QRectF(item.pagePos(), item.rect().size()) for item in found if item is not None}


def _put_back(places: Mapping[QgsLayoutItemLabel, QRectF]) -> None:
    for item, bounds in places.items():
        layout_items.place_item(item, bounds)


def _put_projection_aside(layout: QgsPrintLayout) -> None:
    """Put the reference system from below the credits to below scale bar and north arrow, if it has room there."""
    names = (layout_items.PROJECTION, layout_items.CREDITS, layout_items.SCALEBAR, layout_items.NORTH_ARROW)
    found = [layout.itemById(name) for name in names]
    if not all(found):
        return
    label, credits, *above = found
    bounds, beside = (item.mapRectToScene(item.rect()) for item in (label, credits))
    top = max(item.mapRectToScene(item.rect()).bottom() for item in above) + _SAME_TOP
    width = beside.left() - bounds.left() - 2 * _SAME_TOP
    text = text_fitting.with_codes_whole(label.text(), compat.label_font(label), width)
    height = text_fitting.text_height(text, compat.label_font(label), width) + 0.3
    if bounds.top() >= beside.bottom() - _SAME_TOP and bounds.right() > beside.left() and (
            top + height <= bounds.bottom()):
        place = label.pagePos()
        layout_items.place_item(label, QRectF(place.x(), place.y() + bounds.height() - height, width, height))
        label.setText(text)


def _divisions(count: int) -> List[Tuple[int, ...]]:
    """Return all ways to share out the width to two or three columns."""
    if count < 3:
        return [(one, _STEPS - one) for one in range(_LEAST, _STEPS - _LEAST + 1)]
    return [(one, two, _STEPS - one - two) for one in range(_LEAST, _STEPS) for two in range(_LEAST, _STEPS - one)
            if _STEPS - one - two >= _LEAST]


def _column(layout: QgsPrintLayout, label: QgsLayoutItemLabel, text: str, more: int) -> _Column:
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + label.id(), QgsLayoutItemLabel)
    font, heading_width = QFont(compat.label_font(label)), 0.0
    if heading is not None and heading.currentText():
        heading_font = QFont(compat.label_font(heading))
        heading_font.setPointSizeF(text_fitting.least_label_points(heading))
        heading_width = text_fitting.text_width(heading.currentText(), heading_font)
    words = [[[text_fitting.text_width(part, font) for part in text_fitting.address_parts(word)]
              for word in paragraph.split()] for paragraph in text.split("\n")]
    return _Column(label, heading, words, text_fitting.text_width("\u00a0", font),
                   text_fitting.text_height("x", font, 1000.0), heading_width, more)


def _needed(column: _Column, width: float) -> float:
    """Return the height in millimetres of a column's text, more than any page's where its heading has no room."""
    lines = column.more + sum(_lines(paragraph, column.space, width) for paragraph in column.words)
    return lines * column.line_height + (_NO_ROOM if column.heading_width > width else 0.0)


def _lines(paragraph: Sequence[Sequence[float]], space: float, width: float) -> int:
    """Return the lines of a paragraph of such words. A part of an address that is longer than a line is broken."""
    lines, used = 1, 0.0
    for parts in paragraph:
        before = space if used else 0.0
        for needed in parts:
            if used and used + before + needed > width:
                lines, used, before = lines + 1, 0.0, 0.0
            if needed > width:
                broken = math.ceil(needed * _BROKEN / width)
                lines, needed = lines + broken - 1, needed * _BROKEN - (broken - 1) * width
            used, before = used + before + needed, 0.0
    return lines
