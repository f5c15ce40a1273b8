"""The description of one resource in a graph: its values are marked as they are read, and the others are unread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, List, Optional, Set, Tuple

from ...errors import UnreadableDocument
from ...html_text import plain_text
from ...i18n import tr
from ...json_document import as_text
from ..model.languages import alpha3
from ..model.record import UnreadValue
from .graph import RDF_TYPE, VOCABULARIES, Graph, Literal, Node, Statement, Value, name, short_name

#: properties by which a resource is called, the best first
LABELS = ("skos:prefLabel", "dct:title", "rdfs:label", "foaf:name", "vcard:fn", "schema:name", "locn:geographicName",
          "rdf:value", "skos:notation", "dc:title")
#: values that are looked at in one document, and statements that its records have together: a graph in which all
#: records share a large part was made to take time
_MAX_VALUES, _MAX_PARTS = 1_000_000, 120_000
_MAX_DEPTH = 8
_KNOWN_CLASSES = tuple(VOCABULARIES.values())


@dataclass
class GraphReading:
    """The reading of a document: its graph and the preferred languages."""

    graph: Graph
    languages: Tuple[str, ...] = ()
    where: str = ""
    #: values and statements read so far, for all languages together
    counts: List[int] = field(default_factory=lambda: [0, 0])
    #: the records and what lies behind them, which are not part of another record
    records: Set[Node] = field(default_factory=set)

    def count(self, values: int, parts: int = 0) -> None:
        """Count values that are read, and statements of a record. Raises UnreadableDocument above the limits."""
        self.counts[0] += values
        self.counts[1] += parts
        if self.counts[0] > _MAX_VALUES or self.counts[1] > _MAX_PARTS:
            raise UnreadableDocument(tr("{name} expands to far more data than expected and was not read.",
                                        name=self.where or tr("The document")))


class RdfDescription:
    """A node of a graph as it is read for one record. ``used`` holds the statements that the record's fields have."""

    def __init__(self, reading: GraphReading, node: Value, used: Optional[Set[Statement]] = None) -> None:
        self.reading, self.node = reading, node
        self.used: Set[Statement] = set() if used is None else used

    @property
    def address(self) -> str:
        """The address of the node, or "" for a literal and for a node without one."""
        return "" if isinstance(self.node, Literal) or self.node.startswith("_:") else self.node

    def values(self, *properties: str) -> List[Value]:
        """Return the values of some properties, which stay unread."""
        found = [value for short in properties for value in self.reading.graph.values(self.node, name(short))]
        self.reading.count(len(found) + 1)
        return found

    def take(self, *properties: str) -> List[Value]:
        """Return the values of some properties, and mark them as read."""
        if isinstance(self.node, Literal):
            return []
        for short in properties:
            for value in self.values(short):
                self.used.add((self.node, name(short), value))
        return self.values(*properties)

    def inner(self, *properties: str) -> List[RdfDescription]:
        """Return the descriptions of the values of some properties, and mark these as read."""
        return [RdfDescription(self.reading, value, self.used) for value in self.take(*properties)]

    def text(self, *properties: str) -> Optional[str]:
        """Return the text of the first property that has one, in the preferred language. Other texts stay unread."""
        if isinstance(self.node, Literal):
            return None
        for short in properties:
            values = [value for value in self.values(short) if isinstance(value, Literal) and as_text(value.text)]
            if values:
                chosen = self._preferred(values)[0]
                self.used.add((self.node, name(short), chosen))
                return plain_text(chosen.text.strip())
        return None

    def texts(self, *properties: str) -> List[str]:
        """Return the texts of all properties in the preferred language, with those that have none."""
        if isinstance(self.node, Literal):
            return []
        found: Dict[str, None] = {}
        for short in properties:
            values = [value for value in self.values(short) if isinstance(value, Literal) and as_text(value.text)]
            for value in self._preferred(values):
                self.used.add((self.node, name(short), value))
                found.setdefault(plain_text(value.text.strip()))
        return list(found)

    def label(self) -> str:
        """Return what a literal says or how a node is called, or ""."""
        if isinstance(self.node, Literal):
            return plain_text(self.node.text.strip()) if as_text(self.node.text) else ""
        return self.text(*LABELS) or ""

    def labels(self, *properties: str) -> List[str]:
        """Return how the values of some properties are called, else the last part of their addresses."""
        return [text for item in self.inner(*properties) for text in (item.label() or last_part(item.address),) if text]

    def has_type(self, *classes: str) -> bool:
        """Return whether the node is of one of some classes."""
        return any(name(short) in self.reading.graph.types(self.node) for short in classes)

    def _preferred(self, values: List[Literal]) -> List[Literal]:
        """Return the values in the best language that there is, each with those without a language."""
        if not any(value.language for value in values):
            return values
        written = {alpha3(value.language) for value in values}
        best = next((code for code in self.reading.languages if code in written), "" if "" in written
                    else alpha3(values[0].language))
        chosen = [value for value in values if alpha3(value.language) == best]
        return chosen + [value for value in values if not value.language and value not in chosen]

    def parts(self, follow: Callable[[str, Value], bool]) -> Iterator[Tuple[str, Statement]]:
        """Yield the statements about the node and the nodes behind it, each with its path.

        ``follow`` says whether a value of a property is part of this record.
        """
        waiting: List[Tuple[str, Value, int]] = [("", self.node, 0)]
        seen: Set[Value] = {self.node}
        while waiting:
            path, node, depth = waiting.pop(0)
            behind: List[Tuple[str, Value, int]] = []
            for predicate, values in self.reading.graph.properties(node).items():
                self.reading.count(0, len(values))
                step = f"{path}/{short_name(predicate)}" if path else short_name(predicate)
                for number, value in enumerate(values):
                    where = f"{step}/{number}" if len(values) > 1 and not isinstance(value, Literal) else step
                    yield where, (str(node), predicate, value)
                    if not isinstance(value, Literal) and value not in seen and depth < _MAX_DEPTH and follow(
                            predicate, value):
                        seen.add(value)
                        behind.append((where, value, depth + 1))
            waiting += behind

    def unread(self, parts: List[Tuple[str, Statement]]) -> Tuple[UnreadValue, ...]:
        """Return the values of ``parts`` that no field has. Classes of known vocabularies say nothing more."""
        graph = self.reading.graph
        return tuple(
            UnreadValue(path, value.text if isinstance(value, Literal) else value)
            for path, (subject, predicate, value) in parts
            if (subject, predicate, value) not in self.used
            and not (predicate == RDF_TYPE and str(value).startswith(_KNOWN_CLASSES))
            and not (str(value).startswith("_:") and not isinstance(value, Literal) and graph.properties(value)))


def last_part(address: str) -> str:
    """Return the last part of an address, which in code lists is the code."""
    return address.rstrip("/#").rpartition("#")[2].rpartition("/")[2] if "/" in address else address.rpartition(":")[2]
