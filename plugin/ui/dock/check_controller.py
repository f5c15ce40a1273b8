"""Checks beyond the one record: identifiers that others bear too, and the findings of many records as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence, Tuple, Union

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...core.records.checks.rules import Finding, Severity
from ...core.records.model.record import Record
from ...gis.checks import batch_checks
from ...gis.runtime import settings, tasks

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock


class CheckController(QObject):
    """Connects the Checks tab and the list with the store."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._duplicates_job: tasks.LatestJob[Tuple[Finding, ...]] = tasks.LatestJob(self)
        dock.view.checks.record_checked.connect(self._find_duplicates)
        dock.view.checks.batch_check_requested.connect(lambda: self.ask_file_and_check())

    def ask_file_and_check(self, identifiers: Optional[Sequence[str]] = None) -> None:
        """Ask for a file and check these records, or all that the list finds, into it."""
        start = str(Path(settings.get("last_folder")) / f"{tr('Findings')}.csv")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Save the findings"), start, "CSV (*.csv)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.check_to_file(self._dock.results.query if identifiers is None else list(identifiers), path)

    def check_to_file(self, wanted: Union[LibraryQuery, Sequence[str]], path: str) -> None:
        """Check records and save what is found; it is told when it is done."""
        self._session.show_job(
            batch_checks.start(self._session.library, wanted, path, lambda checked: self._report(checked, path),
                               self._session.failed.emit, self), tr("Checking records…"))

    def _report(self, checked: batch_checks.BatchCheckResult, path: str) -> None:
        counts = checked.findings
        words = tr("Saved as {name}: {records} with {errors}, {warnings}, {notes}.", name=Path(path).name,
                   records=tr("%n record(s)", n=checked.records), errors=tr("%n error(s)", n=counts[Severity.ERROR]),
                   warnings=tr("%n warning(s)", n=counts[Severity.WARNING]),
                   notes=tr("%n note(s)", n=counts[Severity.NOTE]))
        if checked.unreadable:
            self._dock.messages.show_warning(f"{words} {tr('%n record(s) could not be read.', n=checked.unreadable)}")
        else:
            self._dock.messages.notify(words)

    def _find_duplicates(self, record: Record) -> None:
        shelf, tab = self._session.library, self._dock.view.checks
        self._duplicates_job.start(tr("Looking for the record’s identifier"),
                                   lambda _feedback: batch_checks.duplicate_findings(shelf, record),
                                   lambda found: tab.show_duplicates(record, found), self._session.failed.emit)
