"""The kinds of services, files and pages that links of records lead to, and the words by which protocols name them."""

from __future__ import annotations

import re
from enum import Enum
from functools import cached_property, lru_cache
from typing import Mapping, Optional, Pattern, Sequence, Tuple

#: letters of a text in which a kind is looked for
_MAX_TEXT = 1_000


class LinkKind(str, Enum):
    """The kind of a distribution (DCAT 6.8). The values are those that the command ``links`` prints."""

    WMS = "wms"
    WMTS = "wmts"
    XYZ = "xyz"
    TMS = "tms"
    WFS = "wfs"
    WCS = "wcs"
    OGCAPI_FEATURES = "ogcapi-features"
    OGCAPI_TILES = "ogcapi-tiles"
    OGCAPI_MAPS = "ogcapi-maps"
    OGCAPI_COVERAGES = "ogcapi-coverages"
    ARCGIS_MAP = "arcgis-map"
    ARCGIS_FEATURE = "arcgis-feature"
    ARCGIS_IMAGE = "arcgis-image"
    VECTOR_TILES = "vector-tiles"
    TILEJSON = "tilejson"
    STYLE = "style"
    STAC = "stac"
    ATOM = "atom"
    OWS_CONTEXT = "ows-context"
    GEOPACKAGE = "gpkg"
    GEOJSON = "geojson"
    SHAPEFILE = "shapefile"
    GML = "gml"
    KML = "kml"
    CSV = "csv"
    FLATGEOBUF = "flatgeobuf"
    GEOPARQUET = "geoparquet"
    GEOTIFF = "geotiff"
    COG = "cog"
    COPC = "copc"
    PMTILES = "pmtiles"
    MBTILES = "mbtiles"
    ARCHIVE = "archive"
    OTHER_FILE = "other-file"
    OTHER_SERVICE = "other-service"
    SENSORTHINGS = "sensorthings"
    CATALOGUE = "catalogue"
    DATABASE = "database"
    IMAGE = "image"
    METADATA = "metadata"
    PAGE = "page"

    @property
    def role(self) -> Role:
        """The use of what is behind the link."""
        if self in _VIEWS:
            return Role.VIEW
        return Role.INFORMATION if self in _INFORMATION else Role.DOWNLOAD


class Role(str, Enum):
    """Uses of a distribution."""

    VIEW = "view"
    DOWNLOAD = "download"
    INFORMATION = "information"


_VIEWS = frozenset((
    LinkKind.WMS, LinkKind.WMTS, LinkKind.XYZ, LinkKind.TMS, LinkKind.OGCAPI_TILES, LinkKind.OGCAPI_MAPS,
    LinkKind.ARCGIS_MAP, LinkKind.ARCGIS_IMAGE, LinkKind.VECTOR_TILES, LinkKind.TILEJSON, LinkKind.STYLE,
    LinkKind.OWS_CONTEXT))
_INFORMATION = frozenset((LinkKind.IMAGE, LinkKind.METADATA, LinkKind.PAGE, LinkKind.CATALOGUE,
                          LinkKind.OTHER_SERVICE, LinkKind.SENSORTHINGS, LinkKind.DATABASE))


class Words:
    """Kinds by regular expressions, the first that is found decides."""

    def __init__(self, rows: Sequence[Tuple[str, LinkKind]]) -> None:
        self._written = tuple(rows)
        # the records of a catalogue write the same few protocols
        self._find = lru_cache(maxsize=2_000)(self._search)

    def find(self, text: str) -> Optional[LinkKind]:
        """Return the kind that ``text`` names, or None."""
        return self._find(text[:_MAX_TEXT]) if text else None

    @cached_property
    def _rows(self) -> Tuple[Tuple[Pattern[str], LinkKind], ...]:
        # the plugin's start needs this module, and not the time of compiling them
        return tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in self._written)

    def _search(self, text: str) -> Optional[LinkKind]:
        return next((kind for pattern, kind in self._rows if pattern.search(text)), None)


