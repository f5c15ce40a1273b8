"""Values of service health: verdicts, probes, the saved document, the report page and the table."""

from __future__ import annotations

import csv
import io
import time

import pytest

from plugin.core import i18n
from plugin.core.box import Box
from plugin.core.errors import InvalidDocument
from plugin.core.health import (
    MAX_CHECKS_PER_SERVICE,
    HealthCheck,
    Probe,
    Verdict,
    capabilities_faults,
    evaluate_response,
    health_csv,
    health_html,
    latest_checks,
    merge_checks,
    plan_probes,
    read_history,
    terms_probe,
    write_history,
)
from plugin.core.records.model.record import Record, ResourceKind
from plugin.core.request import Response
from plugin.core.translation_catalogue import load_translator
from plugin.core.wms.model.service import BoundingBox, Dimension, Layer, OperationInfo, Service

MAP = OperationInfo("GetMap", get="http://a.invalid/w?", formats=("image/png",))
INFO = OperationInfo("GetFeatureInfo", get="http://a.invalid/w?", formats=("text/html", "text/plain"))


def layer(name, **more):
    values = {
        "crs": ("EPSG:3042", ), "geographic_bbox": Box(-4, 38, -3, 39),
        "bboxes": (BoundingBox("EPSG:3042", 4_000_000, 400_000, 4_200_000, 500_000), ), **more
    }
    return Layer(name=name, **values)


def service(*layers, operations=(MAP, INFO), **more):
    return Service("1.3.0", root=Layer(title="r", layers=layers), operations={one.name: one for one in operations},
                   **more)


def health(endpoint="http://a.invalid/w?", when="2026-01-01 10:00:00", verdict=Verdict.GOOD, words="w"):
    return HealthCheck(endpoint, "Título <b>", when, "1.3.0", "id",
                       (Probe("map", verdict, words, 0.25, endpoint, "d"), ))


def test_the_worst_that_was_tried_is_the_verdict():
    def of(*verdicts):
        return HealthCheck("e", "t", "w", probes=tuple(Probe("map", verdict) for verdict in verdicts)).verdict

    assert of(Verdict.GOOD, Verdict.SKIPPED) is Verdict.GOOD
    assert of(Verdict.GOOD, Verdict.FAILED, Verdict.DOUBTFUL) is Verdict.FAILED
    assert of(Verdict.SKIPPED) is of() is Verdict.SKIPPED


def test_one_small_map_of_a_layer_that_is_drawn_everywhere_is_asked_for():
    tried = {one.kind: one for one in plan_probes(service(layer("near", scale_range=(None, 5000.0)), layer("all")))}
    url = tried["map"].request.url
    # north first in EPSG:3042, pixels square: 200 km to the north are 128 pixels
    assert "LAYERS=all&" in url and "BBOX=4000000,400000,4200000,500000&WIDTH=64&HEIGHT=128&" in url
    assert tried["map"].size == (64, 128)
    # what the service does not have, and what none of its layers allows, is said and not asked
    assert tried["describe"].request is None and "Not offered" in tried["describe"].skip_reason
    assert tried["info"].request is None and tried["info"].verdict is Verdict.SKIPPED


def test_the_layer_that_can_be_asked_is_asked_in_the_middle():
    tried = {one.kind: one for one in plan_probes(service(layer("a"), layer("b", queryable=True)))}
    assert "QUERY_LAYERS=b&INFO_FORMAT=text/plain&I=32&J=64" in tried["info"].request.url


def test_a_layer_that_needs_a_value_of_a_dimension_is_asked_for_one_of_them():
    deep = layer("sea", queryable=True, dimensions=(Dimension("elevation", extent="0,-10"),
                                                    Dimension("time", extent="2016-06-01/2016-06-30/P1D")))
    tried = {one.kind: one for one in plan_probes(service(deep))}
    for part in ("map", "info"):
        assert "TIME=2016-06-30" in tried[part].request.url and "ELEVATION=0" in tried[part].request.url


def test_a_service_without_layers_fails():
    tried = plan_probes(service())
    assert [one.request for one in tried] == [None] * 5
    assert tried[0].verdict is Verdict.FAILED


