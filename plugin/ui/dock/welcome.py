"""Welcome panel of the first run."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from ...core.i18n import tr
from ...gis.runtime import settings
from ..widgets.labels import LinkLabel
from .search_bar import DockAction


class WelcomePanel(QFrame):
    """Offers three things to begin with, until one is chosen, a map is made or the panel is closed.

    ``action_requested`` carries a ``DockAction``. The panel is low, so that the dock fits on a small
    screen.
    """

    action_requested = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("Welcome to Cartoguide"))
        links = " · ".join(f'<a href="{action.value}">{label.replace(" ", "&nbsp;")}</a>' for action, label in (
            (DockAction.FIRST_MAP, tr("a first map")), (DockAction.FILES, tr("open records")),
            (DockAction.CATALOGUES, tr("switch on catalogues"))))
        self.label = LinkLabel(f"<b>{tr('Welcome to Cartoguide')}</b><br>{tr('Start with:')} {links}")
        self.label.linkActivated.connect(self._on_link)
        self.done = QToolButton()
        self.done.setText("×")
        self.done.setAutoRaise(True)
        self.done.setToolTip(tr("Close. The user guide (F1) remains available"))
        self.done.setAccessibleName(self.done.toolTip())
        self.done.clicked.connect(lambda _checked=False: self.dismiss())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 2, 2, 2)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.done, 0, Qt.AlignmentFlag.AlignTop)
        self.setVisible(not settings.get("welcomed"))

    def dismiss(self) -> None:
        """Close the panel for this session and all later ones."""
        settings.set("welcomed", True)
        self.hide()

    def _on_link(self, action: str) -> None:
        self.dismiss()
        self.action_requested.emit(action)
