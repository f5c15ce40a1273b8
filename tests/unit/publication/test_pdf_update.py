"""PDF objects and incremental updates, against a reader that is not ours."""

from __future__ import annotations

import io
import re
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from plugin.core.errors import CartoguideError
from plugin.core.publication import pdf_content
from plugin.core.publication.map_statement import MapSource, MapStatement
from plugin.core.publication.page_elements import ElementRole, PageElement, element_at, entries_of_lines
from plugin.core.publication.pdf_content import PageContent, read_to_unicode
from plugin.core.publication.pdf_description import Attachment, PageDescription, describe_pdf
from plugin.core.publication.pdf_update import (
    PdfName,
    PdfReference,
    PdfUpdate,
    UnreadablePdf,
    inflate,
    read_value,
    text_string,
    write_value,
)
from tests.examples import examples

CMAP = (b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n2 beginbfrange\n<0000> <0000> <0000>\n"
        b"<0001> <0004> [<0048> <00ED> <0009> <D83CDF0D>]\nendbfrange\n1 beginbfchar\n<0010> <0041>\nendbfchar")
TEXTS = {1: "H", 2: "í", 3: "\t", 4: "🌍", 16: "A"}


def text_at(x: float, y: float, glyphs: str) -> str:
    """A text as Qt writes it, at a point of a page of 200 by 100 points, from the upper left corner."""
    shown = "\n".join(f"{10 if number else x} {0 if number else y} Td <{code}> Tj"
                      for number, code in enumerate(re.findall("....", glyphs)))
    return f"q\n1 0 0 -1 0 100 cm\nBT\n/F7 10 Tf 1 0 0 1 0 0 Tm\n{shown}\nET\nQ"


def pdf(content: str, **catalogue: str) -> bytes:
    """A PDF as Qt writes one: one page, a font, a content stream whose length stands behind it."""
    packed = zlib.compress(content.encode())
    objects = {
        1: b"<< /Title () /Producer (\xfe\xff\x00Q\x00t) >>",
        2: b"<< /Type /Catalog /Pages 3 0 R " + "".join(f"/{k} {v} " for k, v in catalogue.items()).encode() + b">>",
        3: b"<< /Type /Pages /Kids \n[\n4 0 R\n]\n/Count 1 >>",
        4: b"<< /Type /Page /Parent 3 0 R /Contents 5 0 R /Resources << /Font << /F7 7 0 R >> >> /Annots [ ]\n"
           b"/MediaBox [0 0 200.000000 100.000000] >>",
        5: b"<<\n/Length 6 0 R\n/Filter /FlateDecode\n>>\nstream\n" + packed + b"\nendstream",
        6: b"%d" % len(packed),
        7: b"<< /Type /Font /Subtype /Type0 /BaseFont /Open#20Sans /Encoding /Identity-H /DescendantFonts [8 0 R]\n"
           b"/ToUnicode 9 0 R>>",
        8: b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Open#20Sans /FontDescriptor << /FontFile2 9 0 R >> >>",
        9: b"<< /Length %d >>\nstream\n" % len(CMAP) + CMAP + b"\nendstream",
    }
    data, offsets = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in objects.items():
        offsets.append(len(data))
        data += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return data + b"xref\n0 10\n0000000000 65535 f \n" + table + (
        b"trailer\n<< /Size 10 /Info 1 0 R /Root 2 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data))


STATEMENT = MapStatement("Párk (1) \\", "es", "2026-11-22T10:00:00Z", "Cartoguide", creators=("Ñ",), summary="Über",
                         credits=("© Ñ",), sources=(MapSource("S", licence_url="https://a.example/by"),))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-10**9, 10**9) | st.binary(max_size=20) |
    st.floats(-1e6, 1e6).map(lambda value: round(value, 4)).filter(lambda value: value != int(value)) |
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8).map(PdfName) |
    st.builds(PdfReference, st.integers(0, 10**6), st.integers(0, 9)),
    lambda items: st.lists(items, max_size=4) | st.dictionaries(st.text("abcXYZ# /é", max_size=5), items, max_size=4),
    max_leaves=12)


@given(VALUES)
def test_values_are_read_as_they_were_written(value):
    written = write_value(value)
    assert read_value(b"  % a comment\n" + written + b" ", 0)[0] == value


