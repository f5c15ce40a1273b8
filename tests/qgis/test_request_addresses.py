"""Addresses of requests in records and capabilities: no parameter is sent twice, and named layers alone are added."""

from __future__ import annotations

import threading
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import numpy
import pytest
from odd_server import OddServer
from qgis.core import QgsDataSourceUri, QgsNetworkAccessManager, QgsRasterLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QGuiApplication, QImage

from plugin.core.custommap.document import read_document
from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.model import CustomMap, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.records.model.record import Constraint, Contact, OnlineResource, Record
from plugin.core.terms import terms_for
from plugin.core.wms.requests.urls import url_prefix
from plugin.gis.export import layout_export, map_pipeline
from plugin.gis.own_layers.references import refer_to
from plugin.gis.services import service_cache
from plugin.gis.sources.wms import moved_source, requested_by
from plugin.ui.service.add_layers_dialog import AddLayersDialog
from tests.qgis.algorithm_runs import Heard, registered_provider, run, use_network
from tests.qgis.print_maps import PARK, pixels

#: parameters of a request for another layer, as they stand in addresses of records. The server takes the first of two
FOREIGN = ("layers=relieve&Styles=&format=image/jpeg&transparent=FALSE&bgcolor=0x000000&srs=EPSG:4326&width=9&HEIGHT=9"
           "&time=1999&sld=http://127.0.0.1:9/s.sld&map_resolution=10&dpi=10")


def written_page(project, folder, address, layers=("carreteras",)):
    """The page of a map of these layers of the service at an address, as an array of pixels."""
    project.clear()
    QgsNetworkAccessManager.instance().cache().clear()
    record = Record("x", id="r", title="Carreteras", online=(OnlineResource(address, "OGC:WMS"),),
                    other_constraints=(Constraint("CC BY 4.0"),), contacts=(Contact(organisation="Junta"),))
    entry = entry_from_record(record, terms_for(record), layers, ("",) * len(layers), endpoint=address)
    made = map_pipeline.compose_map(project, CustomMap(title="M", overlays=(entry,), extent=PARK, page=PageSetup()),
                                    {address: record}, service_cache.ServiceCache(), 60)
    assert not made.failures
    path = folder / "page.png"
    layout_export.export_layouts([made.layout], path, "png", layout_export.ExportOptions(40))
    image = QImage(str(path))
    path.unlink()
    # without the sources below the map, which name the server's port
    return pixels(image)[:int(image.height() * 0.85)].copy()


def repeated_names(query):
    names = [name.upper() for name, _ in parse_qsl(query, keep_blank_values=True)]
    return {name for name in names if names.count(name) > 1}


@contextmanager
def first_value_server(target, parameters=""):
    """A server that passes requests on to the one at ``target``, and takes the first of several values of a parameter.

    Yields its address and the list of its requests' queries. Its capabilities name an address with ``parameters`` for
    maps.
    """
    queries = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):  # noqa: N802
            query = urlsplit(self.path).query
            queries.append(query)
            values = {}
            for name, value in parse_qsl(query, keep_blank_values=True):
                values.setdefault(name.upper(), value)
            with urllib.request.urlopen(f"{target}{urlencode(values)}") as answer:
                body, media = answer.read(), answer.headers["Content-Type"]
            if values.get("REQUEST") == "GetCapabilities":
                own = f"http://127.0.0.1:{server.server_port}/wms?"
                text = body.decode().replace(target.replace("&", "&amp;"), own)
                before, mark, after = text.partition("<GetMap>")
                body = (before + mark + after.replace(own, own + parameters.replace("&", "&amp;"), 2)).encode()
            self.send_response(200)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/wms?", queries
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.slow
def test_a_page_shows_the_layer_of_its_legend_whatever_request_its_address_is(network, qgis_app, project, tmp_path):
    target = network.endpoints["guide"]
    with first_value_server(target) as (address, _):
        sound = written_page(project, tmp_path, address)
    for of_record, of_capabilities in ((FOREIGN, ""), ("", FOREIGN)):
        with first_value_server(target, of_capabilities) as (address, queries):
            page = written_page(project, tmp_path, address + of_record)
        maps = [dict(parse_qsl(query.upper(), keep_blank_values=True)) for query in queries
                if "GETMAP" in query.upper()]
        assert maps and all(values["LAYERS"] == "CARRETERAS" for values in maps)
        assert not [query for query in queries if repeated_names(query)]
        assert numpy.array_equal(page, sound)


