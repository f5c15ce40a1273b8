"""Requests as the standards demand them, written from OGC 06-042, 01-068r3 and 05-078r4, clause by clause."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from lxml import etree

from plugin.core.errors import InvalidRequest
from plugin.core.request import HttpMethod, Response
from plugin.core.wms import read_service
from plugin.core.wms.crs.codes import UnknownCrs
from plugin.core.wms.model.service import Service
from plugin.core.wms.requests.get_capabilities import (
    advertised_capabilities_request,
    cache_validators,
    capabilities_request,
    conditional_request,
    is_not_modified,
    rejects_update_sequence,
)
from plugin.core.wms.requests.get_feature_info import feature_info_request
from plugin.core.wms.requests.get_map import MapOptions, map_request
from plugin.core.wms.requests.sld_profile import describe_layer_request, legend_request, styles_request

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wms"
GET_1_3 = "https://mapas.example.org/wms/red?language=spa&"
BBOX = (-3.6, 38.3, -3.4, 38.45)
REPORT = ('<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">'
          '<ServiceException code="{}">x</ServiceException></ServiceExceptionReport>')


@pytest.fixture(scope="module")
def service():
    return read_service((FIXTURES / "network-1.3.0.xml").read_bytes())


@pytest.fixture(scope="module")
def old():
    return read_service((FIXTURES / "network-1.1.1.xml").read_bytes())


def parameters(url: str) -> dict[str, str]:
    """The request's parameters; none may come twice, in whatever case (6.8.1)."""
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True, strict_parsing=True)
    names = [name.upper() for name, _ in pairs]
    assert len(names) == len(set(names)), url
    return dict(pairs)


def a_map(layers=("relieve",), crs="EPSG:25830", width=800, height=600, **more):
    more.setdefault("bbox", BBOX)
    return MapOptions(layers=layers, crs=crs, width=width, height=height, **more)


def test_a_1_3_0_map_has_every_mandatory_parameter_and_the_address_s_own(service):
    # 06-042 Table 8; the prefix keeps its own parameters (6.3.3)
    request = map_request(service, a_map())
    assert request.method == "GET"
    assert request.url.startswith(GET_1_3)
    own = parameters(request.url)
    own.pop("BBOX")
    assert own == {"language": "spa", "SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetMap", "LAYERS": "relieve",
                   "STYLES": "", "CRS": "EPSG:25830", "WIDTH": "800", "HEIGHT": "600", "FORMAT": "image/png"}


def test_a_1_1_1_map_says_srs(old):
    # 01-068r3 Table 8
    own = parameters(map_request(old, a_map(["rios"])).url)
    assert own["SRS"] == "EPSG:25830"
    assert "CRS" not in own
    assert (own["VERSION"], own["map"]) == ("1.1.1", "/datos/red.map")


# Corners around the box, reckoned with GDAL along densely sampled edges. In 1.3.0 the order is that of the CRS's
# definition (6.7.2, 6.7.4); before it is always x, y, that is east, north (01-068r3 6.5.4).
UTM = (447536.701, 4239177.163, 465096.687, 4255915.839)
LAEA = (3130225.445, 1794112.585, 3150141.632, 1813572.048)
MERCATOR = (-400750.167, 4621892.867, -378486.269, 4643192.220)


def swapped(box):
    return (box[1], box[0], box[3], box[2])


@pytest.mark.parametrize(("crs", "in_1_3_0", "in_1_1_1"), [
    ("EPSG:4326", swapped(BBOX), BBOX),
    ("CRS:84", BBOX, None),
    ("EPSG:3042", swapped(UTM), UTM),
    ("EPSG:25830", UTM, UTM),
    ("EPSG:3035", swapped(LAEA), LAEA),
    ("EPSG:3857", MERCATOR, MERCATOR),
])
def test_the_order_of_a_box_follows_the_crs_s_definition_from_1_3_0_on(service, old, crs, in_1_3_0, in_1_1_1):
    box = [float(value) for value in parameters(map_request(service, a_map(crs=crs)).url)["BBOX"].split(",")]
    assert box == pytest.approx(in_1_3_0, rel=0, abs=0.01)
    if in_1_1_1 is not None:
        own = parameters(map_request(old, a_map(["rios"], crs)).url)
        assert [float(value) for value in own["BBOX"].split(",")] == pytest.approx(in_1_1_1, rel=0, abs=0.01)


