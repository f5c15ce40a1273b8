"""Layout that places widgets side by side and continues in the next line at the right edge."""

from __future__ import annotations

from typing import List, Optional, Tuple

from qgis.PyQt.QtCore import QPoint, QRect, QSize, Qt
from qgis.PyQt.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Layout whose height follows from its width. Hidden widgets take no space."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._items: List[QLayoutItem] = []
        self.setSpacing(4)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def count(self) -> int:
        """Qt: return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> Optional[QLayoutItem]:  # noqa: N802
        """Qt: return the item at ``index``."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> Optional[QLayoutItem]:  # noqa: N802
        """Qt: remove and return the item at ``index``."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Qt: return the height of all lines in pixels."""
        return self._lay_out(QRect(0, 0, width, 0), False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        """Qt: move every widget to its position."""
        super().setGeometry(rect)
        self._lay_out(rect, True)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: return the smallest size, because the height follows from the width."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802
        """Qt: return the size of the largest widget."""
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _lay_out(self, rect: QRect, apply: bool) -> int:
        left, top, height = rect.x(), rect.y(), 0
        line: List[Tuple[QLayoutItem, QRect]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(rect.width(), 1)))
            if left > rect.x() and left + size.width() > rect.right() + 1:
                _place(line, height, apply)
                left, top, height, line = rect.x(), top + height + self.spacing() // 2, 0, []
            line.append((item, QRect(QPoint(left, top), size)))
            left += size.width() + self.spacing()
            height = max(height, size.height())
        _place(line, height, apply)
        return int(top + height - rect.y())


def _place(line: List[Tuple[QLayoutItem, QRect]], height: int, apply: bool) -> None:
    """Move the widgets of one line, each to the middle of the line's height."""
    if apply:
        for item, place in line:
            item.setGeometry(place.translated(0, (height - place.height()) // 2))
