"""Health checks of services: probes, a verdict for each and for the whole, their saved history, and reports of them.

Some probes need only the capabilities: content, version, agreement with the record. The others are one small request
for each operation, for one layer.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from enum import Enum
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import json_document
from .addresses import is_web_address
from .box import Box
from .csv_tables import csv_table
from .custommap.planner import drawable_layers
from .dates import format_date
from .errors import CartoguideError, InvalidDocument, InvalidRequest
from .featureinfo.queries import best_format
from .html_templates import render
from .i18n import tr
from .json_fields import (
    ValueKind,
    choice,
    items,
    json_object,
    member,
    number,
    object_of,
    read_object,
    string,
    write_object,
)
from .numbers import format_decimal
from .records.model.endpoints import normalise_endpoint
from .records.model.record import Record
from .request import Request, Response
from .review.checks.rules import Severity
from .review.checks.service_rules import against_service
from .text import list_names
from .wms.crs import bounding_boxes
from .wms.crs.codes import is_automatic_crs
from .wms.dimensions.declared_dimensions import select_dimension_values
from .wms.model.service import Layer, Service
from .wms.requests.get_feature_info import feature_info_request
from .wms.requests.get_map import MapOptions, map_request
from .wms.requests.request_validation import version_numbers
from .wms.requests.sld_profile import describe_layer_request, legend_request, styles_request
from .wms.responses.response_validation import ExpectedContent, check_response

HISTORY_FORMAT = "cartoguide-health/1"
#: limits of stored checks for each service, and in all
MAX_CHECKS_PER_SERVICE = 5
_MAX_CHECKS = 20_000
_MAX_DETAIL_LENGTH = 2_000
MAX_BYTES = 16 * 1024 * 1024


class Verdict(Enum):
    """The result of a probe, the best first. Values are used in documents."""

    GOOD = "good"
    SKIPPED = "skipped"
    DOUBTFUL = "doubtful"
    FAILED = "failed"

    @property
    def label(self) -> str:
        """The verdict as a translated word."""
        return {Verdict.GOOD: tr("works"), Verdict.SKIPPED: tr("not checked"), Verdict.DOUBTFUL: tr("questionable"),
                Verdict.FAILED: tr("failed")}[self]

    def count_label(self, count: int) -> str:
        """Return how many services have this verdict, in words: "3 working"."""
        return {Verdict.GOOD: tr("%n working", n=count), Verdict.SKIPPED: tr("%n not checked", n=count),
                Verdict.DOUBTFUL: tr("%n questionable", n=count), Verdict.FAILED: tr("%n not working", n=count)}[self]

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the verdicts without colour."""
        return {Verdict.GOOD: "✓", Verdict.SKIPPED: "–", Verdict.DOUBTFUL: "!", Verdict.FAILED: "✗"}[self]


class ProbeKind(str, Enum):
    """The parts of a health check, in their order. Values are used in documents."""

    CAPABILITIES = "capabilities"
    CONTENT = "content"
    VERSION = "version"
    TERMS = "terms"
    MAP = "map"
    LEGEND = "legend"
    INFO = "info"
    DESCRIBE = "describe"
    STYLES = "styles"

    @property
    def label(self) -> str:
        """The translated name of the probe."""
        return {
            ProbeKind.CAPABILITIES: tr("Returns its capabilities"),
            ProbeKind.CONTENT: tr("Capabilities are valid"),
            ProbeKind.VERSION: tr("Version"),
            ProbeKind.TERMS: tr("Record matches service"),
            ProbeKind.MAP: "GetMap",
            ProbeKind.LEGEND: tr("Legends"),
            ProbeKind.INFO: "GetFeatureInfo",
            ProbeKind.DESCRIBE: "DescribeLayer",
            ProbeKind.STYLES: "GetStyles",
        }[self]


_KINDS = {kind.value: kind for kind in ProbeKind}
_KIND = ValueKind(lambda node, key: _KINDS.get(node.text(key), node.text(key)),
                  lambda kind: kind.value if isinstance(kind, ProbeKind) else kind)
#: written as it was measured
_SECONDS = number(0, 1e6)._replace(write=float)


