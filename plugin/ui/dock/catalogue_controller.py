"""What the dock does with catalogues: add, list, log in, and the offer to add one that was met."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.catalogues.detection import DetectedCatalogue
from ...core.catalogues.model import Source
from ...core.i18n import tr
from ...gis.catalogues.catalogue_list import CatalogueList

if TYPE_CHECKING:
    from ..catalogues.catalogues_dialog import CataloguesDialog
    from .dock_widget import CartoguideDock


class CatalogueController(QObject):
    """Connects the list of catalogues with the dock."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.sources = CatalogueList(self)
        self._dialog: Optional[CataloguesDialog] = None
        dock.session.catalogue_detected.connect(self.offer_catalogue)

    def open_add_dialog(self, detected: Optional[DetectedCatalogue] = None) -> None:
        """Ask for a catalogue's address, or offer what was found at one."""
        from ..catalogues.add_catalogue_dialog import AddCatalogueDialog

        dialog = AddCatalogueDialog(self._dock, detected)
        dialog.sources_chosen.connect(self._on_catalogues_chosen)
        dialog.open_requested.connect(self._dock.session.open_text)
        dialog.show()

    def offer_catalogue(self, detected: DetectedCatalogue) -> None:
        """An address that was opened is a catalogue's: offer to add it."""
        self.open_add_dialog(detected)

    def open_list_dialog(self) -> None:
        """Show the list of catalogues."""
        from ..catalogues.catalogues_dialog import CataloguesDialog

        if self._dialog is None or sip.isdeleted(self._dialog):
            self._dialog = CataloguesDialog(self.sources, self._dock)
            self._dialog.add_requested.connect(self.open_add_dialog)
            self._dialog.login_requested.connect(self.ask_login)
            self._dialog.harvest_requested.connect(self._dock.harvest_controller.open_dialog)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def ask_login(self, source: Source) -> None:
        """Ask for the login of a catalogue."""
        from ..widgets.error_actions import LoginDialog

        dialog = LoginDialog(source.address, self._dock)
        if source.authcfg:
            dialog.auth_select.setConfigId(source.authcfg)
        dialog.login_saved.connect(lambda: self.sources.update(replace(source, authcfg=dialog.auth_select.configId())))
        dialog.show()

    def _on_catalogues_chosen(self, sources: List[Source]) -> None:
        fresh = self.sources.add(sources)
        if fresh:
            self._dock.messages.notify(tr("“{name}” is one of your catalogues now.", name=fresh[0].display_name))
        else:
            self._dock.messages.notify(tr("“{name}” was one of your catalogues already.", name=sources[0].display_name))
