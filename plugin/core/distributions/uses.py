"""Words for distributions: the effect of adding one, its use, and the reason why one cannot be opened."""

from __future__ import annotations

from typing import Dict, FrozenSet, Optional, Sequence, Tuple

from ..i18n import tr
from ..records.model.record import Record
from ..text import list_quoted_names
from .kinds import LinkKind
from .record_distributions import Distribution

#: what is fetched into the library and opened there
FILES: FrozenSet[LinkKind] = frozenset((
    LinkKind.GEOPACKAGE, LinkKind.GEOJSON, LinkKind.SHAPEFILE, LinkKind.GML, LinkKind.KML, LinkKind.CSV,
    LinkKind.FLATGEOBUF, LinkKind.GEOTIFF, LinkKind.COG, LinkKind.ARCHIVE))
_TILES = (LinkKind.WMTS, LinkKind.XYZ, LinkKind.TMS, LinkKind.OGCAPI_TILES, LinkKind.VECTOR_TILES, LinkKind.TILEJSON,
          LinkKind.STYLE)
_MAPS = (LinkKind.WMS, LinkKind.ARCGIS_MAP)
_FEATURES = (LinkKind.WFS, LinkKind.OGCAPI_FEATURES, LinkKind.ARCGIS_FEATURE)
#: the order in which one is offered before the others
_ORDER: Tuple[LinkKind, ...] = (
    LinkKind.WMS, LinkKind.ARCGIS_MAP, LinkKind.WMTS, LinkKind.XYZ, LinkKind.TMS, LinkKind.OGCAPI_FEATURES,
    LinkKind.WFS, LinkKind.ARCGIS_FEATURE, LinkKind.VECTOR_TILES, LinkKind.TILEJSON, LinkKind.STYLE,
    LinkKind.OGCAPI_TILES, LinkKind.GEOPACKAGE, LinkKind.GEOJSON, LinkKind.FLATGEOBUF, LinkKind.SHAPEFILE, LinkKind.GML,
    LinkKind.CSV, LinkKind.KML, LinkKind.WCS, LinkKind.COG, LinkKind.GEOTIFF, LinkKind.ARCHIVE, LinkKind.ATOM)
#: names of links that are codes of INSPIRE
_CODES = ("view", "download", "accesspoint", "endpoint")
#: what a record may name and nobody looks for among what can be added
_UNLISTED = frozenset((LinkKind.PAGE, LinkKind.IMAGE, LinkKind.METADATA, LinkKind.CATALOGUE))


def kind_name(kind: Optional[LinkKind]) -> str:
    """Return the name of a kind as standards and programs have it."""
    names: Dict[LinkKind, str] = {
        LinkKind.WMS: "WMS", LinkKind.WMTS: "WMTS", LinkKind.XYZ: "XYZ", LinkKind.TMS: "TMS", LinkKind.WFS: "WFS",
        LinkKind.WCS: "WCS", LinkKind.OGCAPI_FEATURES: "OGC API - Features", LinkKind.OGCAPI_TILES: "OGC API - Tiles",
        LinkKind.OGCAPI_MAPS: "OGC API - Maps", LinkKind.OGCAPI_COVERAGES: "OGC API - Coverages",
        LinkKind.ARCGIS_MAP: "ArcGIS MapServer", LinkKind.ARCGIS_FEATURE: "ArcGIS FeatureServer",
        LinkKind.ARCGIS_IMAGE: "ArcGIS ImageServer", LinkKind.VECTOR_TILES: tr("vector tiles"),
        LinkKind.TILEJSON: "TileJSON", LinkKind.STYLE: tr("vector tiles with style"), LinkKind.STAC: "STAC",
        LinkKind.ATOM: "Atom", LinkKind.OWS_CONTEXT: "OWS Context", LinkKind.GEOPACKAGE: "GeoPackage",
        LinkKind.GEOJSON: "GeoJSON", LinkKind.SHAPEFILE: "Shapefile", LinkKind.GML: "GML", LinkKind.KML: "KML",
        LinkKind.CSV: "CSV", LinkKind.FLATGEOBUF: "FlatGeobuf", LinkKind.GEOPARQUET: "GeoParquet",
        LinkKind.GEOTIFF: "GeoTIFF", LinkKind.COG: "GeoTIFF", LinkKind.COPC: "COPC", LinkKind.PMTILES: "PMTiles",
        LinkKind.MBTILES: "MBTiles", LinkKind.ARCHIVE: "ZIP", LinkKind.OTHER_FILE: tr("file of another format"),
        LinkKind.OTHER_SERVICE: tr("service of another kind"), LinkKind.SENSORTHINGS: "SensorThings API",
        LinkKind.DATABASE: tr("database"), LinkKind.CATALOGUE: tr("catalogue"), LinkKind.IMAGE: tr("image"),
        LinkKind.METADATA: tr("metadata"), LinkKind.PAGE: tr("web page")}
    return names[kind] if kind is not None else tr("service of an unknown kind")


