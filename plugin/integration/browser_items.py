"""The base classes of the browser's items. Groups read their children in worker threads.

QGIS creates the items of a group in a worker thread and moves them to the main thread afterwards. Nothing may use an
item before that: a QObject cannot have children in two threads.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence

from qgis.core import QgsDataItem
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QTimer

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.text import inert

if TYPE_CHECKING:
    from qgis.core import QgsMimeDataUtils
    from qgis.PyQt.QtGui import QIcon

    from ..gis.library.library_reader import LibraryReader

#: the same as in ui.widgets.drag_and_drop, which is not imported yet when QGIS starts with an open browser
PROVIDER = "cartoguide"
ROOT = "cartoguide:"
_serial_numbers = itertools.count()
_icons: Dict[str, QIcon] = {}


class BrowserTree:
    """State shared by all items of one browser tree: the records, and the groups that were read.

    Safe in any thread, except for ``refresh``.
    """

    def __init__(self, records: Callable[[], LibraryReader]) -> None:
        self._records = records
        self._lock = threading.Lock()
        self._groups: weakref.WeakSet[GroupItem] = weakref.WeakSet()

    @property
    def records(self) -> LibraryReader:
        """The reader of the record library. For worker threads only."""
        return self._records()

    def register(self, group: GroupItem) -> None:
        """Add a group whose children are read. QGIS only reads groups that are in its tree, on the main thread."""
        with self._lock:
            self._groups.add(group)

    def refresh(self, kind: type = object) -> None:
        """Let every open group of the class ``kind`` read its children again. Items that stay keep their position.

        For the main thread.
        """
        with self._lock:
            groups = list(self._groups)
        for group in groups:
            if isinstance(group, kind):
                group.read_again()


class BrowserItem:
    """Base of our items.

    An item is identified by its path. When QGIS reads an item again, the old object takes over the data of the new one.
    """

    icon_name = "cartoguide"

    def initialise(self, tip: str = "", order: Optional[int] = None) -> None:
        """Set tooltip and order. Called once, by the constructor."""
        self.serial_number = next(_serial_numbers)
        self.sort_order = order
        this: Any = self
        if tip:
            this.setToolTip(inert(tip))
        if order is not None:
            this.setSortKey(f"{order:08d}")

    def icon(self) -> QIcon:
        """QGIS: the icon, requested on the main thread."""
        cached_icon = _icons.get(self.icon_name)
        if cached_icon is None:
            from ..ui.widgets.theme import icon

            cached_icon = _icons[self.icon_name] = icon(self.icon_name)
        return cached_icon

    def equal(self, other: Any) -> bool:
        """QGIS: return true for the same item, read again, and take over its data."""
        this: Any = self
        if type(other) is not type(this) or other.path() != this.path():
            return False
        older: Any = this if self.serial_number < other.serial_number else other
        newer: Any = other if older is this else this
        older.update_from(newer)
        return True

    def update_from(self, newer: Any) -> None:
        """Take over the data of ``newer``, the same item read again."""
        this: Any = self
        same = this.name() == newer.name() and self.sort_order == newer.sort_order
        this.setToolTip(inert(newer.toolTip()))
        if newer.sort_order is not None:
            self.sort_order = newer.sort_order
            this.setSortKey(f"{newer.sort_order:08d}")
        if not same:
            this.setName(newer.name())


class GroupItem(BrowserItem, QgsDataItem):
    """A group of items. ``read_children`` runs in a worker thread, without access to widgets and layers."""

    kind = QgsDataItem.Type.Collection

    def __init__(self, parent: Optional[QgsDataItem], tree: BrowserTree, name: str, path: str, tip: str = "",
                 order: Optional[int] = None) -> None:
        QgsDataItem.__init__(self, self.kind, parent, name, path, PROVIDER)
        self.setCapabilitiesV2(QgsDataItem.Capability.Fertile)
        self.tree = tree
        self._outdated = False
        self.initialise(tip, order)

    def read_again(self) -> None:
        """Read the children again, if they were read. For the main thread.

        A read that is running may have begun before the change, so another one follows it.
        """
        if sip.isdeleted(self):
            return
        if self.state() == QgsDataItem.State.Populated:
            self.refresh()
        elif self.state() == QgsDataItem.State.Populating and not self._outdated:
            self._outdated = True
            # emitted at the end of each read. PyQt cannot pass on the state of ``stateChanged`` on QGIS 3.22
            self.dataChanged.connect(self._on_data_changed)

    def _on_data_changed(self, _item: object = None) -> None:
        if self._outdated and self.state() == QgsDataItem.State.Populated:
            self._outdated = False
            self.dataChanged.disconnect(self._on_data_changed)
            # QGIS is not yet done with the read that has ended
            QTimer.singleShot(0, self.read_again)

    def read_children(self) -> Sequence[QgsDataItem]:
        """Return the children, from a worker thread. Raises CartoguideError where they cannot be read."""
        return ()

    def createChildren(self) -> List[QgsDataItem]:  # noqa: N802
        """QGIS: read the children in a worker thread. Errors become items, because an exception would end QGIS."""
        from ..gis.runtime.thread_pool import global_pool_slot_released

        self.tree.register(self)
        try:
            with global_pool_slot_released():
                children = list(self.read_children())
        except CartoguideError as error:
            children = self._error_items(error)
        except Exception as error:  # noqa: BLE001 - shown where the children would be
            from ..gis.runtime.tasks import unexpected_error

            children = self._error_items(unexpected_error(error))
        for child in children:
            sip.transferto(child, self)
        return children

    def _error_items(self, error: CartoguideError) -> List[QgsDataItem]:
        """Return an item that shows the error, or nothing where the library was closed meanwhile."""
        from qgis.core import QgsErrorItem

        from ..core.errors import Cancelled
        from ..gis.runtime import log

        if isinstance(error, Cancelled):
            return []
        log.error(error)
        return [QgsErrorItem(self, error.user_text, f"{self.path()}/error")]


class LeafItem(BrowserItem, QgsDataItem):
    """An item without children."""

    def __init__(self, parent: QgsDataItem, name: str, path: str, tip: str = "", order: Optional[int] = None) -> None:
        QgsDataItem.__init__(self, QgsDataItem.Type.Custom, parent, name, path, PROVIDER)
        self.initialise(tip, order)
        self.setState(QgsDataItem.State.Populated)


class LoadMoreItem(LeafItem):
    """The last item of a long group. A double click shows more items."""

    icon_name = "mActionArrowDown"

    def __init__(self, parent: QgsDataItem, name: str, order: int, load_more: Callable[[], None]) -> None:
        super().__init__(parent, name, f"{parent.path()}/more", "", order)
        self.load_more = load_more

    def update_from(self, newer: Any) -> None:
        """Take over the data of ``newer``, the same item read again."""
        super().update_from(newer)
        self.load_more = newer.load_more


def mime_uri(text: str, title: str) -> QgsMimeDataUtils.Uri:
    """Return the URI that QGIS's windows get when an item is dragged there, see ui.widgets.drag_and_drop."""
    from qgis.core import QgsMimeDataUtils

    uri = QgsMimeDataUtils.Uri()
    uri.layerType, uri.providerKey, uri.name, uri.uri = "custom", PROVIDER, title, text
    return uri


class RootItem(GroupItem):
    """Our root item in the browser. Nothing below it is imported before it is opened."""

    def __init__(self, tree: BrowserTree, read_groups: Callable[[GroupItem], Sequence[QgsDataItem]]) -> None:
        super().__init__(None, tree, "Cartoguide", ROOT, tr("Your records of map services, and their layers"))
        self._read_groups = read_groups

    def read_children(self) -> Sequence[QgsDataItem]:
        """Return the groups of networks, collections and records."""
        return self._read_groups(self)
