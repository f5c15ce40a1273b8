"""The picture of the page in the composer: what it shows, when it is drawn, and where a click on it leads."""

from __future__ import annotations

import os
import random

import pytest
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsLayoutItemPicture,
    QgsNetworkAccessManager,
    QgsNetworkRequestParameters,
    QgsProject,
    QgsRendererCategory,
    QgsSymbol,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QPointF, Qt, QTimer
from qgis.PyQt.QtGui import QColor

from plugin.app.maps.map_state import LayerChoice
from plugin.core.custommap.model import MapRole, Orientation, PageSetup
from plugin.core.custommap.service_state import Progress
from plugin.core.review.checks.rules import Severity
from plugin.gis.pages.overflow_page import LEGEND_NOTE, LEGEND_PAGE_HEADING
from plugin.gis.pixels.raster import ProvedLayer
from plugin.gis.runtime import main_thread
from plugin.gis.sources.service_states import Viewer
from tests.pairwise import ALL, some
from tests.qgis.print_maps import colours, composed, entry_of, known_records, pixels, times_requested


@pytest.fixture
def composer(network_dock, wait_until, page_picture):
    """The composer in its dock, with two layers of the park guide."""
    from plugin.core.distributions.record_distributions import wms_address

    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    row = next(row for row in range(3) if "Despe" in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    wait_until(lambda: dock.view.record is not None)
    record = dock.view.record
    endpoint = wms_address(record)
    dock.session.load_service(endpoint)
    wait_until(lambda: dock.session.services.get(endpoint) is not None, 30)
    dock.compose_dock.resize(400, 560)
    dock.compose_dock.show()
    dock.map.add(record, endpoint, LayerChoice.of_names(("limite_parque", "carreteras"), MapRole.BASE))
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding, 30)
    return dock


def page_stores(outlines=None):
    from plugin.gis.legends.legend_store import LegendStore
    from plugin.gis.previews.map_images import MapImages
    from plugin.gis.previews.page_drawing import PageStores

    return PageStores(outlines or QgsProject(), LegendStore(), MapImages(False))


def whole(dock, wait_until):
    preview = dock.composer_controller.page.preview
    wait_until(lambda: preview.picture is not None and preview.picture.is_complete and not preview.is_drawing, 60)
    return preview.picture


def part(picture, item_id):
    return next(part for part in picture.parts if part.item_id == item_id)


def cut(picture, item_id):
    """The part of the page's image with an item."""
    bounds, image = part(picture, item_id).bounds, picture.image
    return image.copy(round(bounds.x() * image.width()), round(bounds.y() * image.height()),
                      round(bounds.width() * image.width()), round(bounds.height() * image.height()))


@pytest.mark.slow
def test_the_page_is_drawn_with_its_map_its_legend_and_its_credits(no_late_notices, composer, wait_until, qtbot):
    before = set(QgsProject.instance().mapLayers())
    picture = whole(composer, wait_until)
    assert colours(cut(picture, "map"), 1) > 100
    for name in ("legend", "credits", "title"):
        assert colours(cut(picture, name), 1) > 5, name
    assert set(QgsProject.instance().mapLayers()) == before
    assert QgsProject.instance().layoutManager().printLayouts() == []
    assert composer.composer.picture.picture is picture
    # one page has no number
    assert len(whole(composer, wait_until).pages) == 1
    assert not composer.composer.page_turner.isVisible()
    assert "Page 1" not in composer.composer.picture.accessibleDescription()
    # the picture is described and walked by keys
    whole(composer, wait_until)
    view = composer.composer.picture
    assert "Legend" in view.accessibleDescription()
    assert "1:" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription() == "Title"
    with qtbot.waitSignal(view.part_activated) as activated:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert activated.args[0].value == "title"


