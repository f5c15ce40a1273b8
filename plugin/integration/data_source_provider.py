"""Cartoguide's entry in QGIS's data source manager; the page is made when QGIS asks for it.

What is imported here is imported when QGIS starts.
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

#: of parent, window flags and QGIS's widget mode
PageFactory = Callable[[Optional["QWidget"], Any, Any], "DataSourcePage"]


class DataSourceProvider(QgsSourceSelectProvider):
    """``make`` makes a page."""

    def __init__(self, icon: QIcon, make: PageFactory) -> None:
        super().__init__()
        self._icon, self._page_factory = icon, make

    def name(self) -> str:
        """QGIS: unique."""
        return NAME

    def providerKey(self) -> str:  # noqa: N802
        """QGIS: the page's name."""
        return NAME

    def text(self) -> str:
        """QGIS: as people call it."""
        return "Cartoguide"

    def toolTip(self) -> str:  # noqa: N802
        """QGIS: what it is for."""
        return tr("Add a map service by its catalogue record")

    def ordering(self) -> int:
        """QGIS: behind its own remote sources."""
        return int(QgsSourceSelectProvider.Ordering.OrderRemoteProvider) + 90

    def icon(self) -> QIcon:
        """QGIS: before the page's name."""
        return self._icon

    def createDataSourceWidget(self, *given: Any, **named: Any) -> DataSourcePage:  # noqa: N802
        """QGIS: the page, of its parent, window flags and widget mode."""
        values = [*given, *(named.get(name) for name in ("parent", "fl", "widgetMode")[len(given):])]
        return self._page_factory(values[0], values[1], values[2])


class DataSourceRegistration:
    """Registers the provider when it is made; ``close`` takes it, and the pages that were made, away.

    QGIS's data source manager itself makes and drops its page when a provider comes and goes.
    """

    def __init__(self, icon: QIcon, make: PageFactory) -> None:
        self._page_factory = make
        self._pages: List[DataSourcePage] = []
        self._provider = DataSourceProvider(icon, self._create_page)
        QgsGui.sourceSelectProviderRegistry().addProvider(self._provider)

    def _create_page(self, parent: Optional[QWidget], flags: Any, mode: Any) -> DataSourcePage:
        page = self._page_factory(parent, flags, mode)
        self._pages.append(page)
        return page

    def close(self) -> None:
        """Take everything away; a page's thread ends before QGIS may delete the page."""
        pages, self._pages = [page for page in self._pages if not sip.isdeleted(page)], []
        for page in pages:
            page.close_down()
        QgsGui.sourceSelectProviderRegistry().removeProvider(self._provider)
        for page in pages:
            if not sip.isdeleted(page):
                page.deleteLater()
