"""Levels and tiles of a snapshot: every pixel requested once, within a service's limits, with a margin at seams."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from plugin.core.box import Box
from plugin.core.snapshot import raster_grid
from plugin.core.snapshot.findings import estimate_snapshot
from plugin.core.snapshot.manifest import RasterLevel
from tests.pairwise import some

AREA = Box(1000.0, 2000.0, 5000.0, 5000.0)


def kept(parts):
    """How often each pixel is kept, by (column, row)."""
    found = {}
    for part in parts:
        for column in range(part.column, part.column + part.width):
            for row in range(part.row, part.row + part.height):
                found[column, row] = found.get((column, row), 0) + 1
    return found


def test_levels_are_sorted_and_cover_the_area():
    finest, coarse = raster_grid.raster_levels(AREA, (25000, 10000), 2.54e-4)
    assert (finest.scale, coarse.scale) == (10000, 25000)
    assert finest.resolution == pytest.approx(2.54) and coarse.factor == 2.5
    assert (finest.width, finest.height) == (1575, 1182)
    assert finest.width * finest.resolution >= 4000 > (finest.width - 1) * finest.resolution


def test_levels_of_a_geotiff_are_whole_multiples_and_none_comes_twice():
    assert [
        level.scale for level in raster_grid.raster_levels(AREA, (10000, 12000, 29000), 2.54e-4, integer_factors=True)
    ] == [10000, 30000]


@pytest.mark.parametrize(("area", "scales"), [(Box(0, 0, 0, 1), (1000,)), (AREA, ()), (AREA, (0,))])
def test_no_area_and_no_scale_are_refused(area, scales):
    with pytest.raises(ValueError):
        raster_grid.raster_levels(area, scales, 1e-4)


@pytest.mark.parametrize(("size", "limit"), some(product(
    [(90, 40), (640, 512), (1000, 333)], [None, 100, 300, 700, 5000]), 2))
def test_parts_keep_each_pixel_once_within_the_limits(size, limit):
    parts = raster_grid.level_parts(RasterLevel(1, 1, *size), 0, 60, (limit, limit))
    assert kept(parts) == {(column, row): 1 for column in range(size[0]) for row in range(size[1])}
    assert all(max(part.request_size) <= (limit or raster_grid.MAX_IMAGE_SIDE) for part in parts)
    if limit is None or limit >= max(size):
        assert len(parts) == 1 and parts[0].request_size == size


def test_seams_have_a_gutter_and_the_outside_has_none():
    parts = raster_grid.level_parts(RasterLevel(1, 1, 1000, 100), 0, 300, (600, 600))
    assert len(parts) > 1
    assert parts[0].gutter[0] == 0 == parts[-1].gutter[2] and all(part.gutter[1] == 0 for part in parts)
    assert all(one.gutter[2] > 20 and other.gutter[0] > 20 for one, other in zip(parts, parts[1:]))
    # whole tiles, so that none is written twice
    assert all(part.column % raster_grid.TILE_SIDE == 0 for part in parts)


def test_the_asked_box_has_its_gutters_and_square_pixels():
    level = RasterLevel(1, 2.0, 1000, 1000)
    part = raster_grid.level_parts(level, 0, 300, (600, 600))[3]
    west, south, east, north = raster_grid.request_bounds(AREA, level, part)
    assert west == 1000 + (part.column - part.gutter[0]) * 2 and north == 5000 - (part.row - part.gutter[1]) * 2
    assert (east - west, north - south) == (part.request_size[0] * 2, part.request_size[1] * 2)


def test_coarser_levels_halve_until_a_tile_holds_all():
    level = RasterLevel(50000, 10.0, 1001, 300, 2.5)
    assert [(one.width, one.factor) for one in raster_grid.overview_levels(level)] == [(501, 5.0)]
    assert raster_grid.overview_levels(RasterLevel(1, 1, 256, 256)) == []


@pytest.mark.parametrize(("factors", "pixels", "side"), [
    ((1, 2, 4), 1000, 1024), ((1, 2.5, 5), 1575, 2560), ((1,), 10, 256), ((1, 1.0001, 1.3719, 1.7331), 10, None)])
def test_a_matrix_is_whole_tiles_at_every_level(factors, pixels, side):
    assert raster_grid.matrix_side(factors, pixels) == side
    if side:
        assert all(side / (256 * factor) == int(side / (256 * factor)) for factor in factors)


def test_the_estimate_counts_requests_pixels_and_time():
    level = RasterLevel(1, 1, 2000, 1000)
    work = [("image/png", False, level, part) for part in raster_grid.level_parts(level, 0, 300)]
    cost = estimate_snapshot(work, 2.0)
    assert (cost.requests, cost.megapixels, cost.seconds) == (1, 2.0, 4.0)
    assert "1 request" in cost.text() and "MB" in cost.text()
    assert "5.2 to 52 MB" in replace(cost, megabytes=52.0).text(), "no bound that is far too high for drawn maps"
    photo = estimate_snapshot([("image/jpeg", True, *rest) for _, _, *rest in work])
    picture = estimate_snapshot([("image/png", True, *rest) for _, _, *rest in work])
    assert 0 < cost.megabytes < photo.megabytes < picture.megabytes
    assert estimate_snapshot([]).seconds == 0
