"""The Operations page in the dock: forms, copied requests, responses, data sources of layers, with MapServer."""

from __future__ import annotations

import shlex
from dataclasses import replace
from types import SimpleNamespace

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QPushButton

from plugin.app.maps.extent_controller import service_extent
from plugin.core.box import Box
from plugin.core.records.model.record import Record
from plugin.core.wms.model.service import Attribution, BoundingBox, Dimension, Layer, OperationInfo, Service, Style
from plugin.gis.credits.layer_credits import layer_credit
from plugin.ui.service.operation_form import extent_of_layers
from plugin.ui.service.operations_page import OperationsPage
from tests.slowness import own_clock

OURS = Layer("vías", "Vías <nuevas>", crs=("EPSG:3042", "EPSG:25830"), styles=(Style("uno", "Uno"), Style("dos")),
             bboxes=(BoundingBox("EPSG:25830", 442000, 4236500, 468000,
                                 4260500), ), geographic_bbox=Box(-3.66, 38.27, -3.36, 38.49),
             dimensions=(Dimension("time", "ISO8601", default="2016-06-03", extent="2016-06-01,2016-06-03"), ))
GET_MAP = OperationInfo("GetMap", "http://127.0.0.1:9/wms?", "http://127.0.0.1:9/wms", ("image/png", "image/gif"))
SERVICE = Service("1.3.0", root=Layer(None, "Raíz", layers=(OURS,)), operations={
    "GetMap": GET_MAP, "GetStyles": OperationInfo("ms:GetStyles", "http://127.0.0.1:9/wms?", None, ("text/xml",)),
    "GetCapabilities": OperationInfo("GetCapabilities", "http://127.0.0.1:9/wms?")})


@pytest.fixture
def page(qgis_app, qtbot):
    widget = OperationsPage()
    qtbot.addWidget(widget)
    widget.resize(300, 460)
    widget.canvas_crs = lambda: "EPSG:25830"
    widget.show_record(Record("iso19139", title="Mapa"))
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def shown_service(page, service=SERVICE):
    page.show_service(Record("iso19139", title="Mapa"), service, "http://127.0.0.1:9/wms?")
    page.open_form("GetMap")


def enabled(box, data):
    item = box.model().item(box.findData(data))
    return item.isEnabled(), item.toolTip()


def test_what_is_not_announced_is_disabled_and_says_why(page):
    assert not page.open_form_button.isEnabled()
    shown_service(page)
    assert enabled(page.form.operation, "GetMap") == (True, "")
    assert enabled(page.form.operation, "DescribeLayer") == (False, "The service does not advertise this operation.")
    assert "not offered" in page.form.operation.itemText(page.form.operation.findData("DescribeLayer"))
    page.form.select_operation("GetStyles")
    assert enabled(page.form.method, "GET")[0]
    assert "no POST address" in enabled(page.form.method, "POST")[1]
    assert not page.form.crs.isVisible()


def test_the_form_offers_what_is_advertised_and_the_request_follows(page):
    shown_service(page)
    form = page.form
    assert [form.crs.itemData(row) for row in range(form.crs.count())] == ["EPSG:3042", "EPSG:25830"]
    assert form.crs.currentData() == "EPSG:25830"
    assert [form.format.itemData(row) for row in range(form.format.count())] == ["image/png", "image/gif"]
    assert form.dimensions.values() == {"time": "2016-06-03"}
    assert "LAYERS=v%C3%ADas" in page.request_text.toPlainText()
    assert "WIDTH=800&HEIGHT=738" in page.request_text.toPlainText()
    form.styles.boxes["vías"].setCurrentIndex(form.styles.boxes["vías"].findData("dos"))
    form.size_field.width_field.setValue(400)
    form.extent_field.source.setCurrentIndex(form.extent_field.source.findData("written"))
    assert form.extent_field.text.text() == "-3.66, 38.27, -3.36, 38.49"
    assert all(part in page.request_text.toPlainText() for part in ("STYLES=dos", "WIDTH=400", "TIME=2016-06-03"))
    form.extent_field.text.setText("")
    form.extent_field.text.textEdited.emit("")
    assert "four numbers" in page.error_label.text()
    assert not page.send.isEnabled()


