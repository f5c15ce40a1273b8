"""Text of others at the doors of the core: reading, HTML, names and labels, cells of spreadsheets, file names."""

from __future__ import annotations

import csv
import io
import json

import pytest

from plugin.core.csv_tables import csv_table
from plugin.core.featureinfo.features import IdentifiedFeature, as_tsv
from plugin.core.files import safe_file_name
from plugin.core.json_document import load, parse_json, stored_list
from plugin.core.network_profile import unique_record_path
from plugin.core.review.report.html_fragments import escaped, html_link
from plugin.core.safe_xml import parse
from plugin.core.text import fold, inert, printable, truncate_words

TAGS = ['<img src="file:///x">', "<  img src=x>", "</b>", "<!-- x -->", "<?xml x>", "&lt;img src=x&gt;"]
MARKS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("text", TAGS)
def test_no_tag_is_left_in_inert_text(text):
    shown = inert(text)
    assert shown.replace("\u200b", "") == text and shown != text
    assert not any(start in shown for start in ("<img", "<  img", "</", "<!", "<?", "&lt;"))


@pytest.mark.parametrize("text", ["[% env('X') %]", "[[% 1 %]", "[%[% 1 %]%]", "[\u202e% env('X') %]"])
def test_no_expression_is_left_in_inert_text(text):
    assert "[%" not in inert(text) and "%" in inert(text)


@pytest.mark.parametrize("text", ["Suelos & aguas", "a < 5 mg/l > b", "50 %", "[1:25 000]", "مياه", "a\nb"])
def test_honest_text_is_left_as_it_is(text):
    assert inert(text) == text == printable(text)


def test_inert_text_is_found_by_the_same_words():
    assert fold(inert("Mapa <b>[% 1 %]")) == fold("Mapa <b>[% 1 %]")


def test_control_characters_and_direction_marks_are_not_shown():
    for door in (printable, inert, escaped):
        assert door(f"a{MARKS}b\x00c\x1b") == "ab\ufffdc\ufffd"


def test_only_web_addresses_become_links():
    assert "<a " in html_link("https://a.example/b?c=1&d=<")
    for address in ("file:///etc/passwd", "javascript:alert(1)", "\\\\host\\share", "data:text/html,x"):
        assert "<a " not in html_link(address)


@pytest.mark.parametrize("data", [f"<a>x{MARKS}y</a>".encode(), f"<a>x{MARKS}y</a>".encode("utf-16"),
                                  b"<a>x&#8238;&#x202E;&#x0202e;&#8297;y</a>", b"<a b='x&#8238;y'>xy</a>"])
def test_direction_marks_of_xml_are_not_read(data):
    root = parse(data)
    assert [root.text, *root.attrib.values()] == ["xy"] * (1 + len(root.attrib))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_hidden_characters_of_json_are_not_read(encoding, ascii_only):
    value = {"a": f"x{MARKS}y", "b": "\\u202e \t\n", "c": "مياه"}
    read = parse_json(json.dumps(value, ensure_ascii=ascii_only).encode(encoding))
    assert read == {"a": "xy", "b": "\\u202e \t\n", "c": "مياه"}
    assert parse_json(rb'{"a": "x\u0000\u001b\u202Ey"}') == {"a": "xy"}


@pytest.mark.parametrize("written, read", [
    (rb"{z}\ud800/{x}", "{z}\ufffd/{x}"), (rb"\uDFFFx", "\ufffdx"), (rb"\ud83d\ude00", "\U0001f600"),
    (rb"\ude00\ud83d", "\ufffd\ufffd"), (rb"\\ud800", "\\ud800"), (rb"\\\ud800", "\\\ufffd"),
    (rb"\\ud83d\ude00", "\\ud83d\ufffd"), (rb"\ud83d\u202e\ude00", "\U0001f600"),
    (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
    (b"\xed\xa0\x80", "\ufffd"), (rb'\"\ud800\"', '"\ufffd"')])
def test_lone_surrogates_of_json_can_be_encoded(written, read):
    data = b'["' + written + b'", {"' + written + b'": 1}]'
    assert parse_json(data) == [read, {read: 1}] and read.encode("utf-8")
    if b"202e" not in written:
        assert stored_list(data) == stored_list(data.decode("utf-8", "surrogatepass")) == [read, {read: 1}]


def test_direction_marks_of_our_own_documents_are_not_read():
    for ascii_only in (True, False):
        data = json.dumps({"title": f"a{MARKS}b", "c": "\\u202e"}, ensure_ascii=ascii_only).encode()
        assert load(data, "map").value == {"title": "ab", "c": "\\u202e"}


FORMULAS = ["=cmd|'/C calc'!A0", "+1+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1",
            "\r=1", "\n=1", "＝1+1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_begins_a_formula(text):
    for row in csv.reader(io.StringIO(csv_table([text], [[text]]), newline="")):
        assert row == ["'" + text]
    pasted = as_tsv([IdentifiedFeature("layer", ((text, text),))])
    assert not any(cell.startswith(tuple("=+-@＝")) for line in pasted.splitlines() for cell in line.split("\t"))


@pytest.mark.parametrize("number", ["-3.51", "+4", "-3,5", "-1.5e-7"])
def test_numbers_in_cells_stay_numbers(number):
    assert csv_table([], [[number]]) == (f'"{number}"' if "," in number else number) + "\r\n"


@pytest.mark.parametrize("title, name", [
    ("CON", "_CON"), ("con.txt", "_con.txt"), ("Com1", "_Com1"), ("lpt¹", "_lpt¹"), ("aux .x", "_aux .x"),
    ("Console", "Console"),
    ("-rf *", "rf"), ("--output=x", "output=x"), ("..\\..\\a/b:c", "a b c"), (".hidden", "hidden"), ("~", "cartoguide"),
    ("mapa\u202efdp.exe", "mapafdp.exe"), ("a\u200f\u2028b\x00\x7fc", "a b c"), ("name. .", "name"), ("", "cartoguide"),
    ("\ud800x", "x"), ("Parque “Sierra” – mapa nº 1", "Parque “Sierra” – mapa nº 1")])
def test_file_names_are_valid_everywhere(title, name):
    assert safe_file_name(title) == name


def test_a_long_title_leaves_room_for_a_suffix_in_every_file_system():
    assert 100 < len(safe_file_name("ñ" * 1000).encode()) <= 200
    assert len(safe_file_name("x" * 100_000)) <= 200


def test_records_in_a_profile_get_names_that_are_valid_everywhere():
    assert unique_record_path("x/CON.xml", ()) == "records/_CON.xml"
    assert unique_record_path("--..xml", ()) == "records/record.xml"


def test_a_printed_text_is_cut_after_a_word():
    text = "Centros de visitantes, miradores, áreas recreativas y senderos"
    assert truncate_words(text, len(text)) == text
    assert [truncate_words(text, length) for length in (23, 33, 39, 45)] == [
        "Centros de visitantes…", "Centros de visitantes…", "Centros de visitantes, miradores…",
        "Centros de visitantes, miradores, áreas…"]
    assert truncate_words("Despeñaperros", 8) == "Despeña…", "one long word"
    assert all(len(truncate_words(text, length)) <= length for length in range(1, 80))