def test_a_legend_that_did_not_come_is_an_issue_whose_button_requests_it_again(network, composer, wait_until):
    actions, row = composer.composer_controller, lambda: composer.composer.rows.rows[0].state
    panel = composer.composer.findings

    def issues():
        return [finding for finding in panel.findings if finding.rule == "legend-missing"]

    whole(composer, wait_until)
    assert not issues() and "legend incomplete" not in row().detail
    network.fault({"match": {"request": "GetLegendGraphic", "layer": "carreteras"},
                   "action": {"type": "status", "code": 403}})
    # the symbols of another scale are others
    actions.extent.set_scale(40_000.0)
    wait_until(issues)
    issue, = issues()
    assert issue.message.startswith("The legend of “Carreteras” is missing: ") and "denied access" in issue.message
    assert issue.severity is Severity.ERROR and issue.advice == "The map is not exported without it."
    assert row().detail == "2 layers · legend incomplete", "it says so where the layer is"
    again = issue.remedy
    assert again.label == "Try again"
    before = network.count("GetLegendGraphic")
    panel.remedy_requested.emit(issue)
    wait_until(lambda: network.count("GetLegendGraphic") > before and issues() and not actions.page.preview.is_drawing)
    network.reset()
    panel.remedy_requested.emit(issue)
    wait_until(lambda: not issues() and not actions.page.preview.is_drawing)
    assert row().detail == "2 layers" and network.count("GetLegendGraphic")


def test_what_the_page_says_of_itself_is_among_the_issues_once_and_goes_with_its_cause(composer, wait_until):
    control, panel = composer.composer_controller, composer.composer.findings

    def notes():
        return [finding.message for finding in panel.findings if finding.rule == "page"]

    whole(composer, wait_until)
    assert notes() == []
    record = composer.view.record
    endpoint, = (item.entry.endpoint for item in control.map.items)
    outside, = (layer.name for layer in composer.session.services.get(endpoint).iter_layers()
                if layer.title.startswith("Exterior"))
    composer.map.add(record, endpoint, LayerChoice.of_names((outside,), MapRole.OVERLAY))
    wait_until(notes, 30)
    assert notes() == ["“Exterior del parque natural” is not in the legend: its symbol is white or nearly so."]
    row, = (row for row in panel.rows if row.finding.rule == "page")
    assert row.advice.isHidden(), "it has no advice, and no empty line"
    # the page that is built says the same
    control.exporter.open_layout()
    wait_until(lambda: control.exporter.layout is not None and not composer.composer.busy_row.isVisible(), 90)
    assert len(notes()) == 1
    control.map.undo()
    wait_until(lambda: not notes(), 30)


def test_nothing_is_drawn_while_nobody_sees_the_picture(composer, wait_until, qtbot):
    first = whole(composer, wait_until)
    composer.compose_dock.hide()
    composer.map.set_title("Unseen")
    assert not composer.composer_controller.page.preview.is_drawing
    composer.compose_dock.show()
    wait_until(lambda: composer.composer_controller.page.preview.picture is not first, 60)
    # an empty map has no page
    whole(composer, wait_until)
    composer.map.remove(0)
    assert composer.composer_controller.page.preview.picture is None
    wait_until(lambda: not composer.composer.page_row.isVisible())


def test_a_click_on_a_part_leads_to_what_changes_it(composer, wait_until, qtbot):
    picture, view = whole(composer, wait_until), composer.composer.picture

    def click(item_id):
        page, bounds = view.page_rectangle(), part(picture, item_id).bounds
        centre = QPointF(page.x() + bounds.center().x() * page.width(), page.y() + bounds.center().y() * page.height())
        composer.compose_dock.activateWindow()
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre.toPoint())

    title = composer.composer.title
    assert not (title.hasFocus() or title.hasSelectedText() or composer.composer.page.form.isVisible())
    click("title")
    assert title.hasFocus() or title.hasSelectedText()
    click("legend")
    editor = composer.composer_controller.layers.legend_editor
    assert editor.isVisible()
    editor.close()
    assert not composer.composer.page.form.isVisible()
    click("scalebar")
    assert composer.composer.page.form.isVisible()


