"""GetCapabilities (OGC 06-042 7.2)."""

from __future__ import annotations

from typing import Dict

from ...request import Request
from ..model.service import Service
from ..model.versions import base_parameters
from .request_validation import operation_url, require_operation
from .serialisation import build_request
from .urls import ParameterValue


def capabilities_request(address: str, version: str = "1.3.0", update_sequence: str = "",
                         method: str = "GET") -> Request:
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


def advertised_capabilities_request(service: Service, method: str = "GET", address: str = "", update_sequence: str = "",
                                    version: str = "") -> Request:
    """Return a GetCapabilities request to the address that the service advertises.

    ``version`` defaults to the version of ``service``. Raises InvalidRequest if there is no address for ``method``.
    """
    target = operation_url(require_operation(service, "GetCapabilities"), method, address)
    return capabilities_request(target, version or service.version, update_sequence, method)
