"""Suggestions of services that match the map: a title, the reason, and a button that adds the service."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QGridLayout, QToolButton, QWidget

from ...app.maps.map_state import without_wms_prefix
from ...core.custommap.suggestions import Suggestion
from ...core.i18n import tr
from ...core.text import inert
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import icon, make_muted, scale_font


class SuggestionRows(QWidget):
    """Rows of suggestions, hidden if there are none. ``add_requested`` carries a Suggestion."""

    add_requested = pyqtSignal(object)
    #: there are other rows than before
    rebuilt = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = PlainLabel(tr("Suggested:"))
        self.heading.setToolTip(tr("Services that the record names, or that cover the same area"))
        scale_font(self.heading, 0.95)
        make_muted(self.heading)
        self.buttons: list[QToolButton] = []
        self._shown: tuple[Suggestion, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(4, 0, 2, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(2, 1)
        self._grid.addWidget(self.heading, 0, 0)
        self._widgets: list[QWidget] = []
        self.hide()

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Show suggestions, the best first."""
        if tuple(suggestions) != self._shown:
            self._shown = tuple(suggestions)
            for widget in self._widgets:
                self._grid.removeWidget(widget)
                widget.setParent(None)
                widget.deleteLater()
            self._widgets, self.buttons = [], []
            for row, suggestion in enumerate(suggestions):
                self._add(row, suggestion)
            self.rebuilt.emit()
        self.setVisible(bool(suggestions))

    def show_adding(self, on: bool) -> None:
        """Say that a service is being added, and add no other one meanwhile."""
        self.heading.setText(tr("Adding to the map…") if on else tr("Suggested:"))
        for widget in self._widgets:
            widget.setEnabled(not on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: a click on a title is one on its button."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QWidget) and watched.isEnabled():
            # each button has its title behind it
            self.buttons[self._widgets.index(watched) // 2].click()
        return bool(super().eventFilter(watched, event))

    def _add(self, row: int, suggestion: Suggestion) -> None:
        title = without_wms_prefix(suggestion.candidate.title)
        button = QToolButton()
        button.setIcon(icon("symbologyAdd"))
        button.setAutoRaise(True)
        button.setToolTip(inert(tr("Add “{title}” to the map", title=title)))
        button.setAccessibleName(tr("Add “{title}” to the map", title=title))
        button.setAccessibleDescription(suggestion.reason)
        button.clicked.connect(lambda _checked=False: self.add_requested.emit(suggestion))
        label = ElidedLabel(title, f"{suggestion.candidate.title}\n{suggestion.reason}")
        label.setCursor(Qt.CursorShape.PointingHandCursor)
        label.installEventFilter(self)
        self._grid.addWidget(button, row, 1)
        self._grid.addWidget(label, row, 2)
        self._widgets += (button, label)
        self.buttons.append(button)
