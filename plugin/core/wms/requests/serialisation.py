"""Building of a Request from parameters, and its forms as text (06-042 6.3.3, 6.3.4)."""

from __future__ import annotations

import shlex
from typing import Mapping, Optional

from ...request import Request
from .urls import ParameterValue, complete_url, encode_form, with_parameters

FORM_MEDIA_TYPE = "application/x-www-form-urlencoded"
XML_MEDIA_TYPE = "text/xml; charset=UTF-8"


def build_request(address: str, method: str, parameters: Mapping[str, ParameterValue],
                  body: Optional[bytes] = None) -> Request:
    """Return a request with ``parameters``.

    GET appends them to ``address``. POST sends them as a form, or sends ``body``, an XML document with the same
    content. Raises InvalidRequest if ``address`` is not an http(s) address.
    """
    if method == "GET":
        return Request("GET", with_parameters(address, parameters))
    if body is not None:
        return Request("POST", complete_url(address, parameters), {"Content-Type": XML_MEDIA_TYPE}, body)
    return Request("POST", complete_url(address, parameters), {"Content-Type": FORM_MEDIA_TYPE},
                   encode_form(parameters))


def as_http_message(request: Request) -> str:
    """Return the request as text: method and address, headers, a blank line, the body."""
    head = [f"{request.method} {request.url}", *(f"{name}: {value}" for name, value in request.headers.items())]
    return "\n".join(head) if request.body is None else "\n".join([*head, "", request.body.decode("utf-8", "replace")])


def as_curl_command(request: Request) -> str:
    """Return the request as a curl command for a POSIX shell."""
    parts = ["curl", "--location", "--globoff", shlex.quote(request.url)]
    for name, value in request.headers.items():
        parts += ["--header", shlex.quote(f"{name}: {value}")]
    if request.body is not None:
        parts += ["--data-binary", shlex.quote(request.body.decode("utf-8", "replace"))]
    return " ".join(parts)
