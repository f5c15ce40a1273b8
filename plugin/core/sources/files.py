"""Files, of this computer and on the web, and the proof that a file is read without a request."""

from __future__ import annotations

import html
import os
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Iterator, Optional, Tuple

from ..addresses import is_web_address, without_secrets
from ..errors import CartoguideError
from ..request import HttpMethod, Request
from ..trust.files import open_regular
from ..wms.responses.response_validation import ExpectedContent
from . import data_files
from .identity import by_address, by_path
from .layer_source import LayerSource, SourceType
from .source_kind import Documents, FirstRequest, LayerSourceKind, ProviderInfo, SourceProof
from .source_text import (
    FILE_PROVIDERS,
    VECTOR_TILE_PROVIDERS,
    encoded_parameters,
    gdal_name,
    local_path,
    service_parameters,
    service_source,
)
from .tile_hosts import tile_host_info

#: readers of plain files. Those of tilesets refer to further addresses
_PLAIN_READERS = FILE_PROVIDERS - {"vpc"}
_LOCAL_TILES = frozenset(("wms", "vectortile", "xyzvectortiles", "mbtilesvectortiles", "vtpkvectortiles"))
_LOCAL_TYPES = frozenset(("xyz", "mbtiles", "vtpk"))
#: file systems of GDAL that read archives, parts of files and memory, all of which may lie on another one
_LOCAL_FILE_SYSTEMS = frozenset(("zip", "gzip", "tar", "7z", "rar", "mem", "subfile"))
_FILE_SYSTEM = re.compile(r"[/\\]vsi(\w+)", re.IGNORECASE)
_LOCAL_PREFIX = re.compile(r"(?:/vsi(?:zip|gzip|tar|7z|rar)/\{?|/vsisubfile/[\d_]+,)+", re.IGNORECASE)
#: a driver's prefix with a file, the way that MDAL and GDAL write it
_QUOTED_FILE = re.compile(r'\w{2,}:"([^"]+)"')
#: an address with a scheme, which is longer than a drive's letter
_ADDRESS = re.compile(r"(?<![A-Za-z0-9])(?!file:)[A-Za-z][A-Za-z0-9+.-]+://", re.IGNORECASE)
#: the root of a file that describes data elsewhere, which GDAL looks for anywhere at the file's beginning, and the
#: overviews of a GeoTIFF that lie elsewhere. Its metadata begin like a description
_DESCRIPTION = re.compile(r"<(?:\w+:)?(VRTDataset|OGRVRTDataSource|GDAL(?!Metadata\b)\w+|WCS_GDAL|"
                          r"OGRWFSDataSource|MRF_META|TileMap|WMS_Tile_Service|(?:WMS_|WMT_MS_|WFS_|WCS_)?Capabilities)\b|\"OVERVIEW_FILE\"")
_VIRTUAL = ("VRTDataset", "OGRVRTDataSource")
_REFERENCE = re.compile(r"<(?:SourceFilename|SrcDataSource|SourceDataset)\b[^>]*>([^<]*)<")
#: an address in a description, and what only looks like one that data comes from: names of XML, and comments
_NAMED_ADDRESS = re.compile(r"(?<![a-z0-9])(?:(?:https?|ftp)://|[/\\]vsi\w+[/?])[^\s\"'<>]+", re.IGNORECASE)
_NO_SOURCE = re.compile(r"\s(?:xmlns(?::\w+)?|(?:\w+:)?(?:schemaLocation|noNamespaceSchemaLocation))\s*=\s*"
                        r"(?:\"[^\"]*\"|'[^']*')|<!--.*?-->|<!DOCTYPE[^>]*>", re.DOTALL)
