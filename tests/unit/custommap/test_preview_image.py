"""The request for a preview: square pixels, the record's extent, and layers that make sense together."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from plugin.core.box import Box
from plugin.core.custommap.preview_image import PreviewContent, preview_content, preview_request
from plugin.core.custommap.service_use import decide_use
from plugin.core.errors import InvalidRequest
from plugin.core.records.model.record import Extent
from plugin.core.wms.dimensions.time_series import find_time_series
from plugin.core.wms.model.service import BoundingBox, Dimension, Layer, OperationInfo, Service, ServiceLimits

PARK = Extent(west=-3.67, east=-3.37, south=38.27, north=38.49)
FORMATS = ("image/jpeg", "image/png")
BOX = Box(-7.6, 36.0, -1.6, 38.8)


def layer(name, **values):
    return Layer(name, f"Title of {name}", **{"crs": ("EPSG:25830", "EPSG:4326", "EPSG:3857"),
                                              "geographic_bbox": BOX, **values})


def service_of(*layers, limits=None):
    return Service("1.3.0", "S", limits=limits or ServiceLimits(),
                   operations={"GetMap": OperationInfo("GetMap", "http://x.org/wms?", None, FORMATS)},
                   root=Layer(title="S", layers=layers))


def asked(service, extents=(PARK,), crs="EPSG:25830", content=None):
    content = content or preview_content(service, decide_use(service, find_time_series(service)))
    request, size = preview_request(service, content, extents, crs, 380, 180)
    return {key: values[0] for key, values in parse_qs(urlsplit(request.url).query).items()}, size


def box_of(parameters):
    return [float(number) for number in parameters["BBOX"].split(",")]


def test_the_record_s_extent_fills_the_image_with_square_pixels():
    parameters, size = asked(service_of(layer("relief", opaque=True), layer("roads")))
    assert size == (380, 180)
    assert (parameters["LAYERS"], parameters["CRS"]) == ("relief,roads", "EPSG:25830")
    west, south, east, north = box_of(parameters)
    assert (east - west) / 380 == pytest.approx((north - south) / 180)
    assert parameters["FORMAT"] == "image/png" and parameters["TRANSPARENT"] == "TRUE"
    # about 26 by 24 km, enlarged to the frame
    assert 24_000 < north - south < 26_000


def test_without_a_usable_extent_the_layers_are_shown():
    for extents in ((), (Extent(west=-3.0, east=None, south=38.0, north=39.0),),
                    (Extent(west=5.0, east=-5.0, south=1.0, north=2.0),)):
        west, south, east, north = box_of(asked(service_of(layer("roads")), extents)[0])
        assert east - west > 500_000


def test_the_whole_world_is_not_enlarged_beyond_it():
    whole = layer("world", crs=("CRS:84",), geographic_bbox=Box(-180, -90, 180, 90))
    parameters, size = asked(service_of(whole), ())
    assert box_of(parameters) == [-180, -90, 180, 90]
    assert size == (360, 180)


def test_a_series_shows_its_first_moment_only():
    days = [Layer(f"rain_201606{day:02}", f"Rain, {day} June 2016", crs=("EPSG:25830",), geographic_bbox=BOX)
            for day in range(1, 31)]
    assert asked(service_of(*days))[0]["LAYERS"] == "rain_20160601"
    clouds = layer("clouds", dimensions=(Dimension("time", extent="2016-06-01/2016-06-30/P1D"),))
    assert asked(service_of(clouds))[0]["TIME"].startswith("2016-06-01")


def test_of_many_layers_one_is_shown_and_limits_are_kept():
    assert asked(service_of(*[layer(f"l{'x' * number}") for number in range(60)]))[0]["LAYERS"] == "l"
    limited = service_of(layer("a"), layer("b"), layer("c"), limits=ServiceLimits(layers=2))
    assert asked(limited)[0]["LAYERS"] == "a,b"


def test_a_layer_that_cannot_be_cut_is_shown_whole():
    whole = layer("sheet", no_subsets=True, bboxes=(BoundingBox("EPSG:25830", 400000, 4200000, 410000, 4230000),))
    parameters, size = asked(service_of(whole))
    assert box_of(parameters) == [400000, 4200000, 410000, 4230000]
    assert size == (60, 180)


def test_what_cannot_be_drawn_together_is_refused_with_the_reason():
    service = service_of(layer("a", crs=("EPSG:25830",)), layer("b", crs=("EPSG:4326",)))
    with pytest.raises(InvalidRequest, match="in common"):
        asked(service)
    with pytest.raises(InvalidRequest, match="no layer"):
        asked(service, content=PreviewContent(("gone",)))
