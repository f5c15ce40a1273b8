"""Panel with a row for each catalogue of the search."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Dict, List, Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...app.phrases import local_filter_note, search_state_label
from ...core.i18n import tr
from ...core.text import escaped
from ...gis.catalogues.federated_search import SearchState, SourceStatus
from ..widgets.buttons import text_button
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import ElidedLabel, LinkLabel, PlainLabel
from ..widgets.theme import icon, make_muted, scale_font

#: letters of the name that are always visible
_MIN_NAME_LETTERS = 7
#: rows that are visible without scrolling
_MAX_VISIBLE_ROWS = 3


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
        fill_layout(QHBoxLayout(self), self._icon_label, self.name_label, self.state, self.more, self.reasons_button,
                    self.retry_button, self.menu, spacing=3, wide=self.name_label, margins=(2, 0, 0, 0))
        # narrower than the style makes them, in favour of the catalogue's name
        for button in (self.reasons_button, self.retry_button, self.menu):
            button.setFixedWidth(side + 4)

    def show_row(self, row: SourceStatus) -> None:
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


class CataloguePanel(QWidget):
    """``action_requested`` carries a ``CatalogueAction`` and the catalogue's key, "" for LIST and ADD."""

    action_requested = pyqtSignal(str, str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows: Dict[str, SourceRowWidget] = {}
        self.empty_label = LinkLabel()
        self.empty_label.linkActivated.connect(lambda link: self.action_requested.emit(link.lstrip("#"), ""))
        self.empty_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        inner = QWidget()
        self._rows_layout = QVBoxLayout(inner)
        self._rows_layout.setContentsMargins(0, 0, 0, 0)
        self._rows_layout.setSpacing(0)
        self.scroll_area = _RowsScrollArea()
        self.scroll_area.setWidget(inner)
        self.scroll_area.rows_resized.connect(self._fit_height)
        self.scroll_area.setAccessibleName(tr("The catalogues that are searched"))
        fill_layout(QVBoxLayout(self), self.scroll_area, self.empty_label, spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_rows([], False)

    def show_rows(self, rows: List[SourceStatus], on: bool, reason: str = "", only: Sequence[str] = ()) -> None:
        """Show a row for each catalogue, or ``reason`` if there is none.

        ``on``: the search in catalogues is switched on. ``only`` has the keys of the catalogues that the list is
        filtered by.
        """
        for key in [key for key in self.rows if key not in {row.source.key for row in rows}]:
            removed = self.rows.pop(key)
            self._rows_layout.removeWidget(removed)
            removed.hide()
            removed.deleteLater()
        for row in rows:
            if row.source.key not in self.rows:
                widget = self.rows[row.source.key] = SourceRowWidget(row.source.key)
                widget.action_requested.connect(self.action_requested)
                self._rows_layout.addWidget(widget)
            self.rows[row.source.key].only_action.setChecked(row.source.key in only)
            self.show_row(row)
        self._fit_height()
        self.scroll_area.setVisible(on and bool(rows))
        self.setVisible(on)
        links = " ".join(f"<a href='#{action.value}'>{label}</a>" for action, label in (
            (CatalogueAction.LIST, tr("Catalogues…")), (CatalogueAction.ADD, tr("Add a catalogue…"))))
        self.empty_label.setText(escaped(reason) or f"{tr('No catalogue is switched on.')} {links}")
        self.empty_label.setVisible(on and not rows)

    def show_row(self, row: SourceStatus) -> None:
        widget = self.rows.get(row.source.key)
        if widget is not None:
            widget.show_row(row)
            self._fit_height()

    def _fit_height(self) -> None:
        """Adapt the height, which depends on the rows' buttons."""
        self.scroll_area.fit_rows([row.sizeHint().height() for row in self.rows.values()])


class _RowsScrollArea(QScrollArea):
    """Scroll area as high as its first rows. ``rows_resized``: another font or theme, or a button, changed them."""

    rows_resized = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def fit_rows(self, heights: List[int]) -> None:
        """Set the height for rows of these heights in pixels."""
        self.setFixedHeight(sum(heights[:_MAX_VISIBLE_ROWS]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: notice that the rows were laid out anew."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.rows_resized.emit()
        return bool(super().eventFilter(watched, event))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width."""
        return QSize(120, self.height())
