"""Scale bar, numeric scale and grids of a layout, set for the map's scale and language."""

from __future__ import annotations

from typing import List, Optional, Tuple

from qgis.core import (
    QgsBasicNumericFormat,
    QgsCoordinateReferenceSystem,
    QgsLayout,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemMapGrid,
    QgsLayoutItemScaleBar,
    QgsPrintLayout,
    QgsProject,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QFont

from ...core.custommap.ground_scale import scale_bar_segment
from ...core.i18n import tr
from ...core.numbers import format_decimal, format_scale
from ...core.page_design.type_scale import PAPER_FACTORS, TextRole, size_of
from ..credits.map_phrases import crs_name, map_phrase
from ..runtime import compat
from ..runtime.ground_scale import ground_scale_of, reach_at
from . import layout_items, text_fitting
from .dynamic_labels import LABEL_FUNCTIONS, PLUGIN_INSTALLED
from .locator_map import empty_layer
from .map_frame import WGS84, MapFrame, graticule_step, grid_crs, grid_step, utm_grid_crs

#: space at the ends of the scale bar for the first and last figure, in millimetres on A4
_BAR_ENDS = 9.0
#: space between two figures, in millimetres
_FIGURE_GAP = 0.6
#: the same as part of the width of a figure, for larger letters
_GAP_SHARE = 0.9
#: font size in points of the grid figures of an A3 map, and millimetres between grid lines and graticule marks on it
_FIGURE_SIZE = size_of(TextRole.GRID_FIGURE, PAPER_FACTORS["A3"])
_GRID_SPACING, _GRATICULE_SPACING = 30.0, 32.0
#: property of the item with the grids: metres between the lines of the first one, in UTM, where the scale allows it
_STEP = "cartoguide/grid_step"
#: least millimetres between lines that a template sets the distance of, and the largest share of the map's width
_LEAST_SPACING, _LARGEST_SPACING = 8.0, 0.6
#: a scale bar or a ratio may differ from the ground by this part
_BAR_TOLERANCE = 0.001
#: labels whose texts are written here and in ``dynamic_labels``
_OWN_TEXTS = (layout_items.SCALE_TEXT, *LABEL_FUNCTIONS)


def set_scale_bar(layout: QgsPrintLayout, frame: MapFrame, language: str) -> None:
    """Set scale bar and numeric scale for the ground at the page's centre. Both stay linked to the map item."""
    item = layout_items.main_map(layout)
    bar = layout_items.find_item(layout, layout_items.SCALEBAR, QgsLayoutItemScaleBar)
    text = layout_items.find_item(layout, layout_items.SCALE_TEXT, QgsLayoutItemLabel)
    if item is None:
        return
    if bar is not None:
        segment, segments = _scale_bar_segments(bar, frame.scale)
        kilometres = segment >= 500
        bar.setLinkedMap(item)
        # in the map's units: in metres QGIS measures along the map's lower edge, or in its plane
        bar.setUnits(compat.distance_unit("Unknown"))
        bar.setMapUnitsPerScaleBarUnit((1000.0 if kilometres else 1.0) * frame.ground.across)
        bar.setUnitLabel("km" if kilometres else "m")
        bar.setNumberOfSegments(segments)
        bar.setNumberOfSegmentsLeft(0)
        bar.setUnitsPerSegment(segment * frame.ground.across)
        figures = QgsBasicNumericFormat()
        figures.setShowThousandsSeparator(False)
        figures.setNumberDecimalPlaces(2)
        figures.setDecimalSeparator(map_phrase(language, "decimal"))
        bar.setNumericFormat(figures)
    if text is not None:
        if frame.ground.has_ratio:
            # the expression has no value before the layout is in the project
            text.setText(_scale_text(frame, language, format_scale(frame.scale).replace("\u202f", "\u00a0")))
        else:
            text.setText(_bar_note(frame, language) if bar is not None else "")
        text_fitting.shrink_to_fit(text, text_fitting.least_label_points(text))
        if frame.ground.has_ratio:
            text.setText(_scale_text(frame, language, scale_expression(layout, frame)))


def _scale_text(frame: MapFrame, language: str, ratio: str) -> str:
    """Return the numeric scale's label, with its direction where the scale along the page is another one."""
    return map_phrase(language, "scale_across" if frame.ground.is_directed else "scale", ratio=ratio)


def _bar_note(frame: MapFrame, language: str) -> str:
    """Return the text in place of a ratio: the line along which the scale bar is true."""
    latitude = frame.ground.latitude
    if not frame.ground.in_degrees or latitude is None:
        return map_phrase(language, "bar_across")
    minutes = round(abs(latitude) * 60)
    letter = map_phrase(language, "north_letter" if latitude >= 0 else "south")
    return map_phrase(language, "bar_parallel", parallel=f"{minutes // 60}°{minutes % 60:02}′\u00a0{letter}")


def scale_problems(layout: QgsLayout) -> List[str]:
    """Return an issue for people if the map was moved and its scale bar no longer fits the ground, else nothing.

    A scale bar whose lengths QGIS computes itself always fits.
    """
    item, bar = layout.itemById(layout_items.MAP), layout.itemById(layout_items.SCALEBAR)
    if not isinstance(item, QgsLayoutItemMap) or not isinstance(bar, QgsLayoutItemScaleBar) or bar.linkedMap() != item \
            or bar.units() != compat.distance_unit("Unknown"):
        return []
    ground = ground_scale_of(item)
    across = bar.mapUnitsPerScaleBarUnit() / (1000.0 if bar.unitLabel() == "km" else 1.0)
    # in degrees the page names the parallel along which it is true
    if ground is None or ground.in_degrees or abs(ground.across / across - 1) <= _BAR_TOLERANCE:
        return []
    return [tr("The map was moved, and its scale bar is no longer true ({percent} %). Make the layout again.",
               percent=format_decimal(abs(ground.across / across - 1) * 100, 1))]


def _scale_bar_segments(bar: QgsLayoutItemScaleBar, scale: float) -> Tuple[float, int]:
    """Return metres in a segment and the number of segments: of those whose figures stand apart, the longest bar."""
    available = _scale_bar_room(bar) - _BAR_ENDS * text_fitting.space_factor(bar.layout())
    text = bar.textFormat()
    font = text.font()
    font.setPointSizeF(text.size())
    gap, found = max(_FIGURE_GAP, _GAP_SHARE * text_fitting.text_width("0", font)), []
    for segments in (4, 3, 2):
        segment = scale_bar_segment(scale, available, segments)
        figures = [f"{segment * number / (1000 if segment >= 500 else 1):g}" for number in (segments - 1, segments)]
        if sum(text_fitting.text_width(figure, font) for figure in figures) / 2 + gap < segment / scale * 1000:
            found.append((segment, segments))
    return max(found, key=lambda bar: bar[0] * bar[1], default=(scale_bar_segment(scale, available, 1), 1))


def _scale_bar_room(bar: QgsLayoutItemScaleBar) -> float:
    """Return the largest length of the bar in millimetres: the template's ``cartoguide/room``, else about its width.

    The size of the item in the template says nothing, because a scale bar takes the size of its drawing.
    """
    declared = bar.customProperty("cartoguide/room")
    return float(declared) if declared else min(max(bar.rect().width(), 40.0), 90.0)


def scale_expression(layout: QgsPrintLayout, frame: MapFrame) -> str:
    """Return label text with the ground's scale whenever the map is drawn: ``1:50 000``.

    The plugin's function measures it. Without the plugin, QGIS's own scale is corrected by the factor of now, and
    nothing is printed once the map has been moved so far that it may have another one.
    """
    reach = reach_at(frame.ground, _map_crs(layout), layout.project())
    variables = f"item_variables('{layout_items.MAP}')"
    centre = f"map_get({variables}, 'map_extent_center')"
    near = " AND ".join(f"abs({axis}({centre}) - {value!r}) <= {reach!r}"
                        for axis, value in zip("xy", frame.ground.centre))
    plain = f"if({near}, map_get({variables}, 'map_scale') / {frame.nominal_scale / frame.scale!r}, NULL)"
    scale = (f"if({PLUGIN_INSTALLED}, eval('cartoguide_scale(''{layout_items.MAP}'')'), {plain})")
    return f"[% coalesce('1:' || replace(format_number(round({scale}), 0, 'en'), ',', '\u00a0'), '–') %]"


def _map_crs(layout: QgsPrintLayout) -> QgsCoordinateReferenceSystem:
    item = layout_items.main_map(layout)
    return item.crs() if item is not None else QgsCoordinateReferenceSystem()


def labels_with_qgis_scale(layout: QgsPrintLayout, frame: MapFrame) -> List[str]:
    """Return a note on each label of a template that prints QGIS's scale where it is not the ground's."""
    if frame.ground.has_ratio and abs(frame.nominal_scale / frame.scale - 1) <= _BAR_TOLERANCE:
        return []
    return [tr("The template's text “{id}” prints QGIS's own scale (map_scale), which is not that of the ground here. "
               "Write {expression} in the template instead.", id=label.id() or label.text()[:40],
               expression="[% cartoguide_scale() %]")
            for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)
            if "map_scale" in label.text() and label.id() not in _OWN_TEXTS]


