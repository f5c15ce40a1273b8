"""Commands on records for browser, locator, data source manager and layer menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Tuple, TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication

from ..app.maps.map_state import AddMode
from ..core.distributions.record_distributions import wms_address
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.terms.model import RecordWithTerms
from ..gis.runtime import tasks
from ..gis.runtime.terms import terms_for
from ..gis.services import service_cache
from ..ui.widgets.messages import InlineMessage, Messages
from .dock_commands import DockCommands, PluginHost

if TYPE_CHECKING:
    from ..core.library.record_collections import RecordCollections
    from ..core.library.record_store import RecordStore
    from ..gis.library.library_reader import LibraryReader
    from ..gis.library.record_library import RemovedRecords

T = TypeVar("T")


class RecordCommands(QObject):
    """Commands on records, run in the dock or in a task beside it.

    The signal ``changed`` is emitted after records or collections have changed. Only ``fetch_service`` and the
    commands that add something to the map use the network.
    """

    changed = pyqtSignal()

    def __init__(self, host: PluginHost, records: LibraryReader) -> None:
        super().__init__()
        self._host = host
        self.records = records
        self._inline_message: Optional[InlineMessage] = None
        self._messages: Optional[Messages] = None

    @property
    def dock(self) -> Optional[DockCommands]:
        """The dock, or None before it is created."""
        return self._host.dock

    @property
    def messages(self) -> Messages:
        """The messages of the dock, or those of QGIS's main window before the dock is created."""
        if self._host.dock is not None:
            return self._host.dock.messages
        if self._messages is None:
            self._inline_message = InlineMessage()
            self._messages = Messages(self._host.iface.messageBar(), self._inline_message)
        return self._messages

    def close(self) -> None:
        """Remove the messages that are shown."""
        if self._messages is not None and self._inline_message is not None:
            self._messages.clear()
            self._inline_message.deleteLater()
            self._messages = self._inline_message = None

    # -- in the dock

    def run_in_dock(self, command: Callable[[DockCommands], object]) -> None:
        """Show the dock and call ``command`` with it as soon as its records are loaded."""
        previous = self._host.dock
        dock = self._host.show_dock()
        if dock is previous and dock.library.store_if_open is not None:
            command(dock)
        else:
            dock.after_next_reload(lambda: command(dock))

    def show_dock(self) -> None:
        self.run_in_dock(lambda _dock: None)

    def show_credits(self) -> None:
        self._host.show_credits()

    def start_identify(self) -> None:
        """Switch the identify tool on, or off where it is on."""
        self._host.start_identify()

    def show_record(self, identifier: str) -> None:
        """Show a record in the dock, on the tab that is open."""
        self.run_in_dock(lambda dock: dock.select_record(identifier))

    def show_terms(self, identifier: str) -> None:
        def command(dock: DockCommands) -> None:
            dock.select_record(identifier)
            dock.show_terms_tab()

        self.run_in_dock(command)

    def add_to_map(self, identifier: str, mode: AddMode = AddMode.ADD) -> None:
        self.run_in_dock(lambda dock: dock.add_stored_record(identifier, mode))

    def add_layers_to_map(self, endpoint: str, names: Sequence[str], identifier: str = "") -> None:
        """Add layers of a service to the map, beside those of the service that it has already."""
        self.run_in_dock(lambda dock: dock.add_service_layers(endpoint, names, identifier))

    def add_dropped(self, text: str) -> None:
        """Add what was dragged from the browser or the dock to QGIS's map or layer tree."""
        self.run_in_dock(lambda dock: dock.add_dropped(text))

    # -- beside the dock

    def run_task(self, title: str, work: Callable[[], T], done: Callable[[T], None],
                 owner: Optional[QObject] = None) -> tasks.Job:
        """Run ``work`` in a task and call ``done`` with its result on the main thread, while ``owner`` exists.

        Errors are shown.
        """
        return tasks.start(title, lambda _feedback: work(), done, self._show_error, owner or self)

    def _show_error(self, error: CartoguideError) -> None:
        self.messages.show_error(error)

    def read_library(self, work: Callable[[RecordStore], T]) -> Optional[T]:
        """Return what ``work`` reads on the main thread, see ``RecordLibrary.read``. Errors are shown."""
        return self.records.read(work, self._show_error)

    def load_record(self, identifier: str, done: Callable[[Optional[RecordWithTerms]], None],
                    owner: Optional[QObject] = None) -> None:
        """Load a record and its terms in a task. ``done`` gets None where the library has no such record."""
        self.run_task(tr("Reading the record"), lambda: self._read_record(identifier), done, owner)

    def _read_record(self, identifier: str) -> Optional[RecordWithTerms]:
        record = self.records.load_record(identifier)
        if record is None:
            return None
        endpoint = wms_address(record)
        service = self.records.known_service(endpoint) if endpoint else None
        return record, terms_for(record, service)

    def copy_credit(self, identifier: str) -> None:
        """Copy a record's credit line to the clipboard."""
        self.load_record(
            identifier, lambda loaded: self.copy_to_clipboard(loaded[1].credit if loaded is not None else ""))

    def copy_service_credit(self, endpoint: str) -> None:
        """Copy the credit line of the service at ``endpoint``: its record's, else the one of its capabilities."""
        def find() -> str:
            for identifier in self.records.records_of_service(endpoint):
                loaded = self._read_record(identifier)
                if loaded is not None:
                    return loaded[1].credit
            service = self.records.known_service(endpoint)
            return terms_for(None, service).credit if service is not None else ""

        self.run_task(tr("Reading the record"), find, self.copy_to_clipboard)

    def copy_to_clipboard(self, credit: str) -> None:
        """Copy ``credit`` to the clipboard and show a message. An empty credit is a warning."""
        if credit:
            QGuiApplication.clipboard().setText(credit)
            self.messages.notify(tr("Copied: “{credit}”", credit=credit))
        else:
            self.messages.show_warning(tr("No credit of this service was found. Its terms name nobody."))

    def fetch_service(self, endpoint: str, done: Callable[[], None]) -> None:
        """Fetch and save the capabilities of a service, then call ``done``."""
        cache = service_cache.shared()
        if self._host.dock is None:
            cache.save_to(lambda: self.records.store().blob_cache)
        cache.request(endpoint, lambda _service: done(), self._show_error, self)

    # -- changes of the library

    def remove_records(self, identifiers: Sequence[str]) -> None:
        """Remove records from the library. The message offers to undo it."""
        from ..gis.library.record_library import remove_records, restore_records

        def done(removed: RemovedRecords) -> None:
            if not removed.count:
                self.messages.show_warning(
                    tr("Records bundled with the network profile cannot be removed. To hide them, choose another "
                       "network in the settings."))
                return
            self.notify_changed()
            self.messages.notify(tr("%n record(s) removed.", n=removed.count), tr("Undo"), lambda: undo(removed))

        def undo(removed: RemovedRecords) -> None:
            self.run_task(tr("Saving the records"), lambda: restore_records(self.records.store(), removed),
                          self.notify_changed)

        self.run_task(tr("Removing records"), lambda: remove_records(self.records.store(), identifiers), done)

    def change_collection(self, name: str, change: Callable[[RecordCollections], T],
                          message: Callable[[T], str]) -> None:
        """Change the collection ``name`` and show ``message`` of the change's result. The message offers to undo it."""
        def run() -> Tuple[Optional[List[str]], T]:
            def change_with_copy(collections: RecordCollections) -> Tuple[Optional[List[str]], T]:
                before = collections.members(name) if name in dict(collections.names()) else None
                return before, change(collections)

            return self.records.store().update_collections(change_with_copy)

        def done(result: Tuple[Optional[List[str]], T]) -> None:
            self.notify_changed()
            self.messages.notify(message(result[1]), tr("Undo"), lambda: self._restore_collection(name, result[0]))

        self.run_task(tr("Saving the collection"), run, done)

    def _restore_collection(self, name: str, members: Optional[List[str]]) -> None:
        def restore(collections: RecordCollections) -> None:
            if members is None:
                collections.delete(name)
            else:
                collections.save(name, members)

        self.run_task(tr("Saving the collection"), lambda: self.records.store().update_collections(restore),
                      self.notify_changed)

    def notify_changed(self, _: Any = None) -> None:
        """Let the dock and the other windows read the records again."""
        if self._host.dock is not None:
            self._host.dock.invalidate_records()
        self.changed.emit()
