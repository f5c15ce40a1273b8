"""The custom map document (``*.custommap.json``): bytes to CustomMap and back, exactly.

An object with these members, in this order; what is unknown is kept and written back behind them:
``format`` ("cartoguide-custommap"), ``version`` (1), ``title``, ``language``, ``base`` (an entry or null), ``overlays``
(entries, bottom first), ``crs``, ``extent`` {west, south, east, north} in degrees or null, ``centre`` [lon, lat] or
null, ``scale`` (denominator) or null, ``page`` {paper, orientation, template}; where the map has one, ``snapshot``
{path, in_use}: its folder, relative to the document's or absolute, and whether it is shown. An entry: ``record_id``,
``endpoint``, ``title``, ``layers`` (bottom first; none means all), ``styles`` (one for each layer, "" is the default),
``format``, ``opacity``, ``visible``, ``credit`` {line, required, licence, licence_url}; where its layers are a series,
``moment``, the time that the map shows of it (ISO 8601: a day, or a time in UTC).
"""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping, Optional
from urllib.parse import urlsplit

from .. import jsondoc
from ..i18n import tr
from ..wms.times import parse_time
from .model import FORMAT, VERSION, CustomMap, Entry, KeptCredit, MapExtent, Page, SnapshotUse

MAX_OVERLAYS = 500
MAX_LAYERS = 5_000
PAPERS = ("A0", "A1", "A2", "A3", "A4", "A5")
ORIENTATIONS = ("landscape", "portrait")
REQUIRED = ("yes", "no", "undecided")

_MAP = ("format", "version", "title", "language", "base", "overlays", "crs", "extent", "centre", "scale", "page",
        "snapshot")
