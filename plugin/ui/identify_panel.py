"""The identify panel: what the services say of one place, side by side; below one another where it is narrow."""

from __future__ import annotations

from typing import List, Optional

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QBoxLayout,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from ..gis.identify import Identification, Outcome
from . import guide
from .identify_section import IdentifySection, nothing_to_ask

#: pixels that one service gets at least where they stand side by side
_SECTION_WIDTH = 290


class IdentifyPanel(QDockWidget):
    """``zoom_asked`` and ``flash_asked`` carry a Feature."""

    zoom_asked = pyqtSignal(object)
    flash_asked = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Cartoguide: what is here"), parent)
        self.setObjectName("CartoguideIdentify")
        self.sections: List[IdentifySection] = []
        self._identification: Optional[Identification] = None
        self.place = QLabel()
        self.place.setWordWrap(True)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(self.stop)
        top = QHBoxLayout()
        top.addWidget(self.place, 1)
        top.addWidget(self.cancel)
        self._inside = QWidget()
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._inside)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self.scroll = QScrollArea()
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(self._inside)
        self.scroll.installEventFilter(self)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(6, 4, 6, 6)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.scroll, 1)
        body.setMinimumWidth(250)
        self.setWidget(body)
        guide.help_with(self, guide.SERVICES)
        self.show_nothing(tr("Click on the map to ask all its services what lies there."))

    def show_nothing(self, words: str) -> None:
        """There is nobody to be asked, or nothing was clicked yet."""
        self._empty()
        self.place.setText("")
        self.cancel.hide()
        self._row.addWidget(nothing_to_ask(words))
        self._row.addStretch(1)

    def show_identification(self, identification: Identification, place: str) -> None:
        """Show the services that are asked now; their answers come into their sections."""
        self._empty()
        self._identification = identification
        identification.setParent(self)
        self.place.setText(place)
        for number, asked in enumerate(identification.asked):
            section = IdentifySection(asked)
            section.ask_asked.connect(lambda info_format, number=number: self._ask(number, info_format))
            section.cancel_asked.connect(lambda number=number: self._cancel(number))
            section.zoom_asked.connect(self.zoom_asked)
            section.flash_asked.connect(self.flash_asked)
            self.sections.append(section)
            self._row.addWidget(section, 1)
        self._row.addStretch(0)
        identification.answered.connect(self._answered)
        identification.failed.connect(self._failed)
        self._arrange()
        for number in range(len(self.sections)):
            self._ask(number, "")

    def stop(self) -> None:
        """Give up every service that has not answered."""
        for number, section in enumerate(self.sections):
            if section.busy.isVisibleTo(section):
                self._cancel(number)

    def close_down(self) -> None:
        """Before the panel goes: nobody waits any more."""
        self._empty()

    def _ask(self, number: int, info_format: str) -> None:
        if self._identification is not None:
            self.sections[number].show_asking()
            self._identification.ask(number, info_format)
            self.cancel.show()

    def _cancel(self, number: int) -> None:
        if self._identification is not None:
            self._identification.cancel(number)
            self.sections[number].show_stopped()
            self._ended()

    def _answered(self, number: int, outcome: Outcome) -> None:
        self.sections[number].show_outcome(outcome)
        self._ended()

    def _failed(self, number: int, error: object) -> None:
        self.sections[number].show_error(error)  # type: ignore[arg-type]
        self._ended()

    def _ended(self) -> None:
        self.cancel.setVisible(self._identification is not None and self._identification.running)

    def _empty(self) -> None:
        if self._identification is not None:
            self._identification.stop()
            self._identification.deleteLater()
            self._identification = None
        self.sections = []
        while self._row.count():
            widget = self._row.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _arrange(self) -> None:
        """Side by side where there is room for all."""
        wide = self.scroll.width() >= _SECTION_WIDTH * max(2, len(self.sections))
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.LeftToRight if wide else directions.TopToBottom)
        for section in self.sections:
            self._row.setStretchFactor(section, 1 if wide else 0)
        if self._row.count() > len(self.sections):
            self._row.setStretch(self._row.count() - 1, 0 if wide else 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: the panel became wider or narrower."""
        if watched is self.scroll and event.type() == QEvent.Type.Resize:
            self._arrange()
        return bool(super().eventFilter(watched, event))
