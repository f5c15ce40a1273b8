"""The frame of the page on the canvas: it lies where the page is, and moves and resizes the page in the document."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import QgsFeature, QgsGeometry, QgsPointXY, QgsProject, QgsRectangle, QgsVectorLayer
from qgis.gui import QgsLayerTreeMapCanvasBridge, QgsMapCanvas, QgsMapMouseEvent
from qgis.PyQt.QtCore import QEvent, QPointF, Qt
from qgis.PyQt.QtGui import QKeyEvent, QMouseEvent
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication

from plugin.app.maps import map_controller
from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import LayerChoice
from plugin.core.custommap.model import MapRole, Orientation, PageSetup
from plugin.core.custommap.page_fit import floor_scale, snapped_scale
from plugin.core.distributions.record_distributions import wms_address
from plugin.gis.pages import page_measurement
from plugin.ui.composer.page_frame_tool import PageFrameDisplay


@pytest.fixture
def dock(network_dock, wait_until):
    """A dock whose map has a base, and whose extent is that of all services."""
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    row = next(row for row in range(3) if "Despe" in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    wait_until(lambda: dock.view.record is not None)
    endpoint = wms_address(dock.view.record)
    dock.session.load_service(endpoint)
    wait_until(lambda: dock.session.services.get(endpoint) is not None, 30)
    dock.map.add(dock.view.record, endpoint, LayerChoice.of_names(("limite_parque",), MapRole.BASE))
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding, 30)
    dock.composer_controller.extent.set_mode(ExtentMode.ALL_SERVICES)
    return dock


@pytest.fixture
def canvas(qgis_app, qtbot):
    canvas = QgsMapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(600, 400)
    canvas.show()
    canvas.setDestinationCrs(QgsProject.instance().crs())
    return canvas


@pytest.fixture
def display(dock, canvas):
    canvas.setDestinationCrs(QgsProject.instance().crs())
    frames = dock.composer_controller.page.frame
    frames.refresh()
    canvas.setExtent(frames.frame.rectangle.buffered(4000))
    made = PageFrameDisplay(canvas, frames)
    made.set_watched(True)
    yield made
    made.close()


def drag(display, start, end):
    """Drag from one map position to another with the left button."""
    tool = display.tool
    for kind, place, handle in ((QEvent.Type.MouseButtonPress, start, tool.canvasPressEvent),
                                (QEvent.Type.MouseMove, end, tool.canvasMoveEvent),
                                (QEvent.Type.MouseButtonRelease, end, tool.canvasReleaseEvent)):
        position = QPointF(tool.toCanvasCoordinates(place))
        mouse = QMouseEvent(kind, position, position, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton,
                            Qt.KeyboardModifier.NoModifier)
        handle(QgsMapMouseEvent(tool.canvas(), mouse))


def press(display, key, modifier=Qt.KeyboardModifier.NoModifier):
    display.tool.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, modifier))


def test_a_state_is_planned_and_measured_once_for_all_views(dock, monkeypatch):
    planned, measured = [], []
    make_plan, set_frame = map_controller.make_plan, page_measurement.set_frame
    monkeypatch.setattr(map_controller, "make_plan", lambda *given: planned.append(given) or make_plan(*given))
    monkeypatch.setattr(page_measurement, "set_frame", lambda *given: measured.append(given) or set_frame(*given))
    actions = dock.composer_controller
    actions.refresh_view()
    planned.clear(), measured.clear()
    frame = actions.page.frame.frame
    actions.refresh_view()
    assert not planned and not measured and actions.page.frame.frame == frame
    actions.extent.set_scale(75_000)
    actions.refresh_view()
    assert len(planned) == 1 and actions.page.frame.frame.scale == 75_000
    assert len(measured) == 1, "once for the frame on the canvas and the findings"
    QgsProject.instance().setEllipsoid("EPSG:7019" if QgsProject.instance().ellipsoid() != "EPSG:7019" else "EPSG:7030")
    actions.refresh_view()
    assert len(planned) == 1 and len(measured) == 2, "a scale is measured on the ellipsoid"


def test_the_frame_is_where_the_page_is(dock, display):
    assert display.band.geometry is None
    display.set_active(True)
    assert dock.map.custom_map.extent_mode is ExtentMode.CUSTOM
    frames = dock.composer_controller.page.frame
    shown = display.band.geometry.boundingBox()
    layout_extent = QgsRectangle(*dock.map.page_measurement.map_extent(dock.map.plan()))
    assert abs(shown.xMinimum() - layout_extent.xMinimum()) < 1
    assert abs(shown.width() / shown.height() - frames.frame.rectangle.width() / frames.frame.rectangle.height()) < 1e-6


def test_it_is_dragged_and_undone(dock, display):
    display.set_active(True)
    frames = dock.composer_controller.page.frame
    before = frames.frame
    centre = before.rectangle.center()
    drag(display, centre, QgsPointXY(centre.x() + 2000, centre.y() - 1000))
    tolerance = 2 * display.tool.canvas().mapUnitsPerPixel() + 5
    assert abs(frames.frame.rectangle.center().x() - centre.x() - 2000) < tolerance
    assert abs(frames.frame.rectangle.center().y() - centre.y() + 1000) < tolerance
    assert frames.frame.scale == before.scale
    dock.composer_controller.map.undo()
    dock.composer_controller.refresh_view()
    assert abs(frames.frame.rectangle.center().x() - centre.x()) < tolerance


def test_a_corner_resizes_to_round_scales(dock, display):
    display.set_active(True)
    frames = dock.composer_controller.page.frame
    before, rectangle = frames.frame, QgsRectangle(frames.frame.rectangle)
    corner, centre = QgsPointXY(rectangle.xMaximum(), rectangle.yMaximum()), rectangle.center()
    drag(display, corner, QgsPointXY(centre.x() + (corner.x() - centre.x()) * 0.53,
                                     centre.y() + (corner.y() - centre.y()) * 0.53))
    after = frames.frame
    assert 0.45 < after.scale / before.scale < 0.62
    assert after.scale == snapped_scale(after.scale)
    assert dock.map.chosen.scale == after.scale


def test_keys_move_and_resize_it(dock, display):
    display.set_active(True)
    frames = dock.composer_controller.page.frame
    before = frames.frame
    press(display, Qt.Key.Key_Right)
    moved = frames.frame.rectangle.center().x() - before.rectangle.center().x()
    assert abs(moved / before.rectangle.width() - 0.1) < 0.01
    press(display, Qt.Key.Key_Minus)
    assert frames.frame.scale < before.scale
    press(display, Qt.Key.Key_Escape)
    assert display.tool.canvas().mapTool() is not display.tool


def test_escape_gives_up_a_drag_while_the_button_is_down(dock, display):
    display.set_active(True)
    canvas, frames = display.tool.canvas(), dock.composer_controller.page.frame
    before = QgsRectangle(frames.frame.rectangle)
    start = QPointF(display.tool.toCanvasCoordinates(before.center()))

    def send(kind, position):
        QApplication.sendEvent(canvas.viewport(), QMouseEvent(
            kind, position, position, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier))

    send(QEvent.Type.MouseButtonPress, start)
    send(QEvent.Type.MouseMove, start + QPointF(30, 10))
    assert display.band.geometry.boundingBox().center().distance(before.center()) > 1
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    send(QEvent.Type.MouseButtonRelease, start + QPointF(30, 10))
    assert frames.frame.rectangle.center().distance(before.center()) < 1
    assert display.band.geometry.boundingBox().center().distance(before.center()) < 1
    assert canvas.mapTool() is display.tool, "the next Esc leaves the tool"


def test_paper_and_orientation_change_it_at_once(dock, display):
    display.set_active(True)
    dock.map.commit(page=PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    dock.composer_controller.refresh_view()
    wide = display.band.geometry.boundingBox()
    dock.map.commit(page=PageSetup("A4", Orientation.PORTRAIT, "guide"))
    dock.composer_controller.refresh_view()
    tall = display.band.geometry.boundingBox()
    assert tall.width() / tall.height() < 0.95 * wide.width() / wide.height()


def test_it_is_shown_only_while_the_composer_is_seen(display):
    display.set_active(True)
    assert display.band.geometry is not None
    display.set_watched(False)
    assert display.band.geometry is None


@pytest.mark.parametrize("orientation", list(Orientation))
def test_fit_leaves_no_margin_and_can_be_undone_at_once(dock, display, orientation):
    dock.map.commit(page=PageSetup("A4", orientation, "guide"))
    frames = dock.composer_controller.page.frame
    frames.refresh()
    assert frames.fit()
    frames.refresh()
    assert frames.frame.share > 0.999
    assert frames.frame.scale == floor_scale(frames.frame.scale)
    assert "Fills" not in dock.composer.page.meter.text(), "no picture says how much is filled"
    dock.composer_controller.map.undo()
    assert dock.map.chosen.page.orientation == orientation
    assert dock.map.custom_map.extent_mode is not ExtentMode.CUSTOM


@pytest.fixture
def seen(dock, canvas, display):
    """The canvas as QGIS's window has it, which shows the map of the park."""
    dock.iface = SimpleNamespace(mapCanvas=lambda: canvas)
    dock.composer_controller.page.frame_display = display
    bridge = QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), canvas)
    QTest.qWait(50)
    canvas.setExtent(dock.composer_controller.page.frame.frame.rectangle.buffered(500))
    yield canvas
    dock.composer_controller.page.frame_display = None
    bridge.deleteLater()


