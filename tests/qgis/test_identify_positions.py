"""Identify on the real MapServer: the right facility in every CRS, scale and rotation."""

from __future__ import annotations

import threading

import pytest
from network import REFERENCE
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsDateTimeRange,
    QgsPointXY,
    QgsProject,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QDateTime, QRunnable, QSize, Qt, QThreadPool

from plugin.gis.operations.identification import Identification, click_at, find_canvas_services
from plugin.gis.runtime import tasks
from plugin.gis.services import service_cache
from tests.qgis.map_windows import PLACE, show, wms


class Held(QRunnable):
    """Keeps a thread of the pool."""

    def __init__(self, release):
        super().__init__()
        self.release = release

    def run(self):
        self.release.wait(60)


@pytest.fixture
def canvas(qgis_app, qtbot):
    window = QgsMapCanvas()
    qtbot.addWidget(window)
    window.resize(QSize(640, 480))
    window.setRenderFlag(False)
    yield window
    tasks.shutdown()


def identify(canvas, point, wait_until, info_format=""):
    cache = service_cache.ServiceCache()
    one = Identification(click_at(canvas.mapSettings(), point, QgsProject.instance()), find_canvas_services(canvas),
                         cache=cache)
    answers, failures = {}, {}
    one.answered.connect(answers.__setitem__)
    one.failed.connect(failures.__setitem__)
    for number in range(len(one.canvas_services)):
        one.request(number, info_format)
    wait_until(lambda: len(answers) + len(failures) == len(one.canvas_services), 30)
    one.stop()
    return one, answers, failures


def only(outcome):
    features = [feature for answer in outcome.answers for feature in answer.features]
    assert len(features) == 1, features
    return features[0]


@pytest.mark.parametrize("crs", ["EPSG:25830", "EPSG:3042", "EPSG:4326", "EPSG:3857"])
def test_the_facility_that_was_clicked_is_the_one_that_is_told(canvas, network, wait_until, crs):
    canvas.setLayers([wms(network.endpoints["facilities"], "miradores", crs)])
    point = show(canvas, crs)
    _, answers, _ = identify(canvas, point, wait_until)
    feature = only(answers[0])
    assert feature.value("CODIGO") == REFERENCE["code"]
    assert feature.value("ACCESIBLE") == "Sí"
    # the pixel of the window itself was asked about, and the answer's box lies under it
    assert f"WIDTH={canvas.mapSettings().outputSize().width()}&" in answers[0].requests[0]
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(feature.crs.replace("CRS:84", "EPSG:4326")),
                                       QgsCoordinateReferenceSystem("EPSG:25830"), QgsProject.instance())
    west, south, east, north = feature.zoom_bbox
    there = transform.transform(QgsPointXY((west + east) / 2, (south + north) / 2))
    assert there.distance(PLACE) < 15


def test_beside_the_facility_there_is_nothing(canvas, network, wait_until):
    canvas.setLayers([wms(network.endpoints["facilities"], "miradores", "EPSG:3042")])
    point = show(canvas, "EPSG:3042")
    # MapServer's tolerance is 12 pixels, of 6.25 m here
    _, answers, _ = identify(canvas, QgsPointXY(point.x() + 150, point.y()), wait_until)
    assert answers[0].answers[0].is_empty


@pytest.mark.parametrize(("crs", "rotation"), [("EPSG:2062", 0), ("EPSG:25830", 33)])
def test_a_window_that_cannot_be_asked_about_itself_is_asked_about_around_the_place(canvas, network, wait_until, crs,
                                                                                    rotation):
    canvas.setLayers([wms(network.endpoints["facilities"], "miradores", "EPSG:25830")])
    point = show(canvas, crs)
    canvas.setRotation(rotation)
    _, answers, _ = identify(canvas, point, wait_until)
    assert only(answers[0]).value("CODIGO") == REFERENCE["code"]
    assert "WIDTH=101&HEIGHT=101&" in answers[0].requests[0]
    # a little more than the tolerance away there is nothing: the small map has the window's own scale
    unit = canvas.mapSettings().mapUnitsPerPixel()
    _, answers, _ = identify(canvas, QgsPointXY(point.x() + 16 * unit, point.y()), wait_until)
    assert answers[0].answers[0].is_empty