def test_a_box_in_degrees_is_sent_as_it_was_given(service):
    assert parameters(map_request(service, a_map(crs="CRS:84")).url)["BBOX"] == "-3.6,38.3,-3.4,38.45"
    assert parameters(map_request(service, a_map(crs="EPSG:4326")).url)["BBOX"] == "38.3,-3.6,38.45,-3.4"


def test_a_native_box_is_given_with_x_to_the_east_and_sent_in_the_crs_s_order(service):
    box = (447000, 4239000.5, 448000, 4240000)
    url = map_request(service, a_map(crs="EPSG:3042", bbox=None, native_bbox=box)).url
    assert parameters(url)["BBOX"] == "4239000.5,447000,4240000,448000"
    url = map_request(service, a_map(crs="EPSG:25830", bbox=None, native_bbox=box)).url
    assert parameters(url)["BBOX"] == "447000,4239000.5,448000,4240000"


def test_without_a_box_the_layer_is_drawn_whole(service):
    own = parameters(map_request(service, a_map(crs="EPSG:3042", bbox=None)).url)
    assert own["BBOX"] == "3970000,85000,4300000,630000"


@pytest.mark.parametrize("box", [(-3.4, 38.3, -3.6, 38.4), (-3.6, 38.3, -3.6, 38.4), (-3.6, 38.4, -3.5, 38.3),
                                 (float("nan"), 0, 1, 1), (0, 0, float("inf"), 1), (-3.6, -95, -3.5, 0), (1, 2, 3)])
def test_a_box_without_area_or_sense_is_refused(service, box):
    with pytest.raises(InvalidRequest, match="extent"):
        map_request(service, a_map(bbox=box))


def test_the_layers_go_from_the_bottom_to_the_top_with_as_many_styles(service):
    # 7.3.3.3, 7.3.3.4
    chosen = a_map(["relieve", "Vehículos_contra_incendios"], styles=["", "noche"])
    url = map_request(service, chosen).url
    assert "LAYERS=relieve,Veh%C3%ADculos_contra_incendios&" in url
    assert "STYLES=,noche&" in url


@pytest.mark.parametrize("styles", [(), ("",), ("", ""), ("default", "default")])
def test_default_styles_throughout_are_an_empty_value(service, styles):
    own = parameters(map_request(service, a_map(["relieve", "lluvia"], styles=styles)).url)
    assert own["STYLES"] == ""


def test_a_style_called_default_is_sent_where_it_is_advertised(service):
    own = parameters(map_request(service, a_map(["Vehículos_contra_incendios"], styles=["default"])).url)
    assert own["STYLES"] == "default"


@pytest.mark.parametrize(("chosen", "told"), [
    ({"layers": []}, "No layer"),
    ({"layers": ["nada"]}, "relieve"),
    ({"layers": ["RELIEVE"]}, "relieve"),  # values are case-sensitive (6.8.1)
    ({"layers": ["Grupo sin nombre"]}, "group without a name"),  # 7.2.4.6.3
    ({"layers": ["relieve", "lluvia", "RED"]}, "at most 2"),  # LayerLimit
    ({"styles": ["noche"]}, "no style"),
    ({"styles": ["", ""], "layers": ["relieve"]}, None),
    ({"styles": ["noche", "noche"], "layers": ["Vehículos_contra_incendios"]}, "Each layer needs one style"),
    ({"crs": "EPSG:25829"}, "EPSG:3042"),
    ({"format": "image/tiff"}, "image/jpeg"),
    ({"width": 4097}, "4096"), ({"height": 2049}, "2048"), ({"width": 0}, "cannot be drawn"), ({"height": -5}, "drawn"),
    ({"background": "rojo"}, "#RRGGBB"),
    ({"exceptions": "application/vnd.ogc.se_whatever"}, "INIMAGE"),
    ({"native_bbox": (0, 0, 1, 1)}, "not both"),
])
def test_what_is_not_on_offer_is_refused_with_what_is(service, chosen, told):
    if told is None:
        map_request(service, a_map(**chosen))
        return
    with pytest.raises(InvalidRequest) as caught:
        map_request(service, a_map(**chosen))
    assert told in caught.value.user_text


