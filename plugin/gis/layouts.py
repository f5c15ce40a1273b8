"""From a plan and its layers to a print layout: a template loaded, its items filled by id, nothing drawn over its
design.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from qgis.core import (
    Qgis,
    QgsExpressionContextUtils,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
)
from qgis.PyQt.QtGui import QFont
from qgis.PyQt.QtXml import QDomDocument

from ..core.custommap.model import Page, Plan
from ..core.custommap.multiples import legend_plans
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.resources import RESOURCES
from . import (
    compat,
    expressions,
    further_page,
    getprint,
    layout_text,
    legend_picture,
    live_text,
    map_statements,
    served,
    templates,
)
from . import layout_items as ids
from .compat import enum_value
from .fact_table import abstract, fill_facts
from .inset import show_location
from .legend import fill_legend
from .legend_graphics import Legends, legend_key, shown_at
from .map_frame import Frame, set_frame
from .map_grids import set_grids, set_scale
from .map_texts import map_date, map_text
from .series import show_time
from .small_maps import fill_maps

TEMPLATES = templates.BUNDLED
_NOTES, _NEEDS, _LEGEND = "cartoguide/notes", "cartoguide/needs", "cartoguide/legend"
_LACKING = "cartoguide/lacking-legends"
#: points: what is no credit may be as small as this
_SMALL = 5.0
_HEADINGS = ("legend", "location", "credits", "terms", "sources", "abstract", "facts")


@dataclass(frozen=True)
class Need:
    """What a finished map must show of one service: its layers (ids; "" for one that could not be made) and its
    credits.
    """

    title: str
    layers: Sequence[str]
    names: Sequence[str]
    credits: Sequence[str]


def build_layout(project: QgsProject, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], *,
                 legends: Optional[Legends] = None, name: str = "", today: Optional[date] = None) -> QgsPrintLayout:
    """A layout of ``plan`` from its template, added to the project's layouts (an older one of the same name gives
    way).

    ``layers`` are the QGIS layers of ``plan.layers`` in the same order, None for one that could not be made; all are
    in the project. ``legends`` come from ``legend_graphics.fetch_legends``; without them the legend is empty. What
    the template lacks and what had to be decided is in ``layout_notes``. CartoguideError where the template cannot be
    read or has no map.
    """
    path = _template(plan.page)
    # the labels and the legend ask whether the plugin is there: a script that makes maps has it, too
    expressions.register()
    layout = load_template(project, path)
    item = ids.find(layout, ids.MAP, QgsLayoutItemMap)
    if item is None:
        raise CartoguideError(tr("The template {name} has no map item with the id “map”. Give its map that id.",
                                 name=path.name))
    notes = [tr("The template has no item “{id}”; the map goes without it.", id=missing)
             for missing in ids.absent(layout)]
    layout_text.use_installed_fonts(layout)
    usable = [layer if layer is not None and layer.isValid() else None for layer in layers]
    frame = set_frame(item, plan, project)
    drawn = [layer for layer_plan, layer in zip(plan.layers, usable) if layer is not None and layer_plan.visible]
    item.setLayers(drawn[::-1])
    item.setKeepLayerSet(True)
    show_time(item, plan)
    layout.setReferenceMap(item)
    QgsExpressionContextUtils.setLayoutVariable(layout, expressions.LANGUAGE, plan.language)
    set_scale(layout, frame, plan.language)
    set_grids(layout, frame, plan.language)
    notes.extend(fill_maps(layout, plan, usable, frame))
    live_text.bind(layout, _telling(project, drawn), plan.language)
    notes.extend(_fill_texts(layout, plan, today or datetime.now().astimezone().date()))
    notes.extend(fill_facts(layout, plan))
    notes.extend(note for note in (show_location(layout, project, frame),) if note)
    notes.extend(_hidden_by_scale(plan, frame))
    layout.setCustomProperty(_NOTES, json.dumps(notes))
    layout.setCustomProperty(_NEEDS, json.dumps(_needs(plan, usable)))
    layout.setCustomProperty(_LEGEND, "wanted")
    # QGIS's own export of it: words stay words
    layout.setCustomProperty("pdfTextFormat", enum_value(Qgis.TextRenderFormat.AlwaysText))
    if legends is not None:
        set_legends(layout, plan, usable, legends)
    _add(project, layout, name or plan.title or "Cartoguide")
    getprint.keep_print_query(layout)
    served.describe(project, plan.language)
    return layout


def set_legends(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], legends: Legends) -> None:
    """Fill the legend of a layout that was built without; what is missing from it joins the layout's notes."""
    item = ids.find(layout, ids.MAP, QgsLayoutItemMap)
    notes = layout_notes(layout)
    if item is not None:
        shown, members = plan, layers
        if len(ids.maps(layout)) > 1:
            # one legend stands for all small maps
            wanted = {legend_key(member): member for member in legend_plans(plan)}
            pairs = [(wanted[legend_key(one)], layer) for one, layer in zip(plan.layers, layers)
                     if legend_key(one) in wanted]
            shown, members = replace(plan, layers=tuple(one for one, _ in pairs)), [layer for _, layer in pairs]
        notes.extend(fill_legend(layout, shown, members, legends, item.scale()))
    layout.setCustomProperty(_NOTES, json.dumps(notes))
    layout.setCustomProperty(_LACKING, json.dumps(legends.lacking))
    legend_picture.keep_picture(layout)
    layout.setCustomProperty(_LEGEND, "there")


