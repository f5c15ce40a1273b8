"""Safe XML parser: no entities, no external DTD, no network, and limits for size, depth, number of elements and time.

It also detects the encoding of documents, and decodes them for display.
"""

from __future__ import annotations

import codecs
import io
import itertools
import re
import threading
import time
from typing import Iterator, List, Optional, Union

from lxml import etree

from .errors import UnreadableDocument, too_large
from .i18n import tr

#: limits of a document, with which no reader takes more than 2 s and 300 MB (``make bounds`` measures that). A
#: catalogue's page of some hundred records is below 10 MB, and has 150,000 elements.
MAX_BYTES = 32_000_000
MAX_ELEMENTS = 350_000
MAX_ATTRIBUTES = 500_000
MAX_ATTRIBUTES_OF_ONE_TAG = 1_000
#: seconds of processor time of the parser alone
MAX_SECONDS = 2.0

#: parser messages for a document that ends inside a tag
_TRUNCATION_HINTS = ("expected", "mandates value", "qname", "invalid element name", "construct error", "not terminated")
#: size below which a document cannot take noticeable time or memory, so that its elements are not counted
_SMALL_DOCUMENT = 64 * 1024
#: documents are converted to UTF-8 first, so that the parser reads the bytes that were searched for entities
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
         (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_UNMARKED_WIDE_STARTS = ((b"<\x00\x00\x00", "utf-32-le"), (b"\x00\x00\x00<", "utf-32-be"), (b"<\x00", "utf-16-le"),
                         (b"\x00<", "utf-16-be"))
#: encodings that contradict the bytes of their declaration, which are read as UTF-8
_WIDE_ENCODINGS = ("utf-16", "utf16", "utf-32", "utf32", "ucs-2", "iso-10646")
_CGI_HEADERS = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*:[^\r\n]*\r?\n)+\r?\n")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPACE = re.compile(rb"\s*")
_DECLARED = re.compile(rb"\A\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_TAG_NAME = re.compile(rb"[^\s=>]*")
_ATTRIBUTE = re.compile(rb"\s*[^\s=<>\"'/]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')")
#: encodings that browsers use under another's name (WHATWG Encoding Standard, 4.2), by Python's names
_AS_BROWSERS = {"iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
                "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
#: the bytes that windows-1252 leaves undefined, as the control characters that browsers read them as
_UNDEFINED_IN_1252 = {code: chr(code) for code in (0x81, 0x8d, 0x8f, 0x90, 0x9d)}
_LEADING = re.compile(rb"(?:\s|\xef\xbb\xbf)*")
#: character sets of honest documents. UTF-7 and the like would only hide content.
_CHARSETS = ("iso8859", "cp", "latin", "koi8", "mac", "gb", "big5", "euc", "shift_jis", "ascii", "iso2022", "hz",
             "johab", "tis", "hp-roman8", "kz1048", "ptcp154")
#: marks that turn the direction of the text after them, in UTF-8 and as character references: no value needs them, and
#: they show it in another order than it has
_DIRECTION_MARKS = tuple(chr(code).encode("utf-8") for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_DIRECTION_MARK = re.compile(b"|".join(_DIRECTION_MARKS))
_DIRECTION_REFERENCE = re.compile(rb"&#(?:0{0,9}(?:823[4-8]|829[4-7])|[xX]0{0,9}(?:202[a-eA-E]|206[6-9]));")
#: bytes or characters that are searched at once
_PIECE = 1_000_000
#: a reference to an entity that XML does not define
_UNKNOWN_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);|#)")
#: with more of them the parser's list of errors takes more memory than the document
_MAX_UNKNOWN_ENTITIES = 10_000
#: characters of a line for display
_MAX_LINE_LENGTH = 2000
_DECLARATION = re.compile(rb"<\?xml\s[^?>]*\?>")
_BETWEEN_TAGS = re.compile(r">\s*(?=<)")


def parse(data: bytes, name: str = "", max_bytes: int = MAX_BYTES, keep_blank_text: bool = True,
          max_elements: int = MAX_ELEMENTS) -> etree._Element:
    """Return the root element of the XML document in ``data``, without comments and processing instructions.

    Without ``keep_blank_text`` white space between elements is dropped too, which is faster if only values are needed.
    CGI header lines and white space in front of the document are skipped. A DOCTYPE without entity declarations is
    ignored (WMS 1.1.x documents have one, OGC 01-068r3 7.1.2). Marks that turn the direction of text are dropped.

    Raises UnreadableDocument for entity declarations, exceeded limits, and documents that are not well-formed, with
    line and column.
    """
    where = name or tr("The document")
    if not data or data.isspace():
        raise UnreadableDocument(tr("{name} is empty.", name=where))
    if len(data) > max_bytes:
        raise too_large(where, max_bytes, len(data))
    # a byte order mark may stand before blank lines, in any encoding
    data = strip_preamble(_decode_to_utf8(strip_preamble(data), where))
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8):]
    if data[:1] != b"<":
        raise UnreadableDocument(tr("{name} is not XML: it does not begin with an element.", name=where))
    doctype = _find_doctype(data)
    if doctype is not None and b"<!ENTITY" in data[doctype:]:
        raise _entity_error(where)
    if len(data) > _SMALL_DOCUMENT:
        _check_counts(data, where, max_elements, doctype is not None)
    root = _parse(_without_encoding(_without_direction_marks(data)), where, keep_blank_text)
    if doctype is not None and next(root.iter(etree.Entity), None) is not None:
        raise _entity_error(where)
    return root


