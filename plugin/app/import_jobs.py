"""Files, folders and packages being opened, without a widget: what is told of them, and when the list looks again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, List, Sequence

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis.library import record_import

if TYPE_CHECKING:
    from .record_session import RecordSession

#: the list is looked up again at most so often while records come in
_REFRESH_INTERVAL_MS = 2000
#: reasons that a detail holds; the others are counted
_MAX_REASONS = 1000


class ImportJobs(QObject):
    """The openings that are under way. ``began`` tells of a large one, which shows its progress until it is closed; a
    small one is told in a message, where there is anything to tell.
    """

    large_import_started = pyqtSignal(object)

    def __init__(self, session: RecordSession) -> None:
        super().__init__(session)
        self.session = session
        self.running: List[ImportJob] = []
        self._refresh_pending = False
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(_REFRESH_INTERVAL_MS)
        self._refresh_timer.timeout.connect(self._refresh_if_pending)

    def open(self, paths: Sequence[str]) -> None:
        """Open files and folders."""
        if paths:
            self.running.append(ImportJob(self, paths))

    def notify_records_added(self) -> None:
        """Records came in: the list is looked up now, or again before long."""
        if self._refresh_timer.isActive():
            self._refresh_pending = True
        else:
            self._refresh_timer.start()
            self.session.background_updated.emit()

    def on_import_ended(self, one: ImportJob) -> None:
        """One came to its end, however."""
        if one in self.running:
            self.running.remove(one)
        self._refresh_pending = False

    def _refresh_if_pending(self) -> None:
        if self._refresh_pending:
            self._refresh_pending = False
            self.notify_records_added()


class ImportJob(QObject):
    """One opening. ``progressed`` (percent, words) and ``ended`` (words, detail, whether it was stopped) are for who
    shows it.
    """

    progressed = pyqtSignal(float, str)
    ended = pyqtSignal(str, str, bool)

    def __init__(self, imports: ImportJobs, paths: Sequence[str]) -> None:
        super().__init__(imports)
        self._imports, self._session = imports, imports.session
        self.paths = tuple(paths)
        self.is_large = self._reported = False
        self._reported_count = 0
        self.job, self.result = record_import.start(paths, self._session.library, self._on_done, self._on_failed, self)
        self.job.progressed.connect(self._on_progress)
        self.job.ended.connect(self._on_job_ended)
        self._session.show_job(self.job, tr("Reading %n file(s) or folder(s)…", n=len(paths)), True)

    @property
    def name(self) -> str:
        """What is opened, in a word or two."""
        first = os.path.basename(os.path.abspath(self.paths[0])) or self.paths[0]
        more = len(self.paths) - 1
        return tr("{name} and %n more", name=first, n=more) if more else first

    def cancel(self) -> None:
        """Stop reading; what was acknowledged stays."""
        self.job.cancel()

    def restart(self) -> None:
        """Read the same once more: what is there already is known by its bytes."""
        self._imports.open(self.paths)

    def _on_progress(self, percent: float, words: str) -> None:
        self._announce_if_large()
        self.progressed.emit(percent, words)
        if self.result.saved > self._reported_count:
            self._reported_count = self.result.saved
            self._imports.notify_records_added()

    def _announce_if_large(self) -> None:
        if self.result.is_large and not self.is_large:
            self.is_large = True
            self._imports.large_import_started.emit(self)

    def _on_done(self, found: record_import.ImportResult) -> None:
        self._announce_if_large()
        self._reported = True
        if self.is_large:
            self._emit_ended(summary_text(found), False)
        elif found.problem is not None:
            self._session.failed.emit(found.problem)
            return
        if found.records:
            self._session.show_saved_records(found.records)
        elif found.saved:
            self._session.invalidate_records()
            self._session.report_library_notices()
        if not self.is_large:
            self._report(found)
        if found.collections:
            self._session.collections_imported.emit(list(found.collections))

    def _report(self, found: record_import.ImportResult) -> None:
        if found.failure_count:
            self._session.warned.emit(opened_text(found.saved, found.failure_count), _failure_details(found))
        elif found.saved > 1 and not found.collections:
            self._session.notified.emit(opened_text(found.saved, 0))

    def _on_failed(self, error: CartoguideError) -> None:
        self._reported = True
        if self.is_large:
            self._emit_ended(tr("broken off: {reason} What came is kept.", reason=error.user_text), True, error.detail)
            self._session.invalidate_records()
        else:
            self._session.failed.emit(error)

    def _emit_ended(self, words: str, stopped: bool, detail: str = "") -> None:
        self.ended.emit(words, "\n\n".join(part for part in (detail, _failure_details(self.result)) if part), stopped)

    def _on_job_ended(self) -> None:
        """However it ended; what was stopped has told nothing yet."""
        if not self._reported:
            kept = self.result.saved
            words = tr("stopped. %n record(s) are kept.", n=kept) if kept else tr("stopped before a record was kept.")
            self._emit_ended(words, True)
            if kept:
                self._session.invalidate_records()
        self._imports.on_import_ended(self)


def opened_text(kept: int, failed: int) -> str:
    """What came of opening a few documents, in a message."""
    words = tr("%n record(s) read.", n=kept) if kept else tr("Nothing could be read.")
    return f"{words} {tr('%n document(s) could not be read.', n=failed)}" if failed else words


def summary_text(found: record_import.ImportResult) -> str:
    """What came of opening many, in one line."""
    parts = [tr("%n new", n=found.new), tr("%n changed", n=found.changed), tr("%n the same", n=found.same)]
    if found.failure_count:
        parts.append(tr("%n failed", n=found.failure_count))
    return ", ".join(parts)


def _failure_details(found: record_import.ImportResult) -> str:
    """The place and reason of each document that failed."""
    listed = found.failures[:_MAX_REASONS]
    lines = [why if place in why else f"{place}\n{why}" for place, why in listed]
    rest = found.failure_count - len(listed)
    return "\n\n".join([*lines, *([tr("… and %n more", n=rest)] if rest > 0 else [])])