def test_a_place_is_asked_about_in_a_layer_that_can_be_asked(page):
    """The first layer of a service is often its relief, which tells nothing: the form began with an error."""
    root = Layer(None, "Raíz", layers=(OURS, replace(OURS, name="ríos", title="Ríos", queryable=True)))
    shown_service(page, replace(SERVICE, root=root, operations={
        **SERVICE.operations, "GetFeatureInfo": OperationInfo("GetFeatureInfo", GET_MAP.get, None, ("text/plain",))}))
    assert page.form.layers.selected_names() == ("vías",)
    page.form.select_operation("GetFeatureInfo")
    assert page.form.layers.selected_names() == ("ríos",)
    page.form.select_operation("GetMap")
    assert page.form.layers.selected_names() == ("vías",)
    page.form.select_operation("GetFeatureInfo", ["vías"])
    assert page.form.layers.selected_names() == (
        "vías", ), "a person's own choice stays, and is told what is wrong with it"
    assert "ríos" in page.error_label.text()


def test_the_map_window_gives_its_box_where_there_is_one(page):
    shown_service(page)
    box = page.form.extent_field
    assert "No map canvas" in enabled(box.source, "view")[1]
    page.canvas_extent = lambda: (-3.6, 38.3, -3.5, 38.4)
    box.refresh()
    box.source.setCurrentIndex(box.source.findData("view"))
    assert box.value() == (-3.6, 38.3, -3.5, 38.4)


def test_a_post_is_xml_only_where_that_is_declared_and_goes_through_a_shell(page, qtbot):
    shown_service(page)
    page.form.method.setCurrentIndex(1)
    assert "application/x-www-form-urlencoded" in page.request_text.toPlainText()
    qtbot.mouseClick(page.curl, Qt.MouseButton.LeftButton)
    command = shlex.split(QGuiApplication.clipboard().text())
    assert command[0] == "curl"
    assert "http://127.0.0.1:9/wms" in command
    assert "LAYERS=v%C3%ADas" in command[command.index("--data-binary") + 1]
    declared = replace(GET_MAP, post_encodings=("KVP", "XML"))
    shown_service(page, replace(SERVICE, operations={**SERVICE.operations, "GetMap": declared}))
    page.form.method.setCurrentIndex(1)
    assert page.form.encoding.isVisible()
    page.form.encoding.setCurrentIndex(page.form.encoding.findData("xml"))
    qtbot.mouseClick(page.curl, Qt.MouseButton.LeftButton)
    command = shlex.split(QGuiApplication.clipboard().text())
    assert "Content-Type: text/xml; charset=UTF-8" in command
    assert "<se:Name>vías</se:Name>" in command[command.index("--data-binary") + 1]


def test_a_window_of_its_own_gives_room_and_gives_the_form_back(page, qtbot):
    shown_service(page)
    assert page.answer.isHidden()
    qtbot.mouseClick(page.detach_button, Qt.MouseButton.LeftButton)
    assert page.splitter.window() is not page.window()
    qtbot.waitUntil(lambda: page.form_side.isVisible() and page.answer.isVisible(), timeout=3000)
    page.splitter.window().close()
    qtbot.waitUntil(lambda: page.splitter.window() is page.window() and page.answer.isHidden(), timeout=3000)
    assert page.form_side.isVisible()


# -- on the network


@pytest.fixture
def dock(service_dock):
    return service_dock("Despe")


