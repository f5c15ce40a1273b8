"""What capabilities say of a service's health, without another request: sound, of which version, as the record says."""

from __future__ import annotations

from typing import List, Optional

from ..custommap.layer_choice import drawable_layers
from ..i18n import tr
from ..records.checks.rules import Severity
from ..records.checks.service_rules import against_service
from ..records.model.endpoints import is_web_address
from ..records.model.record import Record
from ..wms.model.service import Service
from .health_check import CONTENT, TERMS, VERSION, Probe, Verdict

_MAX_NAMES_LISTED = 4


def capabilities_faults(service: Service) -> List[str]:
    """What is missing in the capabilities that a client needs (06-042 7.2.4), in words."""
    faults = []
    info = service.operation("GetMap")
    if info is None or not info.get:
        faults.append(tr("GetMap has no address."))
    elif not is_web_address(info.get):
        faults.append(tr("The address of GetMap is no web address: {address}.", address=info.get[:120]))
    if info is not None and not info.formats:
        faults.append(tr("GetMap names no image format."))
    layers = drawable_layers(service)
    if not layers:
        faults.append(tr("No layer has a name, so none can be asked for."))
    without_crs = [layer.name or "" for layer in layers if not layer.crs]
    if without_crs:
        faults.append(
            tr("Layers without a coordinate reference system: {layers}.", layers=_summarise_names(without_crs)))
    without_box = [layer.name or "" for layer in layers if layer.geographic_bbox is None]
    if without_box:
        faults.append(tr("Layers without a box in degrees: {layers}.", layers=_summarise_names(without_box)))
    names = [layer.name for layer in service.iter_layers() if layer.name]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1] if len(names) < 5000 else []
    if twice:
        faults.append(tr("Names that several layers share: {layers}.", layers=_summarise_names(twice)))
    return faults


def content_probe(service: Service) -> Probe:
    """Whether the capabilities hold what a client needs."""
    faults = capabilities_faults(service)
    if faults:
        return Probe(CONTENT, Verdict.DOUBTFUL, " ".join(faults))
    return Probe(CONTENT, Verdict.GOOD, tr("%n layer(s)", n=len(drawable_layers(service))))


def version_probe(service: Service) -> Probe:
    """The version that the service speaks; 1.3.0 is the current one."""
    if service.version == "1.3.0":
        return Probe(VERSION, Verdict.GOOD, service.version)
    return Probe(VERSION, Verdict.DOUBTFUL, tr("{version}; the current one is 1.3.0", version=service.version))


def terms_probe(record: Optional[Record], service: Service) -> Probe:
    """Whether the record says what the service says: terms, version, box, operations, layers."""
    if record is None:
        return Probe(TERMS, Verdict.SKIPPED, tr("There is no record of it."))
    findings = against_service(record, service)
    serious = [finding for finding in findings if finding.severity is not Severity.NOTE]
    detail = "\n".join(f"{finding.message} {finding.value} / {finding.other}" for finding in findings)
    if serious:
        return Probe(TERMS, Verdict.DOUBTFUL, " ".join(finding.message for finding in serious[:_MAX_NAMES_LISTED]),
                     detail=detail)
    words = tr("The record agrees with the service.") if not findings \
        else tr("The record says what the service says, in other words.")
    return Probe(TERMS, Verdict.GOOD, words, detail=detail)


def _summarise_names(names: List[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:_MAX_NAMES_LISTED])
    rest = len(names) - _MAX_NAMES_LISTED
    return tr("{names} and %n more", n=rest, names=shown) if rest > 0 else shown
