"""Reader of JSON-LD 1.1 within bounds: contexts that are in the document, without those at other addresses.

Members that no context of the document explains are read by the usual names of DCAT, as data portals write them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional

from ...addresses import joined_address
from ...json_document import as_text
from .graph import RDF_TYPE, VOCABULARIES, Graph, Literal, Node, Value, name

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MAX_ALIASES = 8
#: the names of members in DCAT's own contexts and in DCAT-US (Project Open Data 1.1)
USUAL_NAMES: Mapping[str, str] = {
    **{local: name(f"dct:{local}") for local in (
        "title", "description", "issued", "modified", "created", "identifier", "language", "publisher", "creator",
        "license", "rights", "rightsHolder", "accessRights", "spatial", "temporal", "conformsTo", "format",
        "accrualPeriodicity", "provenance", "isPartOf", "relation", "source", "alternative", "references", "subject")},
    **{local: name(f"dcat:{local}") for local in (
        "dataset", "service", "record", "distribution", "keyword", "theme", "contactPoint", "landingPage", "accessURL",
        "downloadURL", "accessService", "mediaType", "byteSize", "endpointURL", "endpointDescription", "servesDataset",
        "startDate", "endDate", "bbox", "centroid", "inSeries", "compressFormat", "packageFormat")},
    **{local: name(f"vcard:{local}") for local in ("fn", "hasEmail", "hasTelephone", "hasURL", "organization-name")},
    "name": name("foaf:name"), "homepage": name("foaf:homepage"), "mbox": name("foaf:mbox"),
    "type": RDF_TYPE, "id": "@id", "describedBy": name("dct:conformsTo"), "references": name("foaf:page"),
    "primaryTopic": name("foaf:primaryTopic"), "license_title": name("dct:license")}
#: usual names whose values are addresses
_ADDRESSES = frozenset(name(short) for short in (
    "dcat:accessURL", "dcat:downloadURL", "dcat:landingPage", "dcat:endpointURL", "dcat:endpointDescription",
    "dct:conformsTo", "dct:license", "foaf:homepage", "foaf:page", "dcat:inSeries", "dcat:servesDataset",
    "dct:isPartOf", "dct:accessRights"))
#: usual names of classes
_CLASSES = {**{local: name(f"dcat:{local}") for local in (
    "Dataset", "Distribution", "Catalog", "DataService", "DatasetSeries", "CatalogRecord")},
    "Agent": name("foaf:Agent"), "Organization": name("foaf:Organization"), "Kind": name("vcard:Kind")}


@dataclass(frozen=True)
class _Term:
    """The definition of a member: its name, the type of its values, their container, and their language."""

    name: str
    type: str = ""
    container: str = ""
    language: Optional[str] = None
    is_reverse: bool = False


@dataclass(frozen=True)
class _Context:
    terms: Mapping[str, Optional[_Term]]
    vocabulary: str = ""
    base: str = ""
    language: str = ""

    def expand(self, text: str, is_member: bool = False) -> str:
        """Return the whole name of a term, a name with a prefix, or an address."""
        term = self.terms.get(text)
        if term is not None:
            return term.name
        prefix, colon, local = text.partition(":")
        if colon and not local.startswith("//"):
            prefixed = self.terms.get(prefix)
            if prefixed is not None:
                return prefixed.name + local
            if prefix in VOCABULARIES:
                return VOCABULARIES[prefix] + local
        if _ABSOLUTE.match(text) or text.startswith("_:"):
            return text
        if is_member:
            return self.vocabulary + text if self.vocabulary else USUAL_NAMES.get(text, text)
        return (joined_address(self.base, text) or text) if self.base else text


def is_json_ld(value: Any) -> bool:
    """Return whether a JSON value has the marks of JSON-LD, or those of a catalogue of DCAT-US."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) and ("@id" in item or "@type" in item) for item in value[:20])
    return isinstance(value, dict) and (any(mark in value for mark in ("@context", "@graph", "@id", "@type"))
                                        or isinstance(value.get("dataset"), list) and "conformsTo" in value)