@json_object
class Probe:
    """The result of one probe.

    ``kind`` is a ``ProbeKind``, or another text from a newer document. ``message`` is translated text, ``seconds`` the
    duration of the request (None without one), ``url`` its address, ``detail`` technical text.
    """

    kind: Union[ProbeKind, str] = member(_KIND, name="part")
    verdict: Verdict = member(choice(Verdict), absent=Verdict.SKIPPED)
    message: str = member(string(), default="", name="words")
    seconds: Optional[float] = member(_SECONDS, default=None)
    url: str = member(string(70_000), default="")
    detail: str = member(string(clean=lambda text: text[:_MAX_DETAIL_LENGTH]), default="")

    @property
    def label(self) -> str:
        """The translated name of the probe. An unknown kind is returned unchanged."""
        return self.kind.label if isinstance(self.kind, ProbeKind) else self.kind


@json_object
class HealthCheck:
    """One check of one service. ``checked_at`` is its time in UTC (ISO 8601)."""

    endpoint: str = member(string())
    title: str = member(string(), absent="")
    checked_at: str = member(string(), name="when")
    version: str = member(string(), default="")
    record_id: str = member(string(), default="")
    probes: Tuple[Probe, ...] = member(items(object_of(Probe), 50), default=())

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the probes. Skipped probes do not count."""
        order = list(Verdict)
        tried = [probe.verdict for probe in self.probes if probe.verdict is not Verdict.SKIPPED]
        return max(tried, key=order.index, default=Verdict.SKIPPED)

    @property
    def local_time(self) -> str:
        """The time of the check as this computer's clocks show it, to the minute, written for people."""
        try:
            moment = datetime.fromisoformat(self.checked_at)
        except ValueError:
            # from a file that somebody changed
            return self.checked_at
        local = moment.replace(tzinfo=moment.tzinfo or timezone.utc).astimezone()
        return format_date(local.strftime("%Y-%m-%dT%H:%M"))

    @property
    def seconds(self) -> float:
        """The duration of all requests."""
        return sum(probe.seconds or 0.0 for probe in self.probes)

    def probe(self, kind: Union[ProbeKind, str]) -> Optional[Probe]:
        """Return the probe of the given kind, or None."""
        return next((probe for probe in self.probes if probe.kind == kind), None)

    def summary(self) -> str:
        """Return one line that lists the problems or says that there are none."""
        problems = [probe for probe in self.probes if probe.verdict in (Verdict.FAILED, Verdict.DOUBTFUL)]
        if not problems:
            return tr("Everything that was checked works.") if self.probes else tr("Not checked yet.")
        return "; ".join(f"{probe.label}: {probe.message}" for probe in problems)


def write_history(checks: Sequence[HealthCheck]) -> bytes:
    return json_document.dump({"format": HISTORY_FORMAT, "checks": list(map(write_object, checks))})


def read_history(data: bytes, name: str) -> List[HealthCheck]:
    """Return the checks in a document, newest first.

    Raises InvalidDocument for another format, and UnreadableDocument for bytes that are not JSON.
    """
    root = json_document.load(data, name, MAX_BYTES)
    if root.text("format", "") != HISTORY_FORMAT:
        raise InvalidDocument(tr("{name} does not contain service checks.", name=name), root.text("format", ""))
    return [read_object(HealthCheck, node) for node in root.children("checks", _MAX_CHECKS)]


def merge_checks(stored: Sequence[HealthCheck], new: Sequence[HealthCheck]) -> List[HealthCheck]:
    """Return all checks, newest first, at most MAX_CHECKS_PER_SERVICE of each service."""
    counts: Dict[str, int] = {}
    merged = []
    for check in sorted([*new, *stored], key=lambda check: check.checked_at, reverse=True):
        key = normalise_endpoint(check.endpoint)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MAX_CHECKS_PER_SERVICE:
            merged.append(check)
    return merged[:_MAX_CHECKS]


def latest_checks(checks: Sequence[HealthCheck]) -> List[HealthCheck]:
    """Return the newest check of each service."""
    latest: Dict[str, HealthCheck] = {}
    for check in sorted(checks, key=lambda check: check.checked_at, reverse=True):
        latest.setdefault(normalise_endpoint(check.endpoint), check)
    return list(latest.values())


def verdict_counts(checks: Sequence[HealthCheck]) -> List[str]:
    """Return in words how many checks have each verdict, the best first: "3 working", "1 not checked"."""
    counts = Counter(check.verdict for check in checks)
    return [verdict.count_label(counts[verdict]) for verdict in Verdict if counts[verdict]]


