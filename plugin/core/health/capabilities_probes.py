"""Probes of a service that need only its capabilities: content, version, agreement with its record."""

from __future__ import annotations

from typing import List, Optional

from ..addresses import is_web_address
from ..custommap.planner import drawable_layers
from ..i18n import tr
from ..records.model.record import Record
from ..review.checks.rules import Severity
from ..review.checks.service_rules import against_service
from ..text import list_names
from ..wms.model.service import Service
from .health_check import Probe, ProbeKind, Verdict

_MAX_NAMES_LISTED = 4


def capabilities_faults(service: Service) -> List[str]:
    """Return descriptions of what clients need but the capabilities lack (06-042 7.2.4)."""
    faults = []
    info = service.operation("GetMap")
    if info is None or not info.get:
        faults.append(tr("GetMap has no address."))
    elif not is_web_address(info.get):
        faults.append(tr("The address of GetMap is not a web address: {address}.", address=info.get[:120]))
    if info is not None and not info.formats:
        faults.append(tr("GetMap lists no image format."))
    layers = drawable_layers(service)
    if not layers:
        faults.append(tr("No layer has a name, so none can be requested."))
    without_crs = [layer.name or "" for layer in layers if not layer.crs]
    if without_crs:
        faults.append(
            tr("Layers without a coordinate reference system: {layers}.", layers=_summarise_names(without_crs)))
    without_box = [layer.name or "" for layer in layers if layer.geographic_bbox is None]
    if without_box:
        faults.append(tr("Layers without a geographic bounding box: {layers}.", layers=_summarise_names(without_box)))
    names = [layer.name for layer in service.iter_layers() if layer.name]
    duplicates = [name for name in dict.fromkeys(names) if names.count(name) > 1] if len(names) < 5000 else []
    if duplicates:
        faults.append(tr("Names used by several layers: {layers}.", layers=_summarise_names(duplicates)))
    return faults


def content_probe(service: Service) -> Probe:
    faults = capabilities_faults(service)
    if faults:
        return Probe(ProbeKind.CONTENT, Verdict.DOUBTFUL, " ".join(faults))
    return Probe(ProbeKind.CONTENT, Verdict.GOOD, tr("%n layer(s)", n=len(drawable_layers(service))))


def version_probe(service: Service) -> Probe:
    """Return the probe of the service's version. 1.3.0 is the current one."""
    if service.version == "1.3.0":
        return Probe(ProbeKind.VERSION, Verdict.GOOD, service.version)
    message = tr("{version}; the current version is 1.3.0", version=service.version)
    return Probe(ProbeKind.VERSION, Verdict.DOUBTFUL, message)


def terms_probe(record: Optional[Record], service: Service) -> Probe:
    """Return the probe that compares record and service: terms, version, extent, operations, layers."""
    if record is None:
        return Probe(ProbeKind.TERMS, Verdict.SKIPPED, tr("There is no record of this service."))
    findings = against_service(record, service)
    problems = [finding for finding in findings if finding.severity is not Severity.NOTE]
    detail = "\n".join(f"{finding.message} {finding.value} / {finding.other}" for finding in findings)
    if problems:
        message = " ".join(finding.message for finding in problems[:_MAX_NAMES_LISTED])
        return Probe(ProbeKind.TERMS, Verdict.DOUBTFUL, message, detail=detail)
    if findings:
        message = tr("The record agrees with the service, in different words.")
    else:
        message = tr("The record agrees with the service.")
    return Probe(ProbeKind.TERMS, Verdict.GOOD, message, detail=detail)


def _summarise_names(names: List[str]) -> str:
    return list_names([name[:60] for name in names], _MAX_NAMES_LISTED)
