"""Results as files: pages and tables, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict

from qgis.core import QgsProcessingContext, QgsProcessingParameterFileDestination

from .algorithm import CartoguideAlgorithm

HTML, CSV = "HTML (*.html)", "CSV (*.csv)"


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
