"""Capabilities that are kept: what a server gives to ask whether they still hold, that question, and its answer.

Two ways, both used where they are offered: HTTP's validators (RFC 9110, 8.8 and 13.1) and the service's own
UPDATESEQUENCE (06-042 7.2.3.5).
"""

from __future__ import annotations

from typing import Dict, Mapping

from ...request import Request, Response
from ..model.service import Service
from ..responses.exception_reports import read_exception_report
from .get_capabilities import capabilities_request

#: the names under which validators are kept, beside the header that asks with them
_CONDITIONAL_HEADERS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
#: the service's own number, and the version that it had to be asked for ("" where none was)
UPDATE_SEQUENCE, REQUESTED_VERSION = "updatesequence", "version"


def cache_validators(headers: Mapping[str, str], service: Service, requested_version: str = "") -> Dict[str, str]:
    """What is kept beside a capabilities document to ask later whether it still holds; ``headers`` in lower case."""
    kept = {name: headers[name] for name in _CONDITIONAL_HEADERS if headers.get(name)}
    if service.update_sequence:
        kept[UPDATE_SEQUENCE] = service.update_sequence
    if requested_version:
        kept[REQUESTED_VERSION] = requested_version
    return kept


def conditional_request(endpoint: str, validators: Mapping[str, str]) -> Request:
    """GetCapabilities, to be answered in full only if it is no longer what was kept with ``validators``."""
    request = capabilities_request(endpoint, validators.get(REQUESTED_VERSION, ""), validators.get(UPDATE_SEQUENCE, ""))
    headers = {header: validators[name] for name, header in _CONDITIONAL_HEADERS.items() if name in validators}
    return Request(request.method, request.url, headers)


def is_not_modified(response: Response) -> bool:
    """Whether the answer says that what was kept still holds: HTTP's 304, or the exception CurrentUpdateSequence."""
    return response.status == 304 or _exception_code(response) == "currentupdatesequence"


def rejects_update_sequence(response: Response) -> bool:
    """Whether the service knows of no such UPDATESEQUENCE, as when it was set up anew: then it is asked without."""
    return _exception_code(response) == "invalidupdatesequence"


def _exception_code(response: Response) -> str:
    if len(response.body) > 20_000:
        return ""
    report = read_exception_report(response.body, response.content_type)
    return report.code.strip().lower() if report is not None else ""
