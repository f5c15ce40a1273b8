"""Custom maps as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qgis.core import QgsProcessingParameterFile

from ..core.i18n import tr
from .algorithm import CartoguideAlgorithm

if TYPE_CHECKING:
    from ..core.custommap.model import CustomMap

INPUT = "INPUT"


def add_document_parameter(algorithm: CartoguideAlgorithm) -> None:
    """The parameter that names a document."""
    algorithm.add_parameter(
        QgsProcessingParameterFile(INPUT, tr("Custom map"), QgsProcessingParameterFile.Behavior.File, "", None, False,
                                   tr("Custom map") + " (*.json)"),
        tr("The document, as the dock or “Build a custom map” writes it."))


def read_map_document(path: Path) -> CustomMap:
    """The document in a file; CartoguideError where it is none."""
    from ..core.custommap.document import read_document
    from ..core.errors import CartoguideError
    from ..core.snapshot.snapshot_sources import with_absolute_snapshot_path

    try:
        return with_absolute_snapshot_path(read_document(path.read_bytes(), path.name), path.resolve())
    except OSError as error:
        raise CartoguideError(tr("{name} could not be opened: {reason}.", name=path.name,
                                 reason=error.strerror or "?"), str(error)) from error
