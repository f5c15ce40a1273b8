"""Results as files: pages and tables, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict

from qgis.core import QgsProcessingContext, QgsProcessingParameterFileDestination

from .algorithm import CartoguideAlgorithm

HTML, CSV = "HTML (*.html)", "CSV (*.csv)"


def add_file(algorithm: CartoguideAlgorithm, name: str, label: str, kind: str, wanted: bool = False) -> None:
    """An output file that need not be; made where nothing is said only if it is ``wanted``."""
    algorithm.add(QgsProcessingParameterFileDestination(name, label, kind, None, True, wanted))


def write_file(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext, name: str,
               text: Callable[[], str], mark: bool = False) -> Dict[str, Any]:
    """Write ``text()`` where the parameter says; nothing where it says nothing. CartoguideError where it cannot be.

    ``mark``: with the mark by which spreadsheets know UTF-8.
    """
    from ..core.whole_file import whole_file

    path = str(algorithm.parameterAsFileOutput(parameters, name, context) or "")
    if not path:
        return {}
    with whole_file(Path(path)) as stream:
        stream.write(text().encode("utf-8-sig" if mark else "utf-8"))
    return {name: path}