def health_html(checks: Sequence[HealthCheck]) -> str:
    """Return a complete HTML document: one line for each service, then the probes of each.

    The page loads nothing from the network. Raises CartoguideError if Jinja2 is not installed.
    """
    return render(
        "service_health.html", title=tr("Health of map services"), total=tr("%n service(s)", n=len(checks)),
        counts=verdict_counts(checks), checks=checks,
        headings=(tr("State"), tr("Service"), tr("Checked (UTC)"), tr("Time")))


def health_csv(checks: Sequence[HealthCheck]) -> str:
    """Return one CSV row for each probe (RFC 4180), with a heading line."""
    heading = (tr("Service"), tr("Address"), tr("Record"), tr("Checked (UTC)"), tr("Version"), tr("Part"), tr("State"),
               tr("Seconds"), tr("Result"), tr("Request"), tr("Detail"))
    return csv_table(heading, (
        (check.title, check.endpoint, check.record_id, check.checked_at, check.version, probe.label,
         probe.verdict.label, "" if probe.seconds is None else f"{probe.seconds:.2f}", probe.message, probe.url,
         " ".join(probe.detail.split())) for check in checks for probe in check.probes))


#: longer side of the requested map in pixels
_MAP_SIDE = 128
#: seconds from which a response is slow for such a small request
SLOW_SECONDS = 5.0


@dataclass(frozen=True)
class PlannedProbe:
    """One planned probe: its request, or the reason why there is none.

    ``expected`` and ``size`` are arguments of ``response_validation.check_response``.
    """

    kind: ProbeKind
    request: Optional[Request] = None
    expected: ExpectedContent = ExpectedContent.XML
    size: Optional[Tuple[int, int]] = None
    layer: str = ""
    skip_reason: str = ""
    verdict: Verdict = Verdict.SKIPPED


def plan_probes(service: Service) -> List[PlannedProbe]:
    """Return the probes for one map, one legend, one GetFeatureInfo, one DescribeLayer and one GetStyles."""
    layers = sorted(drawable_layers(service), key=_suitability)
    if not layers:
        reason = tr("There is no layer that can be requested.")
        return [
            PlannedProbe(kind, skip_reason=reason, verdict=Verdict.FAILED if kind is ProbeKind.MAP else Verdict.SKIPPED)
            for kind in (ProbeKind.MAP, ProbeKind.LEGEND, ProbeKind.INFO, ProbeKind.DESCRIBE, ProbeKind.STYLES)
        ]
    drawn = layers[0]
    queryable = next((layer for layer in layers if layer.queryable), None)
    with_legend = next((layer for layer in layers if any(style.legends for style in layer.styles)), drawn)
    name, legend_name, queried_name = drawn.name or "", with_legend.name or "", (queryable or drawn).name or ""

    def plan_legend() -> PlannedProbe:
        return PlannedProbe(ProbeKind.LEGEND, legend_request(service, legend_name), ExpectedContent.IMAGE)

    def plan_description() -> PlannedProbe:
        return PlannedProbe(ProbeKind.DESCRIBE, describe_layer_request(service, [name]))

    def plan_styles() -> PlannedProbe:
        return PlannedProbe(ProbeKind.STYLES, styles_request(service, [name]))

    return [
        _plan_probe(ProbeKind.MAP, service, lambda: _plan_map_probe(service, drawn), name),
        _plan_probe(ProbeKind.LEGEND, service, plan_legend, legend_name),
        _plan_probe(ProbeKind.INFO, service, lambda: _plan_feature_info_probe(service, queryable), queried_name,
                    "GetFeatureInfo"),
        _plan_probe(ProbeKind.DESCRIBE, service, plan_description, name, "DescribeLayer"),
        _plan_probe(ProbeKind.STYLES, service, plan_styles, name, "GetStyles"),
    ]


def evaluate_response(planned: PlannedProbe, response: Response, service: Service) -> Probe:
    url = planned.request.url if planned.request else ""
    try:
        check_response(response, planned.expected, planned.size)
    except CartoguideError as error:
        return failed_probe(planned, error, response.seconds)
    message = tr("Layer {layer}: responded correctly.", layer=planned.layer)
    if planned.kind is ProbeKind.LEGEND:
        message = _legend_message(service)
    if response.seconds > SLOW_SECONDS:
        slow = tr("Slow: {seconds} s for a very small request.", seconds=format_decimal(response.seconds, 1))
        return Probe(planned.kind, Verdict.DOUBTFUL, slow, response.seconds, url)
    return Probe(planned.kind, Verdict.GOOD, message, response.seconds, url)


