"""Responses of DescribeLayer, the styles of an SLD, and the operations that a service advertises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.box import Box
from plugin.core.errors import UnreadableDocument
from plugin.core.wms.crs.codes import common_crs
from plugin.core.wms.model.service import Layer, LinkedDocument, OperationInfo, Service, Style
from plugin.core.wms.requests.advertised_operations import advertised_operation, size_within_limits
from plugin.core.wms.responses.layer_descriptions import (
    LayerDescription,
    data_addresses,
    qualified_type_name,
    read_layer_descriptions,
)
from plugin.core.wms.responses.style_rules import LayerStyle, StyleRule, read_style_rules, read_styles

NEW = b"""<DescribeLayerResponse xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"
    xmlns:xlink="http://www.w3.org/1999/xlink"><Version>1.1.0</Version>
  <LayerDescription><owsType>wcs</owsType><se:OnlineResource xlink:href="https://example.org/wcs?"/>
    <TypeName><se:CoverageTypeName>relieve</se:CoverageTypeName></TypeName></LayerDescription>
  <LayerDescription><owsType>wfs</owsType><se:OnlineResource xlink:href="javascript:alert(1)"/>
    <TypeName><se:FeatureTypeName>ms:v\xc3\xadas</se:FeatureTypeName></TypeName></LayerDescription>
</DescribeLayerResponse>"""

OLD = b"""<?xml version="1.0"?>
<!DOCTYPE WMS_DescribeLayerResponse SYSTEM "http://example.org/describe.dtd">
<WMS_DescribeLayerResponse version="1.1.1">
  <LayerDescription name="roads" wfs="http://example.org/wfs?" owsType="WFS" owsURL="http://example.org/ows?">
    <Query typeName="ns:roads"/></LayerDescription>
  <LayerDescription name="rivers" wfs="http://example.org/wfs?"><Query typeName="rivers"/></LayerDescription>
  <LayerDescription name="picture"/>
</WMS_DescribeLayerResponse>"""

SLD = """<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se">
  <NamedLayer><se:Name>vías</se:Name>
    <NamedStyle><se:Name>ancho</se:Name></NamedStyle>
    <UserStyle><se:Name>uno</se:Name><se:Description><se:Title>Uno</se:Title></se:Description><IsDefault>1</IsDefault>
      <se:FeatureTypeStyle>
        <se:Rule><se:Name>a</se:Name><se:MaxScaleDenominator>5e4</se:MaxScaleDenominator><se:LineSymbolizer/></se:Rule>
        <se:Rule><se:TextSymbolizer/></se:Rule>
      </se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>""".encode()


def test_both_generations_of_descriptions_are_read():
    assert read_layer_descriptions(NEW) == (LayerDescription("WCS", "https://example.org/wcs?",
                                                             ("relieve", )), LayerDescription("WFS", "", ("ms:vías", )))
    assert read_layer_descriptions(OLD) == (LayerDescription("WFS", "http://example.org/ows?", ("ns:roads", ), "roads"),
                                            LayerDescription("WFS", "http://example.org/wfs?", ("rivers", ),
                                                             "rivers"), LayerDescription("", layer="picture"))
    assert read_layer_descriptions(SLD) == ()
    with pytest.raises(UnreadableDocument):
        read_layer_descriptions(b"<a")


@pytest.mark.parametrize(("wanted", "found"), [
    ("ms:vías", "ms:vías"), ("vías", "ms:vías"), ("x:ríos", "ms:ríos"), ("puntos", "puntos"), ("nada", "nada")])
def test_a_type_is_asked_for_as_its_service_writes_it(wanted, found):
    names = "".join(f"<FeatureType><Name>{name}</Name></FeatureType>"
                    for name in ("ms:vías", "ms:ríos", "a:puntos", "b:puntos"))
    document = f"<WFS_Capabilities xmlns='http://www.opengis.net/wfs/2.0'>{names}</WFS_Capabilities>".encode()
    assert qualified_type_name(document, wanted) == found


def test_styles_are_read_with_all_their_rules_and_legends_with_the_named_ones():
    line, label = StyleRule("a", "", "line", (None, 50000.0)), StyleRule("", "", "text")
    assert read_styles(SLD) == (LayerStyle("vías", "ancho"), LayerStyle("vías", "uno", "Uno", True, (line, label)))
    assert read_style_rules(SLD) == {"vías": (line,)}
    assert read_styles(NEW) == ()


def service(layer: Layer, *operations: OperationInfo) -> Service:
    return Service("1.3.0", operations={info.name: info for info in operations}, root=layer)


def test_what_is_offered_has_methods_and_what_is_not_has_a_reason():
    plain = Layer("a", "A", crs=("EPSG:25830",))
    get, both = OperationInfo("GetMap", "http://x/"), OperationInfo("sld:DescribeLayer", "http://x/", "http://x/")
    known = service(plain, get, both, OperationInfo("GetFeatureInfo", "http://x/"), OperationInfo("ms:GetStyles"))
    assert advertised_operation(known, "GetMap").methods == ("GET",)
    assert advertised_operation(known, "DescribeLayer").methods == ("GET", "POST")
    assert "can be queried" in advertised_operation(known, "GetFeatureInfo").unavailable_reason
    assert "no address" in advertised_operation(known, "GetStyles").unavailable_reason
    assert "does not advertise" in advertised_operation(known, "GetLegendGraphic").unavailable_reason
    legend = replace(plain, queryable=True, styles=(Style("s", legends=(LinkedDocument("http://x/l"),)),))
    assert advertised_operation(service(legend), "GetLegendGraphic").methods == ("GET",)


@pytest.mark.parametrize(("declared", "offered"), [
    ((), ("form",)), (("XML",), ("xml",)), (("KVP", "XML"), ("form", "xml")), (("text/plain",), ("form",))])
def test_a_post_is_a_form_unless_xml_is_declared(declared, offered):
    info = OperationInfo("GetMap", "http://x/", "http://x/", (), declared)
    assert advertised_operation(service(Layer("a"), info), "GetMap").encodings == offered


def test_systems_and_sizes_that_fit_all_layers():
    one, two = Layer("a", crs=("EPSG:3042", "EPSG:25830", "CRS:84")), Layer("b", crs=("CRS:84", "EPSG:3042"))
    assert common_crs([one, two]) == ("EPSG:3042", "CRS:84")
    assert common_crs([]) == ()
    assert size_within_limits(Box(0, 0, 200, 100), 800, (None, None)) == (800, 400)
    assert size_within_limits(Box(0, 0, 100, 400), 800, (1000, 1000)) == (250, 1000)
    assert size_within_limits(None, 8000, (1000, None)) == (1000, 750)


def test_the_addresses_of_data_are_those_of_requests_and_no_home_pages():
    document = b"""<WFS_Capabilities xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ows="http://www.opengis.net/ows/1.1">
        <Service><OnlineResource xlink:href="http://home/"/></Service><ows:ProviderSite xlink:href="http://provider/"/>
        <ows:DCP><ows:HTTP><ows:Get xlink:href="http://a/"/><ows:Post xlink:href="http://b/"/></ows:HTTP></ows:DCP>
        <DCPType><HTTP><Get onlineResource="http://c/"/></HTTP></DCPType>
        <HTTP><Get><OnlineResource xlink:href="http://d/"/></Get></HTTP></WFS_Capabilities>"""
    assert data_addresses(document) == ("http://a/", "http://b/", "http://c/", "http://d/")
