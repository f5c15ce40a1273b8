"""Layers of WMS, WMTS and XYZ, whose maps and tiles QGIS's WMS provider requests."""

from __future__ import annotations

from functools import lru_cache
from typing import Optional, Tuple

from qgis.core import QgsMapLayer, QgsUnitTypes

from ...core.addresses import host_and_port, without_secrets
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource, WmsSource
from ...core.sources.source_kind import SourceProof
from ...core.sources.source_text import encoded_pairs, encoded_parameters, encoded_source
from ...core.sources.tile_grid import TILE_DPI, WmtsChoice, read_wmts_grid, xyz_grid
from ...core.wms.dimensions.time_series import provider_extent
from ...core.wms.requests import tile_overlap
from ...core.wms.requests.urls import url_prefix, with_parameters
from ..network import qgis_http_cache
from ..network.origin_settings import OriginLogin, origin_address
from ..runtime import compat
from ..services.service_cache import DEFAULT_STEP_SIZE, source_capabilities_url
from .feature_services import sent_headers
from .layer_kind import LayerKind, RequestedLayers, TileSource

#: features requested by GetFeatureInfo
FEATURE_COUNT = 10
#: pixels of width and height of one GetMap, unless the service has a lower limit
MAX_IMAGE_SIDE = 4096
#: largest capabilities document in bytes that is parsed once more for a copy: QGIS does that on the main thread
_MAX_CAPABILITIES = 1_000_000
#: parameters of a source that its requests carry besides their address
_SENT_BESIDE = ("referer", "username", "password")


@lru_cache(maxsize=1024)
def requested_by(source: str) -> RequestedLayers:
    """Return what a source of QGIS's WMS provider requests."""
    pairs = encoded_pairs(source)
    parameters = dict(pairs)
    address, authcfg = parameters.get("url", ""), parameters.get("authcfg", "")
    # QGIS writes the topmost first
    names, styles = ([value for name, value in reversed(pairs) if name == wanted] for wanted in ("layers", "styles"))
    is_plain = not any(name in _SENT_BESIDE or name.startswith("http-header") for name in parameters)
    return RequestedLayers(address, tuple(names), (*styles, *[""] * len(names))[:len(names)],
                           parameters.get("format", ""),
                           OriginLogin(origin_address(address), authcfg) if authcfg else None, is_plain,
                           "IgnoreGetFeatureInfoUrl" in parameters, parameters.get("time", ""))


def layer_uri(source: WmsSource) -> str:
    """Return the provider's source string for a planned layer."""
    parameters = {
        "url": without_secrets(request_address(source)), "layers": source.name, "styles": source.style,
        "format": source.format, "crs": source.crs, "dpiMode": "7", "featureCount": str(FEATURE_COUNT),
        # QGIS requests only the advertised extent, which cuts symbols at its edge
        "IgnoreReportedLayerExtents": "1",
        # one image as large as the service allows: QGIS's tiles of 2000 px cut labels and symbols at every seam
        "stepWidth": str(_step_size(source.max_width)), "stepHeight": str(_step_size(source.max_height))}
    if source.ignore_operation_addresses:
        parameters["IgnoreGetMapUrl"] = "1"
        parameters["IgnoreGetFeatureInfoUrl"] = "1"
    # limits above QGIS's own step are respected by stepWidth and stepHeight alone: see prime_qgis_cache
    if source.max_width and source.max_width < DEFAULT_STEP_SIZE:
        parameters["maxWidth"] = str(_step_size(source.max_width))
    if source.max_height and source.max_height < DEFAULT_STEP_SIZE:
        parameters["maxHeight"] = str(_step_size(source.max_height))
    if source.time_extent:
        # as QGIS's own dialog writes it: the provider requests the time that the Temporal Controller shows
        parameters["type"] = "wmst"
        listed, has_clock = provider_extent(source.time_extent)
        parameters["timeDimensionExtent"] = listed or source.time_extent
        if not has_clock:
            parameters["enableTime"] = "false"
        parameters["allowTemporalUpdates"] = "true"
        parameters["temporalSource"] = "provider"
    if source.authcfg:
        parameters["authcfg"] = source.authcfg
    return encoded_source(parameters.items())


