"""Lists of sources as JSON: catalogues, files and folders of the person, and the public catalogues that are suggested.

A list holds no passwords. No suggested catalogue is contacted before the person switches it on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Tuple

from .. import json_document
from ..i18n import language, tr
from ..json_fields import read_object, write_object
from ..network_profile import CatalogueType, NetworkProfile
from ..resources import RESOURCES
from .model import Source, SourceKind
from .protocols import geonetwork_api

FORMAT = "cartoguide-sources"
VERSION = 1
MAX_SOURCES = 500
_PROFILE_KINDS = {CatalogueType.CSW: SourceKind.CSW_2, CatalogueType.GEONETWORK: SourceKind.GEONETWORK,
                  CatalogueType.OGCAPI_RECORDS: SourceKind.OGC_API}


def load_sources(text: str) -> List[Source]:
    """Return the sources in a saved list. An empty text is an empty list.

    User names, passwords and keys in addresses are removed, since they belong in QGIS's authentication store. Raises
    UnreadableDocument if ``text`` cannot be read as JSON, and InvalidDocument (with the JSON pointer) if it is not a
    list of sources.
    """
    if not text.strip():
        return []
    root = json_document.load(text.encode("utf-8", "replace"), tr("The list of sources"))
    root.check_format(FORMAT, VERSION)
    return _without_duplicates(read_object(Source, node) for node in root.children("sources", MAX_SOURCES))


def dump_sources(sources: Iterable[Source]) -> str:
    """Return the list as JSON. Only the first MAX_SOURCES are kept."""
    entries = [write_object(source) for source in _without_duplicates(sources)[:MAX_SOURCES]]
    return json.dumps({"format": FORMAT, "version": VERSION, "sources": entries}, ensure_ascii=False)


def with_profile_catalogue(sources: Iterable[Source], profile: NetworkProfile) -> List[Source]:
    """Return the list with the profile's catalogue first.

    A saved entry for that catalogue, which may have a login, replaces it.
    """
    own_source = profile_source(profile)
    saved_sources = list(sources)
    if own_source is None:
        return saved_sources
    own_key = (own_source.kind, own_source.key)
    saved = [source for source in saved_sources if (source.kind, source.key) == own_key]
    profile_entry = saved[0] if saved else own_source
    return _without_duplicates([profile_entry, *saved_sources])


def profile_source(profile: NetworkProfile) -> Optional[Source]:
    """Return the catalogue of a network profile as a source, or None if it has none."""
    kind = _PROFILE_KINDS.get(profile.catalogue.type)
    if kind is None or not profile.catalogue.url:
        return None
    return Source(profile.catalogue.url.rstrip("/"), kind, profile.title, language=profile.catalogue.language)


def csw_source(source: Source) -> Source:
    """Return the CSW of a GeoNetwork as a source. Other sources are returned unchanged."""
    if source.kind != SourceKind.GEONETWORK:
        return source
    # the language is part of the CSW's address: English for a source without a language
    address = geonetwork_api.csw_url(source.address, source.language or "eng")
    return Source(address, SourceKind.CSW_2, source.title, authcfg=source.authcfg)


def _without_duplicates(sources: Iterable[Source]) -> List[Source]:
    """Return the first source of each address. A file and a folder at one path are the same source."""
    by_key: Dict[Tuple[str, str], Source] = {}
    for source in sources:
        kind = SourceKind.FILE if source.kind in (SourceKind.FILE, SourceKind.FOLDER) else source.kind
        by_key.setdefault((kind, source.key), source)
    return list(by_key.values())


SUGGESTED_FORMAT = "cartoguide-suggested-catalogues"
SUGGESTED_CATALOGUES = RESOURCES / "catalogues.json"
_MAX_CATALOGUES = 50


@dataclass(frozen=True)
class SuggestedCatalogue:
    """A public catalogue: its owner and area, the terms of use of its metadata in words, and the address of those.

    ``area`` and ``terms`` are in the user's language, or in English.
    """

    source: Source
    owner: str
    area: str
    terms: str
    terms_url: str


def suggested_catalogues() -> Tuple[SuggestedCatalogue, ...]:
    """Return the catalogues that are suggested. Raises CartoguideError if the plugin's list cannot be read."""
    root = json_document.load(SUGGESTED_CATALOGUES.read_bytes(), SUGGESTED_CATALOGUES.name)
    if root.text("format", "") != SUGGESTED_FORMAT:
        raise root.error("format", tr("must be “{format}”", format=SUGGESTED_FORMAT))
    return tuple(SuggestedCatalogue(
        read_object(Source, node), node.text("owner"), _localised(node, "area"), _localised(node, "terms"),
        node.text("terms_url"))
        for node in root.children("catalogues", _MAX_CATALOGUES))


def _localised(node: json_document.JsonNode, key: str) -> str:
    texts = node.child(key)
    return texts.text(language(), texts.text("en")) if texts is not None else ""
