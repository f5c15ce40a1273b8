"""The comparison on the canvas: with a layer left of the line, without it right of it, and nothing of it left over."""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapToolPan
from qgis.PyQt.QtCore import QEvent, QPointF, Qt
from qgis.PyQt.QtGui import QColor, QKeyEvent, QMouseEvent
from qgis.PyQt.QtWidgets import QToolButton

from plugin.ui.composer.swipe_tool import SwipeComparison
from tests.qgis.qgis_window import Window

RED, BLUE = "#c00000", "#0000c0"


def area(colour):
    """A layer of one colour that fills the canvas."""
    layer = QgsVectorLayer("Polygon?crs=EPSG:25830", colour, "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(-10000, -10000, 10000, 10000)))
    layer.dataProvider().addFeatures([feature])
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": colour, "outline_style": "no"})))
    QgsProject.instance().addMapLayer(layer)
    return layer


@pytest.fixture
def canvas(qgis_app, qtbot, wait_until):
    canvas = QgsMapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(600, 400)
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    canvas.setExtent(QgsRectangle(-100, -100, 100, 100))
    canvas.setLayers([area(RED), area(BLUE)])
    canvas.show()
    return canvas


@pytest.fixture
def comparison(canvas, wait_until):
    made = SwipeComparison(canvas, [canvas.layers()[0].id()])
    wait_until(lambda: made.curtain.image is not None and colour_at(canvas, 20) == RED)
    yield made
    made.close()


def colour_at(canvas, x):
    return QColor(canvas.viewport().grab().toImage().pixel(x, 300)).name()


def press(comparison, key, modifier=Qt.KeyboardModifier.NoModifier):
    comparison.tool.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, modifier))


def test_left_of_the_line_the_map_has_the_layer_and_right_of_it_not(canvas, comparison):
    assert (colour_at(canvas, 250), colour_at(canvas, 350)) == (RED, BLUE)
    for kind, x, handle in ((QEvent.Type.MouseButtonPress, 300, comparison.tool.canvasPressEvent),
                            (QEvent.Type.MouseMove, 150, comparison.tool.canvasMoveEvent),
                            (QEvent.Type.MouseButtonRelease, 150, comparison.tool.canvasReleaseEvent)):
        mouse = QMouseEvent(kind, QPointF(x, 200), QPointF(x, 200), Qt.MouseButton.LeftButton,
                            Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        handle(QgsMapMouseEvent(canvas, mouse))
    assert (colour_at(canvas, 100), colour_at(canvas, 250)) == (RED, BLUE)


def test_keys_move_the_line_within_the_canvas(canvas, comparison):
    place = comparison.curtain.position
    press(comparison, Qt.Key.Key_Right)
    press(comparison, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert place < comparison.curtain.position < place + 20
    press(comparison, Qt.Key.Key_End)
    press(comparison, Qt.Key.Key_Right)
    assert colour_at(canvas, 580) == RED
    press(comparison, Qt.Key.Key_Home)
    press(comparison, Qt.Key.Key_Left)
    assert (comparison.curtain.position, colour_at(canvas, 20)) == (0, BLUE)


def test_the_picture_follows_the_canvas(canvas, comparison, wait_until):
    before = comparison.curtain.image
    canvas.setExtent(QgsRectangle(9900, -100, 10100, 100))
    assert comparison.curtain.image is None, "it is of another place"
    canvas.refresh()
    wait_until(lambda: comparison.curtain.image is not None)
    assert comparison.curtain.image != before
    assert colour_at(canvas, 580) == "#ffffff"


@pytest.mark.parametrize("way", ["escape", "another tool", "the layer goes"])
def test_it_ends_and_leaves_nothing(canvas, comparison, qtbot, wait_until, way):
    layers, items = canvas.layers(), len(canvas.scene().items())
    pan = QgsMapToolPan(canvas)
    with qtbot.waitSignal(comparison.ended, timeout=60000):
        if way == "escape":
            press(comparison, Qt.Key.Key_Escape)
        elif way == "another tool":
            canvas.setMapTool(pan)
        else:
            canvas.setLayers(layers[1:])
            canvas.refresh()
    assert len(canvas.scene().items()) == items - 1
    assert (canvas.mapTool() is pan) == (way == "another tool")
    assert way == "the layer goes" or canvas.layers() == layers
    assert len(QgsProject.instance().mapLayers()) == 2


def test_a_layer_that_is_not_shown_cannot_be_compared(canvas):
    assert SwipeComparison.is_possible(canvas, [canvas.layers()[1].id()])
    assert not SwipeComparison.is_possible(canvas, ["another"])


@pytest.fixture
def window(qgis_app):
    return Window()


def test_the_menu_of_a_row_begins_it_where_the_canvas_shows_the_row(window, open_dock, wait_until):
    dock = open_dock(iface=window)
    layer = area(RED)
    dock.map.add_own_layer(layer)
    wait_until(lambda: len(dock.composer.rows.rows) == 1)
    controller, (row,) = dock.composer_controller, dock.composer.rows.rows
    action = next(action for button in row.findChildren(QToolButton) if button.menu() is not None
                  for action in button.menu().actions() if action.text() == "Compare with and without it")
    action.trigger()
    assert controller.swipe is None, "the canvas is empty"
    window.canvas.resize(600, 400)
    window.canvas.setLayers([layer])
    action.trigger()
    assert window.canvas.mapTool() is controller.swipe.tool
    document = dock.map.document()
    action.trigger()
    assert window.canvas.mapTool() is controller.swipe.tool
    press(controller.swipe, Qt.Key.Key_Escape)
    assert controller.swipe is None
    assert dock.map.document() == document
