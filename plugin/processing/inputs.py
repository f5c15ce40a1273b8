"""Parameters that several algorithms have: records of every kind, their type, an area."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterString,
)

from ..core.i18n import tr
from .algorithm import CartoguideAlgorithm, choice_parameter, editable_choice_parameter
from .execution import run_blocking

if TYPE_CHECKING:
    from ..core.catalogues.model import Source
    from ..core.records.model.record import Record
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

FILES, FOLDER, NAMES, EXTENT, TYPE = "FILES", "FOLDER", "RECORDS", "EXTENT", "TYPE"
ANY_TYPE = "any"
CATALOGUE = "CATALOGUE"
ALL_CATALOGUES, NETWORK_CATALOGUE = "all", "network"
#: the degrees in which boxes are given: longitude first, as QGIS has it
GEOGRAPHIC_CRS = "EPSG:4326"


def add_record_parameters(algorithm: CartoguideAlgorithm, otherwise: str = "") -> None:
    """The parameters that name records; ``otherwise`` says what no record at all means."""
    algorithm.add_parameter(
        QgsProcessingParameterMultipleLayers(FILES, tr("Files of records"), QgsProcessing.SourceType.TypeFile,
                                             optional=True),
        tr("Files with catalogue records: XML, JSON, or packages (zip, MEF).") + (f" {otherwise}" if otherwise else ""))
    algorithm.add_parameter(
        QgsProcessingParameterFile(FOLDER, tr("Folder of records"), QgsProcessingParameterFile.Behavior.Folder,
                                   optional=True), tr("A folder; all records in it and in its subfolders are read."))
    algorithm.add_parameter(
        QgsProcessingParameterString(NAMES, tr("Kept records or addresses"), multiLine=True, optional=True),
        tr("Identifiers of records that you keep, or addresses of records or map services; one on each line, or "
           "separated by spaces."))


def add_extent_parameter(algorithm: CartoguideAlgorithm, label: str, help_text: str) -> None:
    """The parameter for an area."""
    algorithm.add_parameter(QgsProcessingParameterExtent(EXTENT, label, optional=True), help_text)


def record_selection(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
                     context: QgsProcessingContext) -> RecordSelection:
    """What the parameters of ``add_records`` name."""
    from .record_inputs import RecordSelection

    files = [str(path) for path in algorithm.parameterAsFileList(parameters, FILES, context) or () if path] \
        if parameters.get(FILES) else []
    folder = str(algorithm.parameterAsFile(parameters, FOLDER, context) or "")
    names = str(algorithm.parameterAsString(parameters, NAMES, context) or "").split()
    return RecordSelection(tuple(files + ([folder] if folder else [])), tuple(dict.fromkeys(names)))


def no_records_error(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
    """What is wrong where an algorithm needs records and none are named; empty where some are."""
    if record_selection(algorithm, parameters, context).is_empty:
        return tr("Give files, a folder, or the identifiers of records that you keep.")
    return ""


def load_selected_records(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                          feedback: QgsProcessingFeedback) -> Sequence[Record]:
    """The records that the parameters of ``add_records`` name, none where they name none; read in a job."""
    from .record_inputs import load_records

    named = record_selection(algorithm, parameters, context)
    return () if named.is_empty else run_blocking(lambda inner: load_records(named, inner, feedback.reportError),
                                                  feedback).records


def missing_file_error(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], name: str,
                       context: QgsProcessingContext) -> str:
    """What is wrong where the parameter ``name`` leads to no file; empty where it does, or is empty."""
    path = str(algorithm.parameterAsFile(parameters, name, context) or "")
    return tr("{name} does not exist.", name=path) if path and not Path(path).is_file() else ""


def add_type_parameter(algorithm: CartoguideAlgorithm, help_text: str) -> None:
    """The parameter for what records describe."""
    algorithm.add_parameter(
        choice_parameter(TYPE, tr("Type"), ((ANY_TYPE, tr("Anything")), ("service", tr("Services")),
                                            ("dataset", tr("Datasets")), ("series", tr("Series")))), help_text)


def record_type(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
    """What was chosen in the parameter of ``add_type``, as ``SourceQuery`` has it; empty for anything."""
    chosen = str(algorithm.parameterAsEnumString(parameters, TYPE, context) or ANY_TYPE)
    return "" if chosen == ANY_TYPE else chosen


def bounding_box(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
                 context: QgsProcessingContext) -> Optional[Tuple[float, float, float, float]]:
    """West, south, east, north of the area in degrees (CRS:84), or None."""
    if not parameters.get(EXTENT):
        return None
    found = algorithm.parameterAsExtent(parameters, EXTENT, context, QgsCoordinateReferenceSystem(GEOGRAPHIC_CRS))
    if found.isNull() or found.isEmpty():
        return None
    return found.xMinimum(), found.yMinimum(), found.xMaximum(), found.yMaximum()


def add_catalogue_parameter(algorithm: CartoguideAlgorithm, help_text: str, default: str = "") -> None:
    """The parameter that names catalogues."""
    own = () if default else (("", tr("The records that I keep")), (ALL_CATALOGUES,
                                                                    tr("All catalogues that are switched on")))
    offered = (*own, (NETWORK_CATALOGUE, tr("The network’s own catalogue")))
    algorithm.add_parameter(editable_choice_parameter(CATALOGUE, tr("Catalogue"), offered, default), help_text)


def resolve_catalogues(name_or_address: str, feedback: Feedback, authcfg: str = "") -> List[Source]:
    """The catalogues that are meant; what is at an address is found out by asking, so in worker threads only.

    ``login`` is an authentication configuration, for asking there. CartoguideError where there is none.
    """
    from ..core.catalogues.detection import detect_catalogue
    from ..core.catalogues.model import REMOTE, Source
    from ..core.errors import CartoguideError
    from ..core.records.model.endpoints import is_web_address
    from ..core.text import fold
    from ..gis.catalogues.catalogue_list import CatalogueList
    from ..gis.profiles.catalogue_client import fetcher

    known = CatalogueList()
    listed = known.sources()
    if known.problem is not None:
        raise known.problem
    if fold(name_or_address) == ALL_CATALOGUES:
        found = known.enabled_sources()
        if not found:
            raise CartoguideError(tr("No catalogue is switched on. Name one, or its address."))
        return found
    if fold(name_or_address) == NETWORK_CATALOGUE:
        found = [source for source in listed if known.is_network_catalogue(source)]
        if not found:
            raise CartoguideError(tr("The network has no catalogue that can be queried. Set its address in the "
                                     "settings."))
        return found
    by_name = [
        source for source in listed
        if name_or_address in (source.address, source.key) or fold(source.title) == fold(name_or_address)
    ]
    if by_name:
        return by_name[:1]
    if not is_web_address(name_or_address):
        raise CartoguideError(
            tr("You have no catalogue called “{name}”. Give its address, “network” or “all”.", name=name_or_address))
    at_address = detect_catalogue(
        name_or_address, fetcher(Source(name_or_address, "csw2", authcfg=authcfg), feedback, bypass_cache=True)).sources
    found = [source for source in at_address if source.kind in REMOTE]
    if not found:
        raise CartoguideError(
            tr("{address} holds records, but is no catalogue. Use “Read records” for it.", address=name_or_address),
            name_or_address)
    return found[:1]
