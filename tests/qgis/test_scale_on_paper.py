"""Ratio and scale bar of the written page are those of the ground, in every kind of CRS, or are not printed.

Dots are drawn at known places and found again on the page. pyproj judges: it shares no code with the plugin's engine.
``-s`` prints the table.
"""

from __future__ import annotations

import itertools
import math
import re
import subprocess
from dataclasses import dataclass
from typing import Optional

import numpy
import pytest
from pyproj import CRS, Geod, Transformer
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsGeometry,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsMarkerSymbol,
    QgsPointXY,
    QgsPrintLayout,
    QgsReadWriteContext,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.map_findings import Severity
from plugin.core.custommap.model import CustomMap, MapEntry, PageSetup, Plan
from plugin.core.preflight import PreflightContext, preflight_findings
from plugin.gis.credits import expression_functions
from plugin.gis.layouts import layout_items, text_fitting
from plugin.gis.layouts.map_grids import scale_problems
from plugin.gis.pages import layout_builder
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.runtime.ground_scale import printed_ratio
from tests.pairwise import ALL, some
from tests.qgis.print_maps import pixels

#: what a figure on paper may differ from the ground by
TOLERANCE = 0.001
SCALE = 50_000.0
#: half the distance of the dots on paper, in millimetres
REACH = 40.0
MAGENTA = "#ff00ff"
#: CRS, longitude, latitude, and whether a ratio is printed there
CASES = [
    ("EPSG:4326", -3.5, 38.3, False), ("EPSG:4326", 10.0, 60.0, False), ("EPSG:4326", -70.0, -45.0, False),
    ("EPSG:4258", -3.5, 38.3, False), ("EPSG:4258", 24.0, 67.5, False),
    ("EPSG:3857", -3.5, 38.3, True), ("EPSG:3857", 10.0, 60.0, True), ("EPSG:3857", 20.0, 75.0, True),
    ("EPSG:3857", -78.5, -0.2, False), ("EPSG:3857", -16.5, 28.3, False),
    ("EPSG:25830", -3.5, 38.3, True), ("EPSG:25830", -8.9, 42.5, True), ("EPSG:32633", 15.0, 0.5, True),
    ("EPSG:32633", 17.9, 60.0, True), ("EPSG:32719", -70.6, -33.4, True),
    ("EPSG:3035", 10.0, 52.0, True), ("EPSG:3035", -16.5, 28.3, False), ("EPSG:3035", 25.0, 68.0, False),
    ("EPSG:2154", 3.0, 46.5, True), ("EPSG:2154", 8.7, 42.2, True), ("EPSG:27700", -2.0, 52.0, True),
    ("EPSG:27700", -5.5, 57.5, True), ("EPSG:2056", 8.2, 46.8, True), ("EPSG:31370", 4.5, 50.6, True),
    ("EPSG:28992", 5.4, 52.1, True), ("EPSG:2180", 19.0, 52.0, True), ("EPSG:2180", 23.5, 50.0, True),
    ("EPSG:3067", 27.0, 62.0, True), ("EPSG:3067", 20.5, 69.0, True), ("EPSG:3995", 20.0, 80.0, True),
    ("EPSG:3995", -100.0, 68.0, True), ("EPSG:3995", 0.0, 90.0, True), ("EPSG:3031", 100.0, -75.0, True),
    ("EPSG:3031", -60.0, -64.0, True), ("EPSG:3413", -45.0, 72.0, True), ("EPSG:3413", 15.0, 79.0, True),
    ("EPSG:2263", -73.9, 40.75, True), ("EPSG:2225", -123.0, 40.5, True), ("EPSG:5514", 15.0, 49.8, True),
    ("EPSG:3301", 25.0, 58.8, True), ("EPSG:2193", 174.8, -41.3, True), ("EPSG:5070", -121.0, 47.5, False),
]


@dataclass
class Page:
    """Figures of one written page: metres on the ground for a metre on paper, and what is printed."""

    across: float
    along: float
    ratio: Optional[float]
    bar_metres: float
    bar_millimetres: float
    words: str

    @property
    def bar(self) -> float:
        """The denominator that the scale bar stands for."""
        return self.bar_metres / self.bar_millimetres * 1000


def built(project, crs, longitude, latitude, scale=SCALE, template="guide", language="en"):
    made = Plan(title="Dots", crs=crs, layers=(), extent=None, centre=(longitude, latitude), scale=scale,
                page=PageSetup(template=template), language=language)
    return layout_builder.build_layout(project, made, [])


