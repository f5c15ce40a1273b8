"""Preflight rules about credit, fees, terms, contradictions, years and addresses."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, Optional, Tuple

from ..custommap.map_findings import MapFinding, MapRemedy, RemedyKind, Severity
from ..distributions.record_distributions import wms_address
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from ..review.checks.service_rules import against_service
from ..terms import credited_year
from ..terms.labels import limit_label
from ..terms.model import PUBLISHING_LIMITS, Decision, LimitKind, Terms
from ..terms.paper_gate import UnfitReason
from ..text import shorten
from ..wms.requests.urls import as_https
from .context import PreflightContext


def required_credit(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield credits that are required but unknown or undecided, and missing records."""
    for index, entry in enumerate(context.entries):
        if not entry.visible:
            continue
        credit = context.credit_of(index)
        asked = {unfit: None for layer in context.entry_layers(index) for unfit in layer.unfit_credits}
        asked.update((unfit, None) for unfit in credit.unfit)
        for unfit in asked:
            yield MapFinding(
                "no-credit" if unfit.reason is UnfitReason.NO_OWNER else "unfit-credit", Severity.ERROR, unfit.message,
                tr("Write the credit as it has to be printed. It is saved in the map."), context.entry_title(index),
                index, MapRemedy(RemedyKind.CREDIT, tr("Use this credit"), unfit.line, unfit.line))
        if asked:
            continue
        if not credit.lines:
            is_required = credit.required is Decision.YES
            yield MapFinding(
                "no-credit", Severity.ERROR if is_required else Severity.WARNING,
                tr("Its terms require a credit, and none is known.") if is_required else tr("It has no credit line."),
                tr("Read its terms before you publish, and ask its owner whom to credit."), context.entry_title(index),
                index, MapRemedy(RemedyKind.CREDIT, tr("Use this credit")))
        elif credit.from_document_only:
            yield MapFinding("kept-credit", Severity.NOTE,
                             tr("Its record is not available. The credit saved in the map is used."),
                             tr("Search for the record again if its terms may have changed."),
                             context.entry_title(index), index)
        elif credit.required is Decision.UNDECIDED:
            yield MapFinding("credit-undecided", Severity.NOTE,
                             tr("Its terms leave open whether a credit is required. It is shown to be safe."),
                             tr("Leave the credit on the map."), context.entry_title(index), index)


def terms_of_use(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield fees, undecided or contradicting terms, and restrictions."""
    for index, entry in enumerate(context.entries):
        terms = context.terms_of(index)
        if terms is None or not entry.visible:
            continue
        title = context.entry_title(index)
        priced = terms.free is Decision.NO
        costs = priced or (terms.free is Decision.UNDECIDED and bool(terms.fees) and not terms.free_for_some)
        if costs:
            fees = shorten(terms.fees) or tr("no amount is given")
            yield MapFinding("fees", Severity.WARNING,
                             tr("It is not free of charge: {fees}", fees=fees) if priced
                             else tr("It may not be free of charge: {fees}", fees=fees),
                             tr("Settle the fees with its owner before you publish."), title, index)
        if terms.conflict:
            yield MapFinding("terms-conflict", Severity.WARNING, terms.conflict, tr("Ask its owner which terms apply."),
                             title, index)
        elif not costs and terms.free is Decision.UNDECIDED and terms.licence is None and not terms.leftovers:
            yield MapFinding("terms-undecided", Severity.WARNING, tr("Its terms of use are unclear."),
                             tr("Read its terms before you publish."), title, index, detail="\n".join(terms.undecided))
        yield from _restrictions(terms, title, index, terms.fees if costs else None)


def _restrictions(terms: Terms, title: str, index: int, reported: Optional[str]) -> Iterator[MapFinding]:
    """Yield the words of the terms that restrict the use or were not understood, and the limits by name.

    ``reported`` are words that another finding has.
    """
    named = [limit for limit in terms.limits if limit.kind in PUBLISHING_LIMITS and limit.kind is not LimitKind.PRICE]
    for limit in named[:3]:
        yield MapFinding(
            "limits", Severity.NOTE if limit.from_licence else Severity.WARNING,
            tr("Its terms restrict the use: {limit}",
               limit=f"{limit_label(limit.kind)} ({tr('“{words}”', words=shorten(limit.text, 160))})"),
            tr("Check that your map complies."), title, index)
    named_texts = {limit.text for limit in terms.limits}
    leftovers = [words for words in terms.leftovers if words not in named_texts and words != reported]
    if leftovers:
        yield MapFinding("terms-restricted", Severity.WARNING,
                         tr("Its terms may restrict this use: “{words}”", words=shorten(leftovers[0], 160)),
                         tr("Read its terms before you publish."), title, index, detail="\n".join(leftovers))


def record_against_service(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services that contradict their records."""
    for index, entry in enumerate(context.entries):
        record, service = context.record_of(entry), context.service_of(entry)
        if record is None or service is None:
            continue
        grave = [item for item in against_service(record, service) if item.severity is not Severity.NOTE]
        if grave:
            yield MapFinding(
                "disagreement", Severity.WARNING,
                tr("Record and service disagree in %n point(s): {first}", n=len(grave), first=grave[0].message),
                tr("See the Checks tab of its record, and rely on what the service states."),
                context.entry_title(index), index, detail="\n".join(item.message for item in grave))


def data_years(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a note where the data is of different years."""
    years = [(credited_year(record), context.entry_title(index))
             for index, entry in enumerate(context.entries)
             if entry.visible and (record := context.record_of(entry)) is not None]
    dated = [(year, title) for year, title in years if year]
    if len({year for year, _ in dated}) > 1:
        years_text = "; ".join(title if title.endswith(year) else f"{title} ({year})" for year, title in dated)
        yield MapFinding("years", Severity.NOTE, tr("The data come from different years: {years}.", years=years_text),
                         tr("State it on the map: the sources name each year."))


def service_addresses(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services with a new address in their record, and http where https works. One button repairs all alike."""
    moved: Dict[int, str] = {}
    secure: Dict[int, str] = {}
    for index, entry in enumerate(context.entries):
        record = context.record_of(entry)
        new = wms_address(record) if record else None
        if new and normalise_endpoint(new) != normalise_endpoint(entry.endpoint):
            moved[index] = new
        elif entry.endpoint in context.https_endpoints:
            secure[index] = as_https(entry.endpoint)
    label = tr("Use the record's address for all") if len(moved) > 1 else tr("Use the record's address")
    remedy = MapRemedy(RemedyKind.ENDPOINT, label, addresses=tuple(moved.items()))
    for index, new in moved.items():
        yield MapFinding("moved", Severity.WARNING, tr("Its record now names another address: {address}", address=new),
                         tr("Use the record's address: the old one may be switched off."), context.entry_title(index),
                         index, remedy, context.entries[index].endpoint)
    label = tr("Use https for all") if len(secure) > 1 else tr("Use https")
    remedy = MapRemedy(RemedyKind.ENDPOINT, label, addresses=tuple(secure.items()))
    for index in secure:
        yield MapFinding("http", Severity.NOTE,
                         tr("It is requested over http although the server also supports https."),
                         tr("Use https so that nobody in between can read or alter the map."),
                         context.entry_title(index), index, remedy, context.entries[index].endpoint)


RULES: Tuple[Callable[[PreflightContext], Iterator[MapFinding]],
             ...] = (required_credit, terms_of_use, record_against_service, data_years, service_addresses)
