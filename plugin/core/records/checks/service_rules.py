"""Comparison of a record with its live service, and the rules applied by it (OGC 06-042 7.2.4)."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Iterable, Iterator, List, Optional, Set, Tuple

from ...i18n import tr
from ...text import fold, shorten
from ...wms.model.service import Service
from ..model.endpoints import is_web_address, normalise_endpoint, wms_endpoint
from ..model.extents import extent_sides, format_extent
from ..model.record import Extent, Record
from .iso19119_rules import operation_key
from .rules import Family, Finding, RuleSet, Severity, Violation, sorted_findings

rule_set = RuleSet(Family.SERVICE)
_BASIS = "OGC 06-042, 7.2.4"
#: similarity from which two texts count as the same
_SIMILARITY = 0.6
_MAX_TEXT = 4_000

TITLE = rule_set.add("title", Severity.NOTE, _BASIS, lambda: tr("Title"),
                     lambda: tr("Record and service have the same title, or nearly so."),
                     lambda: tr("Give both the same title: people look for the one and find the other."))
ABSTRACT = rule_set.add("abstract", Severity.NOTE, _BASIS, lambda: tr("Abstract"),
                        lambda: tr("Record and service describe the same."),
                        lambda: tr("Look which of the two texts is the newer one."))
FEES = rule_set.add("fees", Severity.WARNING, _BASIS, lambda: tr("Fees"),
                    lambda: tr("Record and service agree on what the use costs."),
                    lambda: tr("Ask the publisher which one applies; until then do not rely on it being free."))
CONSTRAINTS = rule_set.add("constraints", Severity.WARNING, _BASIS, lambda: tr("Constraints"),
                           lambda: tr("Record and service agree on the terms."),
                           lambda: tr("Keep to the stricter one until the publisher says which one applies."))
VERSION = rule_set.add("version", Severity.WARNING, "OGC 06-042, 6.2.4", lambda: tr("Version"),
                       lambda: tr("The service speaks the version that the record names."),
                       lambda: tr("Correct the version in the record."))
BOX = rule_set.add("box", Severity.WARNING, _BASIS, lambda: tr("Bounding box"),
                   lambda: tr("The record's box is that of the service."),
                   lambda: tr("Take the box from the service, unless the record is about a part of it."))
MOVED = rule_set.add("moved", Severity.WARNING, "OGC 06-042, 6.3.3", lambda: tr("Moved service"),
                     lambda: tr("The service names the address that the record gives."),
                     lambda: tr("Write the service's own address into the record."))
OPERATIONS = rule_set.add("operations", Severity.WARNING, _BASIS, lambda: tr("Operations"),
                          lambda: tr("The record lists the operations that the service offers."),
                          lambda: tr("List the operations as the capabilities do."))
PLATFORMS = rule_set.add("platforms", Severity.WARNING, _BASIS, lambda: tr("Platforms of the operations"),
                         lambda: tr("Each operation is offered by GET and POST as the record says."),
                         lambda: tr("List the platforms as the capabilities do."))
ADDRESS = rule_set.add("operation-address", Severity.WARNING, "OGC 06-042, 6.3.3",
                       lambda: tr("Addresses of the operations"),
                       lambda: tr("The operations have the addresses that the record gives."),
                       lambda: tr("Write the addresses of the capabilities into the record."))
LAYERS = rule_set.add("layers", Severity.WARNING, _BASIS, lambda: tr("Layers"),
                      lambda: tr("The layers and data that the record names are those of the service."),
                      lambda: tr("Write the layer's name as the capabilities have it."))
CRS = rule_set.add("reference-systems", Severity.NOTE, "OGC 06-042, 7.2.4.6", lambda: tr("Reference systems"),
                   lambda: tr("The service offers the reference systems that the record names."),
                   lambda: tr("List the reference systems of the capabilities."))
RECORD_ID = rule_set.add("record", Severity.NOTE, "INSPIRE view services: MetadataUrl",
                         lambda: tr("Record of the service"), lambda: tr("The service names this record as its own."),
                         lambda: tr("Look at the record that the service names; this one may be an older copy."))

_EPSG = re.compile(r"(?:EPSG|epsg)\D*?(?:/0/|::|:)?(\d{4,6})\b")
_IDENTIFIER = re.compile(r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4,}){2,}|[0-9a-f]{40}")
#: overlap from which two extents count as equal, and below which their difference is a warning
_SAME_EXTENT_SHARE, _OVERLAP_SHARE = 0.8, 0.3


def against_service(record: Record, service: Service) -> Tuple[Finding, ...]:
    """Return the differences between ``record`` and ``service``.

    In a finding ``value`` is what the record states and ``other`` what the service states.
    """
    found: List[Finding] = []
    for part in (compare_texts, _compare_terms, _compare_version, _compare_extent, _compare_address,
                 _compare_operations, _compare_layers, _compare_reference_systems, _compare_record_id):
        found += part(record, service)
    return sorted_findings(found)


def _compare_terms(record: Record, service: Service) -> Iterator[Finding]:
    """Compare fees and constraints. Contradictions are warnings, other wording is only a note, and "none" states
    nothing.
    """
    from ...terms import resolve_terms
    from ...terms.fees import free_of_charge
    from ...terms.model import Decision

    fees = service.fees if service.fees and fold(service.fees) != "none" else ""
    if fees and fold(fees) != fold(record.fees or ""):
        says, told = resolve_terms(record).free, free_of_charge(fees)
        if told is Decision.YES and says is not Decision.YES or told is not Decision.YES and says is Decision.YES:
            yield FEES.finding(
                Violation("fees", tr("Only one of the two says that the use is free of charge."), shorten(record.fees),
                          shorten(fees)))
        elif not record.fees:
            yield FEES.finding(
                Violation("fees", tr("The record does not repeat the service's fees."), "", shorten(fees),
                          severity=Severity.NOTE))
        elif told is not says:
            yield FEES.finding(Violation("fees", tr("The fees are different."), shorten(record.fees), shorten(fees)))
    access = service.access_constraints or ""
    texts = [item.text or item.href or "" for item in record.other_constraints] + list(record.use_limitations)
    if not access or fold(access) == "none" or any(_contains_text(access, text) for text in texts):
        return
    alone = set(resolve_terms(record).undecided)
    doubts = [words for words in resolve_terms(record, service).undecided if words not in alone and words not in fees]
    said = shorten("; ".join(text for text in texts if text))
    if doubts:
        yield CONSTRAINTS.finding(Violation("other_constraints", doubts[0], said, shorten(access)))
    else:
        yield CONSTRAINTS.finding(
            Violation("other_constraints", tr("The constraints are worded differently."), said, shorten(access),
                      severity=Severity.NOTE))


def _compare_version(record: Record, service: Service) -> Iterator[Finding]:
    versions = [found for value in record.service_versions for found in re.findall(r"\d+\.\d+(?:\.\d+)?", value)]
    if versions and service.version not in versions:
        yield VERSION.finding(
            Violation("service_versions", tr("The service answers with a version that the record lacks."),
                      ", ".join(versions), service.version))


def _compare_extent(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the joint extent of the record with that of the root layer, in degrees."""
    box = service.root.geographic_bbox if service.root else None
    known = [found for found in (extent_sides(extent) for extent in record.extents) if found is not None]
    if box is None or not known:
        return
    own = (min(b[0] for b in known), min(b[1] for b in known), max(b[2] for b in known), max(b[3] for b in known))
    live = (box.west, box.south, box.east, box.north)
    words = format_extent(Extent(own[0], own[2], own[1],
                                 own[3])), format_extent(Extent(live[0], live[2], live[1], live[3]))
    share = _overlap_share(own, live)
    if share >= _SAME_EXTENT_SHARE:
        return
    if _overlap_share((own[1], own[0], own[3], own[2]), live) >= _SAME_EXTENT_SHARE:
        message = tr("Longitude and latitude stand in each other's place in the record.")
        yield BOX.finding(Violation("extents", message, *words, severity=Severity.ERROR))
    elif share == 0:
        yield BOX.finding(Violation("extents", tr("The boxes lie apart."), *words, severity=Severity.ERROR))
    else:
        yield BOX.finding(
            Violation("extents", tr("The boxes are different."), *words,
                      severity=None if share < _OVERLAP_SHARE else Severity.NOTE))


