"""Credits in letters that the page's font lacks are written with another font, or the map is refused with a reason."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace

import pytest
from qgis.PyQt.QtGui import QFont

from plugin.core.custommap.map_findings import Severity
from plugin.core.terms.model import Decision
from plugin.gis.credits import expression_functions
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import map_pipeline
from plugin.gis.export.layout_export import ExportFormat, ExportOptions, export_layouts, export_pdf
from plugin.gis.layouts.layout_items import layout_notes
from plugin.gis.pages.completeness_checks import IncompleteMap, layout_problems
from plugin.gis.runtime import page_fonts
from plugin.gis.services import service_cache
from plugin.processing.map_parameters import composition_remarks
from tests.qgis import print_maps
from tests.qgis.print_maps import pdf_text

#: scripts that few fonts have, a letter of each
RARE = "ꯀ𐎀𑀓ᬅ𐍈ꠀ𞤀"
SCRIPTS = {"zh": "国家基础地理信息中心", "ja": "国土地理院「基盤地図情報」", "ko": "국토지리정보원",
           "el": "Εθνικό Κτηματολόγιο", "ru": "Росреестр, карта"}


@pytest.fixture
def expressions(qgis_app):
    expression_functions.register()
    yield
    expression_functions.unregister()


@pytest.fixture
def made(network, project, expressions, monkeypatch):
    def compose(line):
        known = print_maps.known_records(network)
        document = print_maps.small_map(network, known)
        answered = replace(document.base, record_id=None, credit=replace(
            document.base.credit, line=line, required=Decision.YES))
        del known[network.endpoints["guide"]]
        return map_pipeline.compose_map(project, replace(document, base=answered), known,
                                        service_cache.ServiceCache(), 60)
    return compose


def letter_without_font():
    lacking = [letter for letter in RARE if page_fonts.letters_without_font(letter)]
    if not lacking:
        pytest.skip("this computer has fonts for everything")
    return lacking[0]


def letter_boxes(pdf, line):
    """Return the box (left, top, right, bottom in points) of each letter of a line of a PDF, which may be broken."""
    told = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    boxes, text = [], ""
    for match in re.finditer(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</word>',
                             told):
        left, top, right, bottom = map(float, match.groups()[:4])
        width = (right - left) / max(1, len(match[5]))
        boxes += [(left + number * width, top, left + (number + 1) * width, bottom) for number in range(len(match[5]))]
        text += match[5]
    start = text.index(line)
    return boxes[start:start + len(line)]


def letter_drawing(pdf, box):
    """Return the pixels of a part of the first page of a PDF."""
    left, top, right, bottom = (round(edge * 600 / 72) for edge in box)
    shown = subprocess.run(["pdftoppm", "-r", "600", "-mono", "-x", str(left), "-y", str(top), "-W",
                            str(right - left), "-H", str(bottom - top), str(pdf)], capture_output=True, check=True)
    return shown.stdout


@pytest.mark.parametrize("languages", [("zh",), ("ja", "ko"), ("el", "ru")], ids="-".join)
def test_letters_that_the_page_font_lacks_are_written_with_a_font_that_has_them(made, tmp_path, languages):
    words = [SCRIPTS[one] for one in languages if not page_fonts.letters_without_font(SCRIPTS[one])]
    if not words:
        pytest.skip("no font for this script")
    line = f"© {' / '.join(words)}"
    composed = made(line)
    export_pdf(composed.layout, tmp_path / "map.pdf", 96)
    assert line in " ".join(pdf_text(tmp_path / "map.pdf").split())
    fonts = subprocess.run(["pdffonts", str(tmp_path / "map.pdf")], capture_output=True, text=True, check=True).stdout
    other = page_fonts.substituted_letters(line, QFont(page_fonts.FAMILY))
    notes = [note for note in layout_notes(composed.layout) if "lacks the letters" in note]
    assert bool(other) == bool(notes) and set(notes) <= set(composition_remarks(composed))
    for family in other:
        assert family.replace(" ", "")[:8].lower() in fonts.replace("-", "").lower(), fonts
    assert re.search(r"\byes\b", fonts), "embedded"
    if languages == ("zh",):
        # a box is the same drawing for every letter: those of the credit differ from each other
        boxes = letter_boxes(tmp_path / "map.pdf", SCRIPTS["zh"])
        assert len({letter_drawing(tmp_path / "map.pdf", box) for box in boxes}) == len(SCRIPTS["zh"])


@pytest.mark.slow
def test_letters_that_no_font_has_are_refused_with_the_letters_and_the_line(made, tmp_path):
    letter = letter_without_font()
    line = f"© {letter}{letter} Survey"
    composed = made(line)
    for export_format, suffix in ((ExportFormat.PDF, "pdf"), (ExportFormat.PNG, "png"), (ExportFormat.SVG, "svg")):
        with pytest.raises(IncompleteMap) as refused:
            export_layouts(composed.layout, tmp_path / f"map.{suffix}", export_format, ExportOptions(96))
        assert line in refused.value.user_text and f": {letter}." in refused.value.user_text
    assert list(tmp_path.iterdir()) == []
    set_credit(composed.layers[0], line, Decision.YES)
    assert any(line in sentence for _, sentence in layout_problems(composed.layout))


def test_the_window_tells_of_letters_before_the_map_is_printed(network_dock, network, wait_until):
    letter = letter_without_font()
    dock = network_dock()
    window = dock.composer_controller
    document = print_maps.small_map(network)
    base = replace(document.base, record_id="gone", credit=replace(document.base.credit, line=f"© {letter}",
                                                                   required=Decision.YES))
    window.map.show_document(replace(document, base=base))
    wait_until(lambda: window.map.items and not any(item.loading for item in window.map.items), 60)
    wait_until(lambda: any(finding.rule == "letters" and finding.severity is Severity.ERROR
                           for finding in dock.composer.findings.findings), 60)


def test_signs_that_draw_nothing_are_no_letters():
    assert page_fonts.letters_without_font("a\u200b\u00a0\u202f\ufe0f\u00ad ©") == ""
