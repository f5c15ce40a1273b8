"""Credits that a map's file owes and carries, read from files as they were written."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfWriter

from plugin.core import cli
from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import CustomMap, MapEntry, OwnLayer, StoredCredit
from plugin.core.errors import CartoguideError
from plugin.core.publication.embedded_documents import DOCUMENT_NAME, SOURCES_NAME
from plugin.core.publication.image_metadata import jpeg_with_metadata, png_with_metadata, svg_with_metadata
from plugin.core.publication.map_statement import MapSource, MapStatement, write_statement
from plugin.core.publication.map_verification import CreditPresence, records_by_source, verify_map
from plugin.core.publication.pdf_description import Attachment, PageDescription, describe_pdf
from plugin.core.publication.pdf_objects import PdfName
from plugin.core.publication.pdf_update import PdfUpdate
from plugin.core.publication.verification_report import verification_html, verification_lines, verification_values
from plugin.core.publication.written_map import read_written_map, shows_credit
from plugin.core.records import read
from plugin.core.terms import terms_for
from plugin.core.terms.model import Decision
from plugin.core.wms import read_service
from tests.unit.publication import test_pdf_update
from tests.unit.publication.test_pdf_update import pdf

FIXTURES = "tests/unit/fixtures"
CREDIT = "Consejería de Montañas, 2014"
SOURCES = (MapSource("Guía", ("a", "b"), "guia", "https://mapas.example/wms/NODO_guia?", CREDIT, Decision.YES),
           MapSource("Otro", ("c",), "otro", "https://otro.example/wms?", "Otro, 2019", Decision.UNDECIDED),
           MapSource("Libre", ("d",), "libre", "https://libre.example/wms?", "Libre", Decision.NO))
STATEMENT = MapStatement("Mapa", "es", "2026-11-22T10:00:00Z", "Cartoguide", credits=(CREDIT, "Otro, 2019"),
                         sources=SOURCES)
ATTACHMENT = Attachment(SOURCES_NAME, "application/json", write_statement(STATEMENT), "")
CMAP = b"1 beginbfrange\n<0000> <00FF> <0000>\nendbfrange"


def text_at(x, y, line):
    """A line of narrow letters, as Qt writes it."""
    codes = "".join(f"{ord(letter):04X}" for letter in line)
    return test_pdf_update.text_at(x, y, codes).replace("\n10 0 Td", "\n1 0 Td")


def page_pdf(*lines, statement=STATEMENT):
    """A PDF with these lines on its page, and the statement in it."""
    content = "\n".join(line if line.startswith("q\n") else
                        text_at(5, 10 + 12 * number, line)
                        for number, line in enumerate(lines))
    data = pdf(content)
    old = data[data.index(b"1 begincodespacerange"):data.rindex(b"\nendstream")]
    data = data.replace(old, CMAP.ljust(len(old)))
    attachments = [replace(ATTACHMENT, data=write_statement(statement))] if statement is not None else []
    return data + describe_pdf(data, statement or replace(STATEMENT, credits=(), sources=()), [PageDescription("M")],
                               attachments)


def of(*sources):
    """The statement of a map of these sources."""
    return replace(STATEMENT, sources=sources, credits=tuple(source.credit for source in sources))


def verified(tmp_path, data, name="map.pdf", records=(), given=(), services=None):
    path = tmp_path / name
    path.write_bytes(data)
    return verify_map(read_written_map(path), records_by_source(records), terms_for, given, services)


def states(found):
    return {source.source.title: source.presence for source in found.sources}


def test_a_pdf_with_its_credits_is_complete(tmp_path):
    found = verified(tmp_path, page_pdf("Consejería de Mon", "tañas, 2014; OTRO, 2019"))
    assert states(found) == {"Guía": CreditPresence.ON_PAGE, "Otro": CreditPresence.ON_PAGE,
                             "Libre": CreditPresence.NOT_REQUIRED}
    assert found.is_complete and found.sentence == "The map carries every credit that it owes."


def invisible(line):
    return text_at(5, 10, line).replace("Tm\n", "Tm 3 Tr\n")


def far_away(line):
    return text_at(5, 900, line)


def tiny(line):
    return text_at(5, 10, line).replace("/F7 10 Tf", "/F7 0.1 Tf")


@pytest.mark.parametrize("lines", [["Otro, 2019"], ["Otro, 2019", "Consejería de Montañas"],
                                   ["Otro, 2019", invisible(CREDIT)], ["Otro, 2019", far_away(CREDIT)],
                                   ["Otro, 2019", tiny(CREDIT)]])
def test_a_credit_that_readers_do_not_see_is_missing(tmp_path, lines):
    found = verified(tmp_path, page_pdf(*lines))
    assert states(found)["Guía"] is CreditPresence.MISSING and states(found)["Otro"] is CreditPresence.ON_PAGE
    assert not found.is_complete and "The page lacks 1 credit that the map owes." in found.sentence
    assert found.sources[0].in_metadata, "the metadata still have it"


def test_a_credit_that_was_cropped_from_the_page_is_missing(tmp_path):
    data = page_pdf("Otro, 2019", CREDIT)
    update = PdfUpdate(data)
    page = update.pages()[0]
    # the first line is 10 points below the upper edge, the second 22; corners in the order of a program's choice
    update.replace(page, {**update.dictionary(page), "CropBox": [200, 100, 0, 85.0]})
    found = verified(tmp_path, data + update.appendix({}))
    assert states(found)["Guía"] is CreditPresence.MISSING and states(found)["Otro"] is CreditPresence.ON_PAGE


def test_text_that_a_saved_state_hid_is_read_when_the_state_is_restored(tmp_path):
    shown = page_pdf(text_at(5, 10, "Otro, 2019"), f"q\n3 Tr\nQ\n{text_at(5, 22, CREDIT)[2:]}\nq\nQ")
    assert verified(tmp_path, shown).is_complete
    hidden = page_pdf(text_at(5, 10, "Otro, 2019"), f"q\n3 Tr\nq\n0 Tr\nQ\n{text_at(5, 22, CREDIT)[2:]}")
    assert states(verified(tmp_path, hidden))["Guía"] is CreditPresence.MISSING


def test_the_letters_of_other_writers_fonts_are_read(tmp_path):
    """Printed to a PDF again, a map has fonts with one byte for each letter."""
    letters = CREDIT.encode("latin-1").hex()
    shown = f"q\nBT\n/F7 10 Tf 1 0 0 1 5 50 Tm\n<{letters}> Tj\nET\nQ"
    as_qt = page_pdf(shown)
    simple = as_qt.replace(b"/Subtype /Type0 ", b"/Subtype /Type1 ")
    assert states(verified(tmp_path, simple))["Guía"] is CreditPresence.ON_PAGE
    assert states(verified(tmp_path, as_qt))["Guía"] is CreditPresence.IN_METADATA, "two bytes are one letter"


def test_nothing_is_said_of_text_within_forms(tmp_path):
    data = page_pdf("Otro, 2019")
    update = PdfUpdate(data)
    page = update.dictionary(update.pages()[0])
    form = update.add({"Type": PdfName("XObject"), "Subtype": PdfName("Form"), "BBox": [0, 0, 200, 100],
                       "Resources": page["Resources"]}, text_at(5, 10, CREDIT).encode("latin-1"))
    update.replace(update.pages()[0], {**page, "Resources": {**page["Resources"], "XObject": {"Fm": form}}})
    found = verified(tmp_path, data + update.appendix({}))
    assert states(found)["Guía"] is CreditPresence.IN_METADATA and states(found)["Otro"] is CreditPresence.ON_PAGE


def test_each_map_of_a_joined_file_owes_its_credits(tmp_path):
    writer = PdfWriter()
    for source in SOURCES[:2]:
        writer.append(io.BytesIO(page_pdf("Otro, 2019", statement=of(source))))
        writer.add_attachment(SOURCES_NAME, write_statement(of(source)))
    joined = io.BytesIO()
    writer.write(joined)
    found = verified(tmp_path, joined.getvalue())
    assert states(found) == {"Guía": CreditPresence.MISSING, "Otro": CreditPresence.ON_PAGE}


def test_a_source_that_was_taken_out_of_the_list_is_found_in_the_metadata(tmp_path):
    found = verified(tmp_path, page_pdf("Otro, 2019", statement=replace(STATEMENT, sources=SOURCES[1:2])))
    assert states(found) == {"Otro": CreditPresence.ON_PAGE, CREDIT: CreditPresence.MISSING}


@pytest.mark.parametrize("hostile", [b'{"format": "cartoguide-sources", "sources": 3}', b'"cartoguide-sources" [' * 99])
def test_a_broken_or_foreign_list_beside_the_maps_hides_nothing(tmp_path, hostile):
    data = page_pdf(CREDIT, "Otro, 2019")
    update = PdfUpdate(data)
    update.add({"Type": PdfName("EmbeddedFile")}, hostile)
    found = verified(tmp_path, data + update.appendix({}))
    assert len(found.sources) == 3 and not found.is_complete and found.file.problems
    assert "it may owe more credits" in found.sentence and "carries every credit" not in found.sentence


def test_more_attachments_than_are_read_are_told(tmp_path):
    data = page_pdf(CREDIT, "Otro, 2019")
    update = PdfUpdate(data)
    for number in range(250):
        update.add({"Type": PdfName("EmbeddedFile")}, b"%d" % number)
    found = verified(tmp_path, data + update.appendix({}))
    assert not found.is_complete and "more than 200 attachments" in found.file.problems[0]


def test_services_that_cannot_be_compared_are_not_unchanged(tmp_path):
    with open(f"{FIXTURES}/wms/network-1.3.0.xml", "rb") as file:
        service = read_service(file.read(), "x")
    there = next(layer.name for layer in service.iter_layers() if layer.name)
    for digest, told in ((hashlib.sha256(service.original).hexdigest(), "Nothing has changed"), ("", "is not known")):
        credit = terms_for(None, service).credit
        source = replace(SOURCES[0], layers=(there,), capabilities_sha256=digest, record_id="", credit=credit)
        found = verified(tmp_path, page_pdf(credit, statement=of(source)), services={source.endpoint: service})
        assert found.changed == 0 and told in found.sentence


def test_a_page_without_readable_text_says_so(tmp_path):
    found = verified(tmp_path, page_pdf("q\n1 0 0 1 0 0 cm\nQ"))
    assert states(found)["Guía"] is CreditPresence.IN_METADATA
    assert "cannot be read" in found.sentence


def test_records_that_are_given_are_owed_too(tmp_path):
    record = record_of_editor()
    terms = terms_for(record)
    found = verified(tmp_path, page_pdf("nothing", statement=None), given=[record])
    assert [(source.credit, source.presence) for source in found.sources] == [(terms.credit, CreditPresence.MISSING)]
    assert found.sources[0].origin.value == "record"
    again = verified(tmp_path, page_pdf(terms.credit, statement=None), given=[record])
    assert again.is_complete


def record_of_editor():
    with open(f"{FIXTURES}/records/service_editor.xml", "rb") as file:
        return read(file.read(), "service_editor.xml")[0]


def test_a_changed_credit_of_the_record_is_told(tmp_path):
    record = record_of_editor()
    source = replace(SOURCES[0], record_id=record.id, credit="A former line")
    found = verified(tmp_path, page_pdf("A former line", statement=of(source)),
                     records=[record])
    assert terms_for(record).credit in " ".join(found.sources[0].changes) and found.changed == 1
    same = replace(source, credit=terms_for(record).credit)
    found = verified(tmp_path, page_pdf(same.credit, statement=of(same)), records=[record])
    assert found.changed == 0 and found.is_complete


def test_services_that_changed_are_told(tmp_path):
    with open(f"{FIXTURES}/wms/network-1.3.0.xml", "rb") as file:
        service = read_service(file.read(), "x")
    there = next(layer.name for layer in service.iter_layers() if layer.name)
    source = replace(SOURCES[0], layers=(there, "gone"), capabilities_sha256="00", record_id="",
                     capabilities_date="2026-01-02T03:04:05Z")
    error = CartoguideError("The server refused the connection.")
    statement = replace(STATEMENT, sources=(source, SOURCES[1]))
    found = verified(tmp_path, page_pdf(CREDIT, "Otro, 2019", statement=statement),
                     services={source.endpoint: service, SOURCES[1].endpoint: error})
    told = " ".join(found.sources[0].changes)
    assert "differently than on 2026-01-02" in told and "no longer has 1 layer: “gone”" in told
    assert found.sources[1].changes == ("The service does not respond: The server refused the connection.",)
    assert found.is_complete and "Since the map was made, 1 source changed. 1 service did not respond" in found.sentence
    assert "is not known" in found.sentence and found.changed == 1, "a service that is not there has not changed"


@pytest.mark.parametrize(("view", "transform", "state"), [
    ("0 0 100 50", "matrix(1,0,0,1,0,20)", CreditPresence.ON_PAGE), ("0 0 100 25", "matrix(1 0 0 1 0 20)",
                                                                    CreditPresence.MISSING),
    ("0 0 100 25", "rotate(3)", CreditPresence.ON_PAGE), ("", "matrix(1,0,0,1,0,20)", CreditPresence.ON_PAGE)])
def test_text_that_was_cropped_from_an_svg_is_missing(tmp_path, view, transform, state):
    data = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}"><text x="5" y="5">Otro, 2019</text>'
            f'<g transform="{transform}"><text x="5" y="10.5">{CREDIT}</text></g></svg>').encode()
    found = verified(tmp_path, svg_with_metadata(data, STATEMENT), "map.svg")
    assert states(found)[CREDIT] is state and states(found)["Otro, 2019"] is CreditPresence.ON_PAGE


def image(kind):
    data = io.BytesIO()
    Image.new("RGB", (4, 3), "red").save(data, kind)
    return data.getvalue()


def test_of_images_the_metadata_are_read(tmp_path):
    found = verified(tmp_path, png_with_metadata(image("PNG"), STATEMENT, [ATTACHMENT]), "map.png")
    assert states(found)["Guía"] is CreditPresence.IN_METADATA and "cannot be read" in found.sentence
    bare = verified(tmp_path, image("PNG"), "map.png")
    assert not bare.sources and not bare.is_complete and "names no sources" in bare.sentence
    jpeg = verified(tmp_path, jpeg_with_metadata(image("JPEG"), STATEMENT), "map.jpg")
    assert [source.credit for source in jpeg.sources] == [CREDIT, "Otro, 2019"]
    assert "no list of its sources" in jpeg.sentence
    stripped = verified(tmp_path, image("JPEG"), "map.jpg", given=[record_of_editor()])
    assert stripped.sources[0].presence is CreditPresence.UNREADABLE
    huge = replace(STATEMENT, credits=("ñ" * 60_000,))
    cut = verified(tmp_path, jpeg_with_metadata(image("JPEG"), huge), "map.jpg")
    assert cut.sources and all("ñ" * 10 in source.credit for source in cut.sources)


@pytest.mark.parametrize(("body", "state"), [
    (f"<text>Consejería</text><text> de Montañas, 2014</text><text>{'Otro, 2019'}</text>", CreditPresence.ON_PAGE),
    ("<text>Otro, 2019</text>", CreditPresence.MISSING),
    (f'<text>Otro, 2019</text><g style="display: none"><text>{CREDIT}</text></g>', CreditPresence.MISSING)])
def test_the_text_of_an_svg_is_read(tmp_path, body, state):
    data = f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>'.encode()
    found = verified(tmp_path, svg_with_metadata(data, STATEMENT), "map.svg")
    assert states(found)[CREDIT] is state and states(found)["Otro, 2019"] is CreditPresence.ON_PAGE


def test_a_document_has_the_credits_of_its_entries(tmp_path):
    entries = (MapEntry("https://a.example/wms", "A", credit=StoredCredit("Line A", Decision.YES)),
               MapEntry("https://b.example/wms", "B", credit=StoredCredit("", Decision.UNDECIDED)),
               MapEntry("https://c.example/wms", "C", visible=False))
    own = OwnLayer("1", "Own", "vector", "ogr", "a.gpkg", "", 1.0, True, "", 0)
    document = CustomMap("T", overlays=entries, own_layers=(own,))
    found = verified(tmp_path, write_document(document), "map.custommap.json")
    assert states(found) == {"A": CreditPresence.IN_METADATA, "B": CreditPresence.UNKNOWN,
                             "Own": CreditPresence.NOT_REQUIRED}
    statement = of(replace(SOURCES[0], endpoint="https://a.example/wms?"))
    attachments = [replace(ATTACHMENT, data=write_statement(statement)),
                   Attachment(DOCUMENT_NAME, "application/json", write_document(document), "")]
    both = verified(tmp_path, png_with_metadata(image("PNG"), statement, attachments), "map.png")
    assert list(states(both)) == ["Guía", "B"], "a service that was taken out of the list is found in the document"


def test_broken_insides_are_told(tmp_path):
    data = png_with_metadata(image("PNG"), STATEMENT, [replace(ATTACHMENT, data=b'{"format": "x"}')])
    found = verified(tmp_path, data, "map.png")
    assert found.file.problems and found.file.problems[0] in "\n".join(verification_lines(found))


@given(st.text(max_size=40), st.text(max_size=20))
def test_a_credit_is_found_in_itself_only(text, credit):
    assert shows_credit(f"{text}\n{credit}", credit) == bool("".join(credit.split("; ")).strip()) or credit.strip(" ;")
    assert not shows_credit(text, "§ no such line §")


def test_credits_from_right_to_left_are_found_as_they_are_seen():
    credit = "وزارة البيئة 2019"
    assert shows_credit("2019 " + "البيئة"[::-1] + " " + "وزارة"[::-1], credit)
    assert not shows_credit("2019 " + "البيئة"[::-1], credit)


def test_reports_have_everything_and_no_secrets(tmp_path):
    login = "ana:" + "geheim"
    source = replace(SOURCES[0], endpoint=f"https://{login}@a.example/wms?", title="<b>Guía</b>")
    found = verified(tmp_path, write_document(CustomMap("T", base=MapEntry(
        source.endpoint, source.title, credit=StoredCredit(CREDIT, Decision.YES)))), "map.custommap.json")
    page, values = verification_html([found]), verification_values(found)
    assert "&lt;b&gt;Guía" in page and CREDIT in page
    assert values["sources"][0]["presence"] == "in-metadata" and values["complete"] is True
    assert "geheim" not in page + json.dumps(values) + "\n".join(verification_lines(found))


@pytest.mark.parametrize("form", [[], ["--json"], ["--html"]])
def test_the_command_says_what_is_missing_with_its_exit_status(tmp_path, capfdbinary, form):
    for name, lines in (("good.pdf", [CREDIT, "Otro, 2019"]), ("bad.pdf", [CREDIT])):
        (tmp_path / name).write_bytes(page_pdf(*lines))
    good, bad = str(tmp_path / "good.pdf"), str(tmp_path / "bad.pdf")
    assert cli.main(["verify", good, "--language", "en", *form]) == 0
    assert cli.main(["verify", good, bad, "--language", "en", *form]) == 1
    told = capfdbinary.readouterr().out.decode()
    assert "The page lacks 1 credit" in told
    assert cli.main(["verify", str(tmp_path / "none.pdf")]) == 1
    assert b"none.pdf" in capfdbinary.readouterr().err


@given(st.sampled_from([b"%PDF-1.4\n", b"\x89PNG\r\n\x1a\n", b"II*\x00", b"\xff\xd8\xff\xe1", b"<svg", b"{"]),
       st.binary(max_size=200) | st.lists(st.sampled_from([
           b"<x:xmpmeta", b"</x:xmpmeta>", b"xmlns:x='adobe:ns:meta/'>", b"Photoshop 3.0\x00", b"\x1c\x02\x74\x00\x09",
           b"startxref 9 %%EOF", b"iTXt", b"XML:com.adobe.xmp\x00", b"<text>", b">"]), max_size=10).map(b"".join))
def test_broken_files_are_refused_with_words_or_say_nothing(tmp_path_factory, head, body):
    path = tmp_path_factory.mktemp("broken") / "map"
    path.write_bytes(head + body)
    try:
        assert not verify_map(read_written_map(path), lambda source: None, terms_for).is_complete
    except CartoguideError as error:
        assert error.user_text
