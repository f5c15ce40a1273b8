"""What the dock does with catalogues: add, list, log in, and the offer to add one that was met."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ..core.i18n import tr
from ..core.sources.detect import Detected
from ..core.sources.model import Source
from ..gis.source_list import SourceList

if TYPE_CHECKING:
    from .catalogues_dialog import CataloguesDialog
    from .dock import CartoguideDock


class Catalogues(QObject):
    """Connects the list of catalogues with the dock."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.sources = SourceList(self)
        self._dialog: Optional[CataloguesDialog] = None
        dock.session.recognised.connect(self.offer)

    def add(self, detected: Optional[Detected] = None) -> None:
        """Ask for a catalogue's address, or offer what was found at one."""
        from .add_catalogue_dialog import AddCatalogueDialog

        dialog = AddCatalogueDialog(self._dock, detected)
        dialog.chosen.connect(self._added)
        dialog.document.connect(self._dock.session.open_text)
        dialog.show()

    def offer(self, detected: Detected) -> None:
        """An address that was opened is a catalogue's: offer to add it."""
        self.add(detected)

    def manage(self) -> None:
        """Show the list of catalogues."""
        from .catalogues_dialog import CataloguesDialog

        if self._dialog is None or sip.isdeleted(self._dialog):
            self._dialog = CataloguesDialog(self.sources, self._dock)
            self._dialog.add_asked.connect(self.add)
            self._dialog.login_asked.connect(self.log_in)
            self._dialog.harvest_asked.connect(self._dock.harvests.ask)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def log_in(self, source: Source) -> None:
        """Ask for the login of a catalogue."""
        from .remedies import LoginDialog

        dialog = LoginDialog(source.address, self._dock)
        if source.authcfg:
            dialog.select.setConfigId(source.authcfg)
        dialog.chosen.connect(lambda: self.sources.change(replace(source, authcfg=dialog.select.configId())))
        dialog.show()

    def _added(self, sources: List[Source]) -> None:
        fresh = self.sources.add(sources)
        if fresh:
            self._dock.messages.news(tr("“{name}” is one of your catalogues now.", name=fresh[0].shown))
        else:
            self._dock.messages.news(tr("“{name}” was one of your catalogues already.", name=sources[0].shown))
