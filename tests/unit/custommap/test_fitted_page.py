"""The page that fits the base: what the base covers, the largest area inside it, and the page that shows most of it."""

from __future__ import annotations

import pytest

from plugin.core.box import Box
from plugin.core.custommap.ground_scale import GroundScale
from plugin.core.custommap.model import CustomMap, MapEntry, MapExtent, Orientation, PageSetup
from plugin.core.custommap.page_fit import (
    BaseArea,
    PageShape,
    base_area,
    ceiling_scale,
    fit_page,
    floor_scale,
    inner_area,
    needs_fit,
    outer_area,
    shared_area,
    snapped_scale,
)
from plugin.core.errors import CartoguideError
from plugin.core.records.model.record import Extent, Record, RecordFormat

WIDE = PageShape(PageSetup("A4", Orientation.LANDSCAPE), 200, 100)
TALL = PageShape(PageSetup("A4", Orientation.PORTRAIT), 100, 200)
GROUND = GroundScale(1.0, 1.0, (0.0, 0.0))
ENDPOINT = "http://example.org/wms"


def record(*box):
    return Record(RecordFormat.ISO19139, extents=(Extent(*box),))


def test_a_skewed_base_is_filled_to_its_inner_edges():
    def skewed(points):
        return [(x * 1000 + y * 100, y * 1000 - x * 50) for x, y in points]

    west, south, east, north = inner_area(BaseArea(Box(0, 0, 2, 1)), skewed)
    # the inner edges: of the south side its highest point, of the west side its easternmost
    assert (west, south, east, north) == pytest.approx((100, 0, 2000, 900))


def test_the_box_that_a_service_states_limits_the_area():
    found = inner_area(BaseArea(Box(0, 0, 2, 1), Box(0.5, 0.25, 5, 5)), list)
    assert found == (0.5, 0.25, 2, 1)
    assert inner_area(BaseArea(Box(0, 0, 2, 1), Box(50, 50, 60, 60)), list) == (0, 0, 2, 1)


def test_a_base_outside_the_crs_has_no_area():
    def refuse(_points):
        raise CartoguideError("outside")

    assert inner_area(BaseArea(Box(0, 0, 2, 1)), refuse) is None
    assert inner_area(BaseArea(Box(0, 0, 2, 1)), lambda points: [(float("nan"), 0.0)] * len(points)) is None


@pytest.mark.parametrize(("area", "shape", "scale"), [(Box(0, 0, 30_000, 14_000), WIDE, 140_000),
                                                      (Box(0, 0, 14_000, 30_000), TALL, 140_000),
                                                      (Box(0, 0, 10_000, 10_000), WIDE, 50_000)])
def test_the_page_is_turned_as_the_base_is_and_never_shows_more_than_it(area, shape, scale):
    assert fit_page(area, GROUND, [WIDE, TALL]) == (shape.page, scale)
    assert shape.width / 1000 * scale <= area.width and shape.height / 1000 * scale <= area.height


@pytest.mark.parametrize(("area", "shape", "scale"), [(Box(0, 0, 30_000, 14_000), WIDE, 150_000),
                                                      (Box(0, 0, 14_000, 30_000), TALL, 150_000),
                                                      (Box(0, 0, 10_100, 10_000), WIDE, 100_000)])
def test_the_page_of_a_map_without_base_shows_all_of_it(area, shape, scale):
    assert fit_page(area, GROUND, [WIDE, TALL], whole=True) == (shape.page, scale)
    assert shape.width / 1000 * scale >= area.width and shape.height / 1000 * scale >= area.height


def test_a_rotated_page_shows_all_of_it_too():
    quarter = PageShape(PageSetup("A4", Orientation.LANDSCAPE, rotation=90.0), 200, 100)
    assert fit_page(Box(0, 0, 14_000, 30_000), GROUND, [quarter], whole=True) == (quarter.page, 150_000)


def test_the_outer_area_of_a_skewed_base_has_all_its_corners():
    def skewed(points):
        return [(x * 1000 + y * 100, y * 1000 - x * 50) for x, y in points]

    assert outer_area(BaseArea(Box(0, 0, 2, 1)), skewed) == pytest.approx((0, -100, 2100, 1000))
    assert outer_area(BaseArea(Box(0, 0, 2, 1), Box(0.5, 0.25, 5, 5)), list) == (0.5, 0.25, 2, 1)
    assert outer_area(BaseArea(Box(0, 0, 2, 1), Box(50, 50, 60, 60)), list) == (0, 0, 2, 1)
    assert outer_area(BaseArea(Box(0, 0, 2, 1)), lambda points: [(float("nan"), 0.0)] * len(points)) is None
    assert shared_area(Box(0, 0, 2, 2), Box(1, 1, 5, 5)) == (1, 1, 2, 2)
    assert shared_area(Box(0, 0, 2, 2), Box(3, 3, 5, 5)) is None


def test_a_page_that_may_not_be_turned_stays():
    assert fit_page(Box(0, 0, 14_000, 30_000), GROUND, [WIDE]) == (WIDE.page, 70_000)
    assert fit_page((0, 0, 1, 1), GROUND, []) is None


def test_the_base_is_what_its_record_covers_until_its_service_is_known():
    document = CustomMap(base=MapEntry(ENDPOINT))
    records = {ENDPOINT: record(-4.0, -3.0, 38.0, 39.0)}
    assert base_area(document, {}, records) == BaseArea(Box(-4, 38, -3, 39))
    assert base_area(document, {ENDPOINT: CartoguideError("gone")}, {}) is None


def test_only_a_map_with_a_base_and_without_area_or_scale_is_fitted():
    based = CustomMap(base=MapEntry(ENDPOINT))
    assert needs_fit(based) and not needs_fit(CustomMap(overlays=(MapEntry(ENDPOINT),)))
    assert not needs_fit(CustomMap(base=MapEntry(ENDPOINT), scale=5000.0))
    assert not needs_fit(CustomMap(base=MapEntry(ENDPOINT), extent=MapExtent(0, 0, 1, 1)))


@pytest.mark.parametrize(("number", "floor", "nearest"), [(147345, 140000, 150000), (99900, 99000, 100000),
                                                          (100000, 100000, 100000), (5.2, 5, 5)])
def test_round_scales(number, floor, nearest):
    assert floor_scale(number) == pytest.approx(floor)
    assert snapped_scale(number) == pytest.approx(nearest)
    assert ceiling_scale(floor) == pytest.approx(floor) and ceiling_scale(number) >= number * 0.9999


def test_a_rotated_page_lies_inside_the_base():
    quarter = PageShape(PageSetup("A4", Orientation.LANDSCAPE, rotation=90.0), 200, 100)
    assert fit_page(Box(0, 0, 14_000, 30_000), GROUND, [quarter]) == (quarter.page, 140_000)
    turned = PageShape(PageSetup("A4", Orientation.LANDSCAPE, rotation=30.0), 200, 100)
    page, scale = fit_page(Box(0, 0, 30_000, 30_000), GROUND, [turned])
    width, height = 0.2 * scale, 0.1 * scale
    sine, cosine = 0.5, 3**0.5 / 2
    assert page.rotation == 30 and 28_000 < width * cosine + height * sine <= 30_000
    assert width * sine + height * cosine <= 30_000
