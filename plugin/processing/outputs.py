"""Results as tables and as footprints: QGIS layers of whatever format was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFileDestination,
    QgsRectangle,
    QgsWkbTypes,
)

from ..core.i18n import tr
from ..gis.runtime import compat
from .algorithm import CartoguideAlgorithm

if TYPE_CHECKING:
    from ..core.records.model.record import Record
    from ..core.terms.model import RecordWithTerms, Terms

HTML, CSV = "HTML (*.html)", "CSV (*.csv)"
TABLE, FOOTPRINTS = "TABLE", "FOOTPRINTS"
GEOGRAPHIC_CRS = "EPSG:4326"
#: a column: its name, which never changes, and the kind of its values
Column = Tuple[str, type]

RECORD_COLUMNS: Sequence[Column] = (
    ("identifier", str), ("title", str), ("kind", str), ("service_type", str), ("year", int), ("date_stamp", str),
    ("organisation", str), ("licence", str), ("free", str), ("credit_required", str), ("credit", str),
    ("address", str), ("keywords", str), ("abstract", str), ("language", str), ("west", float), ("south", float),
    ("east", float), ("north", float), ("source", str))


def add_table_output(algorithm: CartoguideAlgorithm, name: str, label: str) -> None:
    """A table that is made unless it is switched off."""
    algorithm.add_parameter(
        QgsProcessingParameterFeatureSink(name, label, QgsProcessing.SourceType.TypeVector, None, True, True))


def add_record_outputs(algorithm: CartoguideAlgorithm) -> None:
    """The two outputs of records: all as a table, those with an extent as polygons."""
    add_table_output(algorithm, TABLE, tr("Records"))
    algorithm.add_parameter(
        QgsProcessingParameterFeatureSink(FOOTPRINTS, tr("Footprints"), QgsProcessing.SourceType.TypeVectorPolygon,
                                          None, True, True))


def record_output_descriptions() -> List[Tuple[str, str]]:
    """What those two outputs hold."""
    return [(TABLE, tr("A row for each record: identifier, title, kind, year, organisation, terms, credit, address, "
                       "keywords, box.")),
            (FOOTPRINTS, tr("The same as polygons (EPSG:4326), for the records that tell their extent."))]


class TableWriter:
    """One table being written; ``where`` is what Processing calls it, None where nobody wants it."""

    def __init__(self, algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                 name: str, columns: Sequence[Column], shape: Any = None) -> None:
        self.count = 0
        self._fields = qgs_fields(columns)
        self._sink: Optional[QgsFeatureSink] = None
        self.destination_id: Optional[str] = None
        if parameters.get(name) is None:
            return
        crs = QgsCoordinateReferenceSystem(GEOGRAPHIC_CRS) if shape is not None else QgsCoordinateReferenceSystem()
        kind = QgsWkbTypes.Type.NoGeometry if shape is None else shape
        self._sink, self.destination_id = algorithm.parameterAsSink(parameters, name, context, self._fields, kind, crs)
        if self._sink is None:
            raise QgsProcessingException(algorithm.invalidSinkError(parameters, name))

    def add_row(self, values: Sequence[Any], geometry: Optional[QgsGeometry] = None) -> None:
        """One more row; an absent value is None."""
        self.count += 1
        if self._sink is None:
            return
        feature = QgsFeature(self._fields)
        feature.setAttributes(list(values))
        if geometry is not None:
            feature.setGeometry(geometry)
        self._sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)


def qgs_fields(columns: Sequence[Column]) -> QgsFields:
    """The columns as QGIS has them."""
    found = QgsFields()
    for name, kind in columns:
        found.append(compat.make_field(name, kind))
    return found


def write_record_outputs(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                         records: Iterable[RecordWithTerms]) -> Dict[str, Any]:
    """The table and the footprints of ``records``; gives Processing's names of both."""
    table = TableWriter(algorithm, parameters, context, TABLE, RECORD_COLUMNS)
    footprints = TableWriter(algorithm, parameters, context, FOOTPRINTS, RECORD_COLUMNS, QgsWkbTypes.Type.MultiPolygon)
    for record, terms in records:
        values = record_values(record, terms)
        table.add_row(values)
        outline = footprint(record)
        if outline is not None:
            footprints.add_row(values, outline)
    return {
        name: sink.destination_id for name, sink in ((TABLE, table), (FOOTPRINTS, footprints))
        if sink.destination_id is not None
    }