@pytest.mark.slow
def test_a_drawing_that_is_closed_at_any_step_says_nothing_more(network, qgis_app, qtbot, wait_until):
    from plugin.gis.previews import map_images, page_drawing

    project = QgsProject.instance()
    made = composed(network, project)
    stores = page_stores()
    for milliseconds in range(0, 600, 60 if ALL else 150):
        said: list[object] = []
        drawing = page_drawing.PageDrawing(project, made.plan, made.layers, 240, stores)
        drawing.drawn.connect(said.append)
        drawing.start()
        qtbot.wait(milliseconds)
        drawing.close()
        said.clear()
        qtbot.wait(30)
        assert said == []
    stores.maps.clear()
    wait_until(lambda: not map_images._ending, 30)


def test_maps_are_requested_for_a_resolution_that_servers_draw_labels_for(network, qgis_app, wait_until):
    from plugin.gis.previews import page_drawing

    project = QgsProject.instance()
    made = composed(network, project)
    for width in (100, 1100):
        drawing = page_drawing.PageDrawing(project, made.plan, made.layers, width, page_stores())
        pictures: list[page_drawing.PagePicture] = []
        drawing.drawn.connect(pictures.append)
        drawing.start()
        wait_until(lambda drawing=drawing, pictures=pictures: bool(drawing._places) or bool(pictures), 30)
        resolutions = {place.image.settings.outputDpi() for place in drawing._places}
        wait_until(lambda pictures=pictures: bool(pictures) and pictures[-1].is_complete, 60)
        drawing.close()
        # the picture is as wide as asked for all the same
        assert pictures[-1].image.width() == width and min(resolutions) > 50


def test_the_scale_on_the_picture_is_that_of_its_own_map(network, qgis_app, wait_until, request):
    from plugin.gis.credits import expression_functions
    from plugin.gis.layouts import layout_items
    from plugin.gis.previews import page_drawing

    expression_functions.register()
    request.addfinalizer(expression_functions.unregister)
    project = QgsProject.instance()
    # its layout is in the project with the scale of before
    made = composed(network, project)
    layout_items.main_map(made.layout).setScale(500_000)
    drawing = page_drawing.PageDrawing(project, made.plan, made.layers, 240, page_stores())
    pictures: list[page_drawing.PagePicture] = []
    drawing.drawn.connect(pictures.append)
    drawing.start()
    wait_until(lambda: bool(pictures) and pictures[-1].is_complete, 60)
    text = drawing._layout.itemById(layout_items.SCALE_TEXT).text()
    drawing.close()
    assert "–" not in text and "500" not in text and "1:" in text


def test_a_page_whose_legend_takes_the_place_of_its_location_map_is_drawn(network, qgis_app, wait_until):
    """Its map had been begun, so that gallery and panel said that the page cannot be drawn."""
    from plugin.gis.layouts import layout_items
    from plugin.gis.previews import page_drawing

    project, known = QgsProject.instance(), known_records(network)
    rain = entry_of(known[network.endpoints["precipitation"]], ["precipitacion_20160616"])
    places = entry_of(known[network.endpoints["facilities"]], ())
    made = composed(network, project, page=PageSetup("A4", Orientation.PORTRAIT, "sheet"), guide=(),
                    overlays=(rain, places))
    drawing = page_drawing.PageDrawing(project, made.plan, made.layers, 240, page_stores())
    pictures: list[page_drawing.PagePicture] = []
    drawing.drawn.connect(pictures.append)
    failures: list[str] = []
    drawing.failed.connect(lambda error: failures.append(error.detail))
    drawing.start()
    wait_until(lambda: failures or (pictures and pictures[-1].is_complete), 120)
    assert failures == []
    if drawing._layout.itemById(layout_items.INSET) is not None:
        pytest.skip("this version of QGIS has room for legend and location map")
    assert [area.item_id for area in pictures[-1].pages[0].maps] == [layout_items.MAP]
    shown = [item for item in layout_items.items_of_type(drawing._layout, QgsLayoutItemPicture)
             if not item.id() and item.scene() is not None and item.picturePath().startswith("base64:")]
    assert len(shown) == 1, "no picture of a map that is gone"
    drawing.close()