def test_sizes_up_to_the_limits_and_without_any_are_allowed(service, old):
    map_request(service, a_map(width=4096, height=2048))
    map_request(old, a_map(["rios"], width=9000, height=9000))


def test_a_layer_with_no_subsets_is_only_drawn_whole_and_at_its_fixed_size(service):
    # 7.2.4.7.5, 7.2.4.7.6
    whole = (400000, 4200000, 406000, 4204000)
    url = map_request(service, a_map(["foto"], width=600, height=400, bbox=None, native_bbox=whole)).url
    assert parameters(url)["BBOX"] == "400000,4200000,406000,4204000"
    assert parameters(map_request(service, a_map(["foto"], width=600, height=400, bbox=None)).url)["BBOX"] == \
        "400000,4200000,406000,4204000"
    with pytest.raises(InvalidRequest, match="only be drawn as a whole"):
        map_request(service, a_map(["foto"], width=600, height=400))
    with pytest.raises(InvalidRequest, match="600 × 400"):
        map_request(service, a_map(["foto"], width=601, height=400, bbox=None))


def test_formats_match_whatever_their_case_and_spaces_and_are_sent_as_advertised(service):
    own = parameters(map_request(service, a_map(format="IMAGE/PNG;mode=8bit")).url)
    assert own["FORMAT"] == "image/png; mode=8bit"


@pytest.mark.parametrize("spelling", ["urn:ogc:def:crs:EPSG::25830", "http://www.opengis.net/def/crs/EPSG/0/25830",
                                      "epsg:25830"])
def test_a_crs_is_sent_in_the_service_s_spelling(service, spelling):
    assert parameters(map_request(service, a_map(crs=spelling)).url)["CRS"] == "EPSG:25830"


def test_transparency_background_and_errors(service, old):
    # 7.3.3.9, 7.3.3.10, 7.3.3.11; 01-068r3 7.2.3.11
    chosen = {"transparent": True, "background": "#fF00aa", "exceptions": "inimage"}
    own = parameters(map_request(service, a_map(**chosen)).url)
    assert (own["TRANSPARENT"], own["BGCOLOR"], own["EXCEPTIONS"]) == ("TRUE", "0xFF00AA", "INIMAGE")
    own = parameters(map_request(old, a_map(["rios"], **chosen)).url)
    assert own["EXCEPTIONS"] == "application/vnd.ogc.se_inimage"
    assert "TRANSPARENT" not in parameters(map_request(service, a_map()).url)
    assert parameters(map_request(service, a_map(transparent=False)).url)["TRANSPARENT"] == "FALSE"


@pytest.mark.parametrize(("layer", "dimensions", "expected"), [
    ("lluvia", {}, {}),  # both have a default
    ("lluvia", {"time": "2016-06-07"}, {"TIME": "2016-06-07"}),
    ("lluvia", {"TIME": "2016-06-07T00:00:00Z"}, {"TIME": "2016-06-07T00:00:00Z"}),
    ("lluvia", {"time": "2016-06-07/2016-06-09"}, {"TIME": "2016-06-07/2016-06-09"}),
    ("lluvia", {"time": "2016-06-07,2016-06-08", "elevation": "500"},
     {"TIME": "2016-06-07,2016-06-08", "ELEVATION": "500"}),
    ("modelo", {"pasada": "06"}, {"DIM_PASADA": "06"}),
    ("modelo", {"dim_pasada": "12"}, {"DIM_PASADA": "12"}),
])
def test_dimensions_have_their_parameter(service, layer, dimensions, expected):
    own = parameters(map_request(service, a_map([layer], dimensions=dimensions)).url)
    sent = {name: value for name, value in own.items() if name in ("TIME", "ELEVATION") or name.startswith("DIM_")}
    assert sent == expected