def _overlap_share(first: Tuple[float, float, float, float], second: Tuple[float, float, float, float]) -> float:
    """Return the common area of two extents as a share of their joint area (0 if separate, 1 if equal)."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width < 0 or height < 0:
        return 0.0
    both = sum(max(0.0, b[2] - b[0]) * max(0.0, b[3] - b[1]) for b in (first, second)) - width * height
    return width * height / both if both > 0 else float(first == second)


def _compare_address(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the addresses of the service in the record and in the capabilities, ignoring scheme and parameters."""
    own = wms_endpoint(record)
    operation = service.operation("GetMap") or service.operation("GetCapabilities")
    told = operation.get if operation and operation.get else service.online_resource
    if not own or not told or not is_web_address(told):
        return
    if normalise_endpoint(own).partition("?")[0] != normalise_endpoint(told).partition("?")[0]:
        yield MOVED.finding(Violation("online", tr("The service sends its clients to another address."), own, told))
    elif own.lower().startswith("http:") and told.lower().startswith("https:"):
        yield MOVED.finding(
            Violation("online", tr("The service sends its clients to https."), own, told, severity=Severity.NOTE))


def _compare_operations(record: Record, service: Service) -> Iterator[Finding]:
    if not record.operations or not service.operations:
        return
    offered = {operation_key(name): info for name, info in service.operations.items()}
    listed: dict[str, Set[str]] = {}
    for item in record.operations:
        listed.setdefault(operation_key(item.name),
                          set()).update(re.sub(r"[^a-z]", "", platform.lower()) for platform in item.platforms)
    gone = [item.name for item in record.operations if item.name and operation_key(item.name) not in offered]
    if gone:
        yield OPERATIONS.finding(
            Violation(
                "operations",
                tr("The service does not offer what the record lists: {names}.", names=", ".join(dict.fromkeys(gone))),
                ", ".join(dict.fromkeys(gone)), ", ".join(service.operations)))
    new = [info.name for name, info in offered.items() if name not in listed]
    if new:
        yield OPERATIONS.finding(
            Violation("operations",
                      tr("The record does not list what the service offers: {names}.", names=", ".join(new)), "",
                      ", ".join(new), severity=Severity.NOTE))
    for name, info in offered.items():
        platforms = listed.get(name, set()) & {"httpget", "httppost"}
        if not platforms:
            continue
        live = {key for key, there in (("httpget", info.get), ("httppost", info.post)) if there}
        if platforms - live:
            yield PLATFORMS.finding(
                Violation("operations", tr("{operation}: the service offers fewer platforms.", operation=info.name),
                          _platform_names(platforms), _platform_names(live)))
        elif live - platforms:
            yield PLATFORMS.finding(
                Violation("operations", tr("{operation}: the service offers more platforms.", operation=info.name),
                          _platform_names(platforms), _platform_names(live), severity=Severity.NOTE))
    yield from _compare_operation_addresses(record, service)


