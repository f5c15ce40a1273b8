"""Comparison of a record with its live service, and the rules applied by it (OGC 06-042 7.2.4)."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Iterable, Iterator, List, Optional, Set, Tuple

from ...addresses import is_web_address
from ...box import Box
from ...distributions.record_distributions import wms_address
from ...i18n import tr
from ...records.model.endpoints import normalise_endpoint
from ...records.model.extents import format_extent
from ...records.model.record import Extent, Record, ResourceKind
from ...text import fold, shorten, states_nothing
from ...wms.model.protocol import operation_key
from ...wms.model.service import Service
from .rules import Family, Finding, RuleSet, Severity, Violation, sorted_findings

rule_set = RuleSet(Family.SERVICE)
_BASIS = "OGC 06-042, 7.2.4"
#: similarity from which two texts count as the same
_SIMILARITY = 0.6
_MAX_TEXT = 4_000

TITLE = rule_set.add("title", Severity.NOTE, _BASIS, lambda: tr("Title"),
                     lambda: tr("Record and service have the same title, or nearly so."),
                     lambda: tr("Give both the same title, because people search for one and find the other."))
ABSTRACT = rule_set.add("abstract", Severity.NOTE, _BASIS, lambda: tr("Abstract"),
                        lambda: tr("Record and service have similar abstracts."),
                        lambda: tr("Check which of the two texts is newer."))
FEES = rule_set.add("fees", Severity.WARNING, _BASIS, lambda: tr("Fees"),
                    lambda: tr("Record and service agree on what the use costs."),
                    lambda: tr("Ask the publisher which one applies; until then do not rely on it being free."))
CONSTRAINTS = rule_set.add("constraints", Severity.WARNING, _BASIS, lambda: tr("Constraints"),
                           lambda: tr("Record and service agree on the terms."),
                           lambda: tr("Keep to the stricter one until the publisher says which one applies."))
VERSION = rule_set.add("version", Severity.WARNING, "OGC 06-042, 6.2.4", lambda: tr("Version"),
                       lambda: tr("The service supports the version named in the record."),
                       lambda: tr("Correct the version in the record."))
BOX = rule_set.add("box", Severity.WARNING, _BASIS, lambda: tr("Bounding box"),
                   lambda: tr("The record has the extent of the service."),
                   lambda: tr("Use the extent of the service, unless the record describes a part of it."))
MOVED = rule_set.add("moved", Severity.WARNING, "OGC 06-042, 6.3.3", lambda: tr("Moved service"),
                     lambda: tr("The service advertises the address given in the record."),
                     lambda: tr("Enter the address advertised by the service in the record."))
OPERATIONS = rule_set.add("operations", Severity.WARNING, _BASIS, lambda: tr("Operations"),
                          lambda: tr("The record lists the operations that the service offers."),
                          lambda: tr("List the operations as the capabilities do."))
PLATFORMS = rule_set.add("platforms", Severity.WARNING, _BASIS, lambda: tr("Platforms of the operations"),
                         lambda: tr("Each operation is offered by GET and POST as stated in the record."),
                         lambda: tr("List the platforms as the capabilities do."))
ADDRESS = rule_set.add("operation-address", Severity.WARNING, "OGC 06-042, 6.3.3",
                       lambda: tr("Addresses of the operations"),
                       lambda: tr("The operations have the addresses that the record gives."),
                       lambda: tr("Enter the addresses of the capabilities in the record."))
LAYERS = rule_set.add("layers", Severity.WARNING, _BASIS, lambda: tr("Layers"),
                      lambda: tr("The layers and data that the record names are those of the service."),
                      lambda: tr("Enter the layer's name as in the capabilities."))
CRS = rule_set.add("reference-systems", Severity.NOTE, "OGC 06-042, 7.2.4.6", lambda: tr("Reference systems"),
                   lambda: tr("The service offers the reference systems that the record names."),
                   lambda: tr("List the reference systems of the capabilities."))
RECORD_ID = rule_set.add("record", Severity.NOTE, "INSPIRE view services: MetadataUrl",
                         lambda: tr("Record of the service"), lambda: tr("The service names this record as its own."),
                         lambda: tr("Check the record that the service names. This one may be an older copy."))

_EPSG = re.compile(r"(?:EPSG|epsg)\D{0,40}?(?:/0/|::|:)?(\d{4,6})\b")
_IDENTIFIER = re.compile(r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4,}){2,}|[0-9a-f]{40}")
#: overlap from which two extents count as equal, and below which their difference is a warning
_SAME_EXTENT_SHARE, _OVERLAP_SHARE = 0.8, 0.3


def against_service(record: Record, service: Service) -> Tuple[Finding, ...]:
    """Return the differences between ``record`` and ``service``.

    In a finding ``value`` is what the record states and ``other`` what the service states.
    """
    findings: List[Finding] = []
    for part in (compare_texts, _compare_terms, _compare_version, _compare_extent, _compare_address,
                 _compare_operations, _compare_layers, _compare_reference_systems, _compare_record_id):
        findings += part(record, service)
    return sorted_findings(findings)


def _compare_terms(record: Record, service: Service) -> Iterator[Finding]:
    """Compare fees and constraints. Contradictions are warnings, other wording is only a note, and "none" states
    nothing.
    """
    from ...terms import terms_for
    from ...terms.model import Decision

    fees = "" if states_nothing(service.fees) else service.fees or ""
    if fees and fold(fees) != fold(record.fees or ""):
        record_free, service_free = terms_for(record).free, terms_for(None, Service("", fees=fees)).free
        if (service_free is Decision.YES) != (record_free is Decision.YES):
            yield FEES.finding(
                Violation("fees", tr("Only one of the two states that the use is free of charge."),
                          shorten(record.fees), shorten(fees)))
        elif not record.fees:
            yield FEES.finding(
                Violation("fees", tr("The record does not repeat the service's fees."), "", shorten(fees),
                          severity=Severity.NOTE))
        elif service_free is not record_free:
            yield FEES.finding(Violation("fees", tr("The fees are different."), shorten(record.fees), shorten(fees)))
    access = service.access_constraints or ""
    texts = [item.text or item.href or "" for item in record.other_constraints] + list(record.use_limitations)
    if states_nothing(access) or any(_contains_text(access, text) for text in texts):
        return
    record_points = set(terms_for(record).undecided)
    contradictions = [point for point in terms_for(record, service).undecided
                      if point not in record_points and point not in fees]
    record_text = shorten("; ".join(text for text in texts if text))
    if contradictions:
        yield CONSTRAINTS.finding(Violation("other_constraints", contradictions[0], record_text, shorten(access)))
    else:
        yield CONSTRAINTS.finding(
            Violation("other_constraints", tr("The constraints are worded differently."), record_text, shorten(access),
                      severity=Severity.NOTE))


def _compare_version(record: Record, service: Service) -> Iterator[Finding]:
    versions = [version for value in record.service_versions for version in re.findall(r"\d+\.\d+(?:\.\d+)?", value)]
    if versions and service.version not in versions:
        yield VERSION.finding(
            Violation("service_versions", tr("The service has a version that the record does not list."),
                      ", ".join(versions), service.version))


def _compare_extent(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the joint extent of the record with that of the root layer, in degrees."""
    stated = service.root.geographic_bbox if service.root else None
    service_box = stated and stated.unwrapped
    record_box = Box.around(box and box.unwrapped for box in (extent.box for extent in record.extents))
    if service_box is None or record_box is None:
        return
    texts = _format_box(record_box), _format_box(service_box)
    share = _overlap_share(record_box, service_box)
    if share >= _SAME_EXTENT_SHARE:
        return
    if _overlap_share(record_box.with_axes_swapped, service_box) >= _SAME_EXTENT_SHARE:
        message = tr("Longitude and latitude are swapped in the record.")
        yield BOX.finding(Violation("extents", message, *texts, severity=Severity.ERROR))
    elif share == 0:
        yield BOX.finding(Violation("extents", tr("The extents do not overlap."), *texts, severity=Severity.ERROR))
    else:
        yield BOX.finding(
            Violation("extents", tr("The extents are different."), *texts,
                      severity=None if share < _OVERLAP_SHARE else Severity.NOTE))


