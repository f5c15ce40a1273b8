"""XYZ: tiles of an address with a place for level, column and row."""

from __future__ import annotations

from typing import Optional

from .layer_source import LayerSource, SourceType
from .source_kind import LayerSourceKind, SourceProof, draws_tiles
from .source_text import encoded_parameters, is_local
from .tile_grid import is_template
from .tilejson import tile_terms


def _read(provider: str, source: str) -> Optional[LayerSource]:
    parameters = encoded_parameters(source)
    is_tiles = provider == "wms" and parameters.get("type", "").lower() == "xyz"
    address = parameters.get("url", "")
    return LayerSource(SourceType.XYZ, address) if is_tiles and not is_local(address) else None


def _proof(source: LayerSource) -> SourceProof:
    """Return that its tiles are fetched, if they are pictures whose addresses are understood."""
    parameters = encoded_parameters(source.text)
    is_known = is_template(source.address) and not parameters.get("interpretation")
    return SourceProof.WATCHED if is_known else SourceProof.UNCHECKED


KIND = LayerSourceKind(SourceType.XYZ, _read, proof=_proof, draws=draws_tiles, draws_images=True, terms=tile_terms)
