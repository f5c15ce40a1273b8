"""Search field and buttons at the top of the dock."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Optional

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from ...core.i18n import tr
from ..widgets.buttons import icon_button
from ..widgets.theme import icon


class DockAction(str, Enum):
    """Actions of the search bar and of the welcome panel."""

    FILES = "files"
    FOLDER = "folder"
    ADDRESS = "address"
    PASTE = "paste"
    REFRESH = "refresh"
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
        self.marks = icon_button("", tr("Favourites and recently used records"))
        self.marks.setText("★")
        self.marks.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.marks.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.marks.setMenu(QMenu(self.marks))
        self.add = icon_button("mActionAdd", tr("Open records"))
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.add)
        emit = self.action_requested.emit
        for action, icon_name, label in ((DockAction.FILES, "mActionFileOpen", tr("Open files…")),
                                         (DockAction.FOLDER, "mActionFolder", tr("Open a folder…")),
                                         (DockAction.ADDRESS, "mIconConnect", tr("Open an address…")),
                                         (DockAction.PASTE, "mActionEditPaste", tr("Paste"))):
            menu.addAction(icon(icon_name), label, partial(emit, action))
        self.open_separator = menu.addSeparator()
        menu.addAction(icon("search"), tr("Add a catalogue…"), partial(emit, DockAction.CATALOGUE))
        menu.addAction(icon("mActionOpenTable"), tr("Catalogues…"), partial(emit, DockAction.CATALOGUES))
        refresh = menu.addAction(icon("mActionRefresh"), tr("Refresh from the catalogue"),
                                 partial(emit, DockAction.REFRESH))
        menu.addSeparator()
        menu.addAction(icon("mActionHelpContents"), tr("User guide (F1)"), partial(emit, DockAction.GUIDE))
        self.add.setMenu(menu)
        self.catalogues = icon_button("propertyicons/network_and_proxy", tr("Search the catalogues"))
        self.catalogues.setToolTip(tr("Search online catalogues too"))
        self.catalogues.setCheckable(True)
        also = QAction(tr("Search the catalogues"), menu)
        also.setCheckable(True)
        also.toggled.connect(self.catalogues.setChecked)
        self.catalogues.toggled.connect(also.setChecked)
        menu.insertAction(refresh, also)
        self.settings = icon_button("mActionOptions", tr("Settings"), partial(emit, DockAction.SETTINGS))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.search, 1)
        row.addWidget(self.marks)
        row.addWidget(self.catalogues)
        row.addWidget(self.add)
        row.addWidget(self.settings)

    def add_action_button(self, action: Optional[QAction]) -> None:
        """Add a button for an action of QGIS's window before the settings."""
        if action is None:
            return
        # not the tooltip: screen readers would read its tags
        button = icon_button("", action.text())
        button.setDefaultAction(action)
        row = self.layout()
        if isinstance(row, QHBoxLayout):
            row.insertWidget(row.count() - 1, button)
