"""What the dock does with records: open, refresh, save, ask the service, add to the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QFileDialog

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.from_service import record_from_service
from ..core.records.model import Record
from ..gis import settings
from ..gis.snapshot_share import is_package
from .add_dialog import AddDialog
from .address_dialog import AddressDialog
from .files import safe_name, write_whole
from .layer_choice import Choice
from .map_drop import dropped_layers
from .messages import DetailsDialog
from .operation_actions import OperationActions
from .overview_tab import picture_addresses
from .record_view import ADD, AS_BASE, CHOOSE
from .series_actions import SeriesActions
from .words import title_of

if TYPE_CHECKING:
    from .dock import CartoguideDock
    from .health_panel import HealthPanel

#: "Add to map" takes a whole service up to this size; beyond, the layers are to be chosen
_WHOLE_SERVICE = 40


class RecordActions(QObject):
    """Connects the record's widgets with the session and the map."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._wanted: list[tuple[str, Record]] = []
        self._health: Optional[HealthPanel] = None
        view = dock.view
        view.service.load_asked.connect(self._load)
        view.service.cancel_asked.connect(self._cancel_load)
        view.service.details_asked.connect(self._load_details)
        self._operations = OperationActions(dock)
        view.service.layers.add_asked.connect(self.add_layers)
        view.overview.refresh_asked.connect(lambda: self.refresh(view.record))
        view.add_bar.asked.connect(self.add)
        view.add_bar.cancel_asked.connect(self._cancel_add)
        self.series = SeriesActions(dock)
        view.checks.health_asked.connect(lambda: self.open_health(True))
        self._session.service_changed.connect(self._service_changed)
        self._session.opened.connect(self._opened)

    # -- opening

    def open_files(self) -> None:
        """Ask for files and open them."""
        paths, _ = QFileDialog.getOpenFileNames(
            self._dock, tr("Open records"), settings.get("last_folder"),
            tr("Records") + " (*.xml *.json *.geojson *.zip *.mef);;" + tr("All files") + " (*)")
        if paths:
            settings.set("last_folder", str(Path(paths[0]).parent))
            self.open_dropped(paths, ())

    def open_folder(self) -> None:
        """Ask for a folder and open what it holds."""
        path = QFileDialog.getExistingDirectory(self._dock, tr("Open a folder of records"), settings.get("last_folder"))
        if path:
            settings.set("last_folder", path)
            self._session.open_paths([path])

    def open_address(self) -> None:
        """Ask for an address and open it."""
        dialog = AddressDialog(self._dock)
        dialog.chosen.connect(self._session.open_text)
        dialog.show()

    def open_dropped(self, paths: Sequence[str], addresses: Sequence[str]) -> None:
        """Open what was dropped on the dock."""
        usable = [address for address in addresses if address.lower().startswith(("http://", "https://"))]
        maps = [path for path in paths if path.lower().endswith(".custommap.json")]
        packages = [path for path in paths if is_package(path)]
        records = [path for path in paths if path not in maps and path not in packages]
        if records:
            self._session.open_paths(records)
        if maps:
            self._dock.composer_actions.open_from(Path(maps[0]))
        if packages:
            self._dock.composer_actions.offline.open_package(Path(packages[0]))
        if usable:
            self._session.open_text("\n".join(usable))
        if not paths and not usable:
            self._dock.messages.error(CartoguideError(
                tr("What was dropped is neither a file nor a web address. "
                   "Drop records as files, or their http(s) address."),
                "\n".join(addresses)))

    def paste(self) -> None:
        """Open what the clipboard holds: copied files, the XML of records, an address or several."""
        data = QGuiApplication.clipboard().mimeData()
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if paths:
            self.open_dropped(paths, ())
        else:
            self._session.open_text(data.text())

    def refresh(self, record: Optional[Record] = None) -> None:
        """Ask the catalogue for ``record``; without one for all starter records, else for the chosen one."""
        records = [record] if record else self._session.starters()
        if not records and self._dock.view.record is not None:
            records = [self._dock.view.record]
        if records:
            self._session.refresh(records)

    def open_settings(self) -> None:
        """Show the settings."""
        from .settings_dialog import SettingsDialog

        dialog = SettingsDialog(self._dock, self._session.shelf)
        dialog.form.changed.connect(self._session.settings_changed)
        dialog.form.told.connect(self._dock.messages.news)
        if hasattr(self._dock.iface, "mapCanvas"):
            # its credits are switched on and off here
            dialog.form.changed.connect(lambda _names: self._dock.iface.mapCanvas().refresh())
        dialog.show()

    def open_health(self, check_chosen: bool = False) -> None:
        """Show how services stand; with ``check_chosen`` the chosen record's is checked now."""
        from ..gis.health import Target
        from .health_panel import HealthPanel

        if self._health is None:
            self._health = HealthPanel(self._session.shelf, self._dock)
        self._health.show()
        self._health.raise_()
        record, endpoint = self._dock.view.record, self._endpoint()
        if check_chosen and record is not None and endpoint:
            self._health.check(Target(endpoint, title_of(record), record.id or ""))

    def save_xml(self, data: bytes) -> None:
        """Ask where the record's document is to be saved, and save it byte for byte."""
        record = self._dock.view.record
        start = str(Path(settings.get("last_folder")) / f"{safe_name(title_of(record) if record else '')}.xml")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Save the record’s document"), start, "XML (*.xml)")
        if not path:
            return
        try:
            write_whole(Path(path), data)
        except CartoguideError as error:
            self._dock.messages.error(error)
            return
        self._dock.messages.news(tr("Saved as {name}.", name=Path(path).name))

    def _opened(self, identifiers: Sequence[str]) -> None:
        if identifiers:
            self._dock.choose(identifiers[0])

    # -- the service

    def record_shown(self, record: Record) -> None:
        """A record was chosen: show how its service stands, and its pictures that are there."""
        for url in picture_addresses(record):
            picture = self._session.picture(url)
            if picture is not None:
                self._dock.view.show_thumbnail(url, picture)
        endpoint = self._session.endpoint(record)
        if endpoint and self._session.state(endpoint).name != "unknown" and not self._dock.view.service.isVisible():
            self._service_changed(endpoint)
        self._dock.view.add_bar.allow("" if endpoint else tr("This record names no map service (WMS)."))
        self.series.look()

    def _endpoint(self) -> Optional[str]:
        record = self._dock.view.record
        return self._session.endpoint(record) if record else None

    def _load(self, again: bool) -> None:
        endpoint = self._endpoint()
        if endpoint:
            self._session.load_service(endpoint, again)

    def _cancel_load(self) -> None:
        endpoint = self._endpoint()
        if endpoint:
            self._session.cancel_service(endpoint)
            self._dock.view.service.show_stopped()

    def _load_details(self) -> None:
        endpoint = self._endpoint()
        error = self._session.state(endpoint).error if endpoint else None
        if error is not None:
            DetailsDialog(error.user_text, error.detail, self._dock).show()

    def _service_changed(self, endpoint: str) -> None:
        state = self._session.state(endpoint)
        if endpoint == self._endpoint():
            view = self._dock.view.service
            if state.name == "loading":
                view.show_loading()
            elif state.name == "failed" and state.error is not None:
                view.show_failed(state.error)
            elif state.service is not None:
                view.show_service(state.service, state.at, state.error is not None)
        self._heard(endpoint)

    # -- adding

    def add(self, how: str) -> None:
        """Add the chosen record's service."""
        record, endpoint = self._dock.view.record, self._endpoint()
        if record is not None and endpoint:
            self._dock.catalogue_search.keep_for_map(record.id or "")
            self.add_record(record, endpoint, how)

    def add_record(self, record: Record, endpoint: str, how: str = ADD) -> None:
        """Add a record's service: its capabilities are read first where they are not known."""
        if self._session.services.get(endpoint) is None:
            self._wanted.append((how, record))
            self.show_busy()
            self._session.load_service(endpoint, self._session.state(endpoint).name == "failed")
        else:
            self._go_on(how, record, endpoint)

    def add_layers(self, names: Sequence[str]) -> None:
        """Add some layers of the chosen record's service, beside those that the map has of it."""
        record, endpoint = self._dock.view.record, self._endpoint()
        if record is not None and endpoint:
            self._join(record, endpoint, names)

    def add_some(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """The same of any service, which is asked first where it is not known; ``record_id`` is that of its record."""
        record = self._session.record(record_id) if record_id else self._session.record_of(endpoint)
        self._session.services.load(
            endpoint, lambda service: self._join(record or record_from_service(service, endpoint), endpoint, names),
            self._dock.messages.error, self)

    def _join(self, record: Record, endpoint: str, names: Sequence[str]) -> None:
        if not self._dock.composer_actions.map.join(record, endpoint, Choice(tuple(names), ("",) * len(names))):
            self._dock.messages.news(tr("The map has %n layer(s) of these already.", n=len(names)))

    def add_kept(self, record_id: str, how: str = ADD) -> None:
        """Add the service of a record that is kept, wherever in the list it is; the record is shown."""
        record = self._session.record(record_id)
        endpoint = self._session.endpoint(record) if record is not None else None
        self._dock.choose(record_id)
        if record is not None and endpoint:
            self.add_record(record, endpoint, how)
        else:
            self._dock.messages.error(CartoguideError(tr("This record names no map service (WMS).")))

    def add_dropped(self, text: str) -> None:
        """Add the record, or the layers of a service, that were dropped on QGIS's map."""
        layers = dropped_layers(text)
        if layers is not None:
            self.add_some(layers.endpoint, layers.names)
        elif not self._dock.catalogue_search.add_to_map(text):
            self.add_kept(text)

    def show_busy(self) -> None:
        """Show whether anything that was asked for is still to come."""
        adding = self._dock.composer_actions.map.adding or self.series.adding
        self._dock.view.add_bar.show_busy(bool(self._wanted) or adding)

    def _cancel_add(self) -> None:
        wanted, self._wanted = self._wanted, []
        for _, record in wanted:
            endpoint = self._session.endpoint(record)
            if endpoint:
                self._session.cancel_service(endpoint)
        self._dock.composer_actions.map.cancel()
        self.series.cancel()
        self.show_busy()

    def _heard(self, endpoint: str) -> None:
        """A service answered or failed: go on with what waited for it."""
        state = self._session.state(endpoint)
        if state.name == "loading":
            return
        here = [want for want in self._wanted if self._session.endpoint(want[1]) == endpoint]
        self._wanted = [want for want in self._wanted if want not in here]
        known = self._session.services.get(endpoint) is not None
        for how, record in here:
            if known:
                self._go_on(how, record, endpoint)
        if here and not known and state.error is not None:
            self._dock.messages.error(state.error)
        self.show_busy()

    def _go_on(self, how: str, record: Record, endpoint: str) -> None:
        """The service is known: add it, or let its layers be chosen."""
        service = self._session.services.get(endpoint)
        if service is None:
            return
        names = [layer.name for layer in service.layers() if layer.name and not layer.layers]
        role = "base" if how == AS_BASE else "overlay"
        if how == CHOOSE or (how == ADD and len(names) > _WHOLE_SERVICE):
            self._choose(record, endpoint, role)
        elif not names:
            self._dock.messages.error(CartoguideError(
                tr("“{title}” offers no layer that can be asked for.", title=title_of(record)), endpoint))
        else:
            self._add(record, endpoint, Choice(tuple(names), ("",) * len(names), None, None, role))

    def _choose(self, record: Record, endpoint: str, role: str) -> None:
        service = self._session.services.get(endpoint)
        if service is None:
            return
        maps = self._dock.composer_actions.map
        dialog = AddDialog(title_of(record), service, maps.crs(), role, maps.layers_of(endpoint), self._dock)
        dialog.chosen.connect(lambda choice: self._add(record, endpoint, choice))
        dialog.show()

    def _add(self, record: Record, endpoint: str, choice: Choice) -> None:
        self._dock.composer_actions.add(record, endpoint, choice)
