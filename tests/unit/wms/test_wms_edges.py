"""Extents across the antimeridian and over the poles, and automatic projections without parameters.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from plugin.core.box import Box
from plugin.core.errors import InvalidRequest
from plugin.core.wms.model.service import Layer, OperationInfo, Service
from plugin.core.wms.model.xml_values import parse_positive_integer
from plugin.core.wms.requests.get_map import MapOptions, map_request
from plugin.core.wms.requests.operation_options import OperationOptions, request_from_options
from plugin.core.wms.requests.urls import url_prefix

CODES = ("EPSG:3857", "EPSG:4326", "CRS:84", "EPSG:54009", "EPSG:32661", "AUTO2:42001", "EPSG:25830")
WIDE = Layer("a", "A", crs=CODES, geographic_bbox=Box(170, -20, -170, 10))
WORLD = Layer("w", "W", crs=CODES, geographic_bbox=Box(-180, -90, 180, 90))
SERVICE = Service("1.3.0", root=Layer(layers=(WIDE, WORLD)), operations={
    "GetMap": OperationInfo("GetMap", "http://a.invalid/w?", None, ("image/png",))})
#: half the equator on Web Mercator's sphere, pi times 6378137 m
HALF = 20037508.342789


def box_of(crs, layer="a", bbox=None):
    request = map_request(SERVICE, MapOptions([layer], crs, 10, 10, bbox=bbox))
    return [float(part) for part in parse_qs(urlsplit(request.url).query)["BBOX"][0].split(",")]


@pytest.mark.parametrize("bbox", [None, (170, -20, 190, 10), (-190, -20, -170, 10)])
def test_across_the_antimeridian_a_mercator_map_goes_on_and_is_not_the_whole_world(bbox):
    west, south, east, north = box_of("EPSG:3857", bbox=bbox)
    assert east - west == pytest.approx(20 * HALF / 180)
    assert (west if west > 0 else east) == pytest.approx(170 * HALF / 180 * (1 if west > 0 else -1))
    assert (south, north) == pytest.approx((-2273030.92699, 1118889.97486))


def test_in_degrees_it_goes_on_eastwards():
    assert box_of("CRS:84") == [170, -20, 190, 10]
    assert box_of("EPSG:4326") == [-20, 170, 10, 190]


@pytest.mark.parametrize(("bbox", "sides"), [
    (None, (-HALF, -HALF, HALF, HALF)), ((-180, -90, 180, 90), (-HALF, -HALF, HALF, HALF)),
    ((0, 0, 90, 89), (0, 0, HALF / 2, HALF))])
def test_mercator_has_no_poles_its_square_ends_the_map(bbox, sides):
    assert box_of("EPSG:3857", "w", bbox) == pytest.approx(sides, abs=1)


def test_a_map_over_the_pole_holds_the_pole():
    west, south, east, north = box_of("EPSG:32661", "w", (-180, 60, 180, 90))
    assert west < 2_000_000 < east and south < 2_000_000 < north
    assert east - west == pytest.approx(north - south) == pytest.approx(6811761, rel=1e-3)


def test_an_automatic_projection_without_parameters_is_centred_on_the_map():
    request = request_from_options(
        SERVICE, OperationOptions(operation="GetMap", layers=("w", ), crs="AUTO2:42001", bbox=(-3.6, 38.3, -3.4, 38.5)))
    asked = parse_qs(urlsplit(request.url).query)
    assert asked["CRS"] == ["AUTO2:42001,1,-3.5,38.4"]
    assert [round(float(part)) for part in asked["BBOX"][0].split(",")] == [447537, 4239177, 465121, 4261464]


def test_one_that_lacks_its_place_says_what_it_needs():
    with pytest.raises(InvalidRequest, match="AUTO2:42001,1,-3.5,38.4"):
        map_request(SERVICE, MapOptions(["w"], "AUTO2:42001", 10, 10, native_bbox=(0, 0, 1, 1)))
    with pytest.raises(InvalidRequest, match="AUTO2:42001,1,-3.5,38.4"):
        map_request(SERVICE, MapOptions(["w"], "AUTO2:42001,0,-3,38", 10, 10, bbox=(-3.6, 38.3, -3.4, 38.5)))


@pytest.mark.parametrize(("address", "begins"), [
    ("http://h.invalid/w&", "http://h.invalid/w?"), ("http://h.invalid/w&amp;", "http://h.invalid/w?"),
    ("http://h.invalid/a&b", "http://h.invalid/a&b?"), ("http://h.invalid/w&?a=1", "http://h.invalid/w&?a=1&")])
def test_an_address_that_ends_in_an_ampersand_has_no_question_mark_to_follow_it(address, begins):
    assert url_prefix(address) == begins


def test_a_limit_may_be_written_with_an_exponent():
    assert [parse_positive_integer(text)
            for text in ("1e3", "2.048E3", "1e-3", "1.5", "4096.0")] == [1000, 2048, None, None, 4096]


def test_of_layers_with_one_name_the_first_is_found():
    service = Service("1.3.0", root=Layer(layers=(Layer(title="Group", layers=(Layer("a", "First"),)),
                                                  Layer("a", "Second"))))
    assert service.layer("a").title == "First" and service.layer("b") is None
    assert [layer.title for layer in service.iter_layers()] == ["", "Group", "First", "Second"]
    assert Service("1.3.0").layer("a") is None and not list(Service("1.3.0").iter_layers())
