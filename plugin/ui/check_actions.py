"""Checks beyond the one record: identifiers that others bear too, and the findings of many records as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence, Tuple, Union

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ..core.i18n import tr
from ..core.records.checks.model import Finding, Severity
from ..core.records.model import Record
from ..core.store.query import Query
from ..gis import check_set, settings, tasks

if TYPE_CHECKING:
    from .dock import CartoguideDock


class CheckActions(QObject):
    """Connects the Checks tab and the list with the store."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._duplicates: tasks.Latest[Tuple[Finding, ...]] = tasks.Latest(self)
        dock.view.checks.filled.connect(self._look_for_duplicates)
        dock.view.checks.all_asked.connect(lambda: self.ask())

    def ask(self, identifiers: Optional[Sequence[str]] = None) -> None:
        """Ask for a file and check these records, or all that the list finds, into it."""
        start = str(Path(settings.get("last_folder")) / f"{tr('Findings')}.csv")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Save the findings"), start, "CSV (*.csv)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.check(self._dock.results.query if identifiers is None else list(identifiers), path)

    def check(self, wanted: Union[Query, Sequence[str]], path: str) -> None:
        """Check records and save what is found; it is told when it is done."""
        self._session.run(check_set.start(self._session.shelf, wanted, path, lambda checked: self._told(checked, path),
                                          self._session.failed.emit, self), tr("Checking records…"))

    def _told(self, checked: check_set.Checked, path: str) -> None:
        counts = checked.findings
        words = tr("Saved as {name}: {records} with {errors}, {warnings}, {notes}.", name=Path(path).name,
                   records=tr("%n record(s)", n=checked.records), errors=tr("%n error(s)", n=counts[Severity.ERROR]),
                   warnings=tr("%n warning(s)", n=counts[Severity.WARNING]),
                   notes=tr("%n note(s)", n=counts[Severity.NOTE]))
        if checked.unread:
            self._dock.messages.warning(f"{words} {tr('%n record(s) could not be read.', n=checked.unread)}")
        else:
            self._dock.messages.news(words)

    def _look_for_duplicates(self, record: Record) -> None:
        shelf, tab = self._session.shelf, self._dock.view.checks
        self._duplicates.start(tr("Looking for the record’s identifier"),
                               lambda _feedback: check_set.duplicates_of(shelf, record),
                               lambda found: tab.show_duplicates(record, found), self._session.failed.emit)
