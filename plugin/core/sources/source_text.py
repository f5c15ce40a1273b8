"""Source texts of layers in QGIS: their parameters, and the files and addresses in them."""

from __future__ import annotations

import re
from typing import Callable, Dict, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import quote, unquote, urlsplit

from ..addresses import is_web_address
from ..json_document import without_surrogates
from .layer_source import LayerSource, SourceType

FILE_PROVIDERS = frozenset(("gdal", "ogr", "delimitedtext", "gpx", "mdal", "pdal", "ept", "copc", "vpc"))
VECTOR_TILE_PROVIDERS = frozenset(("vectortile", "xyzvectortiles", "mbtilesvectortiles", "arcgisvectortileservice",
                                   "vtpkvectortiles"))
#: one parameter of a connection string: name='quoted value', name="quoted value" or name=value
_QUOTED_PARAMETER = re.compile(
    r"""(?<![\w-])([\w-]+)=(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]\S*)?)""", re.DOTALL)
#: characters that QGIS does not encode
_PLAIN = ":/?{},;@!$'()*~+"
#: prefixes of GDAL in front of an address, and of its drivers of web services
_GDAL_PREFIX = re.compile(r"^(?:/vsi(?:curl|curl_streaming|zip|gzip|tar|cached)/|"
                          r"(?:WFS|OAPIF|WCS|WMS|WMTS|GeoJSON|COPC|PLSCENES|CSV):)+", re.IGNORECASE)


def encoded_pairs(source: str) -> List[Tuple[str, str]]:
    """Return names and values of an encoded source (``name=value&name=value``), as QGIS's providers request them.

    Unlike in a form, ``+`` is a plain character. ``QgsDataSourceUri`` of QGIS 3.40 leaves some characters encoded.
    """
    parts = (part.partition("=") for part in source.split("&") if part)
    return [(unquote(name), unquote(value)) for name, _, value in parts]


def encoded_parameters(source: str) -> Dict[str, str]:
    """Return the parameters of an encoded source, the last value of each name: QGIS goes by that."""
    return dict(encoded_pairs(source))


def encoded_source(pairs: Iterable[Tuple[str, str]] = (), /, **parameters: str) -> str:
    """Return the source with these names and values, which ``encoded_pairs`` returns again, sorted by name.

    ``QgsDataSourceUri`` writes ``%2B`` in an address as it stands, so that QGIS requests ``+``. QGIS 3.40 leaves braces
    and question marks that are encoded as they are: tiles are blank, and no service answers.
    """
    return "&".join(f"{quote(name, safe=_PLAIN)}={quote(without_surrogates(value), safe=_PLAIN)}"
                    for name, value in sorted((*pairs, *parameters.items()), key=lambda pair: pair[0]))


def layer_names(source: str) -> Tuple[str, ...]:
    """Return the layers of a map service in an encoded source, bottom first: QGIS writes the topmost first."""
    return tuple(value for name, value in reversed(encoded_pairs(source)) if name == "layers" and value)


def is_local(address: str) -> bool:
    """Return whether QGIS's WMS provider reads files at this address."""
    return address.lower().startswith("file:")


def is_of_tiles(parameters: Mapping[str, str]) -> bool:
    """Return whether the parameters of QGIS's WMS provider name tiles, or what lies in a file."""
    is_tiles = parameters.get("tileMatrixSet") or parameters.get("type", "").lower() in ("xyz", "mbtiles")
    return bool(is_tiles) or is_local(parameters.get("url", ""))


def quoted_parameters(source: str) -> Dict[str, str]:
    """Return the parameters of a connection string (``name='value' name=value``), the first value of each name."""
    found: Dict[str, str] = {}
    for name, single, double, bare in _QUOTED_PARAMETER.findall(source):
        found.setdefault(name, re.sub(r"\\(.)", r"\1", single or double) or bare)
    return found


def service_parameters(source: str) -> Dict[str, str]:
    """Return the parameters of a service's source, however it is written, its address as ``url``."""
    is_connection_string = re.search(r"(?<![\w-])[\w-]+=['\"]", source) is not None
    parameters = quoted_parameters(source) if is_connection_string else encoded_parameters(source)
    if not parameters.get("url") and is_web_address(source):
        parameters["url"] = source.strip()
    return parameters


def service_source(kind: SourceType, source: str) -> Optional[LayerSource]:
    """Return the source of a service, with the layer that its parameters name, or None for one of a local file."""
    parameters = service_parameters(source)
    address = parameters.get("url", "")
    if address and not is_web_address(address):
        return None
    names = tuple(parameters[key] for key in ("typename", "typeName", "identifier", "layer") if parameters.get(key))[:1]
    style = parameters.get("styleUrl", "")
    return LayerSource(kind, address, names=names, style_address=style if is_web_address(style) else "")


def service_reader(kind: SourceType, *providers: str) -> Callable[[str, str], Optional[LayerSource]]:
    """Return the reader of the sources of a service: of these providers (in lower case), and of GDAL's own driver."""
    def read(provider: str, source: str) -> Optional[LayerSource]:
        if provider in providers:
            return service_source(kind, source)
        return driver_source(kind, source) if provider in ("gdal", "ogr") else None
    return read


def gdal_name(source: str) -> str:
    """Return the path or the address in a source of GDAL's, without the prefixes of its drivers and file systems."""
    bare = _GDAL_PREFIX.sub("", source)
    return encoded_parameters(bare)["url"] if bare.startswith("url=") else bare


def driver_source(kind: SourceType, source: str) -> Optional[LayerSource]:
    """Return the source of a service that GDAL reads by the driver of this kind, such as ``WFS:https://…``, or None."""
    names = {SourceType.OGCAPI_FEATURES: "oapif:"}
    if not source.lower().startswith(names.get(kind, f"{kind.value.lower()}:")):
        return None
    address = gdal_name(source)
    return LayerSource(kind, address.split("|")[0]) if is_web_address(address) else None


def local_path(source: str) -> str:
    """Return the path of the file in a source: without sublayer, driver prefix, query, or ``file:``."""
    path = source.split("|")[0]
    if path.lower().startswith("file:"):
        parts = _path_of(path)
        path = unquote(parts) if parts is not None else path
        # a drive letter of Windows follows the slash
        path = re.sub(r"^/(?=[A-Za-z]:)", "", path)
    named = re.match(r'^[A-Za-z]\w+:"?(?P<file>[^"]+?)"?(?::[^:\\/]*)?$', path)
    if named is not None and not re.match(r"^[A-Za-z]:[\\/]", path):
        # GPKG:/folder/file.gpkg:table, NETCDF:"/folder/file.nc":variable
        path = named.group("file")
    return path


def _path_of(address: str) -> Optional[str]:
    try:
        return urlsplit(address).path
    except ValueError:
        return None
