"""The requested value of a dimension: the time shown, the default, or an offered one."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from plugin.core.wms.dimensions.declared_dimensions import fallback_value, select_dimension_values, time_value_at
from plugin.core.wms.model.service import Dimension, Layer


def at(text, **length):
    begin = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    return begin, begin + timedelta(**(length or {"days": 1}))


@pytest.mark.parametrize(("extent", "when", "value"), [
    ("2016-06-01/2016-06-30/P1D", at("2016-06-12"), "2016-06-12"),
    ("2016-06-01/2016-06-30/P1D", at("2016-06-12T13:00", hours=1), "2016-06-12"),
    ("2016-06-01,2016-06-05,2016-06-09", at("2016-06-05"), "2016-06-05"),
    ("2016-06-01,2016-06-05,2016-06-09", at("2016-06-06"), None),
    ("2016-06-01T00:00:00Z/2016-06-02T00:00:00Z/PT6H", at("2016-06-01T07:30", minutes=5), "2016-06-01T06:00:00Z"),
    ("2016-01/2016-12/P1M", at("2016-06-12"), "2016-06"),
    ("1990/2020/P1Y", at("2016-06-12"), "2016"),
    ("2016-06-01/2016-06-30", at("2016-06-12T10:00"), "2016-06-12T10:00:00Z"),
    ("2016-06-01/2016-06-30/PT0S", at("2017-06-12"), None),
    ("2016-06-01/2016-06-30/P1D", at("2017-01-01"), None)])
def test_the_moment_that_is_shown_is_asked_for(extent, when, value):
    assert time_value_at(Dimension("time", extent=extent), *when) == value


def test_a_service_that_takes_the_nearest_value_has_one_for_every_time():
    near = Dimension("time", extent="2016-06-01,2016-06-05,2016-06-09", nearest_value=True)
    assert time_value_at(near, *at("2016-06-06")) == "2016-06-05"
    assert time_value_at(near, *at("2020-01-01")) == "2016-06-09"


@pytest.mark.parametrize(("dimension", "value"), [
    (Dimension("time", extent="2016-06-01,2016-06-30,2016-06-05"), "2016-06-30"),
    (Dimension("time", extent="2016-06-01/2016-06-30/P1D"), "2016-06-30"),
    (Dimension("time", extent="2016-06-01/2016-06-30"), "2016-06-30"),
    (Dimension("time", extent="now", current=True), "current"),
    (Dimension("elevation", extent="0, 100,200"), "0"),
    (Dimension("wavelength", extent="300/1000/50"), "300")])
def test_without_default_and_choice_one_of_the_values_is_taken(dimension, value):
    assert fallback_value(dimension) == value


def test_defaults_are_left_to_the_service_and_what_nobody_chose_is_told():
    layer = Layer(name="a", dimensions=(
        Dimension("time", default="2016-06-01", extent="2016-06-01/2016-06-30/P1D"),
        Dimension("elevation", default="0", extent="0,100"), Dimension("wavelength", extent="300,400")))
    assert select_dimension_values(layer, {}, None) == ({"DIM_WAVELENGTH": "300"}, {"DIM_WAVELENGTH": "300"}, True)
    sent, assumed, shown = select_dimension_values(layer, {"ELEVATION": "100", "DIM_WAVELENGTH": "400"},
                                                   at("2016-06-03"))
    assert sent == {"TIME": "2016-06-03", "ELEVATION": "100", "DIM_WAVELENGTH": "400"}
    assert not assumed and shown
    assert select_dimension_values(layer, {}, at("2017-06-03")) == ({}, {}, False)