@pytest.mark.parametrize("closes", [True, False])
def test_events_in_the_middle_of_a_step_do_no_harm(network, qgis_app, wait_until, closes):
    """QGIS runs event loops of its own in places, in which a change may come that ends the drawing."""
    from plugin.gis.previews import page_drawing

    project = QgsProject.instance()
    made = composed(network, project)
    outlines = QgsProject()
    context = outlines.transformContext()
    context.addCoordinateOperation(QgsCoordinateReferenceSystem("EPSG:4230"), QgsCoordinateReferenceSystem("EPSG:4258"),
                                   "+proj=noop")
    outlines.setTransformContext(context)
    drawing = page_drawing.PageDrawing(project, made.plan, made.layers, 240, page_stores(outlines))
    said, inner = [], []

    def run_events():
        loop = QEventLoop()
        if closes:
            QTimer.singleShot(0, drawing.close)
        # longer than the patience, after which the page is drawn as far as it has come
        QTimer.singleShot(1200, loop.quit)
        inner.append(loop.exec())

    outlines.transformContextChanged.connect(run_events)
    drawing.drawn.connect(said.append)
    drawing.failed.connect(said.append)
    drawing.start()
    if closes:
        wait_until(lambda: inner and not drawing._timer.isActive())
        assert said == [] and drawing._layout is None and not drawing._places
    else:
        wait_until(lambda: said and said[-1].is_complete, 60)
        drawing.close()
    assert len(inner) == 1
    outlines.transformContextChanged.disconnect(run_events)


def test_a_page_without_an_area_says_why(qgis_app, qtbot):
    from plugin.core.errors import CartoguideError
    from plugin.ui.composer.page_picture_view import PagePictureView

    view = PagePictureView()
    qtbot.addWidget(view)
    view.show_problem(CartoguideError("The map has no area yet."))
    assert view.accessibleDescription() == "The map has no area yet."
    assert QColor(view.grab().toImage().pixel(20, 20)).isValid()


def test_another_scale_requests_only_what_depends_on_the_scale(network, qgis_app):
    from plugin.gis.legends.legend_store import LegendStore
    from plugin.gis.runtime import tasks

    made = composed(network, QgsProject.instance())
    memory, plans = LegendStore(), made.plan.layers
    sent: list[str] = []

    def fetch(scale):
        sent.clear()
        manager = QgsNetworkAccessManager.instance()

        def note(parameters):
            sent.append(parameters.request().url().query())

        manager.requestAboutToBeCreated[QgsNetworkRequestParameters].connect(note)
        try:
            return tasks.run_and_wait(lambda feedback: memory.fetch(plans, scale, feedback), 60)
        finally:
            manager.requestAboutToBeCreated[QgsNetworkRequestParameters].disconnect(note)

    first = fetch(80000.0)
    assert first.swatches
    assert any("GetStyles" in query for query in sent)
    second = fetch(80000.0)
    assert sent == []
    assert {key: len(swatches) for key, swatches in second.swatches.items()} == {
        key: len(swatches) for key, swatches in first.swatches.items()}
    assert fetch(90000.0).swatches
    assert not any("GetStyles" in query for query in sent)


def slow(network, seconds):
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "delay", "seconds": seconds}})


def turn(composer):
    """Turn the page, for which all images are requested again."""
    now = composer.map.chosen.page.orientation
    other = Orientation.LANDSCAPE if now is Orientation.PORTRAIT else Orientation.PORTRAIT
    composer.map.commit(page=PageSetup("A4", other, "guide"))


def shown_pictures(composer):
    """The list that gets whether each picture that the window shows from now on is complete."""
    found = []
    composer.composer_controller.page.preview.picture_changed.connect(
        lambda picture: found.append(picture is not None and picture.is_complete))
    return found