@given(st.binary(max_size=60))
def test_strings_in_brackets_are_read(content):
    escaped = content.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)").replace(b"\r", b"\\r")
    assert read_value(b"(" + escaped + b")", 0)[0] == content


def test_strings_of_other_writers_are_read():
    assert read_value(rb"(a\(b\)(c)\101\n\
d)", 0)[0] == b"a(b)(c)A\nd"
    assert read_value(b"<FEFF00D1 0>", 0)[0] == b"\xfe\xff\x00\xd1\x00"


@settings(max_examples=examples(300))
@given(st.binary(max_size=200) | st.lists(st.sampled_from(
    [b"<<", b">>", b"[", b"]", b"(", b")", b"/A", b"1 0 R", b"<", b"xref", b"trailer", b"startxref", b"%%EOF", b"0 9",
     b"stream\n", b"obj", b"1"]), max_size=40).map(b" ".join))
def test_broken_files_are_refused_with_words(tail):
    for data in (tail, pdf("")[:-40] + tail, b"%PDF-1.4\n" + tail + b"\nstartxref\n9\n%%EOF"):
        try:
            describe_pdf(data, STATEMENT, [])
        except CartoguideError as error:
            assert error.user_text


def test_a_circle_of_pages_and_a_bomb_are_refused():
    with pytest.raises(UnreadablePdf):
        PdfUpdate(pdf("").replace(b"[\n4 0 R\n]", b"[\n3 0 R\n]")).pages()
    with pytest.raises(UnreadablePdf):
        inflate(zlib.compress(b"0" * 100_000), 50_000)


def described(content: str, elements=(), attachments=(), **options) -> PdfReader:
    data = pdf(content)
    added = describe_pdf(data, STATEMENT, [PageDescription("One", elements)], attachments, **options)
    return PdfReader(io.BytesIO(data + added), strict=True)


def test_an_update_is_read_by_another_library():
    attachment = Attachment("año.json", "application/json", b'{"a": 1}' * 50, "Dátum")
    reader = described(text_at(10, 20, "00010002"), attachments=[attachment], colour_profile=b"icc")
    assert reader.metadata.title == STATEMENT.title and reader.metadata.author == "Ñ"
    assert reader.metadata.producer == "Cartoguide"
    assert reader.attachments["año.json"] == [attachment.data]
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "es" and root["/Version"] == "/1.7" and root["/MarkInfo"]["/Marked"]
    assert root["/AF"][0]["/AFRelationship"] == "/Source"
    assert root["/OutputIntents"][0]["/DestOutputProfile"].get_object().get_data() == b"icc"
    assert reader.xmp_metadata.dc_title["es"] == STATEMENT.title
    assert reader.xmp_metadata.dc_rights["x-default"] == "© Ñ"
    packet = root["/Metadata"].get_object().get_data().decode()
    assert "<pdfaid:part>3</pdfaid:part>" in packet and 'rdf:resource="https://a.example/by"' in packet


def test_a_space_is_no_tab():
    reader = described(text_at(10, 20, "000100030010"))
    assert reader.pages[0].extract_text().split() == ["H", "A"]
    assert b"<0009>" not in b"".join(re.findall(rb"\[[^]]*\]", to_unicode(reader)))


def test_ligatures_are_their_letters_for_search_copies_and_links():
    """Open Sans joins the letters of "oficina", and Qt names the glyph U+FB01."""
    characters = "htps:/a.exmlo\ufb01cin\ufb03"
    targets = b" ".join(b"<%04X>" % ord(character) for character in characters)
    cmap = b"1 beginbfrange\n<0001> <%04X> [%s ]\nendbfrange" % (len(characters), targets)
    assert "".join(read_to_unicode(cmap).values()) == "htps:/a.exmloficinffi"
    address = "https://a.example/oficina"
    glyphs = "".join(f"{characters.index(character) + 1:04X}" for character in address.replace("fi", "\ufb01"))
    element = PageElement(ElementRole.PARAGRAPH, (0, 0, 100, 100), address)
    data = pdf(text_at(10, 20, glyphs)).replace(CMAP, cmap.ljust(len(CMAP)))
    added = describe_pdf(data, STATEMENT, [PageDescription("One", [element])])
    reader = PdfReader(io.BytesIO(data + added), strict=True)
    assert [link["/A"]["/URI"] for link in reader.pages[0]["/Annots"]] == [address]
    assert "fi" in reader.pages[0].extract_text() and b"<006600660069>" in to_unicode(reader)


