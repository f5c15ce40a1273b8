"""Broken, hostile and oddly written XML: one clear error, in little time and memory; and XML for display."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import pytest

from plugin.core import safe_xml
from plugin.core.errors import CartoguideError, UnreadableDocument
from plugin.core.featureinfo.response_reading import decode_text
from plugin.core.records import read
from plugin.core.safe_xml import decode_for_display, detect_encoding
from plugin.core.wms import read_service

#: the most memory that this process ever had is measured
pytestmark = pytest.mark.own_process


#: what libspatialite does in QGIS when a GeoPackage is closed, while two threads read and write
CLEANED_UP = """
import ctypes, re, threading, time
from plugin.core import safe_xml
document = ("<?xml version='1.0' encoding='UTF-8'?><a>" + "<b c='ñ'>agua &amp; €</b>" * 20_000 + "</a>").encode("utf-8")
written = safe_xml.serialise(safe_xml.parse(document))
libraries = re.findall(r"/\\S+/libxml2\\.so\\S*", open("/proc/self/maps").read())
done = []
def work(number):
    while len(done) < 60:
        assert safe_xml.serialise(safe_xml.parse(document)) == written
        done.append(number)
threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    for library in libraries[:1]:
        ctypes.CDLL(library).xmlCleanupParser()
    time.sleep(0.005)
