"""Broken documents raise only errors for people, and quickly."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.errors import CartoguideError
from plugin.core.request import HttpMethod, Response
from plugin.core.wms import read_service
from plugin.core.wms.dimensions.declared_dimensions import offers_value
from plugin.core.wms.model.service import Dimension
from plugin.core.wms.requests.get_feature_info import feature_info_request
from plugin.core.wms.requests.get_map import MapOptions, map_request
from plugin.core.wms.requests.sld_profile import legend_request
from plugin.core.wms.responses.exception_reports import read_exception_report
from plugin.core.wms.responses.image_headers import image_size, is_complete_image
from plugin.core.wms.responses.response_validation import check_response
from tests.examples import examples
from tests.pairwise import ALL

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wms"
DOCUMENTS = [(FIXTURES / name).read_bytes() for name in ("network-1.3.0.xml", "network-1.1.1.xml")]
PIECES = [b"<", b">", b"&", b'"', b"\x00", b"\xff\xfe", b"]]>", b"<!--", b"1e999", b"-", b"NaN", b"9" * 40, b"<Layer>",
          b"</Layer>", b"&#0;", b" xmlns=''", b"<?xml version='1.1'?>", b"AUTO2:42001,", b"http://[", b"\xc3\x28",
          b"true", b",", b"/"]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The document with some bytes changed, taken out, doubled, or replaced by what parsers stumble over."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        place, length = chance.randrange(len(result)), chance.choice((1, 2, 8, 60, 400))
        kind = chance.randrange(4)
        if kind == 0:
            result[place:place + length] = bytes(chance.randrange(256) for _ in range(min(length, 4)))
        elif kind == 1:
            del result[place:place + length]
        elif kind == 2:
            result[place:place] = result[place:place + length]
        else:
            result[place:place] = chance.choice(PIECES)
        result = result or bytearray(b"<")
    return bytes(result)


def values_mutated(data: bytes, chance: random.Random) -> bytes:
    """The document with texts and attributes changed, so that it stays XML and its values are odd."""
    pieces = [b"", b"1e999", b"-1", b"NaN", b"9" * 40, b"  ", b"AUTO2:42001,1,0,0", b"http://[", b"ftp://x", b"1/2/3/4",
              b"0"]
    quotes = data.split(b'"')
    for _ in range(chance.randint(1, 25)):
        quotes[chance.randrange(len(quotes) // 2) * 2 + 1] = chance.choice(pieces)
    inside = b'"'.join(quotes).split(b">")
    for _ in range(chance.randint(0, 25)):
        place = chance.randrange(1, len(inside) - 1)
        text, bracket, tag = inside[place].partition(b"<")
        if bracket and tag.startswith(b"/"):
            inside[place] = chance.choice(pieces) + bracket + tag
    return b">".join(inside)


@pytest.mark.parametrize("seed", range(20 if ALL else 6))
@pytest.mark.parametrize("change", [mutated, values_mutated])
def test_mutated_capabilities_give_a_service_or_an_error_for_people(seed, change):
    chance = random.Random(seed)
    for data in DOCUMENTS:
        for _ in range(10):
            try:
                service = read_service(change(data, chance), "mutado")
            except CartoguideError as error:
                assert error.user_text
                continue
            service.to_dict()
            ask_everything(service)


def ask_everything(service) -> None:
    """Build requests for all layers; refusals are fine."""
    for layer in list(service.iter_layers())[:12]:
        name = layer.name or ""
        code = layer.crs[0] if layer.crs else "EPSG:4326"
        for box in ((-4, 38, -3, 39), None):
            chosen = MapOptions([name], code, 100, 100, bbox=box, dimensions={"time": "2016-06-03"} if box else {})
            for build in (lambda c=chosen: map_request(service, c),
                          lambda c=chosen: feature_info_request(service, c, 1, 1),
                          lambda c=chosen: map_request(service, c, HttpMethod.POST, encoding="xml"),
                          lambda n=name: legend_request(service, n)):
                try:
                    assert build().url.isascii()
                except CartoguideError as error:
                    assert error.user_text


@given(st.binary(max_size=300), st.sampled_from(["image", "xml", "json", "text", "html", "any"]), st.integers(0, 700),
       st.sampled_from(["", "text/xml", "image/png", "text/html", "x"]))
def test_any_answer_passes_or_is_told_in_words(body, expected, status, content_type):
    response = Response(status, {"content-type": content_type}, body, "http://x.example/")
    try:
        check_response(response, expected, size=(1, 1))
    except CartoguideError as error:
        assert error.user_text


@given(st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"II*\x00", b"MM\x00*", b"RIFF....WEBP",
                        b"BM", b"<svg"]), st.binary(max_size=200))
def test_any_bytes_behind_an_image_s_signature_are_survived(start, rest):
    image_size(start + rest)
    is_complete_image(start + rest)


@settings(max_examples=examples(200))
@given(st.text(alphabet="0123456789-T:Z/.,eP currentdfa", max_size=40),
       st.text(alphabet="0123456789-T:Z/.,eP", max_size=40))
def test_any_dimension_is_judged(value, extent):
    assert offers_value(Dimension("time", extent=extent), value) in (True, False)


@given(st.binary(max_size=200))
def test_any_report_like_bytes_are_survived(rest):
    read_exception_report(b"<ServiceExceptionReport><ServiceException code='" + rest)


def test_three_thousand_layers_with_fifty_inherited_crs_are_cheap():
    codes = "".join(f"<CRS>EPSG:{25800 + number}</CRS>" for number in range(50))
    layers = "".join(f'<Layer queryable="1"><Name>l{number}</Name><Title>T</Title><CRS>EPSG:25800</CRS>'
                     f'<BoundingBox CRS="EPSG:25800" minx="0" miny="0" maxx="{number + 1}" maxy="1"/></Layer>'
                     for number in range(3000))
    data = (f'<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Capability><Layer>{codes}{layers}'
            "</Layer></Capability></WMS_Capabilities>").encode()
    start = time.process_time()
    service = read_service(data)
    assert time.process_time() - start < 5  # about 0.2 s on an idle machine
    assert len({id(layer.crs) for layer in service.iter_layers()}) == 1
    assert len(service.layer("l2999").crs) == 50
