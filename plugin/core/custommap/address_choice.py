"""The GetMap address of a planned layer: the advertised one where it is usable, else the record's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional
from urllib.parse import urlsplit, urlunsplit

from ..addresses import host_of_address, is_internal_host
from ..errors import InvalidRequest
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from ..wms.model.service import Service
from ..wms.requests.urls import query_parameters, url_prefix
from .model import LoginUse


@dataclass(frozen=True)
class GetMapAddress:
    """A GetMap address.

    ``url`` is a prefix (06-042 6.3.3). ``ignore_advertised``: the addresses in the capabilities are not to be used.
    ``note`` explains to people why the address differs from the record's. ``authcfg`` is the id of the authentication
    configuration that all requests of the layers may carry, and ``login_use`` says where one decided the choice.
    ``login_address`` and ``login_target`` are the address that a withheld login is for and the one that it would have
    to be sent to.
    """

    url: str
    ignore_advertised: bool = False
    note: str = ""
    authcfg: str = ""
    login_use: Optional[LoginUse] = None
    login_address: str = ""
    login_target: str = ""


def choose_getmap_address(endpoint: str, service: Service) -> GetMapAddress:
    """Return the address for GetMap: the advertised one, where the service answers GetCapabilities there too.

    Where only the maps are served elsewhere, QGIS finds that address itself and the endpoint is returned. An unusable
    address (not http(s), a host in the server's internal network, a missing parameter of the endpoint) is ignored. One
    that falls back from https to http on the same host is requested by https. Raises InvalidRequest where the endpoint
    is not a web address.
    """
    endpoint_prefix = url_prefix(endpoint)
    operation = service.operation("GetMap")
    advertised = _prefix(operation.get if operation else None)
    if operation is None or not operation.get:
        return GetMapAddress(endpoint_prefix)
    if advertised is None:
        return GetMapAddress(
            endpoint_prefix, True,
            tr("The service's address for maps is not a web address ({address}). The "
               "record's address is used.", address=operation.get[:200]))
    if advertised == endpoint_prefix:
        return GetMapAddress(endpoint_prefix)
    host, advertised_host = host_of_address(endpoint_prefix), host_of_address(advertised)
    if is_internal_host(advertised_host) and not is_internal_host(host):
        return GetMapAddress(
            endpoint_prefix, True,
            tr("The service's address for maps ({address}) is inside its own network. The "
               "record's address is used.", address=advertised))
    if advertised_host == host and _loses_parameters(endpoint_prefix, advertised):
        return GetMapAddress(endpoint_prefix, True)
    if endpoint_prefix.startswith("https:") and advertised.startswith("http:") and advertised_host == host:
        return GetMapAddress(_with_endpoint_scheme(advertised, endpoint_prefix), True)
    note = ""
    if normalise_endpoint(advertised) != normalise_endpoint(endpoint_prefix):
        note = tr("The service's maps come from {address}, the record names {endpoint}.", address=advertised,
                  endpoint=endpoint_prefix)
    capabilities = service.operation("GetCapabilities")
    answers_there = _prefix(capabilities.get if capabilities else None) == advertised
    return GetMapAddress(advertised if answers_there else endpoint_prefix, False, note)


def is_getmap_address(address: GetMapAddress, service: Service) -> bool:
    """Return true where QGIS sends GetMap to the chosen address itself, with the parameters in it."""
    operation = service.operation("GetMap")
    return address.ignore_advertised or operation is None or _prefix(operation.get) in (None, address.url)


def _prefix(address: Optional[str]) -> Optional[str]:
    try:
        return url_prefix(address) if address else None
    except InvalidRequest:
        return None


def _loses_parameters(endpoint: str, advertised: str) -> bool:
    """Return true where the advertised address lacks a parameter of the endpoint (``map=…``)."""
    advertised_names = {name.lower() for name, _ in query_parameters(advertised)}
    return any(name.lower() not in advertised_names for name, _ in query_parameters(endpoint))


def _with_endpoint_scheme(advertised: str, endpoint: str) -> str:
    parts, endpoint_parts = urlsplit(advertised), urlsplit(endpoint)
    return urlunsplit((endpoint_parts.scheme, endpoint_parts.netloc, parts.path, "",
                       "")) + "?" + (f"{parts.query}" if parts.query else "")
