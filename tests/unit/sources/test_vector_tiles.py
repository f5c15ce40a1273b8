"""Vector tiles as they come: packed or not, and cut off."""

from __future__ import annotations

import gzip

import pytest

from plugin.core.sources.offered_layers import style_sources, tms_layers, vector_tile_layer
from plugin.core.sources.vector_tiles import tile_content
from plugin.core.wms.requests.urls import with_parameters

#: a layer "a" of version 2 without features
TILE = bytes((0x1A, 5, 0x0A, 1, 97, 0x78, 2))


def test_a_tile_is_read_packed_or_not():
    assert tile_content(TILE) == tile_content(gzip.compress(TILE)) == TILE
    assert tile_content(b"") == b"" and tile_content(TILE * 300) == TILE * 300


@pytest.mark.parametrize("data", [TILE[:-1], TILE[:1], gzip.compress(TILE)[:-9], b"<html></html>", b'{"error": 1}',
                                  b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x00\x00", b"\x1b"])
def test_what_is_no_tile_is_told(data):
    assert tile_content(data) is None


def test_an_address_with_half_a_character_is_a_source_that_can_be_written():
    style = (br'{"version": 8, "layers": [], "sources": {"a": {"type": "vector", '
             br'"tiles": ["https://a.example/b\ud800/{z}/{x}/{y}"]}}}')
    (name, target, levels), = style_sources(style, "https://a.example/style.json")
    layer = vector_tile_layer(target, name, levels)
    assert "url=https://a.example/b%EF%BF%BD/{z}/{x}/{y}" in layer.source
    assert with_parameters("https://a.example/b\ud800/c?d=e\udfff", {"F": "g"}) == "https://a.example/b/c?d=e&F=g"


@pytest.mark.parametrize(("units", "count"), [("156543.0339", 1), ("78271.51696402048", 0), ("", 1)])
def test_a_tms_whose_levels_are_not_those_of_xyz_is_not_offered(units, count):
    document = (f'<TileMap version="1.0.0"><Title>A</Title><SRS>EPSG:900913</SRS><TileFormat extension="png"/>'
                f'<TileSets><TileSet order="0" units-per-pixel="{units}"/></TileSets></TileMap>')
    assert len(tms_layers(document.encode(), "https://geo.test/tms/1.0.0/a")[0]) == count
