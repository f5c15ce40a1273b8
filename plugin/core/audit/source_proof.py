"""The proof that a layer was drawn completely: chosen from its provider and its source, without QGIS.

QGIS reports success for a map on which tiles or features are missing. The export watches the GetMap requests of WMS
layers and refuses a map that lacks one. Files and databases of this computer are read without a request. Nobody watches
anything else, which holds for every kind of source that is not known here.
"""

from __future__ import annotations

import html
import os
import re
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Tuple

from ..errors import CartoguideError
from ..sources.layer_source import SourceType, encoded_parameters, read_source
from ..trust.files import open_regular


class SourceProof(str, Enum):
    """The ways in which a layer is known to be complete on an exported page."""

    WATCHED = "watched"
    LOCAL = "local"
    UNCHECKED = "unchecked"


#: readers of plain files. Those of tilesets refer to further addresses
_FILE_PROVIDERS = frozenset(("gdal", "ogr", "delimitedtext", "gpx", "mdal", "pdal", "ept", "copc"))
_LOCAL_TILES = frozenset(("wms", "vectortile", "xyzvectortiles", "mbtilesvectortiles", "vtpkvectortiles"))
_LOCAL_TYPES = frozenset(("xyz", "mbtiles", "vtpk"))
_MEMORY_PROVIDERS = frozenset(("memory", "mesh_memory"))
#: file systems of GDAL that read archives, parts of files and memory, all of which may lie on another one
_LOCAL_FILE_SYSTEMS = frozenset(("zip", "gzip", "tar", "7z", "rar", "mem", "subfile"))
_FILE_SYSTEM = re.compile(r"[/\\]vsi(\w+)", re.IGNORECASE)
_LOCAL_PREFIX = re.compile(r"(?:/vsi(?:zip|gzip|tar|7z|rar)/\{?|/vsisubfile/[\d_]+,)+", re.IGNORECASE)
#: a driver's prefix with a file, the way that MDAL and GDAL write it
_QUOTED_FILE = re.compile(r'\w{2,}:"([^"]+)"')
#: an address with a scheme, which is longer than a drive's letter
_ADDRESS = re.compile(r"(?<![A-Za-z0-9])(?!file:)[A-Za-z][A-Za-z0-9+.-]+://", re.IGNORECASE)
#: the root of a file that describes data elsewhere, which GDAL looks for anywhere at the file's beginning
_DESCRIPTION = re.compile(r"<(?:\w+:)?(VRTDataset|OGRVRTDataSource|GDAL\w+|WCS_GDAL|OGRWFSDataSource|MRF_META|TileMap|"
                          r"WMS_Tile_Service|(?:WMS_|WMT_MS_|WFS_|WCS_)?Capabilities)\b")
_VIRTUAL = ("VRTDataset", "OGRVRTDataSource")
_REFERENCE = re.compile(r"<(?:SourceFilename|SrcDataSource|SourceDataset)\b[^>]*>([^<]*)<")
#: suffixes of files that describe data elsewhere, and are read as far as they can be
_DESCRIPTION_SUFFIXES = (".vrt", ".xml", ".wms", ".wmts", ".json", ".gti", ".vpc")
#: catalogues of assets and of parts of files, which GDAL opens as mosaics
_ASSETS = re.compile(r'"(?:stac_version|tile_matrix_links|item_assets|refs)"')
#: indexes of files, which GDAL opens as mosaics
_INDEX = re.compile(r"(?:GTI|STACIT|STACTA):|.*\.gti\.\w+\Z", re.IGNORECASE | re.DOTALL)
_MAX_DESCRIPTION, _HEAD_BYTES, _MAX_DEPTH = 4_000_000, 4096, 4


def source_proof(provider: str, source: str) -> SourceProof:
    """Return how a layer with this provider and source text in QGIS is known to be complete.

    Virtual layers count as unchecked, because only QGIS knows what they are made of.
    """
    key, found = provider.lower(), read_source(provider, source)
    if found.type is SourceType.WMS and key == "wms":
        return SourceProof.WATCHED if found.address and _is_matched(found.names) else SourceProof.UNCHECKED
    if found.type is SourceType.DATABASE or key in _MEMORY_PROVIDERS:
        return SourceProof.LOCAL
    is_local = (_is_local_file(source, found.path) if key in _FILE_PROVIDERS
                else key in _LOCAL_TILES and found.type is SourceType.FILE and _is_local_tileset(source))
    return SourceProof.LOCAL if is_local else SourceProof.UNCHECKED


