"""Warnings in QGIS's layer tree about services of the custom map that cannot be drawn."""

from __future__ import annotations

from typing import Callable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeNode
from qgis.gui import QgsLayerTreeView, QgsLayerTreeViewIndicator
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.text import inert
from ..widgets.theme import icon


class TreeIndicators(QObject):
    """Icons beside nodes of the layer tree. ``on_clicked`` is called when one is clicked."""

    def __init__(self, find_view: Callable[[], Optional[QgsLayerTreeView]], on_clicked: Callable[[], object],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._find_view, self._on_clicked = find_view, on_clicked
        self._shown: List[Tuple[QgsLayerTreeNode, QgsLayerTreeViewIndicator]] = []

    @property
    def texts(self) -> List[str]:
        """The tooltips of the icons that are shown."""
        return [str(indicator.toolTip()) for _, indicator in self._shown]

    def show(self, nodes: Sequence[Tuple[QgsLayerTreeNode, str]]) -> None:
        """Show an icon beside each of ``nodes``, with a tooltip, and none elsewhere."""
        wanted = [(node, inert(text)) for node, text in nodes if node is not None]
        if [(node, indicator.toolTip()) for node, indicator in self._shown] == wanted:
            return
        view = self._find_view()
        self.clear()
        if view is None:
            return
        for node, text in wanted:
            indicator = QgsLayerTreeViewIndicator(view)
            indicator.setIcon(icon("mIconWarning"))
            indicator.setToolTip(inert(text))
            indicator.clicked.connect(lambda _index: self._on_clicked())
            view.addIndicator(node, indicator)
            self._shown.append((node, indicator))
        view.viewport().update()

    def clear(self) -> None:
        """Remove all icons."""
        view = self._find_view()
        for node, indicator in self._shown:
            if view is not None and not sip.isdeleted(indicator):
                # a node that was moved is another one now, and the icon went with the former
                if not sip.isdeleted(node):
                    view.removeIndicator(node, indicator)
                indicator.deleteLater()
                view.viewport().update()
        self._shown = []
