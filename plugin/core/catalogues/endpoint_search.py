"""Search in a CSW 2.0.2 catalogue for the record of an endpoint, and the choice among the results."""

from __future__ import annotations

import re
from typing import Iterable, Optional
from urllib.parse import unquote, urlsplit

from lxml import etree

from ..records.model.endpoints import normalise_endpoint, wms_endpoints
from ..records.model.record import Record, ResourceKind, is_starter
from ..request import HttpMethod, Request
from .record_merger import comparable_date_stamp

CSW = "http://www.opengis.net/cat/csw/2.0.2"
OGC = "http://www.opengis.net/ogc"
GMD = "http://www.isotc211.org/2005/gmd"

#: wildcards that are unlikely in addresses, so that "_" and "%" are literal
WILDCARD, SINGLE_WILDCARD, ESCAPE = "*", "#", "!"

#: last parts of a path that many services share
_COMMON_PATH_NAMES = re.compile(
    r"(?:wms|ows|wfs|mapserv(?:\.exe|\.cgi)?|mapserver|wmsserver|services?|request|maps?"
    r"|index(?:\.\w+)?|geoserver|mapwms|cgi-bin|qgis_mapserv\.fcgi)?", re.IGNORECASE)


def endpoint_search_request(csw_url: str, endpoint: str, maximum: int = 50) -> Request:
    """Return a GetRecords request for the full ISO 19139 records that contain the endpoint's address (CSW 2.0.2, 10.8).

    The search text is the distinctive part of the address: the last part of its path, or host and path if that is a
    common word. Records with another scheme, query or former host are therefore found too. ``choose_record`` selects
    among the results.
    """
    root = etree.Element(etree.QName(CSW, "GetRecords"), nsmap={"csw": CSW, "ogc": OGC, "gmd": GMD}, service="CSW",
                         version="2.0.2", resultType="results", outputFormat="application/xml", outputSchema=GMD,
                         startPosition="1", maxRecords=str(maximum))
    query = etree.SubElement(root, etree.QName(CSW, "Query"), typeNames="csw:Record")
    etree.SubElement(query, etree.QName(CSW, "ElementSetName")).text = "full"
    constraint = etree.SubElement(query, etree.QName(CSW, "Constraint"), version="1.1.0")
    condition = etree.SubElement(constraint, etree.QName(OGC, "Filter"))
    condition.append(_any_text_filter(distinctive_part(endpoint)))
    body = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    headers = {"Content-Type": "application/xml; charset=UTF-8", "Accept": "application/xml"}
    return Request(HttpMethod.POST, csw_url, headers, body)


def choose_record(records: Iterable[Record], endpoint: str) -> Optional[Record]:
    """Return the record that leads to ``endpoint``, or None.

    Records of services come before those of datasets, newer ones before older ones.
    """
    normalised = normalise_endpoint(endpoint)
    candidates = [record for record in records if not is_starter(record)
                  and any(normalise_endpoint(link.url) == normalised for link in wms_endpoints(record))]
    return max(candidates, key=lambda record: (record.kind is ResourceKind.SERVICE,
                                               comparable_date_stamp(record.date_stamp or "")), default=None)


def distinctive_part(endpoint: str) -> str:
    """Return the end of the address's path, or host and path if the end is a common word."""
    parts = urlsplit(endpoint.strip())
    path = unquote(parts.path).strip("/")
    last = path.rpartition("/")[2]
    if len(last) >= 6 and not _COMMON_PATH_NAMES.fullmatch(last):
        return last
    return "/".join(part for part in ((parts.hostname or ""), path) if part)


def escape_like_pattern(text: str) -> str:
    """Return ``text`` as a literal of PropertyIsLike without wildcards (OGC 04-095, 10.2)."""
    return re.sub(f"[{re.escape(WILDCARD + SINGLE_WILDCARD + ESCAPE)}]", lambda match: ESCAPE + match.group(), text)


def _any_text_filter(text: str) -> etree._Element:
    """Return the filter for records that contain ``text`` in any case.

    OWSLib is imported here because it takes long to load.
    """
    from owslib.fes import PropertyIsLike

    like = PropertyIsLike("csw:AnyText", f"{WILDCARD}{escape_like_pattern(text)}{WILDCARD}", escapeChar=ESCAPE,
                          singleChar=SINGLE_WILDCARD, wildCard=WILDCARD, matchCase=False)
    built: etree._Element = like.toXML()
    return built
