"""Web Map Services (OGC 06-042): capabilities, operations as request values, responses. Nothing here uses the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model.service import Service


def read_service(data: bytes, name: str = "") -> Service:
    """Return the Service that the capabilities document ``data`` describes.

    Raises the errors of ``capabilities.parser.read_service``.
    """
    from .capabilities.parser import read_service as read

    return read(data, name)
