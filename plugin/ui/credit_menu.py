"""The entries of the plugin's menu that are about credits: on the map window, and for the whole project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QAction

from ..core.i18n import tr
from ..gis import settings

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from ..gis.canvas_credit import CanvasCredit


class CreditMenu(QObject):
    """Adds its entries when it is made; ``close`` takes them away again. What they need is imported when used."""

    def __init__(self, iface: QgisInterface, menu: str) -> None:
        super().__init__()
        self._iface, self._menu = iface, menu
        self._drawn: Optional[CanvasCredit] = None
        self.on_canvas = QAction(tr("Credits on the map window"), iface.mainWindow())
        self.on_canvas.setCheckable(True)
        self.on_canvas.setToolTip(settings.SETTINGS["canvas_credit"].help())
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
        self._iface.removePluginWebMenu(self._menu, self.on_canvas)
        self.on_canvas.deleteLater()

    def _follow(self, _painter: object = None) -> None:
        """The setting may be changed in the settings too: the entry shows it."""
        on = bool(settings.get("canvas_credit"))
        if self.on_canvas.isChecked() != on:
            self.on_canvas.setChecked(on)

    def _draw(self, on: bool) -> None:
        if self._canvas is None:
            return
        if self._drawn is None:
            from ..gis.canvas_credit import CanvasCredit

            self._drawn = CanvasCredit(self._canvas)
        self._drawn.set_on(on)