def moved_source(source: str, former: str, address: str, style: str, image_format: str) -> str:
    """Return the source of a layer as if its service, now at ``former``, were at ``address``, where it has no login.

    It is requested with the same values of dimensions, in the same CRS.
    """
    requested, prefix = requested_by(source).address, url_prefix(former)
    rest = requested[len(prefix):] if requested.startswith(prefix) else ""
    changes = {"url": without_secrets(url_prefix(address) + rest), "styles": style}
    if image_format:
        changes["format"] = image_format
    left_out = (*changes, "authcfg", *_SENT_BESIDE)
    kept = [(name, value) for name, value in encoded_pairs(source)
            if name not in left_out and not name.startswith("http-header")]
    return encoded_source([*kept, *changes.items()])


def request_address(source: WmsSource) -> str:
    """Return the prefix that the layer requests, with the values of dimensions that QGIS does not send itself."""
    prefix = url_prefix(source.address)
    return f"{with_parameters(prefix, dict(source.dimension_values))}&" if source.dimension_values else prefix


def _step_size(limit: Optional[int]) -> int:
    """Return the pixels of one side of a map tile, with room for a margin if the service has a limit."""
    return min(tile_overlap.tile_step(limit), MAX_IMAGE_SIDE) if limit else MAX_IMAGE_SIDE


def _max_image_side(limit: Optional[int]) -> int:
    """Return the pixels of one side of the largest request, margins included."""
    default_side = MAX_IMAGE_SIDE + 2 * tile_overlap.tile_margin(MAX_IMAGE_SIDE)
    return min(limit or default_side, default_side)


def largest_image(source: WmsSource) -> str:
    """Return the width and height of the largest image that QGIS requests of a layer, as its mark has them."""
    return f"{_max_image_side(source.max_width)}x{_max_image_side(source.max_height)}"


def _has_cached_capabilities(_layer: QgsMapLayer, source: LayerSource) -> bool:
    address = source_capabilities_url(requested_by(source.text).address)
    return 0 < qgis_http_cache.fresh_size(address) <= _MAX_CAPABILITIES


def _queried(source: LayerSource) -> Optional[RequestedLayers]:
    found = requested_by(source.text)
    return found if found.names else None


def _in_snapshot(source: LayerSource) -> Optional[Tuple[str, str]]:
    found = requested_by(source.text)
    return (found.names[0], found.styles[0]) if len(found.names) == 1 and found.address else None


def _xyz_tiles(layer: QgsMapLayer, source: LayerSource) -> Optional[TileSource]:
    parameters = encoded_parameters(source.text)
    if kind_of(source).proof(source) is not SourceProof.WATCHED or layer.crs().authid() != "EPSG:3857":
        return None
    return TileSource(lambda _document: xyz_grid(parameters), "", requested_by(source.text).login,
                      sent_headers(parameters))


def _wmts_tiles(layer: QgsMapLayer, source: LayerSource) -> Optional[TileSource]:
    if kind_of(source).proof(source) is not SourceProof.WATCHED:
        return None
    parameters, requested, crs = encoded_parameters(source.text), requested_by(source.text), layer.crs()
    inverted = crs.hasAxisInverted() and "IgnoreAxisOrientation" not in parameters
    pairs = [part.partition("=") for part in parameters.get("tileDimensions", "").split(";") if part]
    ratio = parameters.get("tilePixelRatio", "")
    choice = WmtsChoice(
        requested.names[0], requested.styles[0], requested.format, parameters["tileMatrixSet"],
        tuple((name, value) for name, _, value in pairs), inverted is not ("InvertAxisOrientation" in parameters),
        QgsUnitTypes.fromUnitToUnitFactor(crs.mapUnits(), compat.distance_unit("Meters")),
        TILE_DPI * int(ratio) if ratio in ("1", "2") else 0)
    # QGIS requests an address as it stands if it is that of the capabilities
    is_whole = any(part in requested.address.upper() for part in ("SERVICE=WMTS", "/WMTSCAPABILITIES.XML"))
    address = requested.address if is_whole else source_capabilities_url(requested.address)
    return TileSource(lambda document: read_wmts_grid(document, choice, host_and_port(address)), address,
                      requested.login, sent_headers(parameters))


WMS = LayerKind(_has_cached_capabilities, _queried, _in_snapshot)
WMTS = LayerKind(_has_cached_capabilities, tiles=_wmts_tiles)
#: tiles need no description
XYZ = LayerKind(lambda _layer, _source: True, tiles=_xyz_tiles)
