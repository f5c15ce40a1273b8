"""One time on a page: what layers with a TIME dimension show, as QGIS requests it, and in which words."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from plugin.core.custommap.model import CustomMap, LayerPlan, MapEntry
from plugin.core.custommap.planner import make_plan
from plugin.core.custommap.time_selection import layers_at_one_time, page_time, select_moment
from plugin.core.sources.layer_source import WmsSource
from plugin.core.wms.dimensions.declared_dimensions import shown_time
from plugin.core.wms.dimensions.time_series import dimension_time_series, provider_extent
from plugin.core.wms.model.service import Dimension, Layer, OperationInfo, Service

URL = "https://x.org/wms?"
RAIN, COVER = "2016-06-01/2016-06-30/P1D", "1990,2000,2006,2012,2018"


def timed(name, extent, **fields):
    return Layer(name, name, crs=("EPSG:25830",), dimensions=(Dimension("time", extent=extent, **fields),))


def planned(*entries, layers):
    service = Service("1.3.0", "Series", root=Layer(layers=layers),
                      operations={"GetMap": OperationInfo("GetMap", URL, None, ("image/png",))})
    return make_plan(CustomMap(overlays=tuple(MapEntry(URL, name, layers=(name,), moment=moment)
                                              for name, moment in entries)), {URL: service}, {})


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


@pytest.mark.parametrize(("extent", "listed", "has_clock"), [
    ("2016-01-01,2016-01-11,2016-01-21", "2016-01-01,2016-01-11,2016-01-21", False),
    ("2018,1990", "1990-01-01,2018-01-01", False),
    ("2016-01/2016-03/P1M", "2016-01-01,2016-02-01,2016-03-01", False),
    ("2012,2014-06,2016-06-12T06Z", "2012-01-01T00:00:00Z,2014-06-01T00:00:00Z,2016-06-12T06:00:00Z", True),
    ("2016-06-12T00:00:00+02:00,2016-06-13", "2016-06-11T22:00:00Z,2016-06-13T00:00:00Z", True),
    ("2016-01-01/2016-01-03/P1D,2016-01-03/2016-01-05/P2D", "2016-01-01,2016-01-02,2016-01-03,2016-01-05", False),
    ("1900-01-01/2016-01-01/P1D", "", False)])
def test_qgis_gets_the_values_one_by_one(extent, listed, has_clock):
    assert provider_extent(extent) == (listed, has_clock)


@pytest.mark.parametrize(("default", "shown"), [
    ("2016-06-12", "2016-06-12"), ("2016-06-12T00:00:00Z", "2016-06-12"), ("2016-06-12T10:00:00Z", "2016-06-12"),
    ("current", "2016-06-30"), ("2016-06-05/2016-06-12", "2016-06-05"), ("2016-06-05,2016-06-12", "2016-06-05"),
    ("", "2016-06-01"), ("2017-01-01", "2016-06-01")])
def test_what_a_service_shows_by_itself_is_shown_first(default, shown):
    series = dimension_time_series(timed("rain", RAIN, default=default or None))
    assert series.first_shown.time == shown
    service = Service("1.3.0", "Series", root=Layer(layers=(timed("rain", RAIN, default=default or None),)))
    assert select_moment(service, ["rain"], "").entry.time == shown


def test_of_a_layer_whose_time_nobody_chose_the_default_is_named_and_not_requested():
    layer, = planned(("rain", None), layers=(timed("rain", RAIN, default="2016-06-12"),)).layers
    assert (layer.moment, layer.time_span, page_time([layer])) == ("2016-06-12", None, None)
    assert shown_time(Layer("plain")) == ""
    assert shown_time(timed("rain", "2016-06-12")) == "2016-06-12"


def test_a_layer_whose_time_nobody_chose_follows_the_series_of_the_map():
    plan = planned(("rain", "2016-06-12"), ("cover", None),
                   layers=(timed("rain", RAIN), timed("cover", COVER, default="2018")))
    assert [layer.moment for layer in plan.layers] == ["2016-06-12", "2012"]
    assert page_time(plan.layers)[0] == utc(2016, 6, 12)
    assert not [note for note in plan.notes if "one time" in note.text]


def test_a_page_says_what_it_shows_where_two_times_were_chosen():
    plan = planned(("rain", "2016-06-12"), ("cover", "2018"), layers=(timed("rain", RAIN), timed("cover", COVER)))
    assert [layer.moment for layer in plan.layers] == ["2016-06-30", "2018"]
    assert page_time(plan.layers)[0] == utc(2018, 1, 1)
    assert any("2016-06-30" in note.text and "2016-06-12" in note.text for note in plan.notes)


def test_a_single_day_is_drawn_at_the_page_s_time():
    day = LayerPlan(WmsSource(URL, "day", "", "image/png", "EPSG:25830"), "day",
                    time_span=(utc(2016, 6, 12), utc(2016, 6, 13)), moment="2016-06-12")
    cover = LayerPlan(WmsSource(URL, "cover", "", "image/png", "EPSG:25830", time_extent=COVER), "cover", moment="2018",
                      time_span=(utc(2018, 1, 1), utc(2019, 1, 1)))
    layers = layers_at_one_time([day, cover])
    assert [layer.moment for layer in layers] == ["2016-06-12", "2012"]
    begin, end = page_time(layers)
    assert begin < utc(2016, 6, 13) and end > utc(2016, 6, 12)
