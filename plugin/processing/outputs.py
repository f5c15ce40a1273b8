"""Outputs of the algorithms: tables and footprints in any format of QGIS, pages and CSV files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFileDestination,
    QgsRectangle,
)

from ..core.i18n import tr, tr_noop
from ..gis.runtime import compat
from .algorithm import CartoguideAlgorithm

if TYPE_CHECKING:
    from ..core.records.model.record import Record
    from ..core.terms.model import RecordWithTerms, Terms

#: tables that spreadsheets open, which take some texts for formulas
_SPREADSHEETS = (".csv", ".tsv", ".txt", ".xlsx", ".ods")
HTML, CSV = "HTML (*.html)", "CSV (*.csv)"
TABLE, FOOTPRINTS = "TABLE", "FOOTPRINTS"
GEOGRAPHIC_CRS = "EPSG:4326"
#: a column: its stable name and the type of its values
Column = Tuple[str, type]

RECORD_COLUMNS: Sequence[Column] = (
    ("identifier", str), ("title", str), ("kind", str), ("service_type", str), ("year", int), ("date_stamp", str),
    ("organisation", str), ("licence", str), ("free", str), ("credit_required", str), ("credit", str),
    ("address", str), ("keywords", str), ("abstract", str), ("language", str), ("west", float), ("south", float),
    ("east", float), ("north", float), ("source", str))


def add_table_output(algorithm: CartoguideAlgorithm, name: str, label: str) -> None:
    """Add a table. It is created unless the user skips it."""
    algorithm.add_parameter(
        QgsProcessingParameterFeatureSink(name, label, compat.processing_source_type("Vector"), None, True, True))


def add_record_outputs(algorithm: CartoguideAlgorithm) -> None:
    """Add the two outputs of records: a table of all, and polygons of those with an extent."""
    add_table_output(algorithm, TABLE, tr("Records"))
    algorithm.add_parameter(
        QgsProcessingParameterFeatureSink(FOOTPRINTS, tr("Footprints"), compat.processing_source_type("VectorPolygon"),
                                          None, True, True))


RECORD_OUTPUTS = ((TABLE, tr_noop("A row for each record: identifier, title, type, year, organisation, terms, credit, "
                                  "address, keywords, extent.")),
                  (FOOTPRINTS, tr_noop("The same as polygons (EPSG:4326), for records with an extent.")))


class TableWriter:
    """Writes one table. ``destination_id`` is Processing's identifier of it, None where the output is skipped."""

    def __init__(self, algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                 name: str, columns: Sequence[Column], geometry_type: Any = None) -> None:
        self.count = 0
        self._fields = qgs_fields(columns)
        self._sink: Optional[QgsFeatureSink] = None
        self.destination_id: Optional[str] = None
        if parameters.get(name) is None:
            return
        crs = QgsCoordinateReferenceSystem(
            GEOGRAPHIC_CRS) if geometry_type is not None else QgsCoordinateReferenceSystem()
        layer_type = compat.wkb_type("NoGeometry") if geometry_type is None else geometry_type
        self._sink, self.destination_id = algorithm.parameterAsSink(parameters, name, context, self._fields, layer_type,
                                                                    crs)
        if self._sink is None:
            raise QgsProcessingException(algorithm.invalidSinkError(parameters, name))

    def add_row(self, values: Sequence[Any], geometry: Optional[QgsGeometry] = None) -> None:
        """Write one row. None is an absent value."""
        self.count += 1
        if self._sink is None:
            return
        from ..core.csv_tables import safe_cell

        feature = QgsFeature(self._fields)
        feature.setAttributes([safe_cell(value) if isinstance(value, str) else value for value in values]
                              if Path(self.destination_id or "").suffix.lower() in _SPREADSHEETS else list(values))
        if geometry is not None:
            feature.setGeometry(geometry)
        self._sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)


def qgs_fields(columns: Sequence[Column]) -> QgsFields:
    qgs_columns = QgsFields()
    for name, column_type in columns:
        qgs_columns.append(compat.make_field(name, column_type))
    return qgs_columns


def write_record_outputs(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                         records: Iterable[RecordWithTerms]) -> Dict[str, Any]:
    """Write the table and the footprints of ``records`` and return Processing's identifiers of both."""
    table = TableWriter(algorithm, parameters, context, TABLE, RECORD_COLUMNS)
    footprints = TableWriter(algorithm, parameters, context, FOOTPRINTS, RECORD_COLUMNS,
                             compat.wkb_type("MultiPolygon"))
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
    """Return the row of a record under RECORD_COLUMNS."""
    from ..core.distributions.record_distributions import wms_address
    from ..core.library.index.index_row import index_row

    row = index_row(record, terms)
    sides = row.bbox or (None,) * 4
    return [
        record.id, record.title, record.kind.value, record.service_type, row.year, record.date_stamp,
        row.organisation or None, row.licence, terms.free.value, terms.credit_required.value, terms.credit or None,
        wms_address(record), "; ".join(record.keywords) or None, record.abstract, record.language, *sides,
        record.source or None
    ]


def footprint(record: Record) -> Optional[QgsGeometry]:
    """Return the record's extents as polygons (EPSG:4326, longitude first), split at the date line, or None."""
    polygons: List[QgsGeometry] = []
    for extent in record.extents:
        if extent.box is not None and extent.box.is_on_globe:
            polygons += [QgsGeometry.fromRect(QgsRectangle(*part)) for part in extent.box.parts]
    # the extent of a single point has no area
    polygons = [polygon for polygon in polygons if polygon.area() > 0]
    if not polygons:
        return None
    polygon_union = QgsGeometry.unaryUnion(polygons)
    polygon_union.convertToMultiType()
    return polygon_union


def resolve_record_terms(record: Record, feedback: Any = None, request_service: bool = False) -> Terms:
    """Resolve the terms of a record, with the credit pattern of the settings.

    With ``request_service`` the capabilities of its service count too. They are fetched, so this is for worker threads
    then. A service that fails is ignored. Raises Cancelled.
    """
    from ..core.distributions.record_distributions import wms_address
    from ..core.errors import Cancelled, CartoguideError
    from ..gis.runtime.terms import terms_for
    from ..gis.services import service_cache

    service, address = None, wms_address(record) if request_service else None
    if address:
        try:
            service = service_cache.shared().get_or_fetch(address, feedback)
        except Cancelled:
            raise
        except CartoguideError:
            service = None  # the record alone counts
    return terms_for(record, service)


def add_file_output(algorithm: CartoguideAlgorithm, name: str, label: str, file_filter: str) -> None:
    """Add an optional output file, which is not created where nothing is given."""
    algorithm.add_parameter(QgsProcessingParameterFileDestination(name, label, file_filter, None, True, False))


def write_file_output(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                      name: str, text: Callable[[], str], byte_order_mark: bool = False) -> Dict[str, Any]:
    """Write ``text()`` to the path of the parameter ``name``, or nothing where it is empty. Return the output.

    ``byte_order_mark``: begin with the mark by which spreadsheets recognise UTF-8. Raises CartoguideError where the
    file cannot be written.
    """
    from ..core.files import atomic_write

    path = str(algorithm.parameterAsFileOutput(parameters, name, context) or "")
    if not path:
        return {}
    with atomic_write(Path(path)) as stream:
        stream.write(text().encode("utf-8-sig" if byte_order_mark else "utf-8"))
    return {name: path}
