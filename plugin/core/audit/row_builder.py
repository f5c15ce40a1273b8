"""Builder of audit rows. The most reliable source wins, and the row always names it."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

from ..addresses import is_web_address
from ..custommap import layer_metadata
from ..custommap.model import MapEntry
from ..i18n import tr
from ..records.model.record import Record
from ..sources.source_kind import ProviderInfo
from ..terms import DEFAULT_SETTINGS, Decision, DescribedService, Terms, TermsSettings, terms_for
from ..terms.licences import licence_table
from ..text import fold, single_line, unique_texts
from ..wms.model.service import Layer, Service
from .audit_row import AddressFindings, AuditRow, CreditState, LayerFacts

#: reserved in Fees and AccessConstraints (OGC 06-042 7.2.4.3)
_RESERVED_NONE = "none"


def build_row(facts: LayerFacts, findings: AddressFindings, settings: TermsSettings = DEFAULT_SETTINGS) -> AuditRow:
    """Return the row of one layer, with the terms of record and service together.

    A record takes precedence over capabilities, capabilities over what is known about the host. The layer's present
    credit is never lost: if another one was found, the state is DIFFERS. A local source without any credit may be the
    person's own data, which only the person knows: the state is UNKNOWN until a credit or an answer is given.
    """
    row = _row_from_findings(facts, findings, settings)
    present = unique_texts([single_line(line) for line in facts.credit if single_line(line)])
    if present:
        present_text = fold(" ".join(present))
        lacking = [line for line in row.credit if fold(line) not in present_text]
        # a credit that is only made from a provider's name is no better than the layer's present one
        is_made = findings.provider is not None and findings.record is None and not findings.provider.credit_stated
        # QGIS credits OpenStreetMap's tiles under a licence that its publisher has given up
        is_wrong = _names_another_licence(" ".join(present), row.licence)
        state = CreditState.DIFFERS if lacking and (is_wrong or not is_made) else CreditState.CREDITED
        if not row.credit:
            row = replace(row, credit=tuple(present), origin=tr("the layer itself"))
    elif facts.confirmed:
        state = CreditState.CONFIRMED
    elif row.credit:
        state = CreditState.FOUND
    elif Decision.NO in (row.required, facts.required):
        state = CreditState.NOT_REQUIRED
    else:
        state = CreditState.MISSING if facts.kind.is_web else CreditState.UNKNOWN
    licence, address = _name_and_address(row.licence or "; ".join(facts.licences))
    row = replace(row, state=state, licence=licence, licence_url=row.licence_url or address,
                  fees=row.fees or facts.fees, record_id=row.record_id or facts.record_id)
    return replace(row, required=facts.required) if row.required is Decision.UNDECIDED else row


def _names_another_licence(credit: str, licence: str) -> bool:
    """Return whether a credit names licences, none of which can be the one that was found."""
    table = licence_table()
    named, found = table.find_mentions(credit), table.find_mentions(licence)
    return bool(named and found) and not any(one.is_compatible(other) for one in named for other in found)


def _name_and_address(licence: str) -> Tuple[str, str]:
    """Part a licence as ``layer_metadata.layer_licences`` writes it: "CC BY 4.0, https://…" is one licence."""
    name, comma, address = licence.rpartition(", ")
    return (name, address) if comma and is_web_address(address) and " " not in address else (licence, "")


def _row_from_findings(facts: LayerFacts, findings: AddressFindings, settings: TermsSettings) -> AuditRow:
    row = AuditRow(facts, CreditState.MISSING, problem=findings.problem, findings=findings)
    source: Optional[DescribedService] = findings.service or findings.provider
    if findings.record is None and source is None:
        return row
    terms = terms_for(findings.record, source, settings)
    row = replace(row, required=terms.credit_required)
    if findings.record is not None or findings.service is not None:
        licences = layer_metadata.layer_licences(MapEntry(""), findings.record, terms)
        row = replace(row, licence=next(iter(licences), ""), licence_url=terms.licence_url or "")
    if findings.record is not None:
        row = _with_record(row, findings.record, terms, source, findings.origin)
        if findings.provider is not None and findings.provider.credit:
            # the source's own credit is a line of its own
            line = terms_for(findings.record, findings.service, settings).credit
            row = replace(row, credit=(line,) if line else ())
    elif findings.service is not None:
        row = _with_service_credit(row, facts, findings.service, terms)
    if findings.service is not None:
        row = _with_service_terms(row, facts, findings.service)
    if findings.provider is not None:
        row = _with_provider(row, findings.provider, terms)
    return row


def _with_provider(row: AuditRow, info: ProviderInfo, terms: Terms) -> AuditRow:
    """Fill in the credit that the source states, otherwise one made of its provider and title, and its terms."""
    lines, origin = list(row.credit), row.origin
    if not lines and terms.credit and (info.credit or info.owner or terms.prescribed):
        lines, origin = [terms.credit], info.origin
    elif info.credit and fold(info.credit) not in fold(" ".join(lines)):
        lines.append(info.credit)
    licence = info.licence or (terms.licence.title if terms.licence else "")
    return replace(row, credit=tuple(lines), origin=origin, fees=row.fees or _unless_none(info.fees),
                   access=row.access or _unless_none(info.access), licence=row.licence or licence,
                   licence_url=row.licence_url or info.licence_url or terms.licence_url or "",
                   service=row.service or info.title, attribution_url=row.attribution_url or info.url)


def _with_record(row: AuditRow, record: Record, terms: Terms, source: Optional[DescribedService],
                 origin: str) -> AuditRow:
    """Fill in credit and terms of the record. The access text of ``source`` is filled in later with its other terms."""
    stated = source.access if isinstance(source, ProviderInfo) else source.access_constraints if source else None
    own_access = "" if terms.access == stated else terms.access or ""
    return replace(row, credit=(terms.credit,) if terms.credit else (), origin=origin,
                   licence_url=(terms.licence.url if terms.licence else None) or row.licence_url,
                   fees=terms.fees or record.fees or "", access=own_access, service=record.title or "",
                   record_id=record.id or "", record_title=record.title or "")


def _with_service_credit(row: AuditRow, facts: LayerFacts, service: Service, terms: Terms) -> AuditRow:
    """Fill in the layers' attributions (7.2.4.6.11), otherwise the credit of the service's own terms."""
    attributed = _attributions(facts, service)
    if attributed:
        return replace(row, credit=attributed, origin=tr("capabilities: Attribution"))
    credit = (terms.credit,) if terms.credit else ()
    return replace(row, credit=credit, origin=tr("capabilities: contact and title") if credit else "")


def _with_service_terms(row: AuditRow, facts: LayerFacts, service: Service) -> AuditRow:
    """Fill in Fees and AccessConstraints unless a better source has them, and add the layers' attributions."""
    lines = list(row.credit)
    lines += [line for line in _attributions(facts, service) if fold(line) not in fold(" ".join(lines))]
    layer = next(iter(_layers(facts, service)), None)
    attribution = (layer.attribution if layer else None) or service.attribution
    return replace(row, credit=tuple(lines), fees=row.fees or _unless_none(service.fees),
                   access=row.access or _unless_none(service.access_constraints),
                   service=row.service or service.title,
                   attribution_url=row.attribution_url or (attribution.url if attribution else None) or "")


def _layers(facts: LayerFacts, service: Service) -> Tuple[Layer, ...]:
    return tuple(layer for layer in map(service.layer, facts.names) if layer is not None)


def _attributions(facts: LayerFacts, service: Service) -> Tuple[str, ...]:
    titles = [layer.attribution.title for layer in _layers(facts, service) if layer.attribution]
    if not facts.names and service.attribution:
        titles = [service.attribution.title]
    return tuple(unique_texts([single_line(title) for title in titles if title and single_line(title)]))


def _unless_none(text: Optional[str]) -> str:
    """Return the trimmed text, or "" for the reserved word "none"."""
    tidied = single_line(text or "")
    return "" if tidied.lower() == _RESERVED_NONE else tidied
