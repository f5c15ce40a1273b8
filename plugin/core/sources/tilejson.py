"""Credits of tile sets: TileJSON (2.x and 3.0.0) and the sources of Mapbox and MapLibre styles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any, Iterator, List, Mapping, Tuple
from urllib.parse import urlsplit, urlunsplit

from .. import json_document
from ..addresses import is_web_address, joined_address
from ..errors import Cancelled, CartoguideError, UnreadableDocument
from ..i18n import tr
from ..wms.responses.response_validation import ExpectedContent
from .arcgis import esri_addresses, is_esri_address, read_esri_info
from .attribution_text import attribution_text, description_text, joined_attributions, overlong_text
from .layer_source import LayerSource
from .source_kind import Documents, ProviderInfo, first_info, read_or_gap
from .tile_hosts import one_server, tile_host_info

#: sources of a style whose TileJSON is read
_MAX_SOURCES = 64
#: members of a style's metadata that state its own terms, with a prefix of the program that writes them
_LICENCE_KEYS = ("license", "licence", "terms", "copyright")
_CREDIT_KEYS = ("attribution", "credit", "credits")
_TEMPLATE = re.compile(r"/[^/]*\{[^}]+\}.*$")


@dataclass(frozen=True)
class StyleSources:
    """The credits that a style states itself, and the addresses of TileJSON documents of its other sources."""

    info: ProviderInfo
    tilejson_addresses: Tuple[str, ...] = ()


def tile_terms(source: LayerSource, documents: Documents) -> ProviderInfo:
    """Return the credits of tiles: of the style's sources, and of the known host, the ArcGIS service or the tile set.

    Raises Cancelled.
    """
    infos = list(_style_infos(source.style_address, documents)) if source.style_address else []
    known = tile_host_info(source.address)
    if known is not None:
        infos.append(known)
    elif not any(info.credit for info in infos):
        address = one_server(source.address)
        if is_esri_address(address):
            infos.append(read_or_gap(lambda: first_info(esri_addresses(address), read_esri_info, documents)))
        else:
            infos.append(first_info(tilejson_candidates(address), read_tilejson, documents, guessed=True))
    return merge_attributions(infos)


def _style_infos(style_address: str, documents: Documents) -> Iterator[ProviderInfo]:
    """Yield the descriptions of the sources of a vector tile layer's style. One that cannot be read is a gap."""
    try:
        style = read_style(documents.read(style_address, ExpectedContent.JSON), style_address)
    except Cancelled:
        raise
    except CartoguideError as error:
        yield ProviderInfo(unread=(error.user_text,))
        return
    yield style.info
    for address in style.tilejson_addresses:
        yield read_or_gap(partial(
            first_info, esri_addresses(address), read_esri_info, documents) if is_esri_address(address) else partial(
            first_info, [address], read_tilejson, documents))


def read_tilejson(data: bytes, name: str = "") -> ProviderInfo:
    """Return title, credit and legend of a TileJSON document (3.0.0, 3.1 and 3.3). Raises UnreadableDocument."""
    value = json_document.parse_json(data, name)
    if not isinstance(value, dict) or not ("tiles" in value or "tilejson" in value):
        raise UnreadableDocument(tr("{name} is not a TileJSON document.", name=name or tr("The document")))
    credit, link = attribution_text(value.get("attribution"))
    licence, licence_link = attribution_text(value.get("license"))
    terms = "\n".join(filter(None, (overlong_text(value.get("attribution")), overlong_text(value.get("license")))))
    return ProviderInfo(title=attribution_text(value.get("name"))[0], credit=credit, access=terms, licence=licence,
                        licence_url=licence_link or (licence if is_web_address(licence) else ""), url=link,
                        credit_stated=bool(credit), origin=tr("TileJSON: attribution") if credit else "",
                        description=description_text(value.get("description")))


def read_style(data: bytes, address: str) -> StyleSources:
    """Return the credits of a style's sources. ``address`` is that of the style, for relative links.

    Raises UnreadableDocument unless the document is a style (version 8 of the style specification).
    """
    value = json_document.parse_json(data, address)
    if not isinstance(value, dict) or not isinstance(value.get("sources"), dict):
        raise UnreadableDocument(tr("{name} is not a style of vector tiles.", name=address))
    stated: List[object] = []
    linked: List[str] = []
    about = value["metadata"] if isinstance(value.get("metadata"), dict) else {}
    terms: List[str] = [text for key, member in about.items() if key.rpartition(":")[2].lower() in _LICENCE_KEYS
                        for text in (attribution_text(member)[0] or overlong_text(member),) if text]
    stated += [member for key, member in about.items() if key.rpartition(":")[2].lower() in _CREDIT_KEYS]
    for source in list(value["sources"].values())[:_MAX_SOURCES]:
        if not isinstance(source, dict):
            continue
        if attribution_text(source.get("attribution"))[0]:
            stated.append(source["attribution"])
        terms += filter(None, [overlong_text(source.get("attribution"))])
        if not source.get("attribution") and isinstance(source.get("url"), str):
            target = joined_address(address, source["url"])
            if is_web_address(target):
                linked.append(target)
    credit, link = joined_attributions(stated)
    info = ProviderInfo(title=attribution_text(value.get("name"))[0], credit=credit, access="\n".join(terms), url=link,
                        credit_stated=bool(credit), origin=tr("style: attribution") if credit else "")
    return StyleSources(info, tuple(dict.fromkeys(linked)))


def merge_attributions(infos: List[ProviderInfo]) -> ProviderInfo:
    """Return the description of several sources of one layer: each credit once, other values from the first that has
    them, and those descriptions themselves.
    """
    credit, _ = joined_attributions([info.credit for info in infos])
    first: Mapping[str, Any] = {
        name: next((getattr(info, name) for info in infos if getattr(info, name)), "")
        for name in ("title", "owner", "fees", "access", "licence", "licence_url", "url", "origin")
    }
    return ProviderInfo(credit=credit, credit_stated=any(info.credit_stated for info in infos), others=tuple(infos),
                        **first)


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
