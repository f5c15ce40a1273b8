"""Sources of QGIS layers that a foreign document names: which may be opened, and what they lead to.

A source is text for a provider of QGIS, and most providers read much more from it than a path or an address: drivers of
GDAL, virtual file systems, queries, logins, other layers. So nothing is passed on as it was written. A source is read
here by strict rules, and what QGIS opens is written anew from the parts that are known to be harmless. What is not
understood is refused. The rules fail closed: a provider that is not in the tables is refused too.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import Callable, Dict, Iterable, List, Optional, Set, Tuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

from ..addresses import host_of_address, is_internal_host, without_secrets
from ..i18n import tr
from .files import foreign_path_problem

#: the most characters of a source. Those that QGIS writes have some hundred
MAX_SOURCE = 20_000


class ReferenceKind(str, Enum):
    """Kinds of things that a source leads to."""

    FILE = "file"
    SERVER = "server"
    DATABASE = "database"


@dataclass(frozen=True)
class Reference:
    """One thing that a source leads to. ``name`` is a path, the origin of a server, or a database with its host."""

    kind: ReferenceKind
    name: str

    @property
    def is_internal(self) -> bool:
        """True for a server that only this computer or its network can reach, judged by its name."""
        return self.kind is ReferenceKind.SERVER and is_internal_host(host_of_address(self.name))

    @property
    def text(self) -> str:
        """The kind and the name for people."""
        if self.kind is ReferenceKind.FILE:
            return tr("file {name}", name=self.name)
        if self.kind is ReferenceKind.DATABASE:
            return tr("database {name}", name=self.name)
        if self.is_internal:
            return tr("server {name} (this computer or its network)", name=self.name)
        return tr("server {name}", name=self.name)


@dataclass(frozen=True)
class JudgedSource:
    """A source that may be opened after consent, or the reason why not.

    ``provider`` and ``source`` are for QGIS, without logins. ``reference`` is what it leads to. ``problem`` is a
    sentence for people, "" for a source that may be opened. ``address`` is the first request that opening sends, or "".
    """

    provider: str = ""
    source: str = ""
    reference: Optional[Reference] = None
    problem: str = ""
    address: str = ""

    @property
    def path(self) -> str:
        """The path of the file that it opens, or ""."""
        return self.reference.name if self.reference is not None and self.reference.kind is ReferenceKind.FILE else ""


class _Refused(Exception):
    """The source is not opened. The text is a sentence for people."""


def judge_source(layer_type: str, provider: str, source: str) -> JudgedSource:
    """Return whether a foreign layer may be opened, with the source that QGIS opens then.

    ``layer_type`` ("vector", "raster", "mesh", "vector-tile", "point-cloud"), ``provider`` and ``source`` are as QGIS
    names them. Paths must be absolute. Only letters are judged: whether a file is a regular one, and where it lies, is
    for ``files``.
    """
    key = provider.lower() or ("vectortile" if layer_type == "vector-tile" else "")
    names, read = _READERS.get(key, (("", ""), None))
    try:
        if read is None or names[0] != layer_type:
            raise _Refused(_unknown_text(key))
        if len(source) > MAX_SOURCE or re.search(r"[\x00-\x08\x0a-\x1f\x7f]", source):
            raise _Refused(tr("its source is not written as QGIS writes it"))
        return read(names[1], source.strip())
    except _Refused as refusal:
        return JudgedSource(problem=str(refusal))


def _unknown_text(provider: str) -> str:
    if provider in ("virtual", "virtualraster"):
        return tr("it is a virtual layer, which may run a query over other layers and files")
    if provider in ("memory", "mesh_memory"):
        return tr("it was a temporary layer of another project")
    return tr("layers of this kind ({kind}) cannot be checked", kind=provider[:40] or "?")


# -- files

#: a dataset in a GeoPackage, as QGIS names a raster of one: GPKG:/folder/file.gpkg:table
_GEOPACKAGE_RASTER = re.compile(r"GPKG:(?P<path>.+\.gpkg):(?P<table>\w{1,120})", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
#: names by which QGIS's providers choose another driver than GDAL does: an archive is opened whatever else the file is
_FILE_NAMES = {
    "ogr": re.compile(r".*\.(?:gpkg|shp|geojson|json|geojsonl|topojson|fgb|csv|gpx|kml|dxf|ods|xlsx)", re.IGNORECASE),
    "gdal": re.compile(r".*\.(?:tiff?|gpkg|png|jpe?g|jp2|webp|bmp|gif|asc|hgt)", re.IGNORECASE),
    "mdal": re.compile(r".*\.2dm", re.IGNORECASE),
    "delimitedtext": re.compile(r".*\.(?:csv|txt|tsv|dat)", re.IGNORECASE),
    "gpx": re.compile(r".*\.gpx", re.IGNORECASE), "point-cloud": re.compile(r".*\.(?:las|laz)", re.IGNORECASE)}
_NUMBER = re.compile(r"\d{1,9}")
#: options of OGR's sources that choose what is drawn. The filter stands last and may have any characters
_OGR_OPTIONS = {"layername": re.compile(r"[^|\"\\;]{1,200}"), "layerid": _NUMBER,
                "geometrytype": re.compile(r"\w{1,40}"), "uniquegeometrytype": re.compile(r"yes|no")}
_OGR_FILTER = re.compile(r"\|subset=(.*)\Z", re.IGNORECASE | re.DOTALL)


def _file(path: str, kind: str) -> Reference:
    """Return the file, or refuse a path that is relative, a driver's, of another computer, or of an unknown format.

    ``kind`` is a key of ``_FILE_NAMES``.
    """
    problem = foreign_path_problem(path)
    if problem:
        raise _Refused(problem)
    if not _FILE_NAMES[kind].fullmatch(path):
        raise _Refused(tr("its file has a name of a format that may lead to other files. Convert it to GeoPackage or "
                          "GeoTIFF"))
    if not (path.startswith("/") or _DRIVE.match(path)):
        raise _Refused(tr("its source is not the path of a file"))
    return Reference(ReferenceKind.FILE, os.path.normpath(path).replace("\\", "/") if _DRIVE.match(path)
                     else os.path.normpath(path))


def _ogr(provider: str, source: str) -> JudgedSource:
    found = _OGR_FILTER.search(source)
    condition = found[1] if found else ""
    path, *options = (source[:found.start()] if found else source).split("|")
    file = _file(path, "ogr")
    kept = []
    for option in options:
        name, _, value = option.partition("=")
        pattern = _OGR_OPTIONS.get(name.lower())
        if pattern is None or not pattern.fullmatch(value):
            raise _Refused(tr("its source has the option “{name}”, which is not known to be harmless", name=name[:40]))
        kept.append(f"|{name}={value}")
    subset = f"|subset={_condition(condition)}" if condition.strip() else ""
    return JudgedSource(provider, file.name + "".join(kept) + subset, file)


def _gdal(provider: str, source: str) -> JudgedSource:
    package = _GEOPACKAGE_RASTER.fullmatch(source)
    if package:
        file = _file(package["path"], "gdal")
        return JudgedSource(provider, f"GPKG:{file.name}:{package['table']}", file)
    file = _file(source, "gdal")
    return JudgedSource(provider, file.name, file)


def _mesh(provider: str, source: str) -> JudgedSource:
    file = _file(source, "mdal")
    return JudgedSource(provider, file.name, file)


def _gpx(provider: str, source: str) -> JudgedSource:
    path, _, query = source.partition("?")
    part = re.fullmatch(r"type=(waypoint|route|track)", query)
    if part is None:
        raise _Refused(tr("its source is not written as QGIS writes it"))
    file = _file(path, "gpx")
    return JudgedSource(provider, f"{file.name}?type={part[1]}", file)


def _point_cloud(provider: str, source: str) -> JudgedSource:
    if source.lower().startswith(("http://", "https://")):
        return _server(provider, source, source)
    # a file of other names may be a pipeline, which is a program
    file = _file(source, "point-cloud")
    return JudgedSource(provider, file.name, file)


_TEXT_OPTIONS = frozenset((
    "type", "delimiter", "quote", "escape", "skiplines", "skipemptyfields", "trimfields", "maxfields", "useheader",
    "detecttypes", "encoding", "decimalpoint", "crs", "geomtype", "xfield", "yfield", "zfield", "mfield", "wktfield",
    "xydms", "booleantrue", "booleanfalse", "spatialindex", "subsetindex", "subset", "quiet", "field"))


def _delimited_text(provider: str, source: str) -> JudgedSource:
    address, _, query = source.partition("?")
    parts = _split(address)
    if parts is None or parts.scheme.lower() != "file" or parts.netloc:
        raise _Refused(tr("its source is not the path of a file"))
    path = unquote(parts.path)
    file = _file(path[1:] if _DRIVE.match(path[1:]) else path, "delimitedtext")
    kept = []
    for name, value in _pairs(query, unique=False):
        if name.lower() not in _TEXT_OPTIONS or (name.lower() == "type" and value not in ("csv", "whitespace",
                                                                                         "plain")):
            # the patterns of another type may take for ever
            raise _Refused(tr("its source has the option “{name}”, which is not known to be harmless", name=name[:40]))
        if name.lower() == "subset":
            value = _condition(value)
        kept.append(f"{name}={quote(value, safe='')}")
    start = "file://" if file.name.startswith("/") else "file:///"
    return JudgedSource(provider, f"{start}{quote(file.name, safe='/:')}?{'&'.join(kept)}", file)


# -- conditions

#: words of a condition that may stand before a bracket
_CONDITION_WORDS = frozenset(("and", "or", "not", "in", "like", "ilike", "is", "null", "between", "true", "false"))
_CONDITION = re.compile(
    r"""\s+|(?<![\w'"])'(?:[^'\\]|'')*'(?!['\w"])|"(?:[^"\\]|"")*"|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|<=|>=|<>|!=|[=<>+\-*/%(),]|"""
    r"(?P<word>[^\W\d]\w*)(?P<call>\s*\()?")
_MAX_CONDITION = 4_000
#: the pattern of LIKE is a text with one wildcard, and one at its end: another multiplies GDAL's time by the length
_PATTERN = re.compile(r"\s*'(?:[^'%]|''){0,400}(?:%(?:[^'%]|''){0,400})?%?'(?!')")
#: words that begin a query of its own, in any place
_QUERY_WORDS = frozenset(("select", "with", "union", "from", "attach", "pragma", "exec", "execute"))


def _condition(text: str) -> str:
    """Return a filter of features, or refuse one that does more than compare values: it would be run by a database."""
    position = 0
    while position < len(text) and len(text) <= _MAX_CONDITION:
        found = _CONDITION.match(text, position)
        word = (found["word"] or "").lower() if found else ""
        if found is None or word in _QUERY_WORDS or (found["call"] and word not in _CONDITION_WORDS) \
                or text.startswith(("--", "/*", "*/"), position) \
                or word in ("like", "ilike") and not _PATTERN.match(text, found.end()):
            break
        position = found.end()
    if position < len(text):
        raise _Refused(tr("its filter does more than compare values"))
    return text


# -- services

_HOST = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")


def _server(provider: str, source: str, address: str) -> JudgedSource:
    """Return a source of the server at ``address``, or refuse an address that is not http or https."""
    parts = _split(address)
    place = _HOST.fullmatch(parts.netloc) if parts is not None else None
    # letters of other forms stand for plain ones: the name that is asked about must be the one that is requested
    if parts is None or parts.scheme.lower() not in ("http", "https") or place is None \
            or not 0 < int(place["port"] or 80) < 65_536 or re.search(r"[\s\"'<>\\^`|]", address) \
            or unicodedata.normalize("NFKC", parts.netloc) != parts.netloc:
        raise _Refused(tr("its address is not one of the web (http or https)"))
    return JudgedSource(provider, source, Reference(ReferenceKind.SERVER, f"{parts.scheme.lower()}://{parts.netloc}"),
                        address=address)


def _named(*names: str) -> Dict[str, str]:
    """Return options by their names in lower case, as QGIS spells them: it ignores those that are spelt otherwise."""
    return {name.lower(): name for name in names}


_RASTER_SERVICE_OPTIONS = _named(
    "url", "layers", "styles", "format", "crs", "dpiMode", "featureCount", "contextualWMSLegend", "maxWidth",
    "maxHeight", "tileMatrixSet", "tileDimensions", "type", "zmin", "zmax",
    "tilePixelRatio", "interpretation", "IgnoreAxisOrientation", "InvertAxisOrientation", "SmoothPixmapTransform",
    "IgnoreReportedLayerExtents", "opacities", "timeDimensionExtent", "referenceTimeDimensionExtent",
    "allowTemporalUpdates", "temporalSource", "enableTime", "identifier", "time", "version", "cache", "bilinear")
_VECTOR_TILE_OPTIONS = _named("type", "url", "zmin", "zmax", "serviceType", "layer", "format")
#: options that are left out: sizes of pieces, and those that are set below
_OWN_CHOICE = frozenset(("stepwidth", "stepheight", "ignoregetmapurl", "ignoregetfeatureinfourl",
                         "ignoregetcoverageurl"))
_THIS_SERVER = {"wms": ("IgnoreGetMapUrl", "IgnoreGetFeatureInfoUrl"),
                "wcs": ("IgnoreGetCoverageUrl", "IgnoreGetMapUrl")}
#: pixels of an image's side, 256 at least
_LEAST_IMAGE = re.compile(r"(?:25[6-9]|2[6-9]\d|[3-9]\d\d|\d{4,6})")
#: options that may stand several times, in the order of the layers
_REPEATED = ("layers", "styles", "opacities")
#: options with a login, or with headers of a request: they are left out, and the layer is opened without
_LOGINS = re.compile(r"authcfg|username|user|password|referer|http-header(:.*)?|api[-_]?key|token|styleurl",
                     re.IGNORECASE)


def _encoded(options: Dict[str, str], forms: Tuple[str, ...]) -> Callable[[str, str], JudgedSource]:
    """Return the reader of sources with encoded parameters (``name=value&…``), of these forms (parameter "type")."""
    def read(provider: str, source: str) -> JudgedSource:
        kept: List[str] = []
        values: Dict[str, str] = {}
        for name, value in _pairs(source):
            key = name.lower()
            if _LOGINS.fullmatch(key) or key in _OWN_CHOICE:
                continue
            if key not in options:
                raise _Refused(tr("its source has the option “{name}”, which is not known to be harmless",
                                  name=name[:40]))
            if key == "tilematrixset" and not value:
                continue
            if key == "url":
                value = without_secrets(value)
            elif key == "type":
                value = value.lower()
            values[key] = value
            # braces as they are: QGIS 3.40 draws nothing for an address of tiles with encoded ones
            kept.append(f"{options[key]}={quote(value, safe='/:{}' if key == 'url' else '/:,.')}")
        if values.get("type", "") not in forms:
            raise _Refused(tr("layers of this kind ({kind}) cannot be checked", kind=values["type"][:40]))
        if any(not _LEAST_IMAGE.fullmatch(values[name]) for name in ("maxwidth", "maxheight") if name in values):
            raise _Refused(tr("it asks its server for very many images"))
        if provider in ("wms", "wcs") and values.get("type", "") != "xyz" and "tilematrixset" not in values:
            # the server that was named is asked, and not those that its capabilities name
            kept += [f"{name}=1" for name in _THIS_SERVER[provider]]
        return _server(provider, "&".join(kept), values.get("url", ""))
    return read


_QUOTED_OPTIONS = {
    "WFS": _named("url", "typename", "version", "srsname", "pagingEnabled", "pageSize", "maxNumFeatures",
                  "preferCoordinatesForWfsT11", "restrictToRequestBBOX", "filter", "IgnoreAxisOrientation",
                  "InvertAxisOrientation", "hideDownloadProgressDialog", "geometryTypeFilter", "outputformat",
                  "skipInitialGetFeature", "featureMode", "type"),
    "arcgisfeatureserver": _named("url", "crs", "bbox", "type", "sql", "layer"),
    "arcgismapserver": _named("url", "crs", "format", "layer"),
}
_QUOTED_OPTIONS["OAPIF"] = _QUOTED_OPTIONS["WFS"]


def _quoted(provider: str, source: str) -> JudgedSource:
    """Read the source of a service with quoted parameters (``name='value' …``)."""
    if source.lower().startswith(("http://", "https://")):
        # WFS layers of former versions of QGIS, which takes logins from the address
        address, mark, query = without_secrets(source).partition("?")
        kept = [part for part in query.split("&") if not _LOGINS.fullmatch(unquote(part.partition("=")[0]).strip())]
        address += mark + "&".join(kept)
        return _server(provider, address, address)
    values: Dict[str, str] = {}
    for name, value in _quoted_parameters(source):
        if _LOGINS.fullmatch(name) or name.lower() == "table" or (name.lower() == "sql" and not value):
            # QGIS writes an empty table into the source of any service
            continue
        key = name.lower()
        if key not in _QUOTED_OPTIONS[provider]:
            raise _Refused(tr("its source has the option “{name}”, which is not known to be harmless", name=name[:40]))
        if key == "sql" or (key == "filter" and not value.lstrip().startswith("<")):
            # QGIS evaluates it as an expression. A filter of OGC's is sent as it is
            value = _condition(value)
        values[_QUOTED_OPTIONS[provider][key]] = value
    address = values["url"] = without_secrets(values.get("url", ""))
    if provider == "WFS":
        # for others QGIS, from 3.44 on, reads schemas wherever the server says
        values["featureMode"] = "simpleFeatures"
    # the condition is not quoted and takes all that follows
    condition = values.pop("sql", "")
    written = " ".join(f"{name}='{_escaped(value)}'" for name, value in values.items())
    return _server(provider, f"{written} sql={condition}" if condition else written, address)


# -- databases

#: names with capitals of QGIS's are spelt as it reads them
_DATABASE_NAMES = {"checkprimarykeyunicity": "checkPrimaryKeyUnicity"}
_DATABASE_OPTIONS = {"dbname": re.compile(r"[\w .-]{1,120}"), "host": re.compile(r"[\w.:-]{0,250}"),
                     "port": re.compile(r"\d{0,5}"), "user": re.compile(r"[\w .@-]{0,120}"),
                     "sslmode": re.compile(r"[a-zA-Z-]{0,20}"), "key": re.compile(r"[\w\"', .-]{0,300}"),
                     "srid": _NUMBER, "type": re.compile(r"\w{0,40}"), "estimatedmetadata": re.compile(r"\w{0,8}"),
                     "checkprimarykeyunicity": re.compile(r"\w{0,8}"), "selectatid": re.compile(r"\w{0,8}")}
#: the login of a database without one of its own
_NOBODY = "guest"
_TABLE = re.compile(r'"(?:[^"]|"")+"(?:\."(?:[^"]|"")+")?(?:\s*\([\w "]{1,120}\))?')


def _database(provider: str, source: str) -> JudgedSource:
    """Read the source of a table of PostgreSQL or SQL Server, without its login."""
    kept: List[str] = []
    values: Dict[str, str] = {}
    for name, value in _quoted_parameters(source):
        key = name.lower()
        if key in ("authcfg", "password"):
            continue
        if key == "table" and _TABLE.fullmatch(value):
            kept.append(f"table={value}")
        elif key == "sql":
            if value.strip():
                kept.append(f"sql={_condition(value)}")
        elif key in _DATABASE_OPTIONS and _DATABASE_OPTIONS[key].fullmatch(value):
            kept.append(f"{_DATABASE_NAMES.get(key, key)}='{_escaped(value)}'")
        else:
            # a query in place of a table, a service file with a login, a certificate
            raise _Refused(tr("its source has the option “{name}”, which is not known to be harmless", name=name[:40]))
        values[key] = value
    if not values.get("dbname") or "table" not in values:
        raise _Refused(tr("its source is not written as QGIS writes it"))
    place = f"{values.get('host') or 'localhost'}" + (f":{values['port']}" if values.get("port") else "")
    if provider == "postgres" and values.get("host") and not values["host"].startswith("/"):
        # libpq would send the person's name in the system, and a password of the environment or of a file
        kept += ([] if values.get("user") else [f"user='{_NOBODY}'"]) + [f"password='{_NOBODY}'"]
    # the condition takes all that follows
    kept.sort(key=lambda part: part.startswith("sql="))
    return JudgedSource(provider, " ".join(kept), Reference(ReferenceKind.DATABASE, f"{values['dbname']} ({place})"))


# -- parameters

_NAME = re.compile(r"\s*([A-Za-z_][\w:-]*)\s*=\s*")
_VALUE = re.compile(r"'((?:[^'\\]|\\.)*)'(?=\s|$)|\"((?:[^\"\\]|\\.)*)\"(?=\s|$)|([^\s'\"()]*)(?=\s|$)", re.DOTALL)


def _quoted_parameters(source: str) -> Iterable[Tuple[str, str]]:
    """Yield the parameters of a connection string as ``QgsDataSourceUri`` reads it. Each may stand once."""
    position = 0
    seen: Set[str] = set()
    while source[position:].strip():
        found = _NAME.match(source, position)
        if found is None:
            raise _Refused(tr("its source is not written as QGIS writes it"))
        name, position = found[1], found.end()
        if name.lower() in seen:
            raise _Refused(tr("its source has the option “{name}” twice", name=name[:40]))
        seen.add(name.lower())
        if name.lower() == "sql":
            yield name, source[position:].strip()
            return
        if name.lower() == "table" and source[position:position + 2] != '""':
            table = _TABLE.match(source, position)
            if table is None:
                raise _Refused(tr("its source is a query in place of a table"))
            yield name, table[0]
            position = table.end()
            continue
        value = _VALUE.match(source, position)
        if value is None:
            raise _Refused(tr("its source is not written as QGIS writes it"))
        yield name, re.sub(r"\\(.)", r"\1", value[1] if value[1] is not None else value[2] or "") or value[3] or ""
        position = value.end()


def _escaped(value: str) -> str:
    return re.sub(r"(['\\])", r"\\\1", value)


def _pairs(query: str, unique: bool = True) -> Iterable[Tuple[str, str]]:
    """Yield the decoded parameters of an encoded source. With ``unique`` all but those of layers may stand once."""
    seen: Set[str] = set()
    for part in query.split("&") if query else ():
        name, mark, value = part.partition("=")
        name = unquote(name)
        if not re.fullmatch(r"[A-Za-z][\w:-]{0,60}", name):
            raise _Refused(tr("its source is not written as QGIS writes it"))
        if unique and name.lower() in seen and name.lower() not in _REPEATED:
            raise _Refused(tr("its source has the option “{name}” twice", name=name[:40]))
        seen.add(name.lower())
        decoded = unquote(value)
        if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", decoded):
            raise _Refused(tr("its source is not written as QGIS writes it"))
        yield name, decoded


def _split(address: str) -> Optional[SplitResult]:
    try:
        return urlsplit(address)
    except ValueError:
        return None


#: by provider in lower case: (type of layer, the provider's name in QGIS), and what reads its sources
_READERS: Dict[str, Tuple[Tuple[str, str], Callable[[str, str], JudgedSource]]] = {
    "ogr": (("vector", "ogr"), _ogr),
    "delimitedtext": (("vector", "delimitedtext"), _delimited_text),
    "gpx": (("vector", "gpx"), _gpx),
    "gdal": (("raster", "gdal"), _gdal),
    "mdal": (("mesh", "mdal"), _mesh),
    "pdal": (("point-cloud", "pdal"), _point_cloud),
    "copc": (("point-cloud", "copc"), _point_cloud),
    "ept": (("point-cloud", "ept"), _point_cloud),
    "wms": (("raster", "wms"), _encoded(_RASTER_SERVICE_OPTIONS, ("", "xyz", "wmst"))),
    "wcs": (("raster", "wcs"), _encoded(_RASTER_SERVICE_OPTIONS, ("",))),
    "vectortile": (("vector-tile", "vectortile"), _encoded(_VECTOR_TILE_OPTIONS, ("", "xyz"))),
    "xyzvectortiles": (("vector-tile", "xyzvectortiles"), _encoded(_VECTOR_TILE_OPTIONS, ("", "xyz"))),
    "arcgisvectortileservice": (("vector-tile", "arcgisvectortileservice"),
                                _encoded(_VECTOR_TILE_OPTIONS, ("", "xyz", "arcgis"))),
    "wfs": (("vector", "WFS"), _quoted),
    "oapif": (("vector", "OAPIF"), _quoted),
    "arcgisfeatureserver": (("vector", "arcgisfeatureserver"), _quoted),
    "arcgismapserver": (("raster", "arcgismapserver"), _quoted),
    "postgres": (("vector", "postgres"), _database),
    "mssql": (("vector", "mssql"), _database),
}
