"""The small map of a record's extents: where it looks, what it draws, and what it leaves out."""

from __future__ import annotations

import time

import pytest
from lxml import etree

from plugin.core.records.model.extents import drawable_extents
from plugin.core.records.model.record import Extent
from plugin.core.review.report.extent_map import HEIGHT, WIDTH, extent_map


def drawn(*extents):
    return etree.fromstring(extent_map(extents, "x"))


def boxes(*extents):
    """Left, top, right and bottom of each extent in the picture."""
    return [(float(box.get("x")), float(box.get("y")), float(box.get("x")) + float(box.get("width")),
             float(box.get("y")) + float(box.get("height")))
            for box in drawn(*extents) if box.get("class") == "extent"]


def test_an_extent_is_in_the_middle_with_land_around_it():
    [(left, top, right, bottom)] = boxes(Extent(-7.6, -1.6, 35.9, 38.8))
    assert (left + right) / 2 == pytest.approx(WIDTH / 2, abs=1) and (top + bottom) / 2 == pytest.approx(160, abs=1)
    svg = drawn(Extent(-7.6, -1.6, 35.9, 38.8))
    assert [element.get("class") for element in svg] == ["sea", "land coast", "graticule", "border", "extent"]


@pytest.mark.parametrize("extents", [
    [Extent(177, -178, -20, -12)], [Extent(-180, -178, -20, -12), Extent(177, 180, -20, -12)],
    [Extent(177, 182, -20, -12)], [Extent(-183, -178, -20, -12)]])
def test_extents_at_the_antimeridian_are_one_place(extents):
    found = boxes(*extents)
    assert max(right for _, _, right, _ in found) - min(left for left, _, _, _ in found) < WIDTH / 4
    assert "coast" not in drawn(*extents)[1].get("class"), "outlines are cut there, and a coast would be drawn"


@pytest.mark.parametrize("extents", [
    [Extent(-180, 180, -90, 90)], [Extent(0, 360, -90, 90)], [Extent(-10, 370, -60, 60)], [Extent(20, 30, 70, 90)],
    [Extent(-180, 180, -90, -60)], [Extent(5, 5, 50, 50)], [Extent(-60, -60, -20, 0), Extent(110, 120, 20, 30)],
    [Extent(1e300, 1e300, 0, 1)], [Extent(0, 1e-300, 0, 1e-300)]])
def test_extents_of_any_size_are_whole_in_the_picture(extents):
    svg = drawn(*extents)
    height = float(svg.get("height"))
    assert 100 <= height <= HEIGHT
    for left, top, right, bottom in boxes(*extents):
        assert -1 <= left <= right <= WIDTH + 1 and -1 <= top <= bottom <= height + 1
        assert right - left >= 2 and bottom - top >= 2


def test_a_small_extent_has_a_ring_and_islands_far_out_show_the_next_land():
    assert [element.get("class") for element in drawn(Extent(-3.7, -3.35, 38.25, 38.5))][-2:] == ["extent", "ring"]
    [(left, _, right, _)] = boxes(Extent(-31, -25, 36.9, 39.8))
    assert right - left < WIDTH / 8, "the map around the Azores reaches to Europe"


def test_what_cannot_be_drawn_is_left_out():
    for extent in (Extent(), Extent(1, 2, 3), Extent(1, 2, 50, 40), Extent(1, 2, 80, 91),
                   Extent(float("nan"), 2, 3, 4), Extent(1, float("inf"), 3, 4)):
        assert extent_map([extent], "x") == "" and drawable_extents([extent]) == []
    assert len(boxes(Extent(1, 2, 50, 40), Extent(1, 2, 40, 50))) == 1


def test_the_label_is_text_and_a_crowd_of_extents_takes_no_time():
    assert drawn(Extent(1, 2, 3, 4)).get("aria-label") == "x"
    assert 'aria-label="&quot;&gt;&lt;b&gt;"' in extent_map([Extent(1, 2, 3, 4)], '"><b>')
    began = time.process_time()
    extent_map([Extent(n % 350, n % 350 + 1, n % 80, n % 80 + 1) for n in range(20_000)], "x")
    assert time.process_time() - began < 10
