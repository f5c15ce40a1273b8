"""Contents of the composer while the map is empty: ways to begin one, recent maps, and the project's credits."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QToolButton, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.text import inert
from ..widgets.buttons import ElidedButton
from ..widgets.form_widgets import wrapped_label
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, make_muted, scale_font

#: the most maps that are listed
_MAX_RECENT = 4
_SUFFIX = ".custommap.json"


class EmptyMapPanel(QWidget):
    """A text, a button for each way to begin, and one for each recent map.

    ``recent_map_requested`` carries the path of a custom map document.
    """

    find_requested = pyqtSignal()
    open_requested = pyqtSignal()
    own_layer_requested = pyqtSignal()
    credits_requested = pyqtSignal()
    recent_map_requested = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.label = wrapped_label(
            tr("Add a service to the map to see its layers, credits and page here."), font_scale=0.95)
        self.find_button = self._button("search", tr("Find a service"), tr("Search the records of services"))
        self.open_button = self._button("mActionFileOpen", tr("Open a custom map…"))
        self.own_layer_button = self._button("mActionAddLayer", tr("Add own layer…"))
        self.credits_button = self._button("credits", tr("Credits of this project…"),
                                    tr("Every layer with its credit and terms, and those without"))
        signals = {self.find_button: self.find_requested, self.open_button: self.open_requested,
                   self.own_layer_button: self.own_layer_requested, self.credits_button: self.credits_requested}
        for button, signal in signals.items():
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
        self.heading = PlainLabel(tr("Recent maps"))
        scale_font(self.heading, 0.95)
        make_muted(self.heading)
        self.recent: list[QToolButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 0)
        self._column.setSpacing(2)
        for widget in (self.label, *signals, self.heading):
            self._column.addWidget(widget)
        self.show_recent([])

    def show_recent(self, paths: Sequence[Path]) -> None:
        """List custom maps, the one used last first."""
        for button in self.recent:
            self._column.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.recent = []
        for path in paths[:_MAX_RECENT]:
            name = path.name[:-len(_SUFFIX)] if path.name.endswith(_SUFFIX) else path.name
            button = self._button("cartoguide", name or path.name, str(path))
            button.clicked.connect(lambda _checked=False, path=path: self.recent_map_requested.emit(path))
            self._column.addWidget(button)
            self.recent.append(button)
        self.heading.setVisible(bool(self.recent))

    @staticmethod
    def _button(icon_name: str, text: str, tooltip: str = "") -> ElidedButton:
        button = ElidedButton(text)
        button.setIcon(icon(icon_name))
        button.setToolTip(inert(f"{text}\n{tooltip}" if tooltip else text))
        button.setAccessibleDescription(inert(tooltip))
        return button