def record_values(record: Record, terms: Terms) -> List[Any]:
    """One record's row under RECORD_COLUMNS."""
    from ..core.library.index.index_row import index_row
    from ..core.records.model.endpoints import wms_endpoint

    row = index_row(record, terms)
    sides = row.bbox or (None,) * 4
    return [
        record.id, record.title, record.kind, record.service_type, row.year, record.date_stamp, row.organisation or
        None, row.licence, terms.free.value, terms.credit_required.value, terms.credit or None,
        wms_endpoint(record), "; ".join(record.keywords) or None, record.abstract, record.language, *sides,
        record.source or None
    ]


def footprint(record: Record) -> Optional[QgsGeometry]:
    """The record's boxes (EPSG:4326, longitude first) as polygons, parted at the date line; None where it has none."""
    from ..core.catalogues.model import split_at_antimeridian

    parts: List[QgsGeometry] = []
    for extent in record.extents:
        west, south, east, north = extent.west, extent.south, extent.east, extent.north
        if west is None or south is None or east is None or north is None or south > north:
            continue
        if not (-180.5 <= west <= 360 and -180.5 <= east <= 360 and -90.5 <= south <= north <= 90.5):
            continue
        parts += [
            QgsGeometry.fromRect(QgsRectangle(*half)) for half in split_at_antimeridian((west, south, east, north))
        ]
    # a record of a single place has a box without area
    parts = [part for part in parts if part.area() > 0]
    if not parts:
        return None
    whole = QgsGeometry.unaryUnion(parts)
    whole.convertToMultiType()
    return whole


def resolve_record_terms(record: Record, feedback: Any = None, request_service: bool = False) -> Terms:
    """The record's terms with the person's credit pattern; with ``ask`` what its service says counts too."""
    from ..core.errors import Cancelled, CartoguideError
    from ..core.records.model.endpoints import wms_endpoint
    from ..core.terms import DEFAULT_PATTERN, resolve_terms
    from ..gis.runtime import settings
    from ..gis.services import service_cache

    service, address = None, wms_endpoint(record) if request_service else None
    if address:
        try:
            service = service_cache.shared().get_or_fetch(address, feedback)
        except Cancelled:
            raise
        except CartoguideError:
            service = None  # the record stands for itself
    return resolve_terms(record, service, settings.get("credit_pattern") or DEFAULT_PATTERN)


def add_file_output(algorithm: CartoguideAlgorithm, name: str, label: str, file_filter: str,
                    created_by_default: bool = False) -> None:
    """An output file that need not be; made where nothing is said only if it is ``wanted``."""
    algorithm.add_parameter(
        QgsProcessingParameterFileDestination(name, label, file_filter, None, True, created_by_default))


def write_file_output(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                      name: str, text: Callable[[], str], byte_order_mark: bool = False) -> Dict[str, Any]:
    """Write ``text()`` where the parameter says; nothing where it says nothing. CartoguideError where it cannot be.

    ``mark``: with the mark by which spreadsheets know UTF-8.
    """
    from ..core.atomic_write import atomic_write

    path = str(algorithm.parameterAsFileOutput(parameters, name, context) or "")
    if not path:
        return {}
    with atomic_write(Path(path)) as stream:
        stream.write(text().encode("utf-8-sig" if byte_order_mark else "utf-8"))
    return {name: path}
