"""Cartoguide in QGIS's browser: the root item, and what menus, double clicks, drops and the properties do with items.

What is imported here is imported when QGIS starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

from qgis.core import QgsDataItemProvider
from qgis.gui import QgsDataItemGuiProvider
from qgis.PyQt import sip

from ..gis.runtime import compat
from .browser_items import PROVIDER, BrowserItem, BrowserTree, GroupItem, RootItem

if TYPE_CHECKING:
    from qgis.core import QgsDataItem
    from qgis.gui import QgsDataItemGuiContext
    from qgis.PyQt.QtCore import QMimeData, Qt
    from qgis.PyQt.QtWidgets import QMenu, QWidget

    from .browser_actions import BrowserItemActions


class BrowserItemProvider(QgsDataItemProvider):
    """Gives the browser its root. QGIS owns it once it is registered."""

    def __init__(self, tree: BrowserTree) -> None:
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
        return compat.network_item_capability()

    def createDataItem(self, path: str, parent: Optional[QgsDataItem]) -> Optional[QgsDataItem]:  # noqa: N802
        """QGIS: the root."""
        if path or parent is not None:
            return None
        root = RootItem(self._tree, _main_groups)
        sip.transferto(root, None)
        return root


def _main_groups(root: GroupItem) -> Sequence[QgsDataItem]:
    """The groups below the root, read by what is imported when the root is first opened."""
    from .record_items import root_groups

    return root_groups(root)


class BrowserItemGuiProvider(QgsDataItemGuiProvider):
    """What can be done with our items. ``menu`` makes what does it when it is first needed."""

    def __init__(self, menu: Callable[[], BrowserItemActions]) -> None:
        super().__init__()
        self._item_actions = menu

    def name(self) -> str:
        """QGIS: unique."""
        return PROVIDER

    def populateContextMenu(self, item: QgsDataItem, menu: QMenu, selectedItems: Sequence[QgsDataItem],  # noqa: N802,N803
                            _context: QgsDataItemGuiContext) -> None:
        """QGIS: a right click on an item."""
        if isinstance(item, BrowserItem):
            self._item_actions().populate_menu(item, menu,
                                               [one for one in selectedItems if isinstance(one, BrowserItem)])

    def handleDoubleClick(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: a double click, or Enter; False lets the item unfold."""
        return isinstance(item, BrowserItem) and self._item_actions().activate(item)

    def acceptDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: whether something may be dropped on an item."""
        return isinstance(item, BrowserItem) and self._item_actions().accepts_drop(item)

    def handleDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext, data: QMimeData,  # noqa: N802
                   _action: Qt.DropAction) -> bool:
        """QGIS: something was dropped on an item."""
        return isinstance(item, BrowserItem) and self._item_actions().handle_drop(item, data)

    def createParamWidget(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> Optional[QWidget]:  # noqa: N802
        """QGIS: the item's properties."""
        return self._item_actions().create_properties_widget(item) if isinstance(item, BrowserItem) else None
