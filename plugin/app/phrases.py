"""The short phrases of the dock: what decides about a record, in words before codes."""

from __future__ import annotations

import re
from typing import Optional, Tuple

from ..core.catalogues.result_merging import RemoteHit
from ..core.date_formatting import format_day
from ..core.i18n import tr
from ..core.library.query import SearchHit
from ..core.records.model.endpoints import mentions_wms
from ..core.records.model.record import Record
from ..core.terms import credited_year
from ..core.terms.model import Decision, Terms
from .source_words import short_catalogue_name


def record_title(record: Record) -> str:
    """The record's title, or what can stand for it."""
    return record.title or record.id or record.source or tr("Record without a title")


def hit_title(hit: SearchHit) -> str:
    """A result's title, or what can stand for it."""
    return hit.title or (tr("Record without a title") if hit.identifier.startswith(("place:", "sha256:"))
                         else hit.identifier)


def record_kind_label(record: Record) -> str:
    """What kind of thing the record describes: "WMS 1.3.0", "Dataset", "Series"."""
    version = next((found.group(0) for found in
                    (re.search(r"\d+(\.\d+)+", text) for text in record.service_versions) if found), "")
    return _kind_label(record.kind, record.service_type or "", version)


_VERSION_NUMBER = re.compile(r"[\d.]+")


def service_type_label(service_type: str) -> str:
    """A service type as people call it: "WMS", "Download service"; empty where it says nothing."""
    if mentions_wms(service_type):
        return "WMS"
    words = [
        word for word in re.split(r"[:/#\s]+", service_type.strip()) if word and not _VERSION_NUMBER.fullmatch(word)
    ]
    name = words[-1] if words else ""
    known = {"view": "WMS", "download": tr("Download service"), "discovery": tr("Catalogue service"),
             "transformation": tr("Transformation service"), "invoke": tr("Processing service"),
             "other": tr("Other service")}
    return known.get(name.lower()) or (name.upper() if len(name) < 6 else name[:1].upper() + name[1:])


def _kind_label(kind: str, service_type: str, version: str) -> str:
    if kind == "service":
        return f"{service_type_label(service_type) or tr('Service')} {version}".strip()
    return {"dataset": tr("Dataset"), "series": tr("Series")}.get(kind, tr("Other record"))


def terms_summary(terms: Terms) -> str:
    """The terms in two or three words: "free, credit required"."""
    return _terms_summary(terms.free, terms.credit_required)


def _terms_summary(free: Decision, credit_required: Decision) -> str:
    price = {Decision.YES: tr("free"), Decision.NO: tr("fees apply")}.get(free)
    credit = {Decision.YES: tr("credit required"), Decision.NO: tr("no credit required")}.get(credit_required)
    if price is None and credit is None:
        return tr("terms undecided")
    return ", ".join(filter(None, (price or tr("fees undecided"), credit or tr("credit undecided"))))


def hit_summary(hit: SearchHit) -> str:
    """The second line of a result's row, as far as the index knows."""
    parts = [
        _kind_label(hit.kind, hit.service_type, ""),
        str(hit.year or ""),
        _terms_summary(Decision(hit.free), Decision(hit.credit_required)),
        tr("starter record") if hit.starter else ""
    ]
    return " · ".join(part for part in (removal_note(hit), *parts) if part)


def remote_hit_summary(hit: RemoteHit) -> str:
    """The second line of a result that a catalogue gave: first where it is."""
    name = short_catalogue_name(hit.catalogue)
    where = tr("in {catalogue}", catalogue=name) if hit.local_date_stamp is None else tr(
        "newer in {catalogue}", catalogue=name)
    return f"{where} · {hit_summary(hit)}"


def removal_note(hit: SearchHit) -> str:
    """That a result's source no longer holds it, and since when that is known; empty where it does."""
    return tr("gone from its source, {day}", day=format_day(hit.vanished_at)) if hit.vanished_at else ""


def record_summary(record: Record, terms: Terms, starter: bool, status: str, vanished: str = "") -> str:
    """The second line of a row: the things that decide, the most telling first."""
    parts = [
        vanished,
        record_kind_label(record),
        credited_year(record),
        terms_summary(terms),
        tr("starter record") if starter else None, status
    ]
    return " · ".join(part for part in parts if part)


def sample_summary() -> str:
    """The facts of a usual record: as long a line as the list should have room for."""
    return f"WMS 1.3.0 · 2014 · {tr('free')}, {tr('credit required')}"


def scale_range_text(scale_range: Tuple[Optional[float], Optional[float]]) -> str:
    """A scale range as people write it; empty where it is open on both sides."""
    largest, smallest = scale_range
    if largest and smallest:
        return tr("from {smallest} to {largest}", smallest=format_scale(smallest), largest=format_scale(largest))
    if smallest:
        return tr("from {smallest} and closer", smallest=format_scale(smallest))
    if largest:
        return tr("up to {largest}", largest=format_scale(largest))
    return ""


def format_scale(denominator: float) -> str:
    """1:25 000, with thin spaces that do not break."""
    return "1:" + f"{denominator:,.0f}".replace(",", "\u202f")


def short_address(address: str) -> str:
    """An address short enough to read: host and the last part of the path."""
    found = re.match(r"https?://([^/?#]+)([^?#]*)", address)
    if not found:
        return address
    last = [part for part in found.group(2).split("/") if part]
    return f"{found.group(1)} … /{last[-1]}" if len(last) > 1 else found.group(1) + found.group(2)
