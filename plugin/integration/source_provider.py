"""Cartoguide's entry in QGIS's data source manager; the page is made when QGIS asks for it.

What is imported here is imported when QGIS starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple

from qgis.gui import QgsGui, QgsSourceSelectProvider
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ..core.i18n import tr

if TYPE_CHECKING:
    from qgis.PyQt.QtGui import QIcon
    from qgis.PyQt.QtWidgets import QWidget

    from .source_page import SourcePage

NAME = "cartoguide"
#: what keeps the place of a page that was taken out of the data source manager
PLACE = "CartoguideSourcePlace"

#: of parent, window flags and QGIS's widget mode
Make = Callable[[Optional["QWidget"], Any, Any], "SourcePage"]


class SourceProvider(QgsSourceSelectProvider):
    """``make`` makes a page."""

    def __init__(self, icon: QIcon, make: Make) -> None:
        super().__init__()
        self._icon, self._make = icon, make

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

    def createDataSourceWidget(self, *given: Any, **named: Any) -> SourcePage:  # noqa: N802
        """QGIS: the page, of its parent, window flags and widget mode."""
        values = [*given, *(named.get(name) for name in ("parent", "fl", "widgetMode")[len(given):])]
        return self._make(values[0], values[1], values[2])


class SourceSelection:
    """Registers the provider when it is made; ``close`` takes it, and the pages that were made, away.

    ``window`` is QGIS's: its data source manager, once it was opened, knows of no provider that comes later (3.22).
    """

    def __init__(self, icon: QIcon, make: Make, window: QWidget) -> None:
        self._make = make
        self._pages: List[SourcePage] = []
        self._provider = SourceProvider(icon, self._made)
        QgsGui.sourceSelectProviderRegistry().addProvider(self._provider)
        place = window.findChild(QObject, PLACE)
        if place is not None:
            _put_back(place, lambda dialog: self._made(dialog, None, None))

    def _made(self, parent: Optional[QWidget], flags: Any, mode: Any) -> SourcePage:
        page = self._make(parent, flags, mode)
        self._pages.append(page)
        return page

    def close(self) -> None:
        """Take everything away. QGIS 3.22 keeps a page in its window even when its provider is gone."""
        QgsGui.sourceSelectProviderRegistry().removeProvider(self._provider)
        for page in self._pages:
            if not sip.isdeleted(page):
                page.close_down()
                _take_out(page)
                page.deleteLater()
        self._pages = []


def _take_out(page: QWidget) -> None:
    """Take a page out of the data source manager; the pages behind it keep their numbers."""
    from qgis.PyQt.QtWidgets import QWidget

    stack, rows, number = _position(page)
    if number < 0:
        return
    current = stack.currentIndex()
    place = QWidget()
    place.setObjectName(PLACE)
    stack.removeWidget(page)
    stack.insertWidget(number, place)
    rows.setRowHidden(number, True)
    if current == number:
        rows.setCurrentRow(0)


def _put_back(place: QWidget, make: Callable[[QWidget], SourcePage]) -> None:
    """Put a new page where one was taken out; QGIS still knows its place by the provider's name."""
    stack, rows, number = _position(place)
    if number < 0:
        return
    dialog = place.window()
    page = make(dialog)
    stack.removeWidget(place)
    stack.insertWidget(number, page)
    place.deleteLater()
    rows.setRowHidden(number, False)
    # as QGIS does with those that it makes itself
    page.rejected.connect(dialog.close)


def _position(page: QWidget) -> Tuple[Any, Any, int]:
    """The stack and the list of the data source manager, and the number of ``page`` in both; -1 where it is in none."""
    from qgis.PyQt.QtWidgets import QListWidget, QStackedWidget

    stack: Any = page.parent()
    while stack is not None and not isinstance(stack, QStackedWidget):
        stack = stack.parent()
    rows = page.window().findChild(QListWidget, "mOptionsListWidget")
    return stack, rows, -1 if stack is None or rows is None else stack.indexOf(page)
