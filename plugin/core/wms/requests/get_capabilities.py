"""GetCapabilities (OGC 06-042 7.2), and the revalidation of cached capabilities.

Two mechanisms of revalidation are used where offered: HTTP validators (RFC 9110, 8.8 and 13.1) and the service's
UPDATESEQUENCE (06-042 7.2.3.5).
"""

from __future__ import annotations

from typing import Dict, Mapping

from ...request import HttpMethod, Request, Response
from ..model.protocol import base_parameters
from ..model.service import Service
from ..responses.exception_reports import read_exception_report
from .request_validation import operation_url, require_operation
from .urls import ParameterValue, build_request

#: response header with a validator, and the request header that sends it back
_CONDITIONAL_HEADERS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
#: keys of the service's UPDATESEQUENCE and of the requested version ("" for none)
UPDATE_SEQUENCE, REQUESTED_VERSION = "updatesequence", "version"


def capabilities_request(address: str, version: str = "1.3.0", update_sequence: str = "",
                         method: HttpMethod = HttpMethod.GET) -> Request:
    """Return a GetCapabilities request (7.2.3).

    VERSION is optional in this operation. Without it the service answers with its highest version (6.2.4). With
    ``update_sequence`` a service whose capabilities are not newer answers with CurrentUpdateSequence (7.2.3.5). Raises
    InvalidRequest if ``address`` is not an http(s) address.
    """
    parameters: Dict[str, ParameterValue] = {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}
    if version:
        parameters = {**base_parameters(version, "GetCapabilities")}
    if update_sequence:
        parameters["UPDATESEQUENCE"] = update_sequence
    return build_request(address, method, parameters)


def advertised_capabilities_request(service: Service, method: HttpMethod = HttpMethod.GET, address: str = "",
                                    update_sequence: str = "", version: str = "") -> Request:
    """Return a GetCapabilities request to the address that the service advertises.

    ``version`` defaults to the version of ``service``. Raises InvalidRequest if there is no address for ``method``.
    """
    target = operation_url(require_operation(service, "GetCapabilities"), method, address)
    return capabilities_request(target, version or service.version, update_sequence, method)


def cache_validators(headers: Mapping[str, str], service: Service, requested_version: str = "") -> Dict[str, str]:
    """Return the values to store beside a capabilities document in order to revalidate it later.

    ``headers`` are the response's headers with lower-case names.
    """
    validators = {name: headers[name] for name in _CONDITIONAL_HEADERS if headers.get(name)}
    if service.update_sequence:
        validators[UPDATE_SEQUENCE] = service.update_sequence
    if requested_version:
        validators[REQUESTED_VERSION] = requested_version
    return validators


def conditional_request(endpoint: str, validators: Mapping[str, str]) -> Request:
    """Return a GetCapabilities request that is only answered in full if the cached document is out of date."""
    request = capabilities_request(endpoint, validators.get(REQUESTED_VERSION, ""), validators.get(UPDATE_SEQUENCE, ""))
    headers = {header: validators[name] for name, header in _CONDITIONAL_HEADERS.items() if name in validators}
    return Request(request.method, request.url, headers)


def is_not_modified(response: Response) -> bool:
    """Return whether the cached document is still valid: HTTP 304, or the exception CurrentUpdateSequence."""
    return response.status == 304 or _exception_code(response) == "currentupdatesequence"


def rejects_update_sequence(response: Response) -> bool:
    """Return whether the service rejects the UPDATESEQUENCE, for example after it was reinstalled.

    The request is then repeated without it.
    """
    return _exception_code(response) == "invalidupdatesequence"


def _exception_code(response: Response) -> str:
    if len(response.body) > 20_000:
        return ""
    report = read_exception_report(response.body, response.content_type)
    return report.code.strip().lower() if report is not None else ""
