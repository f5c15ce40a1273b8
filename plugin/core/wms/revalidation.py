"""Capabilities that are kept: what a server gives to ask whether they still hold, that question, and its answer.

Two ways, both used where they are offered: HTTP's validators (RFC 9110, 8.8 and 13.1) and the service's own
UPDATESEQUENCE (06-042 7.2.3.5).
"""

from __future__ import annotations

from typing import Dict, Mapping

from ..request import Request, Response
from .exceptions import read_exception
from .model import Service
from .requests import capabilities_request

#: the names under which validators are kept, beside the header that asks with them
_HEADERS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
#: the service's own number, and the version that it had to be asked for ("" where none was)
SEQUENCE, VERSION = "updatesequence", "version"


def validators_of(headers: Mapping[str, str], service: Service, asked_version: str = "") -> Dict[str, str]:
    """What is kept beside a capabilities document to ask later whether it still holds; ``headers`` in lower case."""
    kept = {name: headers[name] for name in _HEADERS if headers.get(name)}
    if service.update_sequence:
        kept[SEQUENCE] = service.update_sequence
    if asked_version:
        kept[VERSION] = asked_version
    return kept


def asks_for_news(endpoint: str, validators: Mapping[str, str]) -> Request:
    """GetCapabilities, to be answered in full only if it is no longer what was kept with ``validators``."""
    request = capabilities_request(endpoint, validators.get(VERSION, ""), validators.get(SEQUENCE, ""))
    headers = {header: validators[name] for name, header in _HEADERS.items() if name in validators}
    return Request(request.method, request.url, headers)


def is_unchanged(response: Response) -> bool:
    """Whether the answer says that what was kept still holds: HTTP's 304, or the exception CurrentUpdateSequence."""
    return response.status == 304 or _code(response) == "currentupdatesequence"


def refuses_sequence(response: Response) -> bool:
    """Whether the service knows of no such UPDATESEQUENCE, as when it was set up anew: then it is asked without."""
    return _code(response) == "invalidupdatesequence"


def _code(response: Response) -> str:
    if len(response.body) > 20_000:
        return ""
    report = read_exception(response.body, response.content_type)
    return report.code.strip().lower() if report is not None else ""
