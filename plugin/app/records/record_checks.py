"""The checks of one record (its fields, its links, and the live service) and of many records at once."""

from __future__ import annotations

from enum import Enum
from typing import Callable, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, QTime, pyqtSignal

from ...core.distributions.record_distributions import wms_address
from ...core.errors import CartoguideError
from ...core.files import write_bytes_atomically
from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...core.records.model.record import Record
from ...core.review import checks
from ...core.review.checks.rules import Finding, sorted_findings
from ...core.wms.model.service import Service
from ...gis.checks import batch_checks
from ...gis.profiles import record_loading
from ...gis.runtime import tasks
from ...gis.services import service_cache
from ..window import Notifier, Prompts
from .dock_session import DockSession


class CheckSubject(str, Enum):
    """Subjects of a check. Links and service are checked over the network."""

    FIELDS = "fields"
    LINKS = "links"
    SERVICE = "service"


class RecordChecks(QObject):
    """Checks a record and holds the findings, which are None for a subject that was not checked.

    ``checked_at`` has the local time of each check over the network.
    """

    #: CheckSubject whose findings are new
    checked = pyqtSignal(object)
    #: state of a check over the network as a text for people, "" if none runs
    status_changed = pyqtSignal(str)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.record: Optional[Record] = None
        self.checked_at = {CheckSubject.LINKS: "", CheckSubject.SERVICE: ""}
        self.field_findings: Tuple[Finding, ...] = ()
        self.link_findings: Optional[Tuple[Finding, ...]] = None
        self.service_findings: Optional[Tuple[Finding, ...]] = None
        self._link_job: Optional[tasks.Job] = None
        self._loading_service = False

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """All findings, first those on the record itself."""
        return (*self.field_findings, *(self.link_findings or ()), *(self.service_findings or ()))

    @property
    def busy(self) -> bool:
        """True while a check over the network runs."""
        return self._link_job is not None or self._loading_service

    @property
    def has_service(self) -> bool:
        """True if the record names a service to compare it with."""
        return self.record is not None and bool(wms_address(self.record))

    def set_record(self, record: Record) -> None:
        """Cancel the checks of the former record. No check of ``record`` is started."""
        self.record = record
        self.link_findings = self.service_findings = None
        self.cancel()

    def check_fields(self) -> None:
        """Check the record itself, at once."""
        if self.record is not None:
            self.field_findings = checks.check_record(self.record, record_loading.current_profile())
            self.checked.emit(CheckSubject.FIELDS)

    def add_duplicates(self, record: Record, duplicates: Sequence[Finding]) -> None:
        """Add findings about other records in the library that have the identifier of ``record``."""
        if record is self.record and duplicates:
            self.field_findings = tuple(sorted_findings([*duplicates, *self.field_findings]))
            self.checked.emit(CheckSubject.FIELDS)

    def check_links(self) -> None:
        """Request every link of the record in a job."""
        if self.record is None or self.busy:
            return
        from ...gis.checks import link_check

        self._link_job = link_check.start_link_check(
            self.record, self._on_links_checked, self._on_failed, self,
            lambda _percent, host: self.status_changed.emit(tr("Contacting {host}…", host=host)))
        self.status_changed.emit(tr("Checking links…"))

    def compare_with_service(self) -> None:
        """Compare the record with the capabilities of its service, which are loaded if they are not known."""
        address = wms_address(self.record) if self.record is not None else None
        if not address or self.busy:
            return
        self._loading_service = True
        self.status_changed.emit(tr("Contacting the service…"))
        service_cache.shared().request(address, self._on_service_loaded, self._on_failed, self)

    def cancel(self) -> None:
        if self._link_job is not None:
            self._link_job.cancel()
            self._link_job = None
        if self._loading_service:
            self._loading_service = False
            service_cache.shared().cancel(self)
        self.status_changed.emit("")

    def _on_links_checked(self, findings: Tuple[Finding, ...]) -> None:
        self._link_job = None
        self.link_findings = findings
        self._finish(CheckSubject.LINKS)

    def _on_service_loaded(self, service: Service) -> None:
        from ...core.review.checks.service_rules import against_service

        self._loading_service = False
        if self.record is not None:
            self.service_findings = against_service(self.record, service)
            self._finish(CheckSubject.SERVICE)

    def _finish(self, subject: CheckSubject) -> None:
        self.checked_at[subject] = QTime.currentTime().toString("HH:mm")
        self.status_changed.emit("")
        self.checked.emit(subject)

    def _on_failed(self, error: CartoguideError) -> None:
        self._link_job = None
        self._loading_service = False
        self.status_changed.emit(error.user_text)


class CheckController(QObject):
    """Runs checks on the record library in tasks."""

    #: BatchCheckResult
    records_checked = pyqtSignal(object)
    #: record, its findings
    duplicates_found = pyqtSignal(object, object)

    def __init__(self, session: DockSession, query: Callable[[], LibraryQuery], notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        """``query`` returns what the list shows."""
        super().__init__(parent)
        self._session, self._query, self._notifier, self._prompts = session, query, notifier, prompts
        self._duplicates_job: tasks.LatestJob[Tuple[Finding, ...]] = tasks.LatestJob(self)

    def check(self, identifiers: Optional[Sequence[str]] = None) -> None:
        """Check the records called ``identifiers``, or all that the list shows, and emit ``records_checked``."""
        selection: batch_checks.Selection = self._query() if identifiers is None else list(identifiers)
        self._session.show_job(
            batch_checks.start(self._session.library, selection, self.records_checked.emit, self._session.failed.emit,
                               self), tr("Checking records…"))

    def save(self, result: batch_checks.BatchCheckResult) -> None:
        """Ask for a file and save the findings to it as CSV, with the byte order mark that spreadsheets need."""
        path = self._prompts.save_file(tr("Save the issues"), f"{tr('Issues')}.csv", "CSV (*.csv)")
        if path is None:
            return
        target = path

        def write(_feedback: tasks.Feedback) -> None:
            write_bytes_atomically(target, checks.findings_csv(result.checked).encode("utf-8-sig"))

        def report(_none: None) -> None:
            self._notifier.notify(tr("Saved as {name}.", name=target.name))

        tasks.start(tr("Saving the issues"), write, report, self._session.failed.emit, self)

    def find_duplicates(self, record: Record) -> None:
        """Search the library for other records with the identifier of ``record`` and emit ``duplicates_found``."""
        library = self._session.library
        self._duplicates_job.start(tr("Searching for the record’s identifier"),
                                   lambda _feedback: batch_checks.duplicate_findings(library, record),
                                   lambda findings: self.duplicates_found.emit(record, findings),
                                   self._session.failed.emit)
