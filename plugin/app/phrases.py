"""Short texts about records, services, catalogues and searches, used by several windows."""

from __future__ import annotations

import re
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QDateTime

from ..core.catalogues.model import CatalogueQuery, Source, SourceKind
from ..core.catalogues.result_merging import RemoteHit
from ..core.dates import format_day
from ..core.distributions.kinds import PROTOCOL_WORDS, LinkKind
from ..core.distributions.record_distributions import service_kind
from ..core.errors import CartoguideError, FailureKind, failure_kind
from ..core.i18n import tr
from ..core.library.query import Facet, SearchHit
from ..core.library.record_collections import FAVOURITES
from ..core.numbers import format_scale
from ..core.records.model.codelists import code_label
from ..core.records.model.record import Record, ResourceKind
from ..core.terms import credited_year
from ..core.terms.model import Decision, Terms
from ..core.text import bounded_title, list_quoted_names, quoted
from ..gis.catalogues.federated_search import SearchState, SourceStatus
from ..gis.layers.removed_layers import ShownIn
from ..gis.layers.wms_layers import LayerFailure


def shown_in_text(shown: ShownIn) -> str:
    """Return which map themes and layouts showed layers that were removed, and that Undo mends it, or ""."""
    found = [tr("Map themes that showed its layers: {names}.", names=list_quoted_names(shown.themes))] * bool(
        shown.themes)
    found += [tr("Layouts that showed its layers: {names}.", names=list_quoted_names(shown.layouts))] * bool(
        shown.layouts)
    return " ".join([*found, tr("Undo shows them there again.")]) if found else ""


def cancelled_text(what: str) -> str:
    """Return that something was cancelled, by the text that was shown while it ran."""
    return tr("Cancelled: {what}", what=what.rstrip("…"))


def failed_layers(title: str, failures: Sequence[LayerFailure]) -> Tuple[str, str]:
    """Return how many layers of a service called ``title`` could not be made, and the reasons as details."""
    errors = [failure.error for failure in failures]
    return (tr("%n layer(s) of “{title}” could not be created.", n=len(errors), title=title),
            "\n\n".join(f"{error.user_text}\n{error.detail}" for error in errors))


def record_title(record: Record) -> str:
    """Return the record's title, or its identifier or source if it has none."""
    return bounded_title(record.title or record.id or record.source or tr("Record without a title"))


def hit_title(hit: SearchHit) -> str:
    """Return the title of a search result, or its identifier if it has none."""
    return bounded_title(hit.title or (tr("Record without a title") if hit.identifier.startswith(("place:", "sha256:"))
                                       else hit.identifier))


def record_kind_label(record: Record) -> str:
    """Return the kind of resource that the record describes in words: "Map service", "Dataset", "Series".

    Protocol and version are on the record's page.
    """
    if record.kind is ResourceKind.SERVICE and _service_type_name(record.service_type or "").lower() == "view":
        kind = service_kind(record)
        return service_type_label(kind.value if kind is not None else "view")
    return _kind_label(record.kind.value, record.service_type or "")


_VERSION_NUMBER = re.compile(r"[\d.]+")


def service_type_label(service_type: str) -> str:
    """Return a service type in words: "Map service", "Download service". Empty if the type is unknown.

    A protocol without a common name is itself the name. A "view" service of INSPIRE may be a WMS, a WMTS or something
    else: ``record_kind_label`` knows the record.
    """
    if PROTOCOL_WORDS.find(service_type) is LinkKind.WMS:
        return tr("Map service")
    name = _service_type_name(service_type)
    known = {"view": tr("Map service"), "wmts": tr("Tiled map service"), "tms": tr("Tiled map service"),
             "arcgis-map": tr("Map service"), "ogcapi-maps": tr("Map service"), "ogcapi-tiles": tr("Tiled map service"),
             "xyz": tr("Tiled map service"), "download": tr("Download service"), "wfs": tr("Feature service"),
             "wcs": tr("Coverage service"),
             "discovery": tr("Catalogue service"), "csw": tr("Catalogue service"),
             "transformation": tr("Transformation service"), "invoke": tr("Processing service"),
             "wps": tr("Processing service"), "other": tr("Other service")}
    return known.get(name.lower()) or (name.upper() if len(name) < 6 else name[:1].upper() + name[1:])


def _service_type_name(service_type: str) -> str:
    """Return the last word of a service type, which may be a code, a URN or an address."""
    parts = [
        part for part in re.split(r"[:/#\s]+", service_type.strip()) if part and not _VERSION_NUMBER.fullmatch(part)
    ]
    return parts[-1] if parts else ""


def _kind_label(kind: str, service_type: str) -> str:
    if kind == ResourceKind.SERVICE:
        return service_type_label(service_type) or tr("Service")
    known = {ResourceKind.DATASET.value: tr("Dataset"), ResourceKind.SERIES.value: tr("Series")}
    return known.get(kind, tr("Other record"))


def terms_summary(terms: Terms) -> str:
    """Return the terms in two or three words: "free, credit required"."""
    return _terms_summary(terms.free, terms.credit_required)


