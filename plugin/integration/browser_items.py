"""The browser's items: groups that read their children in a worker thread, a part of many records at a time."""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence

from qgis.core import QgsDataItem
from qgis.PyQt import sip

from ..core.errors import CartoguideError
from ..core.i18n import tr

if TYPE_CHECKING:
    from qgis.core import QgsMimeDataUtils
    from qgis.PyQt.QtGui import QIcon

    from ..gis.library.library_reader import LibraryReader

#: as in ``ui.map_drop``, which is not needed yet when QGIS starts with an open browser
PROVIDER = "cartoguide"
ROOT = "cartoguide:"
_serial_numbers = itertools.count()
_icons: Dict[str, QIcon] = {}


class BrowserTree:
    """What all items of one browser tree share: the records, and who of them is there (also asked in workers)."""

    def __init__(self, records: Callable[[], LibraryReader]) -> None:
        self._records = records
        self._lock = threading.Lock()
        self._groups: weakref.WeakSet[GroupItem] = weakref.WeakSet()

    @property
    def records(self) -> LibraryReader:
        """The records that are kept; worker threads only."""
        return self._records()

    def register(self, group: GroupItem) -> None:
        """A group is there now."""
        with self._lock:
            self._groups.add(group)

    def refresh(self, kind: type = object) -> None:
        """Have every group that is open (of ``kind``) read its children again; those that stay keep their place."""
        with self._lock:
            groups = list(self._groups)
        for group in groups:
            if isinstance(group, kind) and not sip.isdeleted(group) \
                    and group.state() == QgsDataItem.State.Populated:
                group.refresh()


class BrowserItem:
    """What our items have in common. An item is known by its path; the older of two takes over what the newer knows."""

    icon_name = "cartoguide"

    def initialise(self, tip: str = "", order: Optional[int] = None) -> None:
        """To be called once, by the constructor."""
        self.serial_number = next(_serial_numbers)
        self.sort_order = order
        this: Any = self
        if tip:
            this.setToolTip(tip)
        if order is not None:
            this.setSortKey(f"{order:08d}")

    def icon(self) -> QIcon:
        """QGIS: asked for in the window's thread."""
        found = _icons.get(self.icon_name)
        if found is None:
            from ..ui.widgets.theme import icon

            found = _icons[self.icon_name] = icon(self.icon_name)
        return found

    def equal(self, other: Any) -> bool:
        """QGIS: whether a child that was read again is this one."""
        this: Any = self
        if type(other) is not type(this) or other.path() != this.path():
            return False
        older: Any = this if self.serial_number < other.serial_number else other
        newer: Any = other if older is this else this
        older.take_over(newer)
        return True

    def update_from(self, newer: Any) -> None:
        """The same thing was read again: know what ``newer`` knows."""
        this: Any = self
        same = this.name() == newer.name() and self.sort_order == newer.order
        this.setToolTip(newer.toolTip())
        if newer.order is not None:
            self.sort_order = newer.order
            this.setSortKey(f"{newer.order:08d}")
        if not same:
            this.setName(newer.name())


class GroupItem(BrowserItem, QgsDataItem):
    """A group; ``read`` gives its children in a worker thread, where no widget and no layer may be touched."""

    kind = QgsDataItem.Type.Collection

    def __init__(self, parent: Optional[QgsDataItem], tree: BrowserTree, name: str, path: str, tip: str = "",
                 order: Optional[int] = None) -> None:
        QgsDataItem.__init__(self, self.kind, parent, name, path, PROVIDER)
        self.setCapabilitiesV2(QgsDataItem.Capability.Fertile)
        self.tree = tree
        self.initialise(tip, order)
        tree.register(self)

    def read_children(self) -> Sequence[QgsDataItem]:
        """The children."""
        return ()

    def createChildren(self) -> List[QgsDataItem]:  # noqa: N802
        """QGIS: in a worker thread. Whatever goes wrong is an item too: an exception would end QGIS."""
        from ..gis.runtime.thread_pool import global_pool_slot_released

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
        """What is wrong, as an item; a store that was closed meanwhile is nothing wrong."""
        from qgis.core import QgsErrorItem

        from ..core.errors import Cancelled
        from ..gis.runtime import log

        if isinstance(error, Cancelled):
            return []
        log.error(error)
        return [QgsErrorItem(self, error.user_text, f"{self.path()}/error")]


class LeafItem(BrowserItem, QgsDataItem):
    """An item without children; ``activate`` (main thread) is what a double click does."""

    def __init__(self, parent: QgsDataItem, name: str, path: str, tip: str = "", order: Optional[int] = None) -> None:
        QgsDataItem.__init__(self, QgsDataItem.Type.Custom, parent, name, path, PROVIDER)
        self.initialise(tip, order)
        self.setState(QgsDataItem.State.Populated)


class LoadMoreItem(LeafItem):
    """Stands below the first of many; a double click shows more of them."""

    icon_name = "mActionArrowDown"

    def __init__(self, parent: QgsDataItem, name: str, order: int, show_more: Callable[[], None]) -> None:
        super().__init__(parent, name, f"{parent.path()}/more", "", order)
        self.load_more = show_more

    def take_over(self, newer: Any) -> None:
        """The children were read again."""
        super().update_from(newer)
        self.load_more = newer.load_more


def mime_uri(text: str, title: str) -> QgsMimeDataUtils.Uri:
    """What QGIS's windows are given when an item is dragged there: see ``map_drop``."""
    from qgis.core import QgsMimeDataUtils

    uri = QgsMimeDataUtils.Uri()
    uri.layerType, uri.providerKey, uri.name, uri.uri = "custom", PROVIDER, title, text
    return uri


class RootItem(GroupItem):
    """"Cartoguide" among the browser's roots: all that is imported when QGIS starts."""

    def __init__(self, tree: BrowserTree, read_groups: Callable[[GroupItem], Sequence[QgsDataItem]]) -> None:
        super().__init__(None, tree, "Cartoguide", ROOT, tr("Records of map services that you keep, and their layers"))
        self._read_groups = read_groups

    def read(self) -> Sequence[QgsDataItem]:
        """Networks, collections, records."""
        return self._read_groups(self)