def test_services_answer_side_by_side_and_a_failing_one_costs_only_itself(canvas, network, wait_until):
    guide = network.endpoints["guide"]
    canvas.setLayers([wms(network.endpoints["facilities"], "miradores"), wms(guide, "limite_parque"),
                      wms(guide, "relieve"), wms(network.endpoints["precipitation"], "precipitacion_20160601")])
    point = show(canvas, "EPSG:25830")
    network.fault({"match": {"request": "GetFeatureInfo", "endpoint": "facilities"},
                   "action": {"type": "exception", "code": "LayerNotQueryable", "text": "hoy no"}})
    one, answers, failures = identify(canvas, point, wait_until)
    assert [asked.endpoint for asked in one.canvas_services
            ] == [network.endpoints[name] for name in ("facilities", "guide", "precipitation")]
    assert "hoy no" in failures[0].user_text
    assert answers[1].notes == ("Not queryable: relieve.",)
    assert answers[1].requested
    assert not answers[2].requested and network.count("GetFeatureInfo", "precipitation") == 0


def test_every_format_on_offer_can_be_read(canvas, network, wait_until):
    canvas.setLayers([wms(network.endpoints["facilities"], "miradores")])
    point = show(canvas, "EPSG:25830")
    formats = ("text/html", "text/plain", "application/vnd.ogc.gml")
    for info_format in formats:
        _, answers, _ = identify(canvas, point, wait_until, info_format)
        answer = answers[0].answers[0]
        assert answers[0].format == info_format and set(answers[0].formats) == set(formats)
        told = answer.features[0].value("NOMBRE") if answer.features else answer.html
        assert bool(answer.features) == (info_format != "text/html")
        assert "Mirador de la Piedra de Referencia" in told


def test_layers_that_are_not_drawn_now_are_not_asked(canvas, network, wait_until):
    endpoint = network.endpoints["facilities"]
    layers = [wms(endpoint, "miradores"), wms(endpoint, "fuentes"), wms(endpoint, "kioscos")]
    canvas.setLayers(layers)
    point = show(canvas, "EPSG:25830")
    layers[1].setScaleBasedVisibility(True)
    layers[1].setMinimumScale(100)
    days = [QgsDateTimeRange(QDateTime(2016, 6, day, 0, 0), QDateTime(2016, 6, day, 23, 0)) for day in (1, 2)]
    temporal = layers[2].temporalProperties()
    temporal.setIsActive(True)
    temporal.setMode(Qgis.RasterTemporalMode.FixedTemporalRange)
    temporal.setFixedTemporalRange(days[0])
    canvas.setTemporalRange(days[1])
    _, answers, _ = identify(canvas, point, wait_until)
    assert answers[0].notes == ("Not drawn at this scale or time, so not queried: kioscos, fuentes.",)
    assert only(answers[0]).value("CODIGO") == REFERENCE["code"]
    assert "QUERY_LAYERS=miradores&" in answers[0].requests[0]


def test_a_map_that_is_still_being_drawn_holds_nobody_up(canvas, network, wait_until):
    canvas.setLayers([wms(network.endpoints["facilities"], "miradores")])
    point = show(canvas, "EPSG:25830")
    pool, release = QThreadPool.globalInstance(), threading.Event()
    for _ in range(pool.maxThreadCount()):
        # drawing takes its threads from the same pool
        pool.start(Held(release))
    try:
        _, answers, _ = identify(canvas, point, wait_until)
    finally:
        release.set()
        pool.waitForDone(5000)
    assert only(answers[0]).value("CODIGO") == REFERENCE["code"]


@pytest.mark.slow
def test_the_day_that_the_window_shows_is_asked_about(canvas, network, wait_until):
    """MapServer filters its features by TIME only where it is told how; here it checks the value, and notes it."""
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")
    extra = '"wms_timeextent" "2016-06-01/2016-06-30/P1D" "wms_timedefault" "2016-06-01" "ows_title" "Estaciones met'
    try:
        mapfile.write_text(before.replace('"ows_title" "Estaciones met', extra), "utf-8")
        layer = wms(network.endpoints["precipitation"], "estaciones", type="wmst", allowTemporalUpdates="true",
                    timeDimensionExtent="2016-06-01/2016-06-30/P1D", temporalSource="provider")
        canvas.setLayers([layer])
        point = show(canvas, "EPSG:25830")
        begin = QDateTime.fromString("2016-06-12T00:00:00Z", Qt.DateFormat.ISODate)
        canvas.setTemporalRange(QgsDateTimeRange(begin, begin.addDays(1), True, False))
        _, answers, failures = identify(canvas, point, wait_until)
        assert not failures, failures[0].detail
        assert "&TIME=2016-06-12&" in answers[0].requests[0]
        assert answers[0].notes == ("Requested: TIME 2016-06-12.",)
        canvas.setTemporalRange(QgsDateTimeRange(begin.addYears(1), begin.addYears(1).addDays(1), True, False))
        _, answers, _ = identify(canvas, point, wait_until)
        assert not answers[0].requested
        assert answers[0].notes == ("Not drawn at this scale or time, so not queried: estaciones.",)
    finally:
        mapfile.write_text(before, "utf-8")
