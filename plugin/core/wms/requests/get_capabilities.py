"""The operations of a WMS as request values, each built by a pure function from a Service and choices. Nothing is sent.

Every builder checks the choices against what the service advertises; InvalidRequest says what is not allowed and what
is.
"""

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
    """GetCapabilities (7.2.3). VERSION is optional here alone: without it the service answers with its highest (6.2.4).

    With ``update_sequence`` a service whose capabilities are no newer answers with CurrentUpdateSequence (7.2.3.5).
    """
    parameters: Dict[str, ParameterValue] = {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}
    if version:
        parameters = {**base_parameters(version, "GetCapabilities")}
    if update_sequence:
        parameters["UPDATESEQUENCE"] = update_sequence
    return build_request(address, method, parameters)


def advertised_capabilities_request(service: Service, method: str = "GET", address: str = "", update_sequence: str = "",
                                    version: str = "") -> Request:
    """GetCapabilities at the address that the service itself advertises, in ``version`` or the one that it spoke."""
    target = operation_url(require_operation(service, "GetCapabilities"), method, address)
    return capabilities_request(target, version or service.version, update_sequence, method)
