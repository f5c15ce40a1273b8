"""Imports of files, folders and packages: their progress, their summaries and when the list is refreshed."""

from __future__ import annotations

import os
from typing import List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.paste_classifier import PastedText, PasteKind
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.failure_groups import failure_counts, failure_outline
from ...core.numbers import format_figures
from ...core.records.model.record import Record
from ...gis.library import record_import
from ...gis.library.record_library import RecordLibrary, RecordSource
from ...gis.runtime import tasks
from ...gis.runtime.main_thread import single_shot
from ..phrases import short_address
from ..window import ViewRequests

#: records in memory, grouped by where they come from
SourcedRecords = List[Tuple[RecordSource, Sequence[Record]]]

#: shortest time between two refreshes of the list while records are being imported
_REFRESH_INTERVAL_MS = 2000


class ImportJobs(QObject):
    """Imports under way.

    A large import shows its progress in a row (``large_import_started``) until the row is closed. A small one ends
    in a message, if there is anything to report.
    """

    large_import_started = pyqtSignal(object)
    #: job, description
    job_started = pyqtSignal(object, str)
    #: records were stored while the person looks at something else
    records_added = pyqtSignal()
    #: first records of a finished import, by identifier, and whether they are to be shown
    imported = pyqtSignal(object, bool)
    #: records were stored that no signal carries; cached ones are out of date
    library_changed = pyqtSignal()
    #: names of the collections that an import restored, and whether they are to be shown
    collections_imported = pyqtSignal(list, bool)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    notified = pyqtSignal(str)
    #: records of the library were replaced: a text, and the function that undoes the import
    replaced = pyqtSignal(str, object)
    #: an import was undone
    undone = pyqtSignal()

    def __init__(self, library: RecordLibrary, views: ViewRequests, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.library, self.views = library, views
        self.running: List[ImportJob] = []
        self._refresh_pending = False
        self._refresh_timer = single_shot(self, _REFRESH_INTERVAL_MS, self._refresh_if_pending)

    def open(self, paths: Sequence[str]) -> None:
        """Import files, folders and packages in a task."""
        if paths:
            self.running.append(ImportJob(self, paths))

    def notify_records_added(self) -> None:
        """Announce new records, at most once in two seconds."""
        if self._refresh_timer.isActive():
            self._refresh_pending = True
        else:
            self._refresh_timer.start()
            self.records_added.emit()

    def undo(self, result: record_import.ImportResult) -> None:
        """Undo an import in a task: its records and collections go, and what they replaced is shown again."""
        def done(_result: None) -> None:
            self.undone.emit()
            self.notified.emit(tr("The import was undone."))

        tasks.start(tr("Undoing the import"), lambda _feedback: record_import.undo_import(result, self.library), done,
                    self.failed.emit, self)

    def on_import_ended(self, job: ImportJob) -> None:
        """Forget an import that has finished, failed or been cancelled. The row of a large one still needs it."""
        if job in self.running:
            self.running.remove(job)
        if not job.is_large:
            job.deleteLater()
        self._refresh_pending = False

    def _refresh_if_pending(self) -> None:
        if self._refresh_pending:
            self._refresh_pending = False
            self.notify_records_added()


class ImportJob(QObject):
    """One import. ``progressed`` carries percent and text.

    ``ended`` carries a summary, its detail and whether the import was stopped.
    """

    progressed = pyqtSignal(float, str)
    ended = pyqtSignal(str, str, bool)

    def __init__(self, imports: ImportJobs, paths: Sequence[str]) -> None:
        super().__init__(imports)
        self._imports = imports
        self.paths = tuple(paths)
        self._view = imports.views.request()
        self.is_large = self._reported = False
        self._reported_count = 0
        self.job, self.result = record_import.start(paths, imports.library, self._on_done, self._on_failed, self)
        self.job.progressed.connect(self._on_progress)
        self.job.ended.connect(self._on_job_ended)
        imports.job_started.emit(self.job, tr("Reading %n file(s) or folder(s)…", n=len(paths)))

    @property
    def name(self) -> str:
        """Short name of what is imported: the first path's name and the number of others."""
        first = os.path.basename(os.path.abspath(self.paths[0])) or self.paths[0]
        more = len(self.paths) - 1
        return tr("{name} and %n more", name=first, n=more) if more else first

    def cancel(self) -> None:
        """Stop reading. Records that are stored already stay."""
        self.job.cancel()

    def restart(self) -> None:
        """Import the same paths again. Unchanged documents are recognised by their bytes."""
        self._imports.open(self.paths)

    def _on_progress(self, percent: float, text: str) -> None:
        self._announce_if_large()
        self.progressed.emit(percent, text)
        if self.result.saved > self._reported_count:
            self._reported_count = self.result.saved
            self._imports.notify_records_added()

    def _announce_if_large(self) -> None:
        if self.result.is_large and not self.is_large:
            self.is_large = True
            self._imports.large_import_started.emit(self)

    def _on_done(self, result: record_import.ImportResult) -> None:
        imports = self._imports
        self._announce_if_large()
        self._reported = True
        if self.is_large:
            self._emit_ended(summary_text(result), False)
        elif result.problem is not None:
            imports.failed.emit(result.problem)
            return
        is_shown = bool(result.records or result.collections) and imports.views.show(self._view)
        if result.records:
            imports.imported.emit(result.records, is_shown)
        elif result.saved:
            imports.library_changed.emit()
        if not self.is_large:
            self._report(result, is_shown)
        if result.collections:
            imports.collections_imported.emit(list(result.collections), is_shown)
        if result.can_be_undone and not result.failure_count:
            # last, so that it is what the person sees
            imports.replaced.emit(summary_text(result), lambda: imports.undo(result))

    def _report(self, result: record_import.ImportResult, is_shown: bool) -> None:
        # one record that is shown says itself that it was read
        least = 1 if is_shown else 0
        if result.failure_count:
            self._imports.warned.emit(summary_text(result), _failure_details(result))
        elif not result.can_be_undone and (result.replaced or (result.saved > least and not result.collections)):
            self._imports.notified.emit(summary_text(result))

    def _on_failed(self, error: CartoguideError) -> None:
        self._reported = True
        if self.is_large:
            self._emit_ended(tr("interrupted: {reason} Records read so far are kept.", reason=error.user_text), True,
                             error.detail)
            self._imports.library_changed.emit()
        else:
            self._imports.failed.emit(error)

    def _emit_ended(self, summary: str, stopped: bool, detail: str = "") -> None:
        details = "\n\n".join(part for part in (detail, _failure_details(self.result)) if part)
        self.ended.emit(summary, details, stopped)

    def _on_job_ended(self) -> None:
        # a cancelled job calls neither _on_done nor _on_failed
        if not self._reported:
            saved = self.result.saved
            summary = tr("stopped. %n record(s) were saved.", n=saved) if saved \
                else tr("stopped before any record was saved.")
            self._emit_ended(summary, True)
            if saved:
                self._imports.library_changed.emit()
        self._imports.on_import_ended(self)


def opened_text(saved: int, failed: int) -> str:
    """Return a message about an import of a few documents."""
    text = tr("%n record(s) read.", n=saved) if saved else tr("Nothing could be read.")
    return f"{text} {tr('%n document(s) could not be read.', n=failed)}" if failed else text


def summary_text(result: record_import.ImportResult) -> str:
    """Return a message about an import: records read, those that were there or were replaced, and failures."""
    if result.replaced:
        text = tr("%n record(s) read: {added} added to the library, {replaced} replaced in it.", n=result.saved,
                  added=format_figures(result.saved - result.already_there - result.changed),
                  replaced=format_figures(result.replaced))
    elif result.already_there:
        text = tr("%n record(s) read, {count} of them already in the library.", n=result.saved,
                  count=format_figures(result.already_there))
    else:
        text = tr("%n record(s) read.", n=result.saved) if result.saved else tr("Nothing could be read.")
    failed = failure_counts(result.failure_count, result.not_records)
    return " ".join(part for part in (text, failed) if part)


def _failure_details(result: record_import.ImportResult) -> str:
    """Return an outline of the failures by reason, or the reason of the only one."""
    return failure_outline(result.failures, result.failure_count)


def paste_progress_text(pasted: PastedText) -> str:
    """Return the text that is shown while pasted text is being read or requested."""
    if pasted.kind == PasteKind.DOCUMENT:
        return tr("Reading the pasted text…")
    if len(pasted.locations) == 1:
        return tr("Contacting {address}…", address=short_address(pasted.locations[0]))
    return tr("Contacting %n address(es)…", n=len(pasted.locations))


def paste_sources(pasted: PastedText, records: Sequence[Record]) -> SourcedRecords:
    """Return pasted records with the source that they are stored under."""
    if pasted.kind == PasteKind.DOCUMENT:
        return [(RecordSource("pasted", "paste", tr("Pasted text")), records)]
    if len(pasted.locations) == 1:
        address = pasted.locations[0]
        return [(RecordSource(address, "address", short_address(address)), records)]
    return [(RecordSource("addresses", "address", tr("Pasted addresses")), records)]
