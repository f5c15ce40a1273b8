"""Sheets of a map book that adjoin one another."""

from __future__ import annotations

from plugin.core.custommap.map_book import SheetSide, adjoining_sheets
from plugin.core.custommap.model import MapExtent


def sides(extents, index):
    return [(sheet.index, sheet.side, round(sheet.place, 3)) for sheet in adjoining_sheets(extents, index)]


def test_the_middle_sheet_of_a_grid_has_one_on_each_side():
    for overlap in (0.0, 0.1):
        grid = [MapExtent(x, y, x + 2 + overlap, y + 1 + overlap) for y in (0, 1, 2) for x in (0, 2, 4)]
        assert {index: side for index, side, _place in sides(grid, 4)} == {
            1: SheetSide.SOUTH, 3: SheetSide.WEST, 5: SheetSide.EAST, 7: SheetSide.NORTH}
        assert all(abs(place - 0.5) < 0.1 for _index, _side, place in sides(grid, 4))
        assert {index for index, _side, _place in sides(grid, 0)} == {1, 3}, "not the one at the corner"


def test_sheets_of_any_place_and_size():
    own = MapExtent(0, 0, 10, 10)
    far, inside, unknown = MapExtent(10.5, 0, 20, 10), MapExtent(4.9, 4.9, 5.3, 5.1), None
    upper, lower, above = MapExtent(9, 8, 19, 18), MapExtent(10, 0, 12, 2), MapExtent(2, 10, 4, 30)
    extents = [own, far, inside, unknown, upper, lower, above]
    assert sorted(sides(extents, 0)) == [(5, SheetSide.EAST, 0.9), (6, SheetSide.NORTH, 0.3)]
    assert sides(extents, 3) == []
    assert sides([own, own], 0) == [], "the same place is on no side"


def test_the_nearest_sheet_comes_first():
    extents = [MapExtent(west, 0, west + 10, 10) for west in (0, 8, 4, 11)]
    assert [index for index, _side, _place in sides(extents, 0)] == [2, 1]