def serialise(document: Union[etree._Element, etree._ElementTree]) -> bytes:
    """Return an element without its tail, or a document with its DOCTYPE, as XML in UTF-8 with a declaration.

    Never call ``etree.tostring`` with an encoding, for the reason that :func:`_without_encoding` gives.
    """
    text = str(etree.tostring(document, encoding="unicode", with_tail=False))
    return b"<?xml version='1.0' encoding='UTF-8'?>\n" + text.encode("utf-8")


def without_forbidden(text: str) -> str:
    """Return a text without the characters that XML does not allow. Qt writes them, and Qt 6 does not read them."""
    return _FORBIDDEN.sub("", text)


def strip_preamble(data: bytes) -> bytes:
    """Return ``data`` without CGI header lines and white space in front of the XML declaration."""
    if data[:1] == b"<" or data.startswith(tuple(bom for bom, _ in _BOMS[1:])):
        return data
    headers = _CGI_HEADERS.match(data)
    if headers:
        data = data[headers.end():]
    end = _LEADING.match(data).end()  # type: ignore[union-attr]
    # the mark says the encoding, wherever it stands
    return (codecs.BOM_UTF8 if codecs.BOM_UTF8 in data[:end] else b"") + data[end:]


def decode(data: bytes, encoding: str) -> str:
    """Return ``data`` as text in the encoding of this name, as browsers do: windows-1252 under the name of Latin-1.

    Raises LookupError for an unknown encoding, UnicodeDecodeError if the bytes are not valid in it.
    """
    codec = codecs.lookup(encoding).name
    if codec == "ascii":
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            codec = "cp1252"
    codec = _AS_BROWSERS.get(codec, codec)
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        if codec != "cp1252":
            raise
    return "".join(_UNDEFINED_IN_1252.get(byte) or bytes((byte,)).decode("cp1252") for byte in data)


