"""Sources of layers: the kind of service, file or database behind a layer, and its address.

Read from the provider's name and the source text of a layer in QGIS, without QGIS.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Dict, Optional, Tuple
from urllib.parse import unquote, urlsplit

from ..addresses import is_web_address
from ..i18n import tr


class SourceType(str, Enum):
    """The kind of source that a layer draws."""

    WMS = "WMS"
    WMTS = "WMTS"
    XYZ = "XYZ"
    VECTOR_TILES = "vector tiles"
    ARCGIS = "ArcGIS"
    WFS = "WFS"
    OGCAPI_FEATURES = "OGC API Features"
    WCS = "WCS"
    WEB_FILE = "web file"
    FILE = "file"
    DATABASE = "database"
    MEMORY = "memory"
    ANNOTATIONS = "annotations"
    OTHER = "other"

    @property
    def is_web(self) -> bool:
        """True for a source that somebody publishes on the web, whose terms may require a credit."""
        return self in _WEB_SOURCES

    @property
    def label(self) -> str:
        """The kind as translated text."""
        return {
            SourceType.VECTOR_TILES: tr("vector tiles"), SourceType.WEB_FILE: tr("file on the web"),
            SourceType.OGCAPI_FEATURES: "OGC API - Features", SourceType.FILE: tr("file"),
            SourceType.DATABASE: tr("database"), SourceType.MEMORY: tr("temporary layer"),
            SourceType.ANNOTATIONS: tr("annotations"), SourceType.OTHER: tr("other source")
        }.get(self, self.value)


_WEB_SOURCES = frozenset((SourceType.WMS, SourceType.WMTS, SourceType.XYZ, SourceType.VECTOR_TILES, SourceType.ARCGIS,
                          SourceType.WFS, SourceType.OGCAPI_FEATURES, SourceType.WCS, SourceType.WEB_FILE))

_PARAMETER_SOURCES = {
    "arcgismapserver": SourceType.ARCGIS, "arcgisfeatureserver": SourceType.ARCGIS, "wfs": SourceType.WFS,
    "oapif": SourceType.OGCAPI_FEATURES, "wcs": SourceType.WCS, "geonode": SourceType.WFS,
    "vectortile": SourceType.VECTOR_TILES, "xyzvectortiles": SourceType.VECTOR_TILES,
    "mbtilesvectortiles": SourceType.VECTOR_TILES, "arcgisvectortileservice": SourceType.VECTOR_TILES,
    "vtpkvectortiles": SourceType.VECTOR_TILES, "cesiumtiles": SourceType.WEB_FILE, "tiledmesh": SourceType.WEB_FILE,
    "quantizedmesh": SourceType.WEB_FILE, "sensorthings": SourceType.WEB_FILE
}
_DATABASES = frozenset(("postgres", "postgresraster", "mssql", "oracle", "hana", "db2", "spatialite", "grass"))
_FILE_PROVIDERS = frozenset(("gdal", "ogr", "delimitedtext", "gpx", "mdal", "pdal", "ept", "copc", "vpc"))
_TEMPORARY = frozenset(("memory", "mesh_memory", "virtual", "virtualraster"))

#: one parameter of a connection string: name='quoted value', name="quoted value" or name=value
_QUOTED_PARAMETER = re.compile(
    r"""(?<![\w-])([\w-]+)=(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]\S*)?)""", re.DOTALL)
#: prefixes of GDAL in front of an address, and of its drivers of web services
_GDAL_PREFIX = re.compile(r"^(?:/vsi(?:curl|curl_streaming|zip|gzip|tar|cached)/|"
                          r"(?:WFS|OAPIF|WCS|WMS|WMTS|GeoJSON|COPC|PLSCENES|CSV):)+", re.IGNORECASE)
_WEB_DRIVERS = {"wfs:": SourceType.WFS, "oapif:": SourceType.OGCAPI_FEATURES, "wcs:": SourceType.WCS,
                "wms:": SourceType.WMS, "wmts:": SourceType.WMTS}
_CLOUD_FILES = ("/vsis3/", "/vsigs/", "/vsiaz/", "/vsioss/", "/vsiswift/")


@dataclass(frozen=True)
class LayerSource:
    """Kind, web address, local path, layers of the service, and style of a layer's source. Absent values are empty."""

    type: SourceType
    address: str = ""
    path: str = ""
    names: Tuple[str, ...] = ()
    style_address: str = ""


