"""Rules of ISO 19119:2005 with Amendment 1 on the identification of a service (SV_ServiceIdentification and others)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Iterable

from ...i18n import tr
from ...text import shorten
from ...wms.model.protocol import OPERATION_NAMES, operation_key
from .rules import CheckContext, Family, RuleSet, Severity, Violation


def _has_service_identification(context: CheckContext) -> bool:
    """Return True if the record has values that only the identification of a service contains."""
    record = context.record
    return bool(record.service_type or record.operations or record.coupling_type or record.service_versions)


level_rule_set = RuleSet(Family.ISO19119, lambda context: context.is_iso and context.is_service)
rule_set = RuleSet(
    Family.ISO19119,
    lambda context: context.is_iso and context.is_service and _has_service_identification(context))

#: DCPList of ISO 19119:2005 and ISO 19115-1, and values written by harvesters
PLATFORMS = frozenset(("xml", "corba", "java", "com", "sql", "webservices", "ftp", "http", "httpget", "httppost",
                       "httpsoap", "soap", "rest", "wfs", "z3950"))
COUPLINGS = ("tight", "loose", "mixed")
#: operations of OGC 06-042 and OGC 05-078r4 by their names without prefix, in lower case
WMS_OPERATIONS = frozenset((*(operation_key(name) for name in OPERATION_NAMES), "putstyles", "gettile"))


@level_rule_set.rule("identification", Severity.ERROR, "ISO 19119:2005, SV_ServiceIdentification",
               lambda: tr("Service identification"),
               lambda: tr("A record with the hierarchy level “Service” identifies a service."),
               lambda: tr("Describe the service (its type, coupling and operations), or correct the hierarchy level."))
def identification(context: CheckContext) -> Iterable[Violation]:
    if not _has_service_identification(context):
        yield Violation("hierarchy_level", tr("The hierarchy level is “service”, but the record does not describe "
                                              "a service."),
                        context.record.hierarchy_level or "")


@rule_set.rule("service-type", Severity.ERROR, "ISO 19119:2005, SV_ServiceIdentification: serviceType",
           lambda: tr("Service type"), lambda: tr("The record states the type of the service."),
           lambda: tr("Give the service type, such as OGC:WMS or view."))
def service_type(context: CheckContext) -> Iterable[Violation]:
    if not context.record.service_type:
        yield Violation("service_type", tr("The record does not state the type of service."))


@rule_set.rule("service-version", Severity.NOTE, "ISO 19119:2005, SV_ServiceIdentification: serviceTypeVersion",
           lambda: tr("Version of the service type"), lambda: tr("The record states the version of the service type."),
           lambda: tr("Give the version of the protocol, such as 1.3.0."))
def service_version(context: CheckContext) -> Iterable[Violation]:
    """Check serviceTypeVersion [0..*]. Without it a client has to guess the version."""
    if not context.record.service_versions:
        yield Violation("service_versions", tr("The version of the service type is not given."))


@rule_set.rule("coupling-type", Severity.WARNING,
           "ISO 19119:2005, SV_ServiceIdentification: couplingType, SV_CouplingType",
           lambda: tr("Coupling type"), lambda: tr("The coupling type is tight, loose or mixed."),
           lambda: tr("State how the service is coupled to its data: tight, loose or mixed."))
def coupling_type(context: CheckContext) -> Iterable[Violation]:
    value = context.record.coupling_type
    if not value:
        yield Violation("coupling_type", tr("The coupling type is not given."))
    elif value.lower() not in COUPLINGS:
        yield Violation("coupling_type", tr("The coupling type is not in the code list."), value)


@rule_set.rule("coupling", Severity.NOTE, "ISO 19119:2005, SV_ServiceIdentification: couplingType, operatesOn",
           lambda: tr("Coupling type and coupled data"),
           lambda: tr("A tightly coupled service names the data it operates on, and a loosely coupled one does not."),
           lambda: tr("Name the metadata records of the data (operatesOn), or change the coupling type to loose."))
def coupling(context: CheckContext) -> Iterable[Violation]:
    value = (context.record.coupling_type or "").lower()
    if value in ("tight", "mixed") and not context.record.operates_on:
        yield Violation("operates_on", tr("The service is coupled to its data, but the record does not name them."),
                        value)
    elif value == "loose" and context.record.operates_on:
        yield Violation("operates_on", tr("The service is coupled loosely, but the record names its data."),
                        shorten(", ".join(context.record.operates_on)),
                        advice=tr("Change the coupling type to tight or mixed, or remove the data."))


@rule_set.rule("operations", Severity.WARNING, "ISO 19119:2005, SV_ServiceIdentification: containsOperations",
           lambda: tr("Contained operations"), lambda: tr("The record lists the service's operations."),
           lambda: tr("List at least GetCapabilities with its address."))
def operations(context: CheckContext) -> Iterable[Violation]:
    record = context.record
    if not record.operations:
        yield Violation("operations", tr("The record lists no operation."))
    elif context.is_wms and not any(operation_key(item.name) == "getcapabilities" for item in record.operations):
        yield Violation("operations", tr("GetCapabilities is not among the operations."),
                        ", ".join(item.name for item in record.operations), severity=Severity.NOTE)


@rule_set.rule("operation-name", Severity.WARNING, "ISO 19119:2005, SV_OperationMetadata: operationName",
           lambda: tr("Operation name"), lambda: tr("Every operation has a name that its standard defines."),
           lambda: tr("Write the operation's name as in the standard, such as GetMap."))
def operation_name(context: CheckContext) -> Iterable[Violation]:
    for operation in context.record.operations:
        if not operation.name:
            yield Violation("operations", tr("An operation has no name."),
                            shorten(", ".join(point.url for point in operation.connect_points)))
        elif context.is_wms and operation_key(operation.name) not in WMS_OPERATIONS:
            yield Violation("operations", tr("This is not an operation of a Web Map Service."), operation.name,
                            severity=Severity.NOTE)


@rule_set.rule("operation-repeated", Severity.NOTE, "ISO 19119:2005, SV_OperationMetadata",
           lambda: tr("Each operation once"), lambda: tr("No operation is listed twice."),
           lambda: tr("Merge the entries: one operation may have several platforms and addresses."))
def operation_repeated(context: CheckContext) -> Iterable[Violation]:
    """Check for one SV_OperationMetadata for each operation. One for each platform is common and accepted."""
    counted = Counter((item.name, item.platforms) for item in context.record.operations if item.name)
    for (name, _), count in counted.items():
        if count > 1:
            yield Violation("operations", tr("The operation is listed %n time(s).", n=count), name)


@rule_set.rule("operation-address", Severity.WARNING, "ISO 19119:2005, SV_OperationMetadata: connectPoint",
           lambda: tr("Address of an operation"), lambda: tr("Every operation has an address."),
           lambda: tr("Give the address at which the operation is called."))
def operation_address(context: CheckContext) -> Iterable[Violation]:
    for operation in context.record.operations:
        if operation.name and not operation.connect_points:
            yield Violation("operations", tr("The operation has no address."), operation.name)


@rule_set.rule("operation-platform", Severity.NOTE, "ISO 19119:2005, SV_OperationMetadata: DCP, DCPList",
           lambda: tr("Platform of an operation"),
           lambda: tr("Every operation names its platforms from the code list."),
           lambda: tr("Give WebServices, or HTTP-GET and HTTP-POST as the service offers them."))
def operation_platform(context: CheckContext) -> Iterable[Violation]:
    for operation in context.record.operations:
        if not operation.platforms:
            yield Violation("operations", tr("The operation has no platform."), operation.name,
                            severity=Severity.WARNING)
        for platform in operation.platforms:
            if re.sub(r"[^a-z0-9]", "", platform.lower()) not in PLATFORMS:
                yield Violation("operations",
                                tr("{operation}: the platform is not in the code list.", operation=operation.name),
                                platform)
