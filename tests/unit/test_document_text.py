"""XML bytes as text for display: decoded as declared, with no line too long for an editor."""

from __future__ import annotations

import pytest

from plugin.core.safe_xml import decode_for_display, detect_encoding


@pytest.mark.parametrize(("data", "expected"), [
    (b"<a/>", "utf-8"), (b"<?xml version='1.0' encoding='ISO-8859-15'?><a/>", "iso-8859-15"),
    ("<a>ñ</a>".encode("utf-16"), "utf-16"), (b"\xef\xbb\xbf<a/>", "utf-8-sig"),
    ("<a>ñ</a>".encode("utf-16-le"), "utf-16-le"), (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "utf-8")])
def test_the_encoding_is_the_one_that_the_document_declares(data, expected):
    assert detect_encoding(data) == expected


def test_text_is_decoded_and_misfits_are_marked():
    assert decode_for_display(
        "<?xml version='1.0' encoding='ISO-8859-1'?><a>ñ</a>".encode("latin-1")).endswith("<a>ñ</a>")
    assert decode_for_display(b"<a>\xff</a>") == "<a>\ufffd</a>"
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
