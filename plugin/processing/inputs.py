"""Parameters shared by several algorithms: records, their type, an area, catalogues."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterString,
)

from ..core.i18n import tr
from ..gis.runtime import compat
from .algorithm import CartoguideAlgorithm, choice_parameter, editable_choice_parameter
from .execution import run_blocking

if TYPE_CHECKING:
    from ..core.box import Box
    from ..core.catalogues.model import Source
    from ..core.records.model.record import Record
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

FILES, FOLDER, NAMES, EXTENT, TYPE = "FILES", "FOLDER", "RECORDS", "EXTENT", "TYPE"
ANY_TYPE = "any"
CATALOGUE = "CATALOGUE"
ALL_CATALOGUES, NETWORK_CATALOGUE = "all", "network"
#: the CRS of extents in degrees, longitude first in QGIS
GEOGRAPHIC_CRS = "EPSG:4326"


def add_record_parameters(algorithm: CartoguideAlgorithm, empty_text: str = "") -> None:
    """Add the parameters that name records. ``empty_text`` explains an empty selection."""
    algorithm.add_parameter(
        QgsProcessingParameterMultipleLayers(FILES, tr("Files of records"), compat.processing_source_type("File"),
                                             optional=True),
        tr("Files with catalogue records: XML, JSON, or packages (zip, MEF).") +
        (f" {empty_text}" if empty_text else ""))
    algorithm.add_parameter(
        QgsProcessingParameterFile(FOLDER, tr("Folder of records"), QgsProcessingParameterFile.Behavior.Folder,
                                   optional=True), tr("A folder; all records in it and in its subfolders are read."))
    algorithm.add_parameter(
        QgsProcessingParameterString(NAMES, tr("Records or addresses"), multiLine=True, optional=True),
        tr("Identifiers of records of your library, or addresses of records or map services; one per line, or "
           "separated by spaces."))


def add_extent_parameter(algorithm: CartoguideAlgorithm, label: str, help_text: str) -> None:
    algorithm.add_parameter(QgsProcessingParameterExtent(EXTENT, label, optional=True), help_text)


def record_selection(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
                     context: QgsProcessingContext) -> RecordSelection:
    """Return the records that the parameters of ``add_record_parameters`` name."""
    from .record_inputs import RecordSelection

    files = [str(path) for path in algorithm.parameterAsFileList(parameters, FILES, context) or () if path] \
        if parameters.get(FILES) else []
    folder = str(algorithm.parameterAsFile(parameters, FOLDER, context) or "")
    names = str(algorithm.parameterAsString(parameters, NAMES, context) or "").split()
    return RecordSelection(tuple(files + ([folder] if folder else [])), tuple(dict.fromkeys(names)))


def no_records_error(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
    """Return an error message where no record is named, else an empty text."""
    if record_selection(algorithm, parameters, context).is_empty:
        return tr("Give files, a folder, or the identifiers of records of your library.")
    return ""


def load_selected_records(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                          feedback: QgsProcessingFeedback, remarks: List[str]) -> Sequence[Record]:
    """Load the records that the parameters name, none where they name none.

    Those that cannot be read are reported, and added to ``remarks``. Raises CartoguideError where none can be read.
    """
    from .record_inputs import load_records

    selection, report = record_selection(algorithm, parameters, context), reporter(feedback.reportError, remarks)
    return () if selection.is_empty else run_blocking(
        lambda task_feedback: load_records(selection, task_feedback, report), feedback).records


def reporter(log: Callable[[str], None], remarks: List[str]) -> Callable[[str], None]:
    """Return a function that logs a text and adds it to ``remarks``: scripts read the outputs, not the log."""
    def report(text: str) -> None:
        remarks.append(text)
        log(text)

    return report


def missing_file_error(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], name: str,
                       context: QgsProcessingContext) -> str:
    """Return an error message where the parameter ``name`` holds a path without a file, else an empty text."""
    path = str(algorithm.parameterAsFile(parameters, name, context) or "")
    return tr("{name} does not exist.", name=path) if path and not Path(path).is_file() else ""


def add_type_parameter(algorithm: CartoguideAlgorithm, help_text: str) -> None:
    algorithm.add_parameter(
        choice_parameter(TYPE, tr("Type"), ((ANY_TYPE, tr("Any type")), ("service", tr("Services")),
                                            ("dataset", tr("Datasets")), ("series", tr("Series")))), help_text)


def record_type(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
    """Return the record type as in ``SourceQuery``, empty for any type."""
    name = str(algorithm.parameterAsEnumString(parameters, TYPE, context) or ANY_TYPE)
    return "" if name == ANY_TYPE else name


def bounding_box(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
                 context: QgsProcessingContext) -> Optional[Box]:
    """Return the area in degrees, or None."""
    from ..gis.runtime.conversions import rectangle_box

    if not parameters.get(EXTENT):
        return None
    rectangle = algorithm.parameterAsExtent(parameters, EXTENT, context, QgsCoordinateReferenceSystem(GEOGRAPHIC_CRS))
    if rectangle.isNull() or rectangle.isEmpty():
        return None
    return rectangle_box(rectangle)


def add_catalogue_parameter(algorithm: CartoguideAlgorithm, help_text: str, default: str = "") -> None:
    general = () if default else (("", tr("The records of my library")), (ALL_CATALOGUES,
                                                                        tr("All catalogues that are switched on")))
    offered = (*general, (NETWORK_CATALOGUE, tr("The network’s own catalogue")))
    algorithm.add_parameter(editable_choice_parameter(CATALOGUE, tr("Catalogue"), offered, default), help_text)


def resolve_catalogues(name_or_address: str, feedback: Feedback, authcfg: str = "") -> List[Source]:
    """Return the catalogues named by a title, an address, "all" or "network".

    An address is requested to find out its protocol, so this is for worker threads only. ``authcfg`` is the identifier
    of an authentication configuration for that request. Raises CartoguideError where none is found.
    """
    from ..core.addresses import is_web_address
    from ..core.catalogues.detection import detect_catalogue
    from ..core.catalogues.model import Source, SourceKind
    from ..core.errors import CartoguideError
    from ..core.text import fold
    from ..gis.catalogues.catalogue_client import fetcher
    from ..gis.catalogues.catalogue_list import CatalogueList

    catalogue_list = CatalogueList()
    listed = catalogue_list.sources()
    if catalogue_list.problem is not None:
        raise catalogue_list.problem
    if fold(name_or_address) == ALL_CATALOGUES:
        sources = catalogue_list.enabled_sources()
        if not sources:
            raise CartoguideError(tr("No catalogue is switched on. Name one, or its address."))
        return sources
    if fold(name_or_address) == NETWORK_CATALOGUE:
        sources = [source for source in listed if catalogue_list.is_network_catalogue(source)]
        if not sources:
            raise CartoguideError(tr("The network has no catalogue that can be queried. Set its address in the "
                                     "settings."))
        return sources
    named = [
        source for source in listed
        if name_or_address in (source.address, source.key) or fold(source.title) == fold(name_or_address)
    ]
    if named:
        return named[:1]
    if not is_web_address(name_or_address):
        raise CartoguideError(
            tr("The catalogue “{name}” was not found. Enter its address, “network” or “all”.", name=name_or_address))
    detected = detect_catalogue(name_or_address,
                                fetcher(Source(name_or_address, SourceKind.CSW_2, authcfg=authcfg), feedback,
                                        bypass_cache=True)).sources
    sources = [source for source in detected if source.kind.is_catalogue]
    if not sources:
        raise CartoguideError(
            tr("{address} contains records but is not a catalogue. Use “Read records” for it.",
               address=name_or_address),
            name_or_address)
    return sources[:1]
