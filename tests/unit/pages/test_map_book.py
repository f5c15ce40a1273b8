"""Sheets of a map book that adjoin one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.box import Box
from plugin.core.errors import CartoguideError
from plugin.core.pages.map_book import MAX_SHEETS, IndexEntry, SheetSide, adjoining_sheets, index_entries, sheet_grid


def sides(extents, index):
    return [(sheet.index, sheet.side, round(sheet.place, 3)) for sheet in adjoining_sheets(extents, index)]


def test_the_middle_sheet_of_a_grid_has_one_on_each_side():
    for overlap in (0.0, 0.1):
        grid = [Box(x, y, x + 2 + overlap, y + 1 + overlap) for y in (0, 1, 2) for x in (0, 2, 4)]
        assert {index: side for index, side, _place in sides(grid, 4)} == {
            1: SheetSide.SOUTH, 3: SheetSide.WEST, 5: SheetSide.EAST, 7: SheetSide.NORTH}
        assert all(abs(place - 0.5) < 0.1 for _index, _side, place in sides(grid, 4))
        assert {index for index, _side, _place in sides(grid, 0)} == {1, 3}, "not the one at the corner"


@pytest.mark.parametrize("overlap", [0.3, 0.4, 0.5])
def test_sheets_that_overlap_much_do_not_adjoin_across_a_corner(overlap):
    grid = [Box(x, y, x + 1, y + 1) for y in (0, 1 - overlap) for x in (0, 1 - overlap)]
    assert {index: side for index, side, _place in sides(grid, 0)} == {1: SheetSide.EAST, 2: SheetSide.NORTH}
    assert {index: side for index, side, _place in sides(grid, 3)} == {2: SheetSide.WEST, 1: SheetSide.SOUTH}


def test_sheets_of_any_place_and_size():
    own = Box(0, 0, 10, 10)
    far, inside, unknown = Box(10.5, 0, 20, 10), Box(4.9, 4.9, 5.3, 5.1), None
    upper, lower, above = Box(9, 8, 19, 18), Box(10, 0, 12, 2), Box(2, 10, 4, 30)
    extents = [own, far, inside, unknown, upper, lower, above]
    assert sorted(sides(extents, 0)) == [(5, SheetSide.EAST, 0.9), (6, SheetSide.NORTH, 0.3)]
    assert sides(extents, 3) == []
    assert sides([own, own], 0) == [], "the same place is on no side"


def test_the_nearest_sheet_comes_first():
    extents = [Box(west, 0, west + 10, 10) for west in (0, 8, 4, 11)]
    assert [index for index, _side, _place in sides(extents, 0)] == [2, 1]


@given(st.tuples(*[st.floats(-1e6, 1e6)] * 2), st.floats(0.01, 8), st.floats(0.01, 8), st.floats(0, 0.5))
def test_a_grid_covers_its_area_with_sheets_that_adjoin(corner, columns, rows, overlap):
    west, south = corner
    width, height = 800.0, 500.0
    area = Box(west, south, west + columns * width, south + rows * height)
    sheets = sheet_grid(area, width, height, overlap)
    extents = [Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y in
               (sheet.centre for sheet in sheets)]
    tolerance = 0.01
    # but for half of a strip that is not worth a row or column
    across, along = tolerance + 0.015 * width, tolerance + 0.015 * height
    assert min(extent.west for extent in extents) <= area[0] + across
    assert min(extent.south for extent in extents) <= area[1] + along
    assert max(extent.east for extent in extents) >= area[2] - across
    assert max(extent.north for extent in extents) >= area[3] - along
    assert len({sheet.name for sheet in sheets}) == len(sheets) and sheets[0].name == "A1"
    across = [sheet.centre[0] for sheet in sheets if sheet.name.startswith("A")]
    assert all(0 < right - left <= width * (1 - overlap) + tolerance for left, right in zip(across, across[1:]))


@pytest.mark.parametrize("columns, rows", [(1.95, 1.6), (1.5, 2.8), (1.2, 0.9)])
def test_a_grid_ends_where_its_area_ends(columns, rows):
    area = Box(1000, 2000, 1000 + columns * 800, 2000 + rows * 500)
    centres = [sheet.centre for sheet in sheet_grid(area, 800.0, 500.0, 0.05)]
    assert (min(x for x, _y in centres) - 400, max(x for x, _y in centres) + 400) == pytest.approx((area[0], area[2]))
    if rows > 1:
        assert min(y for _x, y in centres) - 250 == pytest.approx(area[1])
        assert max(y for _x, y in centres) + 250 == pytest.approx(area[3])
    else:
        assert {y for _x, y in centres} == {area.centre[1]}


@pytest.mark.parametrize(("rows", "count"), [(1.01, 1), (1.029, 1), (1.05, 2), (1.97, 2), (1.99, 3), (2.92, 3)])
def test_no_row_is_made_that_shows_hardly_anything_new(rows, count):
    overlap = 0.05
    sheets = sheet_grid(Box(0, 0, 1000, rows * 500), 1000, 500, overlap)
    assert len(sheets) == count
    ys = sorted(sheet.centre[1] for sheet in sheets)
    assert all(two - one <= 500 * (1 - overlap) + 0.01 for one, two in zip(ys, ys[1:]))
    assert sum(ys) / count == pytest.approx(rows * 250), "what stays outside is shared by both sides"


def test_a_grid_is_as_small_as_it_can_be_and_never_endless():
    names = [sheet.name for sheet in sheet_grid(Box(0, 0, 1900, 500), 1000, 500, 0.1)]
    assert names == ["A1", "A2"], "one kilometre and nine tenths, of which a tenth is shown twice"
    assert sheet_grid(Box(0, 0, 1000, 1000), 1000, 500, 0)[1].name == "B1"
    assert sheet_grid(Box(0, 0, 10, 10), 1000, 500, 0.5)[0].centre == (5, 5)
    assert [sheet.name for sheet in sheet_grid(Box(0, 0, 1, 28), 1, 1, 0)][25:] == ["Z1", "AA1", "AB1"]
    assert len(sheet_grid(Box(0, 0, 1, MAX_SHEETS), 1, 1, 0)) == MAX_SHEETS
    for area in (Box(0, 0, 1, MAX_SHEETS + 0.5), Box(0, 0, 18, 18), Box(0, 0, 1e300, 1), Box(0, 0, float("inf"), 1)):
        with pytest.raises(CartoguideError, match="sheets"):
            sheet_grid(area, 1, 1, 0)


def test_names_of_an_index_follow_as_people_spell_with_their_sheets_in_order():
    assert index_entries({"Zújar": {4}, "ábside": {3, 0}, "Cerro 10": [2], "Cerro 9": (1, 5)}) == (
        IndexEntry("ábside", (0, 3)), IndexEntry("Cerro 9", (1, 5)), IndexEntry("Cerro 10", (2,)),
        IndexEntry("Zújar", (4,)))
