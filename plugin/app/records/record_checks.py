"""The checks of one record: its fields, its links, and the live service."""

from __future__ import annotations

from enum import Enum
from typing import Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, QTime, pyqtSignal

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import wms_endpoint
from ...core.records.model.record import Record
from ...core.review import checks
from ...core.review.checks.rules import Finding, sorted_findings
from ...core.wms.model.service import Service
from ...gis.profiles import record_loading
from ...gis.runtime import tasks
from ...gis.services import service_cache


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
        return self.record is not None and bool(wms_endpoint(self.record))

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
        address = wms_endpoint(self.record) if self.record is not None else None
        if not address or self.busy:
            return
        self._loading_service = True
        self.status_changed.emit(tr("Contacting the service…"))
        service_cache.shared().request(address, self._on_service_loaded, self._on_failed, self)

    def cancel(self) -> None:
        """Cancel running requests."""
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
