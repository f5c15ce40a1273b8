"""Cartoguide's filter in QGIS's locator: records, layers of known services, and actions of the plugin.

This module is imported when QGIS starts. The clones of the filter work in threads and hold data only.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Protocol, Tuple

from qgis.core import QgsLocatorFilter, QgsLocatorResult

from ..core.i18n import tr
from ..core.text import inert

if TYPE_CHECKING:
    from qgis.core import QgsFeedback, QgsLocatorContext
    from qgis.PyQt.QtGui import QIcon

NAME, PREFIX = "cartoguide", "cg"
#: numbers of the secondary actions, which QGIS passes to triggerResultFromAction
ADD_TO_MAP, COPY_CREDIT = 1, 2

#: the result as JSON: its kind ("what") and the members that identify it
ResultData = Dict[str, Any]


class ResultKind(str, Enum):
    RECORD = "record"
    LAYER = "layer"
    ACTION = "action"


class LocatorResult(NamedTuple):
    """One result of a search. ``score`` is between 0 and 1, as in QgsLocatorResult."""

    data: ResultData
    title: str
    description: str
    icon: QIcon
    score: float


class ResultFinder(Protocol):
    """Finds the results of a text. The groups are (heading, results)."""

    def search(self, text: str, with_prefix: bool,
               is_cancelled: Callable[[], bool]) -> Iterable[Tuple[str, List[LocatorResult]]]:
        """Search for ``text``. ``with_prefix`` is True if the person typed Cartoguide's prefix."""


class CartoguideLocatorFilter(QgsLocatorFilter):
    """The locator filter.

    ``get_finder`` returns the finder and is called in threads. ``on_picked`` is called on the main thread with the
    chosen result and the number of its secondary action, or None.
    """

    def __init__(self, get_finder: Callable[[], ResultFinder],
                 on_picked: Callable[[ResultData, Optional[int]], object]) -> None:
        super().__init__()
        self._get_finder = get_finder
        self._on_picked = on_picked

    def clone(self) -> CartoguideLocatorFilter:
        """QGIS: each search is done by a clone."""
        return CartoguideLocatorFilter(self._get_finder, self._on_picked)

    def name(self) -> str:
        return NAME

    def displayName(self) -> str:  # noqa: N802
        """QGIS: the name in the locator's menu."""
        return tr("Cartoguide: records, layers, actions")

    def priority(self) -> QgsLocatorFilter.Priority:
        """QGIS: after its own filters."""
        return QgsLocatorFilter.Priority.Medium

    def prefix(self) -> str:
        """QGIS: the default prefix. Plugins cannot have one of two letters here, see compat.register_locator_filter."""
        return NAME

    def fetchResults(self, text: str, context: QgsLocatorContext, feedback: QgsFeedback) -> None:  # noqa: N802
        """QGIS: search in a thread."""
        try:
            for group, results in self._get_finder().search(text, context.usingPrefix, feedback.isCanceled):
                self._emit_results(group, results)
        except Exception as error:  # noqa: BLE001 - an exception would end QGIS
            from ..gis.runtime import log

            log.warning(f"{type(error).__name__}: {error}")

    def _emit_results(self, group: str, results: List[LocatorResult]) -> None:
        import json

        for entry in results:
            result = QgsLocatorResult()
            result.filter = self
            result.userData = json.dumps(entry.data)
            # QGIS shows both in tooltips too, where it would read markup
            result.displayString, result.description = inert(entry.title), inert(entry.description)
            result.icon, result.score, result.group = entry.icon, entry.score, group
            if entry.data["what"] != ResultKind.ACTION:
                result.actions = [QgsLocatorResult.ResultAction(ADD_TO_MAP, tr("Add to map"), ""),
                                  QgsLocatorResult.ResultAction(COPY_CREDIT, tr("Copy credit"), "")]
            self.resultFetched.emit(result)

    def triggerResult(self, result: QgsLocatorResult) -> None:  # noqa: N802
        """QGIS: a result was chosen."""
        self._on_picked(_result_data(result), None)

    def triggerResultFromAction(self, result: QgsLocatorResult, actionId: int) -> None:  # noqa: N802,N803
        """QGIS: a secondary action of a result was chosen."""
        self._on_picked(_result_data(result), actionId)


def _result_data(result: QgsLocatorResult) -> ResultData:
    import json

    from ..gis.runtime.compat import locator_result_text

    data: ResultData = json.loads(locator_result_text(result))
    return data
