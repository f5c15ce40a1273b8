"""Row of one catalogue in a search."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Optional

from qgis.PyQt.QtCore import QSize, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from ...app.phrases import local_filter_note, search_state_label
from ...core.i18n import tr
from ...gis.catalogues.federated_search import SearchState, SourceStatus
from ..widgets.buttons import text_button
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import icon, make_muted, scale_font

#: letters of the name that are always visible
_MIN_NAME_LETTERS = 7


class CatalogueAction(str, Enum):
    """Actions of the catalogue panel and of its rows."""

    MORE = "more"
    RETRY = "again"
    REASONS = "why"
    HARVEST = "harvest"
    LOGIN = "login"
    EXCLUDE = "off"
    #: show only the results of this catalogue
    ONLY = "only"
    #: list the catalogues
    LIST = "list"
    #: add a catalogue
    ADD = "add"


class SourceRowWidget(QWidget):
    """Shows the state of a catalogue's search. ``action_requested`` carries a ``CatalogueAction`` and the key."""

    action_requested = pyqtSignal(str, str)

    def __init__(self, key: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._key = key
        self._icon_label = PlainLabel()
        self.name_label = ElidedLabel()
        self.state = ElidedLabel()
        self.state.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        make_muted(self.state)
        emit = self.action_requested.emit
        self.more = text_button(tr("More"), partial(emit, CatalogueAction.MORE, key))
        self.retry_button = text_button("", partial(emit, CatalogueAction.RETRY, key))
        self.reasons_button = text_button("?", partial(emit, CatalogueAction.REASONS, key))
        self.menu = text_button("…", None)
        for button in (self.more, self.retry_button, self.reasons_button, self.menu):
            button.setAutoRaise(True)
            scale_font(button, 0.9)
        self.retry_button.setIcon(icon("mActionRefresh"))
        side = self.fontMetrics().height()
        self.retry_button.setIconSize(QSize(side, side))
        self.retry_button.setToolTip(tr("Search this catalogue again"))
        self.menu.setToolTip(tr("Actions for this catalogue"))
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        entries = QMenu(self.menu)
        self.only_action = entries.addAction(tr("Only this catalogue"),
                                             lambda: self.action_requested.emit(CatalogueAction.ONLY, self._key))
        self.only_action.setCheckable(True)
        entries.addSeparator()
        for action, label in ((CatalogueAction.HARVEST, tr("Harvest…")), (CatalogueAction.LOGIN, tr("Login…")),
                              (CatalogueAction.EXCLUDE, tr("Exclude from searches")),
                              (CatalogueAction.LIST, tr("Catalogues…"))):
            entries.addAction(label, lambda action=action: emit(action, self._key))
        self.menu.setMenu(entries)
        # the name stays readable whatever the status says
        self.name_label.setMinimumWidth(_MIN_NAME_LETTERS * self.fontMetrics().averageCharWidth())
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 0, 0)
        row.setSpacing(3)
        row.addWidget(self._icon_label)
        row.addWidget(self.name_label, 1)
        row.addWidget(self.state)
        for button in (self.more, self.reasons_button, self.retry_button, self.menu):
            row.addWidget(button)
        # narrower than the style makes them, in favour of the catalogue's name
        for button in (self.reasons_button, self.retry_button, self.menu):
            button.setFixedWidth(side + 4)

    def show_row(self, row: SourceStatus) -> None:
        """Show the catalogue's status."""
        name, state_text = row.source.display_name, search_state_label(row)
        whole = row.error.user_text if row.error is not None and row.state is SearchState.FAILED else state_text
        filtered = local_filter_note(row.unsent)
        self.name_label.show_text(
            name, "\n".join(part for part in (name, row.source.address, whole, filtered, *row.notes) if part))
        self.state.show_text(state_text, "\n".join(part for part in (whole, filtered) if part))
        self.setAccessibleName(f"{name}: {whole}{f' {filtered}' if filtered else ''}")
        for button, label in ((self.more, tr("More of {name}",
                                             name=name)), (self.retry_button, tr("Search {name} again", name=name)),
                              (self.reasons_button, tr("Error or warnings of {name}",
                                                       name=name)), (self.menu, tr("Menu of {name}", name=name))):
            button.setAccessibleName(label)
        self.more.setVisible(row.more and row.state not in (SearchState.REQUESTING, SearchState.FAILED))
        self.retry_button.setVisible(row.state is SearchState.FAILED)
        self.reasons_button.setVisible(row.state is SearchState.FAILED or bool(row.notes))
        self.reasons_button.setToolTip(tr("Error details") if row.state is SearchState.FAILED else tr("Warnings"))
        icons = {SearchState.FAILED: "mIconWarning", SearchState.REQUESTING: "mActionRefresh"}
        name_of_mark = icons.get(row.state, "mIconSuccess")
        size = self.name_label.fontMetrics().height() - 2
        self._icon_label.setPixmap(icon(name_of_mark).pixmap(size, size))
