"""The dialogs that the dock opens: addresses, settings, the health of services and the choice of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QWidget

from ...app.maps.map_controller import MapController
from ...app.phrases import record_title
from ...app.records.dock_session import DockSession
from ...app.records.record_controller import SelectedRecord
from ...app.window import MapWindow, Notifier
from ...core.addresses import AddressSecret
from ...core.custommap.map_entries import linked_layers
from ...core.custommap.model import MapRole
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...gis.checks.batch_checks import BatchCheckResult
from ...gis.network.origin_settings import save_login
from ...gis.runtime.network_errors import host_of
from ..service.add_layers_dialog import AddLayersDialog
from ..widgets.dialogs import AddressDialog
from ..widgets.error_actions import login_removed_text

if TYPE_CHECKING:
    from ..service_health_dialog import ServiceHealthDialog


class DockDialogs(QObject):
    """Opens dialogs as windows of ``window``, none of them modal."""

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 map_window: MapWindow, notifier: Notifier, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._map, self._selected = session, map_controller, selected
        self._map_window, self._notifier, self._window = map_window, notifier, window
        #: made when it is first opened
        self.health: Optional[ServiceHealthDialog] = None
        session.login_found.connect(self.offer_to_save_login)

    def open_address(self) -> None:
        dialog = AddressDialog(self._window)
        dialog.chosen.connect(self._session.open_text)
        dialog.show()

    def open_settings(self) -> None:
        from ..settings.settings_form import SettingsDialog

        dialog = SettingsDialog(self._window, self._session.library)
        dialog.form.settings_saved.connect(self._session.apply_settings)
        dialog.form.notified.connect(self._notifier.notify)
        # the credits on the canvas may have been switched on or off
        dialog.form.settings_saved.connect(lambda _names: self._map_window.refresh())
        dialog.show()

    def open_health(self, check_selected: bool = False) -> None:
        """Show the health of services, and check the selected record's service if ``check_selected``."""
        from ...gis.checks.service_health import ServiceTarget
        from ..service_health_dialog import ServiceHealthDialog

        if self.health is None:
            self.health = ServiceHealthDialog(self._session.library, self._window)
        self.health.show()
        self.health.raise_()
        record = self._selected.record
        endpoint = self._session.endpoint(record) if record is not None else None
        if check_selected and record is not None and endpoint:
            self.health.check_service(ServiceTarget(endpoint, record_title(record), record.id or ""))

    def show_issues(self, result: BatchCheckResult, save: Callable[[], object],
                    open_record: Callable[[str], object]) -> None:
        """List the issues of many records. ``save`` saves them, ``open_record`` shows a record by its identifier."""
        from ..record.issues_dialog import IssuesDialog

        dialog = IssuesDialog(result, self._window)
        dialog.save_requested.connect(save)
        dialog.record_requested.connect(open_record)
        dialog.show()

    def offer_to_save_login(self, secret: AddressSecret) -> None:
        """Say that an address had a login, and offer to let QGIS keep it."""
        def save() -> None:
            try:
                save_login(secret)
            except CartoguideError as error:
                self._notifier.show_error(error)
            else:
                self._notifier.notify(tr("QGIS keeps the login for {host} now. Open the address again.",
                                         host=host_of(secret.address)))

        self._notifier.show_warning_with_action(login_removed_text(secret.address), tr("Save it in QGIS…"), save)

    def choose_layers(self, record: Record, endpoint: str, role: MapRole) -> None:
        """Let the person choose layers of a record's service, then add them to the map."""
        service = self._session.services.get(endpoint)
        if service is None:
            return
        checked = self._map.layers_on_map(endpoint) or linked_layers(record, endpoint, service).names
        dialog = AddLayersDialog(record_title(record), service, self._map.crs(), role, checked, self._window)
        dialog.chosen.connect(lambda choice: self._map.add(record, endpoint, choice))
        dialog.load_images(endpoint, record.extents)
        dialog.show()