print(len(libraries) > 0, len(done) >= 60)
"""


def refusal(data, **more):
    with pytest.raises(UnreadableDocument) as caught:
        safe_xml.parse(data, "x.xml", **more)
    assert caught.value.user_text.startswith("x.xml ")
    assert len(caught.value.user_text) < 200 and "\n" not in caught.value.user_text
    return caught.value.user_text


def test_a_sound_document_gives_its_root_without_comments_and_instructions():
    root = safe_xml.parse(b"<?xml version='1.0'?><!-- c --><a><?p i?><!-- d --><b>1</b></a>")
    assert root.tag == "a" and [child.tag for child in root] == ["b"]


def test_a_geopackage_that_is_closed_meanwhile_ends_no_reading_and_writing():
    ran = subprocess.run([sys.executable, "-X", "faulthandler", "-c", CLEANED_UP], capture_output=True, text=True,
                         check=False)
    assert ran.returncode == 0, ran.stderr
    if ran.stdout.startswith("False"):
        pytest.skip("lxml has a libxml2 of its own here, which nothing else cleans up")
    assert ran.stdout == "True True\n"


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252", "utf-16"])
def test_a_document_is_written_in_utf8_whatever_it_declared(encoding):
    root = safe_xml.parse(f"<?xml version='1.0' encoding='{encoding}' ?>\n<a b='ñ'>&#8364;ü</a>".encode(encoding))
    assert safe_xml.serialise(root) == "<?xml version='1.0' encoding='UTF-8'?>\n<a b=\"ñ\">€ü</a>".encode()
    assert root.sourceline == 2


def test_nothing_is_said_to_be_empty():
    assert "is empty" in refusal(b"")
    assert "is empty" in refusal(b" \r\n\t ")


def test_a_broken_document_is_told_with_line_and_column():
    text = refusal(b"<a>\n  <b>\n  </c>\n</a>")
    assert "line 3" in text and "column" in text


def test_the_parsers_sentence_is_in_the_detail_and_cut():
    for times in (20, 20_000):
        with pytest.raises(UnreadableDocument) as refused:
            safe_xml.parse(b'<a xmlns:b=" ' + b"x " * times + b'"/>')
        assert "valid URI" not in refused.value.user_text and "line 1" in refused.value.user_text
        assert "xmlns:b" in refused.value.detail and len(refused.value.detail) < 1100


def test_a_document_that_breaks_off_is_said_to_be_incomplete():
    assert "incomplete" in refusal(b"<a><b>one</b>\n<c>")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("document", [
    '<!DOCTYPE a [<!ENTITY b "boom">]><a>&b;</a>',
    '<?xml version="1.0"?><!-- <a> --><?p <a>?>\n<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a/>',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
])
def test_entities_are_refused_in_every_encoding(document, encoding):
    assert "entities" in refusal(document.encode(encoding))


def test_encodings_that_hide_entities_are_refused():
    hidden = '<?xml version="1.0" encoding="{}"?>{}'
    utf7 = hidden.format("UTF-7", '+ADwAIQ-DOCTYPE a [+ADwAIQ-ENTITY b "c">]><a>&b;</a>')
    assert "UTF-7".lower() in refusal(utf7.encode()).lower()
    assert "not XML" in refusal(hidden.format("cp037", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').encode("cp037"))


def test_a_reference_to_an_entity_of_an_outside_dtd_is_refused():
    assert "entities" in refusal(b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a>&b;</a>')


def test_a_doctype_without_entities_is_read_over():
    document = (b'<?xml version="1.0"?>\n<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://127.0.0.1:9/c.dtd" '
                b'[<!ELEMENT VendorSpecificCapabilities EMPTY>]>\n<WMT_MS_Capabilities/>')
    assert safe_xml.parse(document).tag == "WMT_MS_Capabilities"


def test_the_word_entity_in_a_text_is_only_a_word():
    assert safe_xml.parse(b"<a><![CDATA[<!DOCTYPE a [<!ENTITY b 'c'>]>]]></a>").text.startswith("<!DOCTYPE")


def test_ten_thousand_levels_are_too_deep():
    assert "too deep" in refusal(b"<a>" * 10_000 + b"</a>" * 10_000)


def test_too_large_a_document_is_refused_unread():
    assert "too large" in refusal(b"<a>" + b"x" * 2000 + b"</a>", max_bytes=1000)
    assert "too large" in refusal(b"<a>" + b"x" * (safe_xml.MAX_BYTES + 1))


@pytest.mark.parametrize("text, encoding", [
    ("Consejería", "ISO-8859-1"), ("Consejería €", "ISO-8859-15"), ("Consejería", "windows-1252"),
    ("Česká", "windows-1250"), ("Карта", "KOI8-R"), ("地図", "Shift_JIS"), ("Consejería", "UTF-8"),
])
def test_declared_encodings_are_read(text, encoding):
    data = f'<?xml version="1.0" encoding="{encoding}"?>\n<a>{text}</a>'.encode(encoding)
    assert safe_xml.parse(data).text == text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_encodings_are_told_by_their_first_bytes(encoding):
    declared = "UTF-16" if "16" in encoding else "ISO-8859-1"
    data = f'<?xml version="1.0" encoding="{declared}"?><a>Consejería</a>'.encode(encoding)
    assert safe_xml.parse(data).text == "Consejería"


def test_a_wrong_encoding_is_told():
    assert "character encoding that it declares" in refusal(
        '<?xml version="1.0" encoding="UTF-8"?><a>Consejería</a>'.encode("latin-1"))
    assert "character encoding that it declares" in refusal(b"\xff\xfe<\x00a\x00\x00\xd8")
    for unknown in ("martian", "rot13", "base64", "unicode_escape"):
        assert unknown in refusal(f'<?xml version="1.0" encoding="{unknown}"?><a/>'.encode())


def test_what_servers_put_before_the_document_is_skipped():
    assert safe_xml.parse(b"Content-type: text/xml\r\nX-A: b\r\n\r\n<a/>").tag == "a"
    assert safe_xml.parse(b"\n\n  <?xml version='1.0'?><a/>").tag == "a"


def test_an_element_with_thousands_of_attributes_is_refused_at_once():
    bomb = b"<a " + b" ".join(b'a%d=">"' % number for number in range(100_000)) + b"/>"
    started = time.process_time()
    assert "too many attributes" in refusal(bomb)
    assert time.process_time() - started < 10


def test_many_attributes_in_all_are_no_reason_to_refuse():
    data = b"<r>" + b'<a b="1" c="2" d="3"/>' * 10_000 + b"</r>"
    assert len(safe_xml.parse(data)) == 10_000
    text = b"<r>" + b"a=&quot;b&quot; " * 10_000 + b"</r>"
    assert len(safe_xml.parse(text).text) == 60_000


def test_too_many_elements_are_refused_before_they_take_memory():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "too many elements" in refusal(b"<r>" + b"<a/>" * 7_000_000 + b"</r>")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


def test_a_document_built_to_be_slow_is_stopped(monkeypatch):
    monkeypatch.setattr(safe_xml, "MAX_SECONDS", 0.02)  # libxml2 from 2.14 on is through with it in a blink
    opened = b"".join(b"<a " + b" ".join(b'xmlns:n%d_%d="u"' % (depth, number) for number in range(100)) + b">"
                      for depth in range(200))
    started = time.process_time()
    text = refusal(opened + b"<n0_0:b/>" * 200_000 + b"</a>" * 200)
    assert "too long to read" in text
    assert time.process_time() - started < 10


def test_bytes_that_are_no_xml_are_said_to_be_none():
    for data in (b"hello", bytes(range(256)), b"\x00\x00\x00\x00", b"{}"):
        assert "not XML" in refusal(data)


def test_any_cut_of_a_document_is_read_or_refused():
    document = '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE a><a b="ñ">x<!-- c --><![CDATA[d]]></a>'
    data = document.encode("latin-1")
    for end in range(len(data)):
        try:
            safe_xml.parse(data[:end])
        except CartoguideError as error:
            assert error.user_text


def test_a_document_cut_anywhere_is_said_to_be_incomplete():
    whole = ('<?xml version="1.0" encoding="UTF-8"?>\n<gmd:a xmlns:gmd="http://x.example/" gmd:kind="ñandú">\n'
             "  <gmd:title>Despeñaperros</gmd:title><gmd:b c='1'/>\n</gmd:a>").encode()
    safe_xml.parse(whole)
    for end in range(whole.index(b"gmd:kind"), len(whole)):
        if 0x80 <= whole[end] < 0xC0:
            continue  # in the middle of a character
        with pytest.raises(UnreadableDocument, match="incomplete"):
            safe_xml.parse(whole[:end])
    for broken in ("<a>\n<b></a>", "<a><b></a>", '<a x="1" x="2"/>', "<a>&n;</a>", "<a", "<a/>text"):
        with pytest.raises(UnreadableDocument) as told:
            safe_xml.parse(broken.encode())
        assert ("incomplete" in told.value.user_text) is (broken == "<a")


@pytest.mark.parametrize(("data", "expected"), [
    (b"<a/>", "utf-8"), (b"<?xml version='1.0' encoding='ISO-8859-15'?><a/>", "iso-8859-15"),
    ("<a>ñ</a>".encode("utf-16"), "utf-16"), (b"\xef\xbb\xbf<a/>", "utf-8-sig"),
    ("<a>ñ</a>".encode("utf-16-le"), "utf-16-le"), (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "utf-8")])
def test_the_encoding_is_the_one_that_the_document_declares(data, expected):
    assert detect_encoding(data) == expected


def test_text_is_decoded_and_misfits_are_marked():
    assert decode_for_display(
        "<?xml version='1.0' encoding='ISO-8859-1'?><a>ñ</a>".encode("latin-1")).endswith("<a>ñ</a>")
    assert decode_for_display("<a>ñ</a>".encode() + b"\xff") == "<a>ñ</a>\ufffd"
    for no_encoding_of_text in ("no-such", "hex", "idna"):
        declaration = f"<?xml version='1.0' encoding='{no_encoding_of_text}'?>"
        assert decode_for_display(f"{declaration}<a>ñ</a>".encode()) == f"{declaration}<a>ñ</a>"
    assert decode_for_display(b"<a>\r\n</a>\r") == "<a>\n</a>\n"


def test_long_lines_break_between_tags_and_nothing_is_lost():
    text = decode_for_display(b"<r>" + b"<a>1</a> " * 1000 + b"</r>", max_line_length=100)
    assert max(map(len, text.split("\n"))) <= 100
    assert text.count("<a>1</a>") == 1000


def test_a_long_line_without_tags_is_cut():
    text = decode_for_display(b"x" * 250, max_line_length=100)
    assert [len(line) for line in text.split("\n")] == [100, 100, 50]


RECORD = ('<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">'
          "<gmd:fileIdentifier><gco:CharacterString>Gebühr: 50 € – “œuvre”</gco:CharacterString></gmd:fileIdentifier>"
          "</gmd:MD_Metadata>")
CAPABILITIES = ('<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Title>'
                "Gebühr: 50 € – “œuvre”</Title></Service><Capability/></WMS_Capabilities>")


@pytest.mark.parametrize("label", ["ISO-8859-1", "latin1", "us-ascii", "windows-1252", None])
def test_windows_1252_is_read_under_the_names_that_browsers_read_it_under(label):
    declaration = f'<?xml version="1.0" encoding="{label}"?>' if label else ""
    record, service = ((declaration + text).encode("cp1252") for text in (RECORD, CAPABILITIES))
    assert read(record)[0].id == "Gebühr: 50 € – “œuvre”"
    assert read_service(service).title == "Gebühr: 50 € – “œuvre”"
    assert "50 € – “œuvre”" in decode_for_display(record)
    assert decode_text(record, f"text/xml; charset={label or 'ascii'}").endswith(RECORD)


def test_damaged_utf8_without_declaration_is_not_read_as_another_encoding():
    with pytest.raises(UnreadableDocument):
        safe_xml.parse("<a>Gebühr für œuvre – ".encode() + b"\xff</a>")


def test_bytes_that_windows_1252_leaves_undefined_are_no_error():
    assert safe_xml.parse(b'<?xml version="1.0" encoding="latin1"?><a>x\x81\x80</a>').text == "x\x81€"


@pytest.mark.parametrize("start", ["\ufeff\n\n", "\n\ufeff \n", "\r\n\t", "\ufeff\ufeff"])
def test_marks_and_blank_lines_before_the_declaration_are_skipped(start):
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    for encoding in ("utf-8", "utf-16-le"):
        mark = b"\xff\xfe" if encoding != "utf-8" else b""
        record, service = (mark + (start + declaration.replace("UTF-8", encoding[:6]) + text).encode(encoding)
                           for text in (RECORD, CAPABILITIES))
        assert read(record)[0].id.startswith("Gebühr")
        assert read_service(service).title.startswith("Gebühr")
