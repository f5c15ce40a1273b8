"""A custom style in a request: SLD or SLD_BODY where the service advertises it, refused otherwise."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from plugin.core.box import Box
from plugin.core.cli import main
from plugin.core.errors import InvalidRequest
from plugin.core.request import HttpMethod
from plugin.core.wms.model.service import Layer, OperationInfo, Service
from plugin.core.wms.requests.operation_options import OperationOptions, request_from_options

URL = "http://a.invalid/w?"
SERVICE = Service(
    "1.3.0", supports_sld=True, exceptions=("XML", "INIMAGE", "BLANK"),
    root=Layer("a", "A", crs=("EPSG:4326", ), geographic_bbox=Box(-4, 38, -3, 39),
               queryable=True), operations={
                   name: OperationInfo(name, URL, URL, formats)
                   for name, formats in (("GetMap", ("image/png", )), ("GetFeatureInfo", ("text/plain", )),
                                         ("GetLegendGraphic", ("image/png", )))
               })
SLD = ('<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name>'
       '</NamedLayer></StyledLayerDescriptor>')


def asked(**more):
    request = request_from_options(
        SERVICE, OperationOptions(**{"operation": "GetMap", "layers": ("a", ), "crs": "EPSG:4326", **more}))
    text = request.body.decode() if request.body else urlsplit(request.url).query
    return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}


@pytest.mark.parametrize("operation", ["GetMap", "GetFeatureInfo", "GetLegendGraphic"])
@pytest.mark.parametrize("method", list(HttpMethod))
def test_a_style_travels_whole_in_the_address_and_in_the_body(operation, method):
    told = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + SLD.replace("<Name>a", "<Name>á&amp;+")
    sent = asked(operation=operation, method=method, user_style=told)
    assert sent["SLD_BODY"] == SLD.replace("<Name>a", "<Name>á&amp;+")
    assert asked(operation=operation, user_style="https://x.invalid/s.sld?a=1&b=2")["SLD"] == \
        "https://x.invalid/s.sld?a=1&b=2"
    assert "SLD_BODY" not in asked(operation=operation) and "SLD" not in asked(operation=operation)


@pytest.mark.parametrize(("style", "said"), [
    ("<a/>", "StyledLayerDescriptor"), ("<StyledLayer", "is incomplete"), ("a red line", "not XML"),
    ("ftp://x.invalid/s.sld", "not XML")])
def test_what_is_no_style_is_refused_before_it_is_sent(style, said):
    with pytest.raises(InvalidRequest, match=said):
        asked(user_style=style)


def test_a_service_that_does_not_announce_it_is_not_sent_one():
    with pytest.raises(InvalidRequest, match="support for custom styles"):
        request_from_options(replace(SERVICE, supports_sld=False),
                             OperationOptions(operation="GetMap", layers=("a", ), crs="EPSG:4326", user_style=SLD))


def test_ground_and_errors_are_asked_for_as_the_standard_spells_them():
    sent = asked(background="#aabbcc", exceptions="inimage")
    assert (sent["BGCOLOR"], sent["EXCEPTIONS"]) == ("0xAABBCC", "INIMAGE")
    assert asked(operation="GetFeatureInfo", exceptions="INIMAGE")["EXCEPTIONS"] == "XML"


def test_the_command_takes_a_file_in_its_own_encoding(tmp_path, capsys):
    capabilities = tmp_path / "c.xml"
    capabilities.write_text(
        '<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:sld="http://www.opengis.net/sld" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"><Service/><Capability><Request><GetMap><Format>image/png</Format>'
        f'<DCPType><HTTP><Get><OnlineResource xlink:href="{URL}"/></Get></HTTP></DCPType></GetMap></Request>'
        '<sld:UserDefinedSymbolization SupportSLD="1"/><Layer><Name>a</Name><Title>A</Title><CRS>CRS:84</CRS></Layer>'
        '</Capability></WMS_Capabilities>', "utf-8")
    style = tmp_path / "s.sld"
    style.write_bytes(f'<?xml version="1.0" encoding="ISO-8859-1"?>{SLD.replace(">a<", ">á<")}'.encode("latin-1"))
    status = main(["request", str(capabilities), "--layer", "a", "--crs", "CRS:84", "--bbox=-4,38,-3,39", "--size",
                   "10x10", "--sld", str(style)])
    out = capsys.readouterr().out
    assert status == 0
    assert parse_qs(urlsplit(out.strip()).query)["SLD_BODY"] == [SLD.replace(">a<", ">á<")]
