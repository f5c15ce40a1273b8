"""Search field and buttons at the top of the dock."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Optional

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from ...core.i18n import tr
from ..widgets.buttons import icon_button
from ..widgets.form_widgets import fill_layout
from ..widgets.theme import icon


class DockAction(str, Enum):
    """Actions of the search bar and of the welcome panel."""

    FILES = "files"
    FOLDER = "folder"
    ADDRESS = "address"
    PASTE = "paste"
    REFRESH = "refresh"
    #: check the records that the list shows, into a table
    CHECK = "check"
    #: the health of services
    HEALTH = "health"
    SETTINGS = "settings"
    #: add a catalogue
    CATALOGUE = "catalogue"
    #: list the catalogues
    CATALOGUES = "catalogues"
    GUIDE = "guide"
    #: the guide's page about a first map
    FIRST_MAP = "first-map"


class SearchBar(QWidget):
    """``action_requested`` carries a ``DockAction``."""

    action_requested = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search records…"))
        self.search.setAccessibleName(tr("Search records"))
        self.search.setToolTip(tr("Type words of the title, abstract or keywords (Ctrl+F or /)"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.filters = icon_button("mActionFilter2", tr("Show filters"))
        self.filters.setToolTip(tr("Show or hide the filters. Those that are set stay in sight."))
        self.filters.setCheckable(True)
        self.filters.setChecked(True)
        self.marks = icon_button("", tr("Favourites and recently used records"))
        self.marks.setText("★")
        self.marks.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.marks.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.marks.setMenu(QMenu(self.marks))
        # a plus adds to the map, here and everywhere else
        self.add = icon_button("mActionFileOpen", tr("Open records"))
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.add)
        emit = self.action_requested.emit
        for action, icon_name, label in ((DockAction.FILES, "mActionFileOpen", tr("Open files…")),
                                         (DockAction.FOLDER, "mActionFolder", tr("Open a folder…")),
                                         (DockAction.ADDRESS, "mIconConnect", tr("Open an address…")),
                                         (DockAction.PASTE, "mActionEditPaste", tr("Paste"))):
            menu.addAction(icon(icon_name), label, partial(emit, action))
        self.add.setMenu(menu)
        self.catalogues = icon_button("propertyicons/network_and_proxy", tr("Search the catalogues"))
        self.catalogues.setToolTip(tr("Search online catalogues too"))
        self.catalogues.setCheckable(True)
        self.more = icon_button("", tr("More of Cartoguide"))
        self.more.setText("⋮")
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._create_more_menu())
        fill_layout(QHBoxLayout(self), self.search, self.filters, self.marks, self.catalogues, self.add, self.more,
                    spacing=4, wide=self.search)

    def _create_more_menu(self) -> QMenu:
        """Return the menu of what is not about opening records."""
        menu = QMenu(self.more)
        emit = self.action_requested.emit
        also = menu.addAction(tr("Search the catalogues"))
        also.setCheckable(True)
        also.toggled.connect(self.catalogues.setChecked)
        self.catalogues.toggled.connect(also.setChecked)
        groups = (((DockAction.CATALOGUES, "mActionOpenTable", tr("Catalogues…")),
                   (DockAction.CATALOGUE, "propertyicons/network_and_proxy", tr("Add a catalogue…")),
                   (DockAction.REFRESH, "mActionRefresh", tr("Refresh from the catalogue"))),
                  ((DockAction.CHECK, "mIconSuccess", tr("Check the listed records…")),
                   (DockAction.HEALTH, "mIconConnect", tr("Health of services…"))),
                  ((DockAction.SETTINGS, "mActionOptions", tr("Settings…")),
                   (DockAction.FIRST_MAP, "mIconInfo", tr("A first map")),
                   (DockAction.GUIDE, "mActionHelpContents", tr("User guide (F1)"))))
        for group in groups:
            for action, icon_name, label in group:
                menu.addAction(icon(icon_name), label, partial(emit, action))
            menu.addSeparator()
        return menu

    def add_action(self, action: Optional[QAction]) -> None:
        """Add an action of QGIS's window at the beginning of the menu."""
        menu = self.more.menu()
        if action is not None and menu is not None:
            menu.insertAction(menu.actions()[0], action)
