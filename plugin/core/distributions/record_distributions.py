"""The distributions of a record (DCAT 6.8): what each of its links and connect points leads to."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import Dict, Iterator, List, Optional, Sequence, Tuple
from urllib.parse import unquote, urlsplit

from ..addresses import is_web_address
from ..records.model.endpoints import normalise_endpoint
from ..records.model.record import Operation, Record
from ..wms.model.protocol import operation_key
from ..wms.requests.urls import own_parameters
from .kinds import OPERATIONS, PROTOCOL_WORDS, LinkKind, Role
from .links import Link, Reading, read_link

#: protocols that services of INSPIRE's types have (SpatialDataServiceType), the likeliest first
_SERVICE_TYPES: Dict[str, Tuple[LinkKind, ...]] = {
    "view": (LinkKind.WMS, LinkKind.WMTS), "download": (LinkKind.WFS, LinkKind.ATOM, LinkKind.OGCAPI_FEATURES,
    LinkKind.WCS),
    "discovery": (LinkKind.CATALOGUE,), "invoke": (LinkKind.OTHER_SERVICE,),
    "transformation": (LinkKind.OTHER_SERVICE,)}
#: an address to which parameters are appended, or that servers of several protocols have
_ENDPOINT = re.compile(r"[?&]$|/(?:ows|services?|mapserv\w*|map)/?(?:\?.*)?$|[?&]map=", re.IGNORECASE)


@dataclass(frozen=True)
class Distribution:
    """One way to a resource: a service, a file or a page about it.

    ``address`` is as written. ``names`` are those of layers, types of features, coverages or collections. Those that
    are ``guessed`` count only if the service has them. Unless it is ``sure``, the server's own document has to say the
    kind, which may be one of ``possible``. ``because`` names the field and the rule.
    """

    kind: Optional[LinkKind]
    address: str
    names: Tuple[str, ...] = ()
    title: str = ""
    media_type: str = ""
    sure: bool = False
    because: str = ""
    possible: Tuple[LinkKind, ...] = ()
    guessed: bool = False

    @property
    def role(self) -> Role:
        """The use of it. Of an unknown kind it is a page."""
        return self.kind.role if self.kind is not None else Role.INFORMATION


def distributions_of(record: Record) -> Tuple[Distribution, ...]:
    """Return the distributions of ``record`` in the order of its links and connect points, each service once.

    A link that names a media type at the bare address of a service does not lead to a file.
    """
    found: Dict[Tuple[Optional[LinkKind], str], Distribution] = {}
    for distribution in chain(_linked(record), _connected(record.operations, _kinds_of_service(record))):
        key = (distribution.kind, normalise_endpoint(distribution.address))
        former = found.get(key)
        if former is None or distribution.sure and not former.sure or distribution.names and not former.names:
            found[key] = distribution
    endpoints = {address for (kind, address), one in found.items() if kind in OPERATIONS.values() and one.sure}
    return tuple(one for (_kind, address), one in found.items()
                 if address not in endpoints or not (one.because.startswith("media type:") and _is_bare(one.address)))


def _is_bare(address: str) -> bool:
    """Return whether an address asks nothing of the service that is there."""
    return not any(name.lower() == "request" for name, _value in own_parameters(urlsplit(address).query, ()))


def wms_distributions(record: Record) -> Tuple[Distribution, ...]:
    """Return the Web Map Services of ``record``, each once, the one first that maps are best requested from."""
    found: Dict[str, Distribution] = {}
    for distribution in _wms_of(record):
        found.setdefault(normalise_endpoint(distribution.address), distribution)
    return tuple(found.values())


def wms_address(record: Record) -> Optional[str]:
    """Return the address of the record's WMS as written, with its path and parameters, or None if it has none."""
    return next((distribution.address for distribution in _wms_of(record)), None)


def describes_endpoint(record: Record, endpoint: str) -> bool:
    """Return whether ``record`` names ``endpoint``, in any spelling, as the address of a WMS."""
    key = normalise_endpoint(endpoint)
    return any(normalise_endpoint(distribution.address) == key for distribution in _wms_of(record))


def coupled_identifiers(record: Record) -> Tuple[str, ...]:
    """Return the identifiers of the data that a service operates on.

    A reference that is an address has it in the parameter ``id``, in its fragment, or as the last part of its path.
    """
    found: Dict[str, None] = {}
    for reference in record.operates_on:
        found.setdefault(reference)
        if is_web_address(reference):
            path, _, query = reference.partition("?")
            parameters = re.findall(r"(?i)(?:^|[&;])(?:id|uuid|resourceid)=([^&#]+)", query)
            parts = [*parameters, reference.rpartition("#")[2], path.partition("#")[0].rstrip("/").rpartition("/")[2]]
            found.update(dict.fromkeys(unquote(part) for part in parts if part))
    return tuple(found)


