"""The scale engine: what it measures, rounds and proposes. tests/qgis/test_scale_on_paper.py measures it on paper."""

from __future__ import annotations

import math

import pytest

from plugin.core.box import Box
from plugin.core.custommap.ground_scale import (
    GroundScale,
    measure_ground_scale,
    propose_projected_crs,
    reach_of_scale,
    round_scale,
    scale_bar_segment,
    utm_crs,
)


def stretched(x, y):
    """Metres between two positions of a plane whose units are ``x`` and ``y`` metres long."""
    return lambda first, second: math.hypot((second[0] - first[0]) * x, (second[1] - first[1]) * y)


def test_units_are_measured_across_and_along_and_feet_are_no_metres():
    feet = measure_ground_scale(stretched(0.3048006, 0.3048006), (0, 0), metres_per_unit=0.3048)
    assert feet.across == feet.along == pytest.approx(3.28084, rel=1e-5) and feet.has_ratio and not feet.is_directed
    assert feet.denominator(feet.map_units(50_000, 100), 100) == pytest.approx(50_000)
    assert feet.map_units(50_000, 100) == pytest.approx(5000 / 0.3048)
    uneven = measure_ground_scale(stretched(0.8, 0.803), (0, 0))
    assert (1 / uneven.across, 1 / uneven.along) == pytest.approx((0.8, 0.803))
    assert uneven.is_directed and uneven.has_ratio and uneven.difference == pytest.approx(0.00374, abs=1e-5)


def test_a_turned_page_has_the_scales_of_its_own_axes():
    turned = measure_ground_scale(stretched(1.0, 1.3), (0, 0), rotation=90)
    assert (1 / turned.across, 1 / turned.along) == pytest.approx((1.3, 1.0))


@pytest.mark.parametrize(("metres", "units"), [(1.0004, 1.0), (0.9996, 1.0), (1.0006, 1 / 1.0006)])
def test_what_cannot_be_seen_on_paper_is_not_distorted(metres, units):
    assert measure_ground_scale(stretched(metres, metres), (0, 0)).across == pytest.approx(units, rel=1e-9)


@pytest.mark.parametrize("metres", [0.0, math.nan, math.inf])
def test_where_a_crs_is_not_defined_there_is_no_scale(metres):
    assert measure_ground_scale(lambda _first, _second: metres, (0, 0)) is None


@pytest.mark.parametrize(("ground", "ratio"), [
    (GroundScale(1.0, 1.0, (0, 0)), 50_000), (GroundScale(1.0, 1.0045, (0, 0)), 50_000),
    (GroundScale(1.0, 1.0055, (0, 0)), None), (GroundScale(1e-5, 1e-5, (0, 0), True), None)])
def test_no_ratio_is_printed_where_no_number_is_true(ground, ratio):
    assert ground.ratio(ground.map_units(50_000, 100), 100) == (ratio and pytest.approx(ratio))


def test_the_reach_of_a_scale_ends_where_it_has_changed():
    def at(centre):
        return GroundScale(1 + centre[0] / 10_000_000, 1.0, centre)

    assert reach_of_scale(at((0.0, 0.0)), at) == pytest.approx(3906.25)
    assert reach_of_scale(at((0.0, 0.0)), lambda _centre: None) == 0


@pytest.mark.parametrize(("least", "scale"), [(50000, 50000), (50001.0, 50000), (50100, 60000), (83000, 100000),
                                              (12400, 12500), (1, 1), (999999, 1000000)])
def test_round_scales(least, scale):
    assert round_scale(least) == pytest.approx(scale)


@pytest.mark.parametrize(("scale", "room", "segment"), [(50_000, 50, 500), (25_000, 50, 250), (1_000_000, 60, 10_000)])
def test_segments_of_the_scale_bar_are_round_and_fit(scale, room, segment):
    assert scale_bar_segment(scale, room) == segment and 4 * segment / scale * 1000 <= room


@pytest.mark.parametrize(("place", "code"), [
    ((-3.5, 38.3), "EPSG:25830"), ((-70.6, -33.4), "EPSG:32719"), ((-16.5, 28.3), "EPSG:32628"),
    ((10, 88), "EPSG:32661"), ((10, -85), "EPSG:32761"), ((180.0, 10), "EPSG:32660")])
def test_the_utm_zone_of_a_place(place, code):
    assert utm_crs(*place) == code


SPAIN, ESTONIA = Box(-3.6, 38.3, -3.4, 38.4), Box(24, 58, 25, 59)
NEW_YORK = Box(-74, 40.6, -73.8, 40.8)


@pytest.mark.parametrize(("offered", "area", "code"), [
    (("EPSG:4326", "EPSG:3857", "EPSG:25829", "EPSG:25830", "EPSG:3035"), SPAIN, "EPSG:25830"),
    (("EPSG:4326", "EPSG:3857", "urn:ogc:def:crs:EPSG::32630"), SPAIN, "urn:ogc:def:crs:EPSG::32630"),
    (("EPSG:4326", "EPSG:3857", "EPSG:3301"), ESTONIA, "EPSG:3301"),
    (("EPSG:3857", "EPSG:2263"), NEW_YORK, "EPSG:2263"),
    (("EPSG:3857", "EPSG:4326", "EPSG:3035"), Box(-16.6, 28.2, -16.4, 28.4), "EPSG:32628"),
    ((), SPAIN, "EPSG:25830"), (("EPSG:0", "AUTO2:42001", "nonsense"), SPAIN, "EPSG:25830")])
def test_the_proposed_crs_is_true_in_the_area_and_offered_where_one_is(offered, area, code):
    assert propose_projected_crs(offered, area) == code
