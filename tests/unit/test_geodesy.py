"""Grid references and magnetic declination agree with independent programs: GEOTRANS (NGA) and pygeomag 1.1."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.geodesy import magnetic_declination, square_of, zone_of

#: longitude, latitude, zone, easting, northing, grid zone and square by GEOTRANS
SQUARES = [
    (-5.5, 36.5, 30, 276091, 4042315, "30S TF"), (-2.9, 36.8, 30, 508921, 4072691, "30S WF"),
    (-4.0, 40.5, 30, 415265, 4483735, "30T VK"), (0.5, 39.9, 31, 286278, 4419650, "31S BE"),
    (5.3, 60.4, 32, 296192, 6701684, "32V KN"), (16.0, 78.2, 33, 522828, 8680885, "33X WG"),
    (30.0, 75.0, 35, 586637, 8325798, "35X ND"), (-70.6, -33.4, 19, 351205, 6303224, "19H CD"),
    (151.2, -33.9, 56, 333569, 6247473, "56H LH"), (-122.35, 47.62, 10, 548842, 5274271, "10T ET"),
    (179.9, -17.0, 60, 808795, 8118159, "60K ZG"), (-179.9, 65.0, 1, 363283, 7211591, "1W CN"),
    (20.0, 0.1, 34, 388720, 11055, "34N CF"), (20.0, -0.1, 34, 388720, 9988945, "34M CE"),
    (10.0, 83.5, 33, 436886, 9275014, "33X VN"),
]
#: longitude, latitude, day, declination in degrees
DECLINATIONS = [
    (-5.5, 36.5, "2025-01-01", -0.0717), (-5.5, 36.5, "2029-12-31", 0.6135), (-3.7, 40.4, "2026-11-23", 0.6752),
    (151.2, -33.9, "2027-07-01", 12.8518), (-122.35, 47.62, "2026-07-02", 14.9113), (0, 0, "2028-01-01", -3.6456),
    (120, 70, "2025-07-01", -16.213), (-68, -54.8, "2029-01-01", 11.2262), (179.99, -17, "2026-01-01", 12.6823),
]


@pytest.mark.parametrize("longitude, latitude, zone, easting, northing, expected", SQUARES)
def test_squares_of_the_military_grid(longitude, latitude, zone, easting, northing, expected):
    assert zone_of(longitude, latitude) == zone
    assert square_of(zone, latitude, easting, northing) == expected


def test_beyond_the_zones_there_is_no_square():
    assert zone_of(0, 84.1) is None and zone_of(0, -80.1) is None
    assert square_of(31, 85, 500_000, 9_400_000) is None
    assert square_of(30, 40, 99_000, 4_400_000) is None and square_of(30, 40, 900_001, 4_400_000) is None


@given(st.integers(1, 60), st.floats(-80, 84), st.integers(1, 8), st.integers(0, 99))
def test_neighbouring_squares_have_different_letters(zone, latitude, column, row):
    middle = 50_000.0
    here, east, north = (square_of(zone, latitude, (column + right) * 100_000 + middle, (row + up) * 100_000 + middle)
                         for right, up in ((0, 0), (1 if column < 8 else -1, 0), (0, 1)))
    assert here and len({here, east, north}) == 3
    assert not set("IO") & set(here.split(" ")[1])


@pytest.mark.parametrize("longitude, latitude, day, expected", DECLINATIONS)
def test_declination_after_the_world_magnetic_model(longitude, latitude, day, expected):
    found = magnetic_declination(longitude, latitude, date.fromisoformat(day))
    assert found is not None and found.degrees == pytest.approx(expected, abs=5e-5)


def test_the_change_in_a_year_is_the_difference_to_the_next():
    first = magnetic_declination(-3.7, 40.4, date(2026, 1, 1))
    second = magnetic_declination(-3.7, 40.4, date(2027, 1, 1))
    assert first is not None and second is not None
    assert first.change == pytest.approx(second.degrees - first.degrees, abs=1e-9)


def test_no_declination_outside_the_models_years_or_near_a_magnetic_pole():
    assert magnetic_declination(-5, 37, date(2024, 12, 31)) is None
    assert magnetic_declination(-5, 37, date(2030, 1, 1)) is None
    assert magnetic_declination(162, 86.5, date(2025, 7, 1)) is None


@given(st.floats(-180, 180), st.floats(-90, 90), st.integers(0, 1825))
def test_declination_is_an_angle_anywhere_and_the_same_all_around(longitude, latitude, days):
    day = date(2025, 1, 1) + timedelta(days)
    found, around = magnetic_declination(longitude, latitude, day), magnetic_declination(longitude + 360, latitude, day)
    if found is None or around is None:
        assert found is around
        return
    assert -180 <= found.degrees <= 180
    assert abs((found.degrees - around.degrees + 180) % 360 - 180) < 1e-6
