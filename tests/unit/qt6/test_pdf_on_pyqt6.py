"""PDFs as the Qt of QGIS 4 writes them are described as those of Qt 5."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from plugin.core.publication.map_statement import MapStatement
from plugin.core.publication.page_elements import ElementRole, PageElement
from plugin.core.publication.pdf_content import TextObject, page_content
from plugin.core.publication.pdf_description import PageDescription, describe_pdf, pdfa_obstacles
from plugin.core.publication.pdf_update import PdfUpdate
from tests.slowness import patience
from tests.unit.publication.test_pdf_update import structure

TITLE, ADDRESS = "Dunas móviles", "https://www.example.org/a/b?c=1"
STATEMENT = MapStatement(TITLE, "es", "2026-11-22T10:00:00Z", "Cartoguide", creators=("Ñ",), summary="Über",
                         credits=("© Ñ",))
ELEMENTS = (PageElement(ElementRole.FIGURE, (25.4, 127.0, 67.7, 33.9), "A map"),
            PageElement(ElementRole.TITLE, (25.0, 14.0, 150.0, 10.0), TITLE),
            PageElement(ElementRole.PARAGRAPH, (25.4, 25.4, 169.0, 34.0), f"© Junta, {ADDRESS} and"))


@pytest.fixture(scope="module")
def printed(pyqt6, tmp_path_factory):
    folder = tmp_path_factory.mktemp("printed")
    environment = {"HOME": str(folder), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    answer = subprocess.run([sys.executable, str(Path(__file__).with_name("printed_page.py")), str(folder / "a.pdf")],
                            capture_output=True, text=True, timeout=patience(60), stdin=subprocess.DEVNULL,
                            env=environment)
    assert answer.returncode == 0, answer.stderr[-3000:]
    return (folder / "a.pdf").read_bytes()


@pytest.fixture(scope="module")
def described(printed):
    pages = [PageDescription("One", ELEMENTS), PageDescription("Two")]
    return printed + describe_pdf(printed, STATEMENT, pages, colour_profile=b"icc")


def words(text: TextObject) -> str:
    """A text with spaces for the tabs that Qt names them."""
    return text.text.replace("\t", " ").strip()


def test_its_texts_are_found_where_they_stand(printed):
    update = PdfUpdate(printed)
    first, second = [page_content(update, update.dictionary(page)) for page in update.pages()]
    places = {words(text): tuple(round(value) for value in text.start) for text in first.texts}
    # 300 dots per inch, from the lower left corner
    assert places[TITLE] == (72, 842 - 60) and places["Turned"] == (192, 842 - 288)
    assert "© Junta de Andalucía" in " ".join(places) and ADDRESS in " ".join(places)
    assert [words(text) for text in second.texts] == ["Credits"]
    [image] = first.images
    assert (round(image.x), round(image.y)) == (168, 842 - 408)
    assert not first.unreadable_fonts


def test_it_is_tagged_and_conforms(described):
    assert pdfa_obstacles(PdfUpdate(described)) == []
    reader = PdfReader(io.BytesIO(described), strict=True)
    root = reader.trailer["/Root"]
    assert (root["/Lang"], root["/Version"], reader.metadata.title) == ("es", "/1.7", TITLE)
    assert reader.xmp_metadata.dc_title["es"] == TITLE and reader.trailer["/ID"]
    assert b"<pdfaid:part>3</pdfaid:part>" in root["/Metadata"].get_object().get_data()
    roles = [role for role, _content in structure(reader)[1]]
    assert roles == ["/Figure", "/H1", "/P", "/P", "/P"], "the elements, then what belongs to none: turned, credits"
    [link] = reader.pages[0]["/Annots"]
    assert link.get_object()["/A"]["/URI"] == ADDRESS
    text = reader.pages[0].extract_text()
    assert TITLE in text and "\t" not in text


def test_the_update_only_appends(printed, described):
    assert described.startswith(printed) and len(described) - len(printed) < 20_000
