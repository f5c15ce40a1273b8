"""Features of services: read into a layer in memory, with the number that came and the one that there are.

QGIS reports success where features are missing, and counts those that a service only announces.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from osgeo import gdal, ogr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeature,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsMapLayer,
    QgsMapSettings,
    QgsReadWriteContext,
    QgsRectangle,
    QgsRenderContext,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QDateTime, Qt
from qgis.PyQt.QtXml import QDomDocument

from ...core.box import Box
from ...core.errors import CartoguideError, UnreadableDocument
from ...core.i18n import tr
from ...core.preflight import TrialRequest
from ...core.sources.feature_pages import ArcGisQuery, Feature, FeaturePage, Get
from ..runtime import compat
from ..runtime.conversions import rectangle_box
from ..sources.layer_kind import ServedFeatures
from ..sources.style_expressions import aggregates_features
from .request import LayerRequest, uncopied


@dataclass(frozen=True)
class FeatureRequest(LayerRequest):
    """The features of a layer in ``box``, in the CRS of ``source``: all that a map shows. None: it shows none."""

    source: Optional[ServedFeatures] = field(default=None, compare=False, repr=False)
    box: Optional[Box] = None
    fields: Tuple[QgsField, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_needed(self) -> bool:
        """True if the map shows a part of the layer's area."""
        return self.box is not None


@dataclass(frozen=True)
class ReadFeature:
    """A feature, with a number that only those of the same geometry and attributes have."""

    content: int
    feature: QgsFeature


@dataclass
class ReadFeatures:
    """The features that have come, and how many there are, None if the service does not say it."""

    features: List[ReadFeature] = field(default_factory=list)
    total: Optional[int] = None


@dataclass(frozen=True)
class FetchedFeatures:
    """Result of one request: what came, and the error if that is not all. Seconds, and bytes of the answers."""

    request: FeatureRequest
    read: ReadFeatures
    error: Optional[CartoguideError] = None
    seconds: float = 0.0
    size: int = 0
    attempts: int = 1

    @property
    def detail(self) -> str:
        return self.error.detail if self.error else ""

    def to_trial_request(self) -> TrialRequest:
        """Return the result for the preflight's rules."""
        return TrialRequest(
            self.request.title, self.request.service, None, (0, 0), self.seconds, self.size,
            self.error.user_text if self.error else "", self.detail, pages=(self.request.page, ),
            count=len(self.read.features), is_uncounted=self.read.total is None and self.request.is_needed)


def feature_request(settings: QgsMapSettings, layer: QgsVectorLayer, source: ServedFeatures, service: str,
                    page: int) -> FeatureRequest:
    """Return what one drawing needs of a layer. Main thread only."""
    area = QgsRectangle(settings.visibleExtent())
    area.grow(settings.extentBuffer())
    crs = _crs_of_coordinates(layer, source)
    transform = QgsCoordinateTransform(settings.destinationCrs(), crs, settings.transformContext())
    transform.setBallparkTransformsAreAppropriate(True)
    try:
        area = transform.transformBoundingBox(area)
    except QgsCsException:
        # a map that shows more than the world
        area = layer.extent() if layer.crs() == crs else QgsRectangle(-180, -90, 180, 90)
    if layer.renderer() is not None:
        # heat reaches onto the map
        layer.renderer().modifyRequestExtent(area, QgsRenderContext.fromMapSettings(settings))
    if not area.isEmpty() and aggregates_features(layer):
        area.combineExtentWith(_all_of(layer, crs, settings))
    if source.crs.isGeographic():
        area = area.intersect(QgsRectangle(-180, -90, 180, 90))
    box = None if area.isEmpty() else rectangle_box(area)
    fields = tuple(QgsField(one) for one in layer.dataProvider().fields())
    return FeatureRequest(layer, settings, layer.id(), layer.name(), service, source.login, source.headers, page,
                          source.query.address, source=source, box=box, fields=fields)


