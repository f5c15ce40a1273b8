"""CRS, image format and address of a planned layer: only offered ones, and the best of those."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.box import Box
from plugin.core.custommap.planner import (
    best_crs,
    best_format,
    choose_getmap_address,
    same_crs,
    supports_transparency,
    utm_zone,
)
from plugin.core.errors import InvalidRequest
from plugin.core.wms.model.service import Layer, OperationInfo, Service
from tests.examples import examples

PARK = Box(-3.7, 38.25, -3.35, 38.5)
FAMILY = ("EPSG:3042", "EPSG:25830", "EPSG:25829", "EPSG:23030", "EPSG:32629", "EPSG:32630", "EPSG:3785", "EPSG:3857",
          "EPSG:4230",
          "EPSG:4258", "EPSG:4326", "CRS:84", "EPSG:900913")


@pytest.mark.parametrize(("wanted", "offered", "expected"), [
    # the map's own, however it is spelt
    ("EPSG:25830", FAMILY, "EPSG:25830"), ("EPSG:3857", FAMILY, "EPSG:3857"), ("urn:ogc:def:crs:EPSG::25830", FAMILY,
                                                                               "EPSG:25830"),
    ("EPSG:25830", ("epsg:25830",), "epsg:25830"), ("EPSG:25830", ("urn:ogc:def:crs:EPSG::25830",),
                                                    "urn:ogc:def:crs:EPSG::25830"),
    ("http://www.opengis.net/def/crs/EPSG/0/25830", FAMILY, "EPSG:25830"), ("OGC:CRS84", FAMILY, "CRS:84"),
    ("urn:ogc:def:crs:OGC:1.3:CRS84", FAMILY, "CRS:84"), ("EPSG:4326", FAMILY, "EPSG:4326"), ("CRS:84", FAMILY,
                                                                                              "CRS:84"),
    # the same grid under another code
    ("EPSG:25830", ("EPSG:4326", "EPSG:3042", "EPSG:32630"), "EPSG:3042"), ("EPSG:3042", ("EPSG:32630", "EPSG:25830"),
                                                                            "EPSG:25830"),
    ("EPSG:32630", ("EPSG:3042", "EPSG:25830"), "EPSG:25830"), ("EPSG:25830", ("EPSG:4326", "EPSG:23030",
                                                                               "EPSG:32630"), "EPSG:32630"),
    ("EPSG:4326", ("EPSG:3857", "CRS:84"), "CRS:84"), ("CRS:84", ("EPSG:3857", "EPSG:4326"), "EPSG:4326"),
    ("EPSG:3857", ("EPSG:4326", "EPSG:900913"), "EPSG:900913"), ("EPSG:4258", ("EPSG:3857", "EPSG:4326"), "EPSG:4326"),
    # the zone of the place
    ("EPSG:2154", FAMILY, "EPSG:25830"), ("EPSG:2154", ("EPSG:4326", "EPSG:3857", "EPSG:32630"), "EPSG:32630"),
    ("EPSG:2154", ("EPSG:4326", "EPSG:3857", "EPSG:23030"), "EPSG:23030"), ("EPSG:2154", ("EPSG:3857", "EPSG:3035"),
                                                                            "EPSG:3035"),
    ("EPSG:2154", ("EPSG:3857", "EPSG:25829"), "EPSG:25829"), ("EPSG:2154", ("EPSG:3857", "EPSG:25833"), "EPSG:3857"),
    # what serves everywhere
    ("EPSG:2154", ("EPSG:4326", "EPSG:3857"), "EPSG:3857"), ("EPSG:2154", ("EPSG:4326", "CRS:84"), "CRS:84"),
    ("EPSG:2154", ("EPSG:9999",), "EPSG:9999"),
    ("EPSG:2154", ("AUTO2:42001", "EPSG:9999"), "EPSG:9999"), ("EPSG:2154", ("AUTO2:42001",), None), ("EPSG:25830", (),
                                                                                                      None),
])
def test_the_best_of_the_offered_systems_is_chosen(wanted, offered, expected):
    assert best_crs(Layer("a", crs=offered), wanted, PARK) == expected


def test_without_a_place_the_map_s_own_zone_counts():
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:25829")), "EPSG:25830") == "EPSG:25829"
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:25829")), "EPSG:2154") == "EPSG:3857"


def test_other_places_have_other_zones():
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:32756")), "EPSG:2154", Box(151, -34, 152,
                                                                                        -33)) == "EPSG:32756"
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:32656")), "EPSG:2154", Box(151, -34, 152,
                                                                                        -33)) == "EPSG:3857"
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:4083")), "EPSG:2154", Box(-16, 28, -15, 29)) == "EPSG:4083"
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:4326")), "EPSG:3413", Box(0, 84, 10, 89)) == "EPSG:4326"
    assert best_crs(Layer("a", crs=("EPSG:3857", "EPSG:25830")), "EPSG:2154", Box(-18, 27, 45, 72)) == "EPSG:3857"


def test_longitude_latitude_and_latitude_longitude_are_two_systems():
    assert same_crs("urn:ogc:def:crs:EPSG::4326", "EPSG:4326") and not same_crs("EPSG:4326", "CRS:84")


@pytest.mark.parametrize(("code", "zone"), [("EPSG:25830", 30), ("EPSG:3042", 30), ("EPSG:32630", 30), ("EPSG:32730",
    -30), ("EPSG:23030", 30),
                                            ("EPSG:4083", 28), ("EPSG:4326", None), ("EPSG:3857", None), ("EPSG:25839",
                                                None), ("x", None)])
def test_utm_zones_are_known_by_their_codes(code, zone):
    assert utm_zone(code) == zone


codes = st.sampled_from([*FAMILY, "EPSG:3035", "EPSG:32756", "urn:ogc:def:crs:EPSG::25831", "epsg:4326", "AUTO2:42001",
                         "junk", ""])


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(codes, max_size=6), codes, st.none() | st.builds(
    Box, st.floats(-180, 180), st.floats(-90, 90), st.floats(-180, 180), st.floats(-90, 90)))
def test_never_one_that_is_not_offered(offered, wanted, place):
    chosen = best_crs(Layer("a", crs=tuple(offered)), wanted, place)
    assert chosen is None or chosen in offered
    if wanted in offered:
        assert same_crs(chosen, wanted)


MAPSERVER = ("image/png", "image/jpeg", "image/png; mode=8bit", "image/vnd.jpeg-png", "application/x-pdf",
             "image/svg+xml")


@pytest.mark.parametrize(("offered", "opaque", "wanted", "expected"), [
    (MAPSERVER, False, None, "image/png"), (MAPSERVER, True, None, "image/jpeg"), (MAPSERVER, True, "image/png",
                                                                                   "image/png"),
    (MAPSERVER, False, "image/png;mode=8bit", "image/png; mode=8bit"), (MAPSERVER, False, "image/jpeg", "image/jpeg"),
    (MAPSERVER, False, "image/jxl", "image/png"), (("image/jpeg", "image/gif"), False, None, "image/gif"),
    (("image/jpeg",), False, None, "image/jpeg"),
    (("image/png; mode=24bit", "image/jpeg"), False, None, "image/png; mode=24bit"), (("IMAGE/PNG",), False, None,
                                                                                      "IMAGE/PNG"),
    (("image/png",), True, None, "image/png"), (("image/png; mode=17bit",), False, None, "image/png; mode=17bit"),
    (("application/x-pdf", "image/svg+xml"), False, None, None), ((), True, None, None),
])
def test_png_lets_through_and_jpeg_is_only_for_what_is_opaque(offered, opaque, wanted, expected):
    assert best_format(offered, opaque, wanted) == expected


def test_formats_without_transparency_are_known():
    assert [
        supports_transparency(name)
        for name in ("image/png", "image/png; mode=8bit", "image/gif", "image/png; mode=24bit", "image/jpeg")
    ] == [True, True, True, False, False]


def service(get_map, capabilities=...):
    return Service("1.3.0", operations={"GetMap": OperationInfo("GetMap", get_map),
                                        "GetCapabilities": OperationInfo("GetCapabilities",
                                            get_map if capabilities is ... else capabilities)})


RECORD = "https://x.org/mapwms/A?"


@pytest.mark.parametrize(("endpoint", "advertised", "url", "ignored"), [
    (RECORD, "https://x.org/mapwms/A?language=spa&", "https://x.org/mapwms/A?language=spa&", False),
    (RECORD, "https://x.org/mapwms/A", RECORD, False),
    (RECORD, None, RECORD, False), (RECORD, "ftp://x.org/a", RECORD, True), (RECORD, "nonsense", RECORD, True),
    (RECORD, "http://localhost:8080/geoserver/wms?", RECORD, True), (RECORD, "http://10.1.2.3/wms?", RECORD, True),
    (RECORD, "http://mapserver01/wms?", RECORD, True),
    (RECORD, "http://x.org/mapwms/A?language=spa&", "https://x.org/mapwms/A?language=spa&", True),
    (RECORD, "https://maps.x.org/A?", "https://maps.x.org/A?", False),
    ("http://127.0.0.1:8000/A?", "http://127.0.0.1:8000/A?language=spa&", "http://127.0.0.1:8000/A?language=spa&",
     False),
    ("https://x.org/mapserv?map=/a.map&", "https://x.org/mapserv?", "https://x.org/mapserv?map=/a.map&", True),
    ("https://x.org/mapserv?map=/a.map", "https://x.org/mapserv?map=/a.map&", "https://x.org/mapserv?map=/a.map&",
     False),
])
def test_the_advertised_address_counts_where_it_is_sound(endpoint, advertised, url, ignored):
    chosen = choose_getmap_address(endpoint, service(advertised))
    assert (chosen.url, chosen.ignore_advertised) == (url, ignored)


def test_maps_from_another_place_than_the_description_leave_the_endpoint_to_be_asked():
    chosen = choose_getmap_address(RECORD, service("https://tiles.x.org/A?", RECORD))
    assert (chosen.url, chosen.ignore_advertised) == (RECORD, False)
    assert "https://tiles.x.org/A?" in chosen.note


def test_a_service_s_own_parameters_are_no_news_but_another_place_is():
    assert choose_getmap_address(RECORD, service("https://x.org/mapwms/A?language=spa&")).note == ""
    for advertised in ("https://maps.x.org/A?", "http://localhost/wms?", "ftp://x.org/a"):
        assert advertised in choose_getmap_address(RECORD, service(advertised)).note


def test_an_endpoint_that_is_no_web_address_is_an_error():
    with pytest.raises(InvalidRequest):
        choose_getmap_address("file:///etc/passwd", service(RECORD))


def test_no_combination_of_addresses_leaves_http():
    values = [RECORD, "http://x.org/?", "javascript:x", "", "https://[", "//x", "HTTP://X.org", None]
    for get_map, capabilities in itertools.product(values, values):
        assert choose_getmap_address(RECORD, service(get_map, capabilities)).url.startswith(("http://", "https://"))
