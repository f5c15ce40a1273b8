"""Reading and writing of custom map documents (``*.custommap.json``).

A document is an object with these members, in this order. Unknown members are kept and written back after them:
``format`` ("cartoguide-custommap"), ``version`` (1), ``title``, ``language``, ``base`` (an entry or null), ``overlays``
(entries, bottom first), ``crs``, ``extent`` {west, south, east, north} in degrees or null, ``centre`` [lon, lat] or
null, ``scale`` (denominator) or null, ``page`` {paper, orientation, template: a name or the path of a .qpt file,
for a QR code ``link``: the web address that it leads to, for a rotated map ``rotation``: degrees clockwise on the page,
as QGIS's map rotation, and for a leaflet ``leaflet`` {visitor_text, directions, opening_hours, emergency_numbers}: the
texts of its reverse, with ``table``, the layers whose features are listed: objects with ``endpoint`` and ``layer``, or
with ``own_layer``, the id of an own layer, and ``photos``, at most three objects with ``path`` (of a JPEG or PNG file,
relative to the document's or absolute), ``text`` for those who do not see it, and ``credit``, and
``bleed``: whether the page has bleed and crop marks} (on any other paper it is read as A3 landscape), for a map that
carries its logos ``logos``, at most four objects with ``image``, a PNG or JPEG of at most 300,000 bytes and 2000 by
2000 pixels as base64, and ``text`` for those who do not see it: an empty list is a page without logos, and null or no
list one with those of the person's settings}, and for a map with a snapshot ``snapshot`` {path, in_use}: its folder,
relative to the document's or absolute, and whether it is shown. A map with layers of the cartographer's own has
``own_layers``. ``seal`` is a keyed digest of the files and sources that it names, by which the QGIS profile that saved
it knows it again (``plugin.core.trust.provenance``).

An entry has ``record_id``, ``endpoint``, ``title``, ``layers`` (bottom first, none means all), ``styles`` (one for each
layer, "" is the default), ``format``, ``opacity``, ``visible``, ``credit`` {line, required, licence, licence_url}, and
in it, where a person has completed what could not be printed, ``answers``: the completed line by the line as its source
has it ("" for a duty to credit without any line), and
for a time series ``moment``, the time shown on the map (ISO 8601: a day, or a time in UTC). Where they are needed it
has ``hidden``, the names of layers that are not drawn, ``layer_opacities``, the opacities of layers by name, and
``blend``, how its colours are mixed with what lies below ("multiply", "screen", …, the values of ``BlendMode``). An own
layer has that in its style.
``legend`` says how the page's legend differs from what the service has (see ``legend_members``).

An own layer has ``id``, ``name``, ``type`` ("vector", "raster", …), ``provider`` and ``source`` as QGIS has them (the
path of a file that lies beside or below the document is relative to it), ``style`` (QML), ``opacity``, ``visible``,
``credit`` (its source line) and ``entries_below``, the number of services drawn before it, and ``legend`` like an
entry. Logins and keys are not written: QGIS's authentication configurations (``authcfg``) are.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Dict, Mapping, Optional, Tuple

from .. import json_document
from ..addresses import source_without_secrets, text_without_secrets, without_secrets
from ..i18n import tr
from ..page_design.page_themes import STANDARD
from ..pages.page_features import only_paper, with_members
from ..terms.model import Decision
from ..trust.files import is_local_path
from ..trust.provenance import Trust
from ..wms.dimensions.iso8601 import parse_time
from .legend.members import entry_legend_members, layer_legend_members, read_entry_legend, read_layer_legend
from .model import (
    FORMAT,
    LANGUAGE_PATTERN,
    VERSION,
    BlendMode,
    CustomMap,
    MapEntry,
    MapExtent,
    Orientation,
    OwnLayer,
    PageSetup,
    SnapshotReference,
    StoredCredit,
)

MAX_OVERLAYS = 500
MAX_LAYERS = 5_000
MAX_OWN_LAYERS = 200
#: characters of one own layer's style
MAX_STYLE = 500_000
#: characters of a seal
MAX_SEAL = 200
PAPERS = ("A0", "A1", "A2", "A3", "A4", "A5")

_MAP_MEMBERS = ("format", "version", "title", "language", "base", "overlays", "crs", "extent", "centre", "scale",
                "page", "snapshot", "own_layers", "seal")
_OWN_LAYER_MEMBERS = ("id", "name", "type", "provider", "source", "style", "opacity", "visible", "credit",
                      "entries_below", "legend")
_ENTRY_MEMBERS = ("record_id", "endpoint", "title", "layers", "styles", "format", "opacity", "visible", "credit",
                  "moment", "hidden", "layer_opacities", "legend", "blend")
_CREDIT_MEMBERS = ("line", "required", "licence", "licence_url", "answers")
#: lines of a credit that a person has completed, and characters of one
MAX_ANSWERS, MAX_ANSWER = 40, 2_000
_EXTENT_MEMBERS = ("west", "south", "east", "north")
#: in the order in which they are written. Those of newer page features follow
_PAGE_MEMBERS = tuple(dict.fromkeys(("paper", "orientation", "template", "link", "rotation", "leaflet", "theme",
                                     "logos", *(feature.member for feature in with_members()))))
_SNAPSHOT_MEMBERS = ("path", "in_use")
_CRS = re.compile(r"[A-Za-z][\w.+-]*:[^\s\"'<>]{1,180}")
_PROVIDER = re.compile(r"[A-Za-z][\w-]{0,39}")
_TEMPLATE = re.compile(r"[\w][\w .-]{0,79}")
_THEME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TEMPLATE_SUFFIX = ".qpt"


def read_document(data: bytes, name: str = "") -> CustomMap:
    """Return the custom map in ``data``. ``name`` is the file's name, for messages.

    Raises UnreadableDocument where the data is not a JSON object or too large. Raises InvalidDocument, with the
    position as a JSON pointer, where it is not a custom map, was written by a newer version, or breaks a rule of the
    format.
    """
    loaded = json_document.load(data, name or tr("The custom map"))
    root = json_document.JsonNode(_clean(loaded.value), "", loaded.name)
    if root.value.get("format") != FORMAT:
        raise root.error("format", tr("must be “{format}”: this is not a custom map", format=FORMAT))
    version = root.number("version", 1, 1_000_000)
    if version > VERSION:
        raise root.error(
            "version",
            tr("is {version}: a newer Cartoguide wrote this map; update Cartoguide to open it", version=f"{version:g}"))
    base = root.child("base")
    page = root.child("page")
    return on_offered_paper(CustomMap(
        title=root.text("title", ""), language=_text_matching(root, "language", "es", LANGUAGE_PATTERN),
        base=_entry(base) if base else None,
        overlays=tuple(_entry(node) for node in root.children("overlays", MAX_OVERLAYS)),
        crs=_text_matching(root, "crs", "EPSG:25830", _CRS), extent=_extent(root.child("extent")),
        centre=root.pair("centre", ((-180, 180), (-90, 90))), scale=root.optional_number("scale", 1, 1e9),
        page=_page(page) if page else PageSetup(), extra=root.unknown_members(_MAP_MEMBERS),
        snapshot=_snapshot(root.child("snapshot")), own_layers=_own_layers(root),
        seal=root.text("seal", "", MAX_SEAL), trust=Trust.FOREIGN))


def on_offered_paper(custom_map: CustomMap) -> CustomMap:
    """Return the map on a page that its template exists for, with a note on what was changed."""
    former, page = custom_map.page, custom_map.page.on_offered_paper()
    paper = only_paper(page.template)
    if page == former or paper is None:
        return custom_map
    note = paper.note(_size_text(page), _size_text(former))
    return replace(custom_map, page=page, change_notes=(*custom_map.change_notes, note))


def _size_text(page: PageSetup) -> str:
    turned = tr("Landscape") if page.orientation is Orientation.LANDSCAPE else tr("Portrait")
    return f"{page.paper} {turned.lower()}"


def write_document(custom_map: CustomMap) -> bytes:
    """Return ``custom_map`` as UTF-8 JSON, indented by two spaces, with its members in a fixed order."""
    extent, page = custom_map.extent, custom_map.page
    return json_document.dump(_clean({
        "format": FORMAT, "version": VERSION, "title": custom_map.title, "language": custom_map.language,
        "base": _entry_to_dict(custom_map.base) if custom_map.base else None,
        "overlays": [_entry_to_dict(entry) for entry in custom_map.overlays], "crs": custom_map.crs,
        "extent": None if extent is None else _with_unknown_members(
            {side: json_document.json_number(getattr(extent, side))
             for side in _EXTENT_MEMBERS}, extent.extra), "centre": None
        if custom_map.centre is None else [json_document.json_number(value) for value in custom_map.centre],
        "scale": None if custom_map.scale is None else json_document.json_number(custom_map.scale),
        "page": _page_to_dict(page),
        **({} if custom_map.snapshot is None else {
               "snapshot": _with_unknown_members(
                   {"path": custom_map.snapshot.path, "in_use": custom_map.snapshot.in_use}, custom_map.snapshot.extra)
           }),
        **({"own_layers": [_own_layer_to_dict(own) for own in custom_map.own_layers]} if custom_map.own_layers else {}),
        **({"seal": custom_map.seal} if custom_map.seal else {}),
        **_unknown_members(custom_map.extra, _MAP_MEMBERS),
    }))


def _clean(value: Any) -> Any:
    """Return a value of JSON without the logins and keys in the web addresses of its texts."""
    if isinstance(value, str):
        return text_without_secrets(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return {key: _clean(member) for key, member in value.items()} if isinstance(value, dict) else value


def _entry_to_dict(entry: MapEntry) -> Dict[str, Any]:
    credit = entry.credit
    return _with_unknown_members(
        {
            "record_id": entry.record_id, "endpoint": without_secrets(entry.endpoint),
            "title": entry.title, "layers": list(
                entry.layers), "styles": list(
                    entry.styles), "format": entry.format, "opacity": json_document.json_number(entry.opacity),
            "visible": entry.visible, "credit": _with_unknown_members(
                {
                    "line": credit.line, "required": credit.required.value, "licence": credit.licence,
                    "licence_url": credit.licence_url, **({"answers": dict(credit.answers)} if credit.answers else {})
                }, credit.extra), **({"moment": entry.moment} if entry.moment else {}),
            **({"hidden": list(entry.hidden)} if entry.hidden else {}),
            **({"layer_opacities": {name: json_document.json_number(value) for name, value in
                                    entry.layer_opacities.items()}} if entry.layer_opacities else {}),
            **({"blend": entry.blend.value} if entry.blend is not BlendMode.NORMAL else {}),
            **entry_legend_members(entry.legend),
        }, {key: value for key, value in entry.extra.items() if key not in _ENTRY_MEMBERS})


def _own_layer_to_dict(own: OwnLayer) -> Dict[str, Any]:
    return _with_unknown_members(
        {"id": own.id, "name": own.name, "type": own.type, "provider": own.provider,
         "source": source_without_secrets(own.source), "style": own.style,
         "opacity": json_document.json_number(own.opacity), "visible": own.visible, "credit": own.credit,
         "entries_below": own.entries_below, **layer_legend_members(own.legend)},
        {key: value for key, value in own.extra.items() if key not in _OWN_LAYER_MEMBERS})


def _own_layers(root: json_document.JsonNode) -> Tuple[OwnLayer, ...]:
    found: Dict[str, OwnLayer] = {}
    for node in root.children("own_layers", MAX_OWN_LAYERS):
        own = _own_layer(node)
        if own.id in found:
            raise node.error("id", tr("is that of another layer: {value}", value=own.id[:60]))
        found[own.id] = own
    return tuple(found.values())


def _own_layer(node: json_document.JsonNode) -> OwnLayer:
    for key in ("id", "source"):
        if not node.text(key).strip():
            raise node.error(key, tr("must not be empty"))
    return OwnLayer(node.text("id"), node.text("name", ""), _text_matching(node, "type", "vector", _PROVIDER),
                    _text_matching(node, "provider", "ogr", _PROVIDER), source_without_secrets(node.text("source")),
                    node.text("style", "", MAX_STYLE), node.number("opacity", 0, 1, 1.0), node.flag("visible", True),
                    node.text("credit", ""), int(node.number("entries_below", 0, 2 * MAX_OVERLAYS, 0)),
                    node.unknown_members(_OWN_LAYER_MEMBERS), read_layer_legend(node), Trust.FOREIGN)


def _entry(node: json_document.JsonNode) -> MapEntry:
    layers, styles = node.texts("layers", MAX_LAYERS), node.texts("styles", MAX_LAYERS)
    if styles and len(styles) != len(layers):
        raise node.error(
            "styles",
            tr("must have one style for each layer: {styles} for {layers}", styles=len(styles), layers=len(layers)))
    if "" in layers:
        raise node.error(f"layers/{layers.index('')}", tr("must not be empty"))
    credit = node.child("credit")
    return MapEntry(endpoint=node.web_address("endpoint"), title=node.text("title", ""),
                    record_id=node.optional_text("record_id"), layers=layers, styles=styles,
                    format=node.optional_text("format"), opacity=node.number("opacity", 0, 1, 1.0),
                    visible=node.flag("visible", True), credit=_credit(credit) if credit else StoredCredit(),
                    moment=_moment(node), extra=node.unknown_members(_ENTRY_MEMBERS),
                    hidden=node.texts("hidden", MAX_LAYERS), layer_opacities=_layer_opacities(node),
                    legend=read_entry_legend(node, MAX_LAYERS), blend=_blend(node))


def _layer_opacities(node: json_document.JsonNode) -> Dict[str, float]:
    opacities = node.child("layer_opacities")
    if opacities is None:
        return {}
    if len(opacities.value) > MAX_LAYERS:
        raise node.error("layer_opacities", tr("has more than {count} members", count=MAX_LAYERS))
    return {name: opacities.number(name, 0, 1) for name in opacities.value}


def _blend(node: json_document.JsonNode) -> BlendMode:
    """Return how an entry is mixed with what lies below it. A way that is not known is the normal one."""
    value = node.text("blend", BlendMode.NORMAL.value)
    return next((mode for mode in BlendMode if mode.value == value), BlendMode.NORMAL)


def _moment(node: json_document.JsonNode) -> Optional[str]:
    value = node.optional_text("moment")
    if value and parse_time(value) is None:
        raise node.error("moment",
                         tr("must be written like “{example}”, not “{value}”", example="2016-06-03", value=value[:60]))
    return value or None


def _credit(node: json_document.JsonNode) -> StoredCredit:
    address = node.optional_text("licence_url")
    return StoredCredit(line=node.text("line", ""),
                        required=node.enum_member("required", Decision, Decision.UNDECIDED),
                        licence=node.optional_text("licence"),
                        licence_url=node.web_address("licence_url") if address else address,
                        extra=node.unknown_members(_CREDIT_MEMBERS), answers=_answers(node))


def _answers(node: json_document.JsonNode) -> Dict[str, str]:
    answers = node.child("answers")
    if answers is None:
        return {}
    if len(answers.value) > MAX_ANSWERS:
        raise node.error("answers", tr("has more than {count} members", count=MAX_ANSWERS))
    return {line: answers.text(line, "", MAX_ANSWER) for line in answers.value}


def _extent(node: Optional[json_document.JsonNode]) -> Optional[MapExtent]:
    if node is None:
        return None
    west, east = (node.number(side, -180, 180) for side in ("west", "east"))
    south, north = (node.number(side, -90, 90) for side in ("south", "north"))
    if west >= east:
        raise node.error("east", tr("must lie east of “west” ({west})", west=f"{west:g}"))
    if south >= north:
        raise node.error("north", tr("must lie north of “south” ({south})", south=f"{south:g}"))
    return MapExtent(west, south, east, north, node.unknown_members(_EXTENT_MEMBERS))


def _page(node: json_document.JsonNode) -> PageSetup:
    values = {feature.member: feature.read(node) for feature in with_members() if feature.read is not None}
    return PageSetup(node.one_of("paper", PAPERS, "A4"),
                     node.enum_member("orientation", Orientation, Orientation.LANDSCAPE), _template(node),
                     node.unknown_members(_PAGE_MEMBERS), rotation=node.number("rotation", -360, 360, 0.0) % 360,
                     theme=_text_matching(node, "theme", STANDARD, _THEME), **values)


def _page_to_dict(page: PageSetup) -> Dict[str, Any]:
    members = {feature.member: feature.write(getattr(page, feature.member))
               for feature in with_members() if feature.write is not None}
    members.update(paper=page.paper, orientation=page.orientation.value, template=page.template,
                   rotation=json_document.json_number(page.rotation) if page.rotation else None,
                   theme=page.theme if page.theme != STANDARD else None)
    return _with_unknown_members({name: members[name] for name in _PAGE_MEMBERS if members[name] is not None},
                                 page.extra)


def _template(node: json_document.JsonNode) -> str:
    """Return the name of a bundled template, or the path of the person's own, which is a file of this computer."""
    value = node.text("template", "guide", max_length=json_document.MAX_PATH)
    if not value.lower().endswith(_TEMPLATE_SUFFIX):
        return _text_matching(node, "template", "guide", _TEMPLATE)
    if not is_local_path(value):
        raise node.error("template", tr("must be a file of this computer"))
    return value


def _snapshot(node: Optional[json_document.JsonNode]) -> Optional[SnapshotReference]:
    if node is None:
        return None
    path = node.text("path", max_length=json_document.MAX_PATH)
    if not is_local_path(path):
        raise node.error("path", tr("must be a folder of this computer"))
    return SnapshotReference(path, node.flag("in_use", False), node.unknown_members(_SNAPSHOT_MEMBERS))


def _text_matching(node: json_document.JsonNode, key: str, default: str, pattern: re.Pattern[str]) -> str:
    value = node.text(key, default)
    if not pattern.fullmatch(value):
        raise node.error(key, tr("must be written like “{example}”, not “{value}”", example=default, value=value[:60]))
    return value


def _with_unknown_members(members: Dict[str, Any], extra: Mapping[str, Any]) -> Dict[str, Any]:
    return {**members, **_unknown_members(extra, tuple(members))}


def _unknown_members(extra: Mapping[str, Any], known: tuple[str, ...]) -> Dict[str, Any]:
    return {key: value for key, value in extra.items() if key not in known}