@pytest.mark.parametrize(("layer", "dimensions", "told"), [
    ("lluvia", {"time": "2017-01-01"}, "2016-06-01/2016-06-30/P1D"),
    ("lluvia", {"time": "current"}, "does not offer"),
    ("lluvia", {"elevation": "0,100"}, "one value"),
    ("lluvia", {"elevation": "250"}, "0,100,500"),
    ("relieve", {"time": "2016-06-07"}, "None of the layers"),
    ("modelo", {}, "needs a value"),  # no default and no value (C.3.3)
])
def test_dimension_values_that_are_not_on_offer_are_refused(service, layer, dimensions, told):
    with pytest.raises(InvalidRequest) as caught:
        map_request(service, a_map([layer], dimensions=dimensions))
    assert told in caught.value.user_text


def test_a_nearest_value_of_1_1_1_need_not_be_exact(old):
    own = parameters(map_request(old, a_map(["estaciones"], dimensions={"time": "2016-07-15"})).url)
    assert own["TIME"] == "2016-07-15"


def test_feature_info_repeats_the_map_and_adds_its_own_mandatory_parameters(service):
    # 06-042 Table 9
    chosen = a_map(["lluvia", "Vehículos_contra_incendios"], transparent=True)
    own = parameters(feature_info_request(service, chosen, 12, 34, query_layers=["lluvia"], feature_count=5).url)
    the_map = parameters(map_request(service, chosen).url)
    same = ("LAYERS", "STYLES", "CRS", "BBOX", "WIDTH", "HEIGHT", "FORMAT", "TRANSPARENT", "VERSION", "SERVICE")
    assert {name: own[name] for name in same} == {name: the_map[name] for name in same}
    assert own["REQUEST"] == "GetFeatureInfo"
    assert (own["QUERY_LAYERS"], own["I"], own["J"], own["FEATURE_COUNT"]) == ("lluvia", "12", "34", "5")
    assert own["INFO_FORMAT"] == "application/vnd.ogc.gml"
    assert "X" not in own


def test_feature_info_of_1_1_1_counts_x_and_y(old):
    own = parameters(feature_info_request(old, a_map(["estaciones"]), 0, 599).url)
    assert (own["X"], own["Y"], own["INFO_FORMAT"]) == ("0", "599", "text/plain")
    assert not {"I", "J", "FEATURE_COUNT"} & set(own)


@pytest.mark.parametrize(("i", "j"), [(-1, 0), (0, -1), (800, 0), (0, 600)])
def test_a_point_outside_the_map_is_refused(service, i, j):
    with pytest.raises(InvalidRequest, match="outside"):
        feature_info_request(service, a_map(["lluvia"]), i, j)


@pytest.mark.parametrize(("more", "told"), [
    ({"query_layers": ["relieve"]}, "cannot be queried"),
    ({"query_layers": ["RED"]}, "not part of the queried map"),
    ({"query_layers": []}, "No layer"),
    ({"info_format": "application/json"}, "text/plain"),
    ({"feature_count": 0}, "At least one"),
])
def test_feature_info_that_is_not_on_offer_is_refused(service, more, told):
    with pytest.raises(InvalidRequest) as caught:
        feature_info_request(service, a_map(["lluvia", "relieve"]), 1, 1, **{"query_layers": ["lluvia"], **more})
    assert told in caught.value.user_text


def test_a_legend_graphic_says_the_version_of_its_profile(service, old):
    # 05-078r4 Table 9
    layer = "Vehículos_contra_incendios"
    own = parameters(legend_request(service, layer, "noche", size=(20, 10), scale=25000, rule="camiones").url)
    assert own == {"language": "spa", "SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetLegendGraphic",
                   "SLD_VERSION": "1.1.0", "LAYER": layer, "STYLE": "noche", "FORMAT": "image/png", "RULE": "camiones",
                   "WIDTH": "20", "HEIGHT": "10", "SCALE": "25000"}
    assert "SLD_VERSION" not in parameters(legend_request(old, "rios").url)


def test_a_service_without_legend_graphics_gives_the_advertised_legend(service):
    document = (FIXTURES / "network-1.3.0.xml").read_bytes()
    without = read_service(document.replace(b"sld:GetLegendGraphic>", b"sld:Otra>"))
    assert legend_request(without, "Vehículos_contra_incendios").url == (
        GET_1_3 + "version=1.3.0&service=WMS&request=GetLegendGraphic&layer=veh&format=image/png&STYLE=default")
    with pytest.raises(InvalidRequest, match="no legend"):
        legend_request(without, "relieve")


