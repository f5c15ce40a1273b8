"""A login goes to the server that it was set for, whatever addresses that server's capabilities name."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest
from login_server import PASSWORD, USER, LoginServer
from qgis.core import (
    QgsApplication,
    QgsAuthMethodConfig,
    QgsCoordinateReferenceSystem,
    QgsDataSourceUri,
    QgsLayerTreeModel,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QEventLoop, QSize, Qt, QTimer

from plugin.core.custommap.model import CustomMap, MapEntry, MapExtent, PageSetup
from plugin.core.featureinfo.queries import MapClick
from plugin.gis.checks.service_health import ServiceTarget, check_service
from plugin.gis.export import map_pipeline
from plugin.gis.export.layout_export import export_png
from plugin.gis.network.origin_settings import set_authcfg
from plugin.gis.operations.canvas_services import find_canvas_services
from plugin.gis.operations.identification import identify_service
from plugin.gis.runtime import tasks
from plugin.gis.runtime.images import image_from_bytes
from plugin.gis.services.service_cache import ServiceCache
from plugin.gis.snapshots.snapshot_job import SnapshotOptions, take_snapshot

AREA = MapExtent(-3.6, 38.3, -3.4, 38.5)
CLICK = MapClick("EPSG:25830", 450_000, 4_250_000, (440_000, 4_240_000, 460_000, 4_260_000), 200, 200,
                 ((-3.57, 38.4), (-3.569, 38.4), (-3.57, 38.401)), 100.0)
MIDDLE = QgsRectangle(440_000, 4_240_000, 460_000, 4_260_000)

@pytest.fixture
def login(qgis_app):
    """A stored authentication configuration: name and password."""
    manager = QgsApplication.authManager()
    assert manager.masterPasswordIsSet() or manager.setMasterPassword("tests only", True)
    config = QgsAuthMethodConfig("Basic")
    config.setName("made service")
    config.setConfig("username", USER)
    config.setConfig("password", PASSWORD)
    assert manager.storeAuthenticationConfig(config)
    identifier = config.id()
    yield identifier
    manager.removeAuthenticationConfig(identifier)

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
    cache = ServiceCache()
    cache.insert_document(server.endpoint, server.capabilities(), datetime.now(timezone.utc))
    return cache


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
    export_png(made.layout, tmp_path / "map.png", 96)
    assert other.logins() == []
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
    uri = QgsDataSourceUri()
    for name, value in (("url", own.endpoint), ("layers", "parks"), ("styles", ""), ("format", "image/png"),
                        ("crs", "EPSG:25830"), ("authcfg", login)):
        uri.setParam(name, value)
    layer = QgsRasterLayer(bytes(uri.encodedUri()).decode(), "parks", "wms")
    own.requests.clear()
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
    options = SnapshotOptions(tmp_path / "copy", (450_000, 4_250_000, 452_000, 4_251_500), (25_000.0,), 100)
    in_task(lambda feedback: take_snapshot(map_of(own), {}, options, feedback, ServiceCache(), project))
    assert other.logins() == []
    assert "GetMap" in own.logins()


def test_the_legends_of_a_page_send_the_login_to_no_other_host(pair, project):
    own, other = pair
    composed(own, project)
    assert other.count("GetLegendGraphic")
    assert other.logins() == []


def test_qgiss_own_legend_sends_the_login_to_no_other_host(pair, project, wait_until):
    own, other = pair
    made = map_pipeline.load_map(project, map_of(own), {}, ServiceCache(), 60)
    layer = made.layers[0]
    model = QgsLayerTreeModel(project.layerTreeRoot())
    tree_layer = project.layerTreeRoot().findLayer(layer.id())
    for node in model.layerLegendNodes(tree_layer):
        node.data(Qt.ItemDataRole.DecorationRole)
    settle(wait_until)
    assert other.logins() == []


def settle(wait_until):
    ended = []
    QTimer.singleShot(1000, lambda: ended.append(True))
    wait_until(lambda: ended)
