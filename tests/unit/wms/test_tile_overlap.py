"""Tiles of an image: cropped from a larger one within the limits, otherwise requested with a margin."""

from urllib.parse import parse_qs, urlsplit

import pytest

from plugin.core.wms.requests.tile_overlap import pad_tiles, tile_margin, tile_step, with_square_pixels


def url(left, bottom, right, top, width, height, swapped=False):
    box = (bottom, left, top, right) if swapped else (left, bottom, right, top)
    return ("https://x.org/wms?language=spa&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a,b&CRS=EPSG:25830&BBOX="
            f"{','.join(map(str, box))}&WIDTH={width}&HEIGHT={height}&DPI=300")


def asked(wider):
    values = {name: value[0] for name, value in parse_qs(urlsplit(wider.url).query).items()}
    assert values["REQUEST"] == "GetMap" and values["LAYERS"] == "a,b" and values["VERSION"] == "1.3.0"
    assert (int(values["WIDTH"]), int(values["HEIGHT"])) == wider.size
    return [float(side) for side in values["BBOX"].split(",")]


@pytest.mark.parametrize("swapped", [False, True])
def test_all_pieces_come_out_of_one_picture_where_the_limits_allow_it(swapped):
    pieces = [url(0, 100, 1500, 1200, 1500, 1100, swapped), url(1500, 100, 1800, 1200, 300, 1100, swapped)]
    one, other = pad_tiles(pieces, (2048, 2048))
    assert one.url == other.url and one.size == (1800, 1100)
    assert asked(one) == ([100, 0, 1200, 1800] if swapped else [0, 100, 1800, 1200])
    assert (one.left, one.top, other.left, other.top) == (0, 0, 1500, 0)


def test_what_is_not_seen_is_not_asked_for():
    tiles = [url(0, 0, 1000, 1000, 1000, 1000), url(1000, 0, 2000, 1000, 1000, 1000)]
    one, other = pad_tiles(tiles, (1400, 1400), (400.5, 100.0, 1600.5, 900.0))
    assert asked(one) == [400, 100, 1601, 900] and (one.left, one.top) == (-400, -100)
    assert (other.left, other.top) == (600, -100)


def test_else_each_has_a_margin_towards_its_neighbours_and_none_outwards():
    assert tile_margin(2048) == 256 and tile_step(2048) == 1536 and tile_margin(600) == 100
    corner, right, top, far = pad_tiles([
        url(0, 0, 1536, 1536, 1536, 1536),
        url(1536, 0, 2236, 1536, 700, 1536),
        url(0, 1536, 1536, 1766, 1536, 230),
        url(1536, 1536, 2236, 1766, 700, 230)
    ], (2048, 2048))
    assert asked(corner) == [0, 0, 1792, 1766] and (corner.left, corner.top) == (0, 230)
    assert asked(right) == [1280, 0, 2236, 1766] and (right.left, right.top) == (256, 230)
    assert asked(top) == [0, 1280, 1792, 1766] and (top.left, top.top) == (0, 0)
    assert asked(far) == [1280, 1280, 2236, 1766] and far.size == (956, 486)


def test_what_cannot_be_widened_stays_as_it_is():
    alone = url(0, 0, 10, 10, 10, 10)
    assert pad_tiles([alone], (100, 100)) == [None]
    assert pad_tiles([alone, "https://x.org/wms?REQUEST=GetMap"], (100, 100)) == [None, None]
    assert pad_tiles([alone, url(10, 0, 30, 10, 10, 10)], (100, 100)) == [None, None], "pixels of two sizes"
    assert pad_tiles([alone, url(10, 0, 20, 10, 10, 10)], (0, 0)) == [None, None], "nothing is known of the limits"


@pytest.mark.parametrize("swapped", [False, True])
def test_a_box_that_its_pixels_do_not_fill_is_asked_for_with_square_ones(swapped):
    """QGIS 3.22 asks for 97 rows of 10 m as 98 where a last bit is left over."""
    def pixel_of(x, y):
        return (x - 500000) / 10, (4000970 - y) / 10 + 1e-10

    def place_of(x, y):
        return 500000 + 10 * x, 4000970 - 10 * y

    exact = with_square_pixels(url(500000, 4000000, 501270, 4000970, 127, 98, swapped), pixel_of, place_of, (127, 97))
    assert asked(exact) == ([3999990, 500000, 4000970, 501270] if swapped else [500000, 3999990, 501270, 4000970])
    assert (exact.size, exact.left, exact.top) == ((127, 98), 0, 0)
    for fine in (url(500000, 3999990, 501270, 4000970, 127, 98, swapped), url(0, 0, 127, 98, 127, 98, swapped),
                 "https://x.org/wms?REQUEST=GetMap"):
        assert with_square_pixels(fine, pixel_of, place_of, (127, 97)) is None
