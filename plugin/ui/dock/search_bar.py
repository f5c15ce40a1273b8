"""Search field and buttons at the top of the dock."""

from __future__ import annotations

from functools import partial
from typing import Optional

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from ...core.i18n import tr
from ..widgets.buttons import icon_button
from ..widgets.theme import icon

FILES, FOLDER, ADDRESS, PASTE, REFRESH, SETTINGS = "files", "folder", "address", "paste", "refresh", "settings"
CATALOGUE, CATALOGUES, HEALTH, GUIDE = "catalogue", "catalogues", "health", "guide"


class SearchBar(QWidget):
    """``action_requested`` carries one of this module's actions: CATALOGUE adds a catalogue, CATALOGUES lists them."""

    action_requested = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search records…"))
        self.search.setAccessibleName(tr("Search records"))
        self.search.setToolTip(tr("Type words of the title, abstract or keywords (Ctrl+F or /)"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.add = icon_button("mActionAdd", tr("Open records"))
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.add)
        for what, name, words in ((FILES, "mActionFileOpen", tr("Open files…")),
                                  (FOLDER, "mActionFolder", tr("Open a folder…")),
                                  (ADDRESS, "mIconConnect", tr("Open an address…")),
                                  (PASTE, "mActionEditPaste", tr("Paste")), ("", "", ""),
                                  (CATALOGUE, "search", tr("Add a catalogue…")),
                                  (CATALOGUES, "mActionOpenTable", tr("Catalogues…"))):
            if what:
                menu.addAction(icon(name), words, lambda what=what: self.action_requested.emit(what))
            else:
                self.open_separator = menu.addSeparator()
        refresh = menu.addAction(icon("mActionRefresh"), tr("Refresh from the catalogue"),
                                 lambda: self.action_requested.emit(REFRESH))
        menu.addAction(icon("mIconSuccess"), tr("Health of services…"), lambda: self.action_requested.emit(HEALTH))
        menu.addSeparator()
        menu.addAction(icon("mActionHelpContents"), tr("User guide (F1)"), lambda: self.action_requested.emit(GUIDE))
        self.add.setMenu(menu)
        self.catalogues = icon_button("propertyicons/network_and_proxy", tr("Search the catalogues"))
        self.catalogues.setToolTip(tr("Search online catalogues too"))
        self.catalogues.setCheckable(True)
        also = QAction(tr("Search the catalogues"), menu)
        also.setCheckable(True)
        also.toggled.connect(self.catalogues.setChecked)
        self.catalogues.toggled.connect(also.setChecked)
        menu.insertAction(refresh, also)
        self.settings = icon_button("mActionOptions", tr("Settings"), partial(self.action_requested.emit, SETTINGS))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.search, 1)
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
