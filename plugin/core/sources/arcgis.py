"""ArcGIS: features and maps of a server, and the copyright text of map, feature, image and vector tile services.

ArcGIS REST API.
"""

from __future__ import annotations

import re
from typing import Any, List, Mapping, Tuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from .. import json_document
from ..errors import CartoguideError, UnreadableDocument
from ..i18n import tr
from .attribution_text import attribution_text, description_text, joined_attributions, overlong_text
from .layer_source import LayerSource, SourceType
from .source_kind import Documents, LayerSourceKind, ProviderInfo, SentRequest, fetched_from, first_info, json_request
from .source_text import service_reader

_PICTURE_SIDE = 2048
_SERVICE = re.compile(r"^(?P<service>.*/(?:Map|Feature|Image|VectorTile)Server)(?P<layer>/\d+)?", re.IGNORECASE)
#: members that only descriptions of ArcGIS have
_MEMBERS = ("currentVersion", "copyrightText", "licenseInfo", "accessInformation")


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


def is_esri_description(value: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is what an ArcGIS server answers to, or the description of an item."""
    error = value.get("error")
    return any(key in value for key in _MEMBERS) or isinstance(error, dict) and isinstance(error.get("code"), int)


def read_esri_info(data: bytes, name: str = "") -> ProviderInfo:
    """Return title, author, copyright text and terms of an ArcGIS service, layer or item.

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
    if not any(key in value for key in (*_MEMBERS, "layers", "capabilities")):
        raise UnreadableDocument(tr("{name} is not the description of an ArcGIS service.",
                                    name=name or tr("The document")))
    about = value["documentInfo"] if isinstance(value.get("documentInfo"), dict) else {}
    # an item's "access information" is what ArcGIS shows as its credits, its "licence information" the terms of use
    stated = [value.get("copyrightText"), about.get("Credits"), value.get("accessInformation")]
    credit, link = joined_attributions(stated)
    titles = (value.get("mapName"), value.get("name"), about.get("Title"))
    terms = [plain for plain in (*map(overlong_text, stated), description_text(value.get("licenseInfo"))) if plain]
    return ProviderInfo(title=next((text for text, _ in map(attribution_text, titles) if text), ""),
                        owner=attribution_text(about.get("Author"))[0], credit=credit, access="\n".join(terms),
                        url=link, credit_stated=bool(credit), origin=tr("ArcGIS: copyright text") if credit else "",
                        description="\n".join(filter(None, map(description_text, (
                            value.get("serviceDescription"), value.get("description"), about.get("Comments"))))))


def largest_picture(data: bytes) -> Tuple[int, int]:
    """Return width and height of the largest picture that the description of a map service allows.

    2,048 pixels, the documented default of old servers, where it says nothing. Raises as ``read_esri_info``.
    """
    read_esri_info(data)
    value = json_document.parse_json(data)
    width, height = (value.get(name) for name in ("maxImageWidth", "maxImageHeight"))
    return (width if isinstance(width, int) and width > 0 else _PICTURE_SIDE,
            height if isinstance(height, int) and height > 0 else _PICTURE_SIDE)


def _path(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def esri_terms(source: LayerSource, documents: Documents) -> ProviderInfo:
    """Return what the layer and its service say. Raises CartoguideError and Cancelled."""
    return first_info(esri_addresses(source.address, next(iter(source.names), "")), read_esri_info, documents,
                      every=True)


def _draws(source: LayerSource, request: SentRequest) -> bool:
    return request.is_below(source.address, "query", "export", "exportImage", "tile")


KIND = LayerSourceKind(SourceType.ARCGIS, service_reader(SourceType.ARCGIS, "arcgismapserver", "arcgisfeatureserver"),
                       proof=fetched_from("arcgisfeatureserver", "arcgismapserver"), draws=_draws, terms=esri_terms,
                       described_by_layer=True, first_request=json_request(f="json"),
                       check_first_answer=read_esri_info)