@pytest.mark.slow
def test_an_older_picture_stays_until_the_new_one_is_complete(composer, network, wait_until):
    first, view = whole(composer, wait_until), composer.composer.picture
    pictures = shown_pictures(composer)
    network.reset()
    slow(network, 2.5)
    turn(composer)
    wait_until(lambda: network.count("GetMap"), 30)
    assert view.picture is first and view.is_drawing
    second = whole(composer, wait_until)
    assert second is not first and composer.composer.picture.picture is second and not view.is_drawing
    assert all(pictures) and colours(cut(second, "map"), 1) > 100
    # the first picture comes in parts
    whole(composer, wait_until)
    document = composer.map.document()
    composer.composer_controller.documents.new()
    assert composer.composer.picture.picture is None
    pictures = shown_pictures(composer)
    slow(network, 3)
    composer.composer_controller.documents.open_document(document)
    wait_until(lambda: pictures and not composer.map.adding, 30)
    whole(composer, wait_until)
    shown = [complete for complete in pictures if complete is not None]
    assert shown[-1] and False in shown


def test_a_picture_that_is_outdated_for_long_gives_way_to_parts(composer, network, wait_until, monkeypatch):
    from plugin.app.page import page_preview_controller

    whole(composer, wait_until)
    pictures, view = shown_pictures(composer), composer.composer.picture
    monkeypatch.setattr(page_preview_controller, "_OUTDATED_MS", 1500)
    slow(network, 6)
    turn(composer)
    wait_until(lambda: pictures, 30)
    assert pictures[0] is False and view.is_drawing and "Updating" in view.accessibleDescription()
    whole(composer, wait_until)
    assert pictures[-1] is True and not view.is_drawing and "Updating" not in view.accessibleDescription()


@pytest.mark.slow
def test_a_change_while_images_are_awaited_does_not_request_them_again(composer, network, wait_until):
    whole(composer, wait_until)
    network.reset()
    slow(network, 2)
    turn(composer)
    wait_until(lambda: network.count("GetMap") == 2, 30)
    composer.map.set_title("Otro título")
    whole(composer, wait_until)
    assert network.count("GetMap") == 2
    # another title requests no image again
    first = whole(composer, wait_until)
    network.reset()
    composer.map.set_title("Un tercer título")
    wait_until(lambda: composer.composer_controller.page.preview.picture is not first, 60)
    second = whole(composer, wait_until)
    assert network.count("GetMap") == 0
    assert colours(cut(second, "map"), 1) > 100 and second.image != first.image


def hatched(picture):
    """The share of the map in the picture that has the colour of the hatching, which is mixed where it is scaled."""
    shown = pixels(cut(picture, "map")).astype(int)
    return float(((shown[..., 2] - shown[..., 1] > 60) & (shown[..., 2] - shown[..., 0] > 45)).mean())


#: what a server does, of which the answer itself tells nothing in the last case
FAILURES = [{"type": "status", "code": 500}, {"type": "body", "text": "", "content_type": "image/png"},
            {"type": "rewrite", "parameters": {"WIDTH": "40"}}]


@pytest.mark.parametrize("action", some(FAILURES, 3))
def test_what_failed_is_hatched_in_the_picture_and_the_service_says_so(composer, network, wait_until, action):
    before, item = hatched(whole(composer, wait_until)), composer.map.items[0]
    network.reset()
    network.fault({"match": {"request": "GetMap", "layer": "carreteras"}, "action": action})
    turn(composer)
    preview = composer.composer_controller.page.preview
    wait_until(lambda: network.count("GetMap") >= 2 and not preview.is_drawing, 60)
    assert hatched(preview.picture) > before + 0.05
    wait_until(lambda: item.state.progress is Progress.PARTLY, 20)
    assert times_requested(network, "limite_parque") == 1, "only what failed is asked for again"
    network.reset()
    failed = preview.picture
    composer.map.set_title("Otro título")
    wait_until(lambda: preview.picture is not failed, 60)
    assert hatched(whole(composer, wait_until)) < before + 0.02
    wait_until(lambda: item.state.progress is Progress.DRAWN, 20)
    queries = [seen["layers"] for seen in network.requests if seen["request"] == "GetMap"]
    assert queries == [["carreteras"]], "what came before is there"