def service_kind(record: Record) -> Optional[LinkKind]:
    """Return the kind of a service by its record, or None if the record does not say it.

    INSPIRE's types say what a service is for: a "view" service may be a WMS, a WMTS or something else. Then its
    versions and its distributions decide.
    """
    stated = _stated_kind(record)
    if stated is not None:
        return stated
    kinds = [one.kind for one in distributions_of(record) if one.kind is not None and one.role is not Role.INFORMATION]
    likely = [kind for kind in _kinds_of_type(record) if kind in kinds]
    return next(iter(likely or kinds), None)


def _wms_of(record: Record) -> Iterator[Distribution]:
    """Yield the Web Map Services of ``record``: sure links before connect points, and those for GetMap before all."""
    links = [(index, one) for index, one in enumerate(_linked(record)) if one.kind is LinkKind.WMS]
    sure = [(index, one) for index, one in links if one.sure]
    for_maps = {index for index, _ in links if "get-map" in (record.online[index].protocol or "").lower()}
    stated = {index for index, _ in links if PROTOCOL_WORDS.find(record.online[index].protocol or "") is LinkKind.WMS}
    sure.sort(key=lambda item: (item[0] not in for_maps, item[0] not in stated))
    yield from (one for _, one in sure)
    # they are read last: an index reads them only of records without a better address
    yield from (one for one in _connected(record.operations, _kinds_of_service(record)) if one.kind is LinkKind.WMS)
    yield from (one for _, one in links if not one.sure)


def _linked(record: Record) -> Iterator[Distribution]:
    for resource in record.online:
        link = Link(resource.url, resource.protocol or "", resource.protocol_uri or "", resource.media_type or "",
                    resource.function or "",
                    resource.name or "", resource.description or "")
        reading = read_link(link)
        of_service = _kinds_of_service(record) if _is_open(reading) else ()
        yield _distribution(link, reading, of_service)


def _connected(operations: Sequence[Operation], of_service: Tuple[LinkKind, ...]) -> Iterator[Distribution]:
    for operation in operations:
        kind = OPERATIONS.get(operation_key(operation.name))
        possible = (kind,) if kind is not None else of_service
        for point in operation.connect_points:
            link = Link(point.url, point.protocol or "", name=point.name or "")
            reading = read_link(link)
            # a connect point is called after its operation or its service
            reading = replace(reading, guessed=reading.guessed or reading.names == (link.name,))
            yield _distribution(link, reading, possible, f"operation: {operation.name}")


def _kinds_of_service(record: Record) -> Tuple[LinkKind, ...]:
    """Return the kinds that the type, the versions and the operations of a service name, the likeliest first."""
    stated = _stated_kind(record)
    if stated is not None:
        return (stated,)
    operations: List[LinkKind] = [kind for kind in (OPERATIONS.get(operation_key(operation.name))
                                                for operation in record.operations) if kind is not None]
    return tuple(dict.fromkeys([*operations, *_kinds_of_type(record)]))


def _stated_kind(record: Record) -> Optional[LinkKind]:
    """Return the kind that the type or a version of a service names, or None."""
    named = map(PROTOCOL_WORDS.find, (record.service_type or "", *record.service_versions))
    return next((kind for kind in named if kind is not None), None)


def _kinds_of_type(record: Record) -> Tuple[LinkKind, ...]:
    return _SERVICE_TYPES.get((record.service_type or "").strip().lower().rpartition("/")[2], ())


def _is_open(reading: Reading) -> bool:
    return not reading.sure and (reading.kind is None or bool(reading.possible))


def _distribution(link: Link, reading: Reading, of_service: Tuple[LinkKind, ...], because: str = "") -> Distribution:
    """Return the distribution of a link, whose kind the record's service decides where the link leaves it open."""
    kind, why = reading.kind, reading.because
    if of_service and _is_open(reading):
        fitting = [one for one in of_service if one in reading.possible]
        if not fitting and kind is None and (because or _ENDPOINT.search(link.url.rstrip())):
            fitting = list(of_service)
        if fitting:
            kind, why = fitting[0], because or "service type"
    return Distribution(kind, link.url, reading.names, link.name, link.media_type, reading.sure, why,
                        reading.possible or (of_service if not reading.sure else ()), reading.guessed)
