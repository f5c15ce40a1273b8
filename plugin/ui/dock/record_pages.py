"""The list of records and the selected record: side by side where there is room, else one page at a time."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QApplication, QSplitter, QVBoxLayout, QWidget

from ..widgets.theme import font_scale

#: pixels at 12 pt; from this width on the list and the record stand side by side
SIDE_BY_SIDE_WIDTH = 700


class RecordPages(QWidget):
    """Two pages. ``changed`` is emitted when another page is shown, or both are.

    The page that is shown takes the focus from the one that is hidden.
    """

    changed = pyqtSignal()

    def __init__(self, list_page: QWidget, record_page: QWidget, list_focus: QWidget, record_focus: QWidget,
                 parent: Optional[QWidget] = None) -> None:
        """``list_focus`` and ``record_focus`` are the widgets of the pages that get the focus."""
        super().__init__(parent)
        # no focus proxies: Tab would lead to them, and past what is above them
        self._list_focus, self._record_focus = list_focus, record_focus
        self._list_page, self._record_page = list_page, record_page
        self._record_open = False
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(5)
        for page in (list_page, record_page):
            self.splitter.addWidget(page)
            self.splitter.setStretchFactor(self.splitter.count() - 1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self._show_pages()

    @property
    def side_by_side(self) -> bool:
        """True where there is room for both pages."""
        return self._is_wide(self.width())

    def _is_wide(self, width: int) -> bool:
        return width >= SIDE_BY_SIDE_WIDTH * font_scale(self)

    @property
    def record_opened(self) -> bool:
        """True if the person opened a record and has not gone back to the list."""
        return self._record_open

    def open_record(self) -> None:
        self._record_open = True
        self._show_pages()

    def open_list(self) -> None:
        self._record_open = False
        self._show_pages()

    def focus_record(self) -> None:
        """Show the record, which has the focus then."""
        self.open_record()
        self._record_focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_list(self) -> None:
        """Go back to the list, which has the focus then."""
        self.open_list()
        self._list_focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: show both pages, or one, as the width allows."""
        super().resizeEvent(event)
        if self._is_wide(event.oldSize().width()) != self.side_by_side:
            self._show_pages()

    def _show_pages(self) -> None:
        pages = [(self._list_page, self.side_by_side or not self._record_open, self._record_focus),
                 (self._record_page, self.side_by_side or self._record_open, self._list_focus)]
        # the page that is shown comes first, so that it can take the focus of the other one
        for page, is_shown, focus_of_other in sorted(pages, key=lambda one: not one[1]):
            if not is_shown and page.isAncestorOf(QApplication.focusWidget() or self):
                focus_of_other.setFocus(Qt.FocusReason.OtherFocusReason)
            page.setVisible(is_shown)
        self.changed.emit()
