"""Any supported catalogue document to Records."""

from __future__ import annotations

from .documents import read, read_all
from .from_service import record_from_service
from .model import Record

__all__ = ["Record", "read", "read_all", "record_from_service"]
