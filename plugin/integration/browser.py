"""Cartoguide in QGIS's browser: the root item, and what menus, double clicks, drops and the properties do with items.

What is imported here is imported when QGIS starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

from qgis.core import QgsDataItemProvider
from qgis.gui import QgsDataItemGuiProvider
from qgis.PyQt import sip

from ..gis import compat
from .items import PROVIDER, GroupItem, RootItem, Tree, _Item

if TYPE_CHECKING:
    from qgis.core import QgsDataItem
    from qgis.gui import QgsDataItemGuiContext
    from qgis.PyQt.QtCore import QMimeData, Qt
    from qgis.PyQt.QtWidgets import QMenu, QWidget

    from .browser_menu import BrowserMenu


class BrowserProvider(QgsDataItemProvider):
    """Gives the browser its root. QGIS owns it once it is registered."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree

    def name(self) -> str:
        """QGIS: unique."""
        return PROVIDER

    def dataProviderKey(self) -> str:  # noqa: N802
        """QGIS: whose items these are."""
        return PROVIDER

    def capabilities(self) -> Any:
        """QGIS: items that come from no file."""
        return compat.network_items()

    def createDataItem(self, path: str, parent: Optional[QgsDataItem]) -> Optional[QgsDataItem]:  # noqa: N802
        """QGIS: the root."""
        if path or parent is not None:
            return None
        root = RootItem(self._tree, _main_groups)
        sip.transferto(root, None)
        return root


def _main_groups(root: GroupItem) -> Sequence[QgsDataItem]:
    """The groups below the root, read by what is imported when the root is first opened."""
    from .record_items import main_groups

    return main_groups(root)


class BrowserGui(QgsDataItemGuiProvider):
    """What can be done with our items. ``menu`` makes what does it when it is first needed."""

    def __init__(self, menu: Callable[[], BrowserMenu]) -> None:
        super().__init__()
        self._menu = menu

    def name(self) -> str:
        """QGIS: unique."""
        return PROVIDER

    def populateContextMenu(self, item: QgsDataItem, menu: QMenu, selectedItems: Sequence[QgsDataItem],  # noqa: N802,N803
                            _context: QgsDataItemGuiContext) -> None:
        """QGIS: a right click on an item."""
        if isinstance(item, _Item):
            self._menu().fill(item, menu, [one for one in selectedItems if isinstance(one, _Item)])

    def handleDoubleClick(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: a double click, or Enter; False lets the item unfold."""
        return isinstance(item, _Item) and self._menu().activate(item)

    def acceptDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: whether something may be dropped on an item."""
        return isinstance(item, _Item) and self._menu().accepts(item)

    def handleDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext, data: QMimeData,  # noqa: N802
                   _action: Qt.DropAction) -> bool:
        """QGIS: something was dropped on an item."""
        return isinstance(item, _Item) and self._menu().drop(item, data)

    def createParamWidget(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> Optional[QWidget]:  # noqa: N802
        """QGIS: the item's properties."""
        return self._menu().properties(item) if isinstance(item, _Item) else None
