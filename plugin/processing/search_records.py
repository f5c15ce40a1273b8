"""Algorithm that searches the record library or catalogues and writes a table and footprints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..core.i18n import tr, tr_noop
from . import inputs, outputs
from .algorithm import RECORDS, CartoguideAlgorithm
from .execution import run_blocking
from .inputs import add_catalogue_parameter, resolve_catalogues

if TYPE_CHECKING:
    from ..core.catalogues.model import CatalogueQuery, Source
    from ..core.records.model.record import Record
    from ..gis.runtime.tasks import Feedback

WORDS, KEYWORDS, CATALOGUE, LIMIT = "WORDS", "KEYWORDS", "CATALOGUE", "LIMIT"
MAX_RECORDS = 100_000


class SearchRecords(CartoguideAlgorithm):
    ID = "searchrecords"
    TITLE = tr_noop("Search records")
    DESCRIPTION = tr_noop("Finds records by words, type, keywords and area, in your library or in catalogues (CSW, "
                          "OGC API Records, GeoNetwork). A record must meet all conditions; without any, everything "
                          "is found.")
    GROUP = RECORDS
    TAGS = ("find", "csw", "catalogue", "geonetwork", "ogc api records", "metadata", "buscar", "catálogo")
    EXAMPLE = "qgis_process run cartoguide:searchrecords -- WORDS=parque TYPE=service TABLE=found.csv"
    OUTPUTS = (*outputs.RECORD_OUTPUTS,
               ("COUNT", tr_noop("Number of records in the table.")),
               ("TOTAL", tr_noop("Total number of matching records, as reported by the catalogues.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        self.add_parameter(QgsProcessingParameterString(WORDS, tr("Words"), optional=True),
                           tr("Words that the record must contain. Accents and case do not matter."))
        inputs.add_type_parameter(self, tr("What the record describes."))
        self.add_parameter(QgsProcessingParameterString(KEYWORDS, tr("Keywords"), optional=True),
                           tr("Keywords the record must have, separated by commas."))
        inputs.add_extent_parameter(self, tr("Area"), tr("The record's extent must overlap this area."))
        add_catalogue_parameter(
            self,
            tr("Where to search: empty means the records of your library, “all” every catalogue that is switched on, "
               "“network” the network's own; otherwise a catalogue's title or its address."))
        self.add_parameter(
            QgsProcessingParameterNumber(LIMIT, tr("Maximum records"), QgsProcessingParameterNumber.Type.Integer, 1000,
                                         True, 1, MAX_RECORDS),
            tr("The search ends after this many records from each source."), advanced=True)
        outputs.add_record_outputs(self)
        self.add_outputs(QgsProcessingOutputNumber("COUNT", tr("Records found")),
                         QgsProcessingOutputNumber("TOTAL", tr("Total records")))

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Search. Raises CartoguideError where the library or all catalogues fail."""
        from ..core.catalogues.model import CatalogueQuery

        keywords = [word.strip() for word in str(self.parameterAsString(parameters, KEYWORDS, context)).split(",")]
        query = CatalogueQuery(
            str(self.parameterAsString(parameters, WORDS, context)).strip(), tuple(word for word in keywords if word),
            inputs.record_type(self, parameters, context), inputs.bounding_box(self, parameters, context))
        limit = int(self.parameterAsInt(parameters, LIMIT, context))
        name_or_address = str(self.parameterAsString(parameters, CATALOGUE, context)).strip()

        def work(task_feedback: Feedback) -> Tuple[List[Record], int]:
            if name_or_address:
                return _search_catalogues(name_or_address, query, limit, task_feedback, feedback)
            return _search_library(query, limit, task_feedback)

        records, total = run_blocking(work, feedback)
        results = outputs.write_record_outputs(self, parameters, context,
                                               ((record, outputs.resolve_record_terms(record)) for record in records))
        feedback.pushInfo(tr("%n record(s) found.", n=len(records)))
        return {**results, "COUNT": len(records), "TOTAL": max(total, len(records))}


def _search_library(query: CatalogueQuery, limit: int, feedback: Feedback) -> Tuple[List[Record], int]:
    """Return the matching records of the library in the order of the dock's list, and how many match in all."""
    from ..core.library.query import Facet, LibraryQuery
    from ..gis.runtime.i18n import record_language
    from .record_inputs import open_library

    facets: Dict[str, Tuple[str, ...]] = {Facet.KIND: (query.type,)} if query.type else {}
    records: List[Record] = []
    with open_library(feedback) as library:
        store = library.store()
        # as words, because all keywords have to match: the values of a facet are alternatives
        library_query = LibraryQuery(" ".join([query.text, *query.keywords]), query.bbox, facets)
        total = store.count(library_query, feedback.isCanceled).total
        offset, has_more = 0, True
        while has_more and len(records) < limit:
            feedback.raise_if_cancelled()
            page = store.search(library_query, min(500, limit), offset, feedback.isCanceled)
            for hit in page.hits:
                record = store.load_record(hit.identifier, record_language())
                if record is not None and _has_keywords(record, query.keywords):
                    records.append(record)
            offset, has_more = offset + len(page.hits), page.has_more and bool(page.hits)
            feedback.report(100.0 * offset / max(1, total), tr("%n record(s) read", n=len(records)))
    return records[:limit], len(records) if query.keywords and len(records) < limit else total


def _has_keywords(record: Record, keywords: Sequence[str]) -> bool:
    from ..core.catalogues.local_filter import matches
    from ..core.catalogues.model import CatalogueQuery

    return not keywords or matches(record, CatalogueQuery(keywords=tuple(keywords)))


def _search_catalogues(name_or_address: str, query: CatalogueQuery, limit: int, feedback: Feedback,
                       log: QgsProcessingFeedback) -> Tuple[List[Record], int]:
    """Return the records found in the catalogues, merged, and how many match in all.

    A catalogue that fails is reported. Raises its CartoguideError where all of them fail.
    """
    from ..core.catalogues.result_merging import RecordMerger
    from ..core.errors import Cancelled, CartoguideError
    from ..gis.catalogues import federated_search

    merging = RecordMerger()
    errors: List[CartoguideError] = []
    total = 0
    sources: List[Source] = resolve_catalogues(name_or_address, feedback)
    for number, source in enumerate(sources):
        feedback.report(100.0 * number / len(sources), tr("Searching {name}", name=source.display_name))
        try:
            records, matched = federated_search.search_source(source, query, limit, feedback)
        except Cancelled:
            raise
        except CartoguideError as error:
            errors.append(error.with_traceback(None))
            log.reportError(f"{source.display_name}: {error.user_text}")
            continue
        merging.add(source, records)
        total += matched
    if errors and len(errors) == len(sources):
        raise errors[0]
    return [result.best.item.record for result in merging.results], total
