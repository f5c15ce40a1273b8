"""Large openings in the dock: a line for each, with its progress, what came of it, and why something failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...app.records.import_jobs import ImportJob
from ...core.i18n import tr
from ..widgets.job_rows import CANCEL, REASONS, RESUME, SHOW, JobRow
from ..widgets.messages import DetailsDialog

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock


class ImportProgress(QObject):
    """Puts a line for every large opening among those of the harvests."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        dock.session.imports.large_import_started.connect(self._on_import_started)

    def _on_import_started(self, one: ImportJob) -> None:
        # from now on the line says what is under way
        self._dock.session.busy_changed.emit("")
        row = self._dock.job_rows.add(one.name, "\n".join(one.paths), True)
        row.show_running(0.0, tr("reading…"))
        _ImportRow(self._dock, row, one)


class _ImportRow(QObject):
    """One opening and its line."""

    def __init__(self, dock: CartoguideDock, row: JobRow, one: ImportJob) -> None:
        super().__init__(row)
        self._dock, self._row, self._import = dock, row, one
        self._detail = ""
        one.progressed.connect(self._on_progress)
        one.ended.connect(self._on_ended)
        row.action_requested.connect(self._on_action)

    def _on_progress(self, percent: float, words: str) -> None:
        if not sip.isdeleted(self._row):
            self._row.show_running(percent, words)

    def _on_ended(self, words: str, detail: str, stopped: bool) -> None:
        self._detail = detail
        if not sip.isdeleted(self._row):
            self._row.show_result(words, bool(detail), stopped, bool(self._import.result.saved))

    def _on_action(self, what: str) -> None:
        if what == CANCEL:
            self._import.cancel()
        elif what == REASONS:
            DetailsDialog(self._row.label.text(), self._detail, self._dock).show()
        elif what == SHOW:
            self._dock.results.clear_filters()
            for folder in self._import.result.folders:
                self._dock.facets.set_value("source", folder, True)
        elif what == RESUME:
            self._dock.job_rows.remove(self._row)
            self._import.restart()
