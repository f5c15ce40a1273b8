"""Checks of many records of the library in a task. Each is checked with its copies."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from qgis.PyQt.QtCore import QObject

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...core.records.model.record import Record
from ...core.review.checks.record_rules import duplicate_identifiers
from ...core.review.checks.rules import Finding, Severity, sorted_findings
from ...core.review.checks.runner import check_record
from ..library.record_library import BUNDLED, RecordLibrary, iter_hits
from ..profiles import record_loading
from ..runtime import log, tasks
from ..runtime.i18n import record_language
from ..runtime.tasks import ErrorCallback

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore

#: records between two progress reports
_REPORT_EVERY = 20
#: copies of one identifier that are compared. A source may give all its records the same identifier
_MAX_COPIES = 50


#: the records to check: the results of a query, or a list of identifiers
Selection = Union[LibraryQuery, Sequence[str]]


@dataclass
class BatchCheckResult:
    """The checked records with their findings, and the number of unreadable records and of findings by severity.

    The records have only what a list of them and a table need, because there may be 100,000.
    """

    checked: List[Tuple[Record, Tuple[Finding, ...]]] = field(default_factory=list)
    unreadable: int = 0
    findings: Dict[Severity, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))

    def add(self, record: Record, findings: Tuple[Finding, ...]) -> None:
        self.checked.append((Record(record.source_format, id=record.id, title=record.title, source=record.source),
                             findings))
        for finding in findings:
            self.findings[finding.severity] += 1


def start(library: RecordLibrary, selection: Selection, done: Callable[[BatchCheckResult], None],
          failed: ErrorCallback, owner: Optional[QObject] = None) -> tasks.Job:
    """Check the selected records in a task."""
    return tasks.start(tr("Checking records"), lambda feedback: check_all(library.store(), selection, feedback),
                       done, failed, owner)


def duplicate_findings(library: RecordLibrary, record: Record) -> Tuple[Finding, ...]:
    """Return the findings on other records with the identifier of ``record``. For worker threads."""
    if not record.id:
        return ()
    return _duplicate_findings_among(
        record, [pair for pair in _current_copies(library.store(), record.id) if pair[1].original != record.original])


def _duplicate_findings_among(record: Record, others: Sequence[Tuple[bool, Record]]) -> Tuple[Finding, ...]:
    """Return the findings on records with the same identifier. ``others`` are (is of the same source, record).

    Two records of one source must not share an identifier. The copy of another source may just be older.
    """
    records = [record, *(other for _, other in others)]
    findings = [finding for duplicate, finding in duplicate_identifiers(records) if duplicate is record]
    if not any(same_source for same_source, _ in others):
        findings = [replace(finding, severity=Severity.NOTE) for finding in findings]
    return tuple(findings)


def _current_copies(store: RecordStore, identifier: str) -> List[Tuple[bool, Record]]:
    """Return the current copies of a record as (is of the same source as the first one, record).

    The first copy is the one that the library shows. Identical documents are returned once. The copy that comes with
    the network profile counts only where no other one does: nobody has put it there.
    """
    copies_by_content: Dict[bytes, Tuple[bool, Record]] = {}
    first_source = ""
    copies = store.find_copies(identifier)
    for copy in [copy for copy in copies if copy.source != BUNDLED] or copies:
        if copy.vanished_at and copies_by_content:
            continue
        record = store.load_copy(copy, record_language())
        first_source = first_source or copy.source
        copies_by_content.setdefault(record.original, (copy.source == first_source, record))
        if len(copies_by_content) >= _MAX_COPIES:
            break
    return list(copies_by_content.values())


def check_all(store: RecordStore, selection: Selection, feedback: tasks.Feedback) -> BatchCheckResult:
    """Check each selected record. For worker threads. Raises Cancelled."""
    result = BatchCheckResult()
    profile = record_loading.current_profile()
    total = store.count(selection).total if isinstance(selection, LibraryQuery) else len(selection)
    for number, identifier in enumerate(_identifiers(store, selection)):
        feedback.raise_if_cancelled()
        if number % _REPORT_EVERY == 0:
            feedback.report(100.0 * number / max(1, total), tr("%n record(s) checked", n=number))
        try:
            copies = _current_copies(store, identifier)
        except CartoguideError as error:
            log.error(error)
            result.unreadable += 1
            continue
        # a source may give one identifier to several records, which are all checked
        for record in [record for same_source, record in copies if same_source]:
            duplicates = _duplicate_findings_among(record, [pair for pair in copies if pair[1] is not record])
            findings = sorted_findings([*duplicates, *check_record(record, profile)])
            result.add(record, findings)
    return result


def _identifiers(store: RecordStore, selection: Selection) -> Iterator[str]:
    if not isinstance(selection, LibraryQuery):
        yield from selection
        return
    for hit in iter_hits(store, selection):
        yield hit.identifier