def test_a_layer_of_one_s_own_that_is_requested_twice_is_refused(network, qgis_app, project, tmp_path):
    uri = QgsDataSourceUri()
    uri.setParam("url", f"{network.endpoints['guide']}layers=relieve&")
    for name, value in (("layers", "carreteras"), ("styles", ""), ("format", "image/png"), ("crs", "EPSG:25830"),
                        ("IgnoreGetMapUrl", "1")):
        uri.setParam(name, value)
    layer = QgsRasterLayer(bytes(uri.encodedUri()).decode(), "Propia", "wms")
    assert layer.isValid()
    described = layer.metadata()
    described.setRights(["Red de prueba"])
    layer.setMetadata(described)
    project.addMapLayer(layer)
    made = map_pipeline.compose_map(project, CustomMap(
        title="M", own_layers=(refer_to(layer),), extent=PARK, page=PageSetup()), {}, service_cache.ServiceCache(), 60)
    network.reset()
    with pytest.raises(CartoguideError, match="LAYERS.*relieve and carreteras"):
        layout_export.export_layouts([made.layout], tmp_path / "page.png", "png",
                                     layout_export.ExportOptions(40, attempts=1))
    assert network.count("GetMap") and not list(tmp_path.iterdir())


def opened(dock, wait_until, address):
    """The Add button of the service at a pasted address, once it is loaded, and the tab with its layers."""
    dock.session.open_text(address)
    wait_until(lambda: not dock.session.loading and dock.view.record is not None and dock.view.record.id, 30)
    dock.view.tabs.setCurrentWidget(dock.view.service)
    bar, page = dock.view.add_bar, dock.view.service.layers
    wait_until(lambda: bar.button.isEnabled() and page.model.requestable_nodes(), 60)
    wait_until(lambda: bar.button.text() not in ("Add to map", "Loading…"), 30)
    wait_until(lambda: page._endpoint == dock.session.endpoint(dock.view.record), 30)
    return bar, page


def test_what_a_pasted_address_names_is_selected_and_added_alone(network, network_dock, wait_until, qtbot):
    dock = network_dock()
    wait_until(lambda: not dock.session.loading and dock.model.rowCount() == 3)
    guide = network.endpoints["guide"]
    # the key of the paste is held until the service is there: Qt would add to what is selected
    qtbot.keyPress(dock.list, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.ControlModifier
    bar, page = opened(dock, wait_until, f"{guide}service=WMS&version=1.1.1&request=GetMap&layers=carreteras,senderos"
                                         "&styles=&srs=EPSG:25830&bbox=447000,4250000,450000,4253000&width=9&height=9"
                                         "&format=image/png")
    assert sorted(page.selected_names()) == ["carreteras", "senderos"]
    assert dock.list.selectedIndexes() == [dock.list.currentIndex()], "commands act on what is selected"
    qtbot.keyRelease(dock.list, Qt.Key.Key_Control)
    assert bar.button.text() == "Add 2 layers" and "“carreteras”, “senderos”" in bar.button.toolTip()
    network.reset()
    bar.button.click()
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding and bar.button.isEnabled(), 60)
    assert dock.map.items[0].entry.layers == ("carreteras", "senderos")
    sources = [node.layer().source() for node in dock.map.mirror.find_group().findLayers()]
    assert len(sources) == 2
    for source in sources:
        assert "relieve" not in source and "bbox" not in source.lower() and source.count("layers=") == 1
    assert not [seen for seen in network.requests if repeated_names(seen["query"])]
    assert "layers" not in dock.map.items[0].entry.endpoint
    # the same record is shown again, with what another address of its service names
    dock.session.open_text(f"{guide}service=WMS&request=GetCapabilities&layers=relieve")
    wait_until(lambda: page.selected_names() == ["relieve"] and bar.button.text() == "Add 1 layer", 30)
    dock.session.open_text(f"{guide}service=WMS&request=GetCapabilities")
    wait_until(lambda: bar.button.text().startswith("Add as"), 30)