def _terms_summary(free: Decision, credit_required: Decision) -> str:
    price = {Decision.YES: tr("free"), Decision.NO: tr("fees apply")}.get(free)
    credit = {Decision.YES: tr("credit required"), Decision.NO: tr("no credit required")}.get(credit_required)
    if price is None and credit is None:
        return tr("terms unclear")
    return ", ".join(filter(None, (price or tr("fees unclear"), credit or tr("credit unclear"))))


def hit_summary(hit: SearchHit) -> str:
    """Return the second line of a search result, from what the index holds."""
    parts = [
        _kind_label(hit.kind, hit.service_type),
        str(hit.year or ""),
        _terms_summary(Decision(hit.free), Decision(hit.credit_required)),
        tr("starter record") if hit.starter else ""
    ]
    return " · ".join(part for part in (removal_note(hit), *parts) if part)


def remote_hit_summary(hit: RemoteHit) -> str:
    """Return the second line of a search result from a catalogue, which begins with the catalogue's name."""
    name = short_catalogue_name(hit.catalogue)
    location = tr("in {catalogue}", catalogue=name) if hit.local_date_stamp is None else tr(
        "newer in {catalogue}", catalogue=name)
    return f"{location} · {hit_summary(hit)}"


def removal_note(hit: SearchHit) -> str:
    """Return a note that the record was removed from its source and when, or an empty text if it was not."""
    return tr("removed from its source, {day}", day=format_day(hit.vanished_at)) if hit.vanished_at else ""


#: codes of a record's status that decide whether it is used: it is not there yet, or not to be used any more.
#: ISO 19115-1, B.3.25 (MD_ProgressCode), in lower case. "Completed" and "ongoing" decide nothing
_DECIDING_STATUS = frozenset(("historicalarchive", "obsolete", "planned", "required", "underdevelopment", "pending",
                              "retired", "superseded", "tentative", "notaccepted", "withdrawn", "proposed",
                              "deprecated"))


def status_note(record: Record) -> str:
    """Return the record's status in words where it decides whether the record is used, or an empty text."""
    return ", ".join(code_label("MD_ProgressCode", code).lower() for code in record.status
                     if code.lower() in _DECIDING_STATUS)


def record_summary(record: Record, terms: Terms, starter: bool, vanished: str = "") -> str:
    """Return the second line of a record's row, the most important facts first."""
    parts = [
        vanished,
        record_kind_label(record),
        credited_year(record),
        terms_summary(terms),
        status_note(record),
        tr("starter record") if starter else None
    ]
    return " · ".join(part for part in parts if part)


def sample_summary() -> str:
    """Return a summary of typical length, by which the list's width is chosen."""
    return f"{tr('Map service')} · 2014 · {tr('free')}, {tr('credit required')}"


def scale_range_text(scale_range: Tuple[Optional[float], Optional[float]]) -> str:
    """Return a scale range as text, empty if it is open at both ends. Scales are denominators."""
    largest, smallest = scale_range
    if largest and smallest:
        return tr("from {smallest} to {largest}", smallest=format_scale(smallest), largest=format_scale(largest))
    if smallest:
        return tr("{smallest} or larger", smallest=format_scale(smallest))
    if largest:
        return tr("{largest} or smaller", largest=format_scale(largest))
    return ""


def short_address(address: str) -> str:
    """Return the host and the last part of the path of an address."""
    match = re.match(r"https?://([^/?#]+)([^?#]*)", address)
    if not match:
        return address
    last = [part for part in match.group(2).split("/") if part]
    return f"{match.group(1)} … /{last[-1]}" if len(last) > 1 else match.group(1) + match.group(2)


#: longest name of a catalogue in a row of the list, in characters
_MAX_NAME_LENGTH = 28


def catalogue_kind_label(source: Source) -> str:
    """Return the name of the catalogue's protocol."""
    return {SourceKind.CSW_2: "CSW 2.0.2", SourceKind.CSW_3: "CSW 3.0.0",
            SourceKind.OGC_API: "OGC API Records", SourceKind.GEONETWORK: "GeoNetwork",
            SourceKind.CKAN: "CKAN"}.get(
        source.kind, tr("Document"))


def short_catalogue_name(name: str) -> str:
    """Return the catalogue's name, truncated for narrow rows."""
    return name if len(name) <= _MAX_NAME_LENGTH else name[:_MAX_NAME_LENGTH - 1].rstrip() + "…"


def failure_label(error: Optional[CartoguideError]) -> str:
    """Return why a catalogue did not respond, in two or three words."""
    if getattr(error, "status", 0) in (401, 403, 407):
        return tr("requires a login")
    labels = {FailureKind.REFUSED: tr("is down"), FailureKind.CLOSED: tr("interrupted"),
              FailureKind.DNS: tr("server not found"), FailureKind.TLS: tr("not trusted"),
              FailureKind.PROXY: tr("blocked by the proxy"), FailureKind.TIMEOUT: tr("timed out"),
              FailureKind.TOO_SLOW: tr("too slow"), FailureKind.TOO_LARGE: tr("response too large"),
              FailureKind.DAMAGED: tr("damaged response"),
              FailureKind.OFFLINE: tr("no connection"), FailureKind.AUTH: tr("login failed")}
    kind = failure_kind(error) if error is not None else None
    return labels.get(kind, tr("failed")) if kind is not None else tr("failed")


