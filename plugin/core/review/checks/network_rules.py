"""Conventions of a network for the records of its services.

They apply only to records of services of the network's node. Breaking one is not an error elsewhere, but makes a record
harder to find and to use together with the others of the network.
"""

from __future__ import annotations

import re
from typing import Iterable, List
from urllib.parse import urlsplit

from ...i18n import tr
from ...network_profile import NetworkProfile, starter_record_id
from ...records.model.languages import alpha3
from ...terms.model import Decision
from ...text import shorten
from ...wms.model.protocol import OPERATION_NAMES, operation_key
from .inspire_rules import CATEGORIES
from .rules import CheckContext, Family, RuleSet, Severity, Violation

PROTOCOL = "OGC:WMS-1.3.0-http-get-map"
_BASIS = "Conventions of the network"
_IDENTIFIER = re.compile(r"[0-9a-f]{40}")


def applies_to_network(context: CheckContext) -> bool:
    """Return True if the record is of a service of the profile's node, at its present address or an older one."""
    return context.is_service and context.profile is not None and is_of_node(context.endpoint, context.profile)


def is_of_node(address: str, profile: NetworkProfile) -> bool:
    """Return True if ``address`` is that of a service of the node, on any host."""
    path = urlsplit(address).path if address else ""
    folder, _, name = path.rpartition("/")
    if not name or not profile.service_prefix or not name.lower().startswith(f"{profile.service_prefix.lower()}_"):
        return False
    return address.startswith(f"{profile.base_url}/") or folder in {path for _, path in _service_folders(profile)}


def _service_folders(profile: NetworkProfile) -> List[tuple[str, str]]:
    """Return scheme with host, and folder, of the profile's services."""
    folders = []
    for address in profile.endpoints.values():
        parts = urlsplit(address)
        folders.append((f"{parts.scheme}://{parts.netloc}", parts.path.rpartition("/")[0]))
    return list(dict.fromkeys(folders))


rule_set = RuleSet(Family.NETWORK, applies_to_network)


@rule_set.rule("address", Severity.WARNING, _BASIS, lambda: tr("Address of the network"),
               lambda: tr("The service's address is in the network's folder of services."),
               lambda: tr("Give the present address of the service. Older hosts may be shut down."))
def address(context: CheckContext) -> Iterable[Violation]:
    """Check the address against ``{base_url}/medioambiente/mapwms/{NODE}_…``."""
    if context.profile is None:
        return
    parts = urlsplit(context.endpoint)
    folder = (f"{parts.scheme}://{parts.netloc}", parts.path.rpartition("/")[0])
    folders = _service_folders(context.profile)
    if folders and folder not in folders:
        yield Violation("online", tr("The service's address is not in the network's folder of services."),
                        context.endpoint, "".join(folders[0]) + "/")


@rule_set.rule("address-prefix", Severity.WARNING, _BASIS, lambda: tr("Address ends in “?”"),
               lambda: tr("The service's address ends in “?”, so that parameters can be appended."),
               lambda: tr("Write the address up to “?”, without parameters."))
def address_prefix(context: CheckContext) -> Iterable[Violation]:
    if not context.endpoint.endswith("?"):
        yield Violation("online", tr("The service's address does not end in “?”."), context.endpoint)


@rule_set.rule("protocol", Severity.WARNING, _BASIS, lambda: tr("Protocol of the link"),
               lambda: tr("The link to the service has the protocol {protocol}.", protocol=PROTOCOL),
               lambda: tr("Give the link the protocol {protocol}.", protocol=PROTOCOL))
def protocol(context: CheckContext) -> Iterable[Violation]:
    """Check the protocol by which clients recognise the link for GetMap requests."""
    if not any(link.protocol == PROTOCOL for link in context.record.online):
        yield Violation("online", tr("No link has the protocol of the network's map services."),
                        shorten(", ".join(link.protocol or "" for link in context.record.online)))


@rule_set.rule("identifier", Severity.NOTE, _BASIS, lambda: tr("Identifier of the record"),
           lambda: tr("The file identifier has 40 hexadecimal digits, the SHA-1 of the path of the service's address."),
           lambda: tr("Nothing needs to be done, unless the record was copied from that of another service."))
