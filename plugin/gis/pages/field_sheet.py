"""Field sheet: a note for grid and compass, with the squares of the military grid and magnetic north."""

from __future__ import annotations

from datetime import date
from typing import List, Tuple

from qgis.core import (
    QgsBearingUtils,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsLayoutItemLabel,
    QgsPointXY,
    QgsRectangle,
)

from ...core.geodesy import MODEL, SQUARE, magnetic_declination, square_of, zone_of
from ...core.i18n import tr
from ..credits.map_phrases import long_date, map_phrase
from ..layouts import layout_items
from ..runtime.conversions import utm_zone
from .layout_feature import LayoutFeature, PageBuilding

_WGS84 = "EPSG:4326"
#: more squares than this are not listed: such a map is not read to the metre
_MOST_SQUARES = 6
#: metres on the grid. Within this, grid and magnetic north of the middle are true to about half a degree
_LARGEST_AREA = 1.5 * SQUARE


def field_note(bounds: QgsRectangle, crs: QgsCoordinateReferenceSystem, grid_crs: QgsCoordinateReferenceSystem,
               language: str, day: date) -> Tuple[str, List[str]]:
    """Return the note for a map that shows ``bounds`` in ``crs``, for its middle on ``day``, and what it cannot say.

    ``grid_crs`` is the CRS of the kilometre grid. Squares outside of the grid's zone are left out, and so is a
    declination outside of the model's years or near a magnetic pole, or that of the middle of a large area.
    """
    context = QgsCoordinateTransformContext()
    try:
        position = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(_WGS84), context).transform(bounds.center())
        on_grid = QgsCoordinateTransform(crs, grid_crs, context)
        area, middle = on_grid.transformBoundingBox(bounds), on_grid.transform(bounds.center())
        convergence = -QgsBearingUtils.bearingTrueNorth(grid_crs, context, middle)
    except QgsCsException:
        return "", [tr("The squares of the military grid and magnetic north are not printed: the map's area cannot be "
                       "expressed in degrees.")]
    notes, sentences = [], []
    squares = _squares(area, grid_crs, position)
    if squares:
        sentences.append(map_phrase(language, "mgrs", squares=", ".join(squares)))
    else:
        notes.append(tr("The squares of the military grid (MGRS) are not printed: the map's grid is that of another "
                        "zone, or the map shows more than {count} squares.", count=_MOST_SQUARES))
    declination = magnetic_declination(position.x(), position.y(), day)
    if max(area.width(), area.height()) > _LARGEST_AREA:
        notes.append(tr("Magnetic declination is not printed: on a map of more than {count} km it differs too much "
                        "from one edge to the other.", count=round(_LARGEST_AREA / 1000)))
    elif declination is None:
        notes.append(tr("Magnetic declination is not printed: the model {model} does not cover this date or place.",
                        model=MODEL))
    else:
        sentences.append(map_phrase(
            language, "magnetic_north", date=long_date(language, day), model=MODEL,
            declination=_angle(declination.degrees, language), change=_angle(declination.change, language),
            grid=_angle(declination.degrees - convergence, language)))
    return " ".join(sentences), notes


def _squares(area: QgsRectangle, grid_crs: QgsCoordinateReferenceSystem, position: QgsPointXY) -> List[str]:
    """Return the squares that ``area``, metres on the grid, shows, or none where the grid is that of another zone."""
    zone = utm_zone(grid_crs)
    if zone is None or zone != zone_of(position.x(), position.y()):
        return []
    to_degrees = QgsCoordinateTransform(grid_crs, QgsCoordinateReferenceSystem(_WGS84), QgsCoordinateTransformContext())
    found: List[str] = []
    for row in range(int(area.yMaximum() // SQUARE), int(area.yMinimum() // SQUARE) - 1, -1):
        for column in range(int(area.xMinimum() // SQUARE), int(area.xMaximum() // SQUARE) + 1):
            part = QgsRectangle(column * SQUARE, row * SQUARE, (column + 1) * SQUARE, (row + 1) * SQUARE)
            shown = part.intersect(area)
            # a square may lie in two bands of latitude
            for northing in (shown.yMaximum(), shown.yMinimum()):
                latitude = to_degrees.transform(QgsPointXY(shown.center().x(), northing)).y()
                square = square_of(zone, latitude, *shown.center())
                if square and square not in found:
                    found.append(square)
            if len(found) > _MOST_SQUARES:
                return []
    return found


def _angle(degrees: float, language: str) -> str:
    """Return an angle from north as degrees and minutes with its side: 1°09′ E."""
    minutes = round(abs(degrees) * 60)
    letter = map_phrase(language, "east" if degrees >= 0 else "west")
    return f"{minutes // 60}°{minutes % 60:02}′\u00a0{letter}"


def _fill(page: PageBuilding) -> List[str]:
    """Fill the label for grid and compass, if the template has one and the map a kilometre grid."""
    label = layout_items.find_item(page.layout, layout_items.FIELD_NOTE, QgsLayoutItemLabel)
    if label is None or page.grid_crs is None:
        return []
    text, notes = field_note(layout_items.visible_bounds(page.item), page.item.crs(), page.grid_crs,
                             page.plan.language, page.today)
    label.setText(text)
    return notes


FEATURE = LayoutFeature("field_sheet", fill=_fill)
