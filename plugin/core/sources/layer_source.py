"""The sources of layers: of those that QGIS has, and of those that are planned."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Tuple

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
    #: calculated from other layers, by a query for example
    VIRTUAL = "virtual"
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
            SourceType.VIRTUAL: tr("virtual layer"),
            SourceType.ANNOTATIONS: tr("annotations"), SourceType.OTHER: tr("other source")
        }.get(self, self.value)


_WEB_SOURCES = frozenset((SourceType.WMS, SourceType.WMTS, SourceType.XYZ, SourceType.VECTOR_TILES, SourceType.ARCGIS,
                          SourceType.WFS, SourceType.OGCAPI_FEATURES, SourceType.WCS, SourceType.WEB_FILE))


@dataclass(frozen=True)
class LayerSource:
    """Kind, web address, local path, layers of the service, and style of a layer's source. Absent values are empty.

    ``provider`` and ``text`` are the provider's name and the source text in QGIS that it was read from.
    """

    type: SourceType
    address: str = ""
    path: str = ""
    names: Tuple[str, ...] = ()
    style_address: str = ""
    provider: str = ""
    text: str = ""

    @property
    def web_address(self) -> str:
        """The http(s) address of the service or file, or ""."""
        return self.address if is_web_address(self.address) else ""

    @property
    def by_gdal(self) -> bool:
        """True for what GDAL reads: a file, or a service by one of its drivers."""
        return self.provider.lower() in ("gdal", "ogr")

    @property
    def is_map_service(self) -> bool:
        """True for maps and tiles on the web that QGIS's own provider requests."""
        return self.type in (SourceType.WMS, SourceType.WMTS, SourceType.XYZ) and not self.by_gdal


@dataclass(frozen=True)
class WmsSource:
    """One layer of a WMS as it is requested.

    ``address`` is the prefix of requests (own parameters kept). ``crs`` is one that the layer offers.
    """

    address: str
    name: str
    style: str
    format: str
    crs: str
    legend_url: Optional[str] = None
    #: True if the service offers GetLegendGraphic as JSON
    has_json_legend: bool = False
    feature_info_format: Optional[str] = None
    ignore_operation_addresses: bool = False
    #: the id of the authentication configuration that QGIS sends with every request of the layer, whatever its address
    authcfg: str = ""
    max_width: Optional[int] = None
    max_height: Optional[int] = None
    #: the extent of the layer's TIME dimension as the service writes it, or empty (06-042 Annex D)
    time_extent: str = ""
    #: parameter and value of each dimension without a default: requests without it fail
    dimension_values: Tuple[Tuple[str, str], ...] = ()
