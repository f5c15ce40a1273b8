"""Cartoguide in QGIS's locator: records, layers of services that were heard, and what the plugin can do.

What is imported here is imported when QGIS starts. The clones work in threads and hold data only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from qgis.core import QgsLocatorFilter, QgsLocatorResult

from ..core.i18n import tr

if TYPE_CHECKING:
    from qgis.core import QgsFeedback, QgsLocatorContext
    from qgis.PyQt.QtGui import QIcon

    from .locator_search import LocatorSearch

NAME, PREFIX = "cartoguide", "cg"
#: secondary actions, by the numbers that QGIS gives back
ADD_TO_MAP, COPY_CREDIT = 1, 2

#: what a result is: "record", "layer" or "action"
ResultData = Dict[str, Any]


class CartoguideLocatorFilter(QgsLocatorFilter):
    """``search`` makes what finds (in a thread) when it is first needed; ``pick`` does what was picked (main thread),
    with the number of the secondary action, or None.
    """

    def __init__(self, search: Callable[[], LocatorSearch], pick: Callable[[ResultData, Optional[int]],
                                                                           object]) -> None:
        super().__init__()
        self._search = search
        self._on_picked = pick

    def clone(self) -> CartoguideLocatorFilter:
        """QGIS: each search is done by a clone."""
        return CartoguideLocatorFilter(self._search, self._on_picked)

    def name(self) -> str:
        """QGIS: unique."""
        return NAME

    def displayName(self) -> str:  # noqa: N802
        """QGIS: as people call it."""
        return tr("Cartoguide: records, layers, actions")

    def priority(self) -> QgsLocatorFilter.Priority:
        """QGIS: after its own."""
        return QgsLocatorFilter.Priority.Medium

    def prefix(self) -> str:
        """QGIS: plugins may not have a prefix of two letters by themselves; see ``gis.compat.locator_prefix``."""
        return NAME

    def fetchResults(self, text: str, context: QgsLocatorContext, feedback: QgsFeedback) -> None:  # noqa: N802
        """QGIS: in a thread of its own."""
        try:
            for group, found in self._search().search(text, context.usingPrefix, feedback.isCanceled):
                self._emit_results(group, found)
        except Exception as error:  # noqa: BLE001 - an exception would end QGIS
            from ..gis.runtime import log

            log.warning(f"{type(error).__name__}: {error}")

    def _emit_results(self, group: str, found: List[Tuple[ResultData, str, str, QIcon, float]]) -> None:
        import json

        for pick, title, description, icon, score in found:
            result = QgsLocatorResult()
            result.filter = self
            result.userData = json.dumps(pick)
            result.displayString, result.description = title, description
            result.icon, result.score, result.group = icon, score, group
            if pick["what"] != "action":
                result.actions = [
                    QgsLocatorResult.ResultAction(ADD_TO_MAP, tr("Add to map"), ""),
                    QgsLocatorResult.ResultAction(COPY_CREDIT, tr("Copy credit"), "")
                ]
            self.resultFetched.emit(result)

    def triggerResult(self, result: QgsLocatorResult) -> None:  # noqa: N802
        """QGIS: a result was picked."""
        self._on_picked(_result_data(result), None)

    def triggerResultFromAction(self, result: QgsLocatorResult, actionId: int) -> None:  # noqa: N802,N803
        """QGIS: one of a result's other actions was picked."""
        self._on_picked(_result_data(result), actionId)


def _result_data(result: QgsLocatorResult) -> ResultData:
    import json

    from ..gis.runtime.compat import locator_result_text

    picked: ResultData = json.loads(locator_result_text(result))
    return picked
