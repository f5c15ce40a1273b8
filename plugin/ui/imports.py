"""Files, folders and packages being opened, without a widget: what is told of them, and when the list looks again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, List, Sequence

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis import intake

if TYPE_CHECKING:
    from .record_session import RecordSession

#: the list is looked up again at most so often while records come in
_LOOK_MILLISECONDS = 2000
#: reasons that a detail holds; the others are counted
_MOST_TOLD = 1000


class Imports(QObject):
    """The openings that are under way. ``began`` tells of a large one, which shows its progress until it is closed; a
    small one is told in a message, where there is anything to tell.
    """

    began = pyqtSignal(object)

    def __init__(self, session: RecordSession) -> None:
        super().__init__(session)
        self.session = session
        self.running: List[Import] = []
        self._again = False
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.setInterval(_LOOK_MILLISECONDS)
        self._look.timeout.connect(self._look_again)

    def open(self, paths: Sequence[str]) -> None:
        """Open files and folders."""
        if paths:
            self.running.append(Import(self, paths))

    def came(self) -> None:
        """Records came in: the list is looked up now, or again before long."""
        if self._look.isActive():
            self._again = True
        else:
            self._look.start()
            self.session.records_came.emit()

    def ended(self, one: Import) -> None:
        """One came to its end, however."""
        if one in self.running:
            self.running.remove(one)
        self._again = False

    def _look_again(self) -> None:
        if self._again:
            self._again = False
            self.came()


class Import(QObject):
    """One opening. ``progressed`` (percent, words) and ``ended`` (words, detail, whether it was stopped) are for who
    shows it.
    """

    progressed = pyqtSignal(float, str)
    ended = pyqtSignal(str, str, bool)

    def __init__(self, imports: Imports, paths: Sequence[str]) -> None:
        super().__init__(imports)
        self._imports, self._session = imports, imports.session
        self.paths = tuple(paths)
        self.is_large = self._told = False
        self._seen = 0
        self.job, self.intake = intake.start(paths, self._session.shelf, self._done, self._failed, self)
        self.job.progressed.connect(self._progressed)
        self.job.ended.connect(self._job_ended)
        self._session.run(self.job, tr("Reading %n file(s) or folder(s)…", n=len(paths)), True)

    @property
    def name(self) -> str:
        """What is opened, in a word or two."""
        first = os.path.basename(os.path.abspath(self.paths[0])) or self.paths[0]
        more = len(self.paths) - 1
        return tr("{name} and %n more", name=first, n=more) if more else first

    def cancel(self) -> None:
        """Stop reading; what was acknowledged stays."""
        self.job.cancel()

    def again(self) -> None:
        """Read the same once more: what is there already is known by its bytes."""
        self._imports.open(self.paths)

    def _progressed(self, percent: float, words: str) -> None:
        self._grow()
        self.progressed.emit(percent, words)
        if self.intake.kept > self._seen:
            self._seen = self.intake.kept
            self._imports.came()

    def _grow(self) -> None:
        if self.intake.is_large and not self.is_large:
            self.is_large = True
            self._imports.began.emit(self)

    def _done(self, found: intake.Intake) -> None:
        self._grow()
        self._told = True
        if self.is_large:
            self._end(summary_words(found), False)
        elif found.problem is not None:
            self._session.failed.emit(found.problem)
            return
        if found.records:
            self._session.kept(found.records)
        elif found.kept:
            self._session.forget_read()
            self._session.tell_store()
        if not self.is_large:
            self._tell(found)
        if found.collections:
            self._session.collections_came.emit(list(found.collections))

    def _tell(self, found: intake.Intake) -> None:
        if found.failed:
            self._session.warned.emit(opened_words(found.kept, found.failed), _reasons(found))
        elif found.kept > 1 and not found.collections:
            self._session.told.emit(opened_words(found.kept, 0))

    def _failed(self, error: CartoguideError) -> None:
        self._told = True
        if self.is_large:
            self._end(tr("broken off: {reason} What came is kept.", reason=error.user_text), True, error.detail)
            self._session.forget_read()
        else:
            self._session.failed.emit(error)

    def _end(self, words: str, stopped: bool, detail: str = "") -> None:
        self.ended.emit(words, "\n\n".join(part for part in (detail, _reasons(self.intake)) if part), stopped)

    def _job_ended(self) -> None:
        """However it ended; what was stopped has told nothing yet."""
        if not self._told:
            kept = self.intake.kept
            words = tr("stopped. %n record(s) are kept.", n=kept) if kept else tr("stopped before a record was kept.")
            self._end(words, True)
            if kept:
                self._session.forget_read()
        self._imports.ended(self)


def opened_words(kept: int, failed: int) -> str:
    """What came of opening a few documents, in a message."""
    words = tr("%n record(s) read.", n=kept) if kept else tr("Nothing could be read.")
    return f"{words} {tr('%n document(s) could not be read.', n=failed)}" if failed else words


def summary_words(found: intake.Intake) -> str:
    """What came of opening many, in one line."""
    parts = [tr("%n new", n=found.new), tr("%n changed", n=found.changed), tr("%n the same", n=found.same)]
    if found.failed:
        parts.append(tr("%n failed", n=found.failed))
    return ", ".join(parts)


def _reasons(found: intake.Intake) -> str:
    """The place and reason of each document that failed."""
    listed = found.reasons[:_MOST_TOLD]
    lines = [why if place in why else f"{place}\n{why}" for place, why in listed]
    rest = found.failed - len(listed)
    return "\n\n".join([*lines, *([tr("… and %n more", n=rest)] if rest > 0 else [])])
