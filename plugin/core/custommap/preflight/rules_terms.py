"""Preflight rules about credit, fees, terms, contradictions, years and addresses."""

from __future__ import annotations

from typing import Callable, Iterator, Tuple

from ...i18n import tr
from ...records.checks.service_rules import against_service
from ...records.model.endpoints import normalise_endpoint
from ...records.model.endpoints import wms_endpoint as endpoint_of
from ...terms import credited_year
from ...terms.model import Decision
from ...text import shorten
from ...wms.requests.urls import as_https
from ..layer_metadata import entry_credit
from ..map_findings import ENDPOINT, MapFinding, MapRemedy, Severity
from .context import PreflightContext


def required_credit(case: PreflightContext) -> Iterator[MapFinding]:
    """Yield credits that are required but unknown or undecided, and missing records."""
    for index, entry in enumerate(case.entries):
        if not entry.visible:
            continue
        found = entry_credit(entry, case.record_and_terms(entry), case.service_of(entry))
        if not found.lines:
            asked = found.required == Decision.YES.value
            yield MapFinding(
                "no-credit", Severity.ERROR if asked else Severity.WARNING,
                tr("Its terms require a credit, and none is known.") if asked else tr("It has no credit line."),
                tr("Read its terms before you publish, and ask its owner whom to credit."), case.entry_title(index),
                index)
        elif found.from_document_only:
            yield MapFinding("kept-credit", Severity.NOTE,
                             tr("Its record is not available. The credit saved in the map is used."),
                             tr("Search for the record again if its terms may have changed."), case.entry_title(index),
                             index)
        elif found.required == Decision.UNDECIDED.value:
            yield MapFinding("credit-undecided", Severity.NOTE,
                             tr("Whether its credit is required is undecided; it is shown to be safe."),
                             tr("Leave the credit on the map."), case.entry_title(index), index)


def terms_of_use(case: PreflightContext) -> Iterator[MapFinding]:
    """Yield fees, undecided or contradicting terms, and restrictions."""
    for index, entry in enumerate(case.entries):
        known = case.record_and_terms(entry)
        if known is None or not entry.visible:
            continue
        said = known[1]
        title = case.entry_title(index)
        costs = said.free is Decision.NO or (said.free is Decision.UNDECIDED and bool(said.fees))
        if costs:
            yield MapFinding(
                "fees", Severity.WARNING,
                tr("It may not be free of charge: {fees}", fees=shorten(said.fees) or tr("no amount is given")),
                tr("Settle the fees with its owner before you publish."), title, index)
        if said.conflict:
            yield MapFinding("terms-conflict", Severity.WARNING, said.conflict,
                             tr("Ask its owner which terms apply."), title, index)
        elif not costs and said.free is Decision.UNDECIDED and said.licence is None:
            yield MapFinding("terms-undecided", Severity.WARNING, tr("Its terms of use are undecided."),
                             tr("Read its terms before you publish."), title, index,
                             detail="\n".join(said.undecided))
        for limit in said.limits[:2]:
            yield MapFinding("limits", Severity.NOTE, tr("Its terms limit the use: {limit}", limit=shorten(limit, 160)),
                             tr("Check that your map complies."), title, index)


def record_against_service(case: PreflightContext) -> Iterator[MapFinding]:
    """Yield services that contradict their records."""
    for index, entry in enumerate(case.entries):
        known, service = case.record_and_terms(entry), case.service_of(entry)
        if known is None or service is None:
            continue
        grave = [item for item in against_service(known[0], service) if item.severity is not Severity.NOTE]
        if grave:
            yield MapFinding(
                "disagreement", Severity.WARNING,
                tr("Record and service disagree in %n point(s): {first}", n=len(grave), first=grave[0].message),
                tr("Look at the Checks tab of its record, and rely on the service's own words."),
                case.entry_title(index), index, detail="\n".join(item.message for item in grave))


def data_years(case: PreflightContext) -> Iterator[MapFinding]:
    """Yield a note where the data is of different years."""
    found = [(credited_year(known[0]), case.entry_title(index)) for index, entry in enumerate(case.entries)
             if entry.visible and (known := case.record_and_terms(entry)) is not None]
    dated = [(year, title) for year, title in found if year]
    if len({year for year, _ in dated}) > 1:
        told = "; ".join(f"{title}, {year}" for year, title in dated)
        yield MapFinding("years", Severity.NOTE, tr("The data come from different years: {told}.", told=told),
                         tr("State it on the map: the sources name each year."))


def service_addresses(case: PreflightContext) -> Iterator[MapFinding]:
    """Yield services with a new address in their record, and http where https works."""
    for index, entry in enumerate(case.entries):
        known = case.record_and_terms(entry)
        new = endpoint_of(known[0]) if known else None
        if new and normalise_endpoint(new) != normalise_endpoint(entry.endpoint):
            yield MapFinding("moved", Severity.WARNING,
                             tr("Its record now names another address: {address}", address=new),
                             tr("Use the record's address: the old one may be switched off."), case.entry_title(index),
                             index, MapRemedy(ENDPOINT, tr("Use the record's address"), new), entry.endpoint)
        elif entry.endpoint in case.https_endpoints:
            secure = as_https(entry.endpoint)
            yield MapFinding("http", Severity.NOTE, tr("It is requested over http although the server also supports "
                                                       "https."),
                             tr("Use https so that nobody in between can read or alter the "
                                "map."), case.entry_title(index),
                             index, MapRemedy(ENDPOINT, tr("Use https"), secure), entry.endpoint)


RULES: Tuple[Callable[[PreflightContext], Iterator[MapFinding]],
             ...] = (required_credit, terms_of_use, record_against_service, data_years, service_addresses)
