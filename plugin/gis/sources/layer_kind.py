"""The shape of what QGIS layers of one kind of source can do. A kind has only those of its parts that it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsCoordinateReferenceSystem, QgsMapLayer, QgsMapSettings, QgsVectorLayer

from ...core.box import Box
from ...core.request import Response
from ...core.sources.feature_pages import FeatureQuery
from ...core.sources.layer_source import LayerSource
from ...core.sources.tile_grid import TileGrid
from ...core.wms.requests.tile_overlap import Size
from ..network.origin_settings import OriginLogin


@dataclass(frozen=True)
class RequestedLayers:
    """Layers of a map service as QGIS requests them, bottom first, with a style for each ("" is the default).

    ``login`` is the layer's, for the origin of ``address`` and no other. With ``is_plain`` its requests carry only
    their address and that login, so that the same address gives everybody the same image. ``time`` is the one set in
    the layer's properties. With ``ignores_info_address`` features are requested at ``address``, whatever the
    capabilities name.
    """

    address: str
    names: Tuple[str, ...]
    styles: Tuple[str, ...]
    format: str = ""
    login: Optional[OriginLogin] = None
    is_plain: bool = True
    ignores_info_address: bool = False
    time: str = ""


@dataclass(frozen=True)
class TileSource:
    """The tiles of a layer: the document that describes them, and what their requests need.

    ``description`` is the address of the document that ``read`` needs to know them, or "". ``headers`` are those that
    the source asks for, ``login`` is the layer's, for the address in its source.
    """

    read: Callable[[bytes], TileGrid]
    description: str = ""
    login: Optional[OriginLogin] = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ServedFeatures:
    """The features of a layer, and what their requests need. ``crs`` is that of their coordinates.

    ``accept`` is the media type that is asked for. ``swaps`` says whether the coordinates of GML are swapped, None that
    it is as usual. ``expression`` is the layer's own filter.
    """

    query: FeatureQuery
    crs: QgsCoordinateReferenceSystem
    accept: str = ""
    expression: str = ""
    login: Optional[OriginLogin] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    swaps: Optional[bool] = None


@dataclass(frozen=True)
class ServedFiles:
    """Files that a layer reads from the web, each as a whole.

    ``needed`` returns those of a map, as names and addresses. ``content`` is given an address and its answer, and
    returns what is to be written into the file. It raises CartoguideError for another one. ``source`` returns provider
    and source of a layer that reads them in a folder, and raises CartoguideError if it cannot read them all. With
    ``may_be_too_large`` one that is larger than any answer is left to QGIS. With ``differs_by_map`` a layer is made for
    each map.
    """

    needed: Callable[[QgsMapSettings], Sequence[Tuple[str, str]]]
    content: Callable[[str, Response], bytes]
    source: Callable[[Path], Tuple[str, str]]
    login: Optional[OriginLogin] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    may_be_too_large: bool = False
    differs_by_map: bool = False


@dataclass(frozen=True)
class ServedPicture:
    """Pictures of a map service other than WMS.

    ``description`` is the address of the document from which ``limits`` reads the largest picture in pixels. ``url``
    returns the address of a picture from west, south, east and north, its size, and dots per inch.
    """

    description: str
    limits: Callable[[bytes], Size]
    url: Callable[[Box, Size, float], str]
    login: Optional[OriginLogin] = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LayerKind:
    """The abilities of layers of one kind of source."""

    #: whether a copy of a valid layer needs no server, is as cheap as the layer, and has all that the layer has
    can_be_copied: Callable[[QgsMapLayer, LayerSource], bool] = lambda _layer, _source: False
    #: the layers of its service whose features at a point are requested. Others are identified by QGIS alone
    queried: Optional[Callable[[LayerSource], Optional[RequestedLayers]]] = None
    #: the service's layer and style that a snapshot holds. Others are in none
    in_snapshot: Optional[Callable[[LayerSource], Optional[Tuple[str, str]]]] = None
    #: called before a layer is made, with the seconds of a connection and of a whole request that QGIS cannot end
    prepare: Optional[Callable[[LayerSource, float, float], None]] = None
    #: the tiles of a raster, or None for a layer whose tiles are not pictures
    tiles: Optional[Callable[[QgsMapLayer, LayerSource], Optional[TileSource]]] = None
    #: the features of a layer, or None for one whose features cannot be asked for as QGIS does
    features: Optional[Callable[[QgsVectorLayer, LayerSource], Optional[ServedFeatures]]] = None
    #: the pictures of a layer, or None for one that is not drawn from any
    picture: Optional[Callable[[QgsMapLayer, LayerSource], Optional[ServedPicture]]] = None
    #: the files of a layer, or None for one that has others too
    files: Optional[Callable[[QgsMapLayer, LayerSource], Optional[ServedFiles]]] = None
    #: whether a layer that QGIS calls valid was made from its service's description
    is_described: Callable[[QgsMapLayer], bool] = lambda _layer: True
