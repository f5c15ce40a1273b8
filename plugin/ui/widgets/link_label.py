"""A label whose links are read on every theme: Qt's own blue is lost on a dark one."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QLabel, QWidget

from .theme import ThemeColours


class LinkLabel(QLabel):
    """Wraps its words; its links are followed by mouse and keyboard (``linkActivated``)."""

    def __init__(self, text: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._html = text
        self.setWordWrap(True)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self._apply_link_colour()

    def setText(self, text: str) -> None:  # noqa: N802
        """Qt: other words, HTML made by us."""
        self._html = text
        self._apply_link_colour()

    def text(self) -> str:
        """Qt: the words as they were given."""
        return self._html

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: the theme is known now."""
        self._apply_link_colour()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: the theme is another one."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._apply_link_colour()

    def _apply_link_colour(self) -> None:
        # the palette's own colour for links is not asked by rich text
        dressed = self._html.replace("<a ", f'<a style="color: {ThemeColours(self).link.name()}" ')
        if dressed != super().text():
            super().setText(dressed)
