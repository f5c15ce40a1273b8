"""Reader of Turtle (W3C Recommendation 2014), of which N-Triples are a part. Collections are read as several values."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

from ...addresses import joined_address
from ...errors import UnreadableDocument
from ...i18n import tr
from .graph import RDF_TYPE, VOCABULARIES, Graph, Literal, Node, Value

_MAX_DEPTH = 60
_XSD = VOCABULARIES["xsd"]
#: the first statement of a document: a directive, or a subject with its first property
_BEGINNING = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:@prefix\s|@base\s|(?:prefix\s+[\w.-]*:|base)\s*<|"
    r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s\"]*>\s+(?:<|a\s|[\w.-]+:[\w.-]+\s)|_:[\w.-]+\s+(?:<|a\s|[\w.-]+:))",
    re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r\n]+|\#[^\n]*)+)|(?P<iri><[^<>\"{}|^`\x00-\x20]*>)|(?P<quote>\"\"\"|'''|[\"'])|"
    r"(?P<label>_:[^\W_]?[\w.\-]*)|(?P<lang>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)|(?P<type>\^\^)|"
    r"(?P<name>(?:[^\W\d_][\w.\-]*)?:(?:[\w:.\-]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])*)|"
    r"(?P<number>[+-]?(?:\d+\.\d*(?:[eE][+-]?\d+)?|\.?\d+(?:[eE][+-]?\d+)?))|(?P<word>[A-Za-z]+)|(?P<mark>[.;,()\[\]])")
_UNESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)

#: the group of the pattern that found it, and its text
Token = Tuple[str, str]


def looks_like_turtle(head: str) -> bool:
    """Return whether a text begins as Turtle or N-Triples do."""
    return _BEGINNING.match(head) is not None


def read_turtle(text: str, graph: Graph, where: str) -> None:
    """Add the statements of a document to ``graph``. Raises UnreadableDocument with the line of the first error."""
    _Parser(text, graph, where).read()


class _Parser:
    def __init__(self, text: str, graph: Graph, where: str) -> None:
        self._text, self._graph, self._where = text, graph, where
        self._position = 0
        self._prefixes: Dict[str, str] = {}
        self._base = ""
        self._depth = 0
        self._next: Optional[Token] = self._scan()

    def read(self) -> None:
        while self._next is not None:
            if not self._directive():
                self._statement()

    def _fail(self, reason: str = "") -> UnreadableDocument:
        line = self._text.count("\n", 0, self._position) + 1
        return UnreadableDocument(tr("{name} is broken Turtle at line {line}.", name=self._where, line=line), reason)

    def _scan(self) -> Optional[Token]:
        while True:
            found = _TOKEN.match(self._text, self._position)
            if found is None:
                if self._position >= len(self._text):
                    return None
                raise self._fail(self._text[self._position:self._position + 40])
            kind, token = str(found.lastgroup), found.group()
            if kind == "quote":
                return "text", self._quoted(token)
            if kind in ("name", "label"):
                # a dot at its end is that of the statement
                token = token.rstrip(".")
            elif kind == "number" and token.endswith("."):
                token = token[:-1]
            self._position += len(token)
            if kind != "space":
                return kind, token

    def _quoted(self, quote: str) -> str:
        """Return a quoted text without its escapes, and move behind it."""
        begin = end = self._position + len(quote)
        while True:
            end = self._text.find(quote, end)
            if end < 0:
                raise self._fail("text without an end")
            before = end
            while before > begin and self._text[before - 1] == "\\":
                before -= 1
            if (end - before) % 2 == 0:
                break
            end += 1
        # a long text may end in quotation marks itself
        while len(quote) == 3 and self._text.startswith(quote[0], end + 3):
            end += 1
        self._position = end + len(quote)
        return self._unescaped(self._text[begin:end])

    def _unescaped(self, text: str) -> str:
        if "\\" not in text:
            return text

        def plain(found: re.Match[str]) -> str:
            code = found.group(1) or found.group(2)
            if code:
                return chr(int(code, 16)) if int(code, 16) < 0x110000 else "\ufffd"
            return _UNESCAPED.get(found.group(3), found.group(3))
        return _ESCAPE.sub(plain, text)

    def _take(self) -> Token:
        if self._next is None:
            raise self._fail("end")
        token, self._next = self._next, self._scan()
        return token

    def _expect(self, mark: str) -> None:
        if self._take() != ("mark", mark):
            raise self._fail(mark)

    def _directive(self) -> bool:
        kind, text = self._next or ("", "")
        word = text.lower().lstrip("@")
        if kind not in ("lang", "word") or word not in ("prefix", "base"):
            return False
        self._take()
        if word == "prefix":
            label = self._take()
            if label[0] != "name" or not label[1].endswith(":"):
                raise self._fail("prefix")
            self._prefixes[label[1][:-1]] = self._iri(self._take())
        else:
            self._base = self._iri(self._take())
        if kind == "lang":
            self._expect(".")
        return True

    def _statement(self) -> None:
        if self._next == ("mark", "["):
            subject = self._value()
            if self._next != ("mark", "."):
                self._properties(subject)
        else:
            subject = self._value()
            self._properties(subject)
        self._expect(".")

    def _properties(self, subject: Value) -> None:
        if isinstance(subject, Literal):
            raise self._fail("subject")
        while True:
            token = self._take()
            predicate = RDF_TYPE if token == ("word", "a") else self._iri(token)
            while True:
                for value in self._values():
                    self._graph.add(subject, predicate, value)
                if self._next != ("mark", ","):
                    break
                self._take()
            while self._next == ("mark", ";"):
                self._take()
            if self._next is None or self._next in (("mark", "."), ("mark", "]")):
                return

    def _values(self) -> List[Value]:
        """Return a value, or those of a collection."""
        if self._next != ("mark", "("):
            return [self._value()]
        self._take()
        self._enter()
        found: List[Value] = []
        while self._next != ("mark", ")"):
            found += self._values()
        self._take()
        self._depth -= 1
        return found

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise UnreadableDocument(tr("{name} is nested too deeply and was not read.", name=self._where))

    def _value(self) -> Value:
        kind, text = self._take()
        if kind == "mark" and text == "[":
            self._enter()
            node = self._graph.new_node()
            if self._next != ("mark", "]"):
                self._properties(node)
            self._expect("]")
            self._depth -= 1
            return node
        if kind == "text":
            return self._literal(text)
        if kind == "number":
            return Literal(text, "", _XSD + ("integer" if text.lstrip("+-").isdigit() else "decimal"))
        if kind == "word" and text in ("true", "false"):
            return Literal(text, "", f"{_XSD}boolean")
        return text if kind == "label" else self._iri((kind, text))

    def _literal(self, text: str) -> Literal:
        if self._next is not None and self._next[0] == "lang":
            return Literal(text, self._take()[1][1:])
        if self._next is not None and self._next[0] == "type":
            self._take()
            return Literal(text, "", self._iri(self._take()))
        return Literal(text)

    def _iri(self, token: Token) -> Node:
        kind, text = token
        if kind == "iri":
            address = self._unescaped(text[1:-1])
            relative = self._base and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", address)
            return (joined_address(self._base, address) or address) if relative else address
        if kind == "name":
            prefix, _, local = text.partition(":")
            if prefix in self._prefixes:
                return self._prefixes[prefix] + local.replace("\\", "")
            raise self._fail(f"{prefix}:")
        raise self._fail(text[:40])