def can_be_opened(distribution: Distribution) -> bool:
    """Return whether it is of a kind that can be added, or may turn out to be one when its server is asked."""
    kinds = (distribution.kind, *distribution.possible)
    return distribution.address.lower().startswith(("http:", "https:")) and any(kind in _ORDER for kind in kinds)


def add_label_of(offered: str) -> str:
    """Return the text of the command that adds a search result, by what it offers (``SearchHit.offered``)."""
    kinds = {kind.value: kind for kind in _ORDER if kind not in _MAPS}
    return add_label(kinds.get(offered))


def add_label(kind: Optional[LinkKind]) -> str:
    """Return the text of the button that adds a distribution of a kind."""
    if kind in _TILES:
        return tr("Add tiles")
    if kind in _FEATURES:
        return tr("Add features")
    if kind is LinkKind.WCS:
        return tr("Add coverage")
    if kind in FILES or kind is LinkKind.ATOM:
        return tr("Download and add")
    return tr("Add map") if kind in _MAPS else tr("Add to map")


def use_line(distribution: Distribution) -> str:
    """Return one line for a menu: what adding it adds, of which kind, and what that is good for."""
    kind, name = distribution.kind, distribution.title.strip()
    shown = kind_name(kind)
    if name and name.lower() not in (shown.lower(), kind.value if kind else "", *_CODES) and len(name) <= 60:
        shown = f"{shown}, {name}"
    return tr("{action} ({kind}): {use}", action=add_label(kind), kind=shown, use=_good_for(kind))


def _good_for(kind: Optional[LinkKind]) -> str:
    if kind in _MAPS:
        return tr("query, print at any scale")
    if kind in (LinkKind.VECTOR_TILES, LinkKind.TILEJSON, LinkKind.STYLE):
        return tr("speed, sharp print")
    if kind in _TILES:
        return tr("speed")
    if kind in _FEATURES:
        return tr("query, a style of your own, sharp print")
    if kind is LinkKind.WCS:
        return tr("values of cells, a style of your own")
    if kind in (LinkKind.GEOTIFF, LinkKind.COG):
        return tr("offline, values of cells")
    if kind in FILES or kind is LinkKind.ATOM:
        return tr("offline, query, sharp print")
    return tr("asks the server what it is")


def reason_not_opened(distribution: Distribution) -> str:
    """Return why a distribution that cannot be opened is not, by its name."""
    kind = kind_name(distribution.kind)
    name = distribution.title.strip()[:80]
    shown = f"{kind} “{name}”" if name and name.lower() != kind.lower() else kind
    if distribution.kind is LinkKind.PMTILES or not distribution.address.lower().startswith(("http:", "https:")):
        return tr("{name}: only addresses of the web (http, https) are opened.", name=shown) \
            if distribution.kind is not LinkKind.PMTILES else tr("{name}: QGIS cannot open it.", name=shown)
    return tr("{name}: QGIS cannot open it.", name=shown)


def others_of_kind_text(record: Record, distributions: Sequence[Distribution]) -> str:
    """Return a sentence about those of the kind of the first distribution, which alone is added, or ""."""
    others = [one.address for one in distributions[1:] if one.kind is distributions[0].kind]
    return tr("“{title}” names others of the kind {kind} too, which are not added: {addresses}",
              title=record.title or record.id or "", kind=kind_name(distributions[0].kind),
              addresses=", ".join(others)) if others else ""


def offered_distributions(distributions: Sequence[Distribution]) -> Tuple[Distribution, ...]:
    """Return those that can be opened, the one first that is offered before the others."""
    def rank(one: Distribution) -> Tuple[bool, int]:
        return one.kind is None, _ORDER.index(one.kind) if one.kind in _ORDER else len(_ORDER)

    return tuple(sorted((one for one in distributions if can_be_opened(one)), key=rank))


def unopened_distributions(distributions: Sequence[Distribution]) -> Tuple[Distribution, ...]:
    """Return those that cannot be opened, without pages and pictures, which nobody adds to a map."""
    return tuple(one for one in distributions
                 if one.kind is not None and one.kind not in _UNLISTED and not can_be_opened(one))


def nothing_to_add(distributions: Sequence[Distribution]) -> str:
    """Return why a record without anything that can be opened adds nothing, by the names of what it has."""
    reasons = [reason_not_opened(one) for one in unopened_distributions(distributions)]
    return " ".join(reasons[:3]) or tr("This record names nothing that can be added to a map.")


def missing_layers_note(missing: Sequence[str], are_all_offered: bool) -> str:
    """Return which layers a service does not have although a record's link names them, "" without any."""
    if not missing:
        return ""
    layers = list_quoted_names(missing)
    if not are_all_offered:
        return tr("The service does not have {layers}, which the record’s link names.", layers=layers)
    return tr("The service does not have {layers}, which the record’s link names. All of its layers are offered.",
              layers=layers)
