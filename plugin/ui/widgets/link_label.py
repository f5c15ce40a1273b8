"""Label with links that are legible in every theme, unlike Qt's own blue on a dark one."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QLabel, QWidget

from .theme import ThemeColours


class LinkLabel(QLabel):
    """Label that wraps its text and whose links work by mouse and by keyboard (``linkActivated``)."""

    def __init__(self, text: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._html = text
        self.setWordWrap(True)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self._apply_link_colour()

    def setText(self, text: str) -> None:  # noqa: N802
        """Qt: set another text, which must be HTML of the plugin's making."""
        self._html = text
        self._apply_link_colour()

    def text(self) -> str:
        """Qt: return the text as it was set."""
        return self._html

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: apply the colour of the theme, which is known now."""
        self._apply_link_colour()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: apply the colour of another theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._apply_link_colour()

    def _apply_link_colour(self) -> None:
        # rich text ignores the palette's colour for links
        coloured = self._html.replace("<a ", f'<a style="color: {ThemeColours(self).link.name()}" ')
        if coloured != super().text():
            super().setText(coloured)
