"""Asking a catalogue for the record of an endpoint: CSW 2.0.2 GetRecords by POST, and the choice among its answers."""

from __future__ import annotations

import re
from typing import Iterable, Optional
from urllib.parse import unquote, urlsplit

from lxml import etree

from ..records.model.endpoints import normalise_endpoint, wms_endpoints
from ..records.model.record import Record, is_starter
from ..request import Request

CSW = "http://www.opengis.net/cat/csw/2.0.2"
OGC = "http://www.opengis.net/ogc"
GMD = "http://www.isotc211.org/2005/gmd"

#: wildcards that no address is likely to hold, so that "_" and "%" stand for themselves
WILDCARD, SINGLE_WILDCARD, ESCAPE = "*", "#", "!"

#: last parts of a path that do not tell one service from another
_COMMON_PATH_NAMES = re.compile(
    r"(?:wms|ows|wfs|mapserv(?:\.exe|\.cgi)?|mapserver|wmsserver|services?|request|maps?"
    r"|index(?:\.\w+)?|geoserver|mapwms|cgi-bin|qgis_mapserv\.fcgi)?", re.IGNORECASE)


def endpoint_search_request(csw_url: str, endpoint: str, maximum: int = 50) -> Request:
    """GetRecords for the full ISO 19139 records in which the endpoint's address occurs (CSW 2.0.2, 10.8).

    Looked for is the part of the address that tells the service from others: the last part of its path, or host and
    path where that is a common word; scheme, query and older hosts therefore do not hide the record. ``pick`` decides
    among the answers.
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
    return Request("POST", csw_url, headers, body)


def choose_record(records: Iterable[Record], endpoint: str) -> Optional[Record]:
    """The record that leads to ``endpoint`` itself: a service's before a dataset's, then the newest; None for none."""
    wanted = normalise_endpoint(endpoint)
    own = [record for record in records if not is_starter(record)
           and any(normalise_endpoint(link.url) == wanted for link in wms_endpoints(record))]
    return max(own, key=lambda record: (record.kind == "service", record.date_stamp or ""), default=None)


def distinctive_part(endpoint: str) -> str:
    """What to look for in a record's text: the end of the path, or host and path where that is a common word."""
    parts = urlsplit(endpoint.strip())
    path = unquote(parts.path).strip("/")
    last = path.rpartition("/")[2]
    if len(last) >= 6 and not _COMMON_PATH_NAMES.fullmatch(last):
        return last
    return "/".join(part for part in ((parts.hostname or ""), path) if part)


def escape_like_pattern(text: str) -> str:
    """``text`` as a literal of PropertyIsLike in which nothing is a wildcard (OGC 04-095, 10.2)."""
    return re.sub(f"[{re.escape(WILDCARD + SINGLE_WILDCARD + ESCAPE)}]", lambda match: ESCAPE + match.group(), text)


def _any_text_filter(text: str) -> etree._Element:
    """The condition that a record's text holds ``text``, whatever its case.

    OWSLib builds it; it is imported only now because it takes long to load.
    """
    from owslib.fes import PropertyIsLike

    like = PropertyIsLike("csw:AnyText", f"{WILDCARD}{escape_like_pattern(text)}{WILDCARD}", escapeChar=ESCAPE,
                          singleChar=SINGLE_WILDCARD, wildCard=WILDCARD, matchCase=False)
    built: etree._Element = like.toXML()
    return built
