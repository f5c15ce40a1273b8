"""QGIS's browser with its real model and view, and ways to find and unfold items in it."""

from __future__ import annotations

from qgis.core import QgsBrowserProxyModel, QgsDataItem
from qgis.gui import QgsBrowserGuiModel, QgsBrowserTreeView, QgsDataItemGuiContext, QgsGui
from qgis.PyQt.QtWidgets import QMenu


class BrowserView:
    """The browser's model and tree; ``wait_until`` of the tests waits for what its threads read."""

    def __init__(self, wait_until):
        self._wait_until = wait_until
        self.browser_model = QgsBrowserGuiModel()
        self.browser_model.initialize()
        self.model = QgsBrowserProxyModel()
        self.model.setBrowserModel(self.browser_model)
        self.view = QgsBrowserTreeView()
        self.view.setBrowserModel(self.browser_model)
        self.view.setModel(self.model)

    def roots(self):
        return [self.model.index(row, 0).data() for row in range(self.model.rowCount())]

    def children(self, *names):
        """The names below the item that ``names`` lead to (each may be a beginning), read if need be."""
        index = self.index(*names)
        item = self.model.dataItem(index)
        if self.model.canFetchMore(index):
            self.model.fetchMore(index)
        self._wait_until(lambda: item.state() == QgsDataItem.State.Populated)
        index = self.index(*names)
        return [self.model.index(row, 0, index).data() for row in range(self.model.rowCount(index))]

    def index(self, *names):
        """The index of the item that ``names`` lead to, unfolding what is on the way."""
        index = None
        for number, name in enumerate(names):
            if number:
                self.children(*names[:number])
            parent = self.index(*names[:number]) if number else None
            rows = self.model.rowCount() if parent is None else self.model.rowCount(parent)
            found = [self.model.index(row, 0) if parent is None else self.model.index(row, 0, parent)
                     for row in range(rows)]
            index = next(one for one in found if one.data().startswith(name))
        return index

    def item(self, *names):
        return self.model.dataItem(self.index(*names))

    def menu(self, item, selected=None):
        """The texts of an item's context menu, and the menu."""
        menu = QMenu()
        for provider in QgsGui.dataItemGuiProviderRegistry().providers():
            provider.populateContextMenu(item, menu, selected or [item], QgsDataItemGuiContext())
        return [action.text() for action in menu.actions() if action.text()], menu

    def double_click(self, item):
        """As QGIS's browser does it; whether anybody took it."""
        providers = QgsGui.dataItemGuiProviderRegistry().providers()
        return any(provider.handleDoubleClick(item, QgsDataItemGuiContext()) for provider in providers)

    def drop(self, item, data):
        """As QGIS's browser does it; whether anybody took it."""
        from qgis.PyQt.QtCore import Qt

        context = QgsDataItemGuiContext()
        return any(provider.acceptDrop(item, context) and provider.handleDrop(
            item, context, data, Qt.DropAction.CopyAction)
            for provider in QgsGui.dataItemGuiProviderRegistry().providers())

    def properties(self, item):
        """The widget in the browser's properties."""
        made = (provider.createParamWidget(item, QgsDataItemGuiContext())
                for provider in QgsGui.dataItemGuiProviderRegistry().providers())
        return next((widget for widget in made if widget is not None), None)


def run(menu, words):
    """Press the entry of ``menu`` whose text begins with ``words``, also below."""
    for action in menu.actions():
        if action.text().startswith(words):
            action.trigger()
            return
        if action.menu() is not None:
            try:
                run(action.menu(), words)
                return
            except LookupError:
                continue
    raise LookupError(words)
