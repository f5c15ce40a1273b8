"""The dock of the custom map, beside the dock of the records."""

from __future__ import annotations

from typing import Optional

from qgis.gui import QgsDockWidget
from qgis.PyQt.QtWidgets import QWidget

from ...core.i18n import tr
from ...gis.runtime.guide_pages import GuideTopic
from ..composer.composer_panel import ComposerPanel
from ..widgets import guide
from .focus_chain import move_focus


class ComposeDock(QgsDockWidget):
    """Shows the composer. Its title counts the services of the map, so that they are seen behind another tab too."""

    def __init__(self, composer: ComposerPanel, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Custom map"), parent)
        self.setObjectName("CartoguideComposeDock")
        self.setWidget(composer)
        composer.setMinimumWidth(250)
        composer.count_changed.connect(self._show_count)
        guide.install_help(self, lambda: GuideTopic.MAPS)

    def open(self) -> None:
        """Show the dock in front of those that share its place."""
        self.show()
        self.raise_()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Qt: move the focus to the next widget, or to the one before it."""
        return move_focus(super().focusNextPrevChild, forward)

    def _show_count(self, count: int) -> None:
        self.setWindowTitle(tr("Custom map ({count})", count=count) if count else tr("Custom map"))