def _compare_operation_addresses(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the addresses of operations, with one finding for all that differ."""
    wrong = []
    for item in record.operations:
        info = service.operation(item.name)
        if info is None:
            continue
        live = {normalise_endpoint(url).partition("?")[0] for url in (info.get, info.post) if url}
        points = [point.url for point in item.connect_points if is_web_address(point.url)]
        if live and points and not any(normalise_endpoint(url).partition("?")[0] in live for url in points):
            wrong.append((item.name, points[0], info.get or info.post or ""))
    if wrong:
        names = ", ".join(dict.fromkeys(name for name, _, _ in wrong))
        yield ADDRESS.finding(
            Violation("operations", tr("Operations have other addresses in the service: {names}.", names=names),
                      wrong[0][1], wrong[0][2]))


def _platform_names(values: Iterable[str]) -> str:
    return ", ".join({"httpget": "HTTP-GET", "httppost": "HTTP-POST"}[value] for value in sorted(values))


def _compare_layers(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the layers named by links, and the data records named by the layers' metadata."""
    names: Set[str] = set()
    own = wms_endpoint(record)
    for link in record.online:
        if not link.name or not own or normalise_endpoint(link.url) != normalise_endpoint(own):
            continue
        names = names or {fold(text) for layer in service.iter_layers() for text in (layer.name, layer.title) if text}
        if not names:
            break
        wanted = [part.strip() for part in link.name.split(",")]
        missing = [name for name in wanted if fold(name) not in names]
        # a name with spaces is a title, not a list of layers
        if missing and not any(" " in name for name in wanted) and fold(link.name) != fold(service.name or "WMS"):
            yield LAYERS.finding(
                Violation("online", tr("The service has no such layer."), ", ".join(missing),
                          tr("%n layer(s)", n=sum(1 for layer in service.iter_layers() if layer.name))))
    coupled = {_identifier(value) for value in record.operates_on} - {None}
    live = {url.record_id or _identifier(url.url) for layer in service.iter_layers()
            for url in layer.metadata_urls} - {None}
    if coupled and live and not coupled <= live:
        gone = sorted(str(value) for value in coupled - live)
        yield LAYERS.finding(
            Violation("operates_on", tr("No layer of the service leads to this metadata record."),
                      shorten(", ".join(gone)), shorten(", ".join(sorted(str(value) for value in live))),
                      severity=Severity.NOTE))


def _identifier(text: str) -> Optional[str]:
    found = _IDENTIFIER.search(text)
    return found.group().lower() if found else None


def _compare_reference_systems(record: Record, service: Service) -> Iterator[Finding]:
    # thousands of layers share a few reference systems
    named = {crs for layer in service.iter_layers() for crs in layer.crs}
    offered = {code for crs in named for code in _EPSG.findall(crs)}
    if not offered:
        return
    for system in record.reference_systems:
        codes = _EPSG.findall(system)
        if codes and codes[0] not in offered:
            yield CRS.finding(
                Violation("reference_systems", tr("The service does not offer this reference system."), system,
                          shorten(", ".join(f"EPSG:{code}" for code in sorted(offered, key=int)))))


def _compare_record_id(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the identifier with the record named in the service's INSPIRE extension (MetadataUrl)."""
    named = {url.record_id for url in service.metadata_urls if url.record_id}
    if record.id and named and record.id not in named and record.kind == "service":
        yield RECORD_ID.finding(
            Violation("id", tr("The service names another metadata record."), record.id, ", ".join(sorted(named))))


def _contains_text(first: str, second: str) -> bool:
    one, other = fold(first).strip(" ."), fold(second).strip(" .")
    return bool(other) and (one in other or other in one)


def compare_texts(record: Record, service: Service) -> Iterator[Finding]:
    """Compare title and abstract by their words, ignoring case, accents and quotes."""
    for rule, field, message, own, live in (
            (TITLE, "title", tr("The titles are different."), record.title, service.title),
            (ABSTRACT, "abstract", tr("The abstracts are different."), record.abstract, service.abstract)):
        if own and live and not texts_are_similar(own, live):
            yield rule.finding(Violation(field, message, shorten(own), shorten(live)))


def texts_are_similar(first: str, second: str) -> bool:
    """Return True if the texts are equal, one contains the other, or most of their words are equal in order."""
    one, other = fold(first[:_MAX_TEXT]), fold(second[:_MAX_TEXT])
    if one in other or other in one:
        return True
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio() >= _SIMILARITY
