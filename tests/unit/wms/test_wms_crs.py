"""CRS names in all spellings, axis order, and coordinates from PROJ through any of its bindings."""

from __future__ import annotations

import math
import sys

import pytest

from plugin.core.box import Box
from plugin.core.errors import InvalidRequest
from plugin.core.wms import crs
from plugin.core.wms.crs import bounding_boxes, codes, gdal_backend, pyproj_backend, transformation
from plugin.core.wms.model.service import Layer


@pytest.mark.parametrize(("written", "name"), [
    ("EPSG:25830", "EPSG:25830"), ("epsg:25830", "EPSG:25830"), (" EPSG:25830 ", "EPSG:25830"),
    ("urn:ogc:def:crs:EPSG::25830", "EPSG:25830"), ("urn:ogc:def:crs:EPSG:6.9:25830", "EPSG:25830"),
    ("urn:x-ogc:def:crs:EPSG::25830", "EPSG:25830"), ("http://www.opengis.net/def/crs/EPSG/0/25830", "EPSG:25830"),
    ("https://www.opengis.net/def/crs/EPSG/0/25830/", "EPSG:25830"),
    ("http://www.opengis.net/gml/srs/epsg.xml#25830", "EPSG:25830"),
    ("CRS:84", "CRS:84"), ("crs:84", "CRS:84"), ("OGC:CRS84", "CRS:84"), ("CRS84", "CRS:84"),
    ("urn:ogc:def:crs:OGC:1.3:CRS84", "CRS:84"), ("http://www.opengis.net/def/crs/OGC/1.3/CRS84", "CRS:84"),
    ("CRS:27", "CRS:27"), ("IGNF:LAMB93", "IGNF:LAMB93"), ("auto2:42001,1,-3,38", "AUTO2:42001,1,-3,38"), ("", ""),
    ("EPSG:84", "EPSG:84"),
])
def test_one_spelling_for_a_crs(written, name):
    assert codes.normalise_crs(written) == name


