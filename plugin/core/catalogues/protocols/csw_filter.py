"""Conditions of a query as OGC filters: Filter 1.1 (OGC 04-095) for CSW 2.0.2, FES 2.0 (OGC 09-026r2) for 3.0.0.

OWSLib builds the expressions; it is imported only when a request is built, because it takes long to load.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, List, Optional, Tuple

from lxml import etree

from ..endpoint_search import ESCAPE, SINGLE_WILDCARD, WILDCARD, escape_like_pattern
from ..model import CatalogueQuery, format_degrees, split_at_antimeridian
from .csw_capabilities import CswCapabilities

#: longitude before latitude, whoever reads it: servers that obey the name and servers that ignore it agree on this one
LONGITUDE_LATITUDE = "urn:ogc:def:crs:OGC:1.3:CRS84"
_GML_31, _GML_32 = "http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"
_ANY_TEXT = ("csw:AnyText", "AnyText", "csw30:AnyText", "apiso:AnyText")
_SUBJECT = ("dc:subject", "Subject", "apiso:Subject", "keyword", "apiso:KeywordType")
_TYPE = ("dc:type", "Type", "apiso:Type")
_SERVICE_TYPE = ("apiso:ServiceType", "ServiceType")
#: the dates of a resource (OGC 07-045 table 9); a year is asked for only where a server knows all of them
_DATES = (("apiso:RevisionDate", "RevisionDate"), ("apiso:PublicationDate", "PublicationDate"),
          ("apiso:CreationDate", "CreationDate"))
_SORTED = {"title": (("dc:title", "Title", "apiso:Title"), "ASC"),
           "date": (("dct:modified", "Modified", "apiso:Modified"), "DESC"),
           "identifier": (("dc:identifier", "Identifier", "apiso:Identifier"), "ASC")}


def build_filter(query: CatalogueQuery, offer: CswCapabilities) -> Optional[etree._Element]:
    """The Filter element that says what ``query`` looks for; None where it looks for everything."""
    fes = _fes(offer)
    conditions: List[Any] = [_like(fes, offer.queryable(*_ANY_TEXT), word) for word in query.words]
    conditions += [_like(fes, offer.queryable(*_SUBJECT), word) for word in query.keywords if word.strip()]
    conditions += _any_of(fes, [fes.PropertyIsEqualTo(offer.queryable(*_TYPE), kind) for kind in query.types])
    for facet in supported_facets(query, offer):
        conditions += _any_of(fes, [_facet_condition(fes, offer, facet, value) for value in query.facet_values(facet)])
    conditions += _bbox_conditions(fes, query)
    if not conditions:
        return None
    whole = conditions[0] if len(conditions) == 1 else fes.And(conditions)
    built: etree._Element = fes.FilterRequest().setConstraint(whole)
    return _correct_fes2(built) if offer.version.startswith("3") else built


def supported_facets(query: CatalogueQuery, offer: CswCapabilities) -> Tuple[str, ...]:
    """The facets of the query that the server can be asked for, besides the kind: what it gives then may be too much
    and never too little.
    """
    can = {
        "keyword": True, "organisation": True, "service_type": offer.has_queryable(*_SERVICE_TYPE),
        "year": all(offer.has_queryable(*names) for names in _DATES)
    }
    return tuple(facet for facet, values in query.facets if values and can.get(facet, False))


def _facet_condition(fes: ModuleType, offer: CswCapabilities, facet: str, value: str) -> Any:
    """That a record bears a value of a facet; an organisation is looked for by its words, because which of several
    contacts a server files as *the* organisation is its own affair.
    """
    if facet == "year":
        year = int(value) if value.isdigit() else 0
        names = [offer.queryable(*names) for names in _DATES]
        # a mere year sorts behind the last day of the one before
        return fes.Or([fes.PropertyIsBetween(name, f"{year - 1:04}-12-31", f"{year + 1:04}-01-01") for name in names])
    if facet == "organisation":
        parts = [_like(fes, offer.queryable(*_ANY_TEXT), word, True) for word in value.split()]
        return parts[0] if len(parts) == 1 else fes.And(parts)
    return _like(fes, offer.queryable(*(_SUBJECT if facet == "keyword" else _SERVICE_TYPE)), value, True)


def _any_of(fes: ModuleType, conditions: List[Any]) -> List[Any]:
    """One condition that one of several holds; none where there are none."""
    return [fes.Or(conditions)] if len(conditions) > 1 else conditions


def _correct_fes2(built: etree._Element) -> etree._Element:
    """What OWSLib writes for FES 2.0, made valid: matchCase is none of PropertyIsLike's attributes (7.7.3.4), and the
    envelope belongs to GML 3.2.
    """
    for node in list(built.iter("*")):
        if etree.QName(node).localname == "PropertyIsLike":
            node.attrib.pop("matchCase", None)
        elif etree.QName(node).namespace == _GML_31:
            node.tag = etree.QName(_GML_32, etree.QName(node).localname)
    etree.cleanup_namespaces(built)
    return built


def build_sort_by(query: CatalogueQuery, offer: CswCapabilities) -> Optional[etree._Element]:
    """The SortBy element; None where no order is wanted that the server knows (relevance is its own)."""
    names, order = _SORTED.get(query.sort, ((), ""))
    if not names or not offer.can_sort(*names):
        return None
    fes = _fes(offer)
    built: etree._Element = fes.SortBy([fes.SortProperty(offer.queryable(*names), order)]).toXML()
    return built


def _fes(offer: CswCapabilities) -> ModuleType:
    if offer.version.startswith("3"):
        from owslib import fes2

        return fes2  # type: ignore[no-any-return]
    from owslib import fes

    return fes  # type: ignore[no-any-return]


def _like(fes: ModuleType, name: str, word: str, exact: bool = False) -> Any:
    """That a property holds ``word``, whatever its case; nothing in the word is a wildcard.

    In lower case, because catalogues on SQLite compare accented letters as they stand, and most of them stand so;
    not where it is ``exact`` how the word is written in the record.
    """
    pattern = f"{WILDCARD}{escape_like_pattern(word.strip() if exact else word.strip().lower())}{WILDCARD}"
    return fes.PropertyIsLike(name, pattern, escapeChar=ESCAPE, singleChar=SINGLE_WILDCARD, wildCard=WILDCARD,
                              matchCase=False)


def _bbox_conditions(fes: ModuleType, query: CatalogueQuery) -> List[Any]:
    """The box; one that crosses the date line is two of which either is met."""
    if query.bbox is None:
        return []
    return _any_of(fes, [
        fes.BBox([format_degrees(value) for value in part], LONGITUDE_LATITUDE)
        for part in split_at_antimeridian(query.bbox)
    ])