def decode_undeclared(data: bytes) -> str:
    """Return ``data`` without a declared encoding as text: UTF-8, or windows-1252 where it cannot be UTF-8.

    Raises UnicodeDecodeError for damaged UTF-8, most of which is valid.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        read = data.decode("utf-8", "replace")
        replaced = read.count("\ufffd")
        if replaced <= sum(1 for char in read if char > "\x7f") - replaced:
            raise
    return decode(data, "cp1252")


def to_utf8(data: bytes) -> bytes:
    """Return ``data`` as UTF-8 without byte order mark, from the encoding of its mark, its first bytes or its
    declaration.

    Raises LookupError for an unsupported encoding, UnicodeDecodeError if the bytes are not valid in it.
    """
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8):]
    encoding = detect_encoding(data)
    if encoding == "utf-8":
        return data if data.isascii() or _DECLARED.match(data) else decode_undeclared(data).encode("utf-8")
    if encoding.startswith(_WIDE_ENCODINGS):
        return data.decode(encoding).encode("utf-8")
    if not codecs.lookup(encoding).name.startswith(_CHARSETS):
        raise LookupError(encoding)
    return decode(data, encoding).encode("utf-8")


def detect_encoding(data: bytes) -> str:
    """Return the encoding of an XML document by its byte order mark, its first bytes or its declaration.

    It is "utf-8" without any of them, and where the declaration contradicts the bytes that it is written in. The name
    in a declaration may be that of no encoding.
    """
    for start, encoding in (*_BOMS, *_UNMARKED_WIDE_STARTS):
        if data.startswith(start):
            return encoding
    declared = _DECLARED.match(data)
    name = declared.group(1).decode("ascii").lower() if declared else "utf-8"
    return "utf-8" if name == "utf8" or name.startswith(_WIDE_ENCODINGS) else name


def _decode_to_utf8(data: bytes, where: str) -> bytes:
    try:
        return to_utf8(data)
    except LookupError as error:
        raise UnreadableDocument(
            tr("{name} uses the character encoding {encoding}, which is not supported.", name=where,
               encoding=str(error).rsplit(":", 1)[-1].strip()), str(error)) from error
    except UnicodeError as error:
        raise UnreadableDocument(
            tr("{name} is not in the character encoding that it declares.", name=where), str(error)) from error


def _find_doctype(data: bytes) -> Optional[int]:
    """Return the position of the document type declaration, or None if the prolog has none (XML 1.0, production 22)."""
    position = 0
    while True:
        position = _SPACE.match(data, position).end()  # type: ignore[union-attr]
        piece = data[position:position + 9]
        if piece.startswith(b"<?"):
            end, length = data.find(b"?>", position), 2
        elif piece.startswith(b"<!--"):
            end, length = data.find(b"-->", position + 4), 3
        else:
            return position if piece.upper() == b"<!DOCTYPE" else None
        if end < 0:
            return None
        position = end + length


def _without_encoding(data: bytes) -> bytes:
    """Return a document in UTF-8 with blanks in the place of its declaration, so that lines and columns stay.

    libspatialite 5.1 calls libxml2's ``xmlCleanupParser`` whenever a GeoPackage is closed, in any thread. Before
    libxml2 2.12 that frees the converters of encodings, and whatever is being read or written with one ends QGIS.
    UTF-8 needs none unless it is asked for by name.
    """
    declaration = _DECLARATION.match(data)
    if declaration is None:
        return data
    return b"".join((re.sub(rb"[^\r\n]", b" ", declaration.group()), data[declaration.end():]))


def _without_direction_marks(data: bytes) -> bytes:
    if _DIRECTION_MARK.search(data):
        for mark in _DIRECTION_MARKS:
            data = data.replace(mark, b"")
    if not _DIRECTION_REFERENCE.search(data):
        return data
    # in pieces that begin at references, because a substitution takes 80 bytes for each that it finds
    pieces: List[bytes] = []
    start = 0
    while start < len(data):
        end = data.find(b"&", start + _PIECE)
        end = end if end >= 0 else len(data)
        pieces.append(_DIRECTION_REFERENCE.sub(b"", data[start:end]))
        start = end
    return b"".join(pieces)


def _check_counts(data: bytes, where: str, max_elements: int, with_doctype: bool) -> None:
    """Refuse documents that would take memory or time far beyond their size.

    An element has two tags or a tag and no text. Behind a DOCTYPE each reference to an unknown entity is a node.
    """
    if (data.count(b"<") > 2 * max_elements or data.count(b"=") > MAX_ATTRIBUTES
            or with_doctype and data.count(b"&") > MAX_ATTRIBUTES):
        raise UnreadableDocument(
            tr("{name} has too many elements to be read: the limit is {limit}. Request less of it at once, or divide "
               "it.", name=where, limit=max_elements))
    if data.count(b"&") > _MAX_UNKNOWN_ENTITIES and next(
            itertools.islice(_UNKNOWN_ENTITY.finditer(data), _MAX_UNKNOWN_ENTITIES, None), None):
        raise _overload_error(where)
    if data.count(b"=") <= MAX_ATTRIBUTES_OF_ONE_TAG:
        return
    for piece in _chunks(data):
        if piece.count(b"=") <= MAX_ATTRIBUTES_OF_ONE_TAG:
            continue
        for tag in piece.split(b"<"):
            if tag.count(b"=") > MAX_ATTRIBUTES_OF_ONE_TAG and _count_attributes(tag) > MAX_ATTRIBUTES_OF_ONE_TAG:
                raise UnreadableDocument(tr("{name} has an element with too many attributes to be read.", name=where))


def _chunks(data: bytes) -> Iterator[bytes]:
    """Yield ``data`` in chunks that begin at tags, because one long call would block all other threads."""
    start = 0
    while start < len(data):
        end = data.find(b"<", start + _SMALL_DOCUMENT)
        end = end if end >= 0 else len(data)
        yield data[start:end]
        start = end


def _count_attributes(tag: bytes) -> int:
    """Return the number of attributes of a start tag."""
    count = 0
    position = _TAG_NAME.match(tag).end()  # type: ignore[union-attr]
    while count <= MAX_ATTRIBUTES_OF_ONE_TAG:
        match = _ATTRIBUTE.match(tag, position)
        if match is None:
            break
        position = match.end()
        count += 1
    return count


class _TimeLimitedStream:
    """File-like view of bytes that raises TimeoutError if reading them takes too long."""

    def __init__(self, data: bytes) -> None:
        self._stream = io.BytesIO(data)
        # on a busy machine the clock on the wall says nothing about the document
        self._started = time.thread_time()

    def read(self, size: int = -1) -> bytes:
        """Return the next ``size`` bytes. Raises TimeoutError after the time limit."""
        if time.thread_time() - self._started > MAX_SECONDS:
            raise TimeoutError(MAX_SECONDS)
        return self._stream.read(size)


def _make_parser(keep_blank_text: bool) -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
                           attribute_defaults=False, huge_tree=False, remove_comments=True, remove_pis=True,
                           remove_blank_text=not keep_blank_text, collect_ids=keep_blank_text)


class _ThreadParser(threading.local):
    """Parser reused by each thread, because creating one takes as long as a small document."""

    def __init__(self) -> None:
        self.parser = _make_parser(keep_blank_text=False)


_thread_parser = _ThreadParser()


def _parse(data: bytes, where: str, keep_blank_text: bool) -> etree._Element:
    parser = _make_parser(keep_blank_text) if keep_blank_text else _thread_parser.parser
    try:
        if len(data) > _SMALL_DOCUMENT:
            root: Optional[etree._Element] = etree.parse(_TimeLimitedStream(data), parser).getroot()
        else:
            root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(error, where, data) from error
    except TimeoutError as error:
        raise _overload_error(where) from error
    except (ValueError, LookupError) as error:
        raise UnreadableDocument(tr("{name} cannot be read as XML.", name=where), str(error)) from error
    if root is None:
        raise UnreadableDocument(tr("{name} contains no XML element.", name=where))
    return root


def _overload_error(where: str) -> UnreadableDocument:
    return UnreadableDocument(
        tr("{name} takes too long to read, because its elements are designed to overload the parser.", name=where))


def _entity_error(where: str) -> UnreadableDocument:
    return UnreadableDocument(
        tr("{name} declares XML entities, which are not safe to read. Ask its publisher for a copy without them.",
           name=where), "<!ENTITY …>")


def _syntax_error(error: etree.XMLSyntaxError, where: str, data: bytes) -> UnreadableDocument:
    line, column = (error.position or (0, 0))
    # the parser's sentence is in English and quotes the document: it is for the detail
    low = (error.msg or "").split(", line ")[0].strip().lower()
    if "depth" in low:
        return UnreadableDocument(tr("{name} is nested too deeply to be read (line {line}).", name=where, line=line),
                                  _error_detail(error))
    if "not proper utf-8" in low or "invalid bytes in character encoding" in low:  # libxml2 before and from 2.14 on
        return UnreadableDocument(
            tr("{name} is not in the character encoding that it declares (line {line}, column {column}).",
               name=where, line=line, column=column), _error_detail(error))
    if "premature end" in low or "couldn't find end" in low or (any(words in low for words in _TRUNCATION_HINTS) and
                                                                _is_at_end(data, line, column)):
        return UnreadableDocument(
            tr("{name} is incomplete: it ends at line {line}, column {column}.", name=where, line=line,
               column=column), _error_detail(error))
    if "huge" in low or "too big" in low:
        return UnreadableDocument(
            tr("{name} contains a text that is too long to be read (line {line}).", name=where, line=line),
            _error_detail(error))
    return UnreadableDocument(
        tr("{name} is broken XML at line {line}, column {column}.", name=where, line=line, column=column),
        _error_detail(error))


def _is_at_end(data: bytes, line: int, column: int) -> bool:
    """Return True if a position (column in characters, from 1) is the last character or after it."""
    last = data[data.rfind(b"\n") + 1:]
    return line > data.count(b"\n") and column >= len(last.decode("utf-8", "replace"))


def _error_detail(error: etree.XMLSyntaxError) -> str:
    text = str(error)
    return text if len(text) <= 1000 else text[:1000] + "…"


def decode_for_display(data: bytes, max_line_length: int = _MAX_LINE_LENGTH) -> str:
    """Return an XML document as text for display.

    Invalid bytes become a mark, and lines over ``max_line_length`` are broken between tags.
    """
    try:
        text = _decoded_for_display(data)
    except (LookupError, UnicodeError):
        # the declaration names no encoding, or a codec of Python that is none of text
        text = data.decode("utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) <= max_line_length:
        return text
    # a list of all lines would take ten times the text's memory
    too_long = re.compile(f"^[^\n]{{{max_line_length + 1},}}", re.MULTILINE)
    return too_long.sub(lambda line: too_long.sub(lambda piece: _cut(piece[0], max_line_length),
                                                  _broken_between_tags(line[0])), text)


def _decoded_for_display(data: bytes) -> str:
    encoding = detect_encoding(data)
    if encoding.startswith(("utf", *_WIDE_ENCODINGS)):
        if encoding == "utf-8" and not _DECLARED.match(data):
            return decode_undeclared(data)
        return data.decode(encoding, "replace")
    try:
        return decode(data, encoding)
    except UnicodeDecodeError:
        return data.decode(encoding, "replace")


def _broken_between_tags(line: str) -> str:
    """Return a line with line breaks between its tags, made in pieces, because ``re`` lists what it replaces."""
    pieces, start = [], 0
    while start < len(line):
        # a place between two tags begins with this mark and has no other
        end = line.find(">", start + _PIECE)
        end = len(line) if end < 0 else end
        pieces.append(_BETWEEN_TAGS.sub(">\n", line[start:end]))
        start = end
    return "".join(pieces)


def _cut(text: str, length: int) -> str:
    return "\n".join(text[start:start + length] for start in range(0, len(text), length))
