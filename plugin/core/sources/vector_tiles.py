"""Vector tiles, with or without a style, and those of ArcGIS services."""

from __future__ import annotations

import zlib
from typing import Optional, Tuple

from .layer_source import LayerSource, SourceType
from .source_kind import LayerSourceKind, SourceProof, draws_tiles
from .source_text import VECTOR_TILE_PROVIDERS, encoded_parameters, service_reader
from .tile_grid import is_template
from .tilejson import tile_terms

_GZIP = b"\x1f\x8b"
#: largest tile, unpacked
_MAX_TILE = 50_000_000
#: field of the layers of a tile, of bytes (Mapbox Vector Tile Specification 2.1, 4.1)
_LAYERS = 3 << 3 | 2
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5


def tile_content(data: bytes) -> Optional[bytes]:
    """Return the content of a vector tile, unpacked if it is gzip, or None for anything else, also if it is cut off."""
    if data.startswith(_GZIP):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            data = unpacker.decompress(data, _MAX_TILE)
        except zlib.error:
            return None
        if not unpacker.eof:
            return None
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        length = {_VARINT: 0, _FIXED_64: 8, _FIXED_32: 4}.get(tag & 7)
        if tag & 7 in (_VARINT, _BYTES):
            value, position = _varint(data, position)
            length = value if tag & 7 == _BYTES else 0
        # groups are in no tile
        if length is None or position < 0 or tag >> 3 == 0 or (tag >> 3 == 3 and tag != _LAYERS):
            return None
        position += length
    return data if position == len(data) else None


def _varint(data: bytes, position: int) -> Tuple[int, int]:
    """Return a number of variable length and the place behind it, which is negative if the data end within it."""
    value = 0
    for shift in range(0, 70, 7):
        if not 0 <= position < len(data):
            break
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
    return 0, -len(data) - 1


def _proof(source: LayerSource) -> SourceProof:
    """Return that its tiles are fetched, if all of them are of one address that is understood."""
    parameters = encoded_parameters(source.text)
    is_known = parameters.get("type") == "xyz" and not parameters.get("serviceType") and not any(
        name.startswith("url_") for name in parameters)
    is_known = is_known and source.provider.lower() in ("vectortile", "xyzvectortiles")
    return SourceProof.WATCHED if is_known and is_template(source.address) else SourceProof.UNCHECKED


KIND = LayerSourceKind(SourceType.VECTOR_TILES, service_reader(SourceType.VECTOR_TILES, *VECTOR_TILE_PROVIDERS),
                       proof=_proof, draws=draws_tiles, terms=tile_terms)