def wants_legends(layout: QgsPrintLayout) -> bool:
    """Whether the layout was built without its legends and still waits for them."""
    return bool(layout.customProperty(_LEGEND) == "wanted") and layout.itemById(ids.LEGEND) is not None


def lacking_legends(layout: QgsPrintLayout) -> List[str]:
    """The legends that services offer and that failed when the layout was built, in words; none where it has no place
    for a legend.
    """
    item = layout.itemById(ids.LEGEND)
    if item is None or not item.isVisible() or item.excludeFromExports():
        return []
    return list(json.loads(layout.customProperty(_LACKING) or "[]"))


def load_template(project: QgsProject, path: Path, only: str = "") -> QgsPrintLayout:
    """A new layout, not yet in the project, with the items of the template at ``path``: all, or the one whose id is
    ``only``.
    """
    document = QDomDocument()
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CartoguideError(tr("The layout template {name} cannot be read.", name=path.name), str(error)) from error
    layout = QgsPrintLayout(project)
    context = QgsReadWriteContext()
    context.setPathResolver(project.pathResolver())
    accepted = document.setContent(content)
    read = accepted[0] if isinstance(accepted, tuple) else bool(accepted)
    if read and only:
        _leave_only(document, only)
    if read:
        _items, read = layout.loadFromTemplate(document, context)
    if not read:
        raise CartoguideError(tr("{name} is not a QGIS layout template.", name=path.name))
    for picture in ids.every(layout, QgsLayoutItemPicture):
        _find_picture(picture, path.parent)
    return layout


def _find_picture(picture: QgsLayoutItemPicture, folder: Path) -> None:
    """Let a template's picture find its file: where it says, beside the template, or among the plugin's."""
    if not picture.picturePath() or picture.picturePath().startswith("base64:"):
        return
    file = Path(picture.picturePath())
    bundled = RESOURCES / "icons" / file.name
    if not file.is_file():
        beside = folder / file.name
        file = beside if beside.is_file() else bundled
        picture.setPicturePath(str(file))
    if file == bundled and file.is_file():
        # inside the layout: a project that names a file of the plugin lacks it where the plugin is not
        picture.setPicturePath(f"base64:{base64.b64encode(file.read_bytes()).decode('ascii')}")


def _leave_only(document: QDomDocument, item_id: str) -> None:
    """Take all items out of a template but one: labels and pictures take long to make, and are not always wanted."""
    items = document.elementsByTagName("LayoutItem")
    for item in [items.at(number).toElement() for number in range(items.count())]:
        if item.attribute("id") != item_id:
            item.parentNode().removeChild(item)


def _telling(project: QgsProject, drawn: Sequence[QgsMapLayer]) -> List[QgsMapLayer]:
    """The layers that the map shows, and those that the project holds besides: a theme or a person may show them."""
    return list({layer.id(): layer for layer in (*drawn, *project.mapLayers().values())}.values())


def _template(page: Page) -> Path:
    """The page's template; CartoguideError where the plugin has none for this paper."""
    path = templates.path_of(page)
    if not path.is_file() and not templates.is_own(page.template):
        turned = tr("Landscape") if page.orientation == "landscape" else tr("Portrait")
        raise CartoguideError(tr("There is no template “{name}” for {paper} {orientation}. Choose another paper or "
                                 "template.", name=page.template, paper=page.paper, orientation=turned.lower()),
                              path.name)
    return path


def layout_notes(layout: QgsPrintLayout) -> List[str]:
    """What was decided or could not be done when the layout was built, in words."""
    return list(json.loads(layout.customProperty(_NOTES) or "[]"))


def layout_needs(layout: QgsPrintLayout) -> List[Need]:
    """What the finished map must show, service by service; empty for a layout that Cartoguide did not build."""
    return [Need(**item) for item in json.loads(layout.customProperty(_NEEDS) or "[]")]