def sent(dock, wait_until, operation, layers, method="GET"):
    page = dock.view.service.operations
    dock.view.service._show_page(1)
    page.open_form(operation, layers)
    page.form.size_field.width_field.setValue(200)
    page.form.method.setCurrentIndex(page.form.method.findData(method))
    page.send.click()
    wait_until(lambda: page.answer.progress_bar.isHidden(), 30)
    return [page.answer.tabs.tabText(number) for number in range(page.answer.tabs.count())]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_form_is_sent_and_its_answer_shown(dock, network, wait_until, method):
    answer = dock.view.service.operations.answer
    for operation, layers, tabs in (
            ("GetMap", ["limite_parque", "carreteras"], ["Image"]), ("GetLegendGraphic", ["carreteras"], ["Image"]),
            ("DescribeLayer", ["relieve", "carreteras"], ["Data", "XML"]), ("GetStyles", ["curvas_nivel"],
                                                                           ["Rules", "XML"]),
            ("GetFeatureInfo", ["limite_parque"], ["XML"]), ("GetCapabilities", [], ["XML"])):
        before = len(network.requests)
        assert sent(dock, wait_until, operation, layers, method) == tabs, operation
        assert "HTTP\u00a0200" in answer.summary_label.text()
        assert answer.problem_label.isHidden()
        # the record's page may draw its preview at the same time
        assert (operation, method) in [(request["request"], request["method"]) for request in network.requests[before:]]


def test_an_exception_is_told_in_words_beside_its_xml(dock, network, wait_until):
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "exception", "code": "StyleNotDefined",
                                                              "text": "estilo desconocido"}})
    answer = dock.view.service.operations.answer
    assert sent(dock, wait_until, "GetMap", ["carreteras"]) == ["XML"]
    assert "does not know this style" in answer.problem_label.text()
    assert "estilo desconocido" in answer.problem_label.text()
    assert "Its code is StyleNotDefined." in answer.problem_label.text()
    assert answer.details.isVisible()


def test_an_answer_that_cannot_be_shown_says_so_and_can_be_saved(dock, network, wait_until):
    network.fault({"match": {"request": "GetMap"}, "action": {
        "type": "body", "content_type": "application/octet-stream", "text": "\x00\x01\x02\x03" * 50}})
    answer = dock.view.service.operations.answer
    assert sent(dock, wait_until, "GetMap", ["carreteras"]) == []
    assert "instead of an image" in answer.problem_label.text() or "other than an image" in answer.problem_label.text()
    assert answer.unsupported_label.isVisible()
    assert answer.save.isVisible()


def test_a_login_that_is_asked_for_can_be_chosen_where_it_is_told(dock, network, wait_until):
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "status", "code": 401}})
    answer = dock.view.service.operations.answer
    sent(dock, wait_until, "GetMap", ["carreteras"])
    assert "requires a login" in answer.problem_label.text()
    assert [button.text() for button in answer.error_actions.buttons] == ["Choose a login…"]


def test_a_request_that_hangs_is_cancelled_at_once(dock, network, qtbot, wait_until):
    network.fault({"match": {"request": "GetStyles"}, "action": {"type": "hang"}})
    page = dock.view.service.operations
    dock.view.service.layers.operation_requested.emit("GetStyles", ["carreteras"])
    wait_until(lambda: page.answer.progress_bar.isVisible() and network.count("GetStyles"))
    began = own_clock()
    qtbot.mouseClick(page.answer.cancel, Qt.MouseButton.LeftButton)
    assert own_clock() - began < 0.5
    assert "Cancelled" in page.answer.summary_label.text()
    qtbot.mouseClick(page.answer.back, Qt.MouseButton.LeftButton)
    assert page.form_side.isVisible()


def test_the_data_behind_a_layer_are_added_with_the_records_credit(dock, wait_until):
    assert sent(dock, wait_until, "DescribeLayer", ["carreteras"])[0] == "Data"
    page = dock.view.service.operations
    button = next(one for one in page.answer.data_page.findChildren(QPushButton))
    button.click()
    wait_until(lambda: QgsProject.instance().mapLayers(), 60)
    layer = next(iter(QgsProject.instance().mapLayers().values()))
    assert layer.isValid()
    assert layer.providerType() == "WFS"
    assert layer.name() == "Carreteras (data)"
    assert layer_credit(layer) == dock.session.terms(dock.view.record).credit
    assert layer.metadata().rights() == [layer_credit(layer)]