def test_describe_layer(service, old):
    # 05-078r4 Table 8
    own = parameters(describe_layer_request(service, ["relieve", "Vehículos_contra_incendios"]).url)
    assert own == {"language": "spa", "SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "DescribeLayer",
                   "SLD_VERSION": "1.1.0", "LAYERS": "relieve,Vehículos_contra_incendios"}
    own = parameters(describe_layer_request(old, ["rios"]).url)
    assert own == {"map": "/datos/red.map", "SERVICE": "WMS", "VERSION": "1.1.1", "REQUEST": "DescribeLayer",
                   "LAYERS": "rios"}


def test_get_styles(service):
    own = parameters(styles_request(service, ["relieve"]).url)
    assert own == {"language": "spa", "SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetStyles", "LAYERS": "relieve"}


def test_get_capabilities_alone_may_leave_out_the_version():
    # 06-042 Table 3; 1.0.0 as 00-028 has it
    assert parameters(capabilities_request("http://x.example/wms?").url) == {
        "SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetCapabilities"}
    assert parameters(capabilities_request("http://x.example/wms", "", "7").url) == {
        "SERVICE": "WMS", "REQUEST": "GetCapabilities", "UPDATESEQUENCE": "7"}
    assert parameters(capabilities_request("http://x.example/wms", "1.0.0").url) == {
        "WMTVER": "1.0.0", "REQUEST": "capabilities"}


def test_capabilities_are_asked_for_again_where_the_service_says(service):
    assert parameters(advertised_capabilities_request(service, update_sequence="7").url) == {
        "language": "spa", "SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetCapabilities", "UPDATESEQUENCE": "7"
    }


def test_a_post_goes_to_the_complete_address_with_a_form_as_its_body(service):
    # 6.3.4: the address's own parameters stay in the address
    request = map_request(service, a_map(["Vehículos_contra_incendios"]), HttpMethod.POST)
    assert (request.method, request.url) == ("POST", GET_1_3)
    assert request.content_type == "application/x-www-form-urlencoded"
    by_get = parameters(map_request(service, a_map(["Vehículos_contra_incendios"])).url)
    by_get.pop("language")
    assert dict(parse_qsl(request.body.decode("ascii"), keep_blank_values=True)) == by_get


def test_a_post_where_the_service_has_none_is_refused(old):
    with pytest.raises(InvalidRequest, match="GET only"):
        map_request(old, a_map(["rios"]), HttpMethod.POST)


def test_an_operation_that_is_not_offered_is_refused_with_what_is(old):
    without = read_service((FIXTURES / "network-1.1.1.xml").read_bytes().replace(b"GetStyles", b"Otra"))
    with pytest.raises(InvalidRequest, match="GetMap"):
        styles_request(without, ["rios"])


def test_another_address_of_the_same_service_can_be_used(service):
    request = map_request(service, a_map(), address="http://registro.example.org/wms?mapa=1")
    assert request.url.startswith("http://registro.example.org/wms?mapa=1&SERVICE=WMS&")


def test_xml_is_posted_where_the_service_declares_it():
    # 05-078r4 9.2.3; declared as OWS Common does
    declared = read_service((FIXTURES / "network-1.3.0.xml").read_bytes().replace(
        b"<GetMap><Format>image/png</Format>",
        b'<GetMap><Format>image/png</Format><DCPType><HTTP><Post><Constraint name="PostEncoding"><AllowedValues>'
        b"<Value>XML</Value></AllowedValues></Constraint></Post></HTTP></DCPType>"))
    assert declared.operations["GetMap"].post_encodings == ("XML",)
    request = map_request(declared, a_map(["Vehículos_contra_incendios"], "EPSG:4326", styles=["noche"]),
                          HttpMethod.POST)
    assert request.content_type.startswith("text/xml")
    root = etree.fromstring(request.body)
    assert root.tag == "{http://www.opengis.net/sld}GetMap"
    names = [element.text for element in root.iter("{http://www.opengis.net/se}Name")]
    assert names == ["Vehículos_contra_incendios", "noche"]
    ows = "{http://www.opengis.net/ows}"
    assert root.findtext(f".//{ows}LowerCorner") == "38.3 -3.6"
    assert root.findtext(f".//{ows}UpperCorner") == "38.45 -3.4"
    assert root.findtext(".//{http://www.opengis.net/wms}Format") == "image/png"
    assert map_request(declared, a_map(), HttpMethod.POST, encoding="form").content_type.startswith("application/x-www")