def identifier(context: CheckContext) -> Iterable[Violation]:
    """Check that the identifier has 40 lowercase hexadecimal digits and belongs to the address."""
    current_id, expected_id = context.record.id or "", starter_record_id(context.endpoint)
    if current_id and not _IDENTIFIER.fullmatch(current_id):
        yield Violation("id", tr("The identifier is not one of 40 hexadecimal digits."), current_id, expected_id)
    elif current_id and current_id != expected_id:
        yield Violation("id", tr("The identifier is not the one that belongs to the service's address."), current_id,
                        expected_id)


@rule_set.rule("service-type", Severity.NOTE, _BASIS, lambda: tr("Service type of the network"),
           lambda: tr("The service type is OGC:WMS, its version 1.3.0."),
           lambda: tr("Give the service type OGC:WMS with the version 1.3.0."))
def service_type(context: CheckContext) -> Iterable[Violation]:
    record = context.record
    if record.service_type != "OGC:WMS" or "1.3.0" not in record.service_versions:
        yield Violation("service_type", tr("Service type or version are not those of the network's map services."),
                        " ".join(part for part in (record.service_type, *record.service_versions) if part))


@rule_set.rule("fees", Severity.WARNING, _BASIS, lambda: tr("Fees"),
           lambda: tr("The record states what the service costs in a recognised wording (“Gratuito”)."),
           lambda: tr("Enter “Gratuito” as the fees if the service is free of charge."))
def fees(context: CheckContext) -> Iterable[Violation]:
    if not context.record.fees:
        yield Violation("fees", tr("The record does not state what the service costs."))
    elif context.terms.free is Decision.UNDECIDED:
        yield Violation("fees", tr("Whether the service is free of charge is not clear."), shorten(context.record.fees))


@rule_set.rule("constraints", Severity.WARNING, _BASIS, lambda: tr("References to the licence"),
           lambda: tr("The use limitation refers to the constraints, these refer to the other constraints, and "
                      "those state the permitted use and the credit."),
           lambda: tr("Set access and use constraints to “otherRestrictions”, and enter the licence in the other "
                      "constraints."))
def constraints(context: CheckContext) -> Iterable[Violation]:
    """Check the references: use limitation → access and use constraints → other constraints."""
    record = context.record
    for field, codes in (("access_constraints", record.access_constraints),
                         ("use_constraints", record.use_constraints)):
        if "otherRestrictions" not in codes:
            yield Violation(field, tr("The constraint does not refer to the other constraints."),
                            ", ".join(codes), severity=Severity.NOTE)
    if not any(item.text or item.href for item in record.other_constraints):
        yield Violation("other_constraints", tr("The licence is missing: there are no other constraints."))
    elif context.terms.credit_required is Decision.UNDECIDED:
        yield Violation("other_constraints",
                        tr("The licence does not state the credit in a recognised wording."),
                        shorten(record.other_constraints[0].text))


@rule_set.rule("operations", Severity.NOTE, _BASIS, lambda: tr("Operations of the network"),
           lambda: tr("All six operations are listed, each by HTTP-GET and HTTP-POST."),
           lambda: tr("List the missing operations, as the service's capabilities name them."))
def operations(context: CheckContext) -> Iterable[Violation]:
    listed = {operation_key(item.name): item for item in context.record.operations}
    missing = [name for name in OPERATION_NAMES if name.lower() not in listed]
    if missing:
        yield Violation("operations", tr("Operations are missing: {names}.", names=", ".join(missing)))
    for name in OPERATION_NAMES:
        item = listed.get(name.lower())
        platforms = {re.sub(r"[^a-z]", "", platform.lower()) for platform in item.platforms} if item else set()
        if item is not None and not {"httpget", "httppost"} <= platforms:
            yield Violation("operations",
                            tr("{operation} is not listed for both HTTP-GET and HTTP-POST.", operation=name),
                            ", ".join(item.platforms))


