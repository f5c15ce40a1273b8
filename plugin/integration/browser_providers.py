"""Providers of QGIS's browser: one creates the root item, one handles menus, double clicks and drops.

This module is imported when QGIS starts.
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
    """Creates our root item. QGIS owns the provider once it is registered."""

    def __init__(self, tree: BrowserTree) -> None:
        super().__init__()
        self._tree = tree

    def name(self) -> str:
        return PROVIDER

    def dataProviderKey(self) -> str:  # noqa: N802
        return PROVIDER

    def capabilities(self) -> Any:
        """QGIS: the items come from the network, not from files."""
        return compat.network_item_capability()

    def createDataItem(self, path: str, parent: Optional[QgsDataItem]) -> Optional[QgsDataItem]:  # noqa: N802
        if path or parent is not None:
            return None
        root = RootItem(self._tree, _main_groups)
        sip.transferto(root, None)
        return root


def _main_groups(root: GroupItem) -> Sequence[QgsDataItem]:
    """Return the groups below the root. Their module is imported when the root is first opened."""
    from .record_items import root_groups

    return root_groups(root)


class BrowserItemGuiProvider(QgsDataItemGuiProvider):
    """Menus, double clicks, drops and properties of our items.

    ``get_actions`` returns the object that handles them, created on the first call.
    """

    def __init__(self, get_actions: Callable[[], BrowserItemActions]) -> None:
        super().__init__()
        self._item_actions = get_actions

    def name(self) -> str:
        return PROVIDER

    def populateContextMenu(self, item: QgsDataItem, menu: QMenu, selectedItems: Sequence[QgsDataItem],  # noqa: N802,N803
                            _context: QgsDataItemGuiContext) -> None:
        if isinstance(item, BrowserItem):
            selected = [other for other in selectedItems if isinstance(other, BrowserItem)]
            self._item_actions().populate_menu(item, menu, selected)

    def handleDoubleClick(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: a double click or Enter. False lets the item unfold."""
        return isinstance(item, BrowserItem) and self._item_actions().activate(item)

    def acceptDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: return true where something can be dropped on the item."""
        return isinstance(item, BrowserItem) and self._item_actions().accepts_drop(item)

    def handleDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext, data: QMimeData,  # noqa: N802
                   _action: Qt.DropAction) -> bool:
        return isinstance(item, BrowserItem) and self._item_actions().handle_drop(item, data)

    def createParamWidget(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> Optional[QWidget]:  # noqa: N802
        """QGIS: create the widget with the item's properties."""
        return self._item_actions().create_properties_widget(item) if isinstance(item, BrowserItem) else None