def test_a_picture_waits_until_the_source_of_a_layer_is_changed(composer, wait_until, monkeypatch):
    """QGIS handles the end of a drawing meanwhile, and copies no layer that has no provider for a moment."""
    whole(composer, wait_until)
    image = composer.composer_controller.page.preview._stores.maps._images[0]
    begun, start = [], image.start
    monkeypatch.setattr(image, "start", lambda: begun.append(main_thread.is_undisturbed()) or start())
    image.is_outdated = True
    with main_thread.undisturbed():
        image.job.finished.emit()
        QCoreApplication.processEvents()
    wait_until(lambda: begun and image.is_finished, 20)
    assert begun == [False]


def test_a_layer_that_qgis_does_not_copy_is_left_out_and_its_service_says_so(composer, wait_until, monkeypatch):
    """The picture ends all the same."""
    assert whole(composer, wait_until)
    item, preview = composer.map.items[0], composer.composer_controller.page.preview
    wait_until(lambda: item.state.progress is Progress.DRAWN, 20)
    failing, read = item.layer_ids["carreteras"], ProvedLayer.readLayerXml
    monkeypatch.setattr(ProvedLayer, "readLayerXml", lambda layer, element, *rest: (
        element.firstChildElement("id").text() != failing and read(layer, element, *rest)))
    turn(composer)
    wait_until(lambda: not preview.is_drawing, 60)
    wait_until(lambda: item.state.progress not in (Progress.DRAWN, Progress.LOADING), 20)
    failed, states = preview.picture, composer.map.builds.states
    assert item.row_state().problem.startswith("QGIS could not copy the layer “Carreteras”")
    assert "drawn in part" in item.row_state().problem, "its image came, and the canvas has it"
    other = item.layer_ids["limite_parque"]
    assert states.state(other).progress is Progress.DRAWN, "what was to be painted with it is painted"
    assert states.lacking(Viewer.PAGE) == {failing}
    assert colours(cut(failed, "map"), 1) > 5
    monkeypatch.undo()
    composer.map.set_title("Otro título")
    wait_until(lambda: preview.picture is not failed, 60)
    assert colours(cut(whole(composer, wait_until), "map"), 1) > colours(cut(failed, "map"), 1)
    wait_until(lambda: item.state.progress is Progress.DRAWN and not states.lacking(Viewer.PAGE))


@pytest.mark.slow
def test_a_layer_with_another_style_is_drawn_again(composer, wait_until):
    first = whole(composer, wait_until)
    layer = QgsProject.instance().mapLayer(composer.map.items[0].layer_ids["limite_parque"])
    layer.setOpacity(0.1)
    layer.triggerRepaint()
    composer.map.changed.emit()
    wait_until(lambda: composer.composer_controller.page.preview.picture is not first, 60)
    assert cut(whole(composer, wait_until), "map") != cut(first, "map")
    # a change is in the next picture
    first = whole(composer, wait_until)
    composer.map.commit(page=PageSetup("A4", Orientation.PORTRAIT, "guide"))
    wait_until(lambda: composer.composer_controller.page.preview.picture is not first, 60)
    second = whole(composer, wait_until)
    assert second.image.height() > second.image.width()
    composer.map.set_visible(0, False)
    wait_until(lambda: composer.composer_controller.page.preview.picture is not second, 60)
    assert colours(cut(whole(composer, wait_until), "map"), 1) < colours(cut(second, "map"), 1)


# -- further pages


