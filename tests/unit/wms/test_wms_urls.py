"""Service addresses are prefixes (OGC 06-042 6.3.3): completed without damage."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.errors import InvalidRequest
from plugin.core.records.model.endpoints import normalise_endpoint
from plugin.core.request import HttpMethod
from plugin.core.wms.model.protocol import OPERATION_PARAMETERS
from plugin.core.wms.requests.urls import (
    ServiceAddress,
    as_https,
    build_request,
    complete_url,
    encode_form,
    query_parameters,
    split_address,
    url_prefix,
    with_parameters,
)


@pytest.mark.parametrize(("address", "expected"), [
    ("https://x.example/wms", "https://x.example/wms?"),
    ("https://x.example/wms?", "https://x.example/wms?"),
    ("https://x.example/wms?language=spa&", "https://x.example/wms?language=spa&"),
    ("https://x.example/wms?language=spa", "https://x.example/wms?language=spa&"),
    ("https://x.example/cgi?map=/a/b.map&", "https://x.example/cgi?map=/a/b.map&"),
    ("https://x.example/cgi?map=C:\\b.map", "https://x.example/cgi?map=C:%5Cb.map&"),
    ("https://x.example/wms?SERVICE=WMS&request=GetCapabilities&Version=1.1.1&a=b#top", "https://x.example/wms?a=b&"),
    ("  https://x.example/wms\n", "https://x.example/wms?"),
    ("https://x.example", "https://x.example/?"),
    ("https://x.example/wms?a=1&&A=2&", "https://x.example/wms?a=1&A=2&"),
    ("https://x.example/wms?a=1&amp;b=2", "https://x.example/wms?a=1&b=2&"),
    ("https://x.example/wms?a=1&AMP;amp;b=2&amp;layers=c", "https://x.example/wms?a=1&b=2&"),
    ("https://x.example/wms??a=1?layers=b&c", "https://x.example/wms?a=1&c&"),
    ("https://x.example/wms?map=/x.map?SERVICE=WMS&REQUEST=GetCapabilities", "https://x.example/wms?map=/x.map&"),
    ("https://x.example/proxy?http://y.example/wms?layers=a", "https://x.example/proxy?http://y.example/wms?&"),
    ("https://x.example/proxy?http://y.example/wms?map=a&layers=a",
     "https://x.example/proxy?http://y.example/wms?map=a&"),
    ("https://x.example/ows?viewparams=a:1;b:2&%4Cayers=a;b&filter=a?b",
     "https://x.example/ows?viewparams=a:1;b:2&filter=a?b&"),
    ("https://x.example/ows;jsessionid=1?a=&b&=c#?layers=d", "https://x.example/ows;jsessionid=1?a=&b&=c&"),
    ("https://x.example/Vehículos", "https://x.example/Veh%C3%ADculos?"),
    ("https://x.example/a%20b?c=%C3%AD", "https://x.example/a%20b?c=%C3%AD&"),
    ("HTTP://x.example:8080/wms", "http://x.example:8080/wms?"),
    ("http://[::1]:8080/wms", "http://[::1]:8080/wms?"),
    ("http://máp.example/wms", "http://xn--mp-mia.example/wms?"),
])
def test_a_prefix_ends_open_and_keeps_its_own_parameters(address, expected):
    assert url_prefix(address) == expected


@pytest.mark.parametrize("address", ["", "   ", "ftp://x.example/wms", "file:///etc/passwd", "javascript:alert(1)",
                                     "x.example/wms", "http://", "http://x y/", "http://x.example:99999/",
                                     "http://[::1/", "http://x.example\\@y/", "http://" + "x" * 70_000])
def test_what_is_no_web_address_is_refused(address):
    with pytest.raises(InvalidRequest):
        url_prefix(address)


def test_parameters_are_appended_and_none_is_repeated():
    address = "http://x.example/wms?map=/a.map&version=1.1.1&Layers=old"
    url = with_parameters(address, {"VERSION": "1.3.0", "LAYERS": "new"})
    assert url == "http://x.example/wms?map=/a.map&VERSION=1.3.0&LAYERS=new"


def test_reserved_characters_in_values_are_encoded_and_a_list_s_commas_are_not():
    # 6.3.2: "?", "&", "=", "," and "+" are encoded where they have no role
    url = with_parameters("http://x.example/", {"LAYERS": ["a,b", "c&d=e", "f+g?", "h i"], "CRS": "EPSG:4326",
                                                "FORMAT": "image/png", "TIME": ["2016-06-01/2016-06-30"]})
    assert url == ("http://x.example/?LAYERS=a%2Cb,c%26d%3De,f%2Bg%3F,h%20i&CRS=EPSG:4326&FORMAT=image/png"
                   "&TIME=2016-06-01/2016-06-30")


@pytest.mark.parametrize(("address", "expected"), [
    ("https://x.example/wms?language=spa&", "https://x.example/wms?language=spa&"),
    ("https://x.example/wms?", "https://x.example/wms?"),
    ("https://x.example/wms", "https://x.example/wms"),
    ("https://x.example/wms?a=b#top", "https://x.example/wms?a=b"),
    ("https://x.example/wms?SERVICE=WMS&a=b", "https://x.example/wms?a=b"),
])
def test_a_post_address_is_complete_as_it_stands(address, expected):
    assert complete_url(address, ["SERVICE", "REQUEST"]) == expected


def test_own_parameters_are_told_decoded():
    assert query_parameters("http://x.example/?language=spa&capa=r%C3%ADo") == [("language", "spa"), ("capa", "río")]


@pytest.mark.parametrize(("address", "expected"), [
    ("http://x.example/wms?", "https://x.example/wms?"),
    ("HTTP://x.example:80/wms?map=/a:80/b", "https://x.example/wms?map=/a:80/b"),
    ("http://x.example:80", "https://x.example"), ("http://x.example:8080/wms?", "https://x.example:8080/wms?"),
    ("https://x.example:80/wms?", "https://x.example:80/wms?")])
def test_https_is_asked_at_its_own_port(address, expected):
    assert as_https(address) == expected


@given(st.dictionaries(st.sampled_from(["LAYERS", "STYLES", "TIME", "Ñandú", "a b"]), st.text(
    st.characters(blacklist_categories=("Cs",)), max_size=30)))
def test_any_value_comes_back_from_the_address_and_from_a_form(values):
    url = with_parameters("http://x.example/wms?own=1", values)
    assert url.isascii()
    assert dict(parse_qsl(urlsplit(url).query, keep_blank_values=True)) == {"own": "1", **values}
    assert dict(parse_qsl(encode_form(values).decode("ascii"), keep_blank_values=True)) == values


_AMPERSANDS = st.sampled_from(["&", "&amp;", "&&", "&amp;amp;"])
_OWN = st.sampled_from(["map=/a.map", "MAP=/b.map", "token=c%26d", "key=", "flag", "viewparams=a:1;b:2", "dim_run=2",
                        "x_=1", "CQL_FILTER=a%3D1", "q=%3Flayers%3Da", "ñ=ñ", "a=1+2", "a=1+2", "language=spa"])
_OF_OPERATIONS = st.sampled_from(sorted(OPERATION_PARAMETERS)).flatmap(lambda name: st.tuples(
    st.sampled_from([name, name.lower(), name.title(), f"%{ord(name[0]):02X}{name[1:]}", f"{name} "]),
    st.sampled_from(["", "a", "a,b", "1%2C2", "x=y", "http://y.example/s.sld", "a;b"])).map("=".join))


@given(st.lists(st.tuples(_AMPERSANDS, st.one_of(_OWN, _OF_OPERATIONS)), max_size=12),
       st.sampled_from(["", "&", "#top", "&#a?b=c"]))
def test_nothing_of_the_server_s_own_parameters_is_lost_and_nothing_of_a_request_stays(parts, end):
    address = "https://x.example/cgi?" + "".join(mark + part for mark, part in parts) + end
    split = split_address(address)
    own = [quote(part, safe="%/:=+;") for _, part in parts if _is_own(part)]
    assert [part for part in split.endpoint.partition("?")[2].split("&") if part] == own
    assert set(split.parameters) == {_name(part) for _, part in parts if not _is_own(part)}
    assert split_address(split.endpoint) == ServiceAddress(split.endpoint, {})
    assert normalise_endpoint(address) == normalise_endpoint(split.endpoint)
    sent = with_parameters(split.endpoint, {"LAYERS": "z", "TIME": "2020", "MAP": "/c.map"})
    assert sent.endswith(("&LAYERS=z&TIME=2020&MAP=/c.map", "?LAYERS=z&TIME=2020&MAP=/c.map"))
    assert [name.upper() for name, _ in query_parameters(sent)].count("MAP") == 1


def _name(part):
    return unquote(part.partition("=")[0]).strip().upper()


def _is_own(part):
    return _name(part) not in OPERATION_PARAMETERS


@given(st.text(max_size=60))
def test_an_endpoint_s_own_endpoint_is_the_same(text):
    try:
        endpoint = url_prefix(f"http://x.example/{text}")
    except InvalidRequest:
        return
    assert url_prefix(endpoint) == endpoint and not split_address(endpoint).parameters


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_refused(text):
    for address in (text, f"http://{text}", f"http://x.example/{text}"):
        try:
            assert url_prefix(address).isascii()
        except InvalidRequest:
            continue


@pytest.mark.parametrize(("address", "expected"), [
    ("https://x.example/MapServer/WMSServer?request=GetCapabilities&service=WMS&layers=16",
     "https://x.example/MapServer/WMSServer?"),
    ("https://x.example/mapserv?map=/x.map&LAYERS=a&STYLES=&CRS=EPSG:25830&Format=image/png",
     "https://x.example/mapserv?map=/x.map&"),
    ("https://x.example/ows?token=T&bbox=1,2,3,4&width=10&HEIGHT=10&srs=EPSG:4326&transparent=TRUE&time=2020&elevation=5"
     "&sld=http://y.example/s.sld&query_layers=a&info_format=text/plain&i=1&j=2&x=1&y=2&exceptions=xml&bgcolor=0xFFFFFF"
     "&CQL_FILTER=a%3D1&dim_run=2&viewparams=a:b", "https://x.example/ows?token=T&CQL_FILTER=a%3D1&dim_run=2&"
     "viewparams=a:b&")])
def test_the_parameters_of_an_operation_are_no_part_of_a_service_s_address(address, expected):
    assert url_prefix(address) == expected
    assert normalise_endpoint(address) == normalise_endpoint(expected)
    for method in HttpMethod:
        request = build_request(address, method, {"SERVICE": "WMS", "REQUEST": "GetMap", "LAYERS": "b", "STYLES": "",
                                                  "CRS": "CRS:84"})
        sent = request.url.partition("?")[2] + "&" + (request.body or b"").decode()
        names = [part.partition("=")[0].upper() for part in sent.split("&") if part]
        assert len(names) == len(set(names)) and "LAYERS=b" in sent and "16" not in sent and "BBOX" not in names