def _format_box(box: Box) -> str:
    return format_extent(Extent(box.west, box.east, box.south, box.north))


def _overlap_share(first: Box, second: Box) -> float:
    """Return the common area of two extents as a share of their joint area (0 if separate, 1 if equal)."""
    if not first.intersects(second):
        return 0.0
    shared = first.intersection(second)
    common = shared.width * shared.height
    both = sum(max(0.0, box.width) * max(0.0, box.height) for box in (first, second)) - common
    return common / both if both > 0 else float(first == second)


def _compare_address(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the addresses of the service in the record and in the capabilities, ignoring scheme and parameters."""
    record_url = wms_address(record)
    operation = service.operation("GetMap") or service.operation("GetCapabilities")
    service_url = operation.get if operation and operation.get else service.online_resource
    if not record_url or not service_url or not is_web_address(service_url):
        return
    if normalise_endpoint(record_url).partition("?")[0] != normalise_endpoint(service_url).partition("?")[0]:
        yield MOVED.finding(
            Violation("online", tr("The service refers its clients to another address."), record_url, service_url))
    elif record_url.lower().startswith("http:") and service_url.lower().startswith("https:"):
        yield MOVED.finding(
            Violation("online", tr("The service refers its clients to https."), record_url, service_url,
                      severity=Severity.NOTE))


def _compare_operations(record: Record, service: Service) -> Iterator[Finding]:
    if not record.operations or not service.operations:
        return
    offered = {operation_key(name): info for name, info in service.operations.items()}
    listed: dict[str, Set[str]] = {}
    for item in record.operations:
        listed.setdefault(operation_key(item.name),
                          set()).update(re.sub(r"[^a-z]", "", platform.lower()) for platform in item.platforms)
    missing = ", ".join(dict.fromkeys(
        item.name for item in record.operations if item.name and operation_key(item.name) not in offered))
    if missing:
        yield OPERATIONS.finding(
            Violation("operations", tr("The service does not offer what the record lists: {names}.", names=missing),
                      missing, ", ".join(service.operations)))
    additional = [info.name for name, info in offered.items() if name not in listed]
    if additional:
        yield OPERATIONS.finding(
            Violation("operations",
                      tr("The record does not list what the service offers: {names}.", names=", ".join(additional)), "",
                      ", ".join(additional), severity=Severity.NOTE))
    for name, info in offered.items():
        platforms = listed.get(name, set()) & {"httpget", "httppost"}
        if not platforms:
            continue
        offered_platforms = {key for key, address in (("httpget", info.get), ("httppost", info.post)) if address}
        if platforms - offered_platforms:
            yield PLATFORMS.finding(
                Violation("operations", tr("{operation}: the service offers fewer platforms.", operation=info.name),
                          _platform_names(platforms), _platform_names(offered_platforms)))
        elif offered_platforms - platforms:
            yield PLATFORMS.finding(
                Violation("operations", tr("{operation}: the service offers more platforms.", operation=info.name),
                          _platform_names(platforms), _platform_names(offered_platforms), severity=Severity.NOTE))
    yield from _compare_operation_addresses(record, service)


def _compare_operation_addresses(record: Record, service: Service) -> Iterator[Finding]:
    different = []
    for item in record.operations:
        info = service.operation(item.name)
        if info is None:
            continue
        service_urls = {normalise_endpoint(url).partition("?")[0] for url in (info.get, info.post) if url}
        record_urls = [point.url for point in item.connect_points if is_web_address(point.url)]
        if not service_urls or not record_urls:
            continue
        if not any(normalise_endpoint(url).partition("?")[0] in service_urls for url in record_urls):
            different.append((item.name, record_urls[0], info.get or info.post or ""))
    if different:
        names = ", ".join(dict.fromkeys(name for name, _, _ in different))
        yield ADDRESS.finding(
            Violation("operations", tr("Operations have other addresses in the service: {names}.", names=names),
                      different[0][1], different[0][2]))


def _platform_names(values: Iterable[str]) -> str:
    return ", ".join({"httpget": "HTTP-GET", "httppost": "HTTP-POST"}[value] for value in sorted(values))


def _compare_layers(record: Record, service: Service) -> Iterator[Finding]:
    """Compare the layers named by links, and the data records named by the layers' metadata."""
    names: Set[str] = set()
    record_url = wms_address(record)
    for link in record.online:
        if not link.name or not record_url or normalise_endpoint(link.url) != normalise_endpoint(record_url):
            continue
        names = names or {fold(text) for layer in service.iter_layers() for text in (layer.name, layer.title) if text}
        if not names:
            break
        layer_names = [part.strip() for part in link.name.split(",")]
        missing = [name for name in layer_names if fold(name) not in names]
        # a name with spaces is a title, not a list of layers
        if missing and not any(" " in name for name in layer_names) and fold(link.name) != fold(service.name or "WMS"):
            yield LAYERS.finding(
                Violation("online", tr("The service has no such layer."), ", ".join(missing),
                          tr("%n layer(s)", n=sum(1 for layer in service.iter_layers() if layer.name))))
    coupled = {_identifier(value) for value in record.operates_on} - {None}
    layer_records = {url.record_id or _identifier(url.url) for layer in service.iter_layers()
                     for url in layer.metadata_urls} - {None}
    if coupled and layer_records and not coupled <= layer_records:
        unknown = sorted(str(value) for value in coupled - layer_records)
        yield LAYERS.finding(
            Violation("operates_on", tr("No layer of the service links to this metadata record."),
                      shorten(", ".join(unknown)), shorten(", ".join(sorted(str(value) for value in layer_records))),
                      severity=Severity.NOTE))


def _identifier(text: str) -> Optional[str]:
    match = _IDENTIFIER.search(text)
    return match.group().lower() if match else None


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
    if record.id and named and record.id not in named and record.kind is ResourceKind.SERVICE:
        yield RECORD_ID.finding(
            Violation("id", tr("The service names another metadata record."), record.id, ", ".join(sorted(named))))


def _contains_text(first: str, second: str) -> bool:
    first_text, second_text = fold(first).strip(" ."), fold(second).strip(" .")
    return bool(second_text) and (first_text in second_text or second_text in first_text)


def compare_texts(record: Record, service: Service) -> Iterator[Finding]:
    """Compare title and abstract by their words, ignoring case, accents and quotes."""
    for rule, field, message, record_text, service_text in (
            (TITLE, "title", tr("The titles are different."), record.title, service.title),
            (ABSTRACT, "abstract", tr("The abstracts are different."), record.abstract, service.abstract)):
        if record_text and service_text and not texts_are_similar(record_text, service_text):
            yield rule.finding(Violation(field, message, shorten(record_text), shorten(service_text)))


def texts_are_similar(first: str, second: str) -> bool:
    """Return True if the texts are equal, one contains the other, or most of their words are equal in order."""
    first_text, second_text = fold(first[:_MAX_TEXT]), fold(second[:_MAX_TEXT])
    if first_text in second_text or second_text in first_text:
        return True
    return SequenceMatcher(None, first_text.split(), second_text.split(), autojunk=False).ratio() >= _SIMILARITY
