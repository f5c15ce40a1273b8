"""Rules of PDF/A-3u (ISO 19005-3), checked on a file as pypdf reads it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set

from pypdf import PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, IndirectObject, StreamObject

_PRINTED, _FORBIDDEN_FLAGS = 4, 0b100011
_NO_TEXTS = {0, 0xfeff, 0xfffe}


def broken_rules(path: Path) -> List[str]:
    """Return the rules that the file breaks, with their clauses. It need not claim to conform."""
    data = path.read_bytes()
    reader = PdfReader(str(path), strict=True)
    root = reader.trailer["/Root"]
    found = [] if re.match(rb"%PDF-1\.[0-7]\r?\n%[\x80-\xff]{4}", data) else ["6.1.2 header"]
    found += [] if re.search(rb"%%EOF\r?\n?\Z", data) else ["6.1.3 data behind the end"]
    found += [f"6.1.3 {name}" for name in ("/ID",) if name not in reader.trailer]
    found += ["6.1.3 encrypted"] if "/Encrypt" in reader.trailer else []
    found += [f"6.5, 6.11, 6.12 {name}" for name in ("/AA", "/OpenAction", "/Requirements") if name in root]
    profile = root["/OutputIntents"][0]["/DestOutputProfile"].get_object().get_data()
    found += [] if profile[36:40] == b"acsp" and profile[16:20] == b"RGB " and profile[8] <= 4 else ["6.2.3 profile"]
    packet = root["/Metadata"].get_object()
    found += ["6.6.2 compressed metadata"] if "/Filter" in packet else []
    for name in root.get("/AF", []):
        members = name.get_object()
        found += [f"6.8 {key}" for key in ("/F", "/UF", "/AFRelationship") if key not in members]
        stream = members["/EF"]["/F"].get_object()
        found += [f"6.8 {key}" for key in ("/Subtype", "/Params") if key not in stream]
    for number in range(1, reader.trailer["/Size"]):
        found += _broken_by_object(_object(reader, number))
    for page in reader.pages:
        found += _broken_by_page(page, reader)
    return sorted(set(found))


def _object(reader: PdfReader, number: int) -> Any:
    return reader.get_object(IndirectObject(number, 0, reader)) if number in reader.xref.get(0, {}) else None


def _values(value: Any) -> Iterator[Any]:
    """Yield the direct values of an object."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, DictionaryObject):
            waiting += value.values()
        elif isinstance(value, ArrayObject):
            waiting += value


def _broken_by_object(found: Any) -> Iterator[str]:
    for value in _values(found):
        raw = getattr(value, "original_bytes", value if isinstance(value, bytes) else b"")
        if len(raw) > 32_767:
            yield "6.1.13 long string"
        if isinstance(value, DictionaryObject):
            if value.get("/Subtype") == "/Link":
                flags, (left, bottom, right, top) = value.get("/F", 0), value["/Rect"]
                if not flags & _PRINTED or flags & _FORBIDDEN_FLAGS:
                    yield "6.3.2 flags"
                if not (left < right and bottom < top):
                    yield "6.3 no area"
            if value.get("/Type") == "/ExtGState" and ("/TR" in value or "/HTP" in value):
                yield "6.2.5 transfer function"
        if isinstance(value, StreamObject):
            if value.get("/Interpolate"):
                yield "6.2.8 interpolation"
            if "/OPI" in value or "/Alternates" in value or value.get("/Subtype") == "/PS":
                yield "6.2.8, 6.2.9 external or PostScript"
            if value.get("/Filter") in ("/LZWDecode", "/Crypt") or "/F" in value:
                yield "6.1.7 stream"
            colours = value.get("/ColorSpace") if value.get("/Subtype") == "/Image" else None
            if colours not in ("/DeviceRGB", "/DeviceGray", None):
                yield f"6.2.4 {colours}"


def _broken_by_page(page: Any, reader: PdfReader) -> Iterator[str]:
    depth, deepest, font = 0, 0, ""
    shown: Dict[str, Set[int]] = {}
    for operands, operator in ContentStream(page["/Contents"].get_object(), reader).operations:
        depth += {b"q": 1, b"Q": -1}.get(operator, 0)
        deepest = max(deepest, depth)
        if operator == b"Tf":
            font = operands[0]
        elif operator in (b"Tj", b"TJ"):
            for text in operands[0] if operator == b"TJ" else operands:
                codes = getattr(text, "original_bytes", text)
                shown.setdefault(font, set()).update(
                    int.from_bytes(codes[start:start + 2], "big") for start in range(0, len(codes), 2))
    if deepest > 28 or depth:
        yield "6.1.13 graphics states"
    if max(page.mediabox.width, page.mediabox.height) > 14_400:
        yield "6.1.13 page size"
    for name, codes in shown.items():
        members = page["/Resources"]["/Font"][name]
        descendant = members["/DescendantFonts"][0].get_object()
        if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(descendant["/FontDescriptor"]):
            yield f"6.2.11.4 {name} is not embedded"
        if "/CIDToGIDMap" not in descendant:
            yield f"6.2.11.3 {name}"
        texts = _texts(members["/ToUnicode"].get_data())
        if 0 in codes or any(texts.get(code, 0) in _NO_TEXTS for code in codes):
            yield "6.2.11.7, 6.2.11.8 glyphs without texts"


def _texts(cmap: bytes) -> Dict[int, int]:
    """Return the first code of each glyph's text, of the ranges that Qt writes."""
    texts: Dict[int, int] = {}
    for first, last, single, several in re.findall(
            rb"<([0-9A-F]+)>\s*<([0-9A-F]+)>\s*(?:<([0-9A-F]+)>|\[([^\]]*)\])", cmap.split(b"endcodespacerange")[-1]):
        targets = re.findall(rb"<([0-9A-F]+)>", several)
        for number, code in enumerate(range(int(first, 16), int(last, 16) + 1)):
            texts[code] = int(targets[number][:4], 16) if targets else int(single, 16) + number
    return texts
