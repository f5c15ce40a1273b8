"""The menu at the search field with the favourite records and those that were opened last."""

from __future__ import annotations

from functools import partial
from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QMenu

from ...app.phrases import hit_title
from ...app.records.record_marks import RecordMarks
from ...core.i18n import tr
from ...core.library.record_collections import FAVOURITES
from ...core.text import inert, truncate
from ..results.facet_row import FacetRow
from .search_bar import SearchBar

_MAX_TITLE_LENGTH = 60


class MarksMenu(QObject):
    """Fills the menu each time it is opened, because records are removed and restored meanwhile."""

    def __init__(self, marks: RecordMarks, search_bar: SearchBar, facets: FacetRow, show_record: Callable[[str], None],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._marks, self._facets, self._show_record = marks, facets, show_record
        self.menu: QMenu = search_bar.marks.menu()
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Add an entry for the favourites, and one for each record that was opened last."""
        self.menu.clear()
        count, shown = self._marks.favourite_count(), self._facets.collection == FAVOURITES
        favourites = self.menu.addAction("★ " + tr("Favourites ({count})", count=count))
        favourites.setCheckable(True)
        favourites.setChecked(shown)
        favourites.setEnabled(bool(count) or shown)
        favourites.setToolTip(tr("Shows your favourites only. The star on a record’s page makes it one."))
        favourites.triggered.connect(lambda on: self._facets.set_collection(FAVOURITES if on else ""))
        self.menu.addSection(tr("Recently used"))
        recent = self._marks.recent()
        for hit in recent:
            title = hit_title(hit)
            action = self.menu.addAction(truncate(title, _MAX_TITLE_LENGTH).replace("&", "&&"),
                                         partial(self._show_record, hit.identifier))
            action.setToolTip(inert(title))
        if not recent:
            self.menu.addAction(tr("No record was opened yet")).setEnabled(False)
