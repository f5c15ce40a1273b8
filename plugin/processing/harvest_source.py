"""Algorithm that harvests a catalogue, or the records in it that match a query, into the record library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputBoolean,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterAuthConfig,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterString,
)

from ..core.i18n import tr, tr_noop
from . import inputs
from .algorithm import RECORDS, CartoguideAlgorithm
from .execution import run_blocking
from .inputs import CATALOGUE, NETWORK_CATALOGUE, add_catalogue_parameter, resolve_catalogues
from .outputs import CSV, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.catalogues.harvesting import HarvestSummary
    from ..core.catalogues.model import Source
    from ..gis.runtime.tasks import Feedback

WORDS, KEYWORDS, LOGIN, ANEW, FAILURES = "WORDS", "KEYWORDS", "LOGIN", "ANEW", "FAILURES"
ORGANISATIONS, YEARS = "ORGANISATIONS", "YEARS"


class HarvestSource(CartoguideAlgorithm):
    ID = "harvestsource"
    TITLE = tr_noop("Harvest a catalogue")
    DESCRIPTION = tr_noop("Saves a catalogue, or the matching part of it, in your record library. An interrupted "
                          "harvest is resumed.")
    GROUP = RECORDS
    TAGS = ("csw", "catalogue", "geonetwork", "ogc api records", "metadata", "download", "cosechar", "catálogo")
    EXAMPLE = "qgis_process run cartoguide:harvestsource -- CATALOGUE=network TYPE=service FAILURES=failures.csv"
    OUTPUTS = (("NEW, CHANGED, SAME", tr_noop("Number of records that are new, changed or unchanged.")),
               ("FAILED", tr_noop("Number of records that could not be read.")),
               ("VANISHED", tr_noop("Number of records in your library that the catalogue no longer has.")),
               ("COMPLETE", tr_noop("Whether the harvest is complete.")),
               ("SUMMARY", tr_noop("These counts in one line.")),
               (FAILURES, tr_noop("A row for each record that could not be read, and why.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        add_catalogue_parameter(
            self,
            tr("The catalogue to harvest: “network” for the network's own catalogue, otherwise a "
               "catalogue's title or its address (CSW, OGC API Records, GeoNetwork)."), NETWORK_CATALOGUE)
        self.add_parameter(QgsProcessingParameterString(WORDS, tr("Words"), optional=True),
                           tr("Only records that contain these words."))
        inputs.add_type_parameter(self, tr("Only records of this type."))
        self.add_parameter(QgsProcessingParameterString(KEYWORDS, tr("Keywords"), optional=True),
                           tr("Only records with these keywords, separated by commas."))
        inputs.add_extent_parameter(self, tr("Area"), tr("Only records with an extent that overlaps this area."))
        self.add_parameter(
            QgsProcessingParameterString(ORGANISATIONS, tr("Organisations"), optional=True),
            tr("Only records of one of these organisations, separated by semicolons. Filters that the "
               "catalogue does not support are applied to its results here, and so are years."), advanced=True)
        self.add_parameter(QgsProcessingParameterString(YEARS, tr("Years"), optional=True),
                           tr("Only records of one of these years, separated by commas."), advanced=True)
        self.add_parameter(QgsProcessingParameterAuthConfig(LOGIN, tr("Login"), None, True),
                           tr("One of QGIS's authentication configurations, for a catalogue that requires a login."),
                           advanced=True)
        self.add_parameter(QgsProcessingParameterBoolean(ANEW, tr("Start over"), False),
                           tr("Start over, even if an interrupted harvest can be resumed."), advanced=True)
        add_file_output(self, FAILURES, tr("Failures"), CSV)
        self.add_outputs(
            *(QgsProcessingOutputNumber(name, label)
              for name, label in (("NEW", tr("New records")), ("CHANGED", tr("Changed records")),
                                  ("SAME", tr("Unchanged records")), ("FAILED", tr("Records that failed")),
                                  ("VANISHED", tr("Records that are no longer there")))),
            QgsProcessingOutputBoolean("COMPLETE", tr("Complete")),
            QgsProcessingOutputString("SUMMARY", tr("Summary")))

    def checkParameterValues(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> Any:  # noqa: N802
        if not str(self.parameterAsString(parameters, CATALOGUE, context)).strip():
            return False, tr("Choose a catalogue: its address, its title, or “network”.")
        return super().checkParameterValues(parameters, context)

    def _split_values(self, parameters: Dict[str, Any], name: str, separator: str,
                      context: QgsProcessingContext) -> Tuple[str, ...]:
        """Return the values of a parameter that takes several, without empty ones and repeats."""
        texts = str(self.parameterAsString(parameters, name, context) or "").split(separator)
        return tuple(dict.fromkeys(value.strip() for value in texts if value.strip()))

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Harvest the catalogue. Raises CartoguideError where it cannot be found or fetched."""
        from ..core.catalogues.model import CatalogueQuery
        from ..gis.catalogues import harvest
        from ..gis.library import library_changes
        from .record_inputs import open_library

        keywords = str(self.parameterAsString(parameters, KEYWORDS, context)).split(",")
        query = CatalogueQuery(
            str(self.parameterAsString(parameters, WORDS, context)).strip(),
            tuple(word.strip() for word in keywords if word.strip()), inputs.record_type(self, parameters, context),
            inputs.bounding_box(self, parameters, context), page_size=harvest.PAGE_SIZE, facets=tuple(
                (facet, values)
                for facet, values in (("organisation", self._split_values(parameters, ORGANISATIONS, ";", context)),
                                      ("year", self._split_values(parameters, YEARS, ",", context))) if values))
        name_or_address = str(self.parameterAsString(parameters, CATALOGUE, context)).strip()
        login = str(self.parameterAsString(parameters, LOGIN, context) or "")
        start_over = bool(self.parameterAsBoolean(parameters, ANEW, context))

        def work(task_feedback: Feedback) -> HarvestSummary:
            source = _single_catalogue(name_or_address, login, task_feedback)
            with open_library(task_feedback) as library:
                if start_over:
                    harvest.discard_checkpoint(library.store(), source, query)
                try:
                    return harvest.harvest(source, query, library.store(), task_feedback)
                finally:
                    # an interrupted harvest saves records too
                    library_changes.notify()

        summary = run_blocking(work, feedback)
        text = summary.to_text()
        for note in summary.notes:
            feedback.pushWarning(note)
        feedback.pushInfo(text)
        results = write_file_output(self, parameters, context, FAILURES, summary.failures_csv, byte_order_mark=True)
        return {
            **results, "NEW": summary.new, "CHANGED": summary.changed, "SAME": summary.same, "FAILED": summary.failed,
            "VANISHED": summary.vanished, "COMPLETE": summary.complete, "SUMMARY": text
        }


def _single_catalogue(named: str, login: str, feedback: Feedback) -> Source:
    from ..core.addresses import is_web_address
    from ..core.errors import CartoguideError
    from ..gis.catalogues.catalogue_client import with_login
    from ..gis.network.origin_settings import OriginLogin

    sources = resolve_catalogues(named, feedback, login)
    if len(sources) > 1:
        raise CartoguideError(tr("Harvest one catalogue at a time."))
    if not login:
        return sources[0]
    return with_login(sources[0], OriginLogin(named if is_web_address(named) else sources[0].address, login))
