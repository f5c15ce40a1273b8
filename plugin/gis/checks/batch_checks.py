"""Checks over many records of the store, in a task: each with its copies, the findings written as CSV as they come."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, Iterator, List, Optional, Sequence, TextIO, Tuple, Union

from qgis.PyQt.QtCore import QObject

from ...core.atomic_write import atomic_write
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...core.records.checks import findings_csv
from ...core.records.checks.identifier_rules import duplicate_identifiers
from ...core.records.checks.rules import Finding, Severity, sorted_findings
from ...core.records.checks.runner import check_record
from ...core.records.model.record import Record
from ..library.record_library import RecordLibrary
from ..profiles import record_loading
from ..runtime import log, tasks
from ..runtime.i18n import record_language

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore

_PAGE = 2000
#: the window is told so often how far it is
_REPORT_EVERY = 20
#: of so many copies of one identifier each is held against the others; a source that gives all its records the same is
#: told by these
_MAX_COPIES = 50


@dataclass
class BatchCheckResult:
    """What came of it: how many records, how many findings of each severity, and how many could not be read."""

    records: int = 0
    unreadable: int = 0
    findings: Dict[Severity, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))

    def count(self, findings: Sequence[Finding]) -> None:
        """One more record with what was found in it."""
        self.records += 1
        for finding in findings:
            self.findings[finding.severity] += 1


def start(library: RecordLibrary, selection: Union[LibraryQuery,
                                                   Sequence[str]], path: str, done: Callable[[BatchCheckResult], None],
          failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None) -> tasks.Job:
    """Check all that a query finds, or the records of these identifiers, and write what is found to ``path`` as CSV
    (UTF-8 with a mark, which spreadsheets look for), whole or not at all.
    """
    return tasks.start(tr("Checking records"), lambda feedback: _check_to_file(library, selection, path, feedback),
                       done, failed, owner)


def duplicate_findings(library: RecordLibrary, record: Record) -> Tuple[Finding, ...]:
    """What is wrong with ``record``'s identifier beside the other records that bear it; for worker threads."""
    if not record.id:
        return ()
    return _duplicate_findings_among(
        record, [pair for pair in _current_copies(library.store(), record.id) if pair[1].original != record.original])


def _duplicate_findings_among(record: Record, others: Sequence[Tuple[bool, Record]]) -> Tuple[Finding, ...]:
    """Two records of one source must not share an identifier; what another source says is perhaps only older."""
    found = [
        finding for one, finding in duplicate_identifiers([record, *(other for _, other in others)]) if one is record
    ]
    if not any(beside for beside, _ in others):
        found = [replace(finding, severity=Severity.NOTE) for finding in found]
    return tuple(found)


def _current_copies(store: RecordStore, identifier: str) -> List[Tuple[bool, Record]]:
    """The record that speaks, and what other places say under its identifier now, each with whether that is in the same
    source; the same document counts once.
    """
    found: Dict[bytes, Tuple[bool, Record]] = {}
    own = ""
    for copy in store.find_copies(identifier):
        if copy.vanished_at and found:
            continue
        record = store.load_copy(copy, record_language())
        own = own or copy.source
        found.setdefault(record.original, (copy.source == own, record))
        if len(found) >= _MAX_COPIES:
            break
    return list(found.values())


def _check_to_file(library: RecordLibrary, selection: Union[LibraryQuery, Sequence[str]], path: str,
                   feedback: tasks.Feedback) -> BatchCheckResult:
    with atomic_write(Path(path)) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as stream:
        return _check_to_stream(library.store(), selection, stream, feedback)


def _check_to_stream(store: RecordStore, selection: Union[LibraryQuery, Sequence[str]], stream: TextIO,
                     feedback: tasks.Feedback) -> BatchCheckResult:
    checked = BatchCheckResult()
    stream.write(findings_csv([]))
    for record, findings in check_each(store, selection, checked, feedback):
        stream.write(findings_csv([(record, findings)], heading=False))
    return checked


def check_each(store: RecordStore, selection: Union[LibraryQuery, Sequence[str]], checked: BatchCheckResult,
               feedback: tasks.Feedback) -> Iterator[Tuple[Record, Tuple[Finding, ...]]]:
    """Every record that ``wanted`` means with its findings; ``checked`` counts along. For worker threads."""
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
            checked.unreadable += 1
            continue
        # of a source that gives one identifier to several records, each is checked
        for record in [record for beside, record in copies if beside]:
            twice = _duplicate_findings_among(record, [pair for pair in copies if pair[1] is not record])
            findings = sorted_findings([*twice, *check_record(record, profile)])
            checked.count(findings)
            yield record, findings


def _identifiers(store: RecordStore, selection: Union[LibraryQuery, Sequence[str]]) -> Iterator[str]:
    if not isinstance(selection, LibraryQuery):
        yield from selection
        return
    offset, more = 0, True
    while more:
        page = store.search(selection, _PAGE, offset)
        yield from (hit.identifier for hit in page.hits)
        offset, more = offset + _PAGE, page.has_more