def test_answers_are_judged_by_what_they_are():
    attempt = plan_probes(service(layer("a")))[0]
    answer = Response(200, {"content-type": "text/html"}, b"<html><title>No</title></html>", "http://a.invalid", 0.1)
    assert evaluate_response(attempt, answer, service(layer("a"))).verdict is Verdict.FAILED


@pytest.mark.parametrize(("made", "words"), [
    (service(layer("a"), operations=()), "no address"),
    (service(layer("a"), operations=(OperationInfo("GetMap", get="http://a.invalid/"),)), "no image format"),
    (service(layer("a", crs=())), "coordinate reference system: a"),
    (service(layer("a", geographic_bbox=None), layer("b")), "bounding box: a"),
    (service(layer("a"), layer("a")), "several layers: a"),
    (service(), "none can be requested"),
])
def test_what_capabilities_lack_is_told(made, words):
    assert any(words in fault for fault in capabilities_faults(made))
    assert capabilities_faults(service(layer("a"), layer("b"))) == []


def test_the_record_is_held_against_the_service():
    paid = service(layer("a"), fees="100 euros")
    free = Record("iso19139", title="x", fees="Gratuito", kind=ResourceKind.SERVICE)
    assert terms_probe(free, paid).verdict is Verdict.DOUBTFUL
    assert terms_probe(None, paid).verdict is Verdict.SKIPPED


@pytest.mark.parametrize("when", ["2026-07-05 10:00:40", "2026-07-05T10:00:40+00:00"])
def test_the_time_of_a_check_is_that_of_this_computer(monkeypatch, when):
    monkeypatch.setenv("TZ", "Europe/Madrid")
    time.tzset()
    try:
        assert health(when=when).local_time == "2026-07-05 12:00"
    finally:
        monkeypatch.undo()
        time.tzset()
    assert health(when="some day").local_time == "some day"


def test_a_document_keeps_the_newest_checks_of_each_service():
    old = [health(when=f"2026-01-0{day} 10:00:00") for day in range(1, 8)]
    other = health("http://b.invalid/w?", verdict=Verdict.FAILED)
    kept = merge_checks(old, [other])
    assert len(kept) == MAX_CHECKS_PER_SERVICE + 1 and kept[0].checked_at == "2026-01-07 10:00:00"
    assert read_history(write_history(kept), "x") == kept
    assert {one.endpoint for one in latest_checks(kept)} == {"http://a.invalid/w?", "http://b.invalid/w?"}
    with pytest.raises(InvalidDocument):
        read_history(b'{"format": "something-else/1"}', "x")


def test_page_and_table_say_the_same_and_nothing_in_them_runs():
    checks = [health(words="=HYPERLINK()<script>"), health("javascript:alert(1)", verdict=Verdict.FAILED)]
    page = health_html(checks)
    assert "<script>" not in page and "Título &lt;b&gt;" in page and 'href="javascript' not in page
    assert "1 working, 1 not working" in page and "✗ failed" in page and "0.25 s" in page
    rows = list(csv.reader(io.StringIO(health_csv(checks))))
    assert len(rows) == 3 and rows[1][8].startswith("'=HYPERLINK")
    assert [row[6] for row in rows[1:]] == ["works", "failed"]


def test_numbers_of_services_agree_with_their_words():
    assert [verdict.count_label(3) for verdict in Verdict] == ["3 working", "3 not checked", "3 questionable",
                                                               "3 not working"]
    i18n.set_translator(load_translator("es"), "es")
    try:
        assert Verdict.GOOD.count_label(1) == "1 funciona" and Verdict.GOOD.count_label(3) == "3 funcionan"
        assert Verdict.FAILED.count_label(1) == "1 no funciona" and Verdict.FAILED.count_label(2) == "2 no funcionan"
        assert Verdict.DOUBTFUL.count_label(1) == "1 dudoso" and Verdict.DOUBTFUL.count_label(2) == "2 dudosos"
    finally:
        i18n.set_translator(None)
