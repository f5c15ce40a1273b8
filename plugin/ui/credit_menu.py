"""The entries of the plugin's menu that are about credits: on the map window, and for the whole project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QAction

from ..core.i18n import tr

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from ..gis.canvas_credit import CanvasCredit
    from ..gis.shelf import Shelf
    from .audit_dialog import AuditDialog


class CreditMenu(QObject):
    """Adds its entries when it is made; ``close`` takes them away again. What they need is imported when used."""

    def __init__(self, iface: QgisInterface, menu: str, shelf: Callable[[], Optional[Shelf]]) -> None:
        """``shelf`` gives the dock's records where the dock is there already."""
        super().__init__()
        self._iface, self._menu, self._shelf = iface, menu, shelf
        self.dialog: Optional[AuditDialog] = None
        self.audit = QAction(tr("Credits of this project…"), iface.mainWindow())
        self.audit.setToolTip(tr("Every layer of a map service with its credit and terms, and those without"))
        self.audit.triggered.connect(lambda _checked=False: self.show_audit())
        iface.addPluginToWebMenu(menu, self.audit)
        self._drawn: Optional[CanvasCredit] = None
        self.on_canvas = QAction(tr("Credits on the map window"), iface.mainWindow())
        self.on_canvas.setCheckable(True)
        self.on_canvas.setToolTip(tr("Write the credits on the map window, for screenshots."))
        self.on_canvas.toggled.connect(self._draw)
        iface.addPluginToWebMenu(menu, self.on_canvas)
        self._canvas = iface.mapCanvas()
        if self._canvas is not None:
            self._canvas.renderComplete.connect(self._follow)
        self._follow()

    def close(self) -> None:
        """Take everything away, the last added first."""
        if self._canvas is not None:
            self._canvas.renderComplete.disconnect(self._follow)
        if self._drawn is not None:
            self._drawn.close()
            self._drawn = None
        if self.dialog is not None:
            self.dialog.close()
        for action in (self.on_canvas, self.audit):
            self._iface.removePluginWebMenu(self._menu, action)
            action.deleteLater()

    def show_audit(self) -> AuditDialog:
        """The project's credits in a table of their own."""
        from ..gis.shelf import Shelf
        from .audit_dialog import AuditDialog

        if self.dialog is None:
            own = None
            shelf = self._shelf()
            if shelf is None:
                shelf = own = Shelf()

            def closed() -> None:
                self.dialog = None
                if own is not None:
                    own.close()

            self.dialog = AuditDialog(shelf, self._iface.mainWindow(), closed=closed)
        self.dialog.show()
        self.dialog.raise_()
        return self.dialog

    def _follow(self, _painter: object = None) -> None:
        """The setting may be changed in the settings too: the entry shows it."""
        # QGIS starts with this: the settings are not read in where nothing is stored
        if self.on_canvas.isChecked() or QgsSettings().contains("cartoguide/canvas_credit"):
            from ..gis import settings

            self.on_canvas.setChecked(bool(settings.get("canvas_credit")))

    def _draw(self, on: bool) -> None:
        if self._canvas is None:
            return
        if self._drawn is None:
            from ..gis.canvas_credit import CanvasCredit

            self._drawn = CanvasCredit(self._canvas)
        self._drawn.set_on(on)
