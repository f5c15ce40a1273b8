"""Time series as overlays: one moment is planned, all of them for small multiples, each labelled with its time."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from plugin.core.box import Box
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, MapEntry, OwnLayer, PageSetup
from plugin.core.custommap.moments import plan_multiples
from plugin.core.custommap.planner import make_plan
from plugin.core.errors import InvalidDocument
from plugin.core.wms.model.service import Dimension, Layer, OperationInfo, Service

URL, OTHER = "https://x.org/lluvia?", "https://x.org/caminos?"
DAYS = tuple(
    Layer(f"dia_{number}", f"Día {number}", crs=("EPSG:25830", ), geographic_bbox=Box(-4, 38, -3, 39))
    for number in (1, 2, 3, 5))
STATIONS = Layer("estaciones", "Estaciones", crs=("EPSG:25830",), geographic_bbox=Box(-4, 38, -3, 39))
HOURS = Layer(
    "radar", "Radar", crs=("EPSG:25830", ), geographic_bbox=Box(-4, 38, -3, 39),
    dimensions=(Dimension("time", default="2016-06-01T00:00:00Z",
                          extent="2016-06-01T00:00:00Z/2016-06-02T00:00:00Z/PT6H"), ))
GROUP = Layer(title="Junio de 2016", layers=DAYS)
SERVICE = Service("1.3.0", "Lluvia", root=Layer("R", "Lluvia", layers=(GROUP, STATIONS, HOURS)), operations={
    "GetMap": OperationInfo("GetMap", URL, None, ("image/png",))})


def planned(moment, *names, template="guide"):
    entry = MapEntry(URL, "Lluvia", layers=names, moment=moment)
    return make_plan(CustomMap(overlays=(entry,), page=PageSetup(template=template)), {URL: SERVICE}, {})


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


NAMES = (*(layer.name for layer in DAYS), "estaciones")


def test_the_layer_of_the_moment_is_planned_and_what_is_no_part_of_the_series():
    plan = planned("2016-06-02", *NAMES)
    assert [layer.name for layer in plan.layers] == ["dia_2", "estaciones"]
    assert [layer.time_span for layer in plan.layers] == [(utc(2016, 6, 2), utc(2016, 6, 3)), None]
    assert not any("shown" in note.text for note in plan.notes)


@pytest.mark.parametrize(("others", "own", "shows"), [
    ((), (), True), ((), (OwnLayer("a", "Mi ruta", "vector", "ogr", "a.gpkg"),), True), ((OTHER,), (), False)])
def test_small_multiples_of_a_series_and_another_service_are_a_guide_map_of_one_moment(others, own, shows):
    """Services that do not change hide the panels, and their legend does not fit."""
    days = MapEntry(URL, "Lluvia", layers=tuple(layer.name for layer in DAYS), moment="2016-06-02")
    document = CustomMap(overlays=(days, *(MapEntry(one, "Caminos", layers=("dia_1",)) for one in others)),
                         own_layers=own, page=PageSetup(template="multiples"))
    services = {URL: SERVICE, OTHER: SERVICE}
    plan = make_plan(document, services, {})
    assert plan.page.template == ("multiples" if shows else "guide")
    assert [layer.name for layer in plan.layers] == (
        [layer.name for layer in DAYS] if shows else ["dia_2", "dia_1"]), "one day, and the other service"
    assert any("guide map" in note.text and "“Lluvia”, “Caminos”" in note.text for note in plan.notes) is not shows
    hidden = replace(document, overlays=(days, *(replace(one, visible=False) for one in document.overlays[1:])))
    assert make_plan(hidden, services, {}).page.template == "multiples", "what is hidden is not on the page"
    every = make_plan(document, services, {}, all_moments=True)
    assert len(every.layers) == len(DAYS) + len(others), "an animation has all of them"


@pytest.mark.parametrize("names", [("estaciones",), ("dia_1",)])
def test_small_multiples_without_a_series_are_a_guide_map(names):
    plan = planned("", *names, template="multiples")
    assert plan.page.template == "guide" and [layer.name for layer in plan.layers] == list(names)
    note, = (note for note in plan.notes if "guide map" in note.text)
    assert "“Lluvia”" in note.text and not note.is_missing
    loading = make_plan(CustomMap(overlays=(MapEntry(URL, "Lluvia", layers=names),),
                                  page=PageSetup(template="multiples")), {}, {})
    assert loading.page.template == "multiples", "a service that is not loaded yet may have a series"


def test_small_multiples_show_them_all_in_time_s_order():
    plan = planned("2016-06-02", *reversed(NAMES), template="multiples")
    assert len(plan.layers) == 5
    panels = plan_multiples(plan).panels
    assert [panel.day.day for panel in panels] == [1, 2, 3, 5]
    assert all(plan.layers[place].name in ("estaciones", f"dia_{panel.day.day}") for panel in panels
               for place in panel.layer_indexes)


@pytest.mark.parametrize(("moment", "shown"), [("2016-06-04", "dia_3"), ("2016-05-01", "dia_1"), ("2020", "dia_5")])
def test_a_moment_that_is_gone_is_told_and_the_one_before_it_is_shown(moment, shown):
    plan = planned(moment, *NAMES)
    assert plan.layers[0].name == shown
    assert any(moment in note.text and f"2016-06-0{shown[-1]} is shown" in note.text for note in plan.notes)


def test_of_a_time_dimension_the_time_is_told():
    (layer,) = planned("2016-06-01T07:30:00Z", "radar").layers
    assert layer.wms.time_extent and layer.time_span == (utc(2016, 6, 1, 6), utc(2016, 6, 1, 12))


def test_layers_that_are_no_series_any_more_are_all_drawn_and_it_is_told():
    plan = planned("2016-06-02", "estaciones")
    assert [layer.name for layer in plan.layers] == ["estaciones"]
    assert any("no longer a time series" in note.text for note in plan.notes)


def test_the_document_keeps_the_moment_and_refuses_what_is_none():
    document = CustomMap(overlays=(MapEntry(URL, layers=("dia_1",), styles=("",), moment="2016-06-02"),))
    data = write_document(document)
    assert read_document(data) == document
    assert b"moment" not in write_document(CustomMap(overlays=(MapEntry(URL),)))
    with pytest.raises(InvalidDocument, match="moment"):
        read_document(data.replace(b"2016-06-02", b"yesterday"))


def test_a_value_that_the_service_does_not_choose_goes_along_in_the_address():
    """06-042 C.4.2: without a default and a value the service answers with an exception."""
    where = {"GetMap": OperationInfo("GetMap", URL, formats=("image/png",))}
    depth = Layer("mar", "Mar", crs=("EPSG:25830",), dimensions=(
        Dimension("elevation", extent="0,-10"), Dimension("time", extent="2016-06-01/2016-06-03/P1D"),
        Dimension("banda", extent="b1,b2", default="b2")))
    service = Service("1.3.0", "Mar", root=Layer(layers=(depth,)), operations=where)
    plan = make_plan(CustomMap(overlays=(MapEntry(URL, "Mar", layers=("mar",)),)), {URL: service}, {})
    (layer,) = plan.layers
    assert layer.wms.dimension_values == (("ELEVATION", "0"), ("TIME", "2016-06-03"))
    assert layer.wms.ignore_operation_addresses
    assert [note.text for note in plan.notes if "elevation 0" in note.text] and not any(
        "TIME" in note.text or "needs a value" in note.text for note in plan.notes)


def test_a_value_that_qgis_cannot_send_is_told():
    """The maps come from another address than the capabilities: what stands in the layer's own address is not sent."""
    depth = Layer("mar", "Mar", crs=("EPSG:25830",), dimensions=(Dimension("elevation", extent="0,-10"),))
    elsewhere = {"GetMap": OperationInfo("GetMap", "https://maps.other.org/wms?", formats=("image/png",))}
    service = Service("1.3.0", "Mar", root=Layer(layers=(depth,)), operations=elsewhere)
    plan = make_plan(CustomMap(overlays=(MapEntry(URL, "Mar", layers=("mar",)),)), {URL: service}, {})
    assert plan.layers[0].wms.dimension_values == ()
    assert any("needs a value for “elevation”" in note.text and not note.is_missing for note in plan.notes)
    assert not any("needs a value" in note.text for note in planned("2016-06-01T07:30:00Z", "radar").notes)
