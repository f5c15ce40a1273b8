"""Public catalogues that the plugin suggests. None of them is contacted before the person switches it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from .. import json_document
from ..i18n import language, tr
from ..resources import RESOURCES
from .model import Source, SourceKind

FORMAT = "cartoguide-suggested-catalogues"
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
    if root.text("format", "") != FORMAT:
        raise root.error("format", tr("must be “{format}”", format=FORMAT))
    return tuple(SuggestedCatalogue(
        Source(node.text("address"), node.enum_member("kind", SourceKind, SourceKind.CSW_2), node.text("title"),
               language=node.text("language", "")),
        node.text("owner"), _localised(node, "area"), _localised(node, "terms"), node.text("terms_url"))
        for node in root.children("catalogues", _MAX_CATALOGUES))


def _localised(node: json_document.JsonNode, key: str) -> str:
    texts = node.child(key)
    return texts.text(language(), texts.text("en")) if texts is not None else ""
