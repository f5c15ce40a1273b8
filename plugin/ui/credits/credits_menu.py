"""Menu entries about credits: those of the whole project, and those drawn on the map canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QGuiApplication, QIcon
from qgis.PyQt.QtWidgets import QAction

from ...core.i18n import tr
from ...core.resources import ICONS

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from ...gis.credits.canvas_credit import CanvasCredit
    from ...gis.library.record_library import RecordLibrary
    from .credit_audit_dialog import CreditAuditDialog

#: names of QGIS's own actions that export what the map canvas shows, to files or to the clipboard. QGIS draws it anew
#: then, with its own decorations alone, which no plugin can add to
QGIS_EXPORTS = ("mActionSaveMapAsImage", "mActionSaveMapAsPdf")


class CreditsMenu(QObject):
    """Adds its entries to the plugin's menu until ``close`` is called. Modules are imported when they are used."""

    def __init__(self, iface: QgisInterface, menu: str, get_library: Callable[[], Optional[RecordLibrary]],
                 open_composer: Callable[[], object]) -> None:
        """``get_library`` returns the record library of the dock, or None if the dock was not opened yet.

        ``open_composer`` shows the custom map.
        """
        super().__init__()
        self._iface, self._menu, self._get_library = iface, menu, get_library
        self._open_composer = open_composer
        self._close_message: Callable[[], object] = lambda: None
        self.dialog: Optional[CreditAuditDialog] = None
        self.audit_action = QAction(QIcon(str(ICONS / "credits.svg")), tr("Credits of this project…"),
                                    iface.mainWindow())
        self.audit_action.setObjectName("CartoguideCredits")
        self.audit_action.setToolTip(tr("Cartoguide: credits and terms of every layer of this project"))
        self.audit_action.triggered.connect(lambda _checked=False: self.show_audit())
        iface.addPluginToWebMenu(menu, self.audit_action)
        iface.addWebToolBarIcon(self.audit_action)
        self._canvas_credit: Optional[CanvasCredit] = None
        self.canvas_action = QAction(tr("Show credits on the map canvas"), iface.mainWindow())
        self.canvas_action.setCheckable(True)
        self.canvas_action.setToolTip(tr("Show the credits on the map canvas, for screenshots."))
        self.canvas_action.toggled.connect(self._set_canvas_credit)
        iface.addPluginToWebMenu(menu, self.canvas_action)
        self._canvas = iface.mapCanvas()
        if self._canvas is not None:
            self._canvas.renderComplete.connect(self._sync_canvas_action)
        self._sync_canvas_action()
        actions = (iface.mainWindow().findChild(QAction, name) for name in QGIS_EXPORTS)
        self._qgis_exports = [action for action in actions if action is not None]
        for action in self._qgis_exports:
            action.triggered.connect(self._warn_of_export)

    def close(self) -> None:
        """Remove the entries, the last added first."""
        if self._canvas is not None:
            self._canvas.renderComplete.disconnect(self._sync_canvas_action)
        if self._canvas_credit is not None:
            self._canvas_credit.close()
            self._canvas_credit = None
        for action in self._qgis_exports:
            action.triggered.disconnect(self._warn_of_export)
        self._close_message()
        if self.dialog is not None:
            self.dialog.close()
        self._iface.removeWebToolBarIcon(self.audit_action)
        for action in (self.canvas_action, self.audit_action):
            self._iface.removePluginWebMenu(self._menu, action)
            action.deleteLater()

    def show_audit(self) -> CreditAuditDialog:
        from ...gis.library.record_library import RecordLibrary
        from .credit_audit_dialog import CreditAuditDialog

        if self.dialog is None:
            own_library = None
            shelf = self._get_library()
            if shelf is None:
                shelf = own_library = RecordLibrary()

            def closed() -> None:
                self.dialog = None
                if own_library is not None:
                    own_library.close()

            self.dialog = CreditAuditDialog(shelf, self._iface.mainWindow(), on_closed=closed)
        self.dialog.show()
        self.dialog.raise_()
        return self.dialog

    def _warn_of_export(self, _checked: bool = False) -> None:
        """Say that QGIS exports the map without the credits of its layers, in whatever way its dialog is used."""
        from ...app.window import MessageAction
        from ...gis.credits.canvas_credit import canvas_credits
        from ..widgets.messages import InlineMessage, Messages

        owed = canvas_credits(self._canvas) if self._canvas is not None else ""
        if owed:
            self._close_message()
            self._close_message = Messages(self._iface.messageBar(), InlineMessage()).show_warning_with_actions(
                tr("QGIS exports this map without its credits. Write them below the image, or export the custom map, "
                   "which has them."),
                [MessageAction(tr("Copy the credits"), lambda: QGuiApplication.clipboard().setText(owed)),
                 MessageAction(tr("Custom map"), self._open_composer)], owed)

    def _sync_canvas_action(self, _painter: object = None) -> None:
        """Follow the setting, which can be changed in the settings dialog too."""
        # this runs when QGIS starts: the settings module is not imported if nothing is stored
        if self.canvas_action.isChecked() or QgsSettings().contains("cartoguide/canvas_credit"):
            from ...gis.runtime import settings

            self.canvas_action.setChecked(bool(settings.get("canvas_credit")))

    def _set_canvas_credit(self, on: bool) -> None:
        if self._canvas is None:
            return
        if self._canvas_credit is None:
            from ...gis.credits.canvas_credit import CanvasCredit

            self._canvas_credit = CanvasCredit(self._canvas)
        self._canvas_credit.set_enabled(on)
