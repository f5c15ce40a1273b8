"""The list of all algorithms in the order of the work: records, terms and services, maps."""

from __future__ import annotations

from typing import Sequence, Type

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

ALGORITHMS: Sequence[Type[CartoguideAlgorithm]] = (ReadRecords, SearchRecords, HarvestSource, CheckRecords,
                                                   CheckServices, ResolveTerms, AuditCredits, BuildCustomMap,
                                                   ExportCustomMap, TakeSnapshot)
