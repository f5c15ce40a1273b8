"""A map that is rotated on its page: layout, requests and file follow, and the frame on the canvas turns."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy
import pytest
from osgeo import gdal
from PIL import Image
from qgis.core import QgsLayoutItemMap, QgsLayoutItemPicture, QgsPointXY
from qgis.PyQt.QtCore import Qt

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.map_grids import scale_problems
from plugin.gis.pages.completeness_checks import check_complete
from plugin.gis.pages.layout_builder import build_layout
from plugin.ui.composer.page_frame_tool import snapped_angle
from tests.qgis.print_maps import composed, pdf_text
from tests.qgis.test_page_fit import DPI
from tests.qgis.test_page_frame import canvas, display, dock, drag, press  # noqa: F401
from tests.qgis.test_written_pages import own_layer

TURNED = PageSetup("A4", Orientation.LANDSCAPE, rotation=30.0)
PARK = MapExtent(-3.55, 38.36, -3.47, 38.40)


def polygon_of(item):
    return [(point.x(), point.y()) for point in item.visibleExtentPolygon()][:4]


def test_the_whole_page_follows_the_rotation(network, project):
    made = composed(network, project, page=TURNED, extent=PARK, scale=None)
    layout, item = made.layout, layout_items.main_map(made.layout)
    assert item.mapRotation() == 30
    grid = layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)
    assert all(math.dist(*corners) < 1e-3 for corners in zip(polygon_of(grid), polygon_of(item)))
    arrow = layout_items.find_item(layout, layout_items.NORTH_ARROW, QgsLayoutItemPicture)
    # grid north and true north differ by less than a degree here
    assert abs(arrow.pictureRotation() - 30) < 1
    check_complete(layout)
    assert not scale_problems(layout)
    bounds = layout_items.visible_bounds(item)
    assert bounds.width() == pytest.approx(
        item.extent().width() * math.cos(math.radians(30)) + item.extent().height() * math.sin(math.radians(30)))
    # all of the area that the document states is on the page
    scale = item.scale()
    area = composed(network, project, page=replace(TURNED, rotation=0.0), extent=PARK, scale=None)
    assert scale >= layout_items.main_map(area.layout).scale()


@pytest.mark.parametrize("rotation", [0, 30, 90, 180, 270])
def test_a_turned_page_prints_the_figures_that_its_foot_names(network, project, tmp_path, rotation):
    made = composed(network, project, facilities=(), page=replace(TURNED, rotation=float(rotation)))
    path = tmp_path / "page.pdf"
    layout_export.export_layouts(made.layout, path, layout_export.ExportFormat.PDF, layout_export.ExportOptions(DPI))
    text = pdf_text(path)
    assert "valores en km" in text
    eastings, northings = re.findall(r"\b4[4-7]\d\b", text), re.findall(r"\b42[3-7]\d\b", text)
    assert len(eastings) >= 2 and len(northings) >= 2, text


def test_a_page_says_that_names_of_services_turn_with_the_map(network, project, tmp_path):
    def said(rotation, **changes):
        page = replace(TURNED, rotation=float(rotation))
        found = [note for note in layout_items.layout_notes(composed(network, project, page=page, **changes).layout)
                 if note.startswith("The map is turned by")]
        project.clear()
        return found

    for rotation in (0, 15, 345):
        assert not said(rotation)
    for rotation in (20, 90, 180, 340):
        assert len(said(rotation)) == 1
    owned = own_layer(tmp_path, "Rutas", {"type": "LineString", "coordinates": [[-3.55, 38.36], [-3.47, 38.4]]})
    assert not said(90, base=None, overlays=(), own_layers=(owned,)), "QGIS draws the names of own layers upright"


def test_a_strip_beside_the_base_of_a_turned_map_is_said(network, project):
    made = composed(network, project, page=replace(TURNED, rotation=90.0), scale=100_000)
    said, = [note for note in layout_items.layout_notes(made.layout) if "plain ground" in note]
    assert 95 < int(re.search(r"(\d+) %", said)[1]) < 99


def test_one_click_turns_a_map_back_whose_names_lie_on_their_sides(dock):  # noqa: F811
    actions = dock.composer_controller
    dock.map.commit(page=replace(TURNED, rotation=90.0))
    actions.refresh_view()
    row, = [row for row in actions.composer.findings.findings if row.rule == "turned-names"]
    assert row.is_problem and "90°" in row.message
    actions.preflight.apply_remedy(row)
    actions.refresh_view()
    assert dock.map.chosen.page.rotation == 0
    assert "turned-names" not in [finding.rule for finding in actions.composer.findings.findings]


def test_one_click_fits_a_page_that_is_wider_than_its_base(dock):  # noqa: F811
    actions = dock.composer_controller
    actions.extent.set_scale(200_000.0)
    actions.refresh_view()
    row, = [row for row in actions.composer.findings.findings if row.rule == "partly-outside"]
    fit, = [remedy for remedy in row.remedies if remedy.label == "Fit to the base"]
    actions.preflight.apply_remedy(replace(row, remedy=fit))
    actions.refresh_view()
    actions.page.frame.refresh()
    assert actions.page.frame.frame.share > 0.999
    assert "partly-outside" not in [finding.rule for finding in actions.composer.findings.findings]


def test_the_lines_of_a_turned_map_have_no_stairs(network, project, tmp_path):
    roughness = []
    for turned in (TURNED, replace(TURNED, rotation=0.0)):
        made = composed(network, project, guide=("relieve", "carreteras", "senderos"), facilities=(), page=turned)
        path = tmp_path / "page.png"
        layout_export.export_layouts(made.layout, path, layout_export.ExportFormat.PNG,
                                     layout_export.ExportOptions(DPI))
        frame = layout_items.main_map(made.layout).sceneBoundingRect()
        middle, half = frame.center(), frame.height() / 4
        box = [round(value * DPI / 25.4) for value in (middle.x() - half, middle.y() - half, middle.x() + half,
                                                       middle.y() + half)]
        light = numpy.asarray(Image.open(path).convert("L").crop(box)).astype(float)
        # a stair is a pixel that differs from the mean of its neighbours
        around = (light[:-2, 1:-1] + light[2:, 1:-1] + light[1:-1, :-2] + light[1:-1, 2:]) / 4
        roughness.append(numpy.abs(light[1:-1, 1:-1] - around).mean())
    assert roughness[0] < 0.85 * roughness[1], roughness


def test_a_rotated_geotiff_lies_where_its_map_lies(network, project, tmp_path):
    made = composed(network, project, page=TURNED)
    path = tmp_path / "page.tif"
    layout_export.export_layouts(made.layout, path, layout_export.ExportFormat.GEOTIFF,
                                 layout_export.ExportOptions(DPI))
    item = layout_items.main_map(made.layout)
    data = gdal.Open(str(path))
    c, a, b, f, d, e = data.GetGeoTransform()
    pixels = DPI / 25.4
    left, top = item.pos().x() * pixels, item.pos().y() * pixels
    width, height = item.rect().width() * pixels, item.rect().height() * pixels
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    found = [(a * x + b * y + c, d * x + e * y + f) for x, y in corners]
    for place, expected in zip(found, polygon_of(item)):
        assert math.dist(place, expected) < 2 * item.extent().width() / width


def test_the_handle_turns_the_frame_and_the_page_and_undo_names_it(dock, display):  # noqa: F811
    display.set_active(True)
    frames, maps = dock.composer_controller.page.frame, dock.map
    before, centre = frames.frame, frames.frame.rectangle.center()
    handle = display.band.handle
    reach = centre.distance(handle)
    # the frame on the ground is turned to the left, so the map on the page is turned to the right
    drag(display, handle, QgsPointXY(centre.x() - reach * math.sin(math.radians(31)),
                                     centre.y() + reach * math.cos(math.radians(31))))
    assert maps.chosen.page.rotation == 30 and frames.frame.rotation == 30
    assert frames.frame.scale == before.scale
    assert math.dist((frames.frame.rectangle.center().x(), frames.frame.rectangle.center().y()),
                     (centre.x(), centre.y())) < 5
    layout = build_layout(maps.project, maps.plan(), maps.mirror.qgis_layers(maps.plan()))
    printed = polygon_of(layout_items.main_map(layout))
    shown = [(point.x(), point.y()) for point in display.band.geometry.asPolygon()[0]]
    for corner in printed:
        assert min(math.dist(corner, other) for other in shown) < 5
    assert "30°" in dock.composer.page.summary.text()
    assert dock.composer.page.rotation.value() == 30
    maps = dock.composer_controller.map
    assert maps.custom_map.history.undo_label == "rotation of the page"
    document = maps.document()
    assert read_document(write_document(document)).page.rotation == 30
    maps.undo()
    assert maps.chosen.page.rotation == 0
    dock.composer.page.page_changed.emit(replace(maps.chosen.page, template="sheet", paper="A3"))
    assert maps.custom_map.history.undo_label == "template of the page"


def test_keys_turn_it_and_move_it_along_the_page(dock, display):  # noqa: F811
    display.set_active(True)
    frames = dock.composer_controller.page.frame
    press(display, Qt.Key.Key_R)
    press(display, Qt.Key.Key_R)
    assert frames.frame.rotation == 30
    press(display, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    assert frames.frame.rotation == 15
    before = frames.frame.rectangle.center()
    press(display, Qt.Key.Key_Right)
    after = frames.frame.rectangle.center()
    # to the right on the page is north of east on the ground
    assert math.degrees(math.atan2(after.y() - before.y(), after.x() - before.x())) == pytest.approx(15, abs=0.5)


def test_a_rotated_page_is_fitted_without_a_margin(dock):  # noqa: F811
    dock.map.commit(page=TURNED)
    frames = dock.composer_controller.page.frame
    frames.refresh()
    assert frames.fit()
    frames.refresh()
    assert frames.frame.rotation == 30 and frames.frame.share > 0.999


def test_the_angle_is_set_in_the_form(dock):  # noqa: F811
    dock.composer.page.rotation.setValue(45)
    assert dock.map.chosen.page.rotation == 45
    dock.composer.page.rotation.setValue(0)
    assert dock.map.chosen.page.rotation == 0


@pytest.mark.parametrize(("angle", "expected"), [(1.4, 0), (-2.9, 0), (17.9, 15), (20.6, 21), (-44, 315), (359, 0)])
def test_angles_snap(angle, expected):
    assert snapped_angle(angle) == expected
