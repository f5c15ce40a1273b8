"""Small multiples: one small map for each moment, the other layers on all of them, one legend."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from plugin.core.custommap.model import LayerPlan, MapRole, PageSetup, Plan
from plugin.core.custommap.moments import (
    MAX_FRAMES,
    bounded_seconds,
    frame_plans,
    has_series,
    legend_layer_plans,
    plan_multiples,
    unchanging_layers,
)
from plugin.core.errors import CartoguideError
from plugin.core.pages.small_multiples import grid_columns
from plugin.core.sources.layer_source import WmsSource


def rain(day, visible=True):
    return LayerPlan(WmsSource("http://a.invalid/wms?", f"lluvia_201606{day:02d}", "", "image/png", "EPSG:25830"),
                     f"Lluvia, {day} de junio de 2016", service_title="Lluvia, junio de 2016", visible=visible,
                     entry_index=1)


def other(name, role=MapRole.OVERLAY, entry=0):
    return LayerPlan(WmsSource("http://b.invalid/wms?", name, "", "image/png", "EPSG:25830"),
                     name, role=role, entry_index=entry)


def test_days_are_shared_out_in_time_whatever_their_order_and_the_rest_is_on_every_map():
    plan = Plan("", "EPSG:25830", (other("relieve", MapRole.BASE), rain(3), rain(1), rain(2), rain(4, False),
                                  other("red")))
    found = plan_multiples(plan)
    assert [panel.day for panel in found.panels] == [date(2016, 6, day) for day in (1, 2, 3)]
    assert [panel.layer_indexes for panel in found.panels] == [(0, 2, 5), (0, 3, 5),
                                                               (0, 1, 5)], "bottom first, as in the plan"
    legends = legend_layer_plans(plan)
    assert [layer.title for layer in legends] == ["relieve", "Lluvia", "red"]


def test_without_a_series_each_overlay_has_a_map_on_the_base():
    plan = Plan("", "EPSG:25830", (other("relieve", MapRole.BASE), other("pinos", entry=1), other("encinas", entry=1)))
    found = plan_multiples(plan)
    assert [(panel.title, panel.day, panel.layer_indexes) for panel in found.panels] == [("pinos", None, (0, 1)),
                                                                                         ("encinas", None, (0, 2))]
    assert legend_layer_plans(plan) == plan.layers
    assert plan_multiples(Plan("", "EPSG:25830", ())).panels == ()


def timed_layer(name, extent, **changes):
    plan = other(name, **changes)
    return replace(plan, source=replace(plan.source, time_extent=extent))


def test_the_moments_of_a_time_dimension_have_a_map_each_and_all_layers_are_on_every_one():
    timed = timed_layer("estaciones", "2016-06-01/2016-06-30/P1D", entry=1)
    found = plan_multiples(Plan("", "EPSG:25830", (other("relieve", MapRole.BASE), timed)))
    assert [panel.day for panel in found.panels] == [date(2016, 6, day) for day in range(1, 31)]
    assert {panel.layer_indexes for panel in found.panels} == {(0, 1)}
    assert [span.isoformat()
            for span in found.panels[11].time_span] == ["2016-06-12T00:00:00+00:00", "2016-06-13T00:00:00+00:00"]
    plan = Plan("", "EPSG:25830", (timed,))
    assert [layer.title for layer in legend_layer_plans(plan)] == ["estaciones"]
    hours = replace(timed, source=replace(timed.source, time_extent="2016-06-01T06:00:00Z,2016-06-01T12:00:00Z"))
    assert [(panel.title, panel.day)
            for panel in plan_multiples(Plan("", "EPSG:25830", (hours, ))).panels] == [("2016-06-01 06:00:00", None),
                                                                                       ("2016-06-01 12:00:00", None)]
    assert plan_multiples(Plan("", "EPSG:25830", (timed, rain(1), rain(2)))).panels[0].time_span, "the longer series"


def test_what_a_service_offers_beside_its_series_is_on_no_map_and_other_services_are_on_all():
    points = other("estaciones", entry=1)
    plan = Plan("", "EPSG:25830", (other("relieve", MapRole.BASE), rain(1), rain(2), points, other("red", entry=2)))
    assert [panel.layer_indexes for panel in plan_multiples(plan).panels] == [(0, 1, 4), (0, 2, 4)]
    assert unchanging_layers(plan) == (3,)
    assert [layer.title for layer in legend_layer_plans(plan)] == ["relieve", "Lluvia", "red"]
    timed = timed_layer("campo", "2016-06-01/2016-06-03/P1D", entry=1)
    plan = Plan("", "EPSG:25830", (timed, points))
    assert {panel.layer_indexes for panel in plan_multiples(plan).panels} == {(0,)} and unchanging_layers(plan) == (1,)
    assert unchanging_layers(Plan("", "EPSG:25830", (points, other("red", entry=2)))) == ()


def test_the_columns_are_those_with_the_largest_maps():
    assert grid_columns(30, 224, 150, 1.66, 3.4, 1.8) == (6, (224 - 1.8 * 5) / 6)
    assert grid_columns(30, 224, 150, 0.7, 3.4, 1.8)[0] > 6, "upright areas stand in more columns"
    assert grid_columns(1, 100, 100, 2.0, 0, 2) == (1, 100)


def test_each_moment_is_a_frame_with_its_layers_and_one_legend():
    plan = Plan("", "EPSG:25830", (other("relieve", MapRole.BASE), rain(3), rain(1), other("red", entry=2)),
                page=PageSetup("A3", template="guide", rotation=30.0))
    frames = frame_plans(plan)
    assert [(panel.day, panel.layer_indexes) for panel, _ in frames] == [(date(2016, 6, 1), (0, 2, 3)),
                                                                         (date(2016, 6, 3), (0, 1, 3))]
    first = frames[0][1]
    assert [layer.title for layer in first.layers] == ["relieve", "Lluvia, 1 de junio de 2016", "red"]
    assert (first.page.template, first.page.paper, first.page.rotation) == ("animation", "screen", 30.0)
    assert [layer.title for layer in legend_layer_plans(first)] == ["relieve", "Lluvia", "red"]
    timed = timed_layer("estaciones", "2016-06-01/2016-06-02/P1D", entry=1)
    spans = [frame.layers[0].time_span for _, frame in frame_plans(Plan("", "EPSG:25830", (timed,)))]
    assert [begin.day for begin, _end in spans] == [1, 2]


def test_without_a_series_or_with_a_very_long_one_there_is_no_animation():
    overlays = Plan("", "EPSG:25830", (other("pinos", entry=1), other("encinas", entry=2)))
    assert len(plan_multiples(overlays).panels) == 2 and not has_series(overlays)
    with pytest.raises(CartoguideError, match="no time series"):
        frame_plans(overlays)
    assert not has_series(Plan("", "EPSG:25830", (rain(1),))), "one day is no series"
    assert has_series(Plan("", "EPSG:25830", (rain(1), rain(2))))
    hours = timed_layer("estaciones", "2016-06-01/2017-06-30/P1D", entry=1)
    assert has_series(Plan("", "EPSG:25830", (hours,)))
    with pytest.raises(CartoguideError, match=f"at most {MAX_FRAMES}"):
        frame_plans(Plan("", "EPSG:25830", (hours,)))


def test_no_frame_is_shown_so_shortly_that_it_flashes():
    assert bounded_seconds(0) > 1 / 3 and bounded_seconds(2.5) == 2.5 and bounded_seconds(1e9) == 10
