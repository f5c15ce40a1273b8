"""The Processing provider ``cartoguide`` and the list of its algorithms."""

from __future__ import annotations

from typing import Sequence, Type

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from . import ICON
from .algorithm import CartoguideAlgorithm
from .audit_credits import AuditCredits
from .build_map import BuildCustomMap
from .check_records import CheckRecords
from .check_services import CheckServices
from .export_map import ExportCustomMap
from .harvest_source import HarvestSource
from .read_records import ReadRecords
from .resolve_terms import ResolveTerms
from .search_records import SearchRecords
from .take_snapshot import TakeSnapshot

#: all algorithms in the order of the work: records, terms and services, maps
ALGORITHMS: Sequence[Type[CartoguideAlgorithm]] = (ReadRecords, SearchRecords, HarvestSource, CheckRecords,
                                                   CheckServices, ResolveTerms, AuditCredits, BuildCustomMap,
                                                   ExportCustomMap, TakeSnapshot)


class CartoguideProvider(QgsProcessingProvider):
    """The provider of all algorithms. The modules that do the work are imported when an algorithm runs.

    The algorithms are registered as soon as the plugin is loaded, also for scripts that QGIS runs when it starts
    (``--code``). ``in_window`` is false in ``qgis_process``, where the help is formatted for a terminal.
    """

    def __init__(self, in_window: bool = False) -> None:
        super().__init__()
        self.in_window = in_window

    def id(self) -> str:
        """QGIS: the identifier before the colon."""
        return "cartoguide"

    def name(self) -> str:
        """QGIS: the name of the provider, the same in every language."""
        return "Cartoguide"

    def icon(self) -> QIcon:
        return QIcon(str(ICON))

    def svgIconPath(self) -> str:  # noqa: N802
        return str(ICON)

    def loadAlgorithms(self) -> None:  # noqa: N802
        for algorithm_class in ALGORITHMS:
            self.addAlgorithm(algorithm_class())
