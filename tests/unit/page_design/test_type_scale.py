"""The scale of type: sizes for roles and papers."""

from __future__ import annotations

import pytest

from plugin.core.page_design.type_scale import MIN_FIGURE, MIN_READ, PAPER_FACTORS, TextRole, least_size, size_of


@pytest.mark.parametrize("role", TextRole)
def test_what_is_read_has_seven_points_and_only_figures_of_grids_less(role):
    least = 5.5 if role is TextRole.GRID_FIGURE else 7.0
    assert least <= least_size(role) <= size_of(role)
    assert (MIN_READ, MIN_FIGURE) == (7.0, 5.5)


def test_type_grows_with_the_paper():
    assert list(PAPER_FACTORS.items()) == [("A4", 1.0), ("A3", 1.2), ("A2", 1.5), ("A1", 2.0), ("A0", 2.8),
                                           ("screen", 1.25)]
    assert size_of(TextRole.CREDITS, PAPER_FACTORS["A0"]) == pytest.approx(19.6)
    assert least_size(TextRole.LEGEND, PAPER_FACTORS["A3"]) == pytest.approx(8.4)


def test_titles_stand_above_headings_and_headings_above_text():
    order = [TextRole.TITLE, TextRole.SCALE, TextRole.SUBTITLE, TextRole.HEADING, TextRole.LEGEND, TextRole.CREDITS,
             TextRole.GRID_FIGURE]
    sizes = [size_of(role) for role in order]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == len(sizes)
