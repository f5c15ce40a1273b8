"""Bar above a record that comes from a catalogue: its catalogue, its other versions, and a button that saves it."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Optional, Sequence, Tuple

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from ...core.i18n import tr
from ..widgets.buttons import text_button
from ..widgets.labels import PlainLabel
from ..widgets.theme import scale_font

#: least width of the text beside the buttons, in characters
_MIN_TEXT_CHARACTERS = 24


class OriginAction(str, Enum):
    """Action on a record from a catalogue."""

    SAVE = "keep"
    RELOAD = "again"
    DETAILS = "why"


class CatalogueOriginBar(QFrame):
    """Bar with the origin of the selected record.

    ``action_requested`` carries an OriginAction. ``version_requested`` carries the number of a version in the
    list given to ``show_origin``.
    """

    action_requested = pyqtSignal(object)
    version_requested = pyqtSignal(int)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.text_label = PlainLabel()
        self.text_label.setWordWrap(True)
        scale_font(self.text_label, 0.92)
        self.text_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.save_button = text_button(tr("Save"), partial(self.action_requested.emit, OriginAction.SAVE))
        self.save_button.setToolTip(tr("Save to my records, to use it offline too"))
        self.save_button.setAccessibleName(tr("Save to my records"))
        self.reload_button = text_button(tr("Reload"), partial(self.action_requested.emit, OriginAction.RELOAD))
        self.reload_button.setToolTip(tr("Request the whole record again"))
        self.details_button = text_button(tr("Why"), partial(self.action_requested.emit, OriginAction.DETAILS))
        self.versions = text_button("", None)
        self.versions.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.versions.setToolTip(tr("Every version of this record, the newest first"))
        self.versions.setMenu(QMenu(self.versions))
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        buttons.addStretch(1)
        for button in (self.details_button, self.reload_button, self.versions, self.save_button):
            buttons.addWidget(button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(6, 2, 4, 2)
        self._row.setSpacing(4)
        self._row.addWidget(self.text_label, 1)
        self._row.addWidget(self._buttons)
        self.hide()

    def show_origin(self, text: str, versions: Sequence[Tuple[str, bool]], can_save: bool, failed: bool) -> None:
        """Show the record's origin, or hide the bar if ``text`` is empty.

        ``versions`` holds the label of each version and whether it is the one on display. ``can_save`` offers to save
        the record, and ``failed`` to load it again.
        """
        self.text_label.setText(text)
        self.setAccessibleName(text)
        menu = self.versions.menu()
        menu.clear()
        for number, (label, is_shown) in enumerate(versions):
            action = menu.addAction(label.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(is_shown)
            action.triggered.connect(lambda _on, number=number: self.version_requested.emit(number))
        self.versions.setText(tr("%n version(s)", n=len(versions)))
        self.versions.setVisible(len(versions) > 1)
        self.save_button.setVisible(can_save)
        for button in (self.reload_button, self.details_button):
            button.setVisible(failed)
        self.setVisible(bool(text))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: place the buttons below the text in a narrow dock."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = self.width() - self._buttons.sizeHint().width()
        beside = room > _MIN_TEXT_CHARACTERS * self.fontMetrics().averageCharWidth()
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