#: suffixes of files that describe data elsewhere, and are read as far as they can be
_DESCRIPTION_SUFFIXES = (".vrt", ".xml", ".wms", ".wmts", ".wcs", ".tms", ".mrf", ".json", ".gti", ".vpc")
#: catalogues of assets and of parts of files, which GDAL opens as mosaics
_ASSETS = re.compile(r'"(?:stac_version|tile_matrix_links|item_assets|refs)"')
#: indexes of files, which GDAL opens as mosaics
_INDEX = re.compile(r"(?:GTI|STACIT|STACTA):|.*\.gti\.\w+\Z", re.IGNORECASE | re.DOTALL)
#: a file on the web in a format that names no others, and what stands behind it: a layer or a filter
_ONE_WEB_FILE = re.compile(r"(?:/vsicurl/)?https?://[^|?#]+(?P<end>\.(?:tiff?|geojson|json|gpkg|fgb|png|jpe?g))"
                           r"(?:\?[^|#]*)?(?P<rest>(?:\|(?:layername|subset|geometrytype)=.*)?)",
                           re.IGNORECASE | re.DOTALL)
_MAX_DESCRIPTION, _HEAD_BYTES, _MAX_DEPTH = 4_000_000, 4096, 4


def file_proof(source: LayerSource) -> SourceProof:
    """Return whether a layer reads nothing but files of this computer, and so is complete without a request."""
    provider = source.provider.lower()
    is_local = (_is_local_file(source.text, source.path) if provider in _PLAIN_READERS
                else provider in _LOCAL_TILES and _is_local_tileset(source.text))
    return SourceProof.LOCAL if is_local else SourceProof.UNCHECKED


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
    return file != "" and (os.path.isdir(file) or _is_local_description(file, 0))


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


def _is_local_description(file: str, depth: int) -> bool:
    try:
        state = os.stat(file)
        return _description_is_local(file, state.st_mtime_ns, state.st_size, depth)
    except (OSError, ValueError, CartoguideError):
        return False


@dataclass(frozen=True)
class _Description:
    """A file that says where data is.

    ``references`` are the files and addresses that a virtual dataset (``is_virtual``) is made of. Of another one they
    are the addresses in it. One that is too large to be read has none.
    """

    is_virtual: bool
    references: Tuple[str, ...] = ()


@lru_cache(maxsize=512)
def _description(file: str, _changed: int, size: int) -> Optional[_Description]:
    """Return the description of data elsewhere that a file is, or None for one that is data itself.

    Raises UnusableFile unless it is a regular file.
    """
    with open_regular(file) as stream:
        head = stream.read(_HEAD_BYTES)
        text = head.decode("utf-8", "replace").lstrip("\ufeff")
        described = _DESCRIPTION.search(text)
        if described is None and not (text.lstrip().startswith("{") and file.lower().endswith("json")):
            return None
        if size > _MAX_DESCRIPTION:
            return _Description(False) if described is not None else None
        text = (head + stream.read()).decode("utf-8", "replace").lstrip("\ufeff")
    if described is None and _ASSETS.search(text) is None:
        return None
    is_virtual = described is not None and described.group(1) in _VIRTUAL
    named = _REFERENCE.findall(text) if is_virtual else _NAMED_ADDRESS.findall(_NO_SOURCE.sub("", text))
    return _Description(is_virtual, tuple(dict.fromkeys(html.unescape(one).strip() for one in named)))


@lru_cache(maxsize=512)
def _description_is_local(file: str, changed: int, size: int, depth: int) -> bool:
    """Return whether a file is data itself, or describes data of this computer alone."""
    found = _description(file, changed, size)
    if found is None:
        return True
    return found.is_virtual and depth < _MAX_DEPTH and bool(found.references) and all(
        _reference_is_local(reference, file, depth) for reference in found.references)


def _reference_is_local(reference: str, file: str, depth: int) -> bool:
    """Return whether a virtual dataset refers to plain local data. Nested descriptions are read as well."""
    if not reference or not _names_local_files(reference) or reference.startswith("<") or _INDEX.match(reference):
        return False
    if not reference.lower().endswith(_DESCRIPTION_SUFFIXES):
        return re.match(r"[A-Za-z]\w+:", reference) is None or _file_of_driver(reference)
    return _is_local_description(str(Path(file).parent / reference), depth + 1)


def _file_of_driver(reference: str) -> bool:
    """Return whether a reference with a driver's prefix names a local file (``NETCDF:"/folder/file.nc":variable``)."""
    found = _read_file("gdal", reference)
    return found is not None and _existing_file(found.path) != ""