_FILES: Tuple[Tuple[str, LinkKind], ...] = (
    (r"geo\s?package|\bgpkg\b", LinkKind.GEOPACKAGE),
    (r"geo\s?json(?!.*seq)", LinkKind.GEOJSON),
    (r"geo\s?parquet|\bparquet\b", LinkKind.GEOPARQUET),
    (r"file[\s_-]?geo\s?database|\b(?:f|esri\s?)?gdb\b|\bxlsx?\b|\bods\b|\bdxf\b|\bdwg\b|\bdgn\b|\bgpx\b|net\s?cdf|"
     r"\bhdf\d?\b|\bzarr\b|\bgrib\d?\b|\blas\b|\blaz\b|\bmapinfo\b|\bmdb\b|\baccdb\b|\becw\b|\bsqlite\b|\btopojson\b|"
     r"\bpdf\b|\bdocx?\b|\bexcel\b|\bascii\s?grid\b|\bbigtiff\.txt\b", LinkKind.OTHER_FILE),
    (r"\bshape[\s_-]?(?:file|zip)?s?\b|\bshp\b|x-shapefile", LinkKind.SHAPEFILE),
    (r"flat\s?geobuf|\bfgb\b", LinkKind.FLATGEOBUF),
    (r"\bkm[lz]\b|keyhole", LinkKind.KML),
    (r"\bcopc\b", LinkKind.COPC),
    (r"\bcog\b|cloud[\s-]optimi[sz]ed", LinkKind.COG),
    (r"geo\s?tiff?|\btiff?\b", LinkKind.GEOTIFF),
    (r"pmtiles", LinkKind.PMTILES),
    (r"mbtiles", LinkKind.MBTILES),
    (r"\bgml\b", LinkKind.GML),
    (r"\bcsv\b|comma[\s-]separated", LinkKind.CSV),
)

_OGC_API: Tuple[Tuple[str, LinkKind], ...] = tuple(
    (rf"(?:ogc\W{{0,3}}api|http\W{{0,3}}ogc\W{{0,3}}api|ogcapi|oapi)[\s:/_-]*(?:ogc\W?api)?[\s:/_-]*{part}", kind)
    for part, kind in (
        ("feat", LinkKind.OGCAPI_FEATURES), ("(?:vector)?tile", LinkKind.OGCAPI_TILES), ("map", LinkKind.OGCAPI_MAPS),
        ("cov", LinkKind.OGCAPI_COVERAGES), ("rec", LinkKind.CATALOGUE),
        ("edr|env|proc|styl|routes|moving|joins|conn", LinkKind.OTHER_SERVICE)))

