"""Web Map Services: capabilities, the operations as request values, what servers answer. Nothing is sent from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model.service import Service


def read_service(data: bytes, name: str = "") -> Service:
    """The Service that the capabilities document ``data`` describes; see ``capabilities.read_service``."""
    from .capabilities.parser import read_service as read

    return read(data, name)