#: services whose layers may lie in a file instead
_OF_FILES_TOO = VECTOR_TILE_PROVIDERS | {"wms", "wfs", "oapif", "wcs", "geonode", "arcgismapserver",
                                         "arcgisfeatureserver"}
#: other layers that are a file on the web, or in one of this computer, with parameters
_WITH_PARAMETERS = frozenset(("cesiumtiles", "tiledmesh", "quantizedmesh", "sensorthings"))
#: what leads to the web, wherever it stands in a source: behind drivers, in braces, in a description
_ELSEWHERE = re.compile(r"(?<![a-z0-9])(?:https?|ftp)://|[/\\]vsi(?:curl|s3|gs|az|adls|oss|swift|hdfs|webhdfs)"
                        r"(?:_streaming)?[/?]", re.IGNORECASE)
#: drivers of GDAL that read web services, some of them without an address. Some read local capabilities as well
_WEB_DRIVER = re.compile(r"(?:AmigoCloud|Carto|Cloudant|CouchDB|CSW|DAAS|EEDAI?|Elastic|ES|GFT|NGW|OAPIF|OGCAPI|"
                         r"PLMosaic|PLScenes|WCS|WFS3?|WMTS?):(?![\"']?(?:\.{0,2}|[A-Za-z]:)[\\/])", re.IGNORECASE)
#: descriptions in a virtual dataset that are looked into for an address on the web
_MAX_NESTED = 100
#: bytes of a file on the web that are requested first
_FIRST_BYTES = 16_384


def _read_file(provider: str, source: str) -> Optional[LayerSource]:
    if provider in FILE_PROVIDERS:
        return None if _is_elsewhere(provider, source) else LayerSource(
            SourceType.FILE, path="" if _is_content(source) else local_path(gdal_name(source)))
    if provider in _OF_FILES_TOO | _WITH_PARAMETERS:
        address = service_parameters(source).get("url", "")
        return LayerSource(SourceType.FILE, path=local_path(address)) if not is_web_address(address) and (
            address or provider == "wms") else None
    return None


def _is_elsewhere(provider: str, source: str) -> bool:
    """Return whether a file's source leads to the web. Its features, filter and columns may name any address."""
    # readers of text have their columns behind the file
    by_gdal = provider in ("gdal", "ogr")
    named = source.partition("|")[0] if by_gdal else source.partition("?")[0]
    if by_gdal and _WEB_DRIVER.match(source):
        return True
    return not source.startswith("{") and _ELSEWHERE.search(source if _is_content(source) else named) is not None


def _is_content(source: str) -> bool:
    """Return whether the source holds features or a description itself instead of a file's name."""
    return source.lstrip().startswith(("{", "<"))


def as_described(source: LayerSource) -> LayerSource:
    """Return the source that a file of this computer describes, else ``source`` itself.

    That is a file on the web, with the first address in the description or "" where it names none, and with the path of
    the description. Only for layers that QGIS has opened: the file is read, within limits. Nothing is requested.
    """
    if source.type is not SourceType.FILE:
        return source
    # options of vrt:// and of capabilities behind the file
    path = re.sub(r"^/{2,}", "/", re.split(r"\?|,\w+=", source.path, maxsplit=1)[0])
    if not path.lower().endswith(_DESCRIPTION_SUFFIXES):
        return source
    address = _web_address_in(path, 0)
    return replace(source, type=SourceType.WEB_FILE, address=address) if address is not None else source


def _web_address_in(file: str, depth: int) -> Optional[str]:
    """Return the first http(s) address that a file takes data from, "" for another place on the web, None for none."""
    try:
        state = os.stat(file)
        return _described_address(file, state.st_mtime_ns, state.st_size, depth)
    except (OSError, ValueError, CartoguideError):
        return None