def set_grids(layout: QgsPrintLayout, frame: MapFrame, language: str,
              outline_project: QgsProject) -> Optional[QgsCoordinateReferenceSystem]:
    """Set the template's first grid in kilometres and its second one in degrees, and fill the projection note.

    ``outline_project`` gets the layer of a map that shows grids alone. Return the CRS of the first grid, None for a
    layout without a map.
    """
    item = layout_items.main_map(layout)
    if item is None:
        return None
    crs = item.crs()
    grid_map = layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)
    if grid_map is not None:
        grid_map.setCrs(crs)
        grid_map.setLayers([empty_layer(outline_project)])
        grid_map.setKeepLayerSet(True)
        grid_map.setMapRotation(item.mapRotation())
        grid_map.setExtent(item.extent())
    declared = float((grid_map or item).customProperty(_STEP) or 0)
    # who reads positions from the map reads them in UTM
    kilometre_crs = utm_grid_crs(crs, frame.centre) if declared else grid_crs(crs, frame.centre)
    grids = [grid for grid in (grid_map or item).grids().asList() if grid.enabled()]
    for grid in grids:
        _set_sides(grid, item.mapRotation())
    # figures on a wall map are larger and need more space between them
    enlargement = max(1.0, grids[0].annotationTextFormat().size() / _FIGURE_SIZE) if grids else 1.0
    step = grid_step(frame.scale, _GRID_SPACING * enlargement)
    if declared and _LEAST_SPACING <= declared / frame.scale * 1000 <= _LARGEST_SPACING * item.rect().width():
        step = declared
    if grids:
        expression = kilometre_expression(step, language)
        if kilometre_crs == crs:
            expression = _without_cut_figures(layout, item, grids[0], expression)
        _set_grid(grids[0], kilometre_crs, step, expression)
    if len(grids) > 1:
        seconds = graticule_step(frame.scale, frame.centre[1], _GRATICULE_SPACING * enlargement)
        _set_grid(grids[1], QgsCoordinateReferenceSystem(WGS84), seconds / 3600, degree_expression(seconds, language))
    note = layout_items.find_item(layout, layout_items.PROJECTION, QgsLayoutItemLabel)
    if note is not None:
        note.setText(projection_note(crs, kilometre_crs, step, len(grids), language))
    return kilometre_crs


