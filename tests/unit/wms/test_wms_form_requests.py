"""Requests from a filled-in form: defaults, square pixels, fixed sizes, the centre of the map."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.box import Box
from plugin.core.errors import InvalidRequest
from plugin.core.request import HttpMethod
from plugin.core.wms.model.service import BoundingBox, Layer, OperationInfo, Service, ServiceLimits
from plugin.core.wms.requests.operation_options import (
    OperationOptions,
    expected_response,
    map_size,
    request_from_options,
)
from plugin.core.wms.requests.urls import query_parameters

BOX = (BoundingBox("EPSG:25830", 442000, 4236500, 468000, 4260500),)


def layer(name: str, **properties: object) -> Layer:
    return Layer(name, name, crs=("EPSG:25830", "EPSG:3042"), bboxes=BOX,
                 geographic_bbox=Box(-3.66, 38.27, -3.36, 38.49), **properties)


FORMATS = {"GetMap": ("image/png",), "GetFeatureInfo": ("text/plain", "text/html"),
           "GetLegendGraphic": ("image/png",), "DescribeLayer": ("text/xml",), "GetStyles": ("text/xml",),
           "GetCapabilities": ("text/xml",)}
SERVICE = Service(
    "1.3.0", limits=ServiceLimits(None, 4096, 4096), operations={
        name: OperationInfo(name, "http://x/wms?", "http://x/wms", formats) for name, formats in FORMATS.items()
    }, root=Layer(None, "Raíz", layers=(layer("a", queryable=True), layer("b"), layer("c", fixed_size=(300, 200)))))


def parameters(options: OperationOptions) -> dict[str, str]:
    return dict(query_parameters(request_from_options(SERVICE, options).url))


def test_a_map_has_square_pixels_unless_its_height_is_given():
    options = OperationOptions(operation="GetMap", layers=("b",), crs="EPSG:25830", width=800)
    assert map_size(SERVICE, options) == (800, 738)
    sent = parameters(options)
    assert (sent["WIDTH"], sent["HEIGHT"], sent["BBOX"]) == ("800", "738", "442000,4236500,468000,4260500")
    assert "TRANSPARENT" not in sent
    assert map_size(SERVICE, replace(options, height=100)) == (800, 100)
    assert expected_response(SERVICE, options) == ("image", (800, 738))


def test_a_layer_of_fixed_size_is_requested_in_that_size():
    assert parameters(OperationOptions(operation="GetMap", layers=("c",), crs="EPSG:25830"))["WIDTH"] == "300"


def test_feature_info_queries_only_queryable_layers_by_default_at_the_centre():
    options = OperationOptions(operation="GetFeatureInfo", layers=("a", "b"), crs="EPSG:25830", width=400,
                               info_format="text/html")
    sent = parameters(options)
    assert (sent["LAYERS"], sent["QUERY_LAYERS"], sent["I"], sent["J"]) == ("a,b", "a", "200", "184")
    assert expected_response(SERVICE, options) == ("text/html", None)
    with pytest.raises(InvalidRequest, match="cannot be queried"):
        request_from_options(SERVICE, replace(options, layers=("b",)))


@pytest.mark.parametrize(("name", "key"), [("GetLegendGraphic", "LAYER"), ("DescribeLayer", "LAYERS"),
                                           ("GetStyles", "LAYERS")])
def test_operations_on_layers_need_layers(name, key):
    assert parameters(OperationOptions(operation=name, layers=("a",)))[key] == "a"
    with pytest.raises(InvalidRequest, match="No layer selected"):
        request_from_options(SERVICE, OperationOptions(operation=name))


def test_a_post_is_a_form_sent_to_the_advertised_or_the_given_address():
    options = OperationOptions(operation="GetStyles", method=HttpMethod.POST, layers=("a",))
    request = request_from_options(SERVICE, options)
    assert (request.method, request.url) == ("POST", "http://x/wms")
    assert b"REQUEST=GetStyles&LAYERS=a" in request.body
    assert request_from_options(SERVICE, options, "http://y/wms?").url.startswith("http://y/wms")


def test_capabilities_are_requested_with_or_without_a_version():
    assert "VERSION" not in parameters(OperationOptions(operation="GetCapabilities"))
    assert parameters(OperationOptions(operation="GetCapabilities", version="1.1.1"))["VERSION"] == "1.1.1"
    with pytest.raises(InvalidRequest):
        request_from_options(SERVICE, OperationOptions(operation="GetTile"))
