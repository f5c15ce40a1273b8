"""Findings before a snapshot is taken: terms, limits, and layers that cannot be divided, and what it would cost.

An error prevents the snapshot. Warnings and notes do not. Whether a copy is permitted is said by the terms of each
service, as far as they say it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Collection, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..custommap.map_findings import MapFinding, MapRemedy, RemedyKind, Severity, sorted_findings
from ..custommap.model import CustomMap, LayerPlan, Plan
from ..custommap.planner import supports_transparency
from ..i18n import tr
from ..numbers import format_decimal, format_scale
from ..records.model.endpoints import normalise_endpoint, value_for_endpoint
from ..records.model.record import Record
from ..terms.model import Decision, Terms
from ..text import fold, list_quoted_names
from ..wms.model.service import Service, in_scale_range
from .manifest import RasterLevel, RasterPart

#: usual bytes per pixel: drawn overlays, lossless opaque images, photographs
_OVERLAY_BYTES, _IMAGE_BYTES, _PHOTO_BYTES = 0.12, 0.9, 0.35
#: the share of these that maps of few colours take
_LEAST_SHARE = 0.1
#: seconds for a million pixels without a measurement, with several parallel requests
_SECONDS_PER_MEGAPIXEL = 0.5
#: least seconds of a request
_MIN_REQUEST_SECONDS = 0.1


@dataclass(frozen=True)
class SnapshotEstimate:
    """``requests`` images with ``megapixels`` in total, at most about ``megabytes`` on disk, and ``seconds``."""

    requests: int = 0
    megapixels: float = 0.0
    megabytes: float = 0.0
    seconds: float = 0.0

    def text(self) -> str:
        """Return the figures for people."""
        if not self.requests:
            return tr("Nothing needs to be fetched.")
        least, most = (format_decimal(max(size, 0.1), 0 if size >= 10 else 1)
                       for size in (_LEAST_SHARE * self.megabytes, self.megabytes))
        time = tr("about {minutes} min", minutes=f"{self.seconds / 60:.0f}") if self.seconds >= 90 \
            else tr("about {seconds} s", seconds=f"{max(1.0, self.seconds):.0f}")
        return ", ".join((tr("%n request(s)", n=self.requests),
                          tr("{least} to {most} MB, as the images compress", least=least, most=most), time))


def estimate_snapshot(parts: Iterable[Tuple[str, bool, RasterLevel, RasterPart]],
                      seconds_per_megapixel: Optional[float] = None) -> SnapshotEstimate:
    """Return the cost of ``parts``: each part with its image format, and whether its layer is opaque.

    The time is based on ``seconds_per_megapixel`` where the map's services were measured.
    """
    requests, pixels, size = 0, 0.0, 0.0
    for image_format, opaque, _level, part in parts:
        width, height = part.request_size
        requests += 1
        pixels += width * height
        rate = _PHOTO_BYTES if not supports_transparency(image_format) else _IMAGE_BYTES if opaque else _OVERLAY_BYTES
        size += part.width * part.height * rate
    seconds = max(pixels / 1e6 * (seconds_per_megapixel or _SECONDS_PER_MEGAPIXEL), requests * _MIN_REQUEST_SECONDS)
    return SnapshotEstimate(requests, pixels / 1e6, size / 1e6, seconds if requests else 0.0)


FORBIDDEN, DOUBT, LIMIT = "snapshot-forbidden", "snapshot-terms", "snapshot-limit"
_MAX_QUOTE_LENGTH = 240


@dataclass(frozen=True)
class SnapshotContext:
    """The input of the rules.

    ``records`` and ``services`` are by endpoint. ``permitted_endpoints`` are those whose publisher allowed a copy,
    according to the user. ``scales`` are the requested denominators, ``actual_scales`` those that will be taken, and
    ``nominal_scales`` those that the scale ranges of layers are compared with.
    """

    document: CustomMap
    plan: Plan
    records: Mapping[str, Record]
    services: Mapping[str, Service]
    scales: Sequence[float]
    nominal_scales: Sequence[float]
    estimate: SnapshotEstimate
    max_requests: int
    max_megabytes: int
    permitted_endpoints: Collection[str] = ()
    actual_scales: Sequence[float] = ()


def snapshot_findings(context: SnapshotContext) -> Tuple[MapFinding, ...]:
    """Return all findings, the gravest first."""
    findings: List[MapFinding] = []
    for rule in (_missing, _terms, _fixed_size_layers, _scales, _limits, _times):
        findings.extend(rule(context))
    return sorted_findings(findings)


def _missing(context: SnapshotContext) -> Iterator[MapFinding]:
    for note in context.plan.notes:
        if note.is_missing:
            yield MapFinding(
                "snapshot-missing", Severity.ERROR, note.text,
                tr("A snapshot without it would be incomplete. Load the service again, or "
                   "remove it from the map."), _title(context, note.entry_index), note.entry_index)
    if not context.plan.layers:
        yield MapFinding("snapshot-empty", Severity.ERROR, tr("The map has no layer yet."),
                         tr("Add a service to the map first."))


def _terms(context: SnapshotContext) -> Iterator[MapFinding]:
    permitted = {normalise_endpoint(endpoint) for endpoint in context.permitted_endpoints}
    for index, entry in enumerate(context.document.entries):
        record = entry.record_in(context.records)
        terms = context.plan.terms[index]
        prohibition = copy_prohibition(terms)
        if prohibition and normalise_endpoint(entry.endpoint) not in permitted:
            yield MapFinding(FORBIDDEN, Severity.ERROR,
                             tr("Its terms forbid keeping a copy: “{words}”", words=_shorten(prohibition)),
                             tr("Remove it from the map, or ask its publisher for permission and confirm it here."),
                             _title(context, index), index, MapRemedy(RemedyKind.REMOVE, tr("Remove from the map")))
            continue
        reservation = copy_reservation(terms)
        if prohibition:
            yield MapFinding(
                DOUBT, Severity.NOTE,
                tr("You confirmed that its publisher "
                   "allows a copy although its terms do "
                   "not: “{words}”", words=_shorten(prohibition)), tr("Keep the permission with the snapshot."),
                _title(context, index), index)
        elif reservation:
            yield MapFinding(DOUBT, Severity.WARNING,
                             tr("Its terms limit its use: “{words}”", words=_shorten(reservation)),
                             tr("Check whether they allow a copy before you pass it "
                                "on."), _title(context, index), index)
        elif record is None:
            yield MapFinding(DOUBT, Severity.WARNING, tr("Its record and terms are not available."),
                             tr("Read its terms before you pass a copy on."), _title(context, index), index)


def _fixed_size_layers(context: SnapshotContext) -> Iterator[MapFinding]:
    for plan in context.plan.layers:
        service = value_for_endpoint(context.services, plan.address)
        layer = service.layer(plan.name) if service is not None else None
        if layer is not None and (layer.no_subsets or any(layer.fixed_size)):
            yield MapFinding(
                "snapshot-whole", Severity.ERROR,
                tr("The layer “{layer}” is only available in a fixed size or extent.", layer=plan.label),
                tr("Remove the layer from the map before you take the snapshot."), plan.service_title,
                plan.entry_index)


def _scales(context: SnapshotContext) -> Iterator[MapFinding]:
    empty: Dict[int, List[LayerPlan]] = {}
    for plan in context.plan.layers:
        if not any(in_scale_range(plan.scale_range, scale) for scale in context.nominal_scales):
            empty.setdefault(plan.entry_index, []).append(plan)
    for index, plans in empty.items():
        yield MapFinding(
            "snapshot-scale", Severity.WARNING,
            tr("Drawn at none of these scales and not in the snapshot: {layers}.",
               layers=list_quoted_names([plan.label for plan in plans])),
            tr("Add a scale at which they are drawn.") if len(plans) > 1 else tr("Add a scale at which it is drawn."),
            plans[0].service_title, index)
    changed = [
        scale for scale in context.actual_scales if all(abs(scale - requested) > 0.5 for requested in context.scales)
    ]
    if changed:
        yield MapFinding("snapshot-multiple", Severity.NOTE,
                         tr("GeoTIFF can only store whole multiples of the largest scale's denominator: {scales} is "
                            "used.",
                            scales=", ".join(format_scale(scale) for scale in changed)),
                         tr("GeoPackage can store any scale."))


def _limits(context: SnapshotContext) -> Iterator[MapFinding]:
    estimate = context.estimate
    if estimate.requests > context.max_requests:
        yield MapFinding(
            LIMIT, Severity.ERROR,
            tr("It takes %n request(s); the limit is {most}.", n=estimate.requests, most=context.max_requests),
            tr("Choose a smaller area, fewer scales or a lower resolution, or raise the limit in the "
               "settings."))
    if estimate.megabytes > context.max_megabytes:
        yield MapFinding(
            LIMIT, Severity.ERROR,
            tr("It takes about {size} MB; the limit is {most} MB.", size=f"{estimate.megabytes:.0f}",
               most=context.max_megabytes),
            tr("Choose a smaller area, fewer scales or a lower resolution, or raise the limit in the "
               "settings."))


def _times(context: SnapshotContext) -> Iterator[MapFinding]:
    for plan in context.plan.layers:
        if plan.time_extent and plan.time_span is None:
            yield MapFinding(
                "snapshot-time", Severity.NOTE,
                tr("“{layer}” has many moments. The snapshot contains the default one of its "
                   "service.", layer=plan.label), tr("Add a layer for each moment that you need."),
                plan.service_title, plan.entry_index)


def _title(context: SnapshotContext, index: Optional[int]) -> str:
    if index is None or index >= len(context.document.entries):
        return ""
    entry = context.document.entries[index]
    titles = [plan.service_title for plan in context.plan.layers if plan.entry_index == index and plan.service_title]
    return entry.title or next(iter(titles), entry.endpoint)


def drawn_scale_indexes(plan: LayerPlan, nominal: Sequence[float]) -> List[int]:
    return [number for number, scale in enumerate(nominal) if in_scale_range(plan.scale_range, scale)]


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_QUOTE_LENGTH else text[:_MAX_QUOTE_LENGTH - 1].rstrip() + "…"


#: words of copying and of forbidding in the languages of terms, folded
_COPYING_WORDS = (
    r"(?:almacen\w*|guard\w+|copi\w+|descarg\w+|reproduc\w+|duplic\w+|uso (?:sin conexion|offline)|sin conexion"
    r"|stor(?:e|ed|ing|age)|cach(?:e|ed|es|ing)|cop(?:y|ies|ied|ying)|download\w*|offline|bulk"
    r"|mass(?:ive)? request\w*|archiv\w+|scrap\w+|speicher\w*|kopie\w*|herunterlad\w*"
    r"|stock\w+|telecharg\w+|enregistr\w+)")
_FORBIDDING_WORDS = (
    r"(?:prohib\w+|proib\w+|forbid\w*|forbidden|verboten|untersagt|interdit\w*|vietat\w+"
    r"|not? (?:be )?(?:allowed|permitted|authori[sz]ed)|no (?:esta |estan )?permitid\w+|no autorizad\w+"
    r"|no se (?:permite|autoriza)\w*|may not|must not|shall not|cannot|can not|not allow\w*|do not"
    r"|without permission"
    r"|no (?:podra|podran|puede|pueden|debe|deben|debera|deberan)|nicht (?:gestattet|zulassig|erlaubt))")
_WORDS_BETWEEN = r"(?:\W+\w+){0,7}?\W+"
_BANS = re.compile(
    rf"\b(?:{_FORBIDDING_WORDS}{_WORDS_BETWEEN}{_COPYING_WORDS}|{_COPYING_WORDS}{_WORDS_BETWEEN}{_FORBIDDING_WORDS})\b")
#: a ban on use without credit does not concern copies
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+")
_ONLY_WITHOUT_CREDIT = re.compile(
    r"\b(?:without (?:credit|attribution|citing|mention\w*)|sin (?:citar|mencion\w*|atribu\w*))\b")


def copy_prohibition(terms: Optional[Terms]) -> str:
    """Return the sentence of the terms that forbids storing, copying or downloading, or an empty text.

    All fields that the terms were read from count. A ban on use without credit does not forbid a copy.
    """
    for text in _terms_texts(terms):
        for sentence in _SENTENCE.split(text[:20_000]):
            folded = fold(sentence)
            if _BANS.search(folded) and not _ONLY_WITHOUT_CREDIT.search(folded):
                return " ".join(sentence.split())
    return ""


def copy_reservation(terms: Optional[Terms]) -> str:
    """Return a text of the terms that people should read before they keep a copy, or an empty text."""
    if terms is None:
        return ""
    limits = [limit.text for limit in terms.limits if not limit.from_licence] or list(terms.leftovers)
    if limits:
        return " ".join(limits[0].split())
    return (terms.fees or "") if terms.free is not Decision.YES and terms.fees else ""


def _terms_texts(terms: Optional[Terms]) -> List[str]:
    if terms is None:
        return []
    texts = [*terms.texts, terms.access or "", terms.fees or ""]
    texts += [step.text for step in terms.chain]
    return list(dict.fromkeys(text for text in texts if text))
