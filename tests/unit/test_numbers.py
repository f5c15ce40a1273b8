"""Numbers and names in texts for people, in the notation of the texts' language."""

from __future__ import annotations

import pytest

from plugin.core import i18n
from plugin.core.numbers import format_decimal, format_distance, format_figures, format_scale, parse_scale
from plugin.core.preflight.print_estimate import PrintEstimate
from plugin.core.records.model.record import Extent
from plugin.core.review.report.record_fields import extent_html
from plugin.core.text import list_quoted_names, sort_key
from plugin.core.translation_catalogue import load_translator


@pytest.fixture
def spanish():
    i18n.set_translator(load_translator("es"), "es")
    yield
    i18n.set_translator(None)


def test_english_numbers_have_a_point():
    assert [format_decimal(2.345, 1), format_figures(4.50), format_figures(60.0)] == ["2.3", "4.5", "60"]
    assert [format_distance(513.24), format_distance(1031.4)] == ["513.2 m", "1.031 km"]
    assert list_quoted_names(["Relieve", "Sombras"]) == "“Relieve”, “Sombras”"


def test_spanish_numbers_have_a_comma_and_names_angle_quotes(spanish):
    assert [format_decimal(2.345, 1), format_figures(4.50), format_figures(60.0)] == ["2,3", "4,5", "60"]
    assert [format_distance(513.24), format_distance(1031.4)] == ["513,2 m", "1,031 km"]
    assert format_scale(25_000) == "1:25\u202f000"
    assert list_quoted_names(["Relieve", "Sombras"]) == "«Relieve», «Sombras»"
    assert "4,6" in PrintEstimate(2, 4.56).text() and "." not in PrintEstimate(2, 4.56).text()


def test_names_sort_as_people_count_whatever_they_consist_of():
    names = ["9" * 5000, "10", "2", "", "Hoja 10", "Hoja 9", "hoja", "Ñora", "Nora 007", "Nora 7", "Nora 8", "٣", "²"]
    found = sorted(names, key=sort_key)
    assert found[0] == "" and found.index("2") < found.index("10") < found.index("9" * 5000)
    assert found.index("hoja") < found.index("Hoja 9") < found.index("Hoja 10")
    assert found.index("Nora 007") < found.index("Nora 7") < found.index("Nora 8"), "equal numbers by their text"
    assert found == sorted(names[5:] + names[:5], key=sort_key), "the same order from any other"


def test_the_sides_of_an_extent_are_written_in_the_language(spanish):
    sides = extent_html(Extent(-3.67, -3.4, 38.3, 38.5))
    assert "3,67°" in sides and "." not in sides


@pytest.mark.parametrize("typed", ["1:25 000", "1:25\u202f000", "25.000", "25,000", "25000", " 1 : 25\u00a0000 ",
                                   "1:25’000"])
def test_a_scale_is_typed_as_it_is_written(typed):
    assert parse_scale(typed) == 25_000


def test_a_point_that_groups_no_thousands_is_a_decimal_one():
    assert [parse_scale("1:1.250.000"), parse_scale("2500.5"), parse_scale("2500,5")] == [1_250_000, 2500.5, 2500.5]
    for wrong in ("", "1:", "near", "1:25 km"):
        with pytest.raises(ValueError, match="."):
            parse_scale(wrong)
