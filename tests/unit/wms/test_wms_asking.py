"""A filled-in form to a request: defaults, square pixels, fixed sizes, the middle of the map."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.errors import InvalidRequest
from plugin.core.wms.addresses import parameters_of
from plugin.core.wms.asking import Wanted, expected_of, request_of, size_of
from plugin.core.wms.model import BoundingBox, GeographicBox, Layer, Limits, OperationInfo, Service

BOX = (BoundingBox("EPSG:25830", 442000, 4236500, 468000, 4260500),)


def named(name: str, **more: object) -> Layer:
    return Layer(name, name, crs=("EPSG:25830", "EPSG:3042"), bboxes=BOX,
                 geographic_bbox=GeographicBox(-3.66, 38.27, -3.36, 38.49), **more)


OFFERED = {"GetMap": ("image/png",), "GetFeatureInfo": ("text/plain", "text/html"),
           "GetLegendGraphic": ("image/png",), "DescribeLayer": ("text/xml",), "GetStyles": ("text/xml",),
           "GetCapabilities": ("text/xml",)}
SERVICE = Service(
    "1.3.0", limits=Limits(None, 4096, 4096),
    operations={name: OperationInfo(name, "http://x/wms?", "http://x/wms", formats)
                for name, formats in OFFERED.items()},
    root=Layer(None, "Raíz", layers=(named("a", queryable=True), named("b"), named("c", fixed_size=(300, 200)))))


def parameters(wanted: Wanted) -> dict[str, str]:
    return dict(parameters_of(request_of(SERVICE, wanted).url))


def test_a_map_has_square_pixels_unless_its_height_is_given():
    wanted = Wanted("GetMap", layers=("b",), crs="EPSG:25830", width=800)
    assert size_of(SERVICE, wanted) == (800, 738)
    sent = parameters(wanted)
    assert (sent["WIDTH"], sent["HEIGHT"], sent["BBOX"]) == ("800", "738", "442000,4236500,468000,4260500")
    assert "TRANSPARENT" not in sent
    assert size_of(SERVICE, replace(wanted, height=100)) == (800, 100)
    assert expected_of(SERVICE, wanted) == ("image", (800, 738))


def test_a_layer_of_fixed_size_is_asked_for_at_that_size():
    assert parameters(Wanted("GetMap", layers=("c",), crs="EPSG:25830"))["WIDTH"] == "300"


def test_a_place_is_asked_of_the_layers_that_can_be_and_in_the_middle():
    wanted = Wanted("GetFeatureInfo", layers=("a", "b"), crs="EPSG:25830", width=400, info_format="text/html")
    sent = parameters(wanted)
    assert (sent["LAYERS"], sent["QUERY_LAYERS"], sent["I"], sent["J"]) == ("a,b", "a", "200", "184")
    assert expected_of(SERVICE, wanted) == ("text/html", None)
    with pytest.raises(InvalidRequest, match="cannot be asked for information"):
        request_of(SERVICE, replace(wanted, layers=("b",)))


@pytest.mark.parametrize(("name", "key"), [("GetLegendGraphic", "LAYER"), ("DescribeLayer", "LAYERS"),
                                           ("GetStyles", "LAYERS")])
def test_operations_on_layers_need_layers(name, key):
    assert parameters(Wanted(name, layers=("a",)))[key] == "a"
    with pytest.raises(InvalidRequest, match="No layer was chosen"):
        request_of(SERVICE, Wanted(name))


def test_a_post_is_a_form_at_the_advertised_address_or_at_the_one_given():
    wanted = Wanted("GetStyles", "POST", layers=("a",))
    request = request_of(SERVICE, wanted)
    assert (request.method, request.url) == ("POST", "http://x/wms")
    assert b"REQUEST=GetStyles&LAYERS=a" in request.body
    assert request_of(SERVICE, wanted, "http://y/wms?").url.startswith("http://y/wms")


def test_capabilities_are_asked_for_in_a_version_or_without():
    assert "VERSION" not in parameters(Wanted("GetCapabilities"))
    assert parameters(Wanted("GetCapabilities", version="1.1.1"))["VERSION"] == "1.1.1"
    with pytest.raises(InvalidRequest):
        request_of(SERVICE, Wanted("GetTile"))