@rule_set.rule("format", Severity.NOTE, _BASIS, lambda: tr("Distribution format"),
           lambda: tr("The distribution format is WMS, 1.3.0."), lambda: tr("Give the distribution format WMS, 1.3.0."))
def distribution_format(context: CheckContext) -> Iterable[Violation]:
    if not any((item.name or "").upper() == "WMS" for item in context.record.formats):
        yield Violation("formats", tr("WMS is not among the distribution formats."),
                        ", ".join(item.name or "" for item in context.record.formats))


@rule_set.rule("distribution-units", Severity.NOTE, _BASIS, lambda: tr("Units of distribution"),
           lambda: tr("If one link has a label (units of distribution), all have one."),
           lambda: tr("Label the other links too, such as “Servicio WMS” and “Ficha WMS”."))
def distribution_units(context: CheckContext) -> Iterable[Violation]:
    online = context.record.online
    if any(link.distribution_units for link in online):
        for link in online:
            if not link.distribution_units:
                yield Violation("online", tr("The link has no units of distribution, but others do."),
                                shorten(link.url))


@rule_set.rule("keywords", Severity.NOTE, _BASIS, lambda: tr("Keywords of the network"),
           lambda: tr("The keywords contain “WMS” and the category of the service."),
           lambda: tr("Add the keywords WMS and humanInteractionService."))
def keywords(context: CheckContext) -> Iterable[Violation]:
    present = {keyword.strip().casefold() for keyword in context.record.keywords}
    required = (("WMS", "wms" in present), ("humanInteractionService", bool(present & CATEGORIES)))
    missing = [name for name, is_present in required if not is_present]
    if missing:
        yield Violation("keywords", tr("Keywords are missing: {names}.", names=", ".join(missing)))


@rule_set.rule("revision", Severity.WARNING, _BASIS, lambda: tr("Date of revision"),
           lambda: tr("The resource has a date of revision."), lambda: tr("Give the date of the last revision."))
def revision(context: CheckContext) -> Iterable[Violation]:
    """Check the date of revision, from which the credit line takes its year."""
    if not any((date.type or "").lower() == "revision" for date in context.record.dates):
        yield Violation("dates", tr("The resource has no date of revision."),
                        ", ".join(date.value for date in context.record.dates))


@rule_set.rule("overviews", Severity.NOTE, _BASIS, lambda: tr("Thumbnails"),
           lambda: tr("The record has a thumbnail and a large thumbnail."), lambda: tr("Add both thumbnails."))
def overviews(context: CheckContext) -> Iterable[Violation]:
    if len(context.record.overviews) < 2:
        yield Violation(
            "overviews",
            tr("The record has no thumbnail.")
            if not context.record.overviews else tr("The record has only one of its two thumbnails."),
            shorten(", ".join(item.url for item in context.record.overviews)))


@rule_set.rule("metadata", Severity.NOTE, _BASIS, lambda: tr("Metadata about the record"),
           lambda: tr("The record is written in Spanish and UTF-8, and names its standard with its version."),
           lambda: tr("Give language, character set, and the standard's name and version, as the network's other "
                      "records do."))
def metadata_block(context: CheckContext) -> Iterable[Violation]:
    record = context.record
    if record.language and alpha3(record.language) != "spa":
        yield Violation("language", tr("The record is not written in Spanish, as the network's others are."),
                        record.language)
    if (record.character_set or "").lower().replace("-", "") != "utf8":
        yield Violation("character_set", tr("The record does not state UTF-8 as its character set."),
                        record.character_set or "")
    if not record.standard_name or not record.standard_version:
        yield Violation("standard_name", tr("The record does not name its standard and the standard's version."),
                        " ".join(part for part in (record.standard_name, record.standard_version) if part))


@rule_set.rule("status", Severity.NOTE, _BASIS, lambda: tr("Status"),
           lambda: tr("The record gives the resource's status."),
           lambda: tr("Give the status, such as “Completed”."))
def status(context: CheckContext) -> Iterable[Violation]:
    if not context.record.status:
        yield Violation("status", tr("The status of the resource is not given."))
