"""Layouts of one map, built together with legends fetched once: one, at several scales, for polygons, or for a grid."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeedback,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.box import Box
from ...core.custommap.model import LayerPlan, Plan
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...core.pages.map_book import MAX_SHEETS, sheet_grid
from ...core.text import sort_key
from ..credits.layer_metadata import listed_layers
from ..credits.map_phrases import map_phrase
from ..layouts.layout_items import map_scale
from ..layouts.map_frame import WGS84, planned_area
from ..legends.legend_graphics import FetchedLegends, fetch_legends, legend_key
from ..legends.legend_nodes import LegendKey
from ..pages.feature_names import FeatureNames
from ..pages.layout_builder import build_layout, legend_layers, set_legends
from ..pages.page_features import ReadContents, read_contents, request_contents, show_contents
from ..pages.page_measurement import PageMeasurement
from ..runtime import compat, tasks
from ..runtime.conversions import project_points, rectangle_box
from ..services.service_cache import ServiceCache

_Layers = Sequence[Optional[QgsMapLayer]]
#: margin around a feature, as a share of its extent on each side
_EXTENT_MARGIN = 0.05
#: the same around the sheets on their overview, so that their outlines are clear of the frame
_SHEETS_MARGIN = 0.01


@dataclass(frozen=True)
class AtlasFeature:
    """A page of an atlas: its name, and its extent in degrees, or the middle of a sheet (longitude, latitude).

    The extent is that of a polygon with a margin. A sheet's size is that of the page at the plan's scale.
    """

    name: str
    extent: Optional[Box]
    centre: Optional[Tuple[float, float]] = None


@dataclass(frozen=True)
class SeriesContents:
    """Contents fetched for the layouts of a series: legends by scale, and each one's table and photos."""

    legends: Dict[float, FetchedLegends]
    extras: Tuple[Optional[ReadContents], ...]


class LayoutSeries:
    """Layouts of a series: built without legends, which are fetched by ``fetch`` in a task and then set by ``finish``.

    Main thread only, but for ``fetch``. The layouts stay in the project until ``remove_layouts``.
    """

    def __init__(self, project: QgsProject, plans: Sequence[Plan], layers: Sequence[_Layers], numbered: bool = True,
                 cache: Optional[ServiceCache] = None) -> None:
        """Build a layout for each of ``plans``. Raises CartoguideError if one cannot be built, and leaves none then.

        A layout has the title of its map, and its number if ``numbered``. It replaces one of the same name.
        """
        self.layouts: List[QgsPrintLayout] = []
        self._plans, self._layers = plans, layers
        try:
            for number, (plan, plan_layers) in enumerate(zip(plans, layers)):
                self.layouts.append(build_layout(project, plan, plan_layers,
                                                 name=f"{plan.title} – {number + 1}" if numbered else ""))
        except CartoguideError:
            remove_layouts(self.layouts)
            raise
        self._scales = [map_scale(layout) for layout in self.layouts]
        self._legend_plans: Dict[float, Dict[LegendKey, LayerPlan]] = {}
        for scale, layout, plan in zip(self._scales, self.layouts, plans):
            self._legend_plans.setdefault(scale, {}).update(
                (legend_key(member), member) for member in legend_layers(layout, plan))
        self._extras = [request_contents(layout, plan, project, cache) for layout, plan in zip(self.layouts, plans)]

    def fetch(self, feedback: tasks.Feedback) -> SeriesContents:
        """Return the legends of all layouts by scale, each fetched once, with tables and photos. For worker threads."""
        return SeriesContents({scale: fetch_legends(list(members.values()), scale, feedback)
                               for scale, members in self._legend_plans.items()},
                              tuple(read_contents(request, feedback) for request in self._extras))

    def finish(self, contents: SeriesContents) -> None:
        """Fill legends, tables and photos. Raises CartoguideError if a layout was closed meanwhile."""
        if any(sip.isdeleted(layout) for layout in self.layouts):
            raise CartoguideError(tr("The layout was closed before its legends had loaded."))
        for layout, plan, plan_layers, scale, extras in zip(self.layouts, self._plans, self._layers, self._scales,
                                                            contents.extras):
            set_legends(layout, plan, plan_layers, contents.legends[scale])
            show_contents(layout, plan, extras)
            # as in build_layout: Undo takes back what a person did
            layout.undoStack().stack().clear()


