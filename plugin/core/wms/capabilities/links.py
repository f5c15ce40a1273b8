"""Links in capabilities: metadata, data, legends, authorities, logos, and identifiers of catalogue records in them."""

from __future__ import annotations

import re
from typing import Optional
from urllib.parse import unquote

from lxml import etree

from ..model.service import LinkedDocument
from ..model.xml_values import attributes, child, child_text, online_resource_url, parse_positive_integer

#: positions of a record's identifier: GeoNetwork's page and API, CSW GetRecordById, pycsw, OGC API Records
_RECORD_ID_PATTERNS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    r"#/?metadata/([^/?&#]+)",
    r"[?&#](?:uuid|fileidentifier|recordid|identifier|metadataid)=([^&#]+)",
    r"/records/([^/?&#]+)",
    r"/collections/[^/?&#]+/items/([^/?&#]+)",
    r"[?&#]id=([^&#]+)",
    r"/metadata/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}|[0-9a-f]{32,64})(?=[/?&#]|\Z)",
))
#: characters. Longer values in an address are not identifiers
_MAX_IDENTIFIER_LENGTH = 256


def record_id_from_url(url: Optional[str]) -> Optional[str]:
    """Return the identifier of the catalogue record that an address contains, or None.

    It is found after ``#/metadata/``, ``uuid=``, ``id=``, ``/records/`` and in similar positions.
    """
    for pattern in _RECORD_ID_PATTERNS if url else ():
        match = pattern.search(url or "")
        if match:
            identifier = unquote(match.group(1)).strip()
            if identifier and len(identifier) <= _MAX_IDENTIFIER_LENGTH:
                return identifier
    return None


def read_link(element: Optional[etree._Element]) -> Optional[LinkedDocument]:
    """Read a MetadataURL, DataURL, FeatureListURL, LegendURL, AuthorityURL or LogoURL. None without an address."""
    if element is None:
        return None
    url = online_resource_url(child(element, "OnlineResource"))
    if url is None:
        return None
    values = attributes(element)
    return LinkedDocument(
        url=url, format=child_text(element, "Format"), type=values.get("type"), name=values.get("name"),
        width=parse_positive_integer(values.get("width")), height=parse_positive_integer(values.get("height")))


def read_metadata_link(element: etree._Element) -> Optional[LinkedDocument]:
    """Read a MetadataURL with the identifier of the record that its address contains (7.2.4.6.12)."""
    document = read_link(element)
    if document is None:
        return None
    return LinkedDocument(url=document.url, format=document.format, type=document.type,
                          record_id=record_id_from_url(document.url))
