"""Draw the images of the bundled records: where each lies, from the outlines of the location maps.

Run it with the Python that QGIS has. It writes a PNG beside each record in resources/records.
"""

from __future__ import annotations

import json
import os
import sys
from math import cos, radians
from pathlib import Path
from typing import Iterator, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(ROOT))

from qgis.PyQt.QtCore import QPointF, QRectF, Qt  # noqa: E402
from qgis.PyQt.QtGui import QColor, QGuiApplication, QImage, QPainter, QPainterPath, QPen, QPolygonF  # noqa: E402

from plugin.core.page_design.page_themes import STANDARD, find_theme  # noqa: E402
from plugin.core.records import read  # noqa: E402

#: pixels of the square image
SIDE = 256
#: an extent of the whole region is shown by the region, and a smaller one by a mark of so many pixels at least
WHOLE_REGION, MARK = 5.0, 44
#: a view is so many times as wide as the extent, but not narrower than this, in degrees
AROUND, LEAST_VIEW = 1.15, 5.6
SEA, LAND, NEIGHBOUR = QColor("#d9e6ec"), QColor("#f7f3e8"), QColor("#ebe7dc")
#: what is drawn on the region to tell a record's subject, by the name of its file
DROP, PIN = "drop", "pin"
SUBJECTS = {"precipitation": (DROP, ((-5.9, 37.75), (-4.6, 37.45), (-3.2, 37.9))),
            "public-use-facilities": (PIN, ((-5.9, 37.4), (-4.5, 37.85), (-3.1, 37.35)))}
_THEME = find_theme(STANDARD)


def features(name: str) -> Iterator[Tuple[str, List[List[Tuple[float, float]]]]]:
    """Yield the kind and the lines (longitude, latitude in degrees) of each feature of an outline."""
    for feature in json.loads((ROOT / "resources/outline" / name).read_text(encoding="utf-8"))["features"]:
        geometry = feature["geometry"]
        lines = geometry["coordinates"]
        if geometry["type"] == "LineString":
            lines = [lines]
        elif geometry["type"] == "MultiPolygon":
            lines = [ring for polygon in lines for ring in polygon]
        yield feature["properties"]["kind"], lines


def symbol(kind: str, centre: QPointF) -> QPainterPath:
    """Return a drop, or a pin that points at ``centre``, in pixels."""
    path, size = QPainterPath(), 17.0
    turn = 1 if kind == DROP else -1
    path.moveTo(0, -1.5 * size * turn)
    path.cubicTo(0.4 * size, -0.8 * size * turn, size, -0.2 * size * turn, size, 0.45 * size * turn)
    path.arcTo(QRectF(-size, 0.45 * size * turn - size, 2 * size, 2 * size), 0, -180 * turn)
    path.cubicTo(-size, -0.2 * size * turn, -0.4 * size, -0.8 * size * turn, 0, -1.5 * size * turn)
    if kind == PIN:
        path.addEllipse(QPointF(0, -0.5 * size), 0.4 * size, 0.4 * size)
    return path.translated(centre)


def draw(name: str, west: float, south: float, east: float, north: float) -> QImage:
    """Return the image of the record in the file ``name``. Its extent is in degrees (CRS:84)."""
    longitude, latitude = (west + east) / 2, (south + north) / 2
    shrink = cos(radians(latitude))
    view = max(LEAST_VIEW, AROUND * max((east - west) * shrink, north - south))
    scale = SIDE / view

    def point(x: float, y: float) -> QPointF:
        return QPointF(SIDE / 2 + (x - longitude) * shrink * scale, SIDE / 2 - (y - latitude) * scale)

    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(SEA)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    is_region = east - west > WHOLE_REGION
    band, accent = QColor(_THEME.band), QColor(_THEME.accent)
    fills = {"neighbour": NEIGHBOUR, "region": QColor("#b9d7c3") if is_region else LAND}
    for kind, lines in features("land.geojson"):
        painter.setPen(QPen(band if kind == "region" else QColor(_THEME.muted), 2.5 if kind == "region" else 1.4))
        painter.setBrush(fills.get(kind, LAND))
        for line in lines:
            painter.drawPolygon(QPolygonF([point(*one) for one in line]))
    painter.setPen(QPen(QColor(_THEME.muted), 1.2, Qt.PenStyle.DashLine))
    for _kind, lines in features("borders.geojson"):
        for line in lines:
            painter.drawPolyline(QPolygonF([point(*one) for one in line]))
    subject, places = SUBJECTS.get(name, (PIN, ()))
    painter.setPen(QPen(Qt.GlobalColor.white, 2.5))
    painter.setBrush(QColor("#1f6fa8") if subject == DROP else accent)
    for place in places:
        painter.drawPath(symbol(subject, point(*place)))
    if not is_region:
        side = max(MARK, (east - west) * shrink * scale)
        accent.setAlpha(90)
        painter.setPen(QPen(QColor(_THEME.accent), 6))
        painter.setBrush(accent)
        painter.drawRect(QRectF(SIDE / 2 - side / 2, SIDE / 2 - side / 2, side, side))
    painter.end()
    return image


def main() -> None:
    """Write the image of each bundled record."""
    application = QGuiApplication(sys.argv)
    for path in sorted((ROOT / "resources/records").glob("*.xml")):
        extent = read(path.read_bytes(), path.name)[0].extents[0]
        draw(path.stem, extent.west, extent.south, extent.east, extent.north).save(str(path.with_suffix(".png")))
        print(path.with_suffix(".png").relative_to(ROOT))
    application.quit()


if __name__ == "__main__":
    main()