def _set_sides(grid: QgsLayoutItemMapGrid, rotation: float) -> None:
    """Let the sides that a template gives figures and ticks have those of the lines that meet them on a turned map."""
    if not rotation:
        return
    pair = (QgsLayoutItemMapGrid.DisplayMode.LatitudeOnly, QgsLayoutItemMapGrid.DisplayMode.LongitudeOnly)
    upright = (QgsLayoutItemMapGrid.BorderSide.Left, QgsLayoutItemMapGrid.BorderSide.Right)
    level = (QgsLayoutItemMapGrid.BorderSide.Bottom, QgsLayoutItemMapGrid.BorderSide.Top)
    # after one or three quarters of a turn, meridians meet the left and right sides
    for sides, mode in zip((upright, level), pair if round(rotation / 90) % 2 == 0 else pair[::-1]):
        for side in sides:
            if grid.annotationDisplay(side) in pair:
                grid.setAnnotationDisplay(mode, side)
            if grid.frameDivisions(side) in pair:
                grid.setFrameDivisions(mode, side)


def _set_grid(grid: QgsLayoutItemMapGrid, crs: QgsCoordinateReferenceSystem, step: float, expression: str) -> None:
    grid.setCrs(crs)
    grid.setUnits(QgsLayoutItemMapGrid.GridUnit.MapUnit)
    grid.setIntervalX(step)
    grid.setIntervalY(step)
    grid.setOffsetX(0)
    grid.setOffsetY(0)
    grid.setAnnotationFormat(QgsLayoutItemMapGrid.AnnotationFormat.CustomFormat)
    grid.setAnnotationExpression(expression)


