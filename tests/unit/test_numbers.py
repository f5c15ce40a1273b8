"""Numbers and names in texts for people, in the notation of the texts' language."""

from __future__ import annotations

import pytest

from plugin.core import i18n
from plugin.core.numbers import format_decimal, format_distance, format_figures, format_scale
from plugin.core.preflight.print_estimate import PrintEstimate
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
