"""Rules of PDF/A-3u (ISO 19005-3), checked on a file as pypdf reads it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set

from lxml import etree
from pypdf import PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, IndirectObject, NameObject, StreamObject

_PRINTED, _FORBIDDEN_FLAGS = 4, 0b100011
_ACTIONS = ("/GoTo", "/GoToR", "/GoToE", "/Thread", "/URI", "/Named", "/SubmitForm")
_ANNOTATIONS = ("/Link",)
_FORBIDDEN_ACTIONS = ("/Launch", "/Sound", "/Movie", "/ResetForm", "/ImportData", "/Hide", "/SetOCGState", "/Rendition",
                      "/Trans", "/GoTo3DView", "/JavaScript")
#: schemas that PDF/A knows (XMP 2004, PDF/A identification and extensions)
_SCHEMAS = {"http://purl.org/dc/elements/1.1/", "http://ns.adobe.com/xap/1.0/", "http://ns.adobe.com/xap/1.0/rights/",
            "http://ns.adobe.com/pdf/1.3/", "http://ns.adobe.com/photoshop/1.0/", "http://www.aiim.org/pdfa/ns/id/",
            "http://www.aiim.org/pdfa/ns/extension/"}
_INTENTS = ("/RelativeColorimetric", "/AbsoluteColorimetric", "/Perceptual", "/Saturation")
_BLEND_MODES = ("/Normal", "/Compatible", "/Multiply", "/Screen", "/Overlay", "/Darken", "/Lighten", "/ColorDodge",
                "/ColorBurn", "/HardLight", "/SoftLight", "/Difference", "/Exclusion", "/Hue", "/Saturation", "/Color",
                "/Luminosity")
#: operators of ISO 32000-1, annex A, as pypdf names them ("INLINE IMAGE" stands for BI, ID and EI)
_OPERATORS = set(
    b"b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri "
    b"s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \"".split()) | {b"INLINE IMAGE"}
#: resources that an operator names, by the operator
_NAMED = {b"Do": "/XObject", b"gs": "/ExtGState", b"Tf": "/Font", b"sh": "/Shading"}
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
    found += [f"6.5, 6.11, 6.12 {name}" for name in ("/AA", "/OpenAction", "/Requirements", "/NeedsRendering")
              if name in root]
    found += [f"6.4, 6.10, 6.12 {name}" for name in ("/AcroForm", "/Perms") if name in root]
    found += ["6.10 presentations"] if "/AlternatePresentations" in root.get("/Names", {}) else []
    layers = root.get("/OCProperties")
    if layers is not None and ("/Name" not in layers["/D"] or "/AS" in layers["/D"] or "/Configs" in layers):
        found.append("6.9 layers")
    profile = root["/OutputIntents"][0]["/DestOutputProfile"].get_object().get_data()
    found += [] if profile[36:40] == b"acsp" and profile[16:20] == b"RGB " and profile[8] <= 4 else ["6.2.3 profile"]
    found += ["6.2.3 several intents"] if len(root["/OutputIntents"]) > 1 else []
    packet = root["/Metadata"].get_object()
    found += [] if packet["/Type"] == "/Metadata" and packet["/Subtype"] == "/XML" else ["6.6.2.1 metadata"]
    found += _broken_by_packet(packet.get_data())
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
        if isinstance(value, (NameObject, DictionaryObject)) and any(
                len(name.encode()) > 128 for name in ([value] if isinstance(value, NameObject) else value)):
            yield "6.1.13 long name"
        if isinstance(value, int) and not -2**31 <= value < 2**31:
            yield "6.1.13 large number"
        if isinstance(value, DictionaryObject):
            if value.get("/Type") == "/Annot" and (value.get("/Subtype") not in _ANNOTATIONS or "/AA" in value):
                yield f"6.3.1 {value.get('/Subtype')}"
            if value.get("/S") in _FORBIDDEN_ACTIONS or ("/URI" in value and value.get("/S") not in _ACTIONS):
                yield f"6.5.1 {value['/S']}"
            if value.get("/Type") == "/Page" and "/AA" in value:
                yield "6.5.2 actions of a page"
            if value.get("/S") == "/Transparency" and value.get("/CS") not in ("/DeviceRGB", "/DeviceGray", None):
                yield f"6.2.10 {value['/CS']}"
            if value.get("/Subtype") == "/Link":
                flags, (left, bottom, right, top) = value.get("/F", 0), value["/Rect"]
                if not flags & _PRINTED or flags & _FORBIDDEN_FLAGS:
                    yield "6.3.2 flags"
                if not (left < right and bottom < top):
                    yield "6.3 no area"
            if value.get("/Type") == "/ExtGState" and ("/TR" in value or "/HTP" in value):
                yield "6.2.5 transfer function"
            if value.get("/Type") == "/ExtGState" and value.get("/BM", "/Normal") not in _BLEND_MODES:
                yield f"6.2.10 {value['/BM']}"
            if value.get("/RI", _INTENTS[0]) not in _INTENTS or value.get("/Intent", _INTENTS[0]) not in _INTENTS:
                yield "6.2.6 rendering intent"
        if isinstance(value, StreamObject):
            if value.get("/Interpolate"):
                yield "6.2.8 interpolation"
            if "/Ref" in value or "/OPI" in value or "/Alternates" in value or value.get("/Subtype") == "/PS":
                yield "6.2.8, 6.2.9 external or PostScript"
            if {"/LZWDecode", "/Crypt", "/JPXDecode"} & set(_list(value.get("/Filter"))) or {
                    "/F", "/FFilter", "/FDecodeParms"} & set(value):
                yield "6.1.7 filter or other file"
            colours = value.get("/ColorSpace") if value.get("/Subtype") == "/Image" else None
            if colours not in ("/DeviceRGB", "/DeviceGray", None):
                yield f"6.2.4 {colours}"


def _list(value: Any) -> List[Any]:
    return list(value) if isinstance(value, ArrayObject) else [value]


def _broken_by_packet(packet: bytes) -> Iterator[str]:
    """Yield what breaks 6.6.2.3: each property's schema is one of XMP's, or it is described in the packet."""
    root = etree.fromstring(packet.split(b"?>", 1)[1].rsplit(b"<?xpacket", 1)[0])
    described = {element.text for element in root.iter("{http://www.aiim.org/pdfa/ns/schema#}namespaceURI")}
    for element in root.find(".//{*}Description"):
        schema = etree.QName(element).namespace
        if schema not in _SCHEMAS and schema not in described:
            yield f"6.6.2.3 {element.tag} is not described"


def _broken_by_page(page: Any, reader: PdfReader) -> Iterator[str]:
    depth, deepest, font = 0, 0, ""
    shown: Dict[str, Set[int]] = {}
    for operands, operator in ContentStream(page["/Contents"].get_object(), reader).operations:
        if operator not in _OPERATORS:
            yield f"6.2.2 operator {operator!r}"
        if operator in _NAMED and operands[0] not in page["/Resources"].get(_NAMED[operator], {}):
            yield f"6.2.2 {operands[0]} is not among the page's resources"
        if operator == b"ri" and operands[0] not in _INTENTS:
            yield "6.2.6 rendering intent"
        if operator == b"INLINE IMAGE" and operands["settings"].get("/I") is True:
            yield "6.2.8 interpolation"
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
    if not 3 <= min(page.mediabox.width, page.mediabox.height) <= max(page.mediabox.width,
                                                                      page.mediabox.height) <= 14_400:
        yield "6.1.13 page size"
    for name, codes in shown.items():
        members = page["/Resources"]["/Font"][name]
        descendant = members["/DescendantFonts"][0].get_object()
        if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(descendant["/FontDescriptor"]):
            yield f"6.2.11.4 {name} is not embedded"
        if "/CIDToGIDMap" not in descendant or members["/Encoding"] not in ("/Identity-H", "/Identity-V"):
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