def test_a_layer_offers_a_crs_however_it_is_spelt():
    layer = Layer(crs=("urn:ogc:def:crs:EPSG::25830", "CRS:84", "AUTO2:42001"))
    assert codes.advertised_crs(layer, "epsg:25830") == "urn:ogc:def:crs:EPSG::25830"
    assert codes.offers_crs(layer, "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
    assert codes.offers_crs(layer, "AUTO2:42001,1,-3.5,38")
    assert not codes.offers_crs(layer, "AUTO2:42002,1,-3.5,38")
    assert not codes.offers_crs(layer, "EPSG:4326")


def test_the_best_crs_is_the_first_wanted_that_all_layers_share():
    one, other = Layer(crs=("EPSG:3042", "EPSG:25830", "CRS:84")), Layer(crs=("CRS:84", "urn:ogc:def:crs:EPSG::25830"))
    assert codes.common_crs([one, other]) == ("EPSG:25830", "CRS:84")


@pytest.fixture(params=[pyproj_backend, gdal_backend], ids=["pyproj", "gdal"])
def proj(request, monkeypatch):
    monkeypatch.setattr(transformation, "_backend", lambda: request.param)


@pytest.mark.parametrize(("code", "north_first"), [
    ("CRS:84", False), ("CRS:83", False), ("EPSG:4326", True), ("EPSG:4258", True), ("EPSG:4230", True),
    ("EPSG:3042", True), ("EPSG:3035", True), ("EPSG:25830", False), ("EPSG:23030", False), ("EPSG:32630", False),
    ("EPSG:3857", False), ("EPSG:900913", False), ("EPSG:2180", True), ("EPSG:31467", True), ("EPSG:32661", True),
    ("EPSG:5041", False), ("EPSG:102100", False), ("EPSG:3031", False), ("AUTO2:42001,1,-3,38", False),
    ("urn:ogc:def:crs:EPSG::3042", True),
    # withdrawn codes keep their own axes, whatever those of their successors are (31467 and 31257 are north first)
    ("EPSG:31463", False), ("EPSG:31297", False), ("IAU_2015:30110", False), ("IAU_2015:30100", True),
])
def test_axis_order_is_that_of_the_definition(proj, code, north_first):
    assert transformation.first_axis_is_north(code) is north_first


@pytest.mark.parametrize("code", ["EPSG:999999", "EPSG:4978", "EPSG:5773", "AUTO2:42001", "AUTO2:42001,1,999,0", "hola",
                                  "AUTO2:42001,x,0,0", "", "+proj=utm +zone=30", "EPSG:4326; DROP",
                                  "http://x.example/crs.prj", "FILE:/etc/passwd", "WGS84"])
def test_a_crs_that_has_no_map_axes_is_unknown(proj, code):
    with pytest.raises(transformation.UnknownCrs) as caught:
        transformation.from_lonlat(code, [(0.0, 0.0)])
    assert code in caught.value.user_text


def test_coordinates_there_and_back(proj):
    # the zone's central meridian and the equator: false easting 500,000 m
    ((easting, northing),) = transformation.from_lonlat("EPSG:25830", [(-3.0, 0.0)])
    assert (easting, northing) == pytest.approx((500_000, 0), abs=1e-3)
    ((longitude, latitude), ) = transformation.to_lonlat("EPSG:3042",
                                                         transformation.from_lonlat("EPSG:3042", [(-3.5, 38.4)]))
    assert (longitude, latitude) == pytest.approx((-3.5, 38.4), abs=1e-9)


@pytest.mark.parametrize(("code", "x", "y"), [
    ("AUTO2:42001,1,-3,-10", 500_000, 10_000_000), ("AUTO2:42002,1,-3,0", 500_000, 0), ("AUTO2:42003,1,-3,0", 0, 0),
    ("AUTO2:42004,1,-3,0", 0, 0), ("AUTO2:42005,1,-3,0", 0, 0), ("AUTO2:42001,1000,-3,0", 500, 0),
    ("AUTO:42001,9001,-3,0", 500_000, 0),
])
def test_automatic_projections_have_their_origin(proj, code, x, y):
    # 06-042 B.7 to B.11: on the central meridian at the equator
    assert transformation.from_lonlat(code, [(-3.0, 0.0)])[0] == pytest.approx((x, y), abs=1e-3)


def test_a_withdrawn_crs_is_not_exchanged_for_its_successor(proj):
    # 2163 is drawn on a sphere of 6,370,997 m, 9311 on an ellipsoid: 13 km apart here
    ((x, y),) = transformation.from_lonlat("EPSG:2163", [(-100.0, 45.0 + 10.0)])
    assert (x, y) == pytest.approx((0.0, 1_110_700), abs=2_000)


def test_places_of_another_celestial_body_are_told_in_its_own_degrees(proj, capfd):
    (there,) = transformation.from_lonlat("IAU_2015:30110", [(10.0, 20.0)])
    # equirectangular on the Moon's sphere of 1,737,400 m
    assert there == pytest.approx((1_737_400 * math.radians(10), 1_737_400 * math.radians(20)), rel=1e-9)
    assert transformation.to_lonlat("IAU_2015:30110", [there])[0] == pytest.approx((10, 20))
    assert capfd.readouterr() == ("", "")


def test_outside_of_a_projection_coordinates_are_infinite(proj):
    ((x, y),) = transformation.from_lonlat("AUTO2:42003,1,0,0", [(120.0, 0.0)])
    assert not (math.isfinite(x) and math.isfinite(y))
    with pytest.raises(InvalidRequest, match="beyond"):
        bounding_boxes.project_bbox("AUTO2:42003,1,0,0", (80, 0, 120, 10))


def test_without_any_proj_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(transformation, "_backend", transformation._backend.__wrapped__)
    for module in ("pyproj_backend", "gdal_backend"):
        monkeypatch.setitem(sys.modules, f"plugin.core.wms.crs.{module}", None)
        monkeypatch.delattr(crs, module)
    assert transformation.first_axis_is_north("CRS:84") is False
    with pytest.raises(transformation.UnknownCrs, match="python3-pyproj"):
        transformation.first_axis_is_north("EPSG:4326")


def test_an_advertised_box_is_read_in_the_order_of_its_version():
    from plugin.core.wms.model.service import BoundingBox
    layer = Layer(bboxes=(BoundingBox("EPSG:3042", 4_200_000, 400_000, 4_300_000, 500_000),))
    assert bounding_boxes.layer_bbox(layer, "EPSG:3042", (1, 3, 0)) == (400_000, 4_200_000, 500_000, 4_300_000)
    layer = Layer(bboxes=(BoundingBox("EPSG:3042", 400_000, 4_200_000, 500_000, 4_300_000),))
    assert bounding_boxes.layer_bbox(layer, "EPSG:3042", (1, 1, 1)) == (400_000, 4_200_000, 500_000, 4_300_000)


def test_a_geographic_box_across_the_antimeridian_goes_on_eastwards():
    assert Box(170, -20, -170, 20).unwrapped == (170, -20, 190, 20)


@pytest.mark.parametrize(("value", "written"), [
    (0.0, "0"), (-0.0, "0"), (-3.6, "-3.6"), (38.45, "38.45"), (4239177.163078, "4239177.16308"), (500000.0, "500000"),
    (1e-7, "0.0000001"), (1e15, "1000000000000000"), (0.1 + 0.2, "0.3"), (-1e-30, "0")])
def test_numbers_are_written_plainly(value, written):
    assert bounding_boxes.format_number(value) == written
