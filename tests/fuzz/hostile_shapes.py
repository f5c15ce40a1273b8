"""Documents of a given size in the shapes that cost a reader the most."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, Iterator, List, Tuple

from lxml import etree

#: name of the shape, and a function that makes the document with at most that many bytes
Shape = Tuple[str, Callable[[int], bytes]]

_XML_PIECES: Dict[str, bytes] = {
    "empty elements": b"<a/>",
    "elements with text": b"<a>b</a>",
    "deep nesting": b"<a>" * 200 + b"</a>" * 200,
    "attributes": b"<a " + b" ".join(b'b%d=""' % number for number in range(900)) + b"/>",
    "few attributes": b'<a b="" c="" d=""/>',
    "namespaces": b'<a xmlns="b:%d"/>',
    "prefixes": b'<c:a xmlns:c="b:%d"/>',
    "CDATA": b"<![CDATA[a]]>",
    "comments": b"<!--a-->",
    "instructions": b"<?a b?>",
    "entities": b"&amp;",
    "references": b"&#65;",
    "unknown entities": b"&lol;",
    "names": b"<a%d/>",
    "line feeds": b"\n",
    "tags that stay open": b"<a>",
    "brackets": b"<",
    "addresses": b"<a>https://a:b@c.example/?token=d&amp;e=f</a>",
    "direction marks": b"\xe2\x80\xae",
    "texts": b"<a>" + b"b " * 4_000_000 + b"</a>",
    "attribute texts": b'<a b="' + b"c " * 4_000_000 + b'"/>',
}
#: elements of one document that are repeated, taken evenly from all of them
_MOST_PLACES = 24
_TOKENS: Tuple[bytes, ...] = (
    b"a",
    b" ",
    b"\n",
    b"<",
    b"<a ",
    b"</",
    b"<!",
    b"<!--",
    b'<a href="',
    b"<table>",
    b"<script>",
    b"<h1>",
    b"<h1",
    b"<body",
    b"&",
    b"&#",
    b"&lt;",
    b"(",
    b")",
    b"[",
    b"{",
    b'"',
    b"'",
    b"\xc2\xab",
    b"\xe2\x80\x9c",
    b":",
    b";",
    b". ",
    b".",
    b"1",
    b"9" * 50,
    b"http://",
    b"https://a.example/ ",
    b"://a@",
    b"key=",
    b"@",
    b"%",
    b"CC BY ",
    b"cita: ",
    b"\xc2\xa9 ",
    b"no ",
    b"libre ",
    b"2014 ",
    b"P1D/",
    b"2016-06-03,",
    b"2016-01-01/2017-01-01/PT1S,",
    b"=",
    b"?",
    b"\x00",
    b"\xff",
    b"\\",
    b"\\u202e",
    b"-",
    b"Layer 'a'\n",
    b"  a = 'b'\n",
    b"https://a.example/?token=b&",
    b"\xe2\x80\xae",
    b"<img src=a>",
)


def shapes(kind: str, documents: List[bytes]) -> Iterator[Shape]:
    """Yield the shapes of a reader's kind of document."""
    for number, document in enumerate(documents):
        if kind == "xml" and document.lstrip()[:1] == b"<":
            yield from _xml_shapes(document, number)
        elif kind == "json" or (kind == "xml" and document.lstrip()[:1] in (b"{", b"[")):
            yield from _json_shapes(json.loads(document), number)
    has_pages = kind in ("html", "text") or any(b"<html" in document[:200].lower() for document in documents)
    for token in _TOKENS if has_pages else ():
        yield f"repeated {token[:20]!r}", lambda size, token=token: _repeated(token, size)  # type: ignore[misc]
        yield (
            f"repeated {token[:20]!r} and a letter",
            lambda size, token=token: b"b" + _repeated(token, size - 2) + b"b",
        )  # type: ignore[misc]