def test_automatic_projections_are_asked_for_with_their_parameters(service):
    # 6.7.3.4, B.7
    with_auto = read_service((FIXTURES / "network-1.3.0.xml").read_bytes().replace(
        b"<CRS>EPSG:3857</CRS>", b"<CRS>AUTO2:42001</CRS>"))
    url = map_request(with_auto, a_map(crs="AUTO2:42001,1,-3.5,38.4")).url
    assert "CRS=AUTO2:42001,1,-3.5,38.4&" in url
    box = [float(value) for value in parameters(url)["BBOX"].split(",")]
    assert box == pytest.approx(UTM, rel=0, abs=0.1)
    with pytest.raises(InvalidRequest):
        map_request(service, a_map(crs="AUTO2:42001,1,-3.5,38.4"))
    own_number = (FIXTURES / "network-1.3.0.xml").read_bytes().replace(b"EPSG:3857<", b"AUTO:97001,9001,-3,38<")
    with pytest.raises(UnknownCrs, match="AUTO:97001"):
        map_request(read_service(own_number), a_map(crs="AUTO:97001,9001,-3,38"))


def test_1_0_0_requests_have_their_old_names():
    document = (FIXTURES / "network-1.1.1.xml").read_bytes().replace(b'version="1.1.1"', b'version="1.0.0"', 1) \
        .replace(b"<GetMap><Format>image/png</Format>", b"<GetMap><Format><PNG/><GIF/></Format>")
    own = parameters(map_request(read_service(document), a_map(["rios"], format="image/png")).url)
    assert (own["WMTVER"], own["REQUEST"], own["FORMAT"]) == ("1.0.0", "map", "PNG")
    assert "VERSION" not in own


def test_names_travel_as_utf_8(service):
    url = map_request(service, a_map(["Vehículos_contra_incendios"])).url
    assert url.isascii()
    assert "Vehículos_contra_incendios" in unquote(url, encoding="utf-8", errors="strict")


def test_what_the_server_gave_is_what_it_is_asked_with():
    kept = cache_validators({"etag": '"a"', "last-modified": "Fri, 03 Jun 2016 10:00:00 GMT", "server": "x"},
                            Service("1.3.0", update_sequence="12"), "1.3.0")
    request = conditional_request("http://a.invalid/w?map=b&", kept)
    assert request.headers == {"If-None-Match": '"a"', "If-Modified-Since": "Fri, 03 Jun 2016 10:00:00 GMT"}
    assert request.url == ("http://a.invalid/w?map=b&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities"
                           "&UPDATESEQUENCE=12")


def test_a_server_that_gave_nothing_is_asked_as_ever():
    request = conditional_request("http://a.invalid/w?", cache_validators({}, Service("1.3.0")))
    assert (request.url, dict(request.headers)) == ("http://a.invalid/w?SERVICE=WMS&REQUEST=GetCapabilities", {})


@pytest.mark.parametrize(("status", "code", "unchanged", "refused"), [
    (304, "", True, False), (200, "CurrentUpdateSequence", True, False), (400, "CurrentUpdateSequence", True, False),
    (200, "InvalidUpdateSequence", False, True), (200, "OperationNotSupported", False, False),
    (200, "", False, False)])
def test_the_answers_are_told_apart(status, code, unchanged, refused):
    body = REPORT.format(code).encode() if code else b"" if status == 304 else b"<WMS_Capabilities/>"
    response = Response(status, {"content-type": "text/xml"}, body, "http://a.invalid/")
    assert (is_not_modified(response), rejects_update_sequence(response)) == (unchanged, refused)
