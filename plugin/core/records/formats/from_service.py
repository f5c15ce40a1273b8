"""Record of a service built from its capabilities, for services without a catalogue record."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, List, Optional, Tuple

from ...text import states_nothing
from ..model.endpoints import normalise_endpoint
from ..model.record import (
    ConnectPoint,
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    DistributionFormat,
    Extent,
    KeywordGroup,
    OnlineResource,
    Operation,
    Record,
    RecordFormat,
    ResourceKind,
)
from ..xml.record_builder import flat_constraints

if TYPE_CHECKING:
    from ...wms.model.service import Layer, OperationInfo, Service



def record_from_service(service: Service, url: str = "", source: str = "") -> Record:
    """Return a Record with the values of the capabilities of ``service``.

    ``url`` is the address of the capabilities request, by default the address that the service advertises.
    """
    address = url or _advertised_address(service) or ""
    constraints = _constraints(service)
    keywords = tuple(dict.fromkeys(service.keywords))
    root = service.root
    record = Record(
        source_format=RecordFormat.WMS_CAPABILITIES.value, id=_identifier(address) if address else None,
        language=service.default_language,
        hierarchy_level="service", kind=ResourceKind.SERVICE, title=service.title or service.name or None,
        abstract=service.abstract, contacts=_contacts(service),
        keyword_groups=(KeywordGroup(keywords),) if keywords else (), keywords=keywords, constraint_groups=constraints,
        service_type="OGC:WMS", service_versions=(service.version,) if service.version else (),
        fees=(service.fees or "").strip() or None,
        operations=tuple(_operation(name, info) for name, info in service.operations.items()),
        extents=_extents(root), reference_systems=root.crs if root else (), formats=_formats(service),
        online=_online(service, address), original=service.original, source=source)
    return replace(record, **flat_constraints(constraints))


def _identifier(address: str) -> str:
    """Return the SHA-1 of the complete endpoint, because servers often share the same path."""
    return hashlib.sha1(normalise_endpoint(address).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def _advertised_address(service: Service) -> Optional[str]:
    for name in ("GetMap", "GetCapabilities"):
        info = service.operation(name)
        if info is not None and info.get:
            return info.get
    return service.online_resource


def _constraints(service: Service) -> Tuple[ConstraintGroup, ...]:
    statement = None if states_nothing(service.access_constraints) else (service.access_constraints or "").strip()
    if statement is None:
        return ()
    return (ConstraintGroup(ConstraintKind.LEGAL, access_constraints=("otherRestrictions",),
                            other_constraints=(Constraint(statement),)),)


def _contacts(service: Service) -> Tuple[Contact, ...]:
    about = service.contact
    contact = Contact(
        organisation=about.organisation, individual=about.individual, position=about.position,
        emails=(about.email,) if about.email else (), phones=(about.phone,) if about.phone else (),
        address=about.address, url=service.online_resource)
    if contact == Contact(url=contact.url):
        return ()
    return (replace(contact, role="pointOfContact"),)


def _operation(name: str, info: OperationInfo) -> Operation:
    platforms = [label for label, address in (("HTTP-GET", info.get), ("HTTP-POST", info.post)) if address]
    addresses = dict.fromkeys(address for address in (info.get, info.post) if address)
    points: List[ConnectPoint] = []
    for address in addresses:
        points += [ConnectPoint(address, media) for media in info.formats] or [ConnectPoint(address)]
    return Operation(name, tuple(platforms), tuple(points))


def _extents(root: Optional[Layer]) -> Tuple[Extent, ...]:
    bbox = root.geographic_bbox if root else None
    return (Extent(**bbox._asdict()),) if bbox else ()


def _formats(service: Service) -> Tuple[DistributionFormat, ...]:
    info = service.operation("GetMap")
    return (DistributionFormat("WMS", service.version or
                               None), *(DistributionFormat(media) for media in (info.formats if info else ())))


def _online(service: Service, address: str) -> Tuple[OnlineResource, ...]:
    links = []
    if address:
        links.append(OnlineResource(address, f"OGC:WMS-{service.version or '1.3.0'}-http-get-map", None,
                                    service.title or None))
    if service.online_resource and service.online_resource != address:
        links.append(OnlineResource(service.online_resource, "WWW:LINK-1.0-http--link"))
    links += [OnlineResource(link.url, link.format or link.type, None, None, "completeMetadata")
              for link in service.metadata_urls]
    return tuple(links)
