"""Checks of more than one record: duplicate identifiers, and the findings of many records in a CSV file."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Optional, Sequence, Tuple, Union

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...core.records.model.record import Record
from ...core.review.checks.rules import Finding, Severity
from ...gis.checks import batch_checks
from ...gis.runtime import tasks
from ..window import Notifier, Prompts
from .dock_session import DockSession


class CheckController(QObject):
    """Runs checks on the record library in tasks."""

    #: record, its findings
    duplicates_found = pyqtSignal(object, object)

    def __init__(self, session: DockSession, query: Callable[[], LibraryQuery], notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        """``query`` returns what the list shows."""
        super().__init__(parent)
        self._session, self._query, self._notifier, self._prompts = session, query, notifier, prompts
        self._duplicates_job: tasks.LatestJob[Tuple[Finding, ...]] = tasks.LatestJob(self)

    def ask_file_and_check(self, identifiers: Optional[Sequence[str]] = None) -> None:
        """Ask for a CSV file, then check the records called ``identifiers``, or all that the list shows, into it."""
        path = self._prompts.save_file(tr("Save the issues"), f"{tr('Issues')}.csv", "CSV (*.csv)")
        if path is not None:
            self.check_to_file(self._query() if identifiers is None else list(identifiers), str(path))

    def check_to_file(self, selection: Union[LibraryQuery, Sequence[str]], path: str) -> None:
        """Check records in a task and save the findings as CSV. A message shows the outcome."""
        self._session.show_job(
            batch_checks.start(self._session.library, selection, path, lambda result: self._report(result, path),
                               self._session.failed.emit, self), tr("Checking records…"))

    def _report(self, result: batch_checks.BatchCheckResult, path: str) -> None:
        counts = result.findings
        text = tr("Saved as {name}: {records} with {errors}, {warnings}, {notes}.", name=Path(path).name,
                  records=tr("%n record(s)", n=result.records), errors=tr("%n error(s)", n=counts[Severity.ERROR]),
                  warnings=tr("%n warning(s)", n=counts[Severity.WARNING]),
                  notes=tr("%n note(s)", n=counts[Severity.NOTE]))
        if result.unreadable:
            self._notifier.show_warning(f"{text} {tr('%n record(s) could not be read.', n=result.unreadable)}")
        else:
            self._notifier.notify(text)

    def find_duplicates(self, record: Record) -> None:
        """Search the library for other records with the identifier of ``record`` and emit ``duplicates_found``."""
        library = self._session.library
        self._duplicates_job.start(tr("Searching for the record’s identifier"),
                                   lambda _feedback: batch_checks.duplicate_findings(library, record),
                                   lambda findings: self.duplicates_found.emit(record, findings),
                                   self._session.failed.emit)
