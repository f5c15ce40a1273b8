"""Read the table of a leaflet: the features of its layers in the map's area, from the WFS behind each or from QGIS.

A layer of a service leads to its WFS by DescribeLayer (SLD profile of WMS, 05-078r4 8). What cannot be read is a
problem in words, with which the page counts as incomplete.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProject,
    QgsVectorLayer,
)

from ...core.audit import AddressFindings, CreditState, LayerFacts, SourceType, build_row
from ...core.custommap.model import LayerPlan, Plan
from ...core.errors import Cancelled, CartoguideError, InvalidRequest
from ...core.i18n import tr
from ...core.pages.leaflet import (
    MAX_FEATURES,
    FacilityTable,
    Point,
    TableFeature,
    TableGroup,
    TableSource,
    kind_field,
    table_group,
)
from ...core.records.model.endpoints import normalise_endpoint
from ...core.request import Request
from ...core.sources.ows_capabilities import read_ows_info
from ...core.storage.temporary_files import temporary_folder
from ...core.terms.paper_gate import NO_ANSWERS, credit_for_paper, unfit_reasons
from ...core.text import inert, single_line, truncate
from ...core.wfs import capabilities_request, features_request, plain_collection, read_feature_type
from ...core.wms.requests.sld_profile import describe_layer_request
from ...core.wms.responses.layer_descriptions import read_layer_descriptions
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..credits.layer_credits import layers_without_credit, owed_credits, unfit_credits
from ..network.client import RequestLimits, fetch
from ..own_layers.references import find_layer
from ..runtime import compat, crs_ownership, tasks
from ..runtime.conversions import rectangle_box
from ..runtime.ground_scale import length_measure
from ..runtime.network_errors import host_of
from ..runtime.terms import terms_settings
from ..services.service_cache import ServiceCache, shared
from .feature_names import FeatureSource, named_features

#: bytes and seconds of one response of a WFS
_MAX_BYTES, _MAX_SECONDS = 16 * 1024 * 1024, 60.0
#: characters of a name and of a kind in the table
_MAX_TEXT = 120
#: shares of a line at which its number may lie, the best first
_ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
_WGS84 = "EPSG:4326"


@dataclass(frozen=True)
class MapArea:
    """The area that a page's map shows, as a polygon in the map's CRS. Made on the main thread."""

    polygon: QgsGeometry
    crs: str
    transforms: QgsCoordinateTransformContext


@dataclass(frozen=True)
class _OwnFeatures:
    """Features of a layer of the project, which may be read in another thread."""

    source: FeatureSource
    crs: QgsCoordinateReferenceSystem
    kind: str
    is_line: bool
    credits: Tuple[str, ...]


_Source = Union[_OwnFeatures, LayerPlan, str]


@dataclass(frozen=True)
class TableRequest:
    """The sources of a page's table, the area of its map, and the services. Equal requests have equal keys."""

    sources: Tuple[_Source, ...]
    area: MapArea
    services: ServiceCache

    @property
    def key(self) -> Tuple[object, ...]:
        """Sources and area, as a value that can be compared."""
        names = [source if isinstance(source, str) else (source.address, source.name) if isinstance(source, LayerPlan)
                 else source.source.title for source in self.sources]
        return (*names, self.area.crs, self.area.polygon.asWkt(0))


@dataclass(frozen=True)
class TableResult:
    """The table that was read, with a text for each layer that could not be read. Such a table is incomplete."""

    table: FacilityTable
    problems: Tuple[str, ...] = ()


def table_request(plan: Plan, project: QgsProject, area: MapArea,
                  services: Optional[ServiceCache] = None) -> Optional[TableRequest]:
    """Return what the table of ``plan`` is read from, None for a page without one. Main thread only."""
    chosen = plan.page.leaflet.table
    if not chosen:
        return None
    return TableRequest(tuple(_find_source(source, plan, project) for source in chosen), area, services or shared())


