"""CRS objects first created in a worker thread stay valid after that thread has ended."""

from __future__ import annotations

import threading
import time

import layer_services
import pytest
from odd_server import OddServer
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QCoreApplication

from plugin.core.custommap.model import OwnLayer
from plugin.core.errors import CartoguideError
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
    assert {"EPSG:4326", "EPSG:3857", "CRS:84"} <= claimed


class Worker:
    """A thread that makes a layer as a job does, and lives until ``end``."""

    def __init__(self, own):
        self._own, self._context, self._may_end = own, QgsProject.instance().transformContext(), threading.Event()
        self.result = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        until(lambda: self.result)

    def _run(self):
        try:
            self.result.append(make_layer(self._own, self._context, tasks.Feedback()))
        except CartoguideError as error:
            self.result.append(error)
        self._may_end.wait(patience())

    def end(self):
        self._may_end.set()
        self._thread.join()


URN = "urn:ogc:def:crs:EPSG::"


@pytest.mark.parametrize(("kind", "former", "named"), [
    *((kind, "", "") for kind in ("WMTS", "WFS", "OGC API Features", "ArcGIS FeatureServer", "ArcGIS MapServer", "WCS",
                                  "GeoJSON by address", "XYZ", "vector tiles")),
    *(("WMTS", "3857", f"{spelling}25829") for spelling in (
        URN, "EPSG:", "urn:ogc:def:crs:EPSG:6.18.3:", "urn:x-ogc:def:crs:EPSG:",
        "http://www.opengis.net/def/crs/EPSG/0/", "http://www.opengis.net/gml/srs/epsg.xml#")),
    ("WFS", "4326", f"{URN}25829"), ("WFS", "4326", "http://www.opengis.net/gml/srs/epsg.xml#25829")])
def test_a_service_opens_where_the_thread_that_was_the_first_to_open_one_is_gone(qgis_app, monkeypatch, kind, former,
                                                                                named):
    """Another one has its own copies of the systems meanwhile, so that QGIS does not forget them."""
    monkeypatch.setattr(crs_ownership, "_claimed", set())
    QgsCoordinateReferenceSystem.invalidateCache()
    QgsCoordinateTransform.invalidateCache()
    # as before each job
    crs_ownership.claim_common_crs()
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        served = layer_services.sources(server.url)[kind]
        answer, source = server.files.get(served.path), served.source
        if named:
            source = source.replace(f"EPSG:{former}", "EPSG:25829")
            server.files[served.path] = lambda request: (answer(request) if callable(answer) else answer).replace(
                f"{URN}{former}".encode(), named.encode())
        own = OwnLayer("id", kind, served.type, served.provider, source)
        first = Worker(own)
        second = Worker(own)
        first.end()
        third = Worker(own)
        second.end()
        third.end()
    for worker in (first, second, third):
        [layer] = worker.result
        assert isinstance(layer, QgsMapLayer), layer
        assert layer.isValid() and layer.crs().toWkt()
        assert not layer.extent().isEmpty() or kind in ("GeoJSON by address", "ArcGIS FeatureServer", "WFS")