def dots_of(layout, crs):
    """Four dots on the page's axes as (longitude, latitude), by pyproj: left, right, lower, upper."""
    item = layout.itemById(layout_items.MAP)
    units, centre = item.extent().width() / item.rect().width() * REACH, item.extent().center()
    to_degrees = Transformer.from_crs(CRS(crs), CRS(crs).geodetic_crs, always_xy=True)
    return [to_degrees.transform(centre.x() + x * units, centre.y() + y * units)
            for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))]


def draw_dots(project, layout, crs, dots):
    geographic = QgsCoordinateReferenceSystem(f"EPSG:{CRS(crs).geodetic_crs.to_epsg()}")
    layer = QgsVectorLayer(f"Point?crs={geographic.authid()}", "dots", "memory")
    for dot in dots:
        feature = QgsFeature()
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(*dot)))
        layer.dataProvider().addFeature(feature)
    layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple(
        {"name": "circle", "color": MAGENTA, "outline_style": "no", "size": "2"})))
    project.addMapLayer(layer, False)
    layout.itemById(layout_items.MAP).setLayers([layer])


def crop(path, box, dpi, tool="pdftoppm"):
    """A part of the PDF's page, ``box`` in millimetres, as colours (rows, columns, bands) or as text."""
    unit = 25.4 / dpi
    area = ["-r", str(dpi), "-x", str(int(box.left() / unit)), "-y", str(int(box.top() / unit)), "-W",
            str(int(box.width() / unit) + 1), "-H", str(int(box.height() / unit) + 1), "-f", "1", "-l", "1"]
    if tool == "pdftotext":
        return subprocess.run([tool, *area, "-layout", str(path), "-"], capture_output=True, check=True).stdout.decode()
    if tool == "pdftocairo":
        data = subprocess.run([tool, *area, "-singlefile", "-png", str(path), "-"], capture_output=True,
                              check=True).stdout
        return pixels(QImage.fromData(data))[:, :, :3]
    data = subprocess.run([tool, *area, str(path)], capture_output=True, check=True).stdout
    head = re.match(rb"P6\s(\d+)\s(\d+)\s255\s", data)
    width, height = int(head.group(1)), int(head.group(2))
    return numpy.frombuffer(data, numpy.uint8, width * height * 3, head.end()).reshape(height, width, 3)


def dot_distances(path, centre, dpi=400):
    """The distances on the page between left and right and between lower and upper dot, in millimetres."""
    reach, found = REACH + 3, []
    # most of the time goes into reading the map's picture in the PDF, however little of it is asked for
    square = crop(path, QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach), dpi)
    half, middle = round(1.5 / 25.4 * dpi), len(square) // 2
    for axis, picture in ((1, square[middle - half:middle + half]), (0, square[:, middle - half:middle + half])):
        picture = picture.astype(int)
        weight = numpy.minimum(picture[..., 0], picture[..., 2]) - picture[..., 1]
        profile = numpy.where(weight < 60, 0, weight).sum(axis=1 - axis)
        middle, places = len(profile) // 2, numpy.arange(len(profile))
        parts = [slice(0, middle), slice(middle, None)]
        assert all(profile[part].sum() > 0 for part in parts), "two dots are on the page"
        first, second = ((profile[part] * places[part]).sum() / profile[part].sum() for part in parts)
        found.append(float(second - first) * 25.4 / dpi)
    return found


def bar_length(path, layout, bar, dpi=2400):
    """The length of the scale bar in millimetres: from the left edge of its first line to that of its last one."""
    every = 4
    # pdftoppm would first scale the whole map's picture to so many dots
    dark = crop(path, bar.mapRectToScene(bar.rect()), dpi, "pdftocairo")[::every].min(axis=2) < 128
    runs = [dark_runs(row) for row in dark]
    upper = max(range(len(runs)), key=lambda y: max((end - start for start, end in runs[y]), default=0))
    starts = [start for start, _ in runs[upper + round(bar.height() / 2 / 25.4 * dpi / every)]]
    assert len(starts) == bar.numberOfSegments() // 2 + 1, "dark and white segments, the last of them white"
    return (starts[-1] - starts[0]) / dpi * 25.4


def dark_runs(row):
    changes = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], row.astype(int), [0]))))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist()))


