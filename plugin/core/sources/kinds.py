"""The registry of the kinds of sources, which everybody asks."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Dict, Tuple

from . import arcgis, files, local_data, ogcapi_features, vector_tiles, wcs, wfs, wms, wmts, xyz
from .layer_source import LayerSource, SourceType
from .source_kind import LayerSourceKind

OTHER = LayerSourceKind(SourceType.OTHER, lambda _provider, _source: LayerSource(SourceType.OTHER), names_server=True)
#: in the order in which they are asked for a source: services before the files that they may lie in
KINDS = (wms.KIND, wmts.KIND, xyz.KIND, vector_tiles.KIND, arcgis.KIND, wfs.KIND, ogcapi_features.KIND, wcs.KIND,
         local_data.DATABASE, local_data.MEMORY, local_data.VIRTUAL, local_data.ANNOTATIONS, files.FILE,
         files.WEB_FILE, OTHER)
_BY_TYPE: Dict[SourceType, LayerSourceKind] = {kind.type: kind for kind in KINDS}
_MAX_CACHED = 4_000


def kind_of(source: LayerSource) -> LayerSourceKind:
    """Return the kind of a source."""
    return _BY_TYPE[source.type]


def read_source(provider: str, source: str) -> LayerSource:
    """Return the source of a layer from the provider's name and the layer's source text in QGIS."""
    # the features of a temporary layer may stand in its source
    return (_read if len(source) > _MAX_CACHED else _read_cached)(provider, source)


def _read(provider: str, source: str) -> LayerSource:
    found = next(found for kind in KINDS for found in [kind.read(provider.lower(), source)] if found is not None)
    return replace(found, provider=provider, text=source)


_read_cached = lru_cache(maxsize=4096)(_read)


@lru_cache(maxsize=4096)
def source_keys(source: LayerSource, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Return the names of the source of a layer in a project in ``folder``, of which one is enough to know it by."""
    return kind_of(source).identity(source, layer_id, folder)
