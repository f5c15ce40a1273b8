"""Conditions of a query as OGC filters: Filter 1.1 (OGC 04-095) for CSW 2.0.2, FES 2.0 (OGC 09-026r2) for 3.0.0.

OWSLib builds the expressions. It is imported when a request is built, because it takes long to load.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Dict, List, Optional, Tuple

from lxml import etree

from ...library.query import Facet
from ..endpoint_search import ESCAPE, SINGLE_WILDCARD, WILDCARD, escape_like_pattern
from ..model import CatalogueQuery, CatalogueSort, format_degrees, split_at_antimeridian
from .csw_capabilities import CswCapabilities

#: longitude before latitude, both for servers that respect the CRS and for those that ignore it
LONGITUDE_LATITUDE = "urn:ogc:def:crs:OGC:1.3:CRS84"
_GML_31, _GML_32 = "http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"
_ANY_TEXT = ("csw:AnyText", "AnyText", "csw30:AnyText", "apiso:AnyText")
_SUBJECT = ("dc:subject", "Subject", "apiso:Subject", "keyword", "apiso:KeywordType")
_TYPE = ("dc:type", "Type", "apiso:Type")
_SERVICE_TYPE = ("apiso:ServiceType", "ServiceType")
#: dates of a resource (OGC 07-045 table 9); a year is searched only on servers that support all of them
_DATES = (("apiso:RevisionDate", "RevisionDate"), ("apiso:PublicationDate", "PublicationDate"),
          ("apiso:CreationDate", "CreationDate"))
_SORTED = {CatalogueSort.TITLE: (("dc:title", "Title", "apiso:Title"), "ASC"),
           CatalogueSort.DATE: (("dct:modified", "Modified", "apiso:Modified"), "DESC"),
           CatalogueSort.IDENTIFIER: (("dc:identifier", "Identifier", "apiso:Identifier"), "ASC")}


def build_filter(query: CatalogueQuery, offer: CswCapabilities) -> Optional[etree._Element]:
    """Return the Filter element for ``query``, or None if it has no conditions."""
    fes = _fes(offer)
    conditions: List[Any] = [_like(fes, offer.queryable(*_ANY_TEXT), word) for word in query.words]
    conditions += [_like(fes, offer.queryable(*_SUBJECT), word) for word in query.keywords if word.strip()]
    conditions += _any_of(fes, [fes.PropertyIsEqualTo(offer.queryable(*_TYPE), kind) for kind in query.types])
    for facet in supported_facets(query, offer):
        conditions += _any_of(fes, [_facet_condition(fes, offer, facet, value) for value in query.facet_values(facet)])
    conditions += _bbox_conditions(fes, query)
    if not conditions:
        return None
    condition = conditions[0] if len(conditions) == 1 else fes.And(conditions)
    built: etree._Element = fes.FilterRequest().setConstraint(condition)
    return _correct_fes2(built) if offer.version.startswith("3") else built


def supported_facets(query: CatalogueQuery, offer: CswCapabilities) -> Tuple[str, ...]:
    """Return the facets, except the kind, that can be sent to the server. It may return too many records, never too
    few.
    """
    supported: Dict[str, bool] = {
        Facet.KEYWORD: True, Facet.ORGANISATION: True, Facet.SERVICE_TYPE: offer.has_queryable(*_SERVICE_TYPE),
        Facet.YEAR: all(offer.has_queryable(*names) for names in _DATES)
    }
    return tuple(facet for facet, values in query.facets if values and supported.get(facet, False))


def _facet_condition(fes: ModuleType, offer: CswCapabilities, facet: str, value: str) -> Any:
    """Return the condition that a record has a value of a facet.

    An organisation is searched by its words, since servers differ in which of several contacts they index as
    organisation.
    """
    if facet == Facet.YEAR:
        year = int(value) if value.isdigit() else 0
        names = [offer.queryable(*names) for names in _DATES]
        # a date that is only a year sorts after the last day of the year before
        return fes.Or([fes.PropertyIsBetween(name, f"{year - 1:04}-12-31", f"{year + 1:04}-01-01") for name in names])
    if facet == Facet.ORGANISATION:
        parts = [_like(fes, offer.queryable(*_ANY_TEXT), word, True) for word in value.split()]
        return parts[0] if len(parts) == 1 else fes.And(parts)
    return _like(fes, offer.queryable(*(_SUBJECT if facet == Facet.KEYWORD else _SERVICE_TYPE)), value, True)


def _any_of(fes: ModuleType, conditions: List[Any]) -> List[Any]:
    """Return one condition that holds if any of ``conditions`` does, as a list. Empty if there are none."""
    return [fes.Or(conditions)] if len(conditions) > 1 else conditions


def _correct_fes2(built: etree._Element) -> etree._Element:
    """Correct OWSLib's FES 2.0: remove matchCase, which PropertyIsLike does not have (7.7.3.4), and use GML 3.2 for
    envelopes.
    """
    for node in list(built.iter("*")):
        if etree.QName(node).localname == "PropertyIsLike":
            node.attrib.pop("matchCase", None)
        elif etree.QName(node).namespace == _GML_31:
            node.tag = etree.QName(_GML_32, etree.QName(node).localname)
    etree.cleanup_namespaces(built)
    return built


def build_sort_by(query: CatalogueQuery, offer: CswCapabilities) -> Optional[etree._Element]:
    """Return the SortBy element, or None if no order is requested or the server does not support it."""
    names, order = _SORTED.get(query.sort, ((), ""))
    if not names or not offer.can_sort(*names):
        return None
    fes = _fes(offer)
    built: etree._Element = fes.SortBy([fes.SortProperty(offer.queryable(*names), order)]).toXML()
    return built


def _fes(offer: CswCapabilities) -> ModuleType:
    if offer.version.startswith("3"):
        from owslib import fes2

        fes_2: ModuleType = fes2
        return fes_2
    from owslib import fes

    fes_1: ModuleType = fes
    return fes_1


def _like(fes: ModuleType, name: str, word: str, exact: bool = False) -> Any:
    """Return the condition that a property contains ``word`` in any case, without wildcards.

    The word is sent in lower case unless ``exact``, because catalogues on SQLite compare accented letters by case.
    """
    pattern = f"{WILDCARD}{escape_like_pattern(word.strip() if exact else word.strip().lower())}{WILDCARD}"
    return fes.PropertyIsLike(name, pattern, escapeChar=ESCAPE, singleChar=SINGLE_WILDCARD, wildCard=WILDCARD,
                              matchCase=False)


def _bbox_conditions(fes: ModuleType, query: CatalogueQuery) -> List[Any]:
    """Return the condition on the bounding box. Across the antimeridian it has two parts, of which one must hold."""
    if query.bbox is None:
        return []
    return _any_of(fes, [
        fes.BBox([format_degrees(value) for value in part], LONGITUDE_LATITUDE)
        for part in split_at_antimeridian(query.bbox)
    ])