def _crs_of_coordinates(layer: QgsVectorLayer, source: ServedFeatures) -> QgsCoordinateReferenceSystem:
    """Return what QGIS takes the coordinates for: the reference system that somebody gave the layer, if any."""
    return source.crs if layer.crs() == layer.dataProvider().crs() else layer.crs()


def _all_of(layer: QgsVectorLayer, crs: QgsCoordinateReferenceSystem, settings: QgsMapSettings) -> QgsRectangle:
    """Return the area of all features of a layer, as far as its service says."""
    try:
        return QgsCoordinateTransform(layer.crs(), crs, settings.transformContext()).transformBoundingBox(
            layer.extent())
    except QgsCsException:
        return QgsRectangle(-180, -90, 180, 90)


def read_features(request: FeatureRequest, get: Get, folder: Path, read: ReadFeatures) -> None:
    """Read the features of a request page by page into ``read``. For worker threads.

    Raises CartoguideError if one cannot be read or they are fewer than the service says, and Cancelled from ``get``.
    """
    if request.box is None or request.source is None:
        return
    fields, page = _Fields(request.fields), FeaturePage(None)
    # features that have an id, and contents of pages
    known: Set[Tuple[str, int]] = set()
    pages: Set[int] = set()
    for page in request.source.query.pages(request.box, get):
        read.total = page.total
        found = [(one.key, fields.feature(one, geometry))
                 for one, geometry in _with_geometries(page, request.source, folder)]
        content = hash(tuple(sorted(one.content for _key, one in found)))
        new = {(key or number, one.content): one for number, (key, one) in enumerate(found)
               if (key, one.content) not in known}
        if not new or content in pages:
            # a service that takes no place to start at sends the first page again, with other ids or none
            break
        pages.add(content)
        known.update((key, one.content) for key, one in found if key)
        read.features += new.values()
    count = len(read.features)
    if read.total is not None and count < read.total:
        raise CartoguideError(tr("{count} of {total} features came. Try again, or choose a larger scale.",
                                 count=f"{count:,}", total=f"{read.total:,}"))
    if read.total is None and page.is_followed:
        raise CartoguideError(tr("{count} features came, and the service has more. Choose a larger scale.",
                                 count=f"{count:,}"))


def _with_geometries(page: FeaturePage, source: ServedFeatures,
                     folder: Path) -> Iterator[Tuple[Feature, Optional[QgsGeometry]]]:
    """Yield the features of a page with their geometries. Raises UnreadableDocument."""
    if page.document:
        yield from zip(page.features, _gml_geometries(page, source, folder) if page.features else ())
        return
    convert = ogr.CreateGeometryFromEsriJson if isinstance(source.query, ArcGisQuery) else ogr.CreateGeometryFromJson
    for one in page.features:
        try:
            shape = None if one.geometry is None else convert(json.dumps(one.geometry))
        except RuntimeError as error:
            # another plugin may have switched on GDAL's exceptions
            raise UnreadableDocument(tr("The features cannot be read."), str(error)) from error
        yield one, None if one.geometry is None else _geometry(shape)


def _gml_geometries(page: FeaturePage, source: ServedFeatures, folder: Path) -> List[Optional[QgsGeometry]]:
    """Return the geometries of a GML document in the order of its features."""
    path = folder / f"{uuid.uuid4().hex}.gml"
    path.write_bytes(page.document)
    options = ["DOWNLOAD_SCHEMA=NO", "WRITE_GFS=NO", "FORCE_SRS_DETECTION=NO",
               *([] if source.swaps is None else [f"SWAP_COORDINATES={'YES' if source.swaps else 'NO'}"])]
    found: List[Optional[QgsGeometry]] = []
    try:
        dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR, allowed_drivers=["GML"], open_options=options)
        for number in range(dataset.GetLayerCount() if dataset is not None else 0):
            for one in dataset.GetLayer(number):
                shape = one.GetGeometryRef()
                found.append(None if shape is None else _geometry(shape))
    except RuntimeError as error:
        raise UnreadableDocument(tr("The features cannot be read."), str(error)) from error
    finally:
        dataset = None
        for file in folder.glob(f"{path.stem}.*"):
            file.unlink()
    if len(found) != len(page.features):
        raise UnreadableDocument(tr("The features cannot be read."), f"{len(found)} / {len(page.features)}")
    return found


