"""The Processing provider ``cartoguide``."""

from __future__ import annotations

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from . import ICON


class CartoguideProvider(QgsProcessingProvider):
    """All algorithms; what they need for their work is imported when one of them runs.

    They are there as soon as the plugin is, for scripts that QGIS runs at its start (``--code``) too.
    ``in_window``: not in ``qgis_process``, for which the help is written for a terminal.
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

    def loadAlgorithms(self) -> None:  # noqa: N802
        from . import algorithms

        for kind in algorithms.ALGORITHMS:
            self.addAlgorithm(kind())
