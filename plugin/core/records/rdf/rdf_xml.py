"""Reader of RDF/XML (W3C Recommendation 2014) from elements of a document that was parsed within limits.

Left out: the reification of statements by ``rdf:ID`` of a property.
"""

from __future__ import annotations

from typing import Iterator, List, Optional, Tuple

from lxml import etree

from ...addresses import joined_address
from ..xml.element_names import split_tag
from .graph import RDF_TYPE, VOCABULARIES, Graph, Literal, Node, Value

_RDF = VOCABULARIES["rdf"]
_XML = "{http://www.w3.org/XML/1998/namespace}"
_ABOUT, _RESOURCE, _NODE_ID, _ID, _PARSE_TYPE, _DATATYPE = (
    f"{{{_RDF}}}{name}" for name in ("about", "resource", "nodeID", "ID", "parseType", "datatype"))
#: attributes that say how an element is read, and are no properties
_SYNTAX = frozenset((_ABOUT, _RESOURCE, _NODE_ID, _ID, _PARSE_TYPE, _DATATYPE, f"{{{_RDF}}}bagID"))
#: elements of DCAT that catalogues return without rdf:RDF around them
_DCAT_NODES = frozenset(("Catalog", "Dataset", "DatasetSeries", "DataService", "CatalogRecord"))

Element = etree._Element
#: base address and language in scope
Scope = Tuple[str, str]


def is_rdf_root(element: Element) -> bool:
    """Return whether an element is a graph: ``rdf:RDF``, or a node of DCAT alone."""
    namespace, local = split_tag(element.tag)
    return (namespace == _RDF and local == "RDF") or (namespace == VOCABULARIES["dcat"] and local in _DCAT_NODES)


def rdf_roots(element: Element) -> List[Element]:
    """Return the graphs in an envelope of any kind, none inside another."""
    found, waiting = [], [element]
    while waiting:
        inner = waiting.pop()
        if is_rdf_root(inner):
            found.append(inner)
        else:
            waiting += reversed(list(inner.iterchildren("*")))
    return found


def read_rdf_xml(roots: List[Element], graph: Graph) -> None:
    """Add the statements of elements to ``graph``. Raises UnreadableDocument above the limit of statements."""
    for root in roots:
        scope = _scope_of(root)
        if split_tag(root.tag) == (_RDF, "RDF"):
            for element in root.iterchildren("*"):
                _read_node(element, graph, scope)
        else:
            _read_node(root, graph, scope)


def _scope_of(element: Element) -> Scope:
    base = language = ""
    for ancestor in reversed([element, *element.iterancestors()]):
        base, language = ancestor.get(f"{_XML}base", base), ancestor.get(f"{_XML}lang", language)
    return base, language


def _inner_scope(element: Element, scope: Scope) -> Scope:
    return element.get(f"{_XML}base", scope[0]), element.get(f"{_XML}lang", scope[1])


def _address(text: str, scope: Scope) -> Node:
    text = " ".join(text.split())
    return (joined_address(scope[0], text) or text) if scope[0] and "://" not in text else text


def _name_of(element: Element) -> str:
    namespace, local = split_tag(element.tag)
    return f"{namespace}{local}"


def _subject(element: Element, graph: Graph, scope: Scope) -> Node:
    if element.get(_ABOUT) is not None:
        return _address(element.get(_ABOUT) or "", scope) or graph.new_node()
    if element.get(_ID) is not None:
        return _address(f"#{element.get(_ID)}", scope)
    label = element.get(_NODE_ID)
    return f"_:{label}" if label else graph.new_node()


def _attributes(element: Element, scope: Scope) -> Iterator[Tuple[str, Value]]:
    """Yield the properties that are written as attributes (7.2.5)."""
    for key, value in element.items():
        namespace, local = split_tag(key)
        if key in _SYNTAX or not namespace or key.startswith(_XML):
            continue
        is_type = f"{namespace}{local}" == RDF_TYPE
        yield f"{namespace}{local}", _address(value, scope) if is_type else Literal(value, scope[1])


def _read_node(element: Element, graph: Graph, scope: Scope, subject: Optional[Node] = None) -> Node:
    """Read a node element (7.2.11) and return its node. The parser limits how deep they are nested."""
    scope = _inner_scope(element, scope)
    node = subject or _subject(element, graph, scope)
    kind = _name_of(element)
    if kind != f"{_RDF}Description":
        graph.add(node, RDF_TYPE, kind)
    for predicate, value in _attributes(element, scope):
        graph.add(node, predicate, value)
    _read_properties(element, node, graph, scope)
    return node


def _read_properties(element: Element, node: Node, graph: Graph, scope: Scope) -> None:
    number = 0
    for prop in element.iterchildren("*"):
        predicate = _name_of(prop)
        if predicate == f"{_RDF}li":
            number += 1
            predicate = f"{_RDF}_{number}"
        for value in _values(prop, graph, _inner_scope(prop, scope)):
            graph.add(node, predicate, value)


def _values(prop: Element, graph: Graph, scope: Scope) -> List[Value]:
    """Return the values of a property element (7.2.14). A collection has several."""
    parse_type = prop.get(_PARSE_TYPE)
    if parse_type == "Literal":
        inner = (prop.text or "") + "".join(str(etree.tostring(child, encoding="unicode")) for child in prop)
        return [Literal(inner.strip(), scope[1])] if inner.strip() else []
    if parse_type == "Resource":
        node = graph.new_node()
        _read_properties(prop, node, graph, scope)
        return [node]
    children = list(prop.iterchildren("*"))
    if parse_type == "Collection" or children:
        return [_read_node(child, graph, scope) for child in children]
    label, resource = prop.get(_NODE_ID), prop.get(_RESOURCE)
    attributes = list(_attributes(prop, scope))
    if resource is not None or label or attributes:
        node = _address(resource, scope) if resource is not None else f"_:{label}" if label else graph.new_node()
        for predicate, value in attributes:
            graph.add(node, predicate, value)
        return [node] if node else []
    text = (prop.text or "").strip()
    return [Literal(text, scope[1], prop.get(_DATATYPE) or "")] if text else []