def test_named_layers_that_a_service_lacks_are_told_by_name(network, network_dock, wait_until):
    dock = network_dock()
    wait_until(lambda: not dock.session.loading and dock.model.rowCount() == 3)
    facilities = network.endpoints["facilities"]
    bar, page = opened(dock, wait_until, f"{facilities}service=WMS&request=GetCapabilities&layers=miradores,molinos")
    assert page.selected_names() == ["miradores"] and bar.button.text() == "Add 1 layer"
    assert "“molinos”" in bar.reason.text()
    bar.button.click()
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding and bar.button.isEnabled(), 60)
    assert dock.map.items[0].entry.layers == ("miradores",)
    assert any("“molinos”" in text for _level, text in dock.messages.history)
    bar, page = opened(dock, wait_until, f"{network.endpoints['guide']}service=WMS&request=GetCapabilities&layers=nada")
    wait_until(lambda: bar.button.text() == "Add layers…", 30)
    assert "“nada”" in bar.reason.text() and "All of its layers are offered" in bar.reason.text()
    bar.button.click()
    dialog = wait_until(lambda: next(iter(dock.findChildren(AddLayersDialog)), None), 30)
    assert len(dock.map.items) == 1, "another layer than the link names is the person's choice"
    dialog.model.set_checked(["carreteras"])
    dialog.add.click()
    wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding and bar.button.isEnabled(), 60)
    assert {item.entry.layers for item in dock.map.items} == {("miradores",), ("carreteras",)}


def test_a_map_of_processing_has_the_layers_that_a_service_s_own_address_names(network, monkeypatch, tmp_path):
    written = network.records[1].read_text("utf-8")
    endpoint = network.endpoints["guide"].replace("&", "&amp;")
    assert endpoint in written
    record = tmp_path / "guide.xml"
    named = endpoint + ("" if "?" in endpoint else "?") + "layers=senderos,ríos&amp;STYLES=,"
    record.write_text(written.replace(endpoint, named), "utf-8")
    use_network(network, monkeypatch)
    said = Heard()
    with registered_provider():
        done = run("buildcustommap", {"FILES": [str(record)], "DOCUMENT": str(tmp_path / "m.custommap.json")}, said)
    document = read_document((tmp_path / "m.custommap.json").read_bytes(), "m")
    assert document.base.layers == ("senderos",)
    assert any("“ríos”" in text for text in said.said) and "“ríos”" in done["REMARKS"]


@pytest.mark.parametrize("path", ["/wms%3Fmap%3D/x.map%26", "/wms?map%3D/x.map%26", "/a%2520b?", "/wms%3Fk=c%252Cd%26"])
def test_the_address_of_a_source_is_the_one_that_qgis_requests(qgis_app, path):
    with OddServer() as server:
        source = f"crs=EPSG:25830&format=image/png&layers=a&styles=&url={server.url}{path}"
        QgsRasterLayer(source, "a", "wms")
        sent = unquote(f"{server.requests[0]['path']}?{server.requests[0]['query']}")
        address = requested_by(source).address
        assert f"{server.url}{sent}".startswith(unquote(address)) and "%3F" not in address
        again = moved_source(source, address, address, "", "")
        assert requested_by(again).address == url_prefix(address) and "%253F" not in again
        server.requests.clear()
        QgsRasterLayer(again, "a", "wms")
        assert unquote(f"{server.requests[0]['path']}?{server.requests[0]['query']}") == sent