def _is_matched(names: Tuple[str, ...]) -> bool:
    """Return whether the requests of these WMS layers are recognised by their names, which a comma would divide."""
    return bool(names) and not any("," in name for name in names)


def _is_local_tileset(source: str) -> bool:
    """Return whether tiles come from this computer: a local capabilities document leads to addresses elsewhere."""
    return encoded_parameters(source).get("type", "").lower() in _LOCAL_TYPES and _ADDRESS.search(source) is None


def _is_local_file(source: str, path: str) -> bool:
    """Return whether GDAL, MDAL or PDAL reads nothing but a file of this computer."""
    if source.startswith("{"):
        # GeoJSON in the source itself
        return True
    # a filter may name any address, but options of a driver may be one
    first, *parts = source.split("|")
    named = "|".join([first, *(part for part in parts if part.lower().startswith("option:"))])
    if not _names_local_files(named) or _INDEX.match(first):
        return False
    if "/vsimem/" in named.lower():
        return not first.lower().endswith(_DESCRIPTION_SUFFIXES)
    quoted = _QUOTED_FILE.match(first)
    file = _existing_file(quoted.group(1) if quoted else _LOCAL_PREFIX.sub("", path).lstrip("{").replace("}", ""))
    return file != "" and _describes_local_data(file)


def _names_local_files(text: str) -> bool:
    return _ADDRESS.search(text) is None and all(
        name.lower() in _LOCAL_FILE_SYSTEMS for name in _FILE_SYSTEM.findall(text))


def _existing_file(path: str) -> str:
    """Return the file or folder at ``path``, or the archive around it, or "" if nothing is there."""
    if path and os.path.exists(path):
        return path
    # a GPS file's path has options behind it
    path = path.partition("?")[0]
    while path and not os.path.isdir(path):
        if os.path.exists(path):
            return path
        path, former = os.path.dirname(path), path
        if path == former:
            break
    return ""


def _describes_local_data(file: str) -> bool:
    return os.path.isdir(file) or _is_local_description(file, 0)


def _is_local_description(file: str, depth: int) -> bool:
    try:
        state = os.stat(file)
        return _description_is_local(file, state.st_mtime_ns, state.st_size, depth)
    except (OSError, ValueError, CartoguideError):
        return False


@lru_cache(maxsize=512)
def _description_is_local(file: str, _changed: int, size: int, depth: int) -> bool:
    """Return whether a file is data itself, or describes data of this computer alone.

    Raises UnusableFile unless it is a regular file.
    """
    with open_regular(file) as stream:
        head = stream.read(_HEAD_BYTES)
        text = head.decode("utf-8", "replace").lstrip("\ufeff")
        described = _DESCRIPTION.search(text)
        if described is None and not (text.lstrip().startswith("{") and file.lower().endswith("json")):
            return True
        if size > _MAX_DESCRIPTION:
            return described is None
        text = (head + stream.read()).decode("utf-8", "replace").lstrip("\ufeff")
    if described is None:
        return _ASSETS.search(text) is None
    if described.group(1) not in _VIRTUAL or depth >= _MAX_DEPTH:
        return False
    references = dict.fromkeys(html.unescape(reference).strip() for reference in _REFERENCE.findall(text))
    return bool(references) and all(_reference_is_local(reference, file, depth) for reference in references)


def _reference_is_local(reference: str, file: str, depth: int) -> bool:
    """Return whether a virtual dataset refers to plain local data. Nested descriptions are read as well."""
    if not reference or not _names_local_files(reference) or reference.startswith("<") or _INDEX.match(reference):
        return False
    if not reference.lower().endswith(_DESCRIPTION_SUFFIXES):
        return re.match(r"[A-Za-z]\w+:", reference) is None or _file_of_driver(reference)
    return _is_local_description(str(Path(file).parent / reference), depth + 1)


def _file_of_driver(reference: str) -> bool:
    """Return whether a reference with a driver's prefix names a local file (``NETCDF:"/folder/file.nc":variable``)."""
    found = read_source("gdal", reference)
    return found.type is SourceType.FILE and _existing_file(found.path) != ""