def _find_source(source: TableSource, plan: Plan, project: QgsProject) -> _Source:
    """Return the features of a layer of the map, or why there are none."""
    if source.own_layer:
        own = next((own for own in plan.own_layers if own.id == source.own_layer and own.visible), None)
        layer = find_layer(project, own) if own is not None else None
        if own is None or not isinstance(layer, QgsVectorLayer) or not layer.isValid():
            return tr("A layer of the table is not on the map any more. Choose the layers of the table again.")
        if layers_without_credit([layer]):
            return tr("“{layer}” has no credit line, and its terms may require one.", layer=layer.name())
        unfit = unfit_credits([layer])
        if unfit:
            return unfit[0]
        kind = kind_field([field.name() for field in layer.fields()])
        return _OwnFeatures(FeatureSource.of_layer(layer), layer.crs(), kind, _has_lines(layer),
                            tuple(owed_credits([layer])))
    endpoint = normalise_endpoint(source.endpoint)
    found = next((layer for layer in plan.layers if layer.visible and layer.name == source.layer and layer.entry
                  is not None and normalise_endpoint(layer.entry.endpoint) == endpoint), None)
    return found or tr("“{layer}” is in the table and not on the map. Choose the layers of the table again.",
                       layer=single_line(source.layer)[:_MAX_TEXT])


def _has_lines(layer: QgsVectorLayer) -> bool:
    return bool(layer.geometryType() == compat.line_geometry())


def read_table(request: TableRequest, feedback: tasks.Feedback) -> TableResult:
    """Read the features of all layers. For worker threads. Raises Cancelled."""
    groups: List[TableGroup] = []
    credits: Dict[str, None] = {}
    notes: List[str] = []
    problems: List[str] = []
    for source in request.sources:
        feedback.raise_if_cancelled()
        if isinstance(source, str):
            problems.append(source)
            continue
        title = source.title or source.name if isinstance(source, LayerPlan) else source.source.title
        try:
            features, owed = (_service_features(source, request, feedback) if isinstance(source, LayerPlan) else
                              (_features(source, request.area, feedback), source.credits))
        except Cancelled:
            raise
        except CartoguideError as error:
            problems.append(tr("The table lacks “{layer}”: {reason}", layer=title, reason=error.user_text))
            continue
        named = [feature for feature in features if feature.name]
        if len(named) < len(features):
            notes.append(tr("%n feature(s) of “{layer}” have no name and are not in the table.",
                            n=len(features) - len(named), layer=title))
        if named:
            groups.append(table_group(single_line(title), named))
            credits.update(dict.fromkeys(owed))
        else:
            notes.append(tr("“{layer}” has no named feature in the map's area, so it is not in the table.",
                            layer=title))
    return TableResult(FacilityTable(tuple(groups), tuple(credits), tuple(notes)), tuple(problems))


def _service_features(plan: LayerPlan, request: TableRequest,
                      feedback: tasks.Feedback) -> Tuple[List[TableFeature], Tuple[str, ...]]:
    """Return the features behind a layer of a service in the map's area, and the credits that they ask for."""
    endpoint = plan.entry.endpoint if plan.entry is not None else plan.address
    service = request.services.get_or_fetch(endpoint, feedback)
    try:
        described = _fetch_xml(describe_layer_request(service, [plan.name]), feedback)
    except InvalidRequest as error:
        raise _without_wfs(error.user_text) from error
    behind = next((found for found in read_layer_descriptions(described, host_of(endpoint))
                   if found.service_type == "WFS" and found.url and found.type_names), None)
    if behind is None:
        raise _without_wfs()
    host = host_of(behind.url)
    capabilities = _fetch_xml(capabilities_request(behind.url), feedback)
    feature_type = read_feature_type(capabilities, behind.type_names[0], host)
    info = read_ows_info(capabilities, host, behind.type_names)
    facts = LayerFacts("", plan.title, SourceType.WFS, behind.url, behind.type_names, tuple(plan.rights))
    row = build_row(facts, AddressFindings(provider=info), terms_settings())
    if row.state is CreditState.MISSING:
        raise CartoguideError(tr("its WFS at {host} names nobody to credit, and its terms may require it.", host=host))
    answers = plan.entry.credit.answers if plan.entry is not None else NO_ANSWERS
    credit = credit_for_paper((*plan.rights, *(row.credit if row.state in (CreditState.DIFFERS, CreditState.FOUND)
                                               else ())), answers=answers)
    if credit.unfit:
        raise CartoguideError(unfit_reasons(credit.unfit, plan.title)[0])
    crs_ownership.claim_crs((_WGS84, feature_type.crs, request.area.crs), feedback)
    crs = QgsCoordinateReferenceSystem.fromOgcWmsCrs(feature_type.crs)
    if not crs.isValid():
        raise CartoguideError(tr("its WFS at {host} has them in a reference system that QGIS does not know: {crs}",
                                 host=host, crs=feature_type.crs[:_MAX_TEXT]))
    bounds = _area_in(request.area, crs).boundingBox()
    asked = features_request(behind.url, feature_type, rectangle_box(bounds), crs.hasAxisInverted(), MAX_FEATURES + 1)
    collection = plain_collection(_fetch_xml(asked, feedback), host)
    feedback.raise_if_cancelled()
    return _read_collection(collection, plan, crs, request.area, feedback), credit.lines


