"""Cartoguide's entry in QGIS's data source manager.

This module is imported when QGIS starts. The page is imported and created when QGIS requests it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Optional

from qgis.gui import QgsGui, QgsSourceSelectProvider
from qgis.PyQt import sip

from ..core.i18n import tr

if TYPE_CHECKING:
    from qgis.PyQt.QtGui import QIcon
    from qgis.PyQt.QtWidgets import QWidget

    from .data_source_page import DataSourcePage

NAME = "cartoguide"

#: creates a page from parent, window flags and QgsProviderRegistry.WidgetMode
PageFactory = Callable[[Optional["QWidget"], Any, Any], "DataSourcePage"]


class DataSourceProvider(QgsSourceSelectProvider):
    def __init__(self, icon: QIcon, page_factory: PageFactory) -> None:
        super().__init__()
        self._icon, self._page_factory = icon, page_factory

    def name(self) -> str:
        return NAME

    def providerKey(self) -> str:  # noqa: N802
        """QGIS: the name of the page."""
        return NAME

    def text(self) -> str:
        """QGIS: the label of the page."""
        return "Cartoguide"

    def toolTip(self) -> str:  # noqa: N802
        """QGIS: the tooltip of the page."""
        return tr("Add a map service by its catalogue record")

    def ordering(self) -> int:
        """QGIS: after its own remote sources."""
        return int(QgsSourceSelectProvider.Ordering.OrderRemoteProvider) + 90

    def icon(self) -> QIcon:
        return self._icon

    def createDataSourceWidget(self, *positional: Any, **named: Any) -> DataSourcePage:  # noqa: N802
        """QGIS: create the page. Parent, window flags and widget mode come by position or by name."""
        values = [*positional, *(named.get(name) for name in ("parent", "fl", "widgetMode")[len(positional):])]
        return self._page_factory(values[0], values[1], values[2])


class DataSourceRegistration:
    """The registered provider and its pages. It is registered on creation. ``close`` removes it and its pages.

    QGIS's data source manager creates and deletes its page when a provider is added and removed.
    """

    def __init__(self, icon: QIcon, page_factory: PageFactory) -> None:
        self._page_factory = page_factory
        self._pages: List[DataSourcePage] = []
        self._provider = DataSourceProvider(icon, self._create_page)
        QgsGui.sourceSelectProviderRegistry().addProvider(self._provider)

    def _create_page(self, parent: Optional[QWidget], flags: Any, mode: Any) -> DataSourcePage:
        page = self._page_factory(parent, flags, mode)
        self._pages.append(page)
        return page

    def close(self) -> None:
        """Remove everything. The thread of a page ends before QGIS can delete the page."""
        pages, self._pages = [page for page in self._pages if not sip.isdeleted(page)], []
        for page in pages:
            page.close_down()
        QgsGui.sourceSelectProviderRegistry().removeProvider(self._provider)
        for page in pages:
            if not sip.isdeleted(page):
                page.deleteLater()
