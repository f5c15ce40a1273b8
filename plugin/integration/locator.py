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
ADD, COPY = 1, 2

#: what a result is: "record", "layer" or "action"
Pick = Dict[str, Any]


class CartoguideLocator(QgsLocatorFilter):
    """``search`` makes what finds (in a thread) when it is first needed; ``pick`` does what was picked (main thread),
    with the number of the secondary action, or None.
    """

    def __init__(self, search: Callable[[], LocatorSearch], pick: Callable[[Pick, Optional[int]], object]) -> None:
        super().__init__()
        self._search = search
        self._pick = pick

    def clone(self) -> CartoguideLocator:
        """QGIS: each search is done by a clone."""
        return CartoguideLocator(self._search, self._pick)

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
            for group, found in self._search().results(text, context.usingPrefix, feedback.isCanceled):
                self._tell(group, found)
        except Exception as error:  # noqa: BLE001 - an exception would end QGIS
            from ..gis import log

            log.warning(f"{type(error).__name__}: {error}")

    def _tell(self, group: str, found: List[Tuple[Pick, str, str, QIcon, float]]) -> None:
        import json

        for pick, title, description, icon, score in found:
            result = QgsLocatorResult()
            result.filter = self
            result.userData = json.dumps(pick)
            result.displayString, result.description = title, description
            result.icon, result.score, result.group = icon, score, group
            if pick["what"] != "action":
                result.actions = [QgsLocatorResult.ResultAction(ADD, tr("Add to map"), ""),
                                  QgsLocatorResult.ResultAction(COPY, tr("Copy credit"), "")]
            self.resultFetched.emit(result)

    def triggerResult(self, result: QgsLocatorResult) -> None:  # noqa: N802
        """QGIS: a result was picked."""
        self._pick(_picked(result), None)

    def triggerResultFromAction(self, result: QgsLocatorResult, actionId: int) -> None:  # noqa: N802,N803
        """QGIS: one of a result's other actions was picked."""
        self._pick(_picked(result), actionId)


def _picked(result: QgsLocatorResult) -> Pick:
    import json

    from ..gis.compat import locator_data

    picked: Pick = json.loads(locator_data(result))
    return picked
