"""A request as a value: built and compared in core, carried by gis/network.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional


@dataclass(frozen=True)
class Request:
    """One HTTP request: method ("GET" or "POST"), absolute http(s) address, headers, and a body for POST."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Optional[bytes] = None

    @property
    def content_type(self) -> str:
        """The Content-Type header of the body, or an empty string."""
        return next((value for name, value in self.headers.items() if name.lower() == "content-type"), "")


@dataclass(frozen=True)
class Response:
    """What came back: status, headers with lower-case names, the whole body, the final address, seconds taken."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str
    seconds: float = 0.0

    @property
    def content_type(self) -> str:
        """The media type alone, in lower case, without parameters."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()