def written(project, layout, crs, folder) -> Page:
    dots = dots_of(layout, crs)
    draw_dots(project, layout, crs, dots)
    path = folder / "page.pdf"
    settings = QgsLayoutExporter.PdfExportSettings()
    # QGIS rounds the places of symbols to pixels
    settings.dpi = 600
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    assert QgsLayoutExporter(layout).exportToPdf(str(path), settings) == QgsLayoutExporter.ExportResult.Success
    item, bar = layout.itemById(layout_items.MAP), layout.itemById(layout_items.SCALEBAR)
    frame = item.mapRectToScene(item.rect())
    geod = CRS(crs).get_geod() or Geod(ellps="WGS84")
    ground = [geod.inv(*dots[first], *dots[first + 1])[2] for first in (0, 2)]
    paper = dot_distances(path, frame.center())
    label = layout.itemById(layout_items.SCALE_TEXT)
    words = " ".join(crop(path, label.mapRectToScene(label.rect()), 300, "pdftotext").split())
    ratio = re.search(r"1:([\d\s]+)", words)
    figures = crop(path, bar.mapRectToScene(bar.rect()).adjusted(-2, -1, 4, 1), 300, "pdftotext")
    last, unit = re.findall(r"([\d.,]+)\s*(k?m)\b", figures)[-1]
    return Page(ground[0] / paper[0] * 1000, ground[1] / paper[1] * 1000,
                float(re.sub(r"\s", "", ratio.group(1))) if ratio else None,
                float(last.replace(",", ".")) * (1000 if unit == "km" else 1), bar_length(path, layout, bar), words)


@pytest.mark.parametrize(("crs", "longitude", "latitude", "has_ratio"), CASES if ALL else CASES[:14:7])
def test_ratio_and_bar_on_the_written_page_are_the_grounds_or_are_not_printed(project, tmp_path, crs, longitude,
                                                                              latitude, has_ratio):
    layout = built(project, crs, longitude, latitude)
    page = written(project, layout, crs, tmp_path)
    print(f"\n{crs:11}{latitude:7.1f}°  ground 1:{page.across:8.0f} by 1:{page.along:8.0f}  bar "
          f"{100 * (page.bar / page.across - 1):+.3f} %  ratio "
          + (f"{100 * (page.ratio / page.across - 1):+.3f} %" if page.ratio else "none") + f"  “{page.words}”")
    assert page.bar == pytest.approx(page.across, rel=TOLERANCE)
    assert (page.ratio is not None) == has_ratio
    difference = abs(page.along / page.across - 1)
    if page.ratio is not None:
        assert page.ratio == pytest.approx(page.across, rel=TOLERANCE)
        # what is measured on paper is off by 0.03 % for each direction
        assert "horizontally" in page.words or difference < 1.6 * TOLERANCE
        assert "horizontally" not in page.words or difference > 0.4 * TOLERANCE
    else:
        assert page.words.startswith("Scale true") and difference > 0.005
    assert page.across == pytest.approx(SCALE, rel=TOLERANCE), "the scale that was asked for"


def words_of(path):
    """The words on a PDF's page with their boxes (left, top, right, bottom) in points."""
    listed = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True).stdout.decode()
    found = re.findall(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>', listed)
    return [(tuple(map(float, numbers)), word) for *numbers, word in found]


@pytest.mark.slow
@pytest.mark.parametrize(("crs", "scale"), some(itertools.product(
    ["EPSG:3857", "EPSG:4326", "EPSG:2263"], [20_000.0, 80_000.0, 300_000.0]), 8))
def test_figures_of_the_scale_bar_do_not_touch_in_the_north_or_in_feet(project, tmp_path, crs, scale):
    place = (-73.9, 40.75) if crs == "EPSG:2263" else (10.0, 65.0)
    layout = built(project, crs, *place, scale=scale)
    page = written(project, layout, crs, tmp_path)
    assert page.bar == pytest.approx(page.across, rel=TOLERANCE) and 19.9 <= page.bar_millimetres <= 60
    bar = layout.itemById(layout_items.SCALEBAR)
    box = bar.mapRectToScene(bar.rect()).adjusted(-1, -1, 1, 1)
    point = 25.4 / 72
    figures = sorted(extent for extent, _ in words_of(tmp_path / "page.pdf")
                     if box.left() < extent[0] * point and extent[2] * point < box.right()
                     and box.top() < extent[1] * point and extent[3] * point < box.bottom())
    assert len(figures) >= bar.numberOfSegments() + 1, "one at each end of a segment"
    assert all(second[0] - first[2] > 0.5 for first, second in zip(figures, figures[1:]))


@pytest.mark.parametrize("plugin", [True, False])
def test_a_ratio_is_still_the_grounds_or_gone_after_the_map_was_moved(project, plugin):
    layout = built(project, "EPSG:3857", 10.0, 60.0)
    item, label = layout.itemById(layout_items.MAP), layout.itemById(layout_items.SCALE_TEXT)
    expression_functions.register() if plugin else expression_functions.unregister()
    assert label.currentText() == "Scale 1:50\u00a0000 (horizontally)" and not scale_problems(layout)
    shown = item.extent()
    item.setScale(item.scale() / 2)
    assert label.currentText() == "Scale 1:25\u00a0000 (horizontally)" and not scale_problems(layout)
    item.setExtent(QgsRectangle.fromCenterAndSize(QgsPointXY(shown.center().x(), 0.6 * shown.center().y()),
                                                  shown.width(), shown.height()))
    latitude = QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem("EPSG:4326"),
                                      project).transform(item.extent().center()).y()
    ground = 50_000 * math.cos(math.radians(latitude)) / math.cos(math.radians(60))
    if plugin:
        told = float(re.sub(r"\D", "", label.currentText().split("1:")[1]))
        assert told == pytest.approx(ground, rel=0.005)
    else:
        assert label.currentText() == "Scale – (horizontally)"
    sentence, = scale_problems(layout)
    assert "%" in sentence and scale_problems(built(project, "EPSG:3857", 10.0, 60.0)) == []
    expression_functions.register()


