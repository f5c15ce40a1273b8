"""The pixel that a click on the map queries, against values worked out by hand."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from plugin.core.box import Box
from plugin.core.errors import InvalidRequest
from plugin.core.featureinfo.queries import DimensionSelection, MapClick, pixel_at, plan_queries
from plugin.core.wms.model.service import BoundingBox, Dimension, Layer, OperationInfo, Service, ServiceLimits, Style
from plugin.core.wms.requests.get_feature_info import feature_info_request

WINDOW = Box(447000.0, 4256000.0, 448000.0, 4256500.0)
DEGREES = ((-3.601, 38.453), (-3.6009771, 38.453), (-3.601, 38.453018))


def service(*layers, **more):
    operations = {"GetFeatureInfo": OperationInfo("GetFeatureInfo", get="http://a.invalid/w?", formats=("text/plain",)),
                  "GetMap": OperationInfo("GetMap", get="http://a.invalid/w?", formats=("image/png",))}
    return Service("1.3.0", root=Layer(layers=layers), operations=operations, **more)


def layer(name, *crs, **more):
    return Layer(name=name, crs=crs or ("EPSG:3042", "EPSG:25830"), queryable=more.pop("queryable", True), **more)


def click(crs="EPSG:25830", x=447501.0, y=4256499.0, box=WINDOW, size=(500, 250), **more):
    return MapClick(crs, x, y, box, *size, DEGREES, 2.0, **more)


def test_the_windows_own_pixel_is_asked_about_in_the_axis_order_of_the_crs():
    for crs, box in (("EPSG:25830", "447000,4256000,448000,4256500"), ("EPSG:3042", "4256000,447000,4256500,448000")):
        found = plan_queries(service(layer("a")), [("a", "")], click(crs)).queries
        url = feature_info_request(service(layer("a")), found[0].map_options(), found[0].i, found[0].j).url
        assert (found[0].i, found[0].j) == (250, 0)
        assert f"BBOX={box}&WIDTH=500&HEIGHT=250&" in url and url.endswith("I=250&J=0")


def test_corners_belong_to_the_outermost_pixels_and_beyond_is_refused():
    assert pixel_at(WINDOW, 500, 250, (447000, 4256500)) == (0, 0)
    assert pixel_at(WINDOW, 500, 250, (448000, 4256000)) == (499, 249)
    assert pixel_at(WINDOW, 500, 250, (447001.9, 4256498.1)) == (0, 0)
    with pytest.raises(InvalidRequest):
        pixel_at(WINDOW, 500, 250, (448000.1, 4256000))


def test_a_window_larger_than_the_service_draws_or_turned_gets_a_small_map_with_the_place_in_its_middle():
    for offered, put in ((service(layer("a"), limits=ServiceLimits(width=400)), click()), (service(layer("a")),
                                                                                           click(rotated=True))):
        question = plan_queries(offered, [("a", "")], put).queries[0]
        assert (question.width, question.height, question.i, question.j) == (101, 101, 50, 50)
        # pixels of 2 m: the middle one reaches 1 m to each side of the place
        assert question.bbox == pytest.approx((447400, 4256398, 447602, 4256600))


def test_a_crs_that_is_not_offered_is_asked_in_one_that_is_at_the_same_scale():
    question = plan_queries(service(layer("a", "CRS:84")), [("a", "")], click("EPSG:2062")).queries[0]
    west, south, east, north = question.bbox
    assert question.crs == "CRS:84" and ((west + east) / 2, (south + north) / 2) == pytest.approx((-3.601, 38.453))
    assert (east - west) / 101 == pytest.approx((0.0000229 * 0.000018) ** 0.5)


def test_layers_are_asked_together_where_that_is_allowed():
    offered = service(layer("a"), layer("b", "EPSG:3857"), layer("c", styles=(Style("s"),)),
                      layer("d", queryable=False), layer("e"))
    wanted = [("a", ""), ("b", ""), ("c", "s"), ("d", ""), ("e", "gone"), ("f", "")]
    asking = plan_queries(offered, wanted, click())
    assert [question.layers for question in asking.queries] == [("a", "c", "e"), ("b",)]
    assert asking.queries[0].styles == ("", "s", "")
    assert (asking.not_queryable, asking.unknown_layers) == (("d",), ("f",))
    limited = service(layer("a"), layer("b"), layer("c"), limits=ServiceLimits(layers=2))
    found = plan_queries(limited, [("a", ""), ("b", ""), ("c", "")], click()).queries
    assert [question.layers for question in found] == [("a", "b"), ("c",)]


def test_a_layer_that_is_only_drawn_whole_is_asked_whole():
    whole = layer("a", "EPSG:3042", no_subsets=True, fixed_size=(100, 50),
                  bboxes=(BoundingBox("EPSG:3042", 4256000, 447000, 4257000,
                                      449000), ), geographic_bbox=Box(-4, 38, -3, 39))
    question = plan_queries(service(whole), [("a", "")], click("EPSG:3042")).queries[0]
    assert question.bbox == (447000, 4256000, 449000, 4257000)
    assert (question.width, question.height, question.i, question.j) == (100, 50, 25, 25)


def test_the_time_that_a_layer_shows_is_asked_about_and_layers_of_different_times_apart():
    days = Dimension("time", default="2016-06-01", extent="2016-06-01/2016-06-30/P1D")
    depths = Dimension("elevation", extent="0,-10,-50")
    offered = service(layer("rain", dimensions=(days,)), layer("wind", dimensions=(days,)), layer("roads"),
                      layer("sea", dimensions=(depths,)))
    third = (datetime(2016, 6, 3, tzinfo=timezone.utc), datetime(2016, 6, 4, tzinfo=timezone.utc))
    asking = plan_queries(offered, [(name, "") for name in ("rain", "wind", "roads", "sea")], click(),
                          DimensionSelection({"rain": third}))
    told = {question.layers: dict(question.dimensions) for question in asking.queries}
    assert told == {("rain",): {"TIME": "2016-06-03"}, ("wind", "roads"): {}, ("sea",): {"ELEVATION": "0"}}
    assert asking.assumed_dimensions == (("ELEVATION", "0"),)
    url = feature_info_request(offered, asking.queries[0].map_options(), 1, 1).url
    assert "TIME=2016-06-03&" in url


def test_a_layer_with_nothing_at_the_time_that_is_shown_is_not_asked():
    days = Dimension("time", default="2016-06-01", extent="2016-06-01/2016-06-30/P1D")
    later = (datetime(2017, 1, 1, tzinfo=timezone.utc), datetime(2017, 1, 2, tzinfo=timezone.utc))
    asking = plan_queries(service(layer("rain", dimensions=(days, ))), [("rain", "")], click(),
                          DimensionSelection({"rain": later}))
    assert (asking.queries, asking.without_time_value) == ((), ("rain",))