def _without_cut_figures(layout: QgsPrintLayout, item: QgsLayoutItemMap, grid: QgsLayoutItemMapGrid,
                         expression: str) -> str:
    """Return the annotation without figures that the paper's edge or the ground of the title would cut."""
    if item.mapRotation():
        return expression
    font = QFont(grid.annotationTextFormat().font())
    font.setPointSizeF(grid.annotationTextFormat().size())
    half = text_fitting.text_width("0000", font) / 2 + _FIGURE_GAP
    # without the figures, which are part of the item's bounds where it has the grids itself
    frame, paper = QRectF(item.pagePos(), item.rect().size()), layout.pageCollection().page(max(0, item.page())).rect()
    band = layout_items.find_item(layout, "band_accent", QgsLayoutItem)
    # axis of the figure, its distance from a corner of the map as a share of the side, and room beyond the corner
    edges = [("x", "(@grid_number - x_min(@map_extent)) / @map_extent_width", frame.width(), frame.left()),
             ("x", "(x_max(@map_extent) - @grid_number) / @map_extent_width", frame.width(),
              paper.width() - frame.right())]
    if band is not None and band.page() == item.page():
        edges.append(("y", "(y_max(@map_extent) - @grid_number) / @map_extent_height", frame.height(),
                      frame.top() - band.pagePos().y() - band.rect().height()))
    cut = [f"@grid_axis = '{axis}' AND {share} < {(half - room) / side:.5f}" for axis, share, side, room in edges
           if room < half]
    return f"CASE WHEN {' OR '.join(cut)} THEN '' ELSE {expression} END" if cut else expression


def kilometre_expression(step: float, language: str = "en") -> str:
    """Return the annotation in kilometres in the language's notation, with the decimals that ``step`` (metres) needs.
    """
    if step >= 1000:
        return "to_string(round(@grid_number / 1000))"
    decimal_separator = map_phrase(language, "decimal")
    number = f"replace(format_number(@grid_number / 1000, {1 if step >= 100 else 2}, 'C'), ',', '')"
    return f"replace({number}, '.', '{decimal_separator}')"


def degree_expression(step: float, language: str) -> str:
    """Return the annotation as 3°30′O (seconds only if ``step`` needs them), with the language's letters.

    The meridians of 0° and 180° and the equator lie on no side and have none.
    """
    letters = {key: map_phrase(language, key) for key in ("west", "east", "north_letter", "south")}
    total = "round(abs(@grid_number) * 3600)"
    minutes = f"floor({total} / 60)"
    text = f"to_string(floor({total} / 3600)) || '°' || lpad(to_string({minutes} % 60), 2, '0') || '′'"
    if step % 60:
        text += f" || lpad(to_string({total} % 60), 2, '0') || '″'"
    return (f"{text} || CASE WHEN {total} = 0 OR {total} = 180 * 3600 THEN '' "
            f"WHEN @grid_axis = 'x' THEN CASE WHEN @grid_number < 0 THEN '{letters['west']}' "
            f"ELSE '{letters['east']}' END WHEN @grid_number < 0 THEN '{letters['south']}' "
            f"ELSE '{letters['north_letter']}' END")


def projection_note(crs: QgsCoordinateReferenceSystem, kilometre_crs: QgsCoordinateReferenceSystem, step: float,
                    grids: int, language: str) -> str:
    """Return the reference system and the grids in one or two sentences."""
    parts = [map_phrase(language, "reference", name=crs_name(language, crs.description()), code=crs.authid())]
    if grids:
        distance = f"{step / 1000:g} km" if step >= 1000 else f"{step:g} m"
        description = kilometre_crs.description()
        name: Optional[str] = kilometre_crs.authid()
        if "UTM" in description:
            # only the map's own zone was named
            name = "UTM" if kilometre_crs == crs else crs_name(language, description)
        parts.append(map_phrase(language, "grid", name=name, step=distance) + ".")
    if grids > 1:
        parts.append(map_phrase(language, "graticule"))
    return " ".join(parts)
