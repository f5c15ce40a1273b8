"""What browser, locator, data source manager and layer menu do with records: in the dock, or beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Tuple, TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.from_service import record_from_service
from ..core.records.links import endpoint as endpoint_of
from ..core.records.model import Record
from ..core.terms import DEFAULT_PATTERN, resolve
from ..core.terms.model import Terms
from ..gis import services, settings, tasks
from ..ui.messages import Messages, Note

if TYPE_CHECKING:
    from ..core.store.collections import Collections
    from ..core.wms.model import Service
    from ..gis.kept_records import KeptRecords
    from ..gis.removal import Removed
    from ..main import CartoguidePlugin
    from ..ui.dock import CartoguideDock

T = TypeVar("T")

#: a record with its terms, as far as its service was heard
Sheet = Tuple[Record, Terms]


class Desk(QObject):
    """``changed``: records or collections are others now. Nothing is asked of the network but by ``ask_service`` and
    by adding to the map.
    """

    changed = pyqtSignal()

    def __init__(self, plugin: CartoguidePlugin, records: KeptRecords) -> None:
        super().__init__()
        self._plugin = plugin
        self.records = records
        self._note: Optional[Note] = None
        self._messages: Optional[Messages] = None

    @property
    def messages(self) -> Messages:
        """Where is told what happened: by the dock's own messages where there is a dock."""
        if self._plugin.dock is not None:
            return self._plugin.dock.messages
        if self._messages is None:
            self._note = Note()
            self._messages = Messages(self._plugin.iface.messageBar(), self._note)
        return self._messages

    def close(self) -> None:
        """Take away what was told."""
        if self._messages is not None and self._note is not None:
            self._messages.clear()
            self._note.deleteLater()
            self._messages = self._note = None

    # -- in the dock

    def in_dock(self, work: Callable[[CartoguideDock], object]) -> None:
        """Show the dock and do ``work`` with it, as soon as its records are there."""
        known = self._plugin.dock
        dock = self._plugin.show_dock()
        session = dock.session
        if dock is known and session.shelf.ready is not None:
            work(dock)
            return

        def there() -> None:
            session.records_changed.disconnect(there)
            work(dock)

        session.records_changed.connect(there)

    def show(self, identifier: str, tab: str = "") -> None:
        """Show a record in the dock, on the tab that is open or the one called ``tab``, such as "terms"."""
        def work(dock: CartoguideDock) -> None:
            dock.choose(identifier)
            if tab:
                dock.view.tabs.setCurrentWidget(getattr(dock.view, tab))

        self.in_dock(work)

    def add(self, identifier: str, how: str = "add") -> None:
        """Add a record's service to the map: "add", "choose" its layers first, as "base", as "overlay"."""
        self.in_dock(lambda dock: dock.record_actions.add_kept(identifier, how))

    def add_layers(self, endpoint: str, names: Sequence[str], identifier: str = "") -> None:
        """Add some layers of a service to the map, beside those that it has of it."""
        self.in_dock(lambda dock: dock.record_actions.add_some(endpoint, names, identifier))

    def drop(self, text: str) -> None:
        """What was dragged out of the browser or the dock was dropped on QGIS's map or layer tree."""
        self.in_dock(lambda dock: dock.record_actions.add_dropped(text))

    # -- beside it

    def run(self, words: str, work: Callable[[], T], done: Callable[[T], None],
            owner: Optional[QObject] = None) -> tasks.Job:
        """Do ``work`` in a task, then ``done`` with what it gave; what goes wrong is told."""
        return tasks.start(words, lambda _feedback: work(), done, self._failed, owner or self, quiet=True)

    def _failed(self, error: CartoguideError) -> None:
        self.messages.error(error)

    def sheet(self, identifier: str, done: Callable[[Optional[Sheet]], None],
              owner: Optional[QObject] = None) -> None:
        """Later ``done`` with a record and its terms; None where it is not there any more."""
        self.run(tr("Reading the record"), lambda: self._sheet(identifier), done, owner)

    def _sheet(self, identifier: str) -> Optional[Sheet]:
        record = self.records.record(identifier)
        if record is None:
            return None
        endpoint = endpoint_of(record)
        service = self.records.service(endpoint) if endpoint else None
        return record, self._terms(record, service)

    @staticmethod
    def _terms(record: Record, service: Optional[Service]) -> Terms:
        return resolve(record, service, settings.get("credit_pattern") or DEFAULT_PATTERN)

    def copy_credit(self, identifier: str) -> None:
        """Put a record's credit line on the clipboard."""
        self.sheet(identifier, lambda sheet: self.copied(sheet[1].credit if sheet is not None else ""))

    def copy_credit_of(self, endpoint: str) -> None:
        """The same of the service at ``endpoint``: by its record, else by what it says of itself."""
        def find() -> str:
            for identifier in self.records.of_service(endpoint):
                sheet = self._sheet(identifier)
                if sheet is not None:
                    return sheet[1].credit
            service = self.records.service(endpoint)
            return self._terms(record_from_service(service, endpoint), service).credit if service is not None else ""

        self.run(tr("Reading the record"), find, self.copied)

    def copied(self, credit: str) -> None:
        """Put ``credit`` on the clipboard and say so; an empty one is told too."""
        if credit:
            QGuiApplication.clipboard().setText(credit)
            self.messages.news(tr("Copied: “{credit}”", credit=credit))
        else:
            self.messages.warning(tr("No credit is known of this service. Its terms name nobody."))

    def ask_service(self, endpoint: str, done: Callable[[], None], owner: Optional[QObject] = None) -> None:
        """Ask a service for its capabilities, which are kept; then ``done``."""
        shared = services.shared()
        if self._plugin.dock is None:
            shared.keep_in(lambda: self.records.store().keeping)
        shared.load(endpoint, lambda _service: done(), self._failed, owner or self)

    # -- what is kept

    def remove(self, identifiers: Sequence[str]) -> None:
        """Take records out of the store; that can be undone."""
        from ..gis.removal import put_back, take_out

        def done(removed: Removed) -> None:
            if not removed.count:
                self.messages.warning(tr("What comes with the network’s profile stays. Choose another network in the "
                                         "settings if you do not need it."))
                return
            self.tell_changed()
            self.messages.news(tr("%n record(s) removed.", n=removed.count), tr("Undo"), lambda: self.run(
                tr("Keeping the records"), lambda: put_back(self.records.store(), removed), self.tell_changed))

        self.run(tr("Removing records"), lambda: take_out(self.records.store(), identifiers), done)

    def change_collection(self, name: str, work: Callable[[Collections], T], said: Callable[[T], str]) -> None:
        """Do ``work`` with the collections, tell ``said`` of what it gave, and offer to undo it for ``name``."""
        def run() -> Tuple[Optional[List[str]], T]:
            store = self.records.store()

            def both(sets: Collections) -> Tuple[Optional[List[str]], T]:
                before = sets.members(name) if name in dict(sets.names()) else None
                return before, work(sets)

            return store.change_collections(both)

        def done(result: Tuple[Optional[List[str]], T]) -> None:
            self.tell_changed()
            self.messages.news(said(result[1]), tr("Undo"), lambda: self._put_back(name, result[0]))

        self.run(tr("Keeping the collection"), run, done)

    def _put_back(self, name: str, members: Optional[List[str]]) -> None:
        def work(sets: Collections) -> None:
            if members is None:
                sets.drop(name)
            else:
                sets.put(name, members)

        self.run(tr("Keeping the collection"), lambda: self.records.store().change_collections(work), self.tell_changed)

    def tell_changed(self, _: Any = None) -> None:
        """The dock reads its list again, which tells the browser too."""
        dock = self._plugin.dock
        if dock is not None:
            dock.session.forget_read()
        self.changed.emit()
