"""Collections in the dock: named sets of records, chosen, filled, renamed, deleted, and written as a zip."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog, QMenu

from ...core.catalogues.result_merging import RemoteHit
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...gis.runtime import settings, tasks
from ..widgets.input_dialogs import open_name_dialog

if TYPE_CHECKING:
    from ...core.library.record_collections import RecordCollections
    from .dock_widget import CartoguideDock

#: members of a collection that is exported
_PROGRESS_INTERVAL = 50


class CollectionController(QObject):
    """Fills the menu "Collections" above the list, and does what it says; what takes something away can be undone."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._facets = dock.facets
        self._facets.collections.menu().aboutToShow.connect(self._fill_menu)
        self._session.collections_imported.connect(self._on_collections_imported)

    # -- menus

    def _fill_menu(self) -> None:
        menu = self._facets.collections.menu()
        menu.clear()
        known = self._session.collections()
        for name, count in known:
            action = menu.addAction(_menu_label(name, count))
            action.setCheckable(True)
            action.setChecked(name == self._facets.collection)
            action.triggered.connect(lambda on, name=name: self._facets.set_collection(name if on else ""))
        if not known:
            menu.addAction(tr("No collection yet")).setEnabled(False)
        menu.addSeparator()
        self.add_menu_entries(menu, known)
        menu.addAction(tr("New collection…"), lambda: self.ask_new(()))
        chosen = self._facets.collection
        if chosen:
            menu.addSeparator()
            words = chosen.replace("&", "&&")
            menu.addAction(tr("Rename “{name}”…", name=words), partial(self.ask_rename, chosen))
            menu.addAction(tr("Export “{name}” as a zip…", name=words), partial(self.ask_export, chosen))
            menu.addAction(tr("Delete “{name}”", name=words), partial(self.delete, chosen))

    def add_menu_entries(self, menu: QMenu, known: Optional[Sequence[Tuple[str, int]]] = None) -> None:
        """Add to ``menu`` what can be done with the selected records; ``known`` are the collections, where they were
        counted already: large ones take a moment.
        """
        # what a catalogue alone holds is to be kept first
        selected = [hit.identifier for hit in self._dock.list.selected_hits() if not isinstance(hit, RemoteHit)]
        below = menu.addMenu(tr("Add %n selected record(s) to", n=len(selected)))
        below.setEnabled(bool(selected))
        for name, count in self._session.collections() if known is None else known:
            below.addAction(_menu_label(name, count), partial(self.add, name, selected))
        below.addSeparator()
        below.addAction(tr("New collection…"), partial(self.ask_new, selected))
        chosen = self._facets.collection
        if chosen and selected:
            menu.addAction(tr("Take %n selected record(s) out of “{name}”", n=len(selected),
                              name=chosen.replace("&", "&&")), partial(self.remove, chosen, selected))

    # -- what is asked

    def ask_new(self, identifiers: Sequence[str]) -> None:
        """Ask for a name and make a collection of ``identifiers``."""
        self._ask_name(tr("New collection"), "", lambda name: self.add(name, identifiers))

    def ask_rename(self, name: str) -> None:
        """Ask for another name."""
        self._ask_name(tr("Rename the collection"), name, lambda new: self.rename(name, new))

    def ask_export(self, name: str) -> None:
        """Ask for a file and write the collection there."""
        start = str(Path(settings.get("last_folder")) / f"{safe_file_name(name)}.zip")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Export the collection"), start, tr("Zip") + " (*.zip)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.export(name, path if path.lower().endswith(".zip") else f"{path}.zip")

    def _ask_name(self, title: str, name: str, done: Callable[[str], None]) -> None:
        open_name_dialog(self._dock, title, name, done)

    # -- what is done

    def add(self, name: str, identifiers: Sequence[str]) -> None:
        """Put records behind those of a collection, which is made where there is none."""
        def work(sets: RecordCollections) -> Tuple[bool, List[str], int]:
            there = name in dict(sets.names())
            before = sets.members(name)
            return there, before, sets.add_members(name, list(identifiers))

        def done(result: Tuple[bool, List[str], int]) -> None:
            there, before, count = result
            if there and not count:
                self._dock.messages.notify(tr("“{name}” holds what was selected already.", name=name))
                return
            words = tr("%n record(s) added to “{name}”.", n=count, name=name) if count else \
                tr("The collection “{name}” is there; it is empty.", name=name)
            self._notify_with_undo(words, lambda: self._restore_members(name, before if there else None))

        self._session.change_collections(work, done)

    def remove(self, name: str, identifiers: Sequence[str]) -> None:
        """Take records out of a collection; they stay in the store."""
        def work(sets: RecordCollections) -> Tuple[List[str], int]:
            return sets.members(name), sets.remove_members(name, list(identifiers))

        def done(result: Tuple[List[str], int]) -> None:
            before, count = result
            self._notify_with_undo(tr("%n record(s) taken out of “{name}”.", n=count, name=name),
                                   lambda: self._restore_members(name, before))

        self._session.change_collections(work, done)

    def rename(self, name: str, new: str) -> None:
        """Give a collection another name."""
        if new == name:
            return

        def done(_: None) -> None:
            self._update_filter(name, new)
            self._dock.messages.notify(tr("“{name}” is called “{new}” now.", name=name, new=new), tr("Undo"),
                                       lambda: self._undo_rename(new, name))

        self._session.change_collections(lambda sets: sets.rename(name, new), done)

    def _undo_rename(self, name: str, old: str) -> None:
        """Undo ``rename``."""
        self._session.change_collections(lambda sets: sets.rename(name, old), lambda _: self._update_filter(name, old))

    def delete(self, name: str) -> None:
        """Forget a collection; its records stay in the store."""
        def work(sets: RecordCollections) -> List[str]:
            members = sets.members(name)
            sets.delete(name)
            return members

        def done(members: List[str]) -> None:
            self._update_filter(name, "")
            self._dock.messages.notify(
                tr("The collection “{name}” was deleted; its records are still there.", name=name), tr("Undo"),
                lambda: self._restore_members(name, members))

        self._session.change_collections(work, done)

    def export(self, name: str, path: str) -> None:
        """Write a collection to ``path`` in a task that can be cancelled."""
        def work(feedback: tasks.Feedback) -> int:
            from ...core.library.collection_file import export_collection

            def told(done: int, total: int) -> None:
                if done % _PROGRESS_INTERVAL == 0:
                    feedback.report(100.0 * done / total)
                feedback.raise_if_cancelled()

            return export_collection(self._session.library.store(), name, path, told)

        def done(missing: int) -> None:
            file = Path(path).name
            if missing:
                self._dock.messages.show_warning(
                    tr("Saved as {name}, without %n record(s) that the store does not hold.", n=missing, name=file))
            else:
                self._dock.messages.notify(tr("Saved as {name}.", name=file))

        tasks.start(tr("Exporting the collection"), work, done, self._session.failed.emit, self)

    # -- after it

    def _restore_members(self, name: str, members: Sequence[str] | None) -> None:
        """What a collection was before; None: it was not."""
        def work(sets: RecordCollections) -> None:
            if members is None:
                sets.delete(name)
            else:
                sets.save(name, members)

        def done(_: None) -> None:
            if members is None and self._facets.collection == name:
                self._facets.set_collection("")
            else:
                self._dock.run_search()

        self._session.change_collections(work, done)

    def _notify_with_undo(self, words: str, undo: Callable[[], None]) -> None:
        self._dock.messages.notify(words, tr("Undo"), undo)
        if self._facets.collection:
            self._dock.run_search()

    def _update_filter(self, name: str, new: str) -> None:
        """The collection that narrows is called ``new`` now."""
        if self._facets.collection == name:
            self._facets.set_collection(new)

    def _on_collections_imported(self, names: Sequence[str]) -> None:
        """Exported collections were opened: show the first."""
        known = dict(self._session.collections())
        self._dock.results.clear_filters()
        self._facets.set_collection(names[0])
        for name in names:
            self._dock.messages.notify(
                tr("The collection “{name}” is here: %n record(s).", n=known.get(name, 0), name=name))


def _menu_label(name: str, count: int) -> str:
    return f"{name}  {count:n}".replace("&", "&&")
