"""Parameters that several algorithms have: records of every kind, an area."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
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
    from .given import Wanted

FILES, FOLDER, NAMES, EXTENT = "FILES", "FOLDER", "RECORDS", "EXTENT"
#: the degrees in which boxes are given: longitude first, as QGIS has it
DEGREES = "EPSG:4326"


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
    from .given import Wanted

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
    if not parameters.get(EXTENT):
        return None
    found = algorithm.parameterAsExtent(parameters, EXTENT, context, QgsCoordinateReferenceSystem(DEGREES))
    if found.isNull() or found.isEmpty():
        return None
    return found.xMinimum(), found.yMinimum(), found.xMaximum(), found.yMaximum()
