"""Collections: named sets of records that are filled, renamed, deleted and exported. Favourites are one of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Callable, List, Optional, Sequence, Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.library.query import SearchHit
from ...core.library.record_collections import FAVOURITES
from ...gis.runtime import tasks
from ..window import Notifier, Prompts
from .dock_session import DockSession

if TYPE_CHECKING:
    from ...core.library.record_collections import RecordCollections


#: exported records between two progress reports
_PROGRESS_INTERVAL = 50


class CollectionController(QObject):
    """Changes collections in tasks. Everything that removes something can be undone from its message."""

    #: old name, new name
    renamed = pyqtSignal(str, str)
    deleted = pyqtSignal(str)
    members_changed = pyqtSignal(str)
    #: an undo put a collection back, or removed one (False) that did not exist before
    restored = pyqtSignal(str, bool)

    def __init__(self, session: DockSession, notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._notifier, self._prompts = session, notifier, prompts

    # -- prompts

    def ask_new(self, identifiers: Sequence[str]) -> None:
        """Ask for a name and create a collection of ``identifiers``."""
        self._prompts.ask_name(tr("New collection"), "", lambda name: self.add(name, identifiers))

    def ask_rename(self, name: str) -> None:
        self._prompts.ask_name(tr("Rename the collection"), name, lambda new: self.rename(name, new))

    def ask_export(self, name: str) -> None:
        path = self._prompts.save_file(tr("Export the collection"), f"{safe_file_name(name)}.zip",
                                       tr("Zip") + " (*.zip)")
        if path is not None:
            self.export(name, str(path) if path.name.lower().endswith(".zip") else f"{path}.zip")

    # -- changes

    def add(self, name: str, identifiers: Sequence[str]) -> None:
        """Append records to the collection ``name``, which is created if it does not exist."""
        def work(collections: RecordCollections) -> Tuple[bool, List[str], int]:
            exists = name in dict(collections.names())
            before = collections.members(name)
            return exists, before, collections.add_members(name, list(identifiers))

        def done(result: Tuple[bool, List[str], int]) -> None:
            exists, before, count = result
            if exists and not count:
                self._notifier.notify(tr("“{name}” contains the selected records already.", name=name))
                return
            text = tr("%n record(s) added to “{name}”.", n=count, name=name) if count else \
                tr("Collection “{name}” created (empty).", name=name)
            self._notify_members_changed(name, text, before if exists else None)

        self._session.change_collections(work, done)

    def remove(self, name: str, identifiers: Sequence[str]) -> None:
        """Remove records from the collection ``name``. They stay in the library."""
        def work(collections: RecordCollections) -> Tuple[List[str], int]:
            return collections.members(name), collections.remove_members(name, list(identifiers))

        def done(result: Tuple[List[str], int]) -> None:
            before, count = result
            self._notify_members_changed(name, tr("%n record(s) removed from “{name}”.", n=count, name=name), before)

        self._session.change_collections(work, done)

    def rename(self, name: str, new: str) -> None:
        if new == name:
            return

        def done(_: None) -> None:
            self.renamed.emit(name, new)
            self._notifier.notify(tr("“{name}” renamed to “{new}”.", name=name, new=new), tr("Undo"),
                                  lambda: self._undo_rename(new, name))

        self._session.change_collections(lambda collections: collections.rename(name, new), done)

    def _undo_rename(self, name: str, old: str) -> None:
        self._session.change_collections(lambda collections: collections.rename(name, old),
                                         lambda _: self.renamed.emit(name, old))

    def delete(self, name: str) -> None:
        """Delete the collection ``name``. Its records stay in the library."""
        def work(collections: RecordCollections) -> List[str]:
            members = collections.members(name)
            collections.delete(name)
            return members

        def done(members: List[str]) -> None:
            self.deleted.emit(name)
            self._notifier.notify(
                tr("Collection “{name}” deleted. Its records remain in the library.", name=name), tr("Undo"),
                lambda: self._restore(name, members))

        self._session.change_collections(work, done)

    def export(self, name: str, path: str) -> None:
        """Write the collection ``name`` as a zip file to ``path``, in a task that can be cancelled."""
        def work(feedback: tasks.Feedback) -> int:
            from ...core.library.collection_file import export_collection

            def report(done: int, total: int) -> None:
                if done % _PROGRESS_INTERVAL == 0:
                    feedback.report(100.0 * done / total)
                feedback.raise_if_cancelled()

            return export_collection(self._session.library.store(), name, path, report)

        def done(missing: int) -> None:
            file = Path(path).name
            if missing:
                self._notifier.show_warning(
                    tr("Saved as {name}, without %n record(s) that are not in the library.", n=missing, name=file))
            else:
                self._notifier.notify(tr("Saved as {name}.", name=file))

        tasks.start(tr("Exporting the collection"), work, done, self._session.failed.emit, self, asks_to_close=True)

    # -- undo

    def _notify_members_changed(self, name: str, text: str, before: Optional[Sequence[str]]) -> None:
        """Show ``text`` with an undo that restores the members ``before`` (None: the collection did not exist)."""
        self._notifier.notify(text, tr("Undo"), lambda: self._restore(name, before))
        self.members_changed.emit(name)

    def _restore(self, name: str, members: Optional[Sequence[str]]) -> None:
        def work(collections: RecordCollections) -> None:
            if members is None:
                collections.delete(name)
            else:
                collections.save(name, members)

        done: Callable[[None], None] = lambda _: self.restored.emit(name, members is not None)  # noqa: E731
        self._session.change_collections(work, done)


_RECENT_KEY = "cartoguide/dock/recent_records"
_MAX_RECENT = 12
_MAX_IDENTIFIER_LENGTH = 500


class RecordMarks(QObject):
    """``changed`` is emitted when the favourites are others than before."""

    changed = pyqtSignal()

    def __init__(self, session: DockSession, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session = session

    def is_favourite(self, identifier: str) -> bool:
        """Return True if a record is a favourite."""
        return identifier in self._favourites()

    def is_saved(self, identifier: str) -> bool:
        """Return True if a record is in the library. Others cannot be favourites."""
        return bool(self._saved([identifier]))

    def favourite_count(self) -> int:
        return len(self._saved(self._favourites()))

    def set_favourite(self, identifier: str, on: bool) -> None:
        self._session.change_collections(
            lambda collections: collections.add_members(FAVOURITES, [identifier]) if on
            else collections.remove_members(FAVOURITES, [identifier]), lambda _count: self.changed.emit())

    def remember(self, identifier: str) -> None:
        """Note that a record was opened."""
        if identifier:
            names = [identifier[:_MAX_IDENTIFIER_LENGTH], *(name for name in _recent() if name != identifier)]
            QgsSettings().setValue(_RECENT_KEY, json.dumps(names[:_MAX_RECENT]))

    def recent(self) -> List[SearchHit]:
        """Return the records that were opened last, the last one first. Those that were removed are left out."""
        names = _recent()
        hits = {hit.identifier: hit for hit in self._saved(names)}
        return [hits[name] for name in names if name in hits]

    def _saved(self, identifiers: Sequence[str]) -> List[SearchHit]:
        found = self._session.read_library(lambda store: store.find_by_identifiers(identifiers) if identifiers else [])
        return found or []

    def _favourites(self) -> List[str]:
        return self._session.read_library(lambda store: store.collections.members(FAVOURITES)) or []


def _recent() -> List[str]:
    """Return the identifiers in the settings, where anything may stand."""
    names = stored_list(QgsSettings().value(_RECENT_KEY))
    return [name for name in names if isinstance(name, str)][:_MAX_RECENT]