def _without_wfs(reason: str = "") -> CartoguideError:
    return CartoguideError(f"{tr('no WFS with its features is behind it. Choose a vector layer of the map instead.')} "
                           f"{reason}".strip())


def _fetch_xml(request: Request, feedback: tasks.Feedback) -> bytes:
    limits = RequestLimits.from_settings(max_total=_MAX_SECONDS, max_bytes=_MAX_BYTES)
    response = fetch(request, limits=limits, feedback=feedback)
    check_response(response, ExpectedContent.XML)
    return bytes(response.body)


def _read_collection(collection: bytes, plan: LayerPlan, crs: QgsCoordinateReferenceSystem, area: MapArea,
                     feedback: tasks.Feedback) -> List[TableFeature]:
    """Return the features of a GML document, which GDAL reads from a file."""
    folder = temporary_folder(Path(tempfile.gettempdir()))
    try:
        file = folder / "features.gml"
        file.write_bytes(collection)
        layer = QgsVectorLayer(str(file), inert(plan.title), "ogr", QgsVectorLayer.LayerOptions(area.transforms))
        if not layer.isValid() or not layer.isSpatial():
            # a collection without members has no fields and no geometry
            return []
        features = _OwnFeatures(FeatureSource.of_layer(layer), crs,
                                kind_field([field.name() for field in layer.fields()]), _has_lines(layer), ())
        return _features(features, area, feedback)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _features(source: _OwnFeatures, area: MapArea, feedback: tasks.Feedback) -> List[TableFeature]:
    """Return the features within the area. Raises CartoguideError for too many, and Cancelled."""
    map_crs = QgsCoordinateReferenceSystem(area.crs)
    to_map = QgsCoordinateTransform(source.crs, map_crs, area.transforms)
    request = QgsFeatureRequest().setFilterRect(_area_in(area, source.crs).boundingBox())
    measure = length_measure(source.crs, area.transforms)
    found: List[TableFeature] = []
    for count, (name, feature) in enumerate(named_features(source.source, request, feedback)):
        if count >= MAX_FEATURES:
            raise CartoguideError(tr("it has more than {most} features in the map's area. Choose another layer, or a "
                                     "smaller area.", most=MAX_FEATURES))
        geometry = QgsGeometry(feature.geometry())
        try:
            length = measure(geometry) if source.is_line else None
            if geometry.transform(to_map) != 0:
                continue
        except QgsCsException:
            continue
        shown = geometry.intersection(area.polygon)
        if shown.isNull() or shown.isEmpty():
            continue
        kind = feature[source.kind] if source.kind else None
        text = "" if kind is None or str(kind) == "NULL" else truncate(single_line(str(kind)), _MAX_TEXT)
        is_point = shown.type() == compat.point_geometry()
        found.append(TableFeature(truncate(name, _MAX_TEXT), text, length, tuple(_places(shown)), not is_point))
    return found


def _places(shown: QgsGeometry) -> List[Point]:
    """Return points of a feature for its number: a point itself, places along a line, a point within an area."""
    kinds: Dict[object, Callable[[], Sequence[QgsGeometry]]] = {
        compat.point_geometry(): shown.asGeometryCollection,
        compat.line_geometry(): lambda: _along(shown)}
    points = kinds.get(shown.type(), lambda: [shown.pointOnSurface()])()
    return [(point.asPoint().x(), point.asPoint().y()) for point in points if not point.isNull()]


def _along(shown: QgsGeometry) -> List[QgsGeometry]:
    longest = max(shown.mergeLines().asGeometryCollection() or [shown], key=lambda part: float(part.length()))
    return [longest.interpolate(longest.length() * share) for share in _ALONG]


def _area_in(area: MapArea, crs: QgsCoordinateReferenceSystem) -> QgsGeometry:
    """Return the map's area in another CRS. Raises CartoguideError where that does not cover it."""
    polygon = QgsGeometry(area.polygon)
    try:
        # an edge that is straight on the map is a curve in another CRS
        dense = polygon.densifyByCount(10)
        if dense.transform(QgsCoordinateTransform(QgsCoordinateReferenceSystem(area.crs), crs, area.transforms)) != 0:
            raise QgsCsException("")
    except QgsCsException:
        raise CartoguideError(tr("its reference system does not cover the map's area.")) from None
    return dense
