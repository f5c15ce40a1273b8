"""The preview of the map on the record's page: the service's own image, once, or the reason why there is none."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor, QPalette

from plugin.app.maps.preview_controller import PreviewState
from plugin.ui.service.add_layers_dialog import AddLayersDialog
from plugin.ui.widgets.map_preview import MapPreview


@pytest.fixture
def dock(network_dock, wait_until):
    made = network_dock()
    wait_until(lambda: not made.session.loading and made.model.rowCount() == 3)
    return made


def open_record(dock, word):
    row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    dock.pages.open_record()


def maps(network):
    return [seen["parameters"] for seen in network.requests if seen["request"] == "GetMap"]


def test_an_opened_record_shows_its_map_which_is_requested_once(dock, network, wait_until):
    preview = dock.view.preview
    dock.list.setCurrentIndex(dock.model.index(1))
    assert not maps(network), "a list that is looked at contacts no server"
    button, places = dock.view.add_bar.button, set()
    dock.record_actions.preview.changed.connect(lambda *_: places.add(button.mapTo(dock, button.rect().topLeft()).y()))
    open_record(dock, "Despeñaperros")
    assert preview.isVisible()
    wait_until(lambda: preview.height() > 100)
    height = preview.height()
    places.clear()
    wait_until(lambda: preview.state is PreviewState.LOADED, 30)
    assert preview.height() == height, "nothing below has moved"
    assert len(places) == 1, "the button that adds the service has not moved either"
    width, height = preview.image.width(), preview.image.height()
    assert (width, height) == preview.room(), "it fills its place"
    colours = {preview.image.pixel(x, y) for x in range(0, width, 19) for y in range(0, height, 9)}
    assert len(colours) > 20, "a map, not a plain surface"
    assert "Despeñaperros" in preview.accessibleName()
    assert len(maps(network)) == 1
    open_record(dock, "quipamientos")
    wait_until(lambda: preview.state in (PreviewState.LOADED, PreviewState.FAILED) and len(maps(network)) == 2, 30)
    open_record(dock, "Despeñaperros")
    wait_until(lambda: preview.state is PreviewState.LOADED and preview.image.width() == width, 30)
    assert len(maps(network)) == 2, "from memory"
    dock.pages.focus_list()
    dock.resize(1000, 700)
    wait_until(lambda: dock.pages.side_by_side)
    assert preview.state is PreviewState.LOADED, "beside the list it is shown from memory too"


def test_a_month_of_layers_is_previewed_by_its_first_day(dock, network, wait_until):
    open_record(dock, "recipitaci")
    wait_until(lambda: dock.view.preview.state is PreviewState.LOADED, 30)
    assert [request["LAYERS"] for request in maps(network)] == ["precipitacion_20160601"]


@pytest.mark.parametrize("request_name", ["GetCapabilities", "GetMap"])
def test_where_there_is_no_map_the_reason_stands_on_the_page_once(dock, network, wait_until, request_name):
    network.fault({"match": {"request": request_name}, "action": {"type": "status", "code": 500}})
    open_record(dock, "Despeñaperros")
    preview = dock.view.preview
    wait_until(lambda: preview.state is PreviewState.FAILED, 30)
    assert preview.isVisible() and preview.accessibleDescription() == preview.text
    reason = dock.view.add_bar.reason
    said = [preview.text, reason.text() if reason.isVisible() else ""]
    assert ["500" in text for text in said] == ([False, True] if request_name == "GetCapabilities" else [True, False])
    assert reason.max_lines > 5, "all of it is read"


def test_the_reason_is_legible_where_the_text_of_a_dark_theme_is_in_no_palette(qgis_app, qtbot):
    """QGIS's Night Mapping colours texts by a style sheet, and leaves the palette's dark."""
    preview = MapPreview()
    qtbot.addWidget(preview)
    palette = preview.palette()
    for role, colour in ((QPalette.ColorRole.Base, "#2d2d2d"), (QPalette.ColorRole.Window, "#2d2d2d"),
                         (QPalette.ColorRole.Text, "#303030"), (QPalette.ColorRole.WindowText, "#4b4b4b")):
        palette.setColor(role, QColor(colour))
    preview.setPalette(palette)
    preview.show_state(PreviewState.FAILED.value, "127.0.0.1 refuses connections", None)
    preview.resize(360, 140)
    image = preview.grab().toImage()
    lightness = {image.pixelColor(x, y).lightness() for x in range(8, 350) for y in range(40, 100)}
    assert max(lightness) - min(lightness) > 100


def test_a_record_without_a_service_has_no_preview(dock, wait_until, tmp_path):
    open_record(dock, "Despeñaperros")
    wait_until(lambda: dock.view.preview.state is PreviewState.LOADED, 30)
    record = dock.view.record
    dock.selected.select(type(record)(record.source_format, id="plain", title="Plain", kind="dataset"))
    assert not dock.view.preview.isVisible()


def test_the_choice_of_layers_shows_their_legends_and_the_map_of_what_is_checked(dock, network, wait_until):
    open_record(dock, "Despeñaperros")
    wait_until(lambda: dock.view.add_bar.button.isEnabled(), 30)
    network.reset()
    dock.map_additions.add_selected("choose")
    dialog = wait_until(lambda: next(iter(dock.findChildren(AddLayersDialog)), None))
    dialog.model.set_checked(("relieve", "hidrografia"))
    # the record's own preview may still be asked for its map, and the dialog's for what was checked at first
    wait_until(lambda: dialog.preview.state is PreviewState.LOADED and any(
        request["LAYERS"] == "relieve,hidrografia" for request in maps(network)), 30)
    first = dialog.preview.image
    river = next(node for node in dialog.model.requestable_nodes() if node.layer.name == "hidrografia")
    wait_until(lambda: dialog._swatch(river.layer) is not None, 30)
    drawn = dialog.model.index_of("hidrografia").data(Qt.ItemDataRole.DecorationRole)
    assert drawn.availableSizes() == [dialog._swatch(river.layer).size()]
    dialog.model.set_checked(("relieve",))
    wait_until(lambda: dialog.preview.state is PreviewState.LOADED and any(
        request["LAYERS"] == "relieve" for request in maps(network)), 30)
    assert dialog.preview.image != first
    dialog.model.set_checked(())
    wait_until(lambda: dialog.preview.state is PreviewState.FAILED)
    assert "Check the layers" in dialog.preview.text
    dialog.close()
