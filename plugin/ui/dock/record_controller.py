"""What the dock does with records: open, refresh, save, ask the service, add to the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QFileDialog

from ...app.maps.layer_choice import LayerChoice
from ...app.phrases import record_title
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.records.formats.from_service import record_from_service
from ...core.records.model.record import Record
from ...gis.runtime import settings
from ...gis.snapshots.snapshot_packages import is_package
from ..record.overview_tab import overview_urls
from ..record.record_view import ADD, AS_BASE, CHOOSE
from ..service.add_layers_dialog import AddLayersDialog
from ..widgets.drag_and_drop import parse_dropped_layers
from ..widgets.input_dialogs import AddressDialog
from ..widgets.messages import DetailsDialog
from .operation_controller import OperationController
from .time_series_controller import TimeSeriesController

if TYPE_CHECKING:
    from ..health.service_health_dialog import ServiceHealthDialog
    from .dock_widget import CartoguideDock

#: "Add to map" takes a whole service up to this size; beyond, the layers are to be chosen
_MAX_LAYERS_ADDED_UNASKED = 40


class RecordController(QObject):
    """Connects the record's widgets with the session and the map."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._pending_additions: list[tuple[str, Record]] = []
        self._health_dialog: Optional[ServiceHealthDialog] = None
        view = dock.view
        view.service.load_requested.connect(self._load_service)
        view.service.cancel_requested.connect(self._cancel_service)
        view.service.details_requested.connect(self._show_service_error)
        self._operations = OperationController(dock)
        view.service.layers.add_requested.connect(self.add_layers)
        view.overview.refresh_requested.connect(lambda: self.refresh(view.record))
        view.add_bar.add_requested.connect(self.add_service)
        view.add_bar.cancel_requested.connect(self._cancel_add)
        self.time_series = TimeSeriesController(dock)
        view.checks.health_check_requested.connect(lambda: self.open_health(True))
        self._session.service_changed.connect(self._on_service_changed)
        self._session.records_opened.connect(self._on_records_opened)

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
            self._dock.composer_controller.open_file(Path(maps[0]))
        if packages:
            self._dock.composer_controller.offline.open_package(Path(packages[0]))
        if usable:
            self._session.open_text("\n".join(usable))
        if not paths and not usable:
            self._dock.messages.show_error(
                CartoguideError(
                    tr("What was dropped is neither a file nor a web address. "
                       "Drop records as files, or their http(s) address."), "\n".join(addresses)))

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
        records = [record] if record else self._session.starter_records()
        if not records and self._dock.view.record is not None:
            records = [self._dock.view.record]
        if records:
            self._session.refresh_from_catalogue(records)

    def open_settings(self) -> None:
        """Show the settings."""
        from ..settings.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self._dock, self._session.library)
        dialog.form.settings_saved.connect(self._session.apply_settings)
        dialog.form.notified.connect(self._dock.messages.notify)
        if hasattr(self._dock.iface, "mapCanvas"):
            # its credits are switched on and off here
            dialog.form.settings_saved.connect(lambda _names: self._dock.iface.mapCanvas().refresh())
        dialog.show()

    def open_health(self, check_selected: bool = False) -> None:
        """Show how services stand; with ``check_chosen`` the chosen record's is checked now."""
        from ...gis.checks.service_health import ServiceTarget
        from ..health.service_health_dialog import ServiceHealthDialog

        if self._health_dialog is None:
            self._health_dialog = ServiceHealthDialog(self._session.library, self._dock)
        self._health_dialog.show()
        self._health_dialog.raise_()
        record, endpoint = self._dock.view.record, self._selected_endpoint()
        if check_selected and record is not None and endpoint:
            self._health_dialog.check_service(ServiceTarget(endpoint, record_title(record), record.id or ""))

    def save_xml(self, data: bytes) -> None:
        """Ask where the record's document is to be saved, and save it byte for byte."""
        record = self._dock.view.record
        start = str(Path(settings.get("last_folder")) / f"{safe_file_name(record_title(record) if record else '')}.xml")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Save the record’s document"), start, "XML (*.xml)")
        if not path:
            return
        try:
            write_bytes_atomically(Path(path), data)
        except CartoguideError as error:
            self._dock.messages.show_error(error)
            return
        self._dock.messages.notify(tr("Saved as {name}.", name=Path(path).name))

    def _on_records_opened(self, identifiers: Sequence[str]) -> None:
        if identifiers:
            self._dock.select_record(identifiers[0])

    # -- the service

    def on_record_shown(self, record: Record) -> None:
        """A record was chosen: show how its service stands, and its pictures that are there."""
        for url in overview_urls(record):
            picture = self._session.image(url)
            if picture is not None:
                self._dock.view.show_thumbnail(url, picture)
        endpoint = self._session.endpoint(record)
        if endpoint and self._session.service_state(
                endpoint).status != "unknown" and not self._dock.view.service.isVisible():
            self._on_service_changed(endpoint)
        self._dock.view.add_bar.set_disabled_reason("" if endpoint else tr("This record names no map service (WMS)."))
        self.time_series.refresh()

    def _selected_endpoint(self) -> Optional[str]:
        record = self._dock.view.record
        return self._session.endpoint(record) if record else None

    def _load_service(self, again: bool) -> None:
        endpoint = self._selected_endpoint()
        if endpoint:
            self._session.load_service(endpoint, again)

    def _cancel_service(self) -> None:
        endpoint = self._selected_endpoint()
        if endpoint:
            self._session.cancel_service(endpoint)
            self._dock.view.service.show_cancelled()

    def _show_service_error(self) -> None:
        endpoint = self._selected_endpoint()
        error = self._session.service_state(endpoint).error if endpoint else None
        if error is not None:
            DetailsDialog(error.user_text, error.detail, self._dock).show()

    def _on_service_changed(self, endpoint: str) -> None:
        state = self._session.service_state(endpoint)
        if endpoint == self._selected_endpoint():
            view = self._dock.view.service
            if state.status == "loading":
                view.show_loading()
            elif state.status == "failed" and state.error is not None:
                view.show_error(state.error)
            elif state.service is not None:
                view.show_service(state.service, state.loaded_text, state.error is not None)
        self._add_pending(endpoint)

    # -- adding

    def add_service(self, how: str) -> None:
        """Add the chosen record's service."""
        record, endpoint = self._dock.view.record, self._selected_endpoint()
        if record is not None and endpoint:
            self._dock.remote_search.save_for_map(record.id or "")
            self.add_record(record, endpoint, how)

    def add_record(self, record: Record, endpoint: str, how: str = ADD) -> None:
        """Add a record's service: its capabilities are read first where they are not known."""
        if self._session.services.get(endpoint) is None:
            self._pending_additions.append((how, record))
            self.show_busy()
            self._session.load_service(endpoint, self._session.service_state(endpoint).status == "failed")
        else:
            self._add_or_choose(how, record, endpoint)

    def add_layers(self, names: Sequence[str]) -> None:
        """Add some layers of the chosen record's service, beside those that the map has of it."""
        record, endpoint = self._dock.view.record, self._selected_endpoint()
        if record is not None and endpoint:
            self._add_missing_layers(record, endpoint, names)

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """The same of any service, which is asked first where it is not known; ``record_id`` is that of its record."""
        record = self._session.record(record_id) if record_id else self._session.record_for_endpoint(endpoint)
        self._session.services.request(
            endpoint,
            lambda service: self._add_missing_layers(record or record_from_service(service, endpoint), endpoint, names),
            self._dock.messages.show_error, self)

    def _add_missing_layers(self, record: Record, endpoint: str, names: Sequence[str]) -> None:
        if not self._dock.composer_controller.map.add_missing_layers(record, endpoint,
                                                                     LayerChoice(tuple(names), ("", ) * len(names))):
            self._dock.messages.notify(tr("The map has %n layer(s) of these already.", n=len(names)))

    def add_stored_record(self, record_id: str, how: str = ADD) -> None:
        """Add the service of a record that is kept, wherever in the list it is; the record is shown."""
        record = self._session.record(record_id)
        endpoint = self._session.endpoint(record) if record is not None else None
        self._dock.select_record(record_id)
        if record is not None and endpoint:
            self.add_record(record, endpoint, how)
        else:
            self._dock.messages.show_error(CartoguideError(tr("This record names no map service (WMS).")))

    def add_dropped(self, text: str) -> None:
        """Add the record, or the layers of a service, that were dropped on QGIS's map."""
        layers = parse_dropped_layers(text)
        if layers is not None:
            self.add_service_layers(layers.endpoint, layers.names)
        elif not self._dock.remote_search.add_to_map(text):
            self.add_stored_record(text)

    def show_busy(self) -> None:
        """Show whether anything that was asked for is still to come."""
        adding = self._dock.composer_controller.map.adding or self.time_series.adding
        self._dock.view.add_bar.show_busy(bool(self._pending_additions) or adding)

    def _cancel_add(self) -> None:
        wanted, self._pending_additions = self._pending_additions, []
        for _, record in wanted:
            endpoint = self._session.endpoint(record)
            if endpoint:
                self._session.cancel_service(endpoint)
        self._dock.composer_controller.map.cancel()
        self.time_series.cancel()
        self.show_busy()

    def _add_pending(self, endpoint: str) -> None:
        """A service answered or failed: go on with what waited for it."""
        state = self._session.service_state(endpoint)
        if state.status == "loading":
            return
        here = [want for want in self._pending_additions if self._session.endpoint(want[1]) == endpoint]
        self._pending_additions = [want for want in self._pending_additions if want not in here]
        known = self._session.services.get(endpoint) is not None
        for how, record in here:
            if known:
                self._add_or_choose(how, record, endpoint)
        if here and not known and state.error is not None:
            self._dock.messages.show_error(state.error)
        self.show_busy()

    def _add_or_choose(self, how: str, record: Record, endpoint: str) -> None:
        """The service is known: add it, or let its layers be chosen."""
        service = self._session.services.get(endpoint)
        if service is None:
            return
        names = [layer.name for layer in service.iter_layers() if layer.name and not layer.layers]
        role = "base" if how == AS_BASE else "overlay"
        if how == CHOOSE or (how == ADD and len(names) > _MAX_LAYERS_ADDED_UNASKED):
            self._choose_layers(record, endpoint, role)
        elif not names:
            self._dock.messages.show_error(
                CartoguideError(tr("“{title}” offers no layer that can be asked for.", title=record_title(record)),
                                endpoint))
        else:
            self._add_to_map(record, endpoint, LayerChoice(tuple(names), ("",) * len(names), None, None, role))

    def _choose_layers(self, record: Record, endpoint: str, role: str) -> None:
        service = self._session.services.get(endpoint)
        if service is None:
            return
        maps = self._dock.composer_controller.map
        dialog = AddLayersDialog(record_title(record), service, maps.crs(), role, maps.layers_on_map(endpoint),
                                 self._dock)
        dialog.chosen.connect(lambda choice: self._add_to_map(record, endpoint, choice))
        dialog.show()

    def _add_to_map(self, record: Record, endpoint: str, choice: LayerChoice) -> None:
        self._dock.composer_controller.add(record, endpoint, choice)