def to_unicode(reader):
    return reader.pages[0]["/Resources"]["/Font"]["/F7"]["/ToUnicode"].get_object().get_data()


def structure(reader):
    def tree(element):
        element = element.get_object()
        if isinstance(element, int):
            return element
        kids = element.get("/K", [])
        return (element.get("/S"), [tree(kid) for kid in (kids if isinstance(kids, list) else [kids])])

    return tree(reader.trailer["/Root"]["/StructTreeRoot"]["/K"][0])


def test_text_is_tied_to_its_element_in_reading_order():
    mm = 25.4 / 72
    elements = [PageElement(ElementRole.TITLE, (0, 50 * mm, 200 * mm, 20 * mm), "T"),
                PageElement(ElementRole.LIST, (0, 0, 200 * mm, 30 * mm), "L"),
                PageElement(ElementRole.PARAGRAPH, (0, 90 * mm, 10, 10), "nothing there")]
    content = "\n".join([text_at(10, 10, "0001"), text_at(10, 25, "0002"), text_at(10, 60, "0010"),
                         text_at(190, 80, "0004"), "q\n0 0 m\n9 9 l\nS\nQ"])
    reader = described(content, elements)
    assert structure(reader) == ("/Document", [
        ("/H1", [2]), ("/L", [("/LI", [("/LBody", [0])]), ("/LI", [("/LBody", [1])])]), ("/P", [3])])
    stream = reader.pages[0].get_contents().get_data()
    assert stream.count(b"BDC") == 4 and stream.count(b"BDC") + stream.count(b"BMC") == stream.count(b"EMC")
    parents = reader.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    owners = [parent.get_object()["/S"] for parent in parents[parents.index(reader.pages[0]["/StructParents"]) + 1]]
    assert owners == ["/LBody", "/LBody", "/H1", "/P"]


def lines(*roles_and_texts):
    """Elements below each other, and content with a letter for each of them."""
    mm = 25.4 / 72
    elements = [PageElement(role, (0, 10 * number * mm, 200 * mm, 10 * mm), text)
                for number, (role, text) in enumerate(roles_and_texts)]
    return elements, "\n".join(text_at(10, 10 * number + 9, "0001") for number in range(len(elements)))


def test_the_first_heading_is_the_title_and_no_level_is_left_out():
    elements, content = lines((ElementRole.SUBHEADING, "a"), (ElementRole.SUBHEADING, "b"), (ElementRole.HEADING, "c"),
                              (ElementRole.SUBHEADING, "d"), (ElementRole.TITLE, "e"), (ElementRole.SUBHEADING, "f"))
    assert [kind for kind, _marks in structure(described(content, elements))[1]] == [
        "/H1", "/H2", "/H2", "/H3", "/H1", "/H2"]


def test_rows_are_items_of_one_list_until_something_else_follows():
    number, row = (ElementRole.ROW_NUMBER, "1"), (ElementRole.ROW, "Mirador")
    elements, content = lines(number, row, number, row, (ElementRole.PARAGRAPH, "p"), row, row)
    reader = described(content, elements)
    item = ["/Lbl", "/LBody"]
    found = structure(reader)[1]
    assert [kind for kind, _kids in found] == ["/L", "/P", "/L"]
    assert [[part for part, _marks in parts] for _li, parts in found[0][1]] == [item, item]
    assert [[part for part, _marks in parts] for _li, parts in found[2][1]] == [["/LBody"], ["/LBody"]]
    lists = [kid.get_object() for kid in reader.trailer["/Root"]["/StructTreeRoot"]["/K"][0]["/K"]]
    assert [each["/A"]["/ListNumbering"] for each in lists if each["/S"] == "/L"] == ["/Decimal", "/None"]
    assert all(part.get_object()["/P"].get_object() == item.get_object() for item in lists[0]["/K"]
               for part in item.get_object()["/K"])