def _repeated(piece: bytes, size: int) -> bytes:
    if b"%d" in piece:
        count = max(1, size // (len(piece) + 5))
        return b"".join(piece.replace(b"%d", b"%d" % number) for number in range(count))[:]
    return piece * max(1, size // len(piece))


def _xml_shapes(document: bytes, number: int) -> Iterator[Shape]:
    try:
        root = etree.fromstring(document, etree.XMLParser(remove_comments=True, recover=True))
    except etree.XMLSyntaxError:
        return
    text = etree.tostring(root)
    end = text.rfind(b"</")
    for name, piece in _XML_PIECES.items():
        yield (
            f"{number}: {name}",
            lambda size, piece=piece: text[:end] + _repeated(piece, size - len(text)) + text[end:],
        )  # type: ignore[misc]
    seen = set()
    distinct = {
        (etree.QName(element).localname, element.getparent() is not None and element.getparent().tag): element
        for element in root.iter("*")
        if element is not root
    }
    step = -(-len(distinct) // _MOST_PLACES)
    for element in list(distinct.values())[:: max(1, step)]:
        key = etree.QName(element).localname, element.getparent() is not None and element.getparent().tag
        if key in seen or element is root:
            continue
        seen.add(key)
        own = etree.tostring(element, with_tail=False)
        head = re.sub(rb' xmlns(:\w+)?="[^"]*"', b"", own)
        mark = b"CARTOGUIDE-PLACE"
        tail, element.tail = element.tail, mark.decode()
        before, _, after = etree.tostring(root).partition(mark)
        element.tail = tail
        yield (
            f"{number}: many {key[0]}",
            lambda size, a=before, p=head, z=after: a + _repeated(p, size - len(a) - len(z)) + z,
        )  # type: ignore[misc]
        if len(element):
            continue
        old, element.text = element.text, mark.decode()
        before, _, after = etree.tostring(root).partition(mark)
        element.text = old
        # what begins a match anywhere and never ends one
        for name, filling in (("blanks", b" "), ("digits", b"7"), ("full stops", b".")):
            yield (
                f"{number}: {name} in {key[0]}",
                lambda size, a=before, z=after, filling=filling: a + b"\nb" + filling * min(size, 9_000_000) + b"b" + z,
            )  # type: ignore[misc]
        if len(seen) % 3 == 0:
            yield (
                f"{number}: long {key[0]}",
                lambda size, a=before, z=after: a + b"word, " * (min(size, 9_000_000) // 6) + z,
            )  # type: ignore[misc]


def _json_shapes(value: Any, number: int) -> Iterator[Shape]:
    """Shapes at each place of a value: many items, a long text, many members, depth, a large number."""
    mark = "CARTOGUIDE-PLACE"

    def places(item: Any, path: Tuple[Any, ...]) -> Iterator[Tuple[Any, ...]]:
        yield path
        if isinstance(item, dict):
            for key, inner in item.items():
                yield from places(inner, (*path, key))
        elif isinstance(item, list) and item:
            yield from places(item[0], (*path, 0))

    for path in places(value, ()):
        copy = json.loads(json.dumps({"root": value}))
        holder, last = copy, "root"
        for key in path:
            holder, last = holder[last], key  # type: ignore[assignment]
        old = holder[last]
        holder[last] = mark
        before, _, after = json.dumps(copy["root"]).encode().partition(json.dumps(mark).encode())
        fills: Dict[str, Callable[[int], bytes]] = {
            "long text": lambda size: b'"' + b"word, " * (size // 6) + b'"',
            "deep": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
            "number": lambda size: b"9" * size,
            "fraction": lambda size: b"0." + b"9" * (size - 2),
            "members": lambda size: b"{" + b",".join(b'"%d":0' % n for n in range(size // 11)) + b"}",
            "zeros": lambda size: b"[" + b"0," * (size // 2 - 1) + b"0]",
            "objects": lambda size: b"[" + b"{}," * (size // 3 - 1) + b"{}]",
            "blanks": lambda size: b'"b' + b" " * (size - 4) + b'b"',
            "escapes": lambda size: b'"' + b"\\u0041" * (size // 6) + b'"',
        }
        if isinstance(old, list) and old:
            item = json.dumps(old[0]).encode()
            fills["items"] = lambda size, item=item: b"[" + (item + b",") * (size // (len(item) + 1)) + item + b"]"  # type: ignore[misc]
        if isinstance(old, dict) and old:
            inner = json.dumps(next(iter(old.values()))).encode()
            fills["many members"] = lambda size, inner=inner: (  # type: ignore[misc]
                b"{" + b",".join(b'"%d":%s' % (n, inner) for n in range(size // (len(inner) + 11))) + b"}"
            )
        for name in fills if len(path) < 2 else ("long text", "blanks", "objects", "items", "many members"):
            if name in fills:
                yield (
                    f"{number}: {name} at /{'/'.join(map(str, path))}",
                    lambda size, a=before, z=after, fill=fills[name]: a + fill(size - len(a) - len(z) - 9) + z,
                )  # type: ignore[misc]
