"""Tiles of XYZ templates and WMTS capabilities: levels, places and addresses."""

from __future__ import annotations

import pytest

from plugin.core.box import Box
from plugin.core.errors import InvalidRequest, UnreadableDocument
from plugin.core.sources.tile_grid import WmtsChoice, is_template, read_wmts_grid, xyz_address, xyz_grid

LIMITS = """<TileMatrixSetLimits><TileMatrixLimits><TileMatrix>2</TileMatrix><MinTileRow>1</MinTileRow>
<MaxTileRow>2</MaxTileRow><MinTileCol>1</MinTileCol><MaxTileCol>9</MaxTileCol></TileMatrixLimits></TileMatrixSetLimits>"""
KVP = """<ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>
<ows:Get xlink:href="http://a.test/wmts?map=1&amp;"/></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>"""


def capabilities(operations="", limits="", corner="-180 90", extra=""):
    matrices = "".join(
        f"<TileMatrix><ows:Identifier>{level}</ows:Identifier><ScaleDenominator>{2.795411320143589e8 / 2 ** level}"
        f"</ScaleDenominator><TopLeftCorner>{corner}</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256"
        f"</TileHeight><MatrixWidth>{2 ** (level + 1)}</MatrixWidth><MatrixHeight>{2 ** level}</MatrixHeight>"
        "</TileMatrix>" for level in range(4))
    return f"""<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">{operations}<Contents><Layer>
<ows:Identifier>a</ows:Identifier>{extra}<TileMatrixSetLink><TileMatrixSet>s</TileMatrixSet>{limits}</TileMatrixSetLink>
<ResourceURL format="image/png" resourceType="tile"
 template="http://a.test/{{Style}}/{{TileMatrix}}/{{TileCol}}/{{TileRow}}.png?t={{Time}}"/></Layer>
<TileMatrixSet><ows:Identifier>s</ows:Identifier>{matrices}</TileMatrixSet></Contents></Capabilities>""".encode()


CHOICE = WmtsChoice("a", "plain", "image/png", "s", (("Time", "2016"),), metres=111319.49079327358)


def urls(grid, box, width, dpi=96.0):
    return [tile.url for tile in grid.tiles(Box(*box), width, dpi, 1000)]


def test_an_xyz_address_has_every_place_that_qgis_knows():
    assert xyz_address("http://a.test/{z}/{x}/{y}?r={-y}&q={q}&u={usage}", 3, 5, 2) == (
        "http://a.test/3/5/2?r=5&q=121&u=export")
    assert xyz_address("http://a.test/%7Bz%7D/%7bx%7d/{y}", 1, 0, 1) == "http://a.test/1/0/1"
    assert is_template("http://a.test/{z}/{x}/{-y}") and not is_template("http://a.test/{switch:a,b}/{z}/{x}/{y}")
    assert not is_template("http://a.test/plain.png")


def test_the_level_is_the_nearest_one_and_follows_the_resolution_where_the_tiles_state_theirs():
    box = (-409000.0, 4620000.0, -389000.0, 4640000.0)
    for extra, dpi, level in (({}, 96, 13), ({}, 300, 13), ({"tilePixelRatio": "1"}, 300, 11), ({"zmax": "9"}, 96, 9),
                              ({"tilePixelRatio": "2"}, 192, 12), ({"zmin": "15"}, 96, 15)):
        grid = xyz_grid({"url": "http://a.test/{z}/{x}/{y}", **extra})
        assert {url.split("/")[3] for url in urls(grid, box, 1000, dpi)} == {str(level)}, (extra, dpi)
    with pytest.raises(InvalidRequest):
        xyz_grid({"url": "http://a.test/{z}/{x}/{y}", "zmin": "18"}).tiles(Box(-2e7, -2e7, 2e7, 2e7), 100, 96, 20_000)


def test_tiles_of_a_wmts_are_resources_or_parameters_within_the_limits_of_their_level():
    box, width = (-90.0, -45.0, 90.0, 45.0), 1024
    resources = read_wmts_grid(capabilities(), CHOICE)
    assert urls(resources, box, width)[0] == "http://a.test/plain/2/2/1.png?t=2016"
    assert len(urls(resources, box, width)) == 4 * 2, "and none that is only touched"
    limited = read_wmts_grid(capabilities(limits=LIMITS), CHOICE)
    assert {url.split("/")[-2:][0] for url in urls(limited, (-180, -90, 180, 90), 2048)} == set("1234567")
    parameters = urls(read_wmts_grid(capabilities(KVP), CHOICE), box, width)[0]
    assert parameters.startswith("http://a.test/wmts?map=1&SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=a")
    assert "TILEMATRIX=2&Time=2016&TILEROW=1&TILECOL=2" in parameters


def test_axes_are_those_of_the_reference_system():
    inverted = WmtsChoice("a", "", "image/png", "s", axes_inverted=True, metres=111319.49079327358)
    assert read_wmts_grid(capabilities(corner="90 -180"), inverted).levels == (
        read_wmts_grid(capabilities(), CHOICE).levels)


@pytest.mark.parametrize("choice", [WmtsChoice("b", "", "image/png", "s"), WmtsChoice("a", "", "image/png", "t"),
                                    WmtsChoice("a", "", "image/gif", "s")])
def test_capabilities_that_lack_the_layer_are_unreadable(choice):
    with pytest.raises(UnreadableDocument):
        read_wmts_grid(capabilities(), choice)


def test_broken_numbers_are_unreadable():
    for corner in ("", "a b", "1", "nan nan x"):
        with pytest.raises(UnreadableDocument):
            read_wmts_grid(capabilities(corner=corner), CHOICE)