#: words of protocols, of the types of services and of names. Those of one protocol must not be part of another's
PROTOCOL_WORDS = Words((
    *_OGC_API,
    (r"\bogcfeat|\bwfs\s?3\b|\boapif\b|\bogc\W?features?\s?api", LinkKind.OGCAPI_FEATURES),
    (r"\bogctile", LinkKind.OGCAPI_TILES),
    (r"\bogcmap", LinkKind.OGCAPI_MAPS),
    (r"\bogccov", LinkKind.OGCAPI_COVERAGES),
    (r"\bogcrec", LinkKind.CATALOGUE),
    (r"\bogcedr\b|\bogcproc", LinkKind.OTHER_SERVICE),
    (r"tile\s?json", LinkKind.TILEJSON),
    (r"(?:maplibre|mapbox|vector)[\s-]*(?:gl[\s-]*)?styles?|style\.json", LinkKind.STYLE),
    (r"vector[\s_-]*tiles?|\bmvt\b|mapbox[\s-]vector", LinkKind.VECTOR_TILES),
    (r"\bstac\b|stac[:-]", LinkKind.STAC),
    (r"(?<![a-z])wmts(?![a-z])|web\s?map\s?tile\s?service|wmts_srvc", LinkKind.WMTS),
    (r"(?<![a-z])tms(?![a-z])|tile\s?map\s?service(?!\s*\(wmts)|\btms_srvc", LinkKind.TMS),
    (r"(?<![a-z])wms(?:-c|c)?(?![a-z])|web\s?map(?:ping)?\s?service|wms_xml|wms_srvc", LinkKind.WMS),
    (r"(?<![a-z])wfs(?:-?[gt])?(?![a-z])|web\s?feature\s?service|wfs_srvc", LinkKind.WFS),
    (r"(?<![a-z])wcs(?![a-z])|web\s?coverage\s?service|wcs_srvc", LinkKind.WCS),
    (r"(?<![a-z])csw(?![a-z])|catalog(?:ue)?\s?service|oai[\s-]?pmh|z39\.?50|opensearch", LinkKind.CATALOGUE),
    (r"sensor\s?things|ogc:iot|ogc:sta\b|\bsta:", LinkKind.SENSORTHINGS),
    (r"(?<![a-z])(?:wps|sos|sps|edr|wns|sas|openls|ols)(?![a-z])|sensor\s?observation|web\s?processing|thredds|erddap|"
     r"odata|opendap|\bsparql\b|gpserver|geocodeserver|sceneserver|3d\s?tiles|\bi3s\b|graphql",
     LinkKind.OTHER_SERVICE),
    (r"ows[\s:-]*c(?:ontext)?\b|web\s?map\s?context|\bwmc\b|\bowc\b", LinkKind.OWS_CONTEXT),
    (r"feature\s?(?:server|layer)|feature\s?service|entit[ée]s\sg[ée]ographiques", LinkKind.ARCGIS_FEATURE),
    (r"image\s?server|(?:esri|arcgis).*image\s?service", LinkKind.ARCGIS_IMAGE),
    (r"map\s?server(?!\.org)|(?:esri|arcgis).*(?:map\s?service|cartes?\b|tuil)|tiled\s?map\s?service",
     LinkKind.ARCGIS_MAP),
    (r"\bxyz\b|slippy|\bzxy\b", LinkKind.XYZ),
    (r"\batom\b|rfc\s?4287", LinkKind.ATOM),
    (r"rfc\s?7946", LinkKind.GEOJSON),
    (r"\bdb:|postgis|postgresql|jdbc", LinkKind.DATABASE),
    (r"metadata[\s-]?url|tc211|iso\s?19139", LinkKind.METADATA),
    (r"image[\s-]thumbnail|\bthumbnail\b|browse\s?graphic", LinkKind.IMAGE),
    *_FILES,
    (r"link[\s:-]*landing|landing\s?page|\bdoi\b|\bhtml\b|geoportal|--(?:related|partners|samples|rss|ical|opendap)",
     LinkKind.PAGE),
))

#: the protocols of operations (ISO 19119, and REQUEST of addresses), as ``operation_key`` writes their names
OPERATIONS: Mapping[str, LinkKind] = {
    **dict.fromkeys(("getmap", "getlegendgraphic", "getfeatureinfo", "describelayer"), LinkKind.WMS),
    **dict.fromkeys(("getfeature", "describefeaturetype", "getpropertyvalue"), LinkKind.WFS),
    **dict.fromkeys(("getcoverage", "describecoverage"), LinkKind.WCS), "gettile": LinkKind.WMTS,
    "getrecords": LinkKind.CATALOGUE, "getrecordbyid": LinkKind.METADATA, "execute": LinkKind.OTHER_SERVICE}

#: words of files alone: in output formats and in names of what is downloaded
FILE_WORDS = Words(_FILES)

