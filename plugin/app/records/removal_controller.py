"""Records removed from the library, and restored by an undo."""

from __future__ import annotations

from typing import List, Optional, Sequence

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.i18n import tr
from ...gis.library.record_library import RemovedRecords, remove_records, restore_records
from ...gis.runtime import tasks
from ..window import Notifier
from .dock_session import DockSession

#: removals that can be undone
_MAX_UNDO = 20


class RemovalController(QObject):
    """Removes records in tasks. Each removal can be undone from its message and with ``undo``, the newest first."""

    removed = pyqtSignal()

    def __init__(self, session: DockSession, notifier: Notifier, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._notifier = session, notifier
        self._removals: List[RemovedRecords] = []
        session.library_closing.connect(self._removals.clear)

    def remove(self, identifiers: Sequence[str]) -> None:
        """Remove records. Those that are bundled with the network profile stay, and a message says so."""
        wanted, library = list(identifiers), self._session.library
        if wanted:
            tasks.start(tr("Removing records"), lambda _feedback: remove_records(library.store(), wanted),
                        lambda removed: self._on_removed(removed, len(wanted)), self._notifier.show_error, self)

    def undo(self) -> None:
        """Restore the records that were removed last."""
        if self._removals:
            self._restore(self._removals[-1])

    def _on_removed(self, removed: RemovedRecords, wanted: int) -> None:
        bundled = tr("Records bundled with the network profile cannot be removed. To hide them, choose another "
                     "network in the settings.")
        if not removed.count:
            self._notifier.show_warning(bundled)
            return
        self._removals = [*self._removals, removed][-_MAX_UNDO:]
        self._session.reload_records()
        self.removed.emit()
        text = tr("%n record(s) removed.", n=removed.count)
        self._notifier.notify(text if removed.count == wanted else f"{text} {bundled}", tr("Undo"),
                              lambda: self._restore(removed))

    def _restore(self, removed: RemovedRecords) -> None:
        if not any(one is removed for one in self._removals):
            return  # it was restored already
        self._removals = [one for one in self._removals if one is not removed]
        library = self._session.library

        def done(_result: None) -> None:
            self._session.reload_records()
            self._notifier.notify(tr("%n record(s) restored.", n=removed.count))

        tasks.start(tr("Saving the records"), lambda _feedback: restore_records(library.store(), removed), done,
                    self._notifier.show_error, self)