def test_an_own_template_with_qgis_scale_is_named_and_may_use_the_grounds(project, tmp_path):
    own = QgsPrintLayout(project)
    own.initializeDefaults()
    item = QgsLayoutItemMap(own)
    item.setId("map")
    own.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(150, 100))
    item.setExtent(QgsRectangle(0, 0, 150, 100))
    for name, text in (("theirs", "1:[% round(map_get(item_variables('map'), 'map_scale')) %]"),
                       ("ground", "1:[% round(cartoguide_scale()) %]")):
        label = QgsLayoutItemLabel(own)
        label.setId(name)
        label.setText(text)
        own.addLayoutItem(label)
        label.attemptResize(QgsLayoutSize(100, 10))
    path = tmp_path / "own.qpt"
    own.saveAsTemplate(str(path), QgsReadWriteContext())
    layout = built(project, "EPSG:3857", 10.0, 60.0, template=str(path))
    assert layout.itemById("ground").currentText() == "1:50000"
    assert layout.itemById("theirs").currentText() != "1:50000"
    assert [note for note in layout_items.layout_notes(layout) if "“theirs”" in note and "cartoguide_scale" in note]
    notes = layout_items.layout_notes(built(project, "EPSG:25830", -3.5, 38.3, template=str(path)))
    assert not any("“theirs”" in note for note in notes), "there it is the ground's"
    assert built(project, "EPSG:4326", -3.5, 38.3, template=str(path)).itemById("ground").currentText() == "1:"


def test_a_spanish_page_in_degrees_names_the_parallel_in_spanish(project):
    layout = built(project, "EPSG:4326", -3.5, -38.304, language="es")
    label = layout.itemById(layout_items.SCALE_TEXT)
    assert label.currentText() == "Escala válida en 38°18′\u00a0S"
    assert not text_fitting.label_overflows(label)


def test_the_grid_of_a_map_in_feet_is_in_kilometres(project):
    layout = built(project, "EPSG:2263", -73.9, 40.75)
    assert layout.itemById(layout_items.GRID).grids().asList()[0].crs().authid() == "EPSG:32618"


@pytest.mark.parametrize(("crs", "rule"), [("EPSG:4326", "degrees"), ("EPSG:3035", "uneven-scale"),
                                           ("EPSG:3857", "uneven-scale"), ("EPSG:32628", None)])
def test_the_findings_of_a_map_on_the_canaries(project, crs, rule):
    made = Plan(title="Dots", crs=crs, layers=(), extent=None, centre=(-16.5, 28.3), scale=SCALE)
    frame = PageMeasurement(project).frame(made)
    document = CustomMap(title="Dots", crs=crs, base=MapEntry("https://x.org/wms?", "Dots"))
    found = preflight_findings(PreflightContext(document, made, frame=frame))
    rules = [finding.rule for finding in found if finding.rule in ("degrees", "uneven-scale")]
    assert rules == ([rule] if rule else [])
    if rule:
        finding = next(finding for finding in found if finding.rule == rule)
        assert finding.remedy.value == "EPSG:32628" and finding.severity is Severity.WARNING
        assert "500 m" in finding.message


def test_the_map_in_another_shape_of_a_page_keeps_the_ground_scale(project):
    layout = built(project, "EPSG:3857", 10.0, 60.0, template="multiples")
    item = layout.itemById(layout_items.MAP)
    assert printed_ratio(item) == pytest.approx(SCALE, rel=1e-6)
