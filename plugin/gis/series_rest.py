"""Series at rest: while QGIS's Temporal Controller is off it hides no day, so all but one are unticked; all are ticked
again when it is switched on.

Whether a series is seen at all stays the person's choice: one with no layer ticked is left alone, and so are two days
that were ticked by hand.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Callable, Dict, List, Optional, Tuple

from qgis.core import QgsDateTimeRange, QgsLayerTreeLayer, QgsProject, QgsTemporalNavigationObject
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QDateTime, QObject

from . import compat
from .series import FAMILY_PROPERTY

#: a layer of a series in the layer tree, and when its time begins and ends (UTC)
_Member = Tuple[QgsLayerTreeLayer, datetime, datetime]


class SeriesRest(QObject):
    """Watches the Temporal Controller of the map window that ``find`` gives, as soon as it gives one. Main thread
    only.
    """

    def __init__(self, find: Callable[[], Optional[QgsMapCanvas]], project: QgsProject,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._find, self._project = find, project
        self._chosen: Dict[str, datetime] = {}
        self._last: Optional[datetime] = None
        self._controller: Optional[QgsTemporalNavigationObject] = None
        self._on = False
        self._watch()

    def choose(self, family: str, moment: datetime) -> None:
        """From now on ``family`` shows ``moment`` at rest, whatever was played last."""
        self._watch()
        self._chosen[family] = moment

    def settle(self) -> None:
        """Where nothing plays, show one day of each series of which all are ticked."""
        if self._watch() is None or not self._is_off():
            return
        for family, members in self._families().items():
            ticked = [node for node, _, _ in members if node.itemVisibilityChecked()]
            if len(members) > 1 and len(ticked) == len(members):
                kept = self._at_rest(family, members)
                for node in ticked:
                    node.setItemVisibilityChecked(node is kept)

    def _watch(self) -> Optional[QgsTemporalNavigationObject]:
        canvas = self._find() if self._controller is None else None
        found = canvas.temporalController() if canvas is not None else None
        if isinstance(found, QgsTemporalNavigationObject):
            self._controller = found
            # navigationModeChanged cannot be connected from Python on 3.22; every change of mode sends this, too
            found.updateTemporalRange.connect(self._shown)
            self._on = not self._is_off()
        return self._controller

    def _is_off(self) -> bool:
        return self._controller is None or self._controller.navigationMode() == compat.navigation_mode("Off")

    def _shown(self, shown: QgsDateTimeRange) -> None:
        was_on, self._on = self._on, not self._is_off()
        if not self._on:
            self.settle()
            return
        if shown.begin().isValid():
            self._last = _utc(shown.begin())
        if not was_on:
            self._wake()

    def _wake(self) -> None:
        """Tick all days of each series of which any is: from now on their times say which one is drawn."""
        for members in self._families().values():
            if any(node.itemVisibilityChecked() for node, _, _ in members):
                for node, _, _ in members:
                    node.setItemVisibilityChecked(True)

    def _at_rest(self, family: str, members: List[_Member]) -> QgsLayerTreeLayer:
        """The day that was chosen, else the one that was shown last, else the first."""
        when = self._chosen.get(family, self._last)
        holding = [node for node, begin, end in members if when is not None and begin <= when < end]
        return (holding or [min(members, key=lambda member: member[1])[0]])[0]

    def _families(self) -> Dict[str, List[_Member]]:
        families: Dict[str, List[_Member]] = {}
        for layer in self._project.mapLayers().values():
            family = layer.customProperty(FAMILY_PROPERTY)
            node = self._project.layerTreeRoot().findLayer(layer.id()) if family else None
            if node is not None:
                span = layer.temporalProperties().fixedTemporalRange()
                families.setdefault(str(family), []).append(
                    (node, _utc(span.begin()), _utc(span.end())))
        return families


def _utc(moment: QDateTime) -> datetime:
    """A time of Qt's in UTC, in whole seconds: see ``compat.time_range``."""
    return datetime.fromtimestamp(moment.toSecsSinceEpoch(), timezone.utc)
