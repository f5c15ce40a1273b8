"""Operations sent to the real MapServer by GET and POST, and the data sources of its layers, without widgets."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer

from plugin.core.custommap.model import LayerPlan
from plugin.core.request import HttpMethod
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms.model import Decision
from plugin.core.wms.requests.get_capabilities import advertised_capabilities_request
from plugin.core.wms.requests.get_feature_info import feature_info_request
from plugin.core.wms.requests.get_map import MapOptions, map_request
from plugin.core.wms.requests.sld_profile import describe_layer_request, legend_request, styles_request
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.operations.operation_client import ResponseKind, detect_kind, start_request
from plugin.gis.operations.response_layers import can_be_added, start_making_data_layer
from plugin.gis.runtime import tasks
from plugin.gis.services import service_cache

VIEW = (-3.60, 38.33, -3.42, 38.43)


@pytest.fixture(scope="module")
def known():
    """The services of the network, each asked once."""
    return service_cache.ServiceCache()


@pytest.fixture
def ask(network, known, wait_until):
    """``ask(endpoint, build, expected)``: the answer to the request that ``build(service)`` makes."""

    def send_it(endpoint, build, expected, size=None):
        service = tasks.run_and_wait(lambda feedback: known.get_or_fetch(network.endpoints[endpoint], feedback))
        answers, failures = [], []
        start_request(build(service), expected, size, answers.append, failures.append)
        wait_until(lambda: answers or failures, 30)
        assert failures == []
        return answers[0]

    return send_it


def a_map(layers, **more):
    return MapOptions(layers=layers, crs="EPSG:25830", width=320, height=240, bbox=VIEW, **more)


@pytest.mark.parametrize("method", list(HttpMethod))
def test_every_operation_is_answered_by_get_and_by_post(ask, network, method):
    capabilities = ask("facilities", lambda service: advertised_capabilities_request(service, method), "xml")
    assert (capabilities.kind, capabilities.problem) == (ResponseKind.XML, None)
    drawn = ask("facilities", lambda service: map_request(service, a_map(["Áreas_recreativas"]), method), "image",
                (320, 240))
    assert (drawn.kind, drawn.size, drawn.problem, drawn.image.width()) == (ResponseKind.IMAGE, (320, 240), None, 320)
    found = ask(
        "facilities", lambda service: feature_info_request(service, a_map(["miradores"]), 5, 5, info_format=
                                                           "text/plain", method=method), "text/plain")
    assert (found.kind, found.problem) == (ResponseKind.TEXT, None)
    legend = ask("facilities", lambda service: legend_request(service, "miradores", method=method), "image")
    assert (legend.kind, legend.problem) == (ResponseKind.IMAGE, None)
    behind = ask("guide", lambda service: describe_layer_request(service, ["relieve", "carreteras"], method=method),
                 "xml")
    assert [(one.service_type, one.type_names) for one in behind.descriptions] == [("WCS", ("relieve", )),
                                                                                   ("WFS", ("carreteras", ))]
    styles = ask("guide", lambda service: styles_request(service, ["curvas_nivel"], method=method), "xml")
    assert [rule.name for rule in styles.styles[0].rules] == ["Curva maestra (100 m)", "Curva intermedia (20 m)"]
    sent = [request for request in network.requests if request["request"] != "GetCapabilities" or method == "POST"]
    assert {request["method"] for request in sent[-5:]} == {method}


def test_a_refusal_is_an_answer_told_in_words_with_its_code(ask, network):
    network.fault({"match": {"request": "GetMap"},
                   "action": {"type": "exception", "code": "LayerNotDefined", "text": "No existe la capa"}})
    answer = ask("facilities", lambda service: map_request(service, a_map(["miradores"])), "image")
    assert answer.kind == ResponseKind.XML
    assert "does not know this layer" in answer.problem.user_text
    assert "No existe la capa" in answer.problem.user_text
    assert answer.problem.code == "LayerNotDefined"


def test_a_page_is_shown_without_what_could_harm(ask, network):
    network.fault({"match": {"request": "GetFeatureInfo"}, "action": {
        "type": "body", "content_type": "text/html",
        "text": "<html><script>alert(1)</script><body><b>Mirador</b><img src='http://x.invalid/a.png'></body></html>"}})
    answer = ask("facilities",
                 lambda service: feature_info_request(service, a_map(["miradores"]), 5, 5, info_format="text/html"),
                 "text/html")
    assert answer.kind == ResponseKind.HTML
    assert "<b>Mirador</b>" in answer.html
    assert "script" not in answer.html
    assert "<img" not in answer.html


def test_an_answer_is_known_by_its_bytes():
    assert detect_kind(b"\x89PNG\r\n\x1a\n") == ResponseKind.IMAGE
    assert detect_kind(b"<?xml version='1.0'?><a/>") == ResponseKind.XML
    assert detect_kind("CÓDIGO = 'Á'".encode()) == ResponseKind.TEXT
    assert detect_kind(b"") == ResponseKind.TEXT
    assert detect_kind(bytes(range(256)) * 8) == ResponseKind.BINARY


@pytest.mark.parametrize(("layer", "kind"), [("carreteras", QgsVectorLayer), ("relieve", QgsRasterLayer)])
def test_the_data_behind_a_layer_become_a_credited_layer(ask, wait_until, layer, kind):
    behind = ask("guide", lambda service: describe_layer_request(service, [layer]), "xml").descriptions[0]
    assert can_be_added(behind)
    plan = LayerPlan(WmsSource("http://127.0.0.1:9/", layer, "", "image/png", "EPSG:25830"), "Capa", record_id="a" * 40,
                     rights=("Consejería de Ejemplo",), credit_required=Decision.YES, service_title="Mapa guía")
    made, failures = [], []
    start_making_data_layer(behind, behind.type_names[0], plan, made.append, failures.append)
    wait_until(lambda: made or failures, 60)
    assert failures == []
    assert made[0].isValid()
    assert isinstance(made[0], kind)
    assert layer_credit(made[0]) == "Consejería de Ejemplo"
    assert made[0].metadata().rights() == ["Consejería de Ejemplo"]
    QgsProject.instance().addMapLayer(made[0])
    if kind is QgsVectorLayer:
        assert next(made[0].getFeatures(), None) is not None
    else:
        assert made[0].dataProvider().bandCount() >= 1


def test_a_dead_service_behind_a_layer_is_told_of_at_once(ask, wait_until):
    behind = ask("guide", lambda service: describe_layer_request(service, ["relieve"]), "xml").descriptions[0]
    dead = type(behind)(behind.service_type, "http://127.0.0.1:9/wcs?", behind.type_names)
    plan = LayerPlan(WmsSource("http://127.0.0.1:9/", "relieve", "", "image/png", "EPSG:25830"), "Capa")
    made, failures = [], []
    start_making_data_layer(dead, "relieve", plan, made.append, failures.append)
    wait_until(lambda: made or failures, 30)
    assert "refuses connections" in failures[0].user_text
