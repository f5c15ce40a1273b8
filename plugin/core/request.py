"""Requests and responses as values, built and compared in core and sent by ``plugin/gis/network``.

Requests have forms as text too, for people (06-042 6.3.3, 6.3.4).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from enum import Enum
from typing import Mapping, Optional

from .addresses import without_secrets


class HttpMethod(str, Enum):
    GET = "GET"
    POST = "POST"


@dataclass(frozen=True)
class Request:
    """HTTP request: method, absolute http(s) address, headers, and a body for POST."""

    method: HttpMethod
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


def as_http_message(request: Request) -> str:
    """Return the request as text: method and address (without login and keys), headers, a blank line, the body."""
    head = [f"{request.method.value} {without_secrets(request.url)}",
            *(f"{name}: {value}" for name, value in request.headers.items())]
    return "\n".join(head) if request.body is None else "\n".join([*head, "", request.body.decode("utf-8", "replace")])


def as_curl_command(request: Request) -> str:
    """Return the request as a curl command for a POSIX shell, without the login and the keys of its address."""
    parts = ["curl", "--location", "--globoff", shlex.quote(without_secrets(request.url))]
    for name, value in request.headers.items():
        parts += ["--header", shlex.quote(f"{name}: {value}")]
    if request.body is not None:
        parts += ["--data-binary", shlex.quote(request.body.decode("utf-8", "replace"))]
    return " ".join(parts)
