"""Requests and responses as values, built and compared in core and sent by ``plugin/gis/network``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional


@dataclass(frozen=True)
class Request:
    """HTTP request: method ("GET" or "POST"), absolute http(s) address, headers, and a body for POST."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Optional[bytes] = None

    @property
    def content_type(self) -> str:
        """Return the Content-Type header of the body, or ""."""
        return next((value for name, value in self.headers.items() if name.lower() == "content-type"), "")


@dataclass(frozen=True)
class Response:
    """HTTP response: status, headers with lower-case names, complete body, final address, duration in seconds."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str
    seconds: float = 0.0

    @property
    def content_type(self) -> str:
        """Return the media type in lower case, without parameters."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()
