"""Credits of tile sets: TileJSON (2.x and 3.0.0) and the sources of Mapbox and MapLibre styles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, List, Mapping, Tuple
from urllib.parse import urlsplit, urlunsplit

from .. import json_document
from ..addresses import is_web_address, joined_address
from ..errors import UnreadableDocument
from ..i18n import tr
from .attribution_text import attribution_text, joined_attributions
from .audit_row import ProviderInfo

#: sources of a style whose TileJSON is read
_MAX_SOURCES = 8
_TEMPLATE = re.compile(r"/[^/]*\{[^}]+\}.*$")


@dataclass(frozen=True)
class StyleSources:
    """The credits that a style states itself, and the addresses of TileJSON documents of its other sources."""

    info: ProviderInfo
    tilejson_addresses: Tuple[str, ...] = ()


def read_tilejson(data: bytes, name: str = "") -> ProviderInfo:
    """Return title, credit and legend of a TileJSON document (3.0.0, 3.1 and 3.3). Raises UnreadableDocument."""
    value = json_document.parse_json(data, name)
    if not isinstance(value, dict) or not ("tiles" in value or "tilejson" in value):
        raise UnreadableDocument(tr("{name} is not a TileJSON document.", name=name or tr("The document")))
    credit, link = attribution_text(value.get("attribution"))
    licence, licence_link = attribution_text(value.get("license"))
    return ProviderInfo(title=attribution_text(value.get("name"))[0], credit=credit, licence=licence, url=link,
                        licence_url=licence_link or (licence if is_web_address(licence) else ""),
                        credit_stated=bool(credit), origin=tr("TileJSON: attribution") if credit else "")


def read_style(data: bytes, address: str) -> StyleSources:
    """Return the credits of a style's sources. ``address`` is that of the style, for relative links.

    Raises UnreadableDocument unless the document is a style (version 8 of the style specification).
    """
    value = json_document.parse_json(data, address)
    if not isinstance(value, dict) or not isinstance(value.get("sources"), dict):
        raise UnreadableDocument(tr("{name} is not a style of vector tiles.", name=address))
    stated: List[object] = []
    linked: List[str] = []
    for source in list(value["sources"].values())[:_MAX_SOURCES]:
        if not isinstance(source, dict):
            continue
        if attribution_text(source.get("attribution"))[0]:
            stated.append(source["attribution"])
        elif isinstance(source.get("url"), str):
            target = joined_address(address, source["url"])
            if is_web_address(target):
                linked.append(target)
    credit, link = joined_attributions(stated)
    info = ProviderInfo(title=attribution_text(value.get("name"))[0], credit=credit, url=link,
                        credit_stated=bool(credit), origin=tr("style: attribution") if credit else "")
    return StyleSources(info, tuple(dict.fromkeys(linked)))


def merge_attributions(infos: List[ProviderInfo]) -> ProviderInfo:
    """Return the description of several sources of one layer: each credit once, other values from the first that has
    them.
    """
    credit, _ = joined_attributions([info.credit for info in infos])
    first: Mapping[str, Any] = {
        name: next((getattr(info, name) for info in infos if getattr(info, name)), "")
        for name in ("title", "owner", "fees", "access", "licence", "licence_url", "url", "origin")
    }
    return ProviderInfo(credit=credit, credit_stated=any(info.credit_stated for info in infos), **first)


def tilejson_candidates(template: str) -> List[str]:
    """Return the addresses at which tile servers publish the TileJSON of this tile address, the likeliest first.

    ``…/name/{z}/{x}/{y}.pbf`` is described by ``…/name.json`` (TileServer GL, tegola), ``…/name`` (Martin, pg_tileserv)
    or ``…/name/tiles.json``. The query is kept, since it may hold an access key.
    """
    try:
        parts = urlsplit(template)
    except ValueError:
        return []
    base = _TEMPLATE.sub("", parts.path).rstrip("/")
    if not base or base == parts.path:
        return []
    paths = [f"{base}.json", base, f"{base}/tiles.json"]
    sized = re.sub(r"/(?:256|512)$", "", base)
    if sized != base:
        paths.insert(0, f"{sized}.json")
    query = "" if "{" in parts.query else parts.query
    return [urlunsplit((parts.scheme, parts.netloc, path, query, "")) for path in paths]
