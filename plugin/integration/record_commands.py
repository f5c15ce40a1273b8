"""What browser, locator, data source manager and layer menu do with records: in the dock, or beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Tuple, TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.formats.from_service import record_from_service
from ..core.records.model.endpoints import wms_endpoint as endpoint_of
from ..core.records.model.record import Record
from ..core.terms import DEFAULT_PATTERN, resolve_terms
from ..core.terms.model import Terms
from ..gis.runtime import settings, tasks
from ..gis.services import service_cache
from ..ui.widgets.messages import InlineMessage, Messages

if TYPE_CHECKING:
    from ..core.library.record_collections import RecordCollections
    from ..core.wms.model.service import Service
    from ..gis.library.library_reader import LibraryReader
    from ..gis.library.record_removal import RemovedRecords
    from ..main import CartoguidePlugin
    from ..ui.dock.dock_widget import CartoguideDock

T = TypeVar("T")

#: a record with its terms, as far as its service was heard
RecordWithTerms = Tuple[Record, Terms]


class RecordCommands(QObject):
    """``changed``: records or collections are others now. Nothing is asked of the network but by ``ask_service`` and
    by adding to the map.
    """

    changed = pyqtSignal()

    def __init__(self, plugin: CartoguidePlugin, records: LibraryReader) -> None:
        super().__init__()
        self._plugin = plugin
        self.records = records
        self._undo_note: Optional[InlineMessage] = None
        self._messages: Optional[Messages] = None

    @property
    def messages(self) -> Messages:
        """Where is told what happened: by the dock's own messages where there is a dock."""
        if self._plugin.dock is not None:
            return self._plugin.dock.messages
        if self._messages is None:
            self._undo_note = InlineMessage()
            self._messages = Messages(self._plugin.iface.messageBar(), self._undo_note)
        return self._messages

    def close(self) -> None:
        """Take away what was told."""
        if self._messages is not None and self._undo_note is not None:
            self._messages.clear()
            self._undo_note.deleteLater()
            self._messages = self._undo_note = None

    # -- in the dock

    def run_in_dock(self, work: Callable[[CartoguideDock], object]) -> None:
        """Show the dock and do ``work`` with it, as soon as its records are there."""
        known = self._plugin.dock
        dock = self._plugin.show_dock()
        session = dock.session
        if dock is known and session.library.store_if_open is not None:
            work(dock)
            return

        def there() -> None:
            session.records_changed.disconnect(there)
            work(dock)

        session.records_changed.connect(there)

    def show_record(self, identifier: str, tab: str = "") -> None:
        """Show a record in the dock, on the tab that is open or the one called ``tab``, such as "terms"."""
        def work(dock: CartoguideDock) -> None:
            dock.select_record(identifier)
            if tab:
                dock.view.tabs.setCurrentWidget(getattr(dock.view, tab))

        self.run_in_dock(work)

    def add_to_map(self, identifier: str, how: str = "add") -> None:
        """Add a record's service to the map: "add", "choose" its layers first, as "base", as "overlay"."""
        self.run_in_dock(lambda dock: dock.record_controller.add_stored_record(identifier, how))

    def add_layers_to_map(self, endpoint: str, names: Sequence[str], identifier: str = "") -> None:
        """Add some layers of a service to the map, beside those that it has of it."""
        self.run_in_dock(lambda dock: dock.record_controller.add_service_layers(endpoint, names, identifier))

    def add_dropped(self, text: str) -> None:
        """What was dragged out of the browser or the dock was dropped on QGIS's map or layer tree."""
        self.run_in_dock(lambda dock: dock.record_controller.add_dropped(text))

    # -- beside it

    def run_task(self, words: str, work: Callable[[], T], done: Callable[[T], None],
                 owner: Optional[QObject] = None) -> tasks.Job:
        """Do ``work`` in a task, then ``done`` with what it gave; what goes wrong is told."""
        return tasks.start(words, lambda _feedback: work(), done, self._show_error, owner or self, quiet=True)

    def _show_error(self, error: CartoguideError) -> None:
        self.messages.show_error(error)

    def load_record(self, identifier: str, done: Callable[[Optional[RecordWithTerms]], None],
                    owner: Optional[QObject] = None) -> None:
        """Later ``done`` with a record and its terms; None where it is not there any more."""
        self.run_task(tr("Reading the record"), lambda: self._read_record(identifier), done, owner)

    def _read_record(self, identifier: str) -> Optional[RecordWithTerms]:
        record = self.records.load_record(identifier)
        if record is None:
            return None
        endpoint = endpoint_of(record)
        service = self.records.known_service(endpoint) if endpoint else None
        return record, self._resolve_terms(record, service)

    @staticmethod
    def _resolve_terms(record: Record, service: Optional[Service]) -> Terms:
        return resolve_terms(record, service, settings.get("credit_pattern") or DEFAULT_PATTERN)

    def copy_credit(self, identifier: str) -> None:
        """Put a record's credit line on the clipboard."""
        self.load_record(identifier, lambda sheet: self.copy_to_clipboard(sheet[1].credit if sheet is not None else ""))

    def copy_service_credit(self, endpoint: str) -> None:
        """The same of the service at ``endpoint``: by its record, else by what it says of itself."""
        def find() -> str:
            for identifier in self.records.records_of_service(endpoint):
                sheet = self._read_record(identifier)
                if sheet is not None:
                    return sheet[1].credit
            service = self.records.known_service(endpoint)
            return self._resolve_terms(record_from_service(service, endpoint),
                                       service).credit if service is not None else ""

        self.run_task(tr("Reading the record"), find, self.copy_to_clipboard)

    def copy_to_clipboard(self, credit: str) -> None:
        """Put ``credit`` on the clipboard and say so; an empty one is told too."""
        if credit:
            QGuiApplication.clipboard().setText(credit)
            self.messages.notify(tr("Copied: “{credit}”", credit=credit))
        else:
            self.messages.show_warning(tr("No credit is known of this service. Its terms name nobody."))

    def fetch_service(self, endpoint: str, done: Callable[[], None], owner: Optional[QObject] = None) -> None:
        """Ask a service for its capabilities, which are kept; then ``done``."""
        shared = service_cache.shared()
        if self._plugin.dock is None:
            shared.save_to(lambda: self.records.store().blob_cache)
        shared.request(endpoint, lambda _service: done(), self._show_error, owner or self)

    # -- what is kept

    def remove_records(self, identifiers: Sequence[str]) -> None:
        """Take records out of the store; that can be undone."""
        from ..gis.library.record_removal import remove_records, restore_records

        def done(removed: RemovedRecords) -> None:
            if not removed.count:
                self.messages.show_warning(
                    tr("What comes with the network’s profile stays. Choose another network in the "
                       "settings if you do not need it."))
                return
            self.notify_changed()
            self.messages.notify(
                tr("%n record(s) removed.", n=removed.count),
                tr("Undo"), lambda: self.run_task(tr("Keeping the records"), lambda: restore_records(
                    self.records.store(), removed), self.notify_changed))

        self.run_task(tr("Removing records"), lambda: remove_records(self.records.store(), identifiers), done)

    def change_collection(self, name: str, work: Callable[[RecordCollections], T], message: Callable[[T], str]) -> None:
        """Do ``work`` with the collections, tell ``said`` of what it gave, and offer to undo it for ``name``."""
        def run() -> Tuple[Optional[List[str]], T]:
            store = self.records.store()

            def both(sets: RecordCollections) -> Tuple[Optional[List[str]], T]:
                before = sets.members(name) if name in dict(sets.names()) else None
                return before, work(sets)

            return store.update_collections(both)

        def done(result: Tuple[Optional[List[str]], T]) -> None:
            self.notify_changed()
            self.messages.notify(message(result[1]), tr("Undo"), lambda: self._restore_collection(name, result[0]))

        self.run_task(tr("Keeping the collection"), run, done)

    def _restore_collection(self, name: str, members: Optional[List[str]]) -> None:
        def work(sets: RecordCollections) -> None:
            if members is None:
                sets.delete(name)
            else:
                sets.save(name, members)

        self.run_task(tr("Keeping the collection"), lambda: self.records.store().update_collections(work),
                      self.notify_changed)

    def notify_changed(self, _: Any = None) -> None:
        """The dock reads its list again, which tells the browser too."""
        dock = self._plugin.dock
        if dock is not None:
            dock.session.invalidate_records()
        self.changed.emit()
