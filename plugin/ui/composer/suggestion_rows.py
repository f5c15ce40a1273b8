"""Suggestions of services that match the map: a title, the reason, and a button that adds the service."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from ...app.maps.map_state import without_wms_prefix
from ...core.custommap.suggestions import Suggestion
from ...core.i18n import tr
from ...core.text import inert
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import icon, make_muted, scale_font


class SuggestionRows(QWidget):
    """Rows of suggestions, hidden if there are none. ``add_requested`` carries a Suggestion."""

    add_requested = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = PlainLabel(tr("Suggested services:"))
        scale_font(self.heading, 0.95)
        make_muted(self.heading)
        self.buttons: list[QToolButton] = []
        self._shown: tuple[Suggestion, ...] = ()
        self._rows_layout = QVBoxLayout(self)
        self._rows_layout.setContentsMargins(4, 2, 2, 2)
        self._rows_layout.setSpacing(0)
        self._rows_layout.addWidget(self.heading)
        self._rows: list[QWidget] = []
        self.hide()

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Show suggestions, the best first."""
        if tuple(suggestions) != self._shown:
            self._shown = tuple(suggestions)
            for row in self._rows:
                self._rows_layout.removeWidget(row)
                row.setParent(None)
                row.deleteLater()
            self._rows, self.buttons = [], []
            for suggestion in suggestions:
                self._add(suggestion)
        self.setVisible(bool(suggestions))

    def show_adding(self, on: bool) -> None:
        """Say that a service is being added, and add no other one meanwhile."""
        self.heading.setText(tr("Adding to the map…") if on else tr("Suggested services:"))
        for row in self._rows:
            row.setEnabled(not on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: a click on a title is one on its button."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QWidget) and watched.isEnabled():
            number = self._rows.index(watched.parentWidget())
            self.buttons[number].click()
        return bool(super().eventFilter(watched, event))

    def _add(self, suggestion: Suggestion) -> None:
        title = without_wms_prefix(suggestion.candidate.title)
        button = QToolButton()
        button.setIcon(icon("symbologyAdd"))
        button.setAutoRaise(True)
        button.setToolTip(inert(tr("Add “{title}” as an overlay", title=title)))
        button.setAccessibleName(tr("Add “{title}” as an overlay", title=title))
        button.setAccessibleDescription(suggestion.reason)
        button.clicked.connect(lambda _checked=False: self.add_requested.emit(suggestion))
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(button)
        label = ElidedLabel(title, f"{suggestion.candidate.title}\n{suggestion.reason}")
        label.setCursor(Qt.CursorShape.PointingHandCursor)
        label.installEventFilter(self)
        line.addWidget(label, 1)
        self._rows_layout.addWidget(row)
        self._rows.append(row)
        self.buttons.append(button)
