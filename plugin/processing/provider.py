"""The Processing provider ``cartoguide``."""

from __future__ import annotations

from qgis.core import QgsProcessingProvider
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtGui import QIcon

from . import ICON


class CartoguideProvider(QgsProcessingProvider):
    """All algorithms; what they need for their work is imported when one of them runs.

    ``in_window``: QGIS's window is being made and shall not wait for them: they come as soon as it handles events.
    Otherwise (``qgis_process``) they are there at once, and their help is for a terminal.
    """

    def __init__(self, in_window: bool = False) -> None:
        super().__init__()
        self.in_window = in_window

    def id(self) -> str:
        """QGIS: what stands before the colon."""
        return "cartoguide"

    def name(self) -> str:
        """QGIS: the provider's name, the same in every language."""
        return "Cartoguide"

    def icon(self) -> QIcon:
        """QGIS: as the plugin's."""
        return QIcon(str(ICON))

    def svgIconPath(self) -> str:  # noqa: N802
        return str(ICON)

    def load(self) -> bool:
        """QGIS: the provider was added."""
        if self.in_window:
            QTimer.singleShot(0, self._load_now)
        else:
            self.refreshAlgorithms()
        return True

    def loadAlgorithms(self) -> None:  # noqa: N802
        from . import algorithms

        for kind in algorithms.ALL:
            self.addAlgorithm(kind())

    def _load_now(self) -> None:
        if not sip.isdeleted(self):
            self.refreshAlgorithms()
