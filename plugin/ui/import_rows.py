"""Large openings in the dock: a line for each, with its progress, what came of it, and why something failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ..core.i18n import tr
from .harvest_rows import CANCEL, GO_ON, SHOW, WHY, HarvestRow
from .imports import Import
from .messages import DetailsDialog

if TYPE_CHECKING:
    from .dock import CartoguideDock


class ImportRows(QObject):
    """Puts a line for every large opening among those of the harvests."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        dock.session.imports.began.connect(self._began)

    def _began(self, one: Import) -> None:
        # from now on the line says what is under way
        self._dock.session.busy_changed.emit("")
        row = self._dock.harvest_rows.add(one.name, "\n".join(one.paths), True)
        row.show_running(0.0, tr("reading…"))
        _Line(self._dock, row, one)


class _Line(QObject):
    """One opening and its line."""

    def __init__(self, dock: CartoguideDock, row: HarvestRow, one: Import) -> None:
        super().__init__(row)
        self._dock, self._row, self._import = dock, row, one
        self._detail = ""
        one.progressed.connect(self._progressed)
        one.ended.connect(self._ended)
        row.asked.connect(self._asked)

    def _progressed(self, percent: float, words: str) -> None:
        if not sip.isdeleted(self._row):
            self._row.show_running(percent, words)

    def _ended(self, words: str, detail: str, stopped: bool) -> None:
        self._detail = detail
        if not sip.isdeleted(self._row):
            self._row.show_end(words, bool(detail), stopped, bool(self._import.intake.kept))

    def _asked(self, what: str) -> None:
        if what == CANCEL:
            self._import.cancel()
        elif what == WHY:
            DetailsDialog(self._row.words.text(), self._detail, self._dock).show()
        elif what == SHOW:
            self._dock.results.clear()
            for folder in self._import.intake.folders:
                self._dock.facets.choose("source", folder, True)
        elif what == GO_ON:
            self._dock.harvest_rows.remove(self._row)
            self._import.again()