def read_json_ld(value: Any, graph: Graph) -> None:
    """Add the statements of a JSON value to ``graph``. Raises UnreadableDocument above the limit of statements."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            _read_node(item, graph, _Context({}))


def _with_context(context: _Context, written: Any) -> _Context:
    """Return a context with what a document adds to it. Addresses of other contexts are passed over."""
    for part in written if isinstance(written, list) else [written]:
        if part is None:
            context = _Context({})
        if not isinstance(part, dict):
            continue
        vocabulary, base, language = part.get("@vocab"), part.get("@base"), part.get("@language")
        context = replace(
            context, vocabulary=vocabulary if isinstance(vocabulary, str) else context.vocabulary,
            base=base if isinstance(base, str) else context.base,
            language=language if isinstance(language, str) else "" if "@language" in part else context.language)
        terms = dict(context.terms)
        for key, definition in part.items():
            if not key.startswith("@"):
                terms[key] = _term(key, definition, part, context)
        context = replace(context, terms=terms)
    return context


def _term(key: str, definition: Any, part: Mapping[str, Any], context: _Context) -> Optional[_Term]:
    if isinstance(definition, str):
        return _Term(_resolved(definition, part, context))
    if not isinstance(definition, dict):
        return None
    written = definition.get("@reverse", definition.get("@id", key))
    kind, container, language = definition.get("@type"), definition.get("@container"), definition.get("@language")
    containers = container if isinstance(container, list) else [container]
    return _Term(_resolved(written, part, context) if isinstance(written, str) else key,
                 _resolved(kind, part, context) if isinstance(kind, str) else "",
                 next((item for item in containers if item in ("@language", "@index", "@list", "@id")), ""),
                 language if isinstance(language, str) else None, "@reverse" in definition)


def _resolved(text: str, part: Mapping[str, Any], context: _Context) -> str:
    """Return the whole name of a definition, whose prefix another definition of the same context may explain."""
    for _ in range(_MAX_ALIASES):
        if text.startswith("@"):
            return text
        prefix, colon, local = text.partition(":")
        if colon and local.startswith("//"):
            return text
        definition = part.get(prefix if colon else text)
        inner = definition.get("@id") if isinstance(definition, dict) else definition
        if not isinstance(inner, str) or inner == text:
            break
        text = inner + local if colon else inner
    return context.expand(text, is_member=True)


def _read_node(value: Mapping[str, Any], graph: Graph, context: _Context, subject: Optional[Node] = None) -> Node:
    """Read a node object and return its node. The JSON reader limits how deep they are nested."""
    if "@context" in value:
        context = _with_context(context, value["@context"])
    members = {key: context.expand(key, is_member=True) if not key.startswith("@") else key for key in value}
    written = next((value[key] for key, member in members.items()
                    if member == "@id" and isinstance(value[key], str)), "")
    node = subject or (context.expand(written) if written else "") or graph.new_node()
    for key, member in value.items():
        predicate = members[key]
        if predicate in ("@type", RDF_TYPE):
            for kind in member if isinstance(member, list) else [member]:
                if isinstance(kind, str):
                    graph.add(node, RDF_TYPE, context.expand(kind, is_member=True) if kind not in _CLASSES
                              or kind in context.terms or context.vocabulary else _CLASSES[kind])
        elif predicate in ("@graph", "@included"):
            for item in member if isinstance(member, list) else [member]:
                if isinstance(item, dict):
                    _read_node(item, graph, context)
        elif predicate == "@reverse" and isinstance(member, dict):
            for inner, holders in member.items():
                _add_reverse(context.expand(inner, is_member=True), holders, node, graph, context)
        elif not predicate.startswith("@"):
            term = context.terms.get(key) or _Term(predicate)
            if term.is_reverse:
                _add_reverse(predicate, member, node, graph, context)
                continue
            for item in _values(member, term, predicate, graph, context, key in context.terms):
                graph.add(node, predicate, item)
    return node


def _add_reverse(predicate: str, holders: Any, node: Node, graph: Graph, context: _Context) -> None:
    for holder in holders if isinstance(holders, list) else [holders]:
        if isinstance(holder, dict):
            graph.add(_read_node(holder, graph, context), predicate, node)
        elif isinstance(holder, str):
            graph.add(context.expand(holder), predicate, node)


def _values(member: Any, term: _Term, predicate: str, graph: Graph, context: _Context, is_defined: bool) -> List[Value]:
    if isinstance(member, list):
        return [value for item in member for value in _values(item, term, predicate, graph, context, is_defined)]
    if isinstance(member, dict):
        return _of_object(member, term, predicate, graph, context, is_defined)
    text = as_text(member) if not isinstance(member, bool) else str(member).lower()
    if text is None:
        return []
    is_address = term.type in ("@id", "@vocab") or not is_defined and predicate in _ADDRESSES and (
        _ABSOLUTE.match(text) is not None and not any(char.isspace() for char in text))
    if isinstance(member, str) and is_address:
        return [context.expand(text, is_member=term.type == "@vocab")]
    kind = term.type if not term.type.startswith("@") else ""
    language = term.language if term.language is not None else context.language
    return [Literal(text, "" if kind else language, kind)]


def _of_object(member: Dict[str, Any], term: _Term, predicate: str, graph: Graph, context: _Context,
               is_defined: bool) -> List[Value]:
    for holder in ("@list", "@set"):
        if holder in member:
            return _values(member[holder], term, predicate, graph, context, is_defined)
    if "@value" in member:
        held = member["@value"]
        text = str(held).lower() if isinstance(held, bool) else as_text(held)
        language, kind = member.get("@language"), member.get("@type")
        return [] if text is None else [Literal(text, language if isinstance(language, str) else "",
                                                context.expand(kind, is_member=True) if isinstance(kind, str) else "")]
    if term.container == "@language" and not any(key.startswith("@") for key in member):
        return [Literal(text, language) for language, held in member.items()
                for item in (held if isinstance(held, list) else [held]) for text in (as_text(item),) if text]
    if term.container == "@index":
        return [value for item in member.values()
                for value in _values(item, replace(term, container=""), predicate, graph, context, is_defined)]
    return [_read_node(member, graph, context)]