def failed_probe(planned: PlannedProbe, error: CartoguideError, seconds: float) -> Probe:
    """Return the probe of a request that failed or whose response is unusable."""
    url = planned.request.url if planned.request else ""
    return Probe(planned.kind, Verdict.FAILED, error.user_text, seconds, url, error.detail)


def skipped_probe(planned: PlannedProbe) -> Probe:
    """Return the probe of an operation without request."""
    return Probe(planned.kind, planned.verdict, planned.skip_reason)


def _plan_probe(kind: ProbeKind, service: Service, plan: Callable[[], PlannedProbe], layer: str,
                operation: str = "") -> PlannedProbe:
    """Return the planned probe, or one with the reason why the operation cannot be requested."""
    if operation and service.operation(operation) is None:
        return PlannedProbe(kind, skip_reason=tr("Not offered by the service."))
    try:
        planned = plan()
    except CartoguideError as error:
        # only a map is mandatory
        return PlannedProbe(kind, skip_reason=error.user_text, layer=layer,
                            verdict=Verdict.FAILED if kind is ProbeKind.MAP else Verdict.SKIPPED)
    return replace(planned, kind=kind, layer=layer)


def _suitability(layer: Layer) -> Tuple[bool, bool, bool]:
    """Return the sort key: layers drawn at every scale come first, layers that need a dimension value last."""
    needs_value = any(not dimension.default for dimension in layer.dimensions)
    return needs_value, layer.scale_range != (None, None), layer.no_subsets or any(layer.fixed_size)


def _small_map_options(service: Service, layer: Layer) -> MapOptions:
    """Return a small map of the whole layer with square pixels, in a CRS for which it advertises a bounding box.

    Raises InvalidRequest if there is no bounding box in a known CRS.
    """
    version = version_numbers(service)
    advertised = [box.crs for box in layer.bboxes]
    for crs in [*(code for code in layer.crs if code in advertised), *layer.crs]:
        if is_automatic_crs(crs):
            continue
        try:
            box = bounding_boxes.layer_bbox(layer, crs, version)
        except CartoguideError:
            continue
        if box is None or not box.has_area:
            continue
        width, height = _small_map_size(layer, box)
        values, _, _ = select_dimension_values(layer, {}, None)
        return MapOptions((layer.name or "", ), crs, width, height,
                          native_bbox=_with_square_pixels(layer, box, width, height), dimensions=values)
    raise InvalidRequest(tr("The layer “{layer}” has no bounding box in a known coordinate reference system.",
                            layer=layer.name))


def _small_map_size(layer: Layer, box: Box) -> Tuple[int, int]:
    longer = max(box.width, box.height)
    width, height = max(8, round(_MAP_SIDE * box.width / longer)), max(8, round(_MAP_SIDE * box.height / longer))
    return layer.fixed_size[0] or width, layer.fixed_size[1] or height


def _with_square_pixels(layer: Layer, box: Box, width: int, height: int) -> Box:
    """Return the box enlarged so that its pixels are square.

    Some servers do not draw interpolated layers otherwise.
    """
    if layer.no_subsets or any(layer.fixed_size):
        return box
    pixel = max(box.width / width, box.height / height)
    x, y = box.centre
    return Box(x - pixel * width / 2, y - pixel * height / 2, x + pixel * width / 2, y + pixel * height / 2)


def _plan_map_probe(service: Service, layer: Layer) -> PlannedProbe:
    chosen = _small_map_options(service, layer)
    size = (chosen.width, chosen.height)
    return PlannedProbe(ProbeKind.MAP, map_request(service, chosen), ExpectedContent.IMAGE, size)


def _plan_feature_info_probe(service: Service, layer: Optional[Layer]) -> PlannedProbe:
    if layer is None:
        return PlannedProbe(ProbeKind.INFO, skip_reason=tr("None of the layers can be queried."))
    chosen = _small_map_options(service, layer)
    info = service.operation("GetFeatureInfo")
    media = best_format(info.formats if info else ()) or ""
    request = feature_info_request(service, chosen, chosen.width // 2, chosen.height // 2, info_format=media)
    return PlannedProbe(ProbeKind.INFO, request, ExpectedContent.ANY)


def _legend_message(service: Service) -> str:
    layers = drawable_layers(service)
    named = sum(1 for layer in layers if any(style.legends for style in layer.styles))
    return tr("One legend was read; {named} of {all} layers declare a legend.", named=named, all=len(layers))


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
