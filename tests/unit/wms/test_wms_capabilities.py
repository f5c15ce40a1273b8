"""Capabilities documents become Services: every element of the standards, in every shape that servers send."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.core.box import Box
from plugin.core.errors import NotCapabilities, ServiceError, UnreadableDocument
from plugin.core.wms import read_service
from plugin.core.wms.model.service import Attribution, BoundingBox, Identifier, LinkedDocument

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wms"
ADDRESS = "https://mapas.example.org/wms/red?language=spa&"


@pytest.fixture(scope="module")
def data() -> bytes:
    return (FIXTURES / "network-1.3.0.xml").read_bytes()


@pytest.fixture(scope="module")
def service(data):
    return read_service(data, "red.xml")


@pytest.fixture(scope="module")
def old():
    return read_service((FIXTURES / "network-1.1.1.xml").read_bytes())


def test_the_service_says_who_it_is(service):
    assert (service.version, service.name, service.title) == ("1.3.0", "WMS", "Servicio de prueba de la red")
    assert service.abstract == "Primer párrafo.\n\nSegundo párrafo."
    assert service.keywords == ("WMS", "lluvia", "infoMapAccessService")
    assert service.online_resource == "https://mapas.example.org/acerca"
    assert (service.fees, service.access_constraints) == ("Gratuito", "Uso libre siempre que se mencione a los autores")
    assert service.update_sequence == "7"
    assert service.exceptions == ("XML", "INIMAGE", "BLANK")
    assert service.supports_sld is True


def test_the_contact_leaves_out_what_only_says_absent(service):
    contact = service.contact
    assert contact.individual is None
    assert (contact.organisation, contact.position, contact.email, contact.phone) == (
        "Consejería", "author", "mapas@example.org", "+34 1")
    assert contact.address == "Calle 1, 41071, Sevilla, España"


def test_limits_are_read_and_absent_ones_are_no_limit(service, old):
    assert (service.limits.layers, service.limits.width, service.limits.height) == (2, 4096, 2048)
    assert (old.limits.layers, old.limits.width, old.limits.height) == (None, None, None)


def test_operations_have_both_addresses_formats_and_their_prefix(service):
    assert list(service.operations) == ["GetCapabilities", "GetMap", "GetFeatureInfo", "sld:DescribeLayer",
                                        "sld:GetLegendGraphic", "ms:GetStyles"]
    get_map = service.operations["GetMap"]
    assert (get_map.get, get_map.post) == (ADDRESS, ADDRESS)
    assert get_map.formats == ("image/png", "image/jpeg", "image/png; mode=8bit")
    assert service.operations["ms:GetStyles"].post is None
    assert service.operation("GetStyles") is service.operation("ms:GetStyles") is not None


def test_every_address_that_a_document_names_for_an_operation_is_known():
    def get(address):
        return f'<Get><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{address}"/></Get>'

    document = ('<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Name>WMS</Name></Service>'
                f'<Capability><Request><GetMap><DCPType><HTTP>{get("http://a/")}{get("http://b/")}</HTTP></DCPType></GetMap>'
                f'<GetMap><DCPType><HTTP>{get("http://c/")}<Post onlineResource="http://d/"/></HTTP></DCPType></GetMap>'
                '</Request></Capability></WMS_Capabilities>')
    operation = read_service(document.encode()).operation("GetMap")
    assert operation.get == "http://a/"
    assert operation.named_addresses == ("http://a/", "http://b/", "http://c/", "http://d/")


def test_extension_operations_keep_their_usual_prefix_whatever_the_document_binds(data):
    renamed = data.replace(b"xmlns:sld=", b"xmlns:q=").replace(b"sld:", b"q:")
    assert "sld:DescribeLayer" in read_service(renamed).operations
    bare = data.replace(b"<sld:DescribeLayer>", b'<DescribeLayer xmlns="http://www.opengis.net/sld">') \
        .replace(b"</sld:DescribeLayer>", b"</DescribeLayer>")
    assert read_service(bare).operations["sld:DescribeLayer"].get == ADDRESS


def test_plain_names_of_extensions_in_1_1_1(old):
    assert list(old.operations) == ["GetCapabilities", "GetMap", "GetFeatureInfo", "DescribeLayer", "GetLegendGraphic",
                                    "GetStyles"]
    assert old.operation("sld:DescribeLayer").get == "http://mapas.example.org/cgi?map=/datos/red.map&"


def test_inspire_metadata_and_languages(service):
    link = service.metadata_urls[0]
    assert link.record_id == "d9f6819a4f765ddb347a752dc4099b84e7861cf8"
    assert link.format == "text/html"
    assert (service.languages, service.default_language) == (("spa", "eng"), "spa")


def test_layer_links_identifiers_and_legend(service):
    layer = service.layer("Vehículos_contra_incendios")
    assert layer.identifiers == (Identifier("red", "veh-1"),)
    assert layer.authorities == (LinkedDocument("https://mapas.example.org/autoridad", name="red"),)
    assert layer.metadata_urls[0].record_id == "0b9aa872-ad3d-4e30-941a-40a9968be6b0"
    assert layer.metadata_urls[0].type == "ISO19115:2003"
    assert layer.data_urls == (LinkedDocument("https://mapas.example.org/datos.zip", "application/zip"),)
    assert layer.feature_list_urls == (LinkedDocument("https://mapas.example.org/lista.xml", "text/xml"),)
    legend = layer.style("default").legends[0]
    assert (legend.format, legend.width, legend.height) == ("image/png", 185, 30)
    assert legend.url.endswith("&STYLE=default")


def test_numbers_with_exponents_and_scales(service):
    root = service.root
    assert root.bboxes[0] == BoundingBox("EPSG:3042", 3_970_000, 85_000, 4_300_000, 630_000)
    assert root.geographic_bbox == Box(-7.6, 35.9, -1.6, 38.8)
    assert service.layer("Vehículos_contra_incendios").scale_range == (1000, 50_000)


def test_attribution_with_logo(service):
    assert service.attribution == Attribution(
        "Red de información", "https://mapas.example.org/",
        LinkedDocument("https://mapas.example.org/logo.png", "image/png", width=20, height=10))


def test_a_group_without_name_cannot_be_asked_for(service):
    group = next(layer for layer in service.iter_layers() if layer.title == "Grupo sin nombre")
    assert group.name is None
    assert [layer.name for layer in group.layers] == ["foto", "lluvia", "modelo"]


def test_the_old_document_is_read_in_its_own_encoding_without_declaring_xlink(old):
    assert old.version == "1.1.1"
    assert old.layer("estaciones").title == "Estaciones de medición"
    assert (old.fees, old.access_constraints) == ("none", "none")


def test_srs_lists_separated_by_spaces(old):
    assert old.root.crs == ("EPSG:4326", "EPSG:25830", "EPSG:3042", "EPSG:3857", "EPSG:3035")


def test_decimal_commas_are_understood(old):
    assert old.root.geographic_bbox == Box(-7.6, 35.9, -1.6, 38.8)


def test_scale_hints_become_denominators_of_a_0_28_mm_pixel(old):
    # 9.8994949366 m of diagonal are 7 m of side: 7 / 0.00028 = 25,000
    smallest, largest = old.layer("estaciones").scale_range
    assert smallest == pytest.approx(25_000, rel=1e-9)
    assert largest == pytest.approx(50_000, rel=1e-9)
    assert old.layer("rios").scale_range[0] is None
    assert old.layer("rios").scale_range[1] == pytest.approx(1000 / 2 ** 0.5 / 0.00028)


def test_json_has_the_members_that_the_design_names(service):
    value = service.to_dict()
    assert set(value) >= {"format", "version", "title", "abstract", "fees", "access_constraints", "contact",
                          "attribution", "limits", "operations", "exceptions", "update_sequence", "layers"}
    assert value["limits"] == {"layers": 2, "width": 4096, "height": 2048}
    assert value["operations"]["GetMap"]["get"] == ADDRESS
    layer = value["layers"][0]["layers"][0]
    assert set(layer) >= {"name", "title", "abstract", "crs", "styles", "bboxes", "geographic_bbox", "scale_range",
                          "dimensions", "queryable", "opaque", "no_subsets", "fixed_size", "metadata_urls", "layers"}
    assert layer["crs"][0] == "EPSG:3042"
    assert value["layers"][0]["layers"][2]["name"] is None


def _wrapped(body: str, version: str = "1.3.0") -> bytes:
    root = "WMS_Capabilities" if version == "1.3.0" else "WMT_MS_Capabilities"
    space = ' xmlns="http://www.opengis.net/wms"' if version == "1.3.0" else ""
    return (f'<{root} version="{version}"{space} xmlns:xlink="http://www.w3.org/1999/xlink"><Service><Title>S</Title>'
            f"</Service><Capability>{body}</Capability></{root}>").encode()


def test_several_root_layers_are_gathered_under_one_without_name():
    service = read_service(_wrapped("<Layer><Name>a</Name><CRS>CRS:84</CRS></Layer><Layer><Name>b</Name></Layer>"))
    assert service.root.name is None
    assert [layer.name for layer in service.root.layers] == ["a", "b"]
    assert service.layer("b").crs == ()


@pytest.mark.parametrize(("written", "expected"), [("1", True), ("true", True), (" TRUE ", True), ("0", False),
                                                   ("false", False), ("", False), ("maybe", False)])
def test_booleans_are_read_in_all_their_spellings(written, expected):
    service = read_service(_wrapped(f'<Layer queryable="{written}"><Name>a</Name></Layer>'))
    assert service.layer("a").queryable is expected


def test_a_wrong_namespace_or_a_prefix_is_tolerated(data):
    other = data.replace(b'xmlns="http://www.opengis.net/wms"', b'xmlns="http://www.opengis.net/ows/wms"')
    assert read_service(other).to_dict() == read_service(data).to_dict()
    none = data.replace(b' xmlns="http://www.opengis.net/wms"', b"")
    assert read_service(none).to_dict() == read_service(data).to_dict()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "iso-8859-15", "windows-1252"])
def test_other_encodings_say_the_same(data, encoding):
    text = data.decode().replace('encoding="UTF-8"', f'encoding="{encoding.replace("-sig", "").replace("-le", "")}"')
    encoded = text.encode(encoding)
    if encoding == "utf-16-le":
        encoded = b"\xff\xfe" + encoded
    assert read_service(encoded).to_dict() == read_service(data).to_dict()


def test_cgi_header_lines_in_front_are_read_over(data):
    assert read_service(b"Content-Type: text/xml; charset=UTF-8\r\nX-Powered-By: mapserv\r\n\r\n" + data).title
    assert read_service(b"\n  \n" + data).title


def test_undeclared_prefixes_are_declared_in_wide_encodings_too():
    data = _wrapped('<Request><GetMap><DCPType><HTTP><Get><OnlineResource xlink:href="http://x.example/"/></Get></HTTP>'
                    "</DCPType></GetMap></Request>").replace(b' xmlns:xlink="http://www.w3.org/1999/xlink"', b"")
    wide = ('<?xml version="1.0" encoding="UTF-16"?>' + data.decode()).encode("utf-16")
    assert read_service(data).operations["GetMap"].get == "http://x.example/"
    assert read_service(wide).operations["GetMap"].get == "http://x.example/"


def test_foreign_elements_inside_a_layer_do_not_count():
    service = read_service(_wrapped('<Layer><e:Name xmlns:e="urn:e">no</e:Name><Name>a</Name>'
                                    '<e:CRS xmlns:e="urn:e">EPSG:1</e:CRS></Layer>'))
    assert service.layer("a").crs == ()
    assert service.layer("no") is None


def test_version_1_0_0_is_read_by_its_old_names():
    service = read_service(
        b'<WMT_MS_Capabilities version="1.0.0"><Service><Name>GetMap</Name><Title>T</Title>'
        b"<Keywords>bird road</Keywords><OnlineResource>http://x.example/</OnlineResource></Service>"
        b"<Capability><Request><Map><Format><PNG/><GIF/></Format>"
        b'<DCPType><HTTP><Get onlineResource="http://x.example/map"/></HTTP></DCPType></Map></Request>'
        b"<Exception><Format><BLANK/><WMS_XML/></Format></Exception>"
        b'<Layer queryable="1"><Name>a</Name><Title>A</Title><SRS>EPSG:4326</SRS></Layer></Capability>'
        b"</WMT_MS_Capabilities>")
    assert service.operations["GetMap"].formats == ("PNG", "GIF")
    assert service.operations["GetMap"].get == "http://x.example/map"
    assert service.exceptions == ("BLANK", "WMS_XML")
    assert service.keywords == ("bird", "road")
    assert service.online_resource == "http://x.example/"


@pytest.mark.parametrize(("stated", "read"), [("1.3", "1.3.0"), (" 1.3.0 ", "1.3.0"), ("1.1.1", "1.1.1")])
def test_the_version_is_told_in_its_full_form(stated, read):
    assert read_service(_wrapped("").replace(b'version="1.3.0"', f'version="{stated}"'.encode())).version == read


def test_a_version_that_is_not_understood_is_refused_by_name():
    with pytest.raises(NotCapabilities, match=r"WMS 2\.0\.0") as caught:
        read_service(_wrapped("").replace(b'version="1.3.0"', b'version="2.0.0"'))
    assert caught.value.version == "2.0.0"


@pytest.mark.parametrize(("document", "what"), [
    (b'<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" version="2.0.0"/>', "WFS"),
    (b'<Capabilities xmlns="http://www.opengis.net/wmts/1.0" version="1.0.0"/>', "WMTS"),
    (b'<c:Capabilities xmlns:c="http://www.opengis.net/cat/csw/2.0.2" version="2.0.2"/>', "CSW"),
    (b'<Capabilities xmlns="http://www.opengis.net/wcs/2.0"/>', "WCS"),
    (b'<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd"/>', "metadata record"),
    (b"<!DOCTYPE html><html><head><title>Portal</title></head><body><p>hola<br></body></html>", "web page"),
    (b'<html xmlns="http://www.w3.org/1999/xhtml"><head/></html>', "web page"),
    (b'{"type": "FeatureCollection"}', "JSON"),
    (b"\x89PNG\r\n\x1a\n" + bytes(40), "image"),
    (b"PK\x03\x04" + bytes(40), "zip"),
    (b"<kml/>", "KML"),
    (b"<whatever/>", "whatever"),
    (b"Fatal error: out of memory", "other than XML"),
])
def test_another_document_is_named_for_what_it_is(document, what):
    with pytest.raises(NotCapabilities) as caught:
        read_service(document, "algo.xml")
    assert what in caught.value.document_kind
    assert "algo.xml" in caught.value.user_text


def test_an_exception_report_is_the_service_s_own_error():
    with pytest.raises(ServiceError, match="not enabled"):
        read_service(b"<ServiceExceptionReport><ServiceException>WMS request not enabled</ServiceException>"
                     b"</ServiceExceptionReport>")


@pytest.mark.parametrize("document", [
    b"", b"   ", b"<WMS_Capabilities", b"<WMS_Capabilities><Service></WMS_Capabilities>",
    b'<!DOCTYPE W [<!ENTITY a "x">]><WMS_Capabilities version="1.3.0">&a;</WMS_Capabilities>',
    b"<WMS_Capabilities>" + b"<Layer>" * 10_000,
])
def test_broken_and_hostile_documents_are_refused_in_words(document):
    with pytest.raises(UnreadableDocument) as caught:
        read_service(document, "mal.xml")
    assert "mal.xml" in caught.value.user_text


def test_deep_nesting_within_the_parser_s_limit_is_read():
    service = read_service(_wrapped("<Layer>" * 200 + "<Name>deep</Name>" + "</Layer>" * 200))
    assert service.layer("deep") is not None
    assert service.to_dict()["layers"][0]["layers"]


def test_an_attack_on_memory_by_inheritance_is_refused():
    boxes = "".join(f'<BoundingBox CRS="X:{n}" minx="0" miny="0" maxx="1" maxy="1"/>' for n in range(3000))
    layers = "".join(f'<Layer><BoundingBox CRS="Y:{n}" minx="0" miny="0" maxx="1" maxy="1"/></Layer>'
                     for n in range(3000))
    with pytest.raises(UnreadableDocument, match="inherit"):
        read_service(_wrapped(f"<Layer>{boxes}{layers}</Layer>"))


def test_a_document_that_is_cut_short_still_tells_what_it_has():
    service = read_service(b'<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"/>')
    assert (service.title, service.root, dict(service.operations)) == ("", None, {})
    assert service.to_dict()["layers"] == []