def read_source(provider: str, source: str) -> LayerSource:
    """Return the source of a layer from the provider's name and the layer's source text in QGIS."""
    key = provider.lower()
    if key == "wms":
        return _tile_source(source)
    if key in _PARAMETER_SOURCES:
        return _parameter_source(_PARAMETER_SOURCES[key], source)
    if key in _DATABASES:
        return LayerSource(SourceType.DATABASE)
    if key in _TEMPORARY:
        return LayerSource(SourceType.MEMORY)
    if key in _FILE_PROVIDERS:
        return _file_source(source)
    found = _parameter_source(SourceType.WEB_FILE, source)
    return found if found.address else LayerSource(SourceType.OTHER)


def encoded_parameters(source: str) -> Dict[str, str]:
    """Return the parameters of an encoded source (``name=value&name=value``), the first value of each name.

    Unlike in a form, ``+`` is a plain character.
    """
    found: Dict[str, str] = {}
    for part in source.split("&"):
        name, _, value = part.partition("=")
        found.setdefault(unquote(name), unquote(value))
    return found


def quoted_parameters(source: str) -> Dict[str, str]:
    """Return the parameters of a connection string (``name='value' name=value``), the first value of each name."""
    found: Dict[str, str] = {}
    for name, single, double, bare in _QUOTED_PARAMETER.findall(source):
        found.setdefault(name, re.sub(r"\\(.)", r"\1", single or double) or bare)
    return found


def _tile_source(source: str) -> LayerSource:
    """Return the source of a layer of QGIS's WMS provider, which reads WMTS and XYZ too."""
    parameters = encoded_parameters(source)
    address, form = parameters.get("url", ""), parameters.get("type", "").lower()
    if form == "mbtiles" or address.lower().startswith("file:"):
        return LayerSource(SourceType.FILE, path=local_path(address))
    if form == "xyz":
        return LayerSource(SourceType.XYZ, address)
    names = (unquote(part.partition("=")[2]) for part in source.split("&") if part.startswith("layers="))
    return LayerSource(SourceType.WMTS if parameters.get("tileMatrixSet") else SourceType.WMS, address,
                       names=tuple(name for name in names if name))


def _parameter_source(kind: SourceType, source: str) -> LayerSource:
    """Return the source of a layer whose source text has parameters with an address among them."""
    parameters = quoted_parameters(source) if _is_connection_string(source) else encoded_parameters(source)
    address = parameters.get("url") or (source.strip() if is_web_address(source) else "")
    if address and not is_web_address(address):
        return LayerSource(SourceType.FILE, path=local_path(address))
    names = tuple(parameters[key] for key in ("typename", "typeName", "identifier", "layer") if parameters.get(key))[:1]
    style = parameters.get("styleUrl", "")
    return LayerSource(kind, address, names=names, style_address=style if is_web_address(style) else "")


def _is_connection_string(source: str) -> bool:
    return re.search(r"(?<![\w-])[\w-]+=['\"]", source) is not None


def _file_source(source: str) -> LayerSource:
    """Return the source of a layer that GDAL, MDAL or PDAL reads: a local file, or one on the web."""
    lowered = source.lower()
    bare = _GDAL_PREFIX.sub("", source)
    if bare.startswith("url="):
        bare = encoded_parameters(bare)["url"]
    if is_web_address(bare):
        driver = next((kind for prefix, kind in _WEB_DRIVERS.items() if lowered.startswith(prefix)),
                      SourceType.WEB_FILE)
        return LayerSource(driver, bare.split("|")[0])
    if lowered.startswith(_CLOUD_FILES):
        return LayerSource(SourceType.WEB_FILE)
    if re.match(r"^(?:PG|MySQL|MSSQL|OCI|MongoDB\w*):", source, re.IGNORECASE):
        return LayerSource(SourceType.DATABASE)
    if lowered.startswith("/vsimem/"):
        return LayerSource(SourceType.MEMORY)
    return LayerSource(SourceType.FILE, path=local_path(bare))


def local_path(source: str) -> str:
    """Return the path of the file in a source: without sublayer, driver prefix, query, or ``file:``."""
    path = source.split("|")[0]
    if path.lower().startswith("file:"):
        parts = _split(path)
        path = unquote(parts) if parts is not None else path
        # a drive letter of Windows follows the slash
        path = re.sub(r"^/(?=[A-Za-z]:)", "", path)
    named = re.match(r'^[A-Za-z]\w+:"?(?P<file>[^"]+?)"?(?::[^:\\/]*)?$', path)
    if named is not None and not re.match(r"^[A-Za-z]:[\\/]", path):
        # GPKG:/folder/file.gpkg:table, NETCDF:"/folder/file.nc":variable
        path = named.group("file")
    return path


def _split(address: str) -> Optional[str]:
    try:
        return urlsplit(address).path
    except ValueError:
        return None

