"""The links that capabilities carry: metadata, data, legends, authorities, logos; and the record that a link
leads to.
"""

from __future__ import annotations

import re
from typing import Optional
from urllib.parse import unquote

from lxml import etree

from ..model.service import LinkedDocument
from ..model.xml_values import attributes, child, child_text, online_resource_url, parse_positive_integer

#: where catalogues put a record's identifier: GeoNetwork's page and API, CSW GetRecordById, pycsw, OGC API Records
_RECORD_ID_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (r"#/?metadata/([^/?&#]+)", r"[?&#](?:uuid|fileidentifier|recordid|identifier|metadataid)=([^&#]+)",
                    r"/records/([^/?&#]+)", r"/collections/[^/?&#]+/items/([^/?&#]+)", r"[?&#]id=([^&#]+)",
                    r"/metadata/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}|[0-9a-f]{32,64})(?=[/?&#]|\Z)",
                    ))
#: an identifier is short; anything longer in an address is something else
_MAX_IDENTIFIER_LENGTH = 256


def record_id_from_url(url: Optional[str]) -> Optional[str]:
    """The catalogue record's identifier that an address carries (after ``#/metadata/``, ``uuid=``, ``id=``,
    ``/records/``).
    """
    for place in _RECORD_ID_PATTERNS if url else ():
        match = place.search(url or "")
        if match:
            identifier = unquote(match.group(1)).strip()
            if identifier and len(identifier) <= _MAX_IDENTIFIER_LENGTH:
                return identifier
    return None


def read_link(element: Optional[etree._Element]) -> Optional[LinkedDocument]:
    """MetadataURL, DataURL, FeatureListURL, LegendURL, AuthorityURL or LogoURL; None where it has no address."""
    if element is None:
        return None
    url = online_resource_url(child(element, "OnlineResource"))
    if url is None:
        return None
    own = attributes(element)
    return LinkedDocument(url=url, format=child_text(element, "Format"), type=own.get("type"), name=own.get("name"),
                          width=parse_positive_integer(own.get("width")),
                          height=parse_positive_integer(own.get("height")))


def read_metadata_link(element: etree._Element) -> Optional[LinkedDocument]:
    """A MetadataURL with its record's identifier lifted out of the address (7.2.4.6.12 in 06-042)."""
    document = read_link(element)
    if document is None:
        return None
    return LinkedDocument(url=document.url, format=document.format, type=document.type,
                          record_id=record_id_from_url(document.url))