_ENTRY = ("record_id", "endpoint", "title", "layers", "styles", "format", "opacity", "visible", "credit", "moment")
_CREDIT = ("line", "required", "licence", "licence_url")
_EXTENT = ("west", "south", "east", "north")
_PAGE = ("paper", "orientation", "template")
_SNAPSHOT = ("path", "in_use")
_CRS = re.compile(r"[A-Za-z][\w.+-]*:[^\s\"'<>]{1,180}")
_TEMPLATE = re.compile(r"[\w][\w .-]{0,79}")
#: a server's share, an address, or one of GDAL's virtual file systems: looking there would ask another machine
_ELSEWHERE = re.compile(r"\s*(?:[\\/]{2}|[a-z][a-z0-9+.-]+://|[\\/]vsi)", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def read_document(data: bytes, name: str = "") -> CustomMap:
    """The custom map in ``data``; ``name`` is the file's, for messages.

    UnreadableDocument for what is no JSON object, or too large; InvalidDocument, with the place as a JSON pointer, for
    what is no custom map, is newer than this version reads, or breaks a rule of the format.
    """
    root = jsondoc.load(data, name or tr("The custom map"))
    if root.value.get("format") != FORMAT:
        raise root.wrong("format", tr("must be “{format}”: this is no custom map", format=FORMAT))
    version = root.number("version", 1, 1_000_000)
    if version > VERSION:
        raise root.wrong("version", tr("is {version}: a newer Cartoguide wrote this map; update Cartoguide to open it",
                                       version=f"{version:g}"))
    base = root.child("base")
    page = root.child("page")
    return CustomMap(
        title=root.text("title", ""), language=_matching(root, "language", "es", _LANGUAGE),
        base=_entry(base) if base else None,
        overlays=tuple(_entry(place) for place in root.children("overlays", MAX_OVERLAYS)),
        crs=_matching(root, "crs", "EPSG:25830", _CRS), extent=_extent(root.child("extent")),
        centre=root.pair("centre", ((-180, 180), (-90, 90))), scale=root.optional_number("scale", 1, 1e9),
        page=_page(page) if page else Page(), extra=root.rest(_MAP), snapshot=_snapshot(root.child("snapshot")))


def write_document(custom_map: CustomMap) -> bytes:
    """The document of ``custom_map``: UTF-8 JSON, two spaces, members always in the same order."""
    extent, page = custom_map.extent, custom_map.page
    return jsondoc.dump({
        "format": FORMAT,
        "version": VERSION,
        "title": custom_map.title,
        "language": custom_map.language,
        "base": _entry_members(custom_map.base) if custom_map.base else None,
        "overlays": [_entry_members(entry) for entry in custom_map.overlays],
        "crs": custom_map.crs,
        "extent": None if extent is None else _with(
            {side: jsondoc.plain_number(getattr(extent, side)) for side in _EXTENT}, extent.extra),
        "centre": None if custom_map.centre is None else [jsondoc.plain_number(value) for value in custom_map.centre],
        "scale": None if custom_map.scale is None else jsondoc.plain_number(custom_map.scale),
        "page": _with({"paper": page.paper, "orientation": page.orientation, "template": page.template}, page.extra),
        **({} if custom_map.snapshot is None else {"snapshot": _with(
            {"path": custom_map.snapshot.path, "in_use": custom_map.snapshot.in_use}, custom_map.snapshot.extra)}),
        **_unknown(custom_map.extra, _MAP),
    })


def _entry_members(entry: Entry) -> Dict[str, Any]:
    credit = entry.credit
    return _with({
        "record_id": entry.record_id,
        "endpoint": entry.endpoint,
        "title": entry.title,
        "layers": list(entry.layers),
        "styles": list(entry.styles),
        "format": entry.format,
        "opacity": jsondoc.plain_number(entry.opacity),
        "visible": entry.visible,
        "credit": _with({"line": credit.line, "required": credit.required, "licence": credit.licence,
                         "licence_url": credit.licence_url}, credit.extra),
        **({"moment": entry.moment} if entry.moment else {}),
    }, {key: value for key, value in entry.extra.items() if key != "moment"})


def _entry(place: jsondoc.Place) -> Entry:
    layers, styles = place.texts("layers", MAX_LAYERS), place.texts("styles", MAX_LAYERS)
    if styles and len(styles) != len(layers):
        raise place.wrong("styles", tr("must have one style for each layer: {styles} for {layers}",
                                       styles=len(styles), layers=len(layers)))
    if "" in layers:
        raise place.wrong(f"layers/{layers.index('')}", tr("must not be empty"))
    credit = place.child("credit")
    return Entry(
        endpoint=_web_address(place, "endpoint", place.text("endpoint")), title=place.text("title", ""),
        record_id=place.optional_text("record_id"), layers=layers, styles=styles, format=place.optional_text("format"),
        opacity=place.number("opacity", 0, 1, 1.0), visible=place.flag("visible", True),
        credit=_credit(credit) if credit else KeptCredit(), moment=_moment(place), extra=place.rest(_ENTRY))


def _moment(place: jsondoc.Place) -> Optional[str]:
    value = place.optional_text("moment")
    if value and parse_time(value) is None:
        raise place.wrong("moment", tr("must be written like “{example}”, not “{value}”", example="2016-06-03",
                                       value=value[:60]))
    return value or None


def _credit(place: jsondoc.Place) -> KeptCredit:
    address = place.optional_text("licence_url")
    return KeptCredit(
        line=place.text("line", ""), required=place.one_of("required", REQUIRED, "undecided"),
        licence=place.optional_text("licence"),
        licence_url=_web_address(place, "licence_url", address) if address else address, extra=place.rest(_CREDIT))


def _extent(place: Optional[jsondoc.Place]) -> Optional[MapExtent]:
    if place is None:
        return None
    west, east = (place.number(side, -180, 180) for side in ("west", "east"))
    south, north = (place.number(side, -90, 90) for side in ("south", "north"))
    if west >= east:
        raise place.wrong("east", tr("must lie east of “west” ({west})", west=f"{west:g}"))
    if south >= north:
        raise place.wrong("north", tr("must lie north of “south” ({south})", south=f"{south:g}"))
    return MapExtent(west, south, east, north, place.rest(_EXTENT))


def _page(place: jsondoc.Place) -> Page:
    return Page(place.one_of("paper", PAPERS, "A4"), place.one_of("orientation", ORIENTATIONS, "landscape"),
                _matching(place, "template", "guide", _TEMPLATE), place.rest(_PAGE))


def _snapshot(place: Optional[jsondoc.Place]) -> Optional[SnapshotUse]:
    if place is None:
        return None
    path = place.text("path", longest=2_000)
    if not path.strip() or _ELSEWHERE.match(path):
        raise place.wrong("path", tr("must be a folder of this machine"))
    return SnapshotUse(path, place.flag("in_use", False), place.rest(_SNAPSHOT))


def _matching(place: jsondoc.Place, key: str, default: str, pattern: re.Pattern[str]) -> str:
    value = place.text(key, default)
    if not pattern.fullmatch(value):
        raise place.wrong(key, tr("must be written like “{example}”, not “{value}”",
                                   example=default, value=value[:60]))
    return value


def _web_address(place: jsondoc.Place, key: str, address: str) -> str:
    """An http(s) address with a host; a user name or password in it would travel with the document."""
    try:
        parts = urlsplit(address)
        sound, secret = parts.scheme.lower() in ("http", "https") and bool(parts.hostname), parts.username is not None
    except ValueError:
        sound, secret = False, False
    if not sound or re.search(r"[\s\x00-\x1f\x7f]", address):
        raise place.wrong(key, tr("must be a web address (http or https)"))
    if secret:
        raise place.wrong(key, tr("must not hold a user name or password"))
    return address


def _with(members: Dict[str, Any], extra: Mapping[str, Any]) -> Dict[str, Any]:
    return {**members, **_unknown(extra, tuple(members))}


def _unknown(extra: Mapping[str, Any], known: tuple[str, ...]) -> Dict[str, Any]:
    return {key: value for key, value in extra.items() if key not in known}
