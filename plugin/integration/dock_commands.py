"""Protocols of the dock and the plugin as QGIS's own windows use them. Those windows never see the widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Protocol, Sequence

if TYPE_CHECKING:
    from qgis.core import QgsLayerTreeGroup
    from qgis.gui import QgisInterface

    from ..app.maps.map_state import AddMode
    from ..app.window import ViewRequests
    from ..core.records.model.record import Record
    from ..gis.library.record_library import RecordLibrary, RecordSource
    from ..ui.widgets.messages import Messages


class DockCommands(Protocol):
    """The commands of the dock. All of them run on the main thread."""

    @property
    def library(self) -> RecordLibrary:
        """The record library that the dock has open."""

    @property
    def messages(self) -> Messages:
        """The messages of the dock."""

    @property
    def views(self) -> ViewRequests:
        """The order in which the person asked for what the dock shows."""

    def subscribe_to_changes(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` after every change of the dock's records or services."""

    def after_next_reload(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` once, when the dock's records have been read the next time."""

    def invalidate_records(self) -> None:
        """Read the records again: somebody else changed the library."""

    def select_record(self, record_id: str) -> None:
        """Select a record in the list."""

    def show_record(self, record: Record) -> None:
        """Show a record that need not be in the list."""

    def show_overview_tab(self) -> None:
        """Show the overview of the current record."""

    def show_terms_tab(self) -> None:
        """Show the terms of the current record."""

    def save_record(self, source: RecordSource, record: Record, message: str) -> None:
        """Save a record in the library and show ``message``."""

    def add_stored_record(self, record_id: str, mode: AddMode) -> None:
        """Add the service of a record in the library to the map."""

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """Add some layers of the service at ``endpoint`` to the map."""

    def add_dropped(self, text: str) -> None:
        """Add what was dragged out of the browser or the dock to the map."""

    def focus_search(self) -> None:
        """Put the cursor in the search box."""

    def search_catalogues(self, text: Optional[str] = None) -> None:
        """Search the catalogues too, for ``text`` where it is given."""

    def show_sources(self, sources: Sequence[str]) -> None:
        """Show the records of some sources only."""

    def show_collection(self, name: str) -> None:
        """Show the records of a collection only."""

    def export_collection(self, name: str) -> None:
        """Let the person choose a file and export a collection to it."""

    def open_files(self) -> None:
        """Let the person choose files with records and open them."""

    def open_address(self) -> None:
        """Let the person enter an address and open what is there."""

    def open_dropped(self, paths: Sequence[str], addresses: Sequence[str]) -> None:
        """Open files and addresses that were dropped."""

    def open_health(self) -> None:
        """Show the health of the services."""

    def open_settings(self) -> None:
        """Show the settings."""

    def open_layout(self) -> None:
        """Open the print layout of the custom map."""

    def open_map_group(self, group: QgsLayerTreeGroup) -> None:
        """Show the custom map whose document a group of the layer tree has."""

    def export_map(self) -> None:
        """Export the custom map as PDF."""


class PluginHost(Protocol):
    """The running plugin: QGIS's interface and the dock, which is created when it is first shown."""

    @property
    def iface(self) -> QgisInterface:
        """QGIS's interface."""

    @property
    def dock(self) -> Optional[DockCommands]:
        """The dock, None before it is first shown."""

    def show_dock(self) -> DockCommands:
        """Show the dock and return it."""

    def show_credits(self) -> None:
        """Show the credits of the project."""

    def start_identify(self) -> None:
        """Switch the identify tool on, or off where it is on."""
