"""Credits of ArcGIS services: the copyright text of map, feature, image and vector tile services (ArcGIS REST API)."""

from __future__ import annotations

import re
from typing import List
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from .. import json_document
from ..errors import CartoguideError, UnreadableDocument
from ..i18n import tr
from .attribution_text import attribution_text
from .audit_row import ProviderInfo

_SERVICE = re.compile(r"^(?P<service>.*/(?:Map|Feature|Image|VectorTile)Server)(?P<layer>/\d+)?", re.IGNORECASE)


def is_esri_address(address: str) -> bool:
    """Return True if the address is that of an ArcGIS service, or of a layer or tile of one."""
    return _SERVICE.match(_path(address)) is not None


def esri_addresses(address: str, layer: str = "") -> List[str]:
    """Return the addresses of the JSON descriptions of a layer and its service, the layer's first.

    ``layer`` is the layer's number if the address is that of the service. A token in the address is kept.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    match = _SERVICE.match(parts.path)
    if match is None:
        return []
    number = match.group("layer") or (f"/{layer}" if layer.isdigit() else "")
    query = [(name, value) for name, value in parse_qsl(parts.query) if name.lower() == "token"] + [("f", "json")]
    paths = ([match.group("service") + number] if number else []) + [match.group("service")]
    return [urlunsplit((parts.scheme, parts.netloc, path, urlencode(query), "")) for path in paths]


def read_esri_info(data: bytes, name: str = "") -> ProviderInfo:
    """Return title and copyright text of an ArcGIS service or layer.

    Raises UnreadableDocument for another document, CartoguideError with the server's message for an error, which has
    the status 200.
    """
    value = json_document.parse_json(data, name)
    if not isinstance(value, dict):
        raise UnreadableDocument(tr("{name} is not the description of an ArcGIS service.",
                                    name=name or tr("The document")))
    if isinstance(value.get("error"), dict):
        error = value["error"]
        raise CartoguideError(tr("{name} answered: {message}", name=name or tr("The service"),
                                 message=attribution_text(error.get("message"))[0] or str(error.get("code", ""))[:20]))
    if not any(key in value for key in ("currentVersion", "copyrightText", "layers", "capabilities")):
        raise UnreadableDocument(tr("{name} is not the description of an ArcGIS service.",
                                    name=name or tr("The document")))
    credit, link = attribution_text(value.get("copyrightText"))
    titles = (value.get("mapName"), value.get("name"), (value.get("documentInfo") or {}).get("Title")
              if isinstance(value.get("documentInfo"), dict) else None)
    return ProviderInfo(title=next((text for text, _ in map(attribution_text, titles) if text), ""), credit=credit,
                        access=attribution_text(value.get("accessInformation"))[0],
                        licence=attribution_text(value.get("licenseInfo"))[0], url=link, credit_stated=bool(credit),
                        origin=tr("ArcGIS: copyright text") if credit else "")


def _path(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""