def put_all_of_the_region_on_the_map(dock, wait_until):
    """A service of all of Andalusia, to which QGIS zooms where the project has been empty."""
    row = next(row for row in range(3) if "quipamientos" in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    dock.pages.open_record()
    wait_until(lambda: dock.view.record is not None and "quipamientos" in dock.view.record.title)
    endpoint = wms_address(dock.view.record)
    dock.session.load_service(endpoint)
    wait_until(lambda: dock.session.services.get(endpoint) is not None, 30)
    dock.map.add(dock.view.record, endpoint, LayerChoice.of_names(("miradores",), MapRole.OVERLAY))
    wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding, 30)


def test_undo_of_a_new_map_and_redo_show_the_place_before(dock, seen, wait_until):
    put_all_of_the_region_on_the_map(dock, wait_until)
    place = seen.extent()
    dock.composer_controller.documents.new()
    wait_until(lambda: not seen.layers())
    dock.map.undo()
    wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding and len(seen.layers()) >= 2, 60)
    QTest.qWait(100)
    assert abs(seen.extent().width() - place.width()) < 1 and seen.extent().center().distance(place.center()) < 1
    # the place of a map that is gone is not that of the next one
    dock.map.redo()
    wait_until(lambda: not seen.layers())
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "far", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt("POINT (100000 4000000)"))
    layer.dataProvider().addFeature(feature)
    layer.updateExtents()
    QgsProject.instance().addMapLayer(layer)
    wait_until(lambda: bool(seen.layers()))
    QTest.qWait(50)
    assert not seen.extent().intersects(place)


def test_a_map_that_is_opened_is_seen_on_the_canvas(dock, seen, wait_until, tmp_path):
    put_all_of_the_region_on_the_map(dock, wait_until)
    dock.composer_controller.extent.set_scale(50_000)
    path = tmp_path / "parque.custommap.json"
    dock.composer_controller.documents.save_to(path)
    dock.composer_controller.documents.new()
    wait_until(lambda: not seen.layers())
    dock.composer_controller.documents.open_file(path)
    wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding and len(seen.layers()) >= 2, 60)
    QTest.qWait(100)
    frame = dock.composer_controller.page.frame.frame.rectangle
    assert seen.extent().contains(frame) and seen.extent().width() < 4 * frame.width()
