"""Identify panel: the responses of all services at one position, side by side if there is room."""

from __future__ import annotations

from typing import List, Optional

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QBoxLayout,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ...core.i18n import tr
from ...gis.operations.identification import Identification, IdentifyResult
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets import guide
from ..widgets.labels import PlainLabel
from .identify_section import IdentifySection, placeholder_label

#: least width of a section beside another one, in pixels
_SECTION_WIDTH = 290


class IdentifyPanel(QDockWidget):
    """Dock widget with one section for each service. ``zoom_requested`` and ``flash_requested`` carry a Feature."""

    zoom_requested = pyqtSignal(object)
    flash_requested = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Cartoguide: identify results"), parent)
        self.setObjectName("CartoguideIdentify")
        self.sections: List[IdentifySection] = []
        self._identification: Optional[Identification] = None
        self.position_label = PlainLabel()
        self.position_label.setWordWrap(True)
        self.position_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(self.cancel_all)
        top = QHBoxLayout()
        top.addWidget(self.position_label, 1)
        top.addWidget(self.cancel)
        self._content = QWidget()
        self._sections_layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._content)
        self._sections_layout.setContentsMargins(0, 0, 0, 0)
        self._sections_layout.setSpacing(6)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidget(self._content)
        self.scroll_area.installEventFilter(self)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(6, 4, 6, 6)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.scroll_area, 1)
        body.setMinimumWidth(250)
        self.setWidget(body)
        guide.install_help(self, GuideTopic.SERVICES)
        self.show_message(tr("Click the map to identify features in all its services."))

    def show_message(self, text: str) -> None:
        """Show a text instead of results."""
        self._clear()
        self.position_label.setText("")
        self.cancel.hide()
        self._sections_layout.addWidget(placeholder_label(text))
        self._sections_layout.addStretch(1)

    def show_identification(self, identification: Identification, position: str) -> None:
        """Send the requests of ``identification`` and show a section for each service.

        ``position`` is the text of the clicked coordinates.
        """
        self._clear()
        self._identification = identification
        identification.setParent(self)
        self.position_label.setText(position)
        for number, service in enumerate(identification.canvas_services):
            section = IdentifySection(service)
            section.query_requested.connect(lambda info_format, number=number: self._request(number, info_format))
            section.cancel_requested.connect(lambda number=number: self._cancel(number))
            section.zoom_requested.connect(self.zoom_requested)
            section.flash_requested.connect(self.flash_requested)
            self.sections.append(section)
            self._sections_layout.addWidget(section, 1)
        self._sections_layout.addStretch(0)
        identification.answered.connect(self._on_answered)
        identification.failed.connect(self._on_failed)
        self._arrange()
        for number in range(len(self.sections)):
            self._request(number, "")

    def cancel_all(self) -> None:
        """Cancel the requests of all services that have not responded."""
        for number, section in enumerate(self.sections):
            if section.progress_bar.isVisibleTo(section):
                self._cancel(number)

    def close_down(self) -> None:
        """Cancel all requests before the panel is deleted."""
        self._clear()

    def _request(self, number: int, info_format: str) -> None:
        if self._identification is not None:
            self.sections[number].show_loading()
            self._identification.request(number, info_format)
            self.cancel.show()

    def _cancel(self, number: int) -> None:
        if self._identification is not None:
            self._identification.cancel(number)
            self.sections[number].show_cancelled()
            self._update_cancel_button()

    def _on_answered(self, number: int, outcome: IdentifyResult) -> None:
        self.sections[number].show_outcome(outcome)
        self._update_cancel_button()

    def _on_failed(self, number: int, error: object) -> None:
        self.sections[number].show_error(error)  # type: ignore[arg-type]
        self._update_cancel_button()

    def _update_cancel_button(self) -> None:
        self.cancel.setVisible(self._identification is not None and self._identification.running)

    def _clear(self) -> None:
        if self._identification is not None:
            self._identification.stop()
            self._identification.deleteLater()
            self._identification = None
        self.sections = []
        while self._sections_layout.count():
            widget = self._sections_layout.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _arrange(self) -> None:
        """Place the sections side by side if there is room for all."""
        wide = self.scroll_area.width() >= _SECTION_WIDTH * max(2, len(self.sections))
        directions = QBoxLayout.Direction
        self._sections_layout.setDirection(directions.LeftToRight if wide else directions.TopToBottom)
        for section in self.sections:
            self._sections_layout.setStretchFactor(section, 1 if wide else 0)
        if self._sections_layout.count() > len(self.sections):
            self._sections_layout.setStretch(self._sections_layout.count() - 1, 0 if wide else 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: arrange the sections again when the panel changes its width."""
        if watched is self.scroll_area and event.type() == QEvent.Type.Resize:
            self._arrange()
        return bool(super().eventFilter(watched, event))
