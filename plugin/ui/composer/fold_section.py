"""A section of a panel that folds away below its heading. QGIS's settings remember whether it is folded."""

from __future__ import annotations

from typing import Optional

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.text import inert, single_line

#: the keys below it are the names of sections
FOLDED_PREFIX = "cartoguide/compose/folded/"


class FoldSection(QWidget):
    """A heading with an arrow, and ``body`` below it, which is hidden while the section is folded.

    ``unfolded`` is emitted when the person opens the section.
    """

    unfolded = pyqtSignal()

    def __init__(self, name: str, title: str, parent: Optional[QWidget] = None) -> None:
        """``name`` is the section's key in the settings, ``title`` its heading for people."""
        super().__init__(parent)
        self._key, self._title = FOLDED_PREFIX + name, title
        self._note = ""
        self.heading = QToolButton()
        self.heading.setCheckable(True)
        self.heading.setAutoRaise(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.heading.setFixedHeight(self.heading.fontMetrics().height() + 4)
        self.heading.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.body = QWidget()
        self._column = QVBoxLayout(self.body)
        self._column.setContentsMargins(0, 0, 0, 2)
        self._column.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self.body)
        self.heading.setChecked(not QgsSettings().value(self._key, False, type=bool))
        self.heading.toggled.connect(self._on_toggled)
        self._show_state()

    def add_widget(self, widget: QWidget) -> None:
        """Put a widget at the end of the section."""
        self._column.addWidget(widget)

    def set_note(self, note: str) -> None:
        """Show a short text beside the heading, such as the number of what is inside."""
        self._note = note
        self._show_state()

    def open(self) -> None:
        """Unfold the section."""
        self.heading.setChecked(True)

    @property
    def is_open(self) -> bool:
        """True while the contents are shown."""
        return bool(self.heading.isChecked())

    def _on_toggled(self, on: bool) -> None:
        QgsSettings().setValue(self._key, not on)
        self._show_state()
        if on:
            self.unfolded.emit()

    def _show_state(self) -> None:
        on = self.is_open
        self.body.setVisible(on)
        self.heading.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        text = f"{self._title} · {self._note}" if self._note else self._title
        self.heading.setText(inert(single_line(text)))
        self.heading.setToolTip(inert(single_line(text)))
        self.heading.setAccessibleName(inert(text))
        self.heading.setAccessibleDescription(tr("Unfolded") if on else tr("Folded"))