def test_an_entry_of_a_list_keeps_its_lines_together():
    assert entries_of_lines(["Ríos y", "arroyos", "Ríos", "Núcleos"], ["Ríos y arroyos", "Ríos"]) == [[0, 1], [2], [3]]
    assert entries_of_lines(["a", "b"], ["b"]) == [[0], [1]] and entries_of_lines([], ["a"]) == []
    element = PageElement(ElementRole.LIST, (0, 0, 200, 100), entries=("H\n í",))
    content = "\n".join([text_at(10, 10, "0001"), text_at(10, 20, "0002"), text_at(10, 30, "0010")])
    assert structure(described(content, [element])) == ("/Document", [
        ("/L", [("/LI", [("/LBody", [0, 1])]), ("/LI", [("/LBody", [2])])])])


def geopdf(extra: str = "") -> bytes:
    """A PDF with features and a layer as GDAL writes them, in the place of the font that it does not need."""
    data = pdf("/feature <</MCID 0>> BDC\nEMC", StructTreeRoot="10 0 R", OCProperties=(
        f"<< /OCGs [13 0 R] /D << /Order [13 0 R] {extra} >> >>"), MarkInfo="<< /UserProperties true >>")
    update = PdfUpdate(data)
    root, layer, feature, group, parents = (update.reserve() for _number in range(5))
    page = update.pages()[0]
    update.replace(page, {**update.dictionary(page), "StructParents": 0, "Resources": {}})
    update.replace(root, {"Type": PdfName("StructTreeRoot"), "K": [layer], "ParentTree": parents})
    update.replace(layer, {"S": PdfName("Layer"), "T": "Roads", "P": root, "K": [feature]})
    update.replace(feature, {"S": PdfName("feature"), "P": layer, "Pg": page, "K": 0, "A": {
        "O": PdfName("UserProperties"), "P": [{"N": "kind", "V": "road"}]}})
    update.replace(group, {"Type": PdfName("OCG"), "Name": "Roads"})
    update.replace(parents, {"Nums": [0, [feature]]})
    return data + update.appendix({})


def test_the_features_of_a_geopdf_stay_with_their_attributes():
    data = geopdf()
    elements = [PageElement(ElementRole.TITLE, (0, 0, 9, 9), "Title"), PageElement(ElementRole.LIST, (0, 9, 9, 9), "L")]
    added = describe_pdf(data, STATEMENT, [PageDescription("One", elements)], (), b"icc")
    reader = PdfReader(io.BytesIO(data + added), strict=True)
    root = reader.trailer["/Root"]
    figure, layer = (kid.get_object() for kid in root["/StructTreeRoot"]["/K"][0]["/K"])
    assert figure["/Alt"] == "Title\nL" and layer["/T"] == "Roads" and layer["/P"]["/S"] == "/Document"
    feature = layer["/K"][0].get_object()
    assert feature["/A"]["/P"] == [{"/N": "kind", "/V": "road"}] and feature["/K"] == 0
    parents = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    assert parents[0] == reader.pages[0]["/StructParents"] == 0 and parents[1][0].get_object() == feature
    assert root["/StructTreeRoot"]["/RoleMap"]["/feature"] == "/Div" and root["/MarkInfo"]["/UserProperties"]
    assert root["/OCProperties"]["/D"]["/Name"] == STATEMENT.title and claims_archive(reader)
    assert reader.pages[0].get_contents().get_data() == b"/feature <</MCID 0>> BDC\nEMC"


@pytest.mark.parametrize(("glyphs", "claims"), [("0001", True), ("0009", False)])
def test_glyphs_within_forms_need_texts_too(glyphs, claims):
    data = pdf("/Fm Do")
    update = PdfUpdate(data)
    page = update.dictionary(update.pages()[0])
    form = update.add({"Type": PdfName("XObject"), "Subtype": PdfName("Form"), "BBox": [0, 0, 200, 100],
                       "Resources": page["Resources"]}, text_at(1, 1, glyphs).encode())
    update.replace(update.pages()[0], {**page, "Resources": {"XObject": {"Fm": form}}})
    data += update.appendix({})
    added = describe_pdf(data, STATEMENT, [PageDescription("One")], (), b"icc")
    assert claims_archive(PdfReader(io.BytesIO(data + added), strict=True)) is claims


