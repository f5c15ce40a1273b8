"""Above the chosen record: that it comes from a catalogue, which other versions there are, and keeping it."""

from __future__ import annotations

from functools import partial
from typing import Optional, Sequence, Tuple

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from ..core.i18n import tr
from .buttons import word_button
from .theme import scaled_font

KEEP, AGAIN, WHY = "keep", "again", "why"
#: letters of a line of words that has buttons beside it
_ROOM_FOR_WORDS = 24


class OriginBar(QFrame):
    """``asked`` carries KEEP, AGAIN or WHY; ``version_asked`` the number of the version to be shown."""

    asked = pyqtSignal(str)
    version_asked = pyqtSignal(int)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setFont(scaled_font(self, 0.92))
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.keep = word_button(tr("Keep"), partial(self.asked.emit, KEEP))
        self.keep.setToolTip(tr("Keep in my records: it is there without a network too"))
        self.keep.setAccessibleName(tr("Keep in my records"))
        self.again = word_button(tr("Again"), partial(self.asked.emit, AGAIN))
        self.again.setToolTip(tr("Ask for the whole record again"))
        self.why = word_button(tr("Why"), partial(self.asked.emit, WHY))
        self.versions = word_button("", None)
        self.versions.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.versions.setToolTip(tr("Every version of this record, the newest first"))
        self.versions.setMenu(QMenu(self.versions))
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        buttons.addStretch(1)
        for button in (self.why, self.again, self.versions, self.keep):
            buttons.addWidget(button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(6, 2, 4, 2)
        self._row.setSpacing(4)
        self._row.addWidget(self.words, 1)
        self._row.addWidget(self._buttons)
        self.hide()

    def show_origin(self, words: str, versions: Sequence[Tuple[str, bool]], can_keep: bool, failed: bool) -> None:
        """Say where the record comes from; ``versions`` are words for each, and whether it is the one that is shown."""
        self.words.setText(words)
        self.setAccessibleName(words)
        menu = self.versions.menu()
        menu.clear()
        for number, (said, shown) in enumerate(versions):
            action = menu.addAction(said.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(shown)
            action.triggered.connect(lambda _on, number=number: self.version_asked.emit(number))
        self.versions.setText(tr("%n version(s)", n=len(versions)))
        self.versions.setVisible(len(versions) > 1)
        self.keep.setVisible(can_keep)
        for button in (self.again, self.why):
            button.setVisible(failed)
        self.setVisible(bool(words))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: in a narrow dock the buttons stand below the words, which would be cut beside them."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = self.width() - self._buttons.sizeHint().width()
        beside = room > _ROOM_FOR_WORDS * self.fontMetrics().averageCharWidth()
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
