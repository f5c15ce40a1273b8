"""Terms that forbid a copy are found in several languages, and none is made up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.custommap.model import CustomMap, LayerPlan, MapEntry, Plan
from plugin.core.records.model.record import Record
from plugin.core.snapshot.findings import (
    FORBIDDEN,
    SnapshotContext,
    SnapshotEstimate,
    copy_prohibition,
    copy_reservation,
    snapshot_findings,
)
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms.model import Terms, TrailStep


@pytest.mark.parametrize("text", [
    "Se prohíbe la descarga masiva de las imágenes.",
    "Uso libre. No está permitido almacenar las teselas en caché.",
    "Queda prohibida su reproducción total o parcial",
    "You may not cache or store the map images.",
    "Tiles must be viewed online; bulk downloading is strictly prohibited.",
    "Das Speichern der Karten ist nicht gestattet.",
    "Le stockage des images est interdit."])
def test_a_ban_is_found_and_told_as_written(text):
    found = copy_prohibition(Terms(chain=(TrailStep("other_constraints", f"Primero esto.\n{text}"),)))
    assert found and found in text


@pytest.mark.parametrize("text", [
    "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios",
    "Se permite la copia y la descarga.", "Commercial use is forbidden.", "CC BY 4.0", "",
    "Prohibida su copia sin citar la fuente.", "No conditions apply to access and use"])
def test_other_words_forbid_no_copy(text):
    assert copy_prohibition(Terms(texts=(text,))) == ""


def test_limits_are_doubtful():
    assert copy_reservation(Terms(leftovers=("Sólo uso interno",))) == "Sólo uso interno"
    assert copy_reservation(Terms()) == "" == copy_reservation(None)


def case(text, terms=None, **changes):
    entry = MapEntry("http://h/wms?", "Ortofoto")
    plan = Plan("m", "EPSG:25830", (LayerPlan(WmsSource("http://h/wms?", "a", "", "image/png", "EPSG:25830"), "a",
                                              service_title="Ortofoto"),), terms=(terms or Terms(texts=(text,)),))
    values = {
        "records": {"http://h/wms?": Record(source_format="iso19139")}, "services": {},
        "scales": (10000, ), "nominal_scales": (10000, ), "estimate": SnapshotEstimate(10, 1, 5, 1),
        "max_requests": 100, "max_megabytes": 100
    }
    return SnapshotContext(CustomMap(base=entry), plan, **{**values, **changes})


def test_a_forbidden_copy_blocks_until_its_publisher_allows_it():
    ban = "Prohibida la descarga"
    found, = snapshot_findings(case(ban))
    assert (found.rule, found.severity.name, found.service_title) == (FORBIDDEN, "ERROR",
                                                                      "Ortofoto") and ban in found.message
    allowed, = snapshot_findings(case(ban, permitted_endpoints=("http://h/wms",)))
    assert allowed.severity.name == "NOTE" and ban in allowed.message


def test_limits_of_requests_and_size_block():
    assert not snapshot_findings(case("CC BY 4.0"))
    many, = snapshot_findings(case("CC BY 4.0", max_requests=9))
    large, = snapshot_findings(case("CC BY 4.0", max_megabytes=4))
    assert many.severity.name == large.severity.name == "ERROR" and "9" in many.message and "4 MB" in large.message


def test_layers_drawn_at_none_of_the_scales_are_told_of_once():
    whole = case("CC BY 4.0", nominal_scales=(200_000,))
    layer = replace(whole.plan.layers[0], scale_range=(None, 50_000.0))
    alone, = snapshot_findings(replace(whole, plan=replace(whole.plan, layers=(layer,))))
    layers = (layer, replace(layer, title="Caminos"))
    both, = snapshot_findings(replace(whole, plan=replace(whole.plan, layers=layers)))
    assert alone.advice == "Add a scale at which it is drawn." and both.advice == "Add a scale at which they are drawn."
    assert "“a”" in both.message and "“Caminos”" in both.message and both.service_title == "Ortofoto"
