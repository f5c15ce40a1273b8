"""The dialogs of the person's catalogues: adding, listing, logging in and harvesting."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Callable, List, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QWidget

from ...app.records.dock_session import DockSession
from ...app.records.harvest_controller import HarvestController
from ...app.window import Notifier
from ...core.catalogues.detection import DetectedCatalogue
from ...core.catalogues.model import CatalogueQuery, CatalogueSort, Source
from ...core.catalogues.result_merging import to_catalogue_query
from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...gis.catalogues import harvest
from ...gis.catalogues.catalogue_client import cached_protocol
from ...gis.catalogues.catalogue_list import CatalogueList
from ...gis.runtime.i18n import record_language

if TYPE_CHECKING:
    from .catalogues_dialog import CataloguesDialog


class CatalogueController(QObject):
    """Opens the dialogs as windows of ``window`` and changes the list of catalogues by what they return."""

    def __init__(self, session: DockSession, sources: CatalogueList, harvests: HarvestController,
                 query: Callable[[], LibraryQuery], notifier: Notifier, window: QWidget) -> None:
        super().__init__(window)
        self.sources = sources
        self._session, self._harvests, self._query, self._notifier = session, harvests, query, notifier
        self._window = window
        self._dialog: Optional[CataloguesDialog] = None
        session.catalogue_detected.connect(self.open_add_dialog)

    def open_add_dialog(self, detected: Optional[DetectedCatalogue] = None) -> None:
        """Ask for a catalogue's address, or offer the catalogue that was detected at one."""
        from .catalogues_dialog import AddCatalogueDialog

        dialog = AddCatalogueDialog(self._window, detected)
        dialog.sources_chosen.connect(self._on_catalogues_chosen)
        dialog.open_requested.connect(self._session.open_text)
        dialog.show()

    def open_list_dialog(self) -> None:
        from .catalogues_dialog import CataloguesDialog

        if self._dialog is None or sip.isdeleted(self._dialog):
            self._dialog = CataloguesDialog(self.sources, self._window)
            self._dialog.add_requested.connect(self.open_add_dialog)
            self._dialog.login_requested.connect(self.ask_login)
            self._dialog.harvest_requested.connect(self.open_harvest_dialog)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def open_harvest_dialog(self, source: Source) -> None:
        """Ask which records of ``source`` to harvest, then start."""
        from .catalogues_dialog import HarvestDialog

        if self._harvests.open_store() is None:
            return
        query = replace(to_catalogue_query(self._query(), harvest.PAGE_SIZE), sort=CatalogueSort.NONE)
        protocol = cached_protocol(source, record_language())

        def resumable(chosen: CatalogueQuery) -> bool:
            return bool(self._session.read_library(lambda store: harvest.is_resumable(store, source, chosen)))

        dialog = HarvestDialog(source, query, resumable, self._window,
                               None if protocol is None else protocol.unsent_conditions(query))
        dialog.harvest_chosen.connect(lambda chosen, restart: self._harvests.start(source, chosen, restart))
        dialog.show()

    def ask_login(self, source: Source) -> None:
        from ..widgets.error_actions import LoginDialog

        dialog = LoginDialog(source.address, self._window)
        if source.authcfg:
            dialog.auth_select.setConfigId(source.authcfg)
        dialog.login_saved.connect(lambda: self.sources.update(replace(source, authcfg=dialog.auth_select.configId())))
        dialog.show()

    def _on_catalogues_chosen(self, sources: List[Source]) -> None:
        added = self.sources.add(sources)
        if added:
            self._notifier.notify(tr("Catalogue “{name}” added.", name=added[0].display_name))
        else:
            self._notifier.notify(tr("“{name}” is already one of your catalogues.", name=sources[0].display_name))