def search_state_label(row: SourceStatus) -> str:
    """Return the state of one catalogue's search, in two or three words."""
    if row.state is SearchState.FAILED:
        return failure_label(row.error)
    if row.state is SearchState.REQUESTING:
        return tr("contacting… {count} so far", count=f"{row.shown:n}") if row.shown else tr("contacting…")
    if row.state is SearchState.WAITING:
        return tr("not searched")
    if row.filtered and row.more:
        return tr("%n found so far", n=row.shown)
    if row.total is not None and row.total > row.shown and not row.filtered:
        return tr("{shown} of {total}", shown=f"{row.shown:n}", total=f"{row.total:n}")
    return tr("%n found", n=row.shown)


#: the facet of named collections of records
COLLECTION = "collection"


def facet_label(facet: str) -> str:
    return {Facet.KIND: tr("Type"), Facet.LICENCE: tr("Terms"), Facet.YEAR: tr("Year"),
            Facet.ORGANISATION: tr("Organisation"), Facet.KEYWORD: tr("Keyword"),
            Facet.SERVICE_TYPE: tr("Service type"), Facet.SOURCE: tr("Source"), COLLECTION: tr("Collection")}[facet]


def facet_value_label(facet: str, value: str, sources: Mapping[str, Tuple[str, str]]) -> str:
    """Return the label of a facet's value. ``sources`` maps sources to their kind and title."""
    if facet == Facet.KIND:
        return {"service": tr("Services"), "dataset": tr("Datasets"), "series": tr("Series")}.get(
            value, tr("Other records"))
    if facet == Facet.LICENCE:
        return {"free": tr("Free"), "fees": tr("Fees apply"), "undecided": tr("Terms unclear")}.get(value, value)
    if facet == Facet.SERVICE_TYPE:
        return service_type_label(value)
    if facet == Facet.SOURCE:
        return sources.get(value, ("", ""))[1] or value
    if facet == COLLECTION and value == FAVOURITES:
        return "★ " + tr("Favourites")
    return value


def group_equivalent_values(facet: str, values: Iterable[str]) -> List[Tuple[str, ...]]:
    """Return the values in groups that have the same label.

    Records call a WMS "OGC:WMS", "urn:ogc:serviceType:WebMapService" and other names.
    """
    if facet != Facet.SERVICE_TYPE:
        return [(value,) for value in values]
    groups: Dict[str, List[str]] = {}
    for value in values:
        groups.setdefault(service_type_label(value).lower(), []).append(value)
    return [tuple(group) for group in groups.values()]


def query_summary(query: CatalogueQuery) -> str:
    """Return the query as text, empty if it matches everything."""
    or_ = tr(" or ")
    parts = [
        quoted(query.text) if query.text else "", *query.keywords,
        facet_value_label(Facet.KIND, query.type, {}) if query.type else ""
    ]
    parts += [or_.join(facet_value_label(facet, value, {}) for value in values) for facet, values in query.facets]
    parts.append(tr("in the current view") if query.bbox else "")
    return ", ".join(part for part in parts if part)


def local_filter_note(unsupported: Iterable[str]) -> str:
    """Return a note on the criteria that the catalogue does not support and that are applied here, or an empty text."""
    names = [tr("Search words") if name == "text" else facet_label(Facet.KIND if name == "type" else name)
             for name in unsupported]
    if not names:
        return ""
    return tr("Not supported by the catalogue: {names}. Filtered here instead.", names=", ".join(names))


_HOUR, _DAY = 3600.0, 86400.0


def age_text(seconds: float) -> str:
    """Return an age in its largest whole unit, such as "3 days ago". ``seconds`` is the age."""
    if seconds >= _DAY:
        return tr("%n day(s) ago", n=int(seconds // _DAY))
    if seconds >= _HOUR:
        return tr("%n hour(s) ago", n=int(seconds // _HOUR))
    if seconds >= 60:
        return tr("%n minute(s) ago", n=int(seconds // 60))
    return tr("a moment ago")


def loaded_text(seconds: float, error: Optional[CartoguideError] = None) -> str:
    """Return when the capabilities were loaded, and why they could not be refreshed if there was an ``error``.

    ``seconds`` is their age.
    """
    if error is not None:
        return tr("From {age}; the service could not be reached: {reason}", age=age_text(seconds),
                  reason=error.user_text)
    now = QDateTime.currentDateTime()
    then = now.addSecs(-int(seconds))
    if then.date() == now.date():
        return tr("Loaded at {time}", time=then.time().toString("HH:mm"))
    return tr("Loaded {age}", age=age_text(seconds))