@pytest.fixture
def long_map(composer, wait_until):
    """The composer with a map whose legend continues on a page of its own, and terms and sources have another one."""
    for first in range(0, 150, 50):
        layer = QgsVectorLayer("Point?crs=EPSG:25830&field=clase:integer", f"puntos {first}", "memory")
        layer.setRenderer(QgsCategorizedSymbolRenderer("clase", [
            QgsRendererCategory(number, QgsSymbol.defaultSymbol(layer.geometryType()), f"Clase {number} de los puntos")
            for number in range(first, first + 50)]))
        QgsProject.instance().addMapLayer(layer, False)
        composer.map.add_own_layer(layer, " ".join(f"© Autora {number} de los datos."
                                                   for number in range(first, first + 20)))
    assert len(composer.map.own_items) == 3
    composer.map.commit(page=PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    return composer


@pytest.mark.slow
def test_the_pages_are_turned_and_the_window_says_where_the_legend_is(long_map, wait_until, qtbot):
    picture, view, turner = whole(long_map, wait_until), long_map.composer.picture, long_map.composer.page_turner
    legend = picture.page_of(LEGEND_PAGE_HEADING)
    assert len(picture.pages) > 1 and legend and picture.page_of("legend") == 0
    assert turner.isVisible() and turner.number.text() == f"Page 1 of {len(picture.pages)}"
    assert f"The legend continues on page {legend + 1}." in turner.note.toolTip() == turner.note.accessibleName()
    assert f"p. {legend + 1}: legend" in turner.note.text() and not turner.note.wordWrap()
    assert turner.note.toolTip() in view.accessibleDescription()
    assert not turner.previous.isEnabled() and turner.next.accessibleName() == "Next page"
    # the note about the legend leads to its page
    page, bounds = view.page_rectangle(), part(picture, LEGEND_NOTE).bounds
    centre = QPointF(page.x() + bounds.center().x() * page.width(), page.y() + bounds.center().y() * page.height())
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre.toPoint())
    assert view.page_number == legend
    view.turn_to(0)
    for _ in range(legend):
        qtbot.mouseClick(turner.next, Qt.MouseButton.LeftButton)
    assert view.page_number == legend and turner.number.text() == f"Page {legend + 1} of {len(picture.pages)}"
    assert "Legend" in view.accessibleDescription()
    with qtbot.waitSignal(view.part_activated) as activated:
        page, bounds = view.page_rectangle(), next(
            part.bounds for part in picture.pages[legend].parts if part.item_id == "legend")
        centre = QPointF(page.x() + bounds.center().x() * page.width(), page.y() + bounds.center().y() * page.height())
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre.toPoint())
    assert activated.args[0].value == "legend"
    long_map.composer_controller.layers.legend_editor.close()
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    assert view.page_number == legend - 1
    # the page stays turned in the next picture
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    long_map.map.set_title("Otro título")
    wait_until(lambda: long_map.composer_controller.page.preview.picture is not picture, 60)
    whole(long_map, wait_until)
    assert view.page_number == legend


# -- anything, in any order, with servers that are slow or fail


class Shown:
    """What the window shows of the page, compared with the newest state of the map."""

    def __init__(self, dock, wait_until):
        self.dock, self.wait_until = dock, wait_until
        self.preview, self.view = dock.composer_controller.page.preview, dock.composer.picture

    def rest(self):
        """Wait until nothing is on its way: then the picture is that of the newest state."""
        self.wait_until(lambda: not self.dock.map.adding and not self.dock.composer_controller._step_timer.isActive()
                        and not self.dock.composer_controller._refresh_timer.isActive()
                        and not self.preview.is_drawing, 90)
        assert not self.view.is_drawing, "no “Updating…” is left"
        assert self.preview._drawing is None and not self.preview._stores.maps.is_drawing, "nothing is left running"
        if not self.dock.map.stack:
            assert self.preview.picture is None and self.view.picture is None
        elif not self.view.problem:
            assert self.view.picture is self.preview.picture
            assert self.view.picture.is_complete and self.is_newest()

    def is_newest(self):
        """Whether the picture is that which a drawing begun now would be."""
        from plugin.gis.previews.page_drawing import PageDrawing

        picture, fresh = self.view.picture, []
        plan = self.dock.map.plan()
        drawing = PageDrawing(self.dock.map.project, plan, self.dock.map.mirror.qgis_layers(plan), self.preview._width,
                              page_stores())
        drawing.drawn.connect(fresh.append)
        drawing.start()
        self.wait_until(lambda: fresh and fresh[-1].is_complete, 90)
        drawing.close()
        return picture.scale == fresh[-1].scale and [
            [(part.item_id, part.bounds) for part in page.parts] for page in picture.pages] == [
            [(part.item_id, part.bounds) for part in page.parts] for page in fresh[-1].pages] and cut(
                picture, "title") == cut(fresh[-1], "title")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(int(os.environ.get("CARTOGUIDE_PICTURES", "1"))))