def start_layouts(project: QgsProject, plans: Sequence[Plan], layers: Sequence[_Layers],
                  done: Callable[[List[QgsPrintLayout]], None], failed: tasks.ErrorCallback,
                  owner: Optional[QObject] = None, numbered: bool = True) -> Optional[tasks.Job]:
    """Build a layout for each of ``plans``, fetch their legends in a task, then pass the layouts to ``done``.

    Main thread only. The layouts stay in the project until ``remove_layouts``, none after a failure or a cancel.
    ``numbered`` as for ``LayoutSeries``. Returns None if building failed at once.
    """
    try:
        series = LayoutSeries(project, plans, layers, numbered)
    except CartoguideError as error:
        failed(error)
        return None
    unfinished = series.layouts

    def finish(contents: SeriesContents) -> None:
        nonlocal unfinished
        try:
            series.finish(contents)
        except CartoguideError as error:
            give_up(error)
            return
        unfinished = []
        done(series.layouts)

    def give_up(error: CartoguideError) -> None:
        remove_layouts(unfinished)
        failed(error)

    job = tasks.start(tr("Fetching the legends of “{title}”", title=plans[0].title), series.fetch, finish, give_up,
                      owner)
    # a cancelled job calls neither of them
    job.ended.connect(lambda: remove_layouts(unfinished))
    return job


def build_and_wait(project: QgsProject, plans: Sequence[Plan], layers: Sequence[_Layers], title: str,
                   cache: Optional[ServiceCache] = None, seconds: float = 0.0, feedback: Optional[QgsFeedback] = None,
                   numbered: bool = True) -> List[QgsPrintLayout]:
    """Do what ``start_layouts`` does and return the layouts: for scripts, without a GUI.

    Processes events until done, for at most ``seconds`` (0 for no limit). Raises CartoguideError and Cancelled.
    """
    series = LayoutSeries(project, plans, layers, numbered, cache)
    try:
        series.finish(tasks.run_and_wait(series.fetch, seconds, feedback,
                                         description=tr("Fetching the legends of “{title}”", title=title)))
    except (CartoguideError, Cancelled):
        remove_layouts(series.layouts)
        raise
    return series.layouts


def remove_layouts(layouts: Sequence[QgsPrintLayout]) -> None:
    for layout in layouts:
        if not sip.isdeleted(layout):
            layout.project().layoutManager().removeLayout(layout)


def scale_plans(plan: Plan, scales: Sequence[float]) -> List[Plan]:
    """Return the plan at each of ``scales`` (denominators). Of several, each says scale and number in its title."""
    if len(scales) < 2:
        return [replace(plan, scale=scale) for scale in scales]
    numbers = (map_phrase(plan.language, "frame_number", number=number, count=len(scales))
               for number in range(1, len(scales) + 1))
    return [replace(plan, scale=scale, title=f"{plan.title} – {format_scale(scale)} ({number})")
            for scale, number in zip(scales, numbers)]


def feature_plans(plan: Plan, features: Sequence[AtlasFeature]) -> List[Plan]:
    """Return the plan for each feature: its extent or middle, and its name after the map's title.

    The scale is the plan's if it has one. A sheet of a grid has its number in the title, as A1 is also a road's name.
    """
    names = [map_phrase(plan.language, "sheet_title", number=number, name=feature.name)
             if feature.centre is not None else feature.name for number, feature in enumerate(features, 1)]
    return [replace(plan, title=f"{plan.title} – {name}" if name else plan.title, extent=feature.extent,
                    centre=feature.centre) for name, feature in zip(names, features)]


def overview_plan(plan: Plan, sheets: Sequence[Plan], project: QgsProject) -> Plan:
    """Return the plan of a page that shows the areas of all ``sheets``, which are plans of the same map.

    Main thread only. Raises CartoguideError if the area of a sheet cannot be computed.
    """
    measurement = PageMeasurement(project)
    bounds = QgsRectangle()
    for sheet in sheets:
        extent = measurement.map_extent(sheet)
        if extent is None:
            raise CartoguideError(tr("The area of the sheet “{title}” cannot be computed.", title=sheet.title))
        bounds.combineExtentWith(QgsRectangle(*extent))
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(plan.crs), QgsCoordinateReferenceSystem(WGS84),
                                       project)
    return replace(plan, title=f"{plan.title} – {map_phrase(plan.language, 'sheet_overview')}",
                   extent=_extent_with_margin(bounds, transform), centre=None, scale=None,
                   sheets_area=rectangle_box(bounds.scaled(1 + 2 * _SHEETS_MARGIN)))


