"""The links that capabilities carry: metadata, data, legends, authorities, logos; and the record that a link
leads to.
"""

from __future__ import annotations

import re
from typing import Optional
from urllib.parse import unquote

from lxml import etree

from .model import LinkedDocument
from .values import address, attributes, child, child_text, positive

#: where catalogues put a record's identifier: GeoNetwork's page and API, CSW GetRecordById, pycsw, OGC API Records
_RECORD_PLACES = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    r"#/?metadata/([^/?&#]+)",
    r"[?&#](?:uuid|fileidentifier|recordid|identifier|metadataid)=([^&#]+)",
    r"/records/([^/?&#]+)",
    r"/collections/[^/?&#]+/items/([^/?&#]+)",
    r"[?&#]id=([^&#]+)",
    r"/metadata/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}|[0-9a-f]{32,64})(?=[/?&#]|\Z)",
))
#: an identifier is short; anything longer in an address is something else
_LONGEST_IDENTIFIER = 256


def record_id(url: Optional[str]) -> Optional[str]:
    """The catalogue record's identifier that an address carries (after ``#/metadata/``, ``uuid=``, ``id=``,
    ``/records/``).
    """
    for place in _RECORD_PLACES if url else ():
        match = place.search(url or "")
        if match:
            identifier = unquote(match.group(1)).strip()
            if identifier and len(identifier) <= _LONGEST_IDENTIFIER:
                return identifier
    return None


def linked(element: Optional[etree._Element]) -> Optional[LinkedDocument]:
    """MetadataURL, DataURL, FeatureListURL, LegendURL, AuthorityURL or LogoURL; None where it has no address."""
    if element is None:
        return None
    url = address(child(element, "OnlineResource"))
    if url is None:
        return None
    own = attributes(element)
    return LinkedDocument(url=url, format=child_text(element, "Format"), type=own.get("type"), name=own.get("name"),
                          width=positive(own.get("width")), height=positive(own.get("height")))


def metadata_link(element: etree._Element) -> Optional[LinkedDocument]:
    """A MetadataURL with its record's identifier lifted out of the address (7.2.4.6.12 in 06-042)."""
    document = linked(element)
    if document is None:
        return None
    return LinkedDocument(url=document.url, format=document.format, type=document.type,
                          record_id=record_id(document.url))
