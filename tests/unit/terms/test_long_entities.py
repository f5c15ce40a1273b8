"""Texts of records with entities that Python refuses to read."""

from __future__ import annotations

import pytest

from plugin.core.terms.reading import read_text
from plugin.core.text import unescaped


@pytest.mark.parametrize("number", ["&#" + "9" * 5_000 + ";", "&#x" + "f" * 5_000, "&#0000000065;"])
def test_long_numbers_of_characters_are_text(number):
    assert read_text("Uso libre &amp; gratuito " + number).text
    assert unescaped("&lt;" + number) == "<" + number


def test_entities_are_read():
    assert unescaped("&amp;#65; &#65;&#x1F30D; &eacute;") == "&#65; A🌍 é"