def polygon_features(layer: QgsVectorLayer, project: QgsProject, selected_only: bool = False) -> List[AtlasFeature]:
    """Return the layer's polygons by display name, in the order in which people count and spell.

    Raises CartoguideError without polygons to print, or for too many.
    """
    transform = QgsCoordinateTransform(layer.crs(), QgsCoordinateReferenceSystem(WGS84), project)
    names = FeatureNames(layer)
    found: List[Tuple[str, Box]] = []
    for feature in (layer.selectedFeatures() if selected_only else layer.getFeatures()):
        extent = _extent_with_margin(feature.geometry().boundingBox(), transform) if feature.hasGeometry() else None
        if extent is None:
            continue
        found.append((names.name_or_number(feature), extent))
        if len(found) > MAX_SHEETS:
            raise CartoguideError(
                tr("The layer “{layer}” has more than {most} features: select those to print.", layer=layer.name(),
                   most=MAX_SHEETS))
    if not found:
        raise CartoguideError(tr("The layer “{layer}” has no polygon that could be printed.", layer=layer.name()))
    return [AtlasFeature(name, extent) for name, extent in sorted(found, key=lambda pair: sort_key(pair[0]))]


def grid_features(plan: Plan, scale: float, overlap: float, project: QgsProject) -> List[AtlasFeature]:
    """Return the sheets at ``scale`` (a denominator) that cover the plan's area, named A1, A2 … from the north-west.

    Each shows at least ``overlap`` (a share) of the next. The area is the plan's extent, else what its page shows.
    Main thread only. Raises CartoguideError if the plan has no area, or for too many sheets.
    """
    measurement = PageMeasurement(project)
    crs, shown = QgsCoordinateReferenceSystem(plan.crs), measurement.placed(plan)
    if shown is None:
        raise CartoguideError(tr("The map has no area yet. Choose an extent, or a centre and a scale."))
    area = rectangle_box(planned_area(plan, crs, project) if plan.extent is not None else shown[0])
    to_degrees = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(WGS84), project)
    places = [*itertools.product((area.west, area.east), (area.south, area.north)), area.centre]
    # a sheet of one scale covers more units of the CRS at one place than at another
    placed = [measurement.placed(replace(plan, extent=None, centre=centre, scale=scale))
              for centre in project_points(to_degrees, places)]
    sheets = [sheet[0] for sheet in placed if sheet is not None]
    if not sheets:
        raise CartoguideError(tr("The map has no area yet. Choose an extent, or a centre and a scale."))
    grid = sheet_grid(area, min(sheet.width() for sheet in sheets), min(sheet.height() for sheet in sheets), overlap)
    centres = project_points(to_degrees, [sheet.centre for sheet in grid])
    return [AtlasFeature(sheet.name, None, centre) for sheet, centre in zip(grid, centres)]


def polygon_layers(project: QgsProject) -> List[QgsVectorLayer]:
    """Return the project's polygon layers by name."""
    layers = [layer for layer in listed_layers(project) if isinstance(layer, QgsVectorLayer) and layer.isValid()
              and layer.geometryType() == compat.polygon_geometry()]
    return sorted(layers, key=lambda layer: layer.name())


def extent_of_layer(layer: QgsVectorLayer, project: QgsProject) -> Optional[Box]:
    """Return the extent in degrees of the layer's selected features, else of all, or None if it has none."""
    extent = layer.boundingBoxOfSelected() if layer.selectedFeatureCount() else layer.extent()
    transform = QgsCoordinateTransform(layer.crs(), QgsCoordinateReferenceSystem(WGS84), project)
    return _extent_with_margin(extent, transform)


def _extent_with_margin(rectangle: object, transform: QgsCoordinateTransform) -> Optional[Box]:
    if rectangle.isEmpty() or rectangle.isNull():  # type: ignore[attr-defined]
        return None
    try:
        bounds = transform.transformBoundingBox(rectangle)
    except QgsCsException:
        return None
    margin_x, margin_y = bounds.width() * _EXTENT_MARGIN, bounds.height() * _EXTENT_MARGIN
    return Box(bounds.xMinimum() - margin_x, bounds.yMinimum() - margin_y, bounds.xMaximum() + margin_x,
               bounds.yMaximum() + margin_y) if bounds.isFinite() else None
