"""A graph of RDF statements, in the order of the document, and the names of the vocabularies of catalogues."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ...errors import UnreadableDocument
from ...i18n import tr

#: statements of a document. A catalogue's page of a hundred data sets has about 10,000
MAX_STATEMENTS = 60_000
#: statements as written, with repeats
_MAX_WRITTEN = 2 * MAX_STATEMENTS
#: vocabularies by their usual prefixes (DCAT-AP 3 and GeoDCAT-AP 3, namespaces)
VOCABULARIES: Dict[str, str] = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/", "dc": "http://purl.org/dc/elements/1.1/",
    "dctype": "http://purl.org/dc/dcmitype/", "foaf": "http://xmlns.com/foaf/0.1/",
    "vcard": "http://www.w3.org/2006/vcard/ns#", "skos": "http://www.w3.org/2004/02/skos/core#",
    "adms": "http://www.w3.org/ns/adms#", "locn": "http://www.w3.org/ns/locn#", "prov": "http://www.w3.org/ns/prov#",
    "odrs": "http://schema.theodi.org/odrs#", "odrl": "http://www.w3.org/ns/odrl/2/", "schema": "http://schema.org/",
    "schemas": "https://schema.org/", "time": "http://www.w3.org/2006/time#", "owl": "http://www.w3.org/2002/07/owl#",
    "spdx": "http://spdx.org/rdf/terms#", "dqv": "http://www.w3.org/ns/dqv#", "org": "http://www.w3.org/ns/org#",
    "geodcat": "http://data.europa.eu/930/", "geodcatap": "http://data.europa.eu/930#",
    "dcatap": "http://data.europa.eu/r5r/", "dcatde": "http://dcat-ap.de/def/dcatde/",
    "geosparql": "http://www.opengis.net/ont/geosparql#", "cnt": "http://www.w3.org/2011/content#",
    "void": "http://rdfs.org/ns/void#", "xsd": "http://www.w3.org/2001/XMLSchema#"}
_BY_LENGTH = sorted(((address, prefix) for prefix, address in VOCABULARIES.items()), key=lambda pair: -len(pair[0]))
RDF_TYPE = VOCABULARIES["rdf"] + "type"


class Literal(NamedTuple):
    """A value with its language or its type, which are empty if it has none."""

    text: str
    language: str = ""
    datatype: str = ""


#: the address of a node, or "_:" and a label for one without an address
Node = str
Value = Union[Node, Literal]
Statement = Tuple[Node, str, Value]


@lru_cache(maxsize=1024)
def name(short: str) -> str:
    """Return the whole name of a property or class such as ``dct:title``."""
    prefix, _, local = short.partition(":")
    return VOCABULARIES[prefix] + local


@lru_cache(maxsize=4096)
def short_name(address: str) -> str:
    """Return a name with its vocabulary's prefix, or the address where the vocabulary is not known."""
    for vocabulary, prefix in _BY_LENGTH:
        if address.startswith(vocabulary):
            return f"{prefix}:{address[len(vocabulary):]}"
    return address


class Graph:
    """The statements of a document by subject and property. Each is held once."""

    def __init__(self, where: str = "") -> None:
        self._where = where or tr("The document")
        self._count = self._written = 0
        self._labels = 0
        self._by_subject: Dict[Node, Dict[str, List[Value]]] = {}

    def __len__(self) -> int:
        return self._count

    def add(self, subject: Node, predicate: str, value: Value) -> None:
        """Add a statement. Raises UnreadableDocument above the limit."""
        values = self._by_subject.setdefault(subject, {}).setdefault(predicate, [])
        self._written += 1
        # a property with thousands of values is hostile or a catalogue's list, in which repeats do no harm
        if len(values) < 100 and value in values:
            if self._written > _MAX_WRITTEN:
                raise self._too_many(_MAX_WRITTEN)
            return
        values.append(value)
        self._count += 1
        if self._count > MAX_STATEMENTS:
            raise self._too_many(MAX_STATEMENTS)

    def _too_many(self, most: int) -> UnreadableDocument:
        return UnreadableDocument(tr("{name} has more than {most} statements and was not read. Divide it, or search "
                                     "its catalogue.", name=self._where, most=most))

    def new_node(self) -> Node:
        """Return a node without an address."""
        self._labels += 1
        return f"_:n{self._labels}"

    def subjects(self) -> Iterator[Node]:
        """Yield every node that says something, in the order of the document."""
        yield from self._by_subject

    def properties(self, node: Value) -> Dict[str, List[Value]]:
        """Return the values of each property of a node, empty for a literal and for a node that says nothing."""
        return {} if isinstance(node, Literal) else self._by_subject.get(node, {})

    def values(self, node: Value, predicate: str) -> List[Value]:
        """Return the values of a property of a node."""
        return self.properties(node).get(predicate, [])

    def types(self, node: Value) -> List[str]:
        return [value for value in self.values(node, RDF_TYPE) if not isinstance(value, Literal)]


def as_turtle(statements: List[Statement]) -> bytes:
    """Return statements as a Turtle document with the usual prefixes."""
    used = dict.fromkeys(prefix for prefix in (_prefix_of(part) for statement in statements for part in (
        statement[1], *([statement[2].datatype] if isinstance(statement[2], Literal) else [statement[2]]))) if prefix)
    lines = [f"@prefix {prefix}: <{VOCABULARIES[prefix]}> ." for prefix in used]
    former: Optional[Node] = None
    for subject, predicate, value in statements:
        if subject != former:
            if former is not None:
                lines[-1] += " ."
            lines += ["", _written(subject)]
        elif former is not None:
            lines[-1] += " ;"
        written = "a" if predicate == RDF_TYPE else _written(predicate)
        lines.append(f"    {written} {_written(value)}")
        former = subject
    if former is not None:
        lines[-1] += " ."
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


@lru_cache(maxsize=4096)
def _prefix_of(address: str) -> str:
    prefix, separator, local = short_name(address).partition(":")
    return prefix if separator and prefix in VOCABULARIES and _is_plain(local) else ""


def _is_plain(local: str) -> bool:
    return local.replace("_", "a").isalnum() and local.isascii()


def _written(value: Value) -> str:
    if isinstance(value, Literal):
        text = "".join(_ESCAPES.get(char, char) for char in value.text)
        kind = f"@{value.language}" if value.language else f"^^{_written(value.datatype)}" if value.datatype else ""
        return f'"{text}"{kind}'
    if value.startswith("_:"):
        return value
    if _prefix_of(value):
        return short_name(value)
    return "<" + "".join(f"\\u{ord(char):04X}" if char in '<>"{}|^`\\' or char <= " " else char for char in value) + ">"


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