@pytest.mark.parametrize("extra", ["/AS []", "/Order []"])
def test_layers_that_are_arranged_otherwise_are_no_archive_copy(extra):
    data = geopdf(extra)
    added = describe_pdf(data, STATEMENT, [PageDescription("One")], (), b"icc")
    assert not claims_archive(PdfReader(io.BytesIO(data + added), strict=False))


def test_an_address_becomes_a_link_on_each_of_its_lines():
    cmap = {code: chr(code) for code in range(32, 127)}
    content = PageContent("\n".join([
        text_at(10, 10, "".join(f"{ord(letter):04X}" for letter in "See http://a.b/"))]).encode(), {"F7": cmap})
    assert content.texts[0].text == "See http://a.b/" and content.texts[0].start == (10, 90)
    element = PageElement(ElementRole.PARAGRAPH, (0, 0, 100, 100), "See (http://a.b/cd), or https://x.y/?q=1.")
    assert element.addresses == ["http://a.b/cd", "https://x.y/?q=1"]


def test_texts_of_glyphs_are_read():
    assert read_to_unicode(CMAP) == {0: "\x00", **TEXTS}


@pytest.mark.parametrize("text", ["a" * 40_000, "ñ" * 40_000, "🌍" * 40_000, "a" + "🌍" * 40_000, "x\ud800"])
def test_no_text_is_longer_than_a_string_may_be(text):
    written = text_string(text)
    assert len(written) <= 32_767
    again = written[2:].decode("utf-16-be") if written[:2] == b"\xfe\xff" else written.decode()
    assert text.replace("\ud800", "?").startswith(again) and len(again) * 5 >= min(len(text), 32_767)


def test_huge_and_hostile_texts_make_a_file_that_others_read():
    title = "Título (1) \\ ) endobj \x00 🌍 \ud800 مرحبا" + "ñ" * 1_000_000
    data = pdf(text_at(10, 10, "0001"))
    hostile = replace(STATEMENT, title=title, creators=(title,), credits=(title,), keywords=(title,), summary=title)
    figure = PageElement(ElementRole.FIGURE, (0, 0, 100, 100), title)
    reader = PdfReader(io.BytesIO(data + describe_pdf(data, hostile, [PageDescription(title, [figure])])), strict=True)
    assert reader.metadata.title.startswith("Título (1) \\ ) endobj")
    figure = reader.trailer["/Root"]["/StructTreeRoot"]["/K"][0]["/K"][0].get_object()
    assert figure["/Alt"].startswith("Título") and len(figure["/Alt"]) < 16_384
    # the former information is no longer there for those who look at every object
    assert reader.trailer.raw_get("/Info").idnum == 1


def test_an_address_is_written_in_ascii():
    content = text_at(10, 10, "".join(f"{ord(letter):04X}" for letter in "http://a.b/ñ?q=%C3"))
    cmap = b"1 beginbfrange\n<0000> <00FF> <0000>\nendbfrange"
    data = pdf(content).replace(CMAP, cmap + b" " * (len(CMAP) - len(cmap)))
    element = PageElement(ElementRole.PARAGRAPH, (0, 0, 100, 100), "http://a.b/ñ?q=%C3")
    data += describe_pdf(data, STATEMENT, [PageDescription("One", [element])])
    link = PdfReader(io.BytesIO(data), strict=True).pages[0]["/Annots"][0].get_object()
    left, bottom, right, top = link["/Rect"]
    assert link["/A"]["/URI"] == "http://a.b/%C3%B1?q=%C3" and left < right and bottom < top


def test_an_element_leads_to_a_page_of_the_file_and_to_no_other():
    for linked_page, count in ((0, 1), (1, 0), (-1, 0), (None, 0)):
        element = PageElement(ElementRole.PARAGRAPH, (0, 0, 25.4, 12.7), "Hí", linked_page)
        reader = described(text_at(10, 20, "00010002"), [element])
        links = [link.get_object() for link in reader.pages[0]["/Annots"]]
        assert len(links) == count
        for link in links:
            assert link["/Rect"] == [0, 64, 72, 100] and link["/Contents"] == "Hí" and "/StructParent" in link
            assert link["/Dest"][0].get_object() == reader.pages[0] and link["/Dest"][1] == "/Fit"