def test_the_last_picture_is_that_of_the_newest_state(composer, network, wait_until, qtbot, tmp_path, seed):
    made, dock, shown = random.Random(seed), composer, Shown(composer, wait_until)
    shown.rest()
    path = tmp_path / "mapa.custommap.json"
    dock.composer_controller.documents.save_to(path)
    maps, documents = dock.composer_controller.map, dock.composer_controller.documents

    def faults():
        action = made.choice([{"type": "delay", "seconds": 0.3}, {"type": "delay", "seconds": 1.5},
                              {"type": "status", "code": 500}, {"type": "truncate", "share": 0.5},
                              {"type": "exception", "code": "NoApplicableCode", "text": "no"}, {"type": "close"}])
        network.fault({"match": {"request": made.choice(["GetMap", "GetLegendGraphic"])}, "action": action})

    def page():
        paper, template = made.choice([("A4", "guide"), ("A3", "guide"), ("A4", "sheet"), ("A3", "leaflet")])
        turn = Orientation.PORTRAIT if template == "sheet" else Orientation.LANDSCAPE
        dock.map.commit(page=PageSetup(paper, turn, template))

    def visible():
        if dock.map.stack:
            dock.map.set_visible(0, made.random() < 0.5)

    def remove():
        if dock.map.stack:
            dock.map.remove(0)

    def hide():
        dock.compose_dock.hide()
        qtbot.wait(made.randrange(60))
        dock.compose_dock.show()

    def gallery():
        if dock.composer_controller.page.gallery is None and dock.map.stack:
            dock.composer.page.gallery.click()
        elif dock.composer_controller.page.gallery is not None:
            dock.composer_controller.page.gallery.close()

    actions = [faults, page, page, visible, remove, hide, gallery, maps.undo, maps.undo, maps.redo,
               lambda: documents.open_file(path), lambda: dock.map.set_title(f"Mapa {made.randrange(99)}"),
               documents.new, lambda: QgsProject.instance().clear(), lambda: dock.composer.picture.turn_to(1)]
    for _ in range(4 if "CARTOGUIDE_PICTURES" in os.environ else 1):
        for _ in range(made.randint(2, 6)):
            made.choice(actions)()
            qtbot.wait(made.choice([0, 0, 20, 120, 400, 900]))
        network.reset()
        if not dock.map.stack:
            documents.open_file(path)
        shown.rest()
    if dock.composer_controller.page.gallery is not None:
        dock.composer_controller.page.gallery.close()


def test_the_page_has_a_window_of_its_own_in_which_it_is_as_large_as_that(composer, wait_until):
    page, picture = composer.composer_controller.page, composer.composer.picture
    picture.window_requested.emit()
    window = page.page_window
    wait_until(lambda: window.picture.picture is not None and page.preview.picture.is_complete, 60)
    wait_until(lambda: page.preview.picture.image.width() >= window.picture.page_rectangle().width(), 60)
    assert window.picture.page_rectangle().width() > picture.page_rectangle().width()
    window.close()
    assert page.page_window is None
