"""The records that an algorithm is given: files, a folder, records that are kept, addresses."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Tuple

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterString,
)

from ..core.i18n import tr
from .algorithm import CartoguideAlgorithm

if TYPE_CHECKING:
    from ..core.errors import CartoguideError
    from ..core.records.model import Record
    from ..gis.shelf import Shelf
    from ..gis.tasks import Feedback

FILES, FOLDER, NAMES, EXTENT = "FILES", "FOLDER", "RECORDS", "EXTENT"
#: the degrees in which boxes are given: longitude first, as QGIS has it
DEGREES = "EPSG:4326"


@dataclass(frozen=True)
class Wanted:
    """What was given: paths of files and folders, and ``names``, identifiers of kept records or addresses."""

    paths: Tuple[str, ...] = ()
    names: Tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether nothing was given."""
        return not self.paths and not self.names


@dataclass(frozen=True)
class Given:
    """The records in the order in which they were given, and what could not be read."""

    records: Tuple[Record, ...]
    failures: Tuple[CartoguideError, ...]


def add_records(algorithm: CartoguideAlgorithm, otherwise: str = "") -> None:
    """The parameters that name records; ``otherwise`` says what no record at all means."""
    algorithm.add(
        QgsProcessingParameterMultipleLayers(FILES, tr("Files of records"), QgsProcessing.SourceType.TypeFile,
                                             optional=True),
        tr("Files with catalogue records: XML, JSON, or packages (zip, MEF).") + (f" {otherwise}" if otherwise else ""))
    algorithm.add(
        QgsProcessingParameterFile(FOLDER, tr("Folder of records"), QgsProcessingParameterFile.Behavior.Folder,
                                   optional=True),
        tr("A folder; all records in it and in its subfolders are read."))
    algorithm.add(
        QgsProcessingParameterString(NAMES, tr("Kept records or addresses"), multiLine=True, optional=True),
        tr("Identifiers of records that you keep, or addresses of records or map services; one on each line, or "
           "separated by spaces."))


def add_extent(algorithm: CartoguideAlgorithm, label: str, words: str) -> None:
    """The parameter for an area."""
    algorithm.add(QgsProcessingParameterExtent(EXTENT, label, optional=True), words)


def wanted(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext) -> Wanted:
    """What the parameters of ``add_records`` name."""
    files = [str(path) for path in algorithm.parameterAsFileList(parameters, FILES, context) or () if path] \
        if parameters.get(FILES) else []
    folder = str(algorithm.parameterAsFile(parameters, FOLDER, context) or "")
    names = str(algorithm.parameterAsString(parameters, NAMES, context) or "").split()
    return Wanted(tuple(files + ([folder] if folder else [])), tuple(dict.fromkeys(names)))


def check_given(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
                context: QgsProcessingContext) -> Tuple[bool, str]:
    """Whether anything was given, for algorithms that need it."""
    if wanted(algorithm, parameters, context).nothing:
        return False, tr("Give files, a folder, or the identifiers of records that you keep.")
    return True, ""


def box(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
        context: QgsProcessingContext) -> Optional[Tuple[float, float, float, float]]:
    """West, south, east, north of the area in degrees (CRS:84), or None."""
    from qgis.core import QgsCoordinateReferenceSystem

    if not parameters.get(EXTENT):
        return None
    found = algorithm.parameterAsExtent(parameters, EXTENT, context, QgsCoordinateReferenceSystem(DEGREES))
    if found.isNull() or found.isEmpty():
        return None
    return found.xMinimum(), found.yMinimum(), found.xMaximum(), found.yMaximum()


@contextmanager
def open_shelf(feedback: Feedback) -> Iterator[Shelf]:
    """The records that the person keeps, those that come with the network among them; for worker threads.

    CartoguideError where they cannot be opened: what is kept aside for one run is of no use to anybody.
    """
    from ..gis import catalogue
    from ..gis.shelf import Shelf

    shelf = Shelf()
    try:
        shelf.put_bundled(catalogue.profile_records(feedback), tr("Comes with Cartoguide"))
        if shelf.problem is not None:
            raise shelf.problem
        yield shelf
    finally:
        shelf.close()


def read(given: Wanted, feedback: Feedback, warn: Callable[[str], None]) -> Given:
    """The records that ``given`` names, in a worker thread; what cannot be read is told to ``warn`` and left out.

    CartoguideError where nothing at all could be read.
    """
    from ..core.errors import CartoguideError
    from ..gis import catalogue

    opened = catalogue.read_paths(given.paths, feedback) if given.paths else catalogue.Opened()
    records, failures = list(opened.records), list(opened.failures)
    named, lost = _named(given.names, feedback)
    records += named
    failures += lost
    for failure in failures:
        warn(failure.user_text)
    if not records:
        raise failures[0] if failures else CartoguideError(tr("No record was found in what was given."))
    return Given(tuple(records), tuple(failures))


def _named(names: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[CartoguideError]]:
    from ..core.errors import CartoguideError
    from ..core.records.links import is_web_address
    from ..gis import catalogue
    from ..gis.i18n import record_language
    from ..gis.network import Cancelled

    if not names:
        return [], []
    records: List[Record] = []
    failures: List[CartoguideError] = []
    with open_shelf(feedback) as shelf:
        for name in names:
            try:
                if is_web_address(name):
                    found = catalogue.read_address(name, feedback).records
                    records += [replace(record, source=name) for record in found]
                    continue
                record = shelf.store().get(name, record_language())
            except Cancelled:
                raise
            except CartoguideError as error:
                failures.append(error.with_traceback(None))
                continue
            if record is not None:
                records.append(record)
            else:
                failures.append(CartoguideError(
                    tr("You keep no record with the identifier {identifier}.", identifier=name), name))
    return records, failures