def test_a_page_that_cannot_be_read_is_one_figure(monkeypatch):
    monkeypatch.setattr(pdf_content, "MAX_CONTENT", 10)
    elements = [PageElement(ElementRole.TITLE, (0, 0, 9, 9), "Title"), PageElement(ElementRole.LIST, (0, 9, 9, 9), "L")]
    reader = described(text_at(10, 20, "0001"), elements, colour_profile=b"icc")
    assert structure(reader) == ("/Document", [("/Figure", [0])])
    figure = reader.trailer["/Root"]["/StructTreeRoot"]["/K"][0]["/K"][0].get_object()
    assert figure["/Alt"] == "Title\nL" and reader.pages[0]["/StructParents"] == 0
    stream = reader.pages[0].get_contents().get_data()
    assert stream.startswith(b"/Figure <</MCID 0>> BDC") and stream.rstrip().endswith(b"EMC")
    assert reader.pages[0].extract_text() == "H" and not claims_archive(reader)


def claims_archive(reader):
    return b"pdfaid:part" in reader.trailer["/Root"]["/Metadata"].get_object().get_data()


@pytest.mark.parametrize("content", [text_at(1, 1, "00010000"), text_at(1, 1, "00010009"), "q\n" * 29 + "Q\n" * 29])
def test_glyphs_without_texts_and_deep_states_are_no_archive_copy(content):
    assert claims_archive(described(text_at(1, 1, "0001"), colour_profile=b"icc"))
    assert not claims_archive(described(content, colour_profile=b"icc"))


@pytest.mark.parametrize("place", ["XObject", "Pattern"])
def test_interpolated_images_are_no_archive_copy(place):
    within = b"/%s << /Im 7 0 R >>" % place.encode()
    data = pdf(text_at(1, 1, "0001")).replace(b"/Resources << /Font << /F7 7 0 R >> >>",
                                              (b"/Resources << " + within).ljust(35) + b" >>")
    data = data.replace(b"/Subtype /Type0 ", b"/Interpolate true").replace(b"/BaseFont /Open#20", b"/BaseFont /Open ")
    assert b"pdfaid:part" not in describe_pdf(data, STATEMENT, [], colour_profile=b"icc")


def test_two_updates_of_one_file_are_read():
    data = pdf(text_at(10, 20, "0001"))
    for title in ("First", "Second"):
        attachment = Attachment("a.json", "application/json", title.encode(), "")
        data += describe_pdf(data, replace(STATEMENT, title=title), [PageDescription("One")], [attachment], b"icc")
    reader = PdfReader(io.BytesIO(data), strict=True)
    assert reader.metadata.title == "Second" and reader.attachments == {"a.json": [b"Second"]}
    stream = reader.pages[0].get_contents().get_data()
    assert stream.count(b"BDC") + stream.count(b"BMC") == stream.count(b"EMC")
    marks = [int(number) for number in re.findall(rb"MCID (\d+)", stream)]
    assert len(marks) == len(set(marks)) == 1


def test_what_keeps_a_file_from_being_an_archive_copy_is_found():
    data = pdf(text_at(1, 1, "0001")).replace(b"/FontFile2 9 0 R", b"                ")
    packet = describe_pdf(data, STATEMENT, [], colour_profile=b"icc")
    assert b"pdfaid:part" not in packet


def test_letters_that_begin_before_their_label_are_not_those_of_the_map_below_it():
    page = [PageElement(ElementRole.FIGURE, (0.0, 0.0, 200.0, 100.0)),
            PageElement(ElementRole.TITLE, (50.0, 10.0, 40.0, 8.0)),
            PageElement(ElementRole.FIGURE, (50.0, 20.0, 40.0, 30.0))]
    assert element_at(page, 49.8, 12.0, of_letters=True) == 1 == element_at(page, 50.1, 12.0)
    assert element_at(page, 49.8, 12.0) == 0 and element_at(page, 30.0, 12.0, of_letters=True) == 0
    assert element_at(page, 51.0, 49.0) == 2 and element_at(page, 300.0, 12.0, of_letters=True) is None