def _geometry(shape: Optional[ogr.Geometry]) -> QgsGeometry:
    geometry = QgsGeometry()
    if shape is not None:
        geometry.fromWkb(bytes(shape.ExportToIsoWkb()))
    if geometry.isNull():
        raise UnreadableDocument(tr("The features cannot be read."))
    return geometry


class _Fields:
    """The fields of a layer, which take the values that a service sends."""

    def __init__(self, fields: Sequence[QgsField]) -> None:
        self._fields = QgsFields()
        for one in fields:
            self._fields.append(one)

    def feature(self, read: Feature, geometry: Optional[QgsGeometry]) -> ReadFeature:
        feature = QgsFeature(self._fields)
        feature.setAttributes([_value(one, read.attributes.get(one.name())) for one in self._fields])
        if geometry is not None:
            feature.setGeometry(geometry)
        return ReadFeature(hash((bytes(feature.geometry().asWkb()), repr(feature.attributes()))), feature)


def _value(one: QgsField, value: Any) -> Any:
    """Return a value as its field has it: dates of ArcGIS are milliseconds since 1970."""
    if value is None:
        return None
    if one.isDateOrTime() and isinstance(value, (int, float)) and not isinstance(value, bool):
        value = QDateTime.fromMSecsSinceEpoch(int(value), Qt.TimeSpec.UTC)
    elif isinstance(value, (dict, list)):
        value = json.dumps(value)
    try:
        return one.convertCompatible(value)
    except (ValueError, TypeError):
        return None


def feature_layer(layer: QgsVectorLayer, source: ServedFeatures, fetched: Iterable[FetchedFeatures]) -> QgsVectorLayer:
    """Return a layer in memory that stands for ``layer``, with its id and style, of all that came. Main thread only.

    Raises CartoguideError if it cannot hold the features.
    """
    shapes = {compat.point_geometry(): "MultiPoint", compat.line_geometry(): "MultiLineString"}
    copy = QgsVectorLayer(shapes.get(layer.geometryType(), "MultiPolygon"), layer.name(), "memory",
                          QgsVectorLayer.LayerOptions(False))
    provider = copy.dataProvider()
    for one in layer.dataProvider().fields():
        if not provider.addAttributes([QgsField(one)]):
            provider.addAttributes([compat.make_field(one.name(), str)])
    copy.updateFields()
    document, context = QDomDocument(), QgsReadWriteContext()
    element = document.createElement("maplayer")
    # QGIS lets nobody set an id before 3.38
    is_copied = layer.writeLayerXml(element, document, context) and copy.readLayerXml(
        element, context, QgsMapLayer.ReadFlag.FlagDontResolveLayers)
    features = [one.feature for one in _distinct(fetched)]
    if not is_copied or (features and not provider.addFeatures(features)[0]) or not provider.setSubsetString(
            source.expression):
        # the traceback of the error would hold the unfinished copy, whose later end could end the process
        del copy
        raise uncopied(layer)
    copy.setCrs(_crs_of_coordinates(layer, source))
    copy.updateExtents()
    if layer.project() is not None:
        copy.resolveReferences(layer.project())
    return copy


def _distinct(fetched: Iterable[FetchedFeatures]) -> Iterator[ReadFeature]:
    """Yield the features of several maps, each once. They are known by all that they have: ids may change."""
    known: Set[Tuple[int, int]] = set()
    for result in fetched:
        counts: Dict[int, int] = {}
        for one in result.read.features:
            counts[one.content] = counts.get(one.content, 0) + 1
            key = (one.content, counts[one.content])
            if key not in known:
                known.add(key)
                yield one