#: media types that say what is behind a link. Others, such as JSON, XML, HTML and PNG, say it of any answer
MEDIA_TYPES = Words((
    (r"profile=.?stac", LinkKind.STAC),
    (r"vnd\.ogc\.wms", LinkKind.WMS), (r"vnd\.ogc\.wmts|wmts", LinkKind.WMTS), (r"vnd\.ogc\.wfs", LinkKind.WFS),
    (r"vnd\.ogc\.wcs", LinkKind.WCS), (r"vnd\.ogc\.csw", LinkKind.CATALOGUE),
    (r"vnd\.ogc\.context", LinkKind.OWS_CONTEXT),
    (r"vnd\.ogc\.(?:wps|sos)|sensorml", LinkKind.OTHER_SERVICE),
    (r"mapbox-vector-tile|vnd\.mvt", LinkKind.VECTOR_TILES),
    (r"mapbox\.style|vnd\.mapbox\.style|ogc\.sld", LinkKind.STYLE),
    (r"vnd\.pmtiles", LinkKind.PMTILES), (r"vnd\.mapbox\.mbtiles|vnd\.sqlite3\+mbtiles|mbtiles", LinkKind.MBTILES),
    (r"laszip\+copc|copc", LinkKind.COPC), (r"geotiff.*cloud-optimi[sz]ed", LinkKind.COG),
    (r"image/(?:x-)?tiff?|image/geo\+?tiff|image/vnd\.stac\.geotiff", LinkKind.GEOTIFF),
    (r"geopackage|vnd\.gpkg", LinkKind.GEOPACKAGE),
    (r"geo\+json(?!.*seq)|vnd\.geo\+json|vnd\.geojson", LinkKind.GEOJSON),
    (r"parquet", LinkKind.GEOPARQUET), (r"flatgeobuf", LinkKind.FLATGEOBUF), (r"google-earth|kml\+xml", LinkKind.KML),
    (r"gml\+xml|text/xml;\s*subtype=.?gml|gml\+zip", LinkKind.GML), (r"text/csv", LinkKind.CSV),
    (r"x-shapefile|shapefile|vnd\.shp|x-shp", LinkKind.SHAPEFILE), (r"atom\+xml", LinkKind.ATOM),
    (r"hdf|netcdf|grib|zarr|laszip|vnd\.las\b|openxmlformats|vnd\.ms-|msword|opendocument|pdf\b|dxf|dwg|acad|filegdb|"
     r"x-sqlite|vnd\.sqlite|x-7z|x-rar|jp2|x-ecw|mrsid|topo\+json", LinkKind.OTHER_FILE),
))

#: extensions of files. Archives and JSON say nothing of what is in them
EXTENSIONS: Mapping[str, LinkKind] = {
    "gpkg": LinkKind.GEOPACKAGE, "geojson": LinkKind.GEOJSON, "shp": LinkKind.SHAPEFILE, "gml": LinkKind.GML,
    "kml": LinkKind.KML,
    "kmz": LinkKind.KML, "csv": LinkKind.CSV, "fgb": LinkKind.FLATGEOBUF, "parquet": LinkKind.GEOPARQUET,
    "geoparquet": LinkKind.GEOPARQUET,
    "tif": LinkKind.GEOTIFF, "tiff": LinkKind.GEOTIFF, "pmtiles": LinkKind.PMTILES, "mbtiles": LinkKind.MBTILES,
    "atom": LinkKind.ATOM,
    "png": LinkKind.IMAGE, "jpg": LinkKind.IMAGE, "jpeg": LinkKind.IMAGE, "gif": LinkKind.IMAGE,
    "webp": LinkKind.IMAGE, "svg": LinkKind.IMAGE,
    "html": LinkKind.PAGE, "htm": LinkKind.PAGE, "md": LinkKind.PAGE, "owc": LinkKind.OWS_CONTEXT,
    "wmc": LinkKind.OWS_CONTEXT,
    **dict.fromkeys(("gdb", "xlsx", "xls", "ods", "dxf", "dwg", "dgn", "gpx", "nc", "nc4", "h5", "hdf", "hdf5", "he5",
                     "zarr", "grb", "grib", "grib2", "las", "laz", "ecw", "jp2", "sid", "asc", "sqlite", "mdb", "accdb",
                     "pdf", "doc", "docx", "odt", "ppt", "pptx", "txt", "rar", "7z", "tab", "mif", "topojson", "qgs",
                     "qgz", "qlr", "lyr", "lyrx", "mxd", "sld", "qml", "geojsonl", "ttl", "rdf", "img", "bil", "vrt",
                     "exe", "iso"), LinkKind.OTHER_FILE),
}
ARCHIVES = frozenset(("zip", "gz", "tgz", "tar", "bz2", "xz"))

#: a service that answers to any of several protocols, of an address that names none
ANY_OWS: Tuple[LinkKind, ...] = (LinkKind.WMS, LinkKind.WFS, LinkKind.WCS, LinkKind.WMTS)
