"""Terms of tile services: from WMTS capabilities, or from the table of well-known tile hosts."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, List, Mapping, Optional
from urllib.parse import urlsplit

from .. import safe_xml
from ..errors import UnreadableDocument
from ..i18n import tr
from ..resources import RESOURCES
from ..text import single_line
from .audit_row import TileServiceInfo

TILE_HOSTS_FILE = RESOURCES / "tiles.json"
_OWS = "{http://www.opengis.net/ows/1.1}"
_XLINK = "{http://www.w3.org/1999/xlink}href"


def read_wmts_info(data: bytes, name: str = "") -> TileServiceInfo:
    """Return title, provider, fees and constraints of WMTS capabilities (OGC 07-057r7 7.1.1, OWS Common 06-121r3 7.4).

    Raises UnreadableDocument for any other document.
    """
    root = safe_xml.parse(data, name)
    if not str(root.tag).endswith("}Capabilities"):
        raise UnreadableDocument(tr("{name} is not a WMTS capabilities document.", name=name or tr("The document")))
    about, provider = root.find(f"{_OWS}ServiceIdentification"), root.find(f"{_OWS}ServiceProvider")

    def text(parent: Any, tag: str) -> str:
        element = parent.find(f"{_OWS}{tag}") if parent is not None else None
        return single_line(element.text or "") if element is not None else ""

    owner, title = text(provider, "ProviderName"), text(about, "Title")
    site = provider.find(f"{_OWS}ProviderSite") if provider is not None else None
    return TileServiceInfo(title=title, credit=", ".join(part for part in (owner, title) if part) if owner else "",
                           fees=text(about, "Fees"), access=text(about, "AccessConstraints"),
                           url=(site.get(_XLINK) or "") if site is not None else "")


def tile_host_info(address: str) -> Optional[TileServiceInfo]:
    """Return the credit and licence that the publisher of a well-known tile host requires, or None for other hosts."""
    try:
        host = (urlsplit(address).hostname or "").lower()
    except ValueError:
        return None
    for entry in _tile_hosts():
        if any(host == listed or host.endswith(f".{listed}") for listed in entry["hosts"]):
            return TileServiceInfo(credit=entry["credit"], licence=f"{entry['licence']}, {entry['licence_url']}",
                                   licence_url=entry["licence_url"], url=entry["url"])
    return None


@lru_cache(maxsize=1)
def _tile_hosts() -> List[Mapping[str, Any]]:
    return list(json.loads(TILE_HOSTS_FILE.read_text(encoding="utf-8"))["services"])
