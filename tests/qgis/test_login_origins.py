"""A login goes to the server that it was set for, whatever addresses that server's capabilities name."""

from __future__ import annotations

import itertools
import json
from base64 import b64encode
from dataclasses import replace

import pytest
from login_server import BASIC, PASSWORD, USER, LoginServer
from odd_server import OddServer
from qgis.core import (
    QgsApplication,
    QgsAuthMethodConfig,
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsDataSourceUri,
    QgsLayerTreeModel,
    QgsMapLayerLegend,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsPointXY,
    QgsRaster,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QEventLoop, QSize, Qt, QTimer
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtWidgets import QAbstractButton, QLabel, QWidget

from plugin.core.box import Box
from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.custommap.map_findings import Severity
from plugin.core.custommap.model import CustomMap, MapEntry, MapExtent, PageSetup
from plugin.core.custommap.planner import make_plan
from plugin.core.custommap.preview_image import PreviewContent
from plugin.core.errors import CartoguideError, LoginWithheld
from plugin.core.featureinfo.queries import MapClick
from plugin.core.preflight import PreflightContext, preflight_findings
from plugin.core.request import HttpMethod, Request
from plugin.core.wms import read_service
from plugin.core.wms.model.service import OperationInfo, Service
from plugin.core.wms.responses.layer_descriptions import LayerDescription
from plugin.gis.catalogues.catalogue_client import fetcher
from plugin.gis.catalogues.federated_search import request_detection
from plugin.gis.checks.service_health import ServiceTarget, check_service
from plugin.gis.export import map_pipeline
from plugin.gis.export.layout_export import export_png
from plugin.gis.layers.snapshot_switch import switch_to_live
from plugin.gis.layers.wms_layers import make_layers
from plugin.gis.legends.legend_nodes import has_qgis_legend
from plugin.gis.network.origin_settings import (
    allow_login,
    allowed_logins,
    authcfg_for,
    origin_address,
    revoke_login,
    set_authcfg,
)
from plugin.gis.operations.identification import find_canvas_services, identify_service
from plugin.gis.operations.response_layers import data_uri, start_making_data_layer
from plugin.gis.operations.service_previews import ServicePreviews
from plugin.gis.runtime import compat, tasks
from plugin.gis.runtime.images import image_from_bytes
from plugin.gis.services import service_cache
from plugin.gis.services.map_addresses import choose_map_address
from plugin.gis.services.service_cache import ServiceCache
from plugin.gis.snapshots.snapshot_job import SnapshotOptions, take_snapshot
from plugin.gis.sources.layer_source import LIVE_SOURCE
from plugin.ui.service.operations_page import OperationsPage
from plugin.ui.settings.settings_form import ConsentList
from plugin.ui.widgets.error_actions import LoginConsentDialog, actions_for_error
from tests import saved_services

AREA = MapExtent(-3.6, 38.3, -3.4, 38.5)
CLICK = MapClick("EPSG:25830", 450_000, 4_250_000, Box(440_000, 4_240_000, 460_000, 4_260_000), 200, 200,
                 ((-3.57, 38.4), (-3.569, 38.4), (-3.57, 38.401)), 100.0)
MIDDLE = QgsRectangle(440_000, 4_240_000, 460_000, 4_260_000)

OTHER_BASIC = "Basic " + b64encode(b"somebody:else").decode()


def stored_login(user, password):
    """A stored authentication configuration, as a fixture."""
    manager = QgsApplication.authManager()
    assert manager.masterPasswordIsSet() or manager.setMasterPassword("tests only", True)
    config = QgsAuthMethodConfig("Basic")
    config.setName("made service")
    config.setConfig("username", user)
    config.setConfig("password", password)
    assert manager.storeAuthenticationConfig(config)
    yield config.id()
    manager.removeAuthenticationConfig(config.id())


@pytest.fixture
def login(qgis_app):
    yield from stored_login(USER, PASSWORD)


@pytest.fixture
def other_login(qgis_app):
    yield from stored_login("somebody", "else")


@pytest.fixture
def pair(login):
    """A server with a login, whose capabilities name the other one for its operations."""
    with LoginServer(demands_login=True) as own, LoginServer() as other:
        own.send_operations_to(other)
        set_authcfg(own.endpoint, login)
        yield own, other
    tasks.shutdown()

def map_of(server, **changes):
    made = CustomMap(title="Made", base=MapEntry(server.endpoint, "Made", layers=("parks",)), extent=AREA,
                     page=PageSetup(), crs="EPSG:25830")
    return replace(made, **changes)

def composed(server, project):
    return map_pipeline.compose_map(project, map_of(server), {}, ServiceCache(), 60)

def drawn(layer):
    """The image of a layer, drawn as the map canvas draws."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    settings.setExtent(MIDDLE)
    settings.setOutputSize(QSize(200, 200))
    job, loop = QgsMapRendererParallelJob(settings), QEventLoop()
    job.finished.connect(loop.quit)
    job.start()
    loop.exec()
    return job.renderedImage()

def is_drawn(image):
    return len({image.pixel(x, 100) for x in range(image.width())}) > 1

def find_services(layers):
    """The services that a map canvas with these layers shows."""
    canvas = QgsMapCanvas()
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    canvas.setLayers([layer for layer in layers if layer is not None])
    canvas.setExtent(MIDDLE)
    return find_canvas_services(canvas)


def cache_of(server):
    """A cache that knows the service of a server, whoever may read it."""
    return saved_services.cache_of({server.endpoint: server.capabilities()})


def in_task(work):
    return tasks.run_and_wait(work, 60)

def test_a_layer_on_the_canvas_sends_its_login_to_no_other_host(pair, project):
    own, other = pair
    made = composed(own, project)
    assert is_drawn(drawn(made.layers[0]))
    assert other.logins() == []
    assert own.count("GetMap") and "GetMap" in own.logins()

def test_an_export_sends_the_login_to_no_other_host(pair, project, tmp_path):
    own, other = pair
    made = composed(own, project)
    assert other.count("GetLegendGraphic")
    export_png(made.layout, tmp_path / "map.png", 96)
    assert other.logins() == [], "neither for its legends nor for its map"
    assert "GetMap" in own.logins()
    image = image_from_bytes((tmp_path / "map.png").read_bytes())
    assert len({image.pixel(x, image.height() // 2) for x in range(image.width())}) > 1


def test_identify_sends_the_login_to_no_other_host(pair, project):
    own, other = pair
    made = composed(own, project)
    service = find_services(made.layers)[0]
    result = in_task(lambda feedback: identify_service(service, CLICK, "text/plain", feedback, ServiceCache()))
    assert "Despenaperros" in str(result.answers)
    assert other.logins() == []
    assert "GetFeatureInfo" in own.logins()


def test_the_layer_of_somebody_else_is_identified_with_its_login_at_its_own_host_alone(pair, login, project):
    own, other = pair
    set_authcfg(own.endpoint, "")
    layer = QgsRasterLayer(former_source(own, login), "parks", "wms")
    [service] = find_services([layer])
    in_task(lambda feedback: identify_service(service, CLICK, "text/plain", feedback, cache_of(own)))
    assert other.count("GetFeatureInfo") == 1
    assert other.logins() == []


def test_the_health_check_sends_the_login_to_no_other_host(pair):
    own, other = pair
    in_task(lambda feedback: check_service(ServiceTarget(own.endpoint, "Made"), feedback))
    assert other.count("GetMap") == 1
    assert other.logins() == []


def test_a_snapshot_sends_the_login_to_no_other_host(pair, project, tmp_path):
    own, other = pair
    options = SnapshotOptions(tmp_path / "copy", Box(450_000, 4_250_000, 452_000, 4_251_500), (25_000.0,), 100)
    in_task(lambda feedback: take_snapshot(map_of(own), {}, options, feedback, ServiceCache(), project))
    assert other.logins() == []
    assert "GetMap" in own.logins()


def test_qgiss_own_legend_sends_the_login_to_no_other_host(pair, project, wait_until):
    own, other = pair
    made = map_pipeline.load_map(project, map_of(own), {}, ServiceCache(), 60)
    layer = made.layers[0]
    fetch_qgis_legend(project, layer, wait_until)
    assert other.logins() == []
    # as it is where the plugin is not there
    layer.setLegend(QgsMapLayerLegend.defaultRasterLegend(layer))
    fetch_qgis_legend(project, layer, wait_until)
    assert other.logins() == []


def test_maps_that_are_redirected_to_another_host_are_requested_there_without_the_login(login, project):
    with LoginServer(demands_login=True) as own, LoginServer() as other:
        set_authcfg(own.endpoint, login)
        own.redirects = {"GetMap": other.endpoint}
        made = composed(own, project)
        image = drawn(made.layers[0])
        assert other.logins() == []
        # Qt 6 follows with the headers of the first request, so there the login is withheld from the first host too
        assert is_drawn(image) is not compat.qt_follows_redirects()
        assert ("is not sent there" in said(made)) is compat.qt_follows_redirects()


# -- where the host of the login serves no maps


@pytest.fixture
def elsewhere(pair):
    """A pair whose maps only the other host serves, and demands the login for."""
    own, other = pair
    own.refused, other.demands_login = ["GetMap"], True
    yield own, other
    revoke_login(other.endpoint)


def test_maps_that_only_another_host_serves_are_requested_without_the_login_and_that_is_said(elsewhere, project):
    own, other = elsewhere
    made = composed(own, project)
    assert made.layers[0].isValid()
    assert not is_drawn(drawn(made.layers[0]))
    assert other.count("GetMap") and other.logins() == []
    assert origin_address(other.endpoint) in said(made) and "without a login" in said(made)
    [found] = [found for found in findings_of(made, own) if found.rule == "login-withheld"]
    assert found.severity is Severity.WARNING and origin_address(other.endpoint) in found.message


def test_the_login_goes_to_the_other_host_with_consent_until_it_is_revoked(elsewhere, project, qtbot, wait_until):
    own, other = elsewhere
    built = in_task(lambda feedback: make_layers(planned(own), cache_of(own), feedback))
    [withheld] = built.withheld
    [action] = actions_for_error(withheld)
    retried = []
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = action.run(parent, lambda: retried.append(True))
    assert origin_address(other.endpoint) in shown_text(dialog)
    dialog.reject()
    assert allowed_logins() == [] and not retried
    dialog = action.run(parent, lambda: retried.append(True))
    dialog.accept()
    assert retried and allowed_logins() == [(own.url, other.url)]

    made = composed(own, project)
    assert is_drawn(drawn(made.layers[0]))
    assert "GetMap" in other.logins() and said(made) == ""

    consents = ConsentList()
    qtbot.addWidget(consents)
    assert [consents.list.item(row).text() for row in range(consents.list.count())] == [
        f"Login: {own.url} → {other.url}"]
    consents.revoke_button.click()
    consents.save()
    assert allowed_logins() == []
    other.requests.clear()
    project.clear()
    drawn(composed(own, project).layers[0])
    assert other.count("GetMap") and other.logins() == []


def test_a_consent_is_for_one_pair_of_hosts(elsewhere, login):
    own, other = elsewhere
    with LoginServer() as third:
        allow_login(own.endpoint, other.endpoint)
        assert [authcfg_for(server.endpoint) for server in (own, other, third)] == [login, login, ""]
        set_authcfg(own.endpoint, "")
        assert authcfg_for(other.endpoint) == ""


def test_the_window_offers_to_send_the_login_and_draws_the_map_then(elsewhere, open_dock, wait_until, monkeypatch):
    own, other = elsewhere
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    dock = open_dock(before=lambda dock: setattr(dock.session, "services", ServiceCache()))
    offered = []
    dock.map.login_withheld.connect(lambda item, error: offered.append(error))
    dock.map.show_document(map_of(own))
    wait_until(lambda: offered)
    assert dock.messages.history[-1][1] == offered[0].user_text
    assert own.url in offered[0].user_text
    [button] = [button for button in dock.findChildren(QAbstractButton) if button.text() == "Send the login…"]
    button.click()
    [dialog] = dock.findChildren(LoginConsentDialog)
    dialog.accept()
    wait_until(lambda: not dock.map.adding and "authcfg" in source_of(dock))
    assert is_drawn(drawn(layers_of(dock)[0]))


# -- the other host has a login of its own


def test_maps_of_another_host_with_its_own_login_carry_that_one_alone(login, other_login, project):
    with LoginServer() as own, LoginServer(demands_login=True) as other:
        own.send_operations_to(other)
        set_authcfg(other.endpoint, login)
        made = composed(own, project)
        assert is_drawn(drawn(made.layers[0]))
        assert own.logins() == []
        assert "GetMap" in other.logins()


def test_two_hosts_with_a_login_each_get_their_own(login, other_login, project):
    with LoginServer(demands_login=True) as own, LoginServer() as other:
        own.send_operations_to(other)
        set_authcfg(own.endpoint, login)
        set_authcfg(other.endpoint, other_login)
        made = composed(own, project)
        assert is_drawn(drawn(made.layers[0]))
        in_task(lambda feedback: check_service(ServiceTarget(own.endpoint, "Made"), feedback))
        assert {request["headers"].get("Authorization") for request in own.requests} == {BASIC}
        assert {request["headers"].get("Authorization") for request in other.requests} == {OTHER_BASIC}


# -- what capabilities name in other ways


@pytest.mark.parametrize("twist", [
    # QGIS takes the last of several addresses, and reads operations that the standard does not have
    ("</Get></HTTP></DCPType></GetMap>", "</Get><Get><OnlineResource xmlns:xlink='http://www.w3.org/1999/xlink' "
     "xlink:href='{other}'/></Get></HTTP></DCPType></GetMap>"),
    ("</Request>", "<Operation name='GetMap'><DCPType><HTTP><Get><OnlineResource xlink:href='{other}'/></Get></HTTP>"
     "</DCPType></Operation></Request>"),
    ("</Request>", "<GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href='{other}'/></Get>"
     "</HTTP></DCPType></GetMap></Request>"),
    ("<GetMap><Format>image/png</Format>", "<GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource "
     "xlink:href='{other}'/></Get></HTTP></DCPType>"),
])
def test_however_capabilities_name_another_host_it_gets_no_login(login, project, twist):
    with LoginServer(demands_login=True) as own, LoginServer() as other:
        set_authcfg(own.endpoint, login)
        own.twist = (twist[0], twist[1].replace("{other}", other.endpoint))
        made = composed(own, project)
        assert is_drawn(drawn(made.layers[0]))
        assert other.logins() == []


@pytest.mark.parametrize("operation", ["info", "legend", "describe"])
def test_one_operation_on_another_host_takes_no_login_there(login, project, operation, wait_until):
    with LoginServer(demands_login=True) as own, LoginServer() as other:
        set_authcfg(own.endpoint, login)
        own.elsewhere = {operation: other.endpoint}
        made = composed(own, project)
        layer = made.layers[0]
        assert is_drawn(drawn(layer))
        layer.dataProvider().identify(QgsPointXY(450_000, 4_250_000), QgsRaster.IdentifyFormat.IdentifyFormatText,
                                      MIDDLE, 200, 200)
        fetch_qgis_legend(project, layer, wait_until)
        assert other.logins() == []


@pytest.mark.parametrize("text", ["authcfg={login}&", "x=1&authcfg={login}", "username=someone&password=secret&",
                                  "http-header:Authorization=Basic%20c29tZW9uZTpzZWNyZXQ%3D&", "a'%20authcfg={login}&"])
def test_an_address_chooses_no_login(login, project, text):
    with LoginServer() as server:
        server.endpoint += text.replace("{login}", login)
        layer = composed(server, project).layers[0]
        assert is_drawn(drawn(layer))
        data = LayerDescription("WFS", server.endpoint, ("parks",))
        QgsVectorLayer(data_uri(data, "parks"), "parks", "WFS")
        QgsRasterLayer(data_uri(replace(data, service_type="WCS"), "parks"), "parks", "wcs")
        assert server.count("GetMap")
        assert not [request for request in server.requests if request["headers"].get("Authorization")]


def test_no_combination_of_addresses_and_logins_pairs_a_login_with_another_host():
    hosts = ["https://a.test/wms?", "https://b.test/wms?", "http://a.test/wms?"]
    odd = ["", "//b.test/wms?", "wms?", "http:\\\\b.test/wms", "https://a.test@b.test/wms?", "HTTPS://A.test:443/wms?",
           None]
    for logins in itertools.product(("", "first"), ("", "second"), ("", "third")):
        for address, chosen in zip(hosts, logins):
            set_authcfg(address, chosen)
        for map_address, info, endpoint in itertools.product([*hosts, *odd], [*hosts, *odd], hosts):
            operations = {name: OperationInfo(name, get=address, named_addresses=(address,) if address else ())
                          for name, address in (("GetMap", map_address), ("GetFeatureInfo", info))}
            choice = choose_map_address(endpoint, Service("1.3.0", operations=operations))
            used = [choice.url, *([] if choice.ignore_advertised else [map_address, info])]
            assert not choice.authcfg or {authcfg_for(address) for address in used if address} == {choice.authcfg}
            assert choice.authcfg or not authcfg_for(endpoint), "the host of the login is tried"


# -- layers of projects and snapshots that were made before


@pytest.mark.parametrize("elsewhere_in", [("map", "info", "legend_url"), ("legend_url",)])
def test_a_layer_of_a_former_version_is_mended_when_its_map_is_opened(pair, login, project, open_dock, wait_until,
                                                                      monkeypatch, elsewhere_in):
    own, other = pair
    own.elsewhere = {name: address for name, address in own.elsewhere.items() if name in elsewhere_in}
    former = map_pipeline.load_map(project, map_of(own), {}, ServiceCache(), 60).layers[0]
    former.setDataSource(former_source(own, login), former.name(), "wms", QgsDataProvider.ProviderOptions())
    former.removeCustomProperty("cartoguide/legend")
    former_id = former.id()
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    dock = open_dock(before=lambda dock: setattr(dock.session, "services", ServiceCache()))
    wait_until(lambda: source_of(dock) and not has_qgis_legend(layers_of(dock)[0]))
    assert [layer.id() for layer in layers_of(dock)] == [former_id], "themes and layouts show it on"
    other.requests.clear()
    assert is_drawn(drawn(layers_of(dock)[0]))
    fetch_qgis_legend(project, layers_of(dock)[0], wait_until)
    assert other.logins() == []


def test_a_layer_that_returns_from_its_snapshot_sends_no_login_elsewhere(pair, login, project, wait_until):
    own, other = pair
    layer = composed(own, project).layers[0]
    layer.setCustomProperty(LIVE_SOURCE, former_source(own, login))
    done = []
    switch_to_live([layer], done.append, done.append, cache=ServiceCache())
    wait_until(lambda: done)
    assert done == [[]] and "IgnoreGetMapUrl" in layer.source()
    assert is_drawn(drawn(layer))
    fetch_qgis_legend(project, layer, wait_until)
    assert other.logins() == []


# -- the data behind a layer


@pytest.mark.parametrize("kind", ["WFS", "WCS"])
def test_data_on_another_host_than_their_capabilities_get_no_login(login, kind, wait_until):
    with LoginServer(demands_login=True) as own, LoginServer() as other:
        set_authcfg(own.endpoint, login)
        own.twist = ("<GetMap>", f"<GetCoverage><Get onlineResource='{other.endpoint}'/></GetCoverage><GetMap>")
        outcome = []
        plan = planned(own).layers[0]
        start_making_data_layer(LayerDescription(kind, own.endpoint, ("parks",)), "parks", plan, outcome.append,
                                outcome.append)
        wait_until(lambda: outcome)
        assert isinstance(outcome[0], LoginWithheld) and origin_address(other.endpoint) in outcome[0].user_text
        assert other.logins() == []


# -- the window's own requests


def test_the_operations_form_and_the_preview_ask_the_host_of_the_login(pair, qtbot, wait_until):
    own, other = pair
    service = in_task(lambda feedback: ServiceCache().get_or_fetch(own.endpoint, feedback))
    page = OperationsPage()
    qtbot.addWidget(page)
    page.show_service(None, service, own.endpoint)
    page.open_form("GetMap", ("parks",))
    sent = []
    page.send_requested.connect(lambda *given: sent.append(given[0]))
    page.send.click()
    assert sent and sent[0].url.startswith(own.url)

    previews, images = ServicePreviews(), []
    previews.loaded.connect(images.append)
    previews.failed.connect(images.append)
    previews.request(service, PreviewContent(("parks",)), (), "EPSG:25830", own.endpoint)
    wait_until(lambda: images)
    assert isinstance(images[0], QImage)
    assert other.logins() == [] and other.count("GetMap") == 0


# -- catalogues


def test_the_login_of_a_catalogue_goes_to_its_own_origin_alone(login):
    with OddServer() as own, OddServer() as other:
        send = fetcher(Source(f"{own.url}/csw", SourceKind.CSW_2, authcfg=login))
        for address in (f"{own.url}/echo", f"{other.url}/echo"):
            in_task(lambda feedback, address=address: send(Request(HttpMethod.GET, address)))
        assert [request["headers"].get("Authorization") for request in own.requests] == [BASIC]
        assert [request["headers"].get("Authorization") for request in other.requests] == [None]


def test_a_catalogue_that_a_server_names_on_another_host_gets_no_login(login, wait_until):
    with OddServer() as own, OddServer() as other:
        link = {"rel": "collection", "type": "application/json", "href": f"{other.url}/collections/records"}
        own.answers["/items"] = (200, "application/json", json.dumps(
            {"type": "FeatureCollection", "features": [], "links": [link]}).encode())
        collection = {"id": "records", "itemType": "record", "links": [
            {"rel": "items", "type": "application/geo+json", "href": f"{other.url}/collections/records/items"}]}
        other.answers["/collections/records"] = (200, "application/json", json.dumps(collection).encode())
        outcome = []
        request_detection(f"{own.url}/items", outcome.append, outcome.append, None, login)
        wait_until(lambda: outcome)
        sources = outcome[0].sources
        assert [origin_address(source.address) for source in sources] == [other.url]
        send = fetcher(sources[0])
        in_task(lambda feedback: send(Request(HttpMethod.GET, f"{other.url}/echo")))
        assert BASIC in [request["headers"].get("Authorization") for request in own.requests]
        assert {request["headers"].get("Authorization") for request in other.requests} == {None}


# -- helpers


def said(made):
    return "\n".join(note.text for note in made.plan.notes if note.login_use is not None)


def planned(server):
    return make_plan(map_of(server), {server.endpoint: read_service(server.capabilities(), "made")}, {},
                     choose_address=choose_map_address)


def findings_of(made, server):
    services = {server.endpoint: read_service(server.capabilities(), "made")}
    return preflight_findings(PreflightContext(made.document, made.plan, services, {}))


def shown_text(dialog):
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def layers_of(dock):
    controller = dock.map
    return [controller.project.mapLayer(layer_id) for item in controller.items for layer_id in item.layer_ids.values()]


def source_of(dock):
    return " ".join(layer.source() for layer in layers_of(dock) if layer is not None)


def former_source(server, login):
    """The source of a layer as it was before addresses of other hosts were left out."""
    uri = QgsDataSourceUri()
    for name, value in (("url", server.endpoint), ("layers", "parks"), ("styles", ""), ("format", "image/png"),
                        ("crs", "EPSG:25830"), ("authcfg", login)):
        uri.setParam(name, value)
    return bytes(uri.encodedUri()).decode()


def fetch_qgis_legend(project, layer, wait_until):
    """Let QGIS request the legend that its layer tree shows."""
    model = QgsLayerTreeModel(project.layerTreeRoot())
    for node in model.layerLegendNodes(project.layerTreeRoot().findLayer(layer.id())):
        node.data(Qt.ItemDataRole.DecorationRole)
    ended = []
    QTimer.singleShot(1000, lambda: ended.append(True))
    wait_until(lambda: ended)


def test_an_export_without_the_master_password_says_so(pair, project, tmp_path):
    own, _other = pair
    made, manager = composed(own, project), QgsApplication.authManager()
    manager.clearMasterPassword()
    try:
        with pytest.raises(CartoguideError) as failed:
            export_png(made.layout, tmp_path / "map.png", 72)
    finally:
        manager.setMasterPassword("tests only", True)
    assert "“Parks” is locked" in failed.value.user_text and "master password" in failed.value.user_text
    assert export_png(made.layout, tmp_path / "map.png", 72).files