@lru_cache(maxsize=2048)
def _described_address(file: str, changed: int, size: int, depth: int) -> Optional[str]:
    found, nested, elsewhere = _description(file, changed, size), 0, False
    for reference in found.references if found is not None else ():
        if _is_elsewhere("gdal", reference):
            address = gdal_name(reference).partition("|")[0]
            if is_web_address(address):
                return without_secrets(address)
            elsewhere = True
        elif reference.lower().endswith(_DESCRIPTION_SUFFIXES) and depth < _MAX_DEPTH and nested < _MAX_NESTED:
            nested += 1
            inner = _web_address_in(str(Path(file).parent / reference), depth + 1)
            if inner:
                return inner
            elsewhere = elsewhere or inner is not None
    return "" if elsewhere else None


def is_cut_short(source: LayerSource) -> bool:
    """Return whether a layer reads a file of this computer that says that it is longer than it is.

    Of a virtual dataset these are the files that it names too.
    """
    name = re.search(r"\|layername=([^|]+)", source.text) if os.path.isdir(source.path) else None
    path = os.path.join(source.path, f"{name.group(1)}.shp") if name is not None else source.path
    return source.type is SourceType.FILE and any(map(data_files.is_cut_short, _data_files(path, 0)))


def _data_files(file: str, depth: int) -> Iterator[str]:
    yield file
    if not file.lower().endswith(_DESCRIPTION_SUFFIXES) or depth > _MAX_DEPTH:
        return
    try:
        state = os.stat(file)
        named = _named_files(file, state.st_mtime_ns, state.st_size)
    except (OSError, ValueError, CartoguideError):
        return
    for path in named:
        yield from _data_files(path, depth + 1)


@lru_cache(maxsize=64)
def _named_files(file: str, changed: int, size: int) -> Tuple[str, ...]:
    """Return the files that a virtual dataset names and that may be cut short, or name others."""
    found, folder = _description(file, changed, size), os.path.dirname(file)
    paths = (os.path.join(folder, local_path(gdal_name(reference)))
             for reference in (found.references if found is not None and found.is_virtual else ()))
    return tuple(path for path in paths if path.lower().endswith((*_DESCRIPTION_SUFFIXES, *data_files.SUFFIXES)))


def _identity(source: LayerSource, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Name a file on the web, or one of this computer that describes it: it is the same while it cannot be read."""
    return by_path(replace(source, type=SourceType.FILE), layer_id, folder) if source.path \
        else by_address(source, layer_id, folder)


def _read_web_file(provider: str, source: str) -> Optional[LayerSource]:
    if provider in FILE_PROVIDERS:
        name = gdal_name(source)
        return LayerSource(SourceType.WEB_FILE, name.split("|")[0] if is_web_address(name) else "")
    found = service_source(SourceType.WEB_FILE, source)
    return found if found is not None and (found.address or provider in _WITH_PARAMETERS) else None


def _first_request(address: str) -> FirstRequest:
    return FirstRequest(Request(HttpMethod.GET, address, headers={"Range": f"bytes=0-{_FIRST_BYTES - 1}"}),
                        ExpectedContent.ANY)


def _terms(source: LayerSource, _documents: Documents) -> ProviderInfo:
    """Return the credit of a known host. A file on the web describes itself nowhere else."""
    return tile_host_info(source.address) or ProviderInfo()


def web_file_name(source: LayerSource) -> str:
    """Return a name for a copy of the one file that a layer of GDAL reads from the web, or "" for any other layer."""
    found = _ONE_WEB_FILE.fullmatch(source.text)
    return f"file{found['end'].lower()}" if found is not None and source.by_gdal else ""


def web_file_source(source: LayerSource, path: str) -> str:
    """Return the source of a layer that reads a copy of its file at ``path``."""
    found = _ONE_WEB_FILE.fullmatch(source.text)
    return path + (found["rest"] if found is not None else "")


def _web_file_proof(source: LayerSource) -> SourceProof:
    """Return that a file is fetched as a whole, if it is one that names no others."""
    return SourceProof.WATCHED if web_file_name(source) else file_proof(source)


FILE = LayerSourceKind(SourceType.FILE, _read_file, by_path, file_proof)
WEB_FILE = LayerSourceKind(SourceType.WEB_FILE, _read_web_file, _identity, proof=_web_file_proof, terms=_terms,
                           first_request=_first_request)
