"""The selected record: opening, refreshing and saving records, and loading the service of the selected one."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication

from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.publication.map_files import may_contain_map
from ...core.records.input.format_detection import document_suffix
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...gis.snapshots.snapshot_packages import is_package
from ..phrases import record_title
from ..window import Notifier, Prompts
from .dock_session import DockSession

#: formats of records' documents by the suffixes of their files
_FORMATS = {"xml": "XML", "json": "JSON", "ttl": "Turtle"}


class SelectedRecord(QObject):
    """Holds the selected record.

    ``changed(record, compare_with_previous)`` is emitted at each selection, with None if no record is selected.
    """

    changed = pyqtSignal(object, bool)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.record: Optional[Record] = None

    def select(self, record: Optional[Record], compare_with_previous: bool = True) -> None:
        """Select ``record``.

        ``compare_with_previous``: if the previous record has the same identifier, the window shows what changed.
        """
        self.record = record
        self.changed.emit(record, compare_with_previous)


class RecordController(QObject):
    """Opens records from files, folders, the clipboard and drops."""

    #: path of a custom map document or of an offline package that was opened
    map_opened = pyqtSignal(object)
    package_opened = pyqtSignal(object)
    #: state of the selected record's service
    service_state_changed = pyqtSignal(object)

    def __init__(self, session: DockSession, selected: SelectedRecord, notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._selected, self._notifier, self._prompts = session, selected, notifier, prompts
        session.service_changed.connect(self._on_service_changed)

    # -- opening

    def open_files(self) -> None:
        paths = self._prompts.open_files(
            tr("Open records"),
            tr("Records") + " (*.xml *.json *.geojson *.jsonld *.ttl *.nt *.rdf *.zip *.mef);;" +
            tr("All files") + " (*)")
        if paths:
            self.open_dropped(paths, ())

    def open_folder(self) -> None:
        path = self._prompts.open_folder(tr("Open a folder of records"))
        if path is not None:
            self._session.open_paths([path])

    def open_dropped(self, paths: Sequence[str], addresses: Sequence[str]) -> None:
        """Open files, folders and web addresses: records, custom maps and offline packages."""
        usable = [address for address in addresses if address.lower().startswith(("http://", "https://"))]
        map_files = [path for path in paths if may_contain_map(path)]
        packages = [path for path in paths if is_package(path)]
        records = [path for path in paths if path not in map_files and path not in packages]
        if records:
            self._session.open_paths(records)
        if map_files:
            self.map_opened.emit(Path(map_files[0]))
        if packages:
            self.package_opened.emit(Path(packages[0]))
        if usable:
            self._session.open_text("\n".join(usable))
        if not paths and not usable:
            self._notifier.show_error(
                CartoguideError(
                    tr("What was dropped is neither a file nor a web address. "
                       "Drop records as files, or their http(s) address."), "\n".join(addresses)))

    def paste(self) -> None:
        """Open what the clipboard holds: copied files, the XML of records, or web addresses."""
        data = QGuiApplication.clipboard().mimeData()
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if paths:
            self.open_dropped(paths, ())
        else:
            self._session.open_text(data.text())

    # -- the selected record

    def refresh(self, record: Optional[Record] = None) -> None:
        """Request ``record`` from the catalogue. By default request all starter records, else the selected one."""
        records = [record] if record else self._session.starter_records()
        if not records and self._selected.record is not None:
            records = [self._selected.record]
        if records:
            self._session.refresh_from_catalogue(records)

    def save_xml(self, data: bytes) -> None:
        """Ask for a file and write the record's document to it, byte for byte."""
        record = self._selected.record
        name = safe_file_name(record_title(record) if record else "")
        suffix, _ = document_suffix(data)
        path = self._prompts.save_file(tr("Save the record’s document"), f"{name}.{suffix}",
                                       f"{_FORMATS[suffix]} (*.{suffix})", remember=False)
        if path is None:
            return
        try:
            write_bytes_atomically(path, data)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        self._notifier.notify(tr("Saved as {name}.", name=path.name))

    # -- its service

    def selected_endpoint(self) -> Optional[str]:
        """Return the endpoint of the selected record's map service, or None."""
        record = self._selected.record
        return self._session.endpoint(record) if record else None

    def load_service(self, refresh: bool) -> None:
        """Load the capabilities of the selected record's service, from the server if ``refresh``."""
        endpoint = self.selected_endpoint()
        if endpoint:
            self._session.load_service(endpoint, refresh)

    def cancel_service(self) -> None:
        """Stop loading the capabilities."""
        endpoint = self.selected_endpoint()
        if endpoint:
            self._session.cancel_service(endpoint)

    def show_service_error(self) -> None:
        """Show the details of why the service failed."""
        endpoint = self.selected_endpoint()
        error = self._session.service_state(endpoint).error if endpoint else None
        if error is not None:
            self._notifier.show_details(error.user_text, error.detail)

    def _on_service_changed(self, endpoint: str) -> None:
        if normalise_endpoint(endpoint) == normalise_endpoint(self.selected_endpoint() or ""):
            self.service_state_changed.emit(self._session.service_state(endpoint))
