"""Words wider than their column: broken at marks where they have some, else into lines of the same length."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtGui import QFont

from plugin.gis.layouts.text_fitting import break_wide_words, text_width


@pytest.mark.parametrize(("word", "share", "lines"), [
    ("red.ambiental@example.org", 0.7, ["red.ambiental", "@example.org"]),
    ("https://example.org/registros/uno", 0.8, ["https://example.org/", "registros/uno"]),
    ("8735c33bc20cf8e1dacb8c558ac0b134073db310", 0.99, ["8735c33bc20cf8e1dacb", "8c558ac0b134073db310"]),
    ("8735c33bc20cf8e1dacb8c558ac0b134073db310", 1.1, ["8735c33bc20cf8e1dacb8c558ac0b134073db310"])])
def test_a_word_is_broken_where_it_is_read_best(qgis_app, word, share, lines):
    font = QFont("Open Sans", 8)
    width = share * text_width(word, font)
    assert break_wide_words(f"Contacto: {word} y más", font, width) == f"Contacto: {chr(10).join(lines)} y más"
    assert all(text_width(line, font) <= width for line in lines)