def test_the_rules_of_a_style_are_looked_through_and_saved_as_they_came(dock, wait_until, tmp_path, monkeypatch):
    sent(dock, wait_until, "GetStyles", ["curvas_nivel"])
    page = dock.view.service.operations
    top = page.answer.styles.topLevelItem(0)
    assert [(top.child(row).text(0), top.child(row).text(1)) for row in range(2)] == [
        ("Curva maestra (100 m) (lines)", "1:120\u202f000 or larger"),
        ("Curva intermedia (20 m) (lines)", "1:60\u202f000 or larger")]
    path = tmp_path / "estilo.sld"
    monkeypatch.setattr("plugin.ui.widgets.dialogs.QFileDialog.getSaveFileName", lambda *_: (str(path), ""))
    page.answer.save.click()
    assert path.read_bytes() == page.answer.answer.response.body
    assert b"StyledLayerDescriptor" in path.read_bytes()
    assert "no style" not in page.answer.summary_label.text()
    sent(dock, wait_until, "GetStyles", ["relieve"])
    assert page.answer.summary_label.text().replace("\u00a0", " ").endswith(" · no styles in it"), "a raster has none"


def test_a_map_that_is_saved_says_which_credit_it_lacks(dock, wait_until, tmp_path, monkeypatch):
    page, path = dock.view.service.operations, tmp_path / "map.png"
    monkeypatch.setattr("plugin.ui.widgets.dialogs.QFileDialog.getSaveFileName", lambda *_: (str(path), ""))
    sent(dock, wait_until, "GetMap", ["carreteras"])
    page.answer.save.click()
    assert path.read_bytes() == page.answer.answer.response.body
    credit = dock.session.terms(dock.view.record).credit
    assert dock.messages.history[-1] == (
        "warning", f"Saved as map.png. The map has no credit on it. Show with it: {credit}")
    sent(dock, wait_until, "GetLegendGraphic", ["carreteras"])
    page.answer.save.click()
    assert dock.messages.history[-1] == ("success", "Saved as map.png.")


def test_a_map_of_several_layers_owes_the_credit_of_each_of_them(dock, wait_until, tmp_path, monkeypatch):
    """The image of two layers had the credit of the first alone, in what was said and as a layer of the project."""
    sent(dock, wait_until, "GetMap", ["limite_parque", "carreteras"])
    page, path, services = dock.view.service.operations, tmp_path / "map.png", dock.session.services
    owners = {"limite_parque": Attribution("© Park Office"), "carreteras": Attribution("© Road Office")}

    def owned(layer):
        return replace(layer, layers=tuple(map(owned, layer.layers)), attribution=owners.get(layer.name))

    service = services.get(dock.session.endpoint(dock.view.record))
    monkeypatch.setattr(services, "get", lambda _endpoint: replace(service, root=owned(service.root)))
    monkeypatch.setattr("plugin.ui.widgets.dialogs.QFileDialog.getSaveFileName", lambda *_: (str(path), ""))
    page.answer.save.click()
    assert all(owner.title in dock.messages.history[-1][1] for owner in owners.values())
    page.answer.as_layer.click()
    wait_until(lambda: QgsProject.instance().mapLayers(), 60)
    layer, = QgsProject.instance().mapLayers().values()
    assert all(owner.title in layer_credit(layer) for owner in owners.values())


def test_the_extent_of_layers_on_both_sides_of_the_antimeridian_holds_all_of_them(qgis_app):
    fiji, vanuatu = Layer(geographic_bbox=Box(177, -20, -178, -12)), Layer(geographic_bbox=Box(166, -20, 170, -13))
    assert extent_of_layers([fiji]) == Box(177, -20, 182, -12)
    assert extent_of_layers([fiji, vanuatu, Layer()]) == Box(166, -20, 182, -12)


def test_the_extent_of_a_service_across_the_antimeridian_is_not_inside_out(qgis_app):
    fiji = Service("1.3.0", root=Layer(geographic_bbox=Box(177, -20, -178, -12)))
    maps = SimpleNamespace(record_of=lambda item: None, stored=SimpleNamespace(record=lambda endpoint: None),
                           service_of=lambda entry: fiji)
    item = SimpleNamespace(entry=SimpleNamespace(endpoint="https://fiji.invalid/wms"))
    assert service_extent(maps, item) == Box(177, -20, 182, -12)
