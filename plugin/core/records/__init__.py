"""Readers of catalogue documents in any supported format."""

from __future__ import annotations

from .formats.from_service import record_from_service
from .input.document_reader import read, read_all
from .model.record import Record

__all__ = ["Record", "read", "read_all", "record_from_service"]
