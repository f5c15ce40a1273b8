"""CRS objects first created in a worker thread stay valid after that thread has ended."""

from __future__ import annotations

import threading
import time

import layer_services
import pytest
from odd_server import OddServer
from osgeo import osr
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QCoreApplication

from plugin.core.custommap.model import LayerPlan, OwnLayer
from plugin.core.errors import CartoguideError
from plugin.core.sources.layer_source import WmsSource
from plugin.core.wms.responses.layer_descriptions import LayerDescription
from plugin.gis.operations import response_layers
from plugin.gis.own_layers.opening import make_layer
from plugin.gis.runtime import crs_ownership, tasks
from tests.qgis.waiting import until
from tests.slowness import patience


def used_in_a_thread(code, before):
    """The CRS as a thread has it that is gone afterwards; ``before`` is called in that thread first."""
    made = []

    def work():
        before(code)
        crs = QgsCoordinateReferenceSystem(code)
        crs.toWkt()
        made.append(crs)

    thread = threading.Thread(target=work)
    thread.start()
    end = time.monotonic() + patience()
    while thread.is_alive() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)
    assert not thread.is_alive() and made[0].isValid()
    return made[0]


def test_a_crs_that_the_main_thread_owns_outlives_the_worker(qgis_app):
    crs = used_in_a_thread("EPSG:25828", lambda code: crs_ownership.claim_crs([code, "", "NO:SUCH"]))
    project = QgsProject.instance()
    project.setCrs(crs)
    for each in (crs, project.crs(), QgsCoordinateReferenceSystem("EPSG:25828")):
        assert "UTM zone 28N" in each.toWkt()


def test_the_systems_of_most_layers_belong_to_the_main_thread_before_any_work(qgis_app, monkeypatch):
    monkeypatch.setattr(crs_ownership, "_claimed", set())
    claimed = tasks.run_and_wait(lambda feedback: set(crs_ownership._claimed), 30)
    assert claimed == {"EPSG:4326", "EPSG:3857", "CRS:84", "OGC:CRS84",
                       "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}


class Worker:
    """A thread that makes a layer by ``make`` as a job does, and lives until ``end``."""

    def __init__(self, make):
        self._make, self._may_end, self.result = make, threading.Event(), []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        until(lambda: self.result)

    def _run(self):
        try:
            self.result.append(self._make(tasks.Feedback()))
        except CartoguideError as error:
            self.result.append(error)
        self._may_end.wait(patience())

    def end(self):
        self._may_end.set()
        self._thread.join()


def made_one_after_the_other(make):
    """The layers that three threads make. The first one has ended before the third one begins, and the second has not.

    It has its own copies of the reference systems meanwhile, so that QGIS does not forget them.
    """
    first, second = Worker(make), Worker(make)
    first.end()
    third = Worker(make)
    second.end()
    third.end()
    for worker in (first, second, third):
        [layer] = worker.result
        assert isinstance(layer, QgsMapLayer), layer
        yield layer


@pytest.fixture
def nothing_known(qgis_app, monkeypatch):
    """QGIS knows no reference system but those that the main thread creates before each job."""
    monkeypatch.setattr(crs_ownership, "_claimed", set())
    QgsCoordinateReferenceSystem.invalidateCache()
    QgsCoordinateTransform.invalidateCache()
    crs_ownership.claim_common_crs()


URN = "urn:ogc:def:crs:EPSG::"


@pytest.mark.parametrize(("kind", "former", "named"), [
    *((kind, "", "") for kind in ("WMTS", "WFS", "OGC API Features", "ArcGIS FeatureServer", "ArcGIS MapServer", "WCS",
                                  "GeoJSON by address", "XYZ", "vector tiles")),
    *(("WMTS", "3857", f"{spelling}25829") for spelling in (
        URN, "EPSG:", "urn:ogc:def:crs:EPSG:6.18.3:", "urn:x-ogc:def:crs:EPSG:",
        "http://www.opengis.net/def/crs/EPSG/0/", "http://www.opengis.net/gml/srs/epsg.xml#")),
    ("WFS", "4326", f"{URN}25829"), ("WFS", "4326", "http://www.opengis.net/gml/srs/epsg.xml#25829")])
def test_a_service_opens_where_the_thread_that_was_the_first_to_open_one_is_gone(nothing_known, kind, former, named):
    context = QgsProject.instance().transformContext()
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        served = layer_services.sources(server.url)[kind]
        answer, source = server.files.get(served.path), served.source
        if named:
            source = source.replace(f"EPSG:{former}", "EPSG:25829")
            server.files[served.path] = lambda request: (answer(request) if callable(answer) else answer).replace(
                f"{URN}{former}".encode(), named.encode())
        own = OwnLayer("id", kind, served.type, served.provider, source)
        for layer in made_one_after_the_other(lambda feedback: make_layer(own, context, feedback)):
            assert layer.isValid() and layer.crs().toWkt()
            assert not layer.extent().isEmpty() or kind in ("GeoJSON by address", "ArcGIS FeatureServer", "WFS")


def test_a_file_of_the_web_that_names_no_known_system_opens_where_another_plugin_lets_gdal_raise_errors(nothing_known):
    context = QgsProject.instance().transformContext()
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        served = layer_services.sources(server.url)["GeoJSON by address"]
        path = "/points/rios.geojson"
        server.files[path] = server.files[path].replace(b'"features"', b'"note": "EPSG:9999", "features"', 1)
        own = OwnLayer("id", "Senderos", served.type, served.provider, served.source)
        osr.UseExceptions()
        try:
            assert tasks.run_and_wait(lambda feedback: make_layer(own, context, feedback), 30).isValid()
        finally:
            osr.DontUseExceptions()


def test_the_data_behind_a_layer_keep_their_system_where_the_first_thread_that_made_some_is_gone(nothing_known,
                                                                                                 monkeypatch):
    work = []
    monkeypatch.setattr(response_layers.tasks, "start", lambda _title, made, *_rest: work.append(made))
    plan = LayerPlan(WmsSource("http://127.0.0.1:9/", "rios", "", "image/png", "EPSG:25830"), "Capa")
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        answer = server.files["/wfs"]
        server.files["/wfs"] = lambda request: answer(request).replace(f"{URN}4326".encode(), f"{URN}25829".encode())
        response_layers.start_making_data_layer(LayerDescription("WFS", f"{server.url}/wfs", ("a:rios",)), "a:rios",
                                                plan, print, print)
        for layer in made_one_after_the_other(work[0]):
            assert layer.crs().authid() == "EPSG:25829" and "UTM zone 29N" in layer.crs().toWkt()