def _needs(plan: Plan, layers: Sequence[Optional[QgsMapLayer]]) -> List[Dict[str, Any]]:
    """What the layout keeps of the plan, so that it can still be checked after the project was closed and opened
    again.
    """
    by_plan = {id(layer_plan): layer for layer_plan, layer in zip(plan.layers, layers)}
    needs = []
    for service in map_statements.services_of(plan):
        made = [by_plan[id(layer_plan)] for layer_plan in service.layers]
        needs.append({"title": service.title, "layers": [layer.id() if layer is not None else "" for layer in made],
                      "names": [layer_plan.title or layer_plan.name for layer_plan in service.layers],
                      "credits": list(service.credits)})
    needs.extend({"title": note.text, "layers": [""], "names": [""], "credits": []}
                 for note in plan.notes if note.missing)
    return needs


def _fill_texts(layout: QgsPrintLayout, plan: Plan, today: date) -> List[str]:
    """Titles, headings, credits, terms, sources; gives notes on text that does not fit its place."""
    texts = {ids.TITLE: plan.title, ids.SUBTITLE: map_statements.subtitle(plan),
             ids.ABSTRACT: abstract(plan), ids.FOOT: plan.title,
             ids.COLOPHON: map_text(plan.language, "colophon", date=map_date(plan.language, today))}
    texts.update({ids.HEADING + heading: map_text(plan.language, heading) for heading in _HEADINGS})
    texts[ids.HEADING + "sources"] = map_statements.sources_heading(plan, today)
    for item_id, text in texts.items():
        label = ids.find(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            label.setText(escaped(text))
    own = further_page.looks_of(layout)
    unfit = []
    for item_id in (*texts, *live_text.FUNCTIONS, ids.PROJECTION):
        label = ids.find(layout, item_id, QgsLayoutItemLabel)
        if label is not None and not _fitted(layout, label, item_id):
            unfit.append(item_id)
    notes = []
    if not templates.is_own(plan.page.template) and any(item_id in own for item_id in unfit):
        notes = further_page.make_room(layout, plan.language, own)
        unfit = [item_id for item_id in unfit if item_id not in own]
    return notes + [tr("The text “{id}” is too long for its place on the page.", id=item_id) for item_id in unfit]


def _fitted(layout: QgsPrintLayout, label: QgsLayoutItemLabel, item_id: str) -> bool:
    """Make the text fit, addresses broken only where a smaller type does not help."""
    font = QFont(compat.label_font(label))
    if item_id == ids.SUBTITLE:
        return _fitted_names(label)
    if item_id not in live_text.FUNCTIONS:
        return layout_text.fit(label, _SMALL)
    least = layout_text.least(font)
    fits = layout_text.fit(label, least)
    if not fits:
        live_text.break_addresses(label, layout, item_id)
        colophon = ids.find(layout, ids.COLOPHON, QgsLayoutItemLabel)
        if colophon is not None:
            layout_text.narrow(colophon)
        around = [item for item in ids.every(layout, QgsLayoutItem)
                  if item.id() and not isinstance(item, QgsLayoutItemPage)]
        if layout_text.make_room(label, around):
            compat.set_label_font(label, font)
        if not layout_text.fit(label, least) and item_id == ids.CREDITS:
            # the last lines of each credit are short: one behind the other takes less room
            label.setText(live_text.label_text(layout, item_id, in_a_row=True))
            compat.set_label_font(label, font)
    return fits or layout_text.fit(label, least)


def _fitted_names(label: QgsLayoutItemLabel) -> bool:
    """Leave the last services out of the line below the title where all of them are too many: the sources have them."""
    font, names = QFont(compat.label_font(label)), label.text().split(map_statements.BETWEEN)
    while not layout_text.fit(label, layout_text.least(font)) and len(names) > 1:
        names.pop()
        compat.set_label_font(label, font)
        label.setText(map_statements.BETWEEN.join([*names, "…"]))
    return not layout_text.overflows(label)


def escaped(text: str) -> str:
    """Text from outside, in which QGIS must find no expression to evaluate."""
    return text.replace("[%", "[\u200b%")


def _hidden_by_scale(plan: Plan, frame: Frame) -> List[str]:
    return [tr("“{layer}” is not drawn at 1:{scale}: it is made for other scales.", layer=layer.title or layer.name,
               scale=f"{frame.scale:.0f}")
            for layer in plan.layers if layer.visible and not shown_at(layer, frame.nominal)]


def _add(project: QgsProject, layout: QgsPrintLayout, name: str) -> None:
    manager = project.layoutManager()
    older = manager.layoutByName(name)
    if older is not None:
        manager.removeLayout(older)
    layout.setName(name)
    manager.addLayout(layout)
