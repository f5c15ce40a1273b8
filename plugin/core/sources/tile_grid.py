"""Tiles of a service: their levels, places and addresses, as XYZ templates and WMTS capabilities describe them.

WMTS 1.0.0 (OGC 07-057r7). Boxes are in the units of the layer's CRS.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from .. import safe_xml
from ..box import Box
from ..errors import InvalidRequest, UnreadableDocument
from ..i18n import tr
from ..wms.model.xml_values import named_children
from ..wms.requests.urls import with_parameters

#: half of the width of the world in EPSG:3857, in metres
HALF_WORLD = 20037508.342789244
#: side in metres of the pixel that scale denominators are for (07-057r7 6.1)
_PIXEL = 0.00028
#: resolution of tiles whose density the source states as 1 (QGIS's own number)
TILE_DPI = 96
#: share of a tile by which computed places may be off
_EDGE = 1e-6
_XYZ_PLACES = re.compile(r"\{(?:x|y|-y|z|q|usage)\}")
_ANY_PLACE = re.compile(r"\{[^{}]*\}")
#: levels that QGIS takes without ``zmin`` and ``zmax``, and the highest that it takes
_XYZ_LEVELS, _MAX_LEVEL = (0, 18), 32


@dataclass(frozen=True)
class TileLevel:
    """Tiles of one resolution (units of the CRS a pixel). ``left`` and ``top`` are the corner of the first tile.

    ``columns`` and ``rows`` are the first and the last that there are. ``tile`` is a tile's size in pixels.
    """

    identifier: str
    resolution: float
    left: float
    top: float
    tile: Tuple[int, int]
    columns: Tuple[int, int]
    rows: Tuple[int, int]

    def box(self, column: int, row: int) -> Box:
        """Return the area of a tile."""
        width, height = self.resolution * self.tile[0], self.resolution * self.tile[1]
        west, north = self.left + column * width, self.top - row * height
        return Box(west, north - height, west + width, north)


@dataclass(frozen=True)
class Tile:
    """One tile: its address, its size in pixels as described, and its area."""

    url: str
    size: Tuple[int, int]
    box: Box


@dataclass(frozen=True)
class TileGrid:
    """All tiles of a layer. ``address`` returns that of a tile from its level, column and row.

    ``dpi`` is the resolution that the tiles were made for, 0 if it is not known: then QGIS takes the level by the
    pixels of the page alone.
    """

    levels: Tuple[TileLevel, ...]
    address: Callable[[TileLevel, int, int], str]
    dpi: int = 0

    def tiles(self, box: Box, width: int, dpi: float, limit: int) -> List[Tile]:
        """Return the tiles of ``box``, which is drawn ``width`` pixels wide at ``dpi``, at the level that QGIS takes.

        QGIS takes the nearest resolution (QgsWmtsTileMatrixSet::findNearestResolution). There are none beyond the
        limits of the level. Raises InvalidRequest for more than ``limit``, as a source that begins at a fine level
        needs for a country.
        """
        wanted = box.width / width * (dpi / self.dpi if self.dpi else 1.0)
        level = min(self.levels, key=lambda one: (abs(one.resolution - wanted), -one.resolution))
        side_x, side_y = level.resolution * level.tile[0], level.resolution * level.tile[1]
        columns = _span(level.columns, (box.west - level.left) / side_x, (box.east - level.left) / side_x)
        rows = _span(level.rows, (level.top - box.north) / side_y, (level.top - box.south) / side_y)
        if len(columns) * len(rows) > limit:
            raise InvalidRequest(tr("The map needs more than {count} tiles of this layer. Choose a larger scale, or a "
                                    "lower first level for the layer's tiles.", count=limit))
        return [Tile(self.address(level, column, row), level.tile, level.box(column, row))
                for row in rows for column in columns]


def _span(limits: Tuple[int, int], first: float, last: float) -> range:
    """Return the tiles from one place to another, within limits. A tile that is only touched is not one of them."""
    return range(max(limits[0], math.floor(first + _EDGE)), min(limits[1], math.ceil(last - _EDGE) - 1) + 1)


def is_template(address: str) -> bool:
    """Return whether an address is one of tiles, whose places are all known here."""
    template = _decoded_places(address)
    return _XYZ_PLACES.search(template) is not None and _ANY_PLACE.search(_XYZ_PLACES.sub("", template)) is None


def xyz_grid(parameters: Mapping[str, str]) -> TileGrid:
    """Return the tiles of an XYZ source from its parameters. They are squares of the world in EPSG:3857."""
    template = _decoded_places(parameters.get("url", ""))
    ratio = 2 if parameters.get("tilePixelRatio") == "2" else 1
    first, last = (min(int(text), _MAX_LEVEL) if text.isdigit() else default for text, default in zip(
        (parameters.get("zmin", ""), parameters.get("zmax", "")), _XYZ_LEVELS))
    side = 256 * ratio
    levels = tuple(
        TileLevel(str(zoom), 2 * HALF_WORLD / (side * 2 ** zoom), -HALF_WORLD, HALF_WORLD, (side, side),
                  (0, 2 ** zoom - 1), (0, 2 ** zoom - 1)) for zoom in range(first, max(first, last) + 1))

    def address(level: TileLevel, column: int, row: int) -> str:
        zoom = int(level.identifier)
        return xyz_address(template, zoom, column, row)

    known_ratio = parameters.get("tilePixelRatio", "") in ("1", "2")
    return TileGrid(levels, address, TILE_DPI * ratio if known_ratio else 0)


def xyz_address(template: str, zoom: int, column: int, row: int) -> str:
    """Return the address of a tile from a template with places, encoded or not."""
    values = {"{x}": str(column), "{y}": str(row), "{-y}": str(2 ** zoom - 1 - row), "{z}": str(zoom),
              "{q}": _quadkey(zoom, column, row), "{usage}": "export"}
    return _XYZ_PLACES.sub(lambda found: values[found[0]], _decoded_places(template))


def _decoded_places(address: str) -> str:
    return re.sub("%7B", "{", re.sub("%7D", "}", address, flags=re.IGNORECASE), flags=re.IGNORECASE)


def _quadkey(zoom: int, column: int, row: int) -> str:
    return "".join(str((column >> bit & 1) + 2 * (row >> bit & 1)) for bit in range(zoom - 1, -1, -1))


@dataclass(frozen=True)
class WmtsChoice:
    """A layer of QGIS as it chooses from a WMTS: its layer, style, format, matrix set, and values of dimensions.

    ``axes_inverted`` says that the CRS begins with y, and ``metres`` are those of its unit. ``dpi`` is that of the
    tiles, 0 if it is not known.
    """

    layer: str
    style: str
    format: str
    matrix_set: str
    dimensions: Tuple[Tuple[str, str], ...] = ()
    axes_inverted: bool = False
    metres: float = 1.0
    dpi: int = 0


def read_wmts_grid(document: bytes, choice: WmtsChoice, name: str = "") -> TileGrid:
    """Return the tiles of a layer from the capabilities of its service. Raises UnreadableDocument if they lack it."""
    root = safe_xml.parse(document, name)
    layer = _named(root, "Contents/Layer", choice.layer)
    matrix_set = _named(root, "Contents/TileMatrixSet", choice.matrix_set)
    if layer is None or matrix_set is None:
        raise UnreadableDocument(tr("The capabilities of {name} do not describe the tiles of “{layer}”.",
                                    name=name, layer=choice.layer))
    links = {_text(link, "TileMatrixSet"): link for link in named_children(layer, "TileMatrixSetLink")}
    limits = {_text(one, "TileMatrix"): one
              for one in _descendants(links.get(choice.matrix_set), "TileMatrixSetLimits/TileMatrixLimits")}
    levels = [_level(matrix, limits.get(_text(matrix, "Identifier")), choice)
              for matrix in named_children(matrix_set, "TileMatrix")]
    address = _wmts_address(root, layer, choice)
    if not levels or address is None:
        raise UnreadableDocument(tr("The capabilities of {name} do not describe the tiles of “{layer}”.",
                                    name=name, layer=choice.layer))
    return TileGrid(tuple(levels), address, choice.dpi)


def _level(matrix: Any, limits: Any, choice: WmtsChoice) -> TileLevel:
    try:
        first, second = map(float, _text(matrix, "TopLeftCorner").split())
        left, top = (second, first) if choice.axes_inverted else (first, second)
        level = TileLevel(
            _text(matrix, "Identifier"), float(_text(matrix, "ScaleDenominator")) * _PIXEL / choice.metres, left, top,
            (int(_text(matrix, "TileWidth")), int(_text(matrix, "TileHeight"))),
            (0, int(_text(matrix, "MatrixWidth")) - 1), (0, int(_text(matrix, "MatrixHeight")) - 1))
        if not (level.resolution > 0 and min(level.tile) > 0):
            raise ValueError
        if limits is None:
            return level
        columns, rows = ((int(_text(limits, f"MinTile{axis}")), int(_text(limits, f"MaxTile{axis}")))
                         for axis in ("Col", "Row"))
        return replace(level, columns=(max(0, columns[0]), min(columns[1], level.columns[1])),
                       rows=(max(0, rows[0]), min(rows[1], level.rows[1])))
    except ValueError as error:
        raise UnreadableDocument(tr("The capabilities of {name} do not describe the tiles of “{layer}”.",
                                    name=choice.matrix_set, layer=choice.layer), str(error)) from error


def _wmts_address(root: Any, layer: Any, choice: WmtsChoice) -> Optional[Callable[[TileLevel, int, int], str]]:
    """Return the address of tiles: by parameters (8.2.1), else as resources (10.2), as QGIS prefers them."""
    endpoint = _tile_endpoint(root)
    if endpoint:
        fixed = {"SERVICE": "WMTS", "REQUEST": "GetTile", "VERSION": root.get("version") or "1.0.0",
                 "LAYER": choice.layer, "STYLE": choice.style, "FORMAT": choice.format,
                 "TILEMATRIXSET": choice.matrix_set}
        return lambda level, column, row: with_parameters(endpoint, {
            **fixed, "TILEMATRIX": level.identifier, **dict(choice.dimensions), "TILEROW": str(row),
            "TILECOL": str(column)})
    templates = [one.get("template") or "" for one in named_children(layer, "ResourceURL")
                 if one.get("resourceType") == "tile" and one.get("format") == choice.format]
    if not templates:
        return None

    def address(level: TileLevel, column: int, row: int) -> str:
        values: Dict[str, str] = {
            "style": choice.style, "tilematrixset": choice.matrix_set, "tilematrix": level.identifier,
            "tilerow": str(row), "tilecol": str(column),
            **{key.lower(): value for key, value in choice.dimensions}}
        return _ANY_PLACE.sub(lambda found: values.get(found[0][1:-1].lower(), found[0]), templates[0])

    return address


def _tile_endpoint(root: Any) -> str:
    """Return the address of GetTile by parameters, or ""."""
    for operation in _descendants(root, "OperationsMetadata/Operation"):
        if operation.get("name") != "GetTile":
            continue
        for get in _descendants(operation, "DCP/HTTP/Get"):
            values = [(one.text or "").strip().upper() for one in _descendants(get, "Constraint/AllowedValues/Value")]
            if not values or "KVP" in values:
                return str(get.get("{http://www.w3.org/1999/xlink}href") or "")
    return ""


def _descendants(element: Any, path: str) -> List[Any]:
    found = [element]
    for name in path.split("/"):
        found = [child for one in found for child in named_children(one, name)]
    return found


def _named(root: Any, path: str, identifier: str) -> Any:
    return next((one for one in _descendants(root, path) if _text(one, "Identifier") == identifier), None)


def _text(element: Any, name: str) -> str:
    return next(((one.text or "").strip() for one in named_children(element, name)), "")
