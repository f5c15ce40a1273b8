"""Row of the credit audit: facts of a layer, findings about its address, and what the two say of its credit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from ..addresses import is_web_address
from ..csv_tables import csv_table
from ..custommap import layer_metadata
from ..custommap.model import MapEntry
from ..html_templates import render
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from ..records.model.record import Record
from ..sources.layer_source import LayerSource, SourceType
from ..sources.source_kind import ProviderInfo
from ..terms import DEFAULT_SETTINGS, Decision, DescribedService, Terms, TermsSettings, terms_for
from ..terms.licences import licence_table
from ..text import fold, single_line, states_nothing, unique_texts
from ..wms.model.service import Layer, Service


class CreditState(str, Enum):
    """The state of a layer's credit."""

    CREDITED = "credited"
    DIFFERS = "differs"
    FOUND = "found"
    NOT_REQUIRED = "not-asked"
    MISSING = "missing"
    UNKNOWN = "unknown"
    CONFIRMED = "confirmed"

    @property
    def label(self) -> str:
        """The state as translated text."""
        return {
            CreditState.CREDITED: tr("credited"), CreditState.DIFFERS: tr("another credit was found"),
            CreditState.FOUND: tr("credit found"), CreditState.NOT_REQUIRED: tr("no credit required"),
            CreditState.MISSING: tr("no credit found"),
            CreditState.UNKNOWN: tr("No credit is known: is it your own?"),
            CreditState.CONFIRMED: tr("own data, confirmed")
        }[self]

    @property
    def counted_label(self) -> str:
        """The state as translated text beside a number of layers."""
        return tr("to confirm as own data") if self is CreditState.UNKNOWN else self.label

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the states without colour."""
        return {
            CreditState.MISSING: "✗", CreditState.DIFFERS: "!", CreditState.FOUND: "+", CreditState.CREDITED: "✓",
            CreditState.NOT_REQUIRED: "–", CreditState.UNKNOWN: "?", CreditState.CONFIRMED: "✓"
        }[self]

    @property
    def has_new_credit(self) -> bool:
        """True if a credit was found that the layer does not have yet."""
        return self in (CreditState.FOUND, CreditState.DIFFERS)


@dataclass(frozen=True)
class LayerFacts:
    """One layer of the project.

    ``address`` is that of a source on the web, ``path`` that of a local file. ``names`` are the service's layers in it,
    ``credit`` its present credit lines. ``required``: its terms require a credit. ``documents`` are addresses of
    metadata that the layer names. ``confirmed``: a person has confirmed that it is own data and needs no credit.
    """

    layer_id: str
    title: str
    kind: SourceType
    address: str = ""
    names: Tuple[str, ...] = ()
    credit: Tuple[str, ...] = ()
    required: Decision = Decision.UNDECIDED
    licences: Tuple[str, ...] = ()
    fees: str = ""
    record_id: str = ""
    documents: Tuple[str, ...] = ()
    path: str = ""
    style_address: str = ""
    confirmed: bool = False

    @property
    def source(self) -> LayerSource:
        return LayerSource(self.kind, self.address, self.path, self.names, self.style_address)

    @property
    def place(self) -> str:
        """The address or the path of the layer's source, or ""."""
        return self.address or self.path


@dataclass(frozen=True)
class AddressFindings:
    """Findings about one address or file. ``origin`` is a translated text that names the source of ``record``."""

    service: Optional[Service] = None
    provider: Optional[ProviderInfo] = None
    record: Optional[Record] = None
    origin: str = ""
    problem: str = ""


@dataclass(frozen=True)
class AuditRow:
    """The result for one layer: the credit found and its source, the terms, and the record.

    ``findings`` are those that the row was built from, so that it can be built again when the layer has changed.
    """

    layer: LayerFacts
    state: CreditState
    credit: Tuple[str, ...] = ()
    origin: str = ""
    required: Decision = Decision.UNDECIDED
    licence: str = ""
    licence_url: str = ""
    fees: str = ""
    access: str = ""
    service: str = ""
    record_id: str = ""
    record_title: str = ""
    attribution_url: str = ""
    problem: str = ""
    findings: AddressFindings = field(default=AddressFindings(), repr=False, compare=False)

    @property
    def licence_line(self) -> str:
        """Name and address of the licence in one line, as the metadata of a layer have it."""
        return ", ".join(part for part in (self.licence, self.licence_url) if part)

    @property
    def terms_summary(self) -> str:
        """Licence, fees and constraints in one line."""
        access = self.access if fold(self.access) not in fold(self.licence) else ""
        parts = (self.licence, self.fees and tr("Fees: {words}", words=self.fees),
                 access and tr("Access: {words}", words=access))
        return " · ".join(part for part in parts if part)


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
    return "" if states_nothing(text) else single_line(text or "")


@dataclass(frozen=True)
class AuditGroup:
    """The rows of all layers that come from one service or file. A layer that comes alone is a group too."""

    rows: Tuple[AuditRow, ...]

    @property
    def is_single(self) -> bool:
        """True if the group is one layer."""
        return len(self.rows) == 1

    @property
    def title(self) -> str:
        """The title of the service or record, the name of the file or the address that the layers share."""
        first, place = self.rows[0], self.rows[0].layer.place
        found = first.service or first.record_title
        return found or (place if first.layer.address else place.replace("\\", "/").rsplit("/", 1)[-1])

    @property
    def states(self) -> Tuple[CreditState, ...]:
        """The states of the layers, each once, in the order of ``CreditState``."""
        return tuple(state for state in CreditState if any(row.state is state for row in self.rows))

    @property
    def state_text(self) -> str:
        """The state of all layers, or how many of them have which."""
        if len(self.states) == 1:
            return self.states[0].label
        counts = ((state, sum(row.state is state for row in self.rows)) for state in self.states)
        return " · ".join(f"{state.counted_label}: {count}" for state, count in counts)


def group_rows(rows: Iterable[AuditRow]) -> List[AuditGroup]:
    """Return the rows gathered by the service or file of their layers, in the order of the first layer of each."""
    groups: Dict[Tuple[str, str], List[AuditRow]] = {}
    for row in rows:
        place = normalise_endpoint(row.layer.address) if row.layer.address else row.layer.path or row.layer.layer_id
        groups.setdefault((row.layer.kind.value, place), []).append(row)
    return [AuditGroup(tuple(members)) for members in groups.values()]


#: states that need attention come first
_PAGE_ORDER = (CreditState.MISSING, CreditState.DIFFERS, CreditState.UNKNOWN, CreditState.FOUND, CreditState.CREDITED,
               CreditState.NOT_REQUIRED, CreditState.CONFIRMED)


def audit_html(rows: Sequence[AuditRow]) -> str:
    """Return a complete HTML document with a row for each service and its layers below, lacking credits first.

    The page loads nothing from the network. Raises CartoguideError if Jinja2 is not installed.
    """
    counts = [f"{sum(row.state is state for row in rows)} {state.counted_label}" for state in _PAGE_ORDER
              if any(row.state is state for row in rows)]
    return render(
        "audit.html", title=tr("Credits of this project"), total=tr("%n layer(s)", n=len(rows)),
        counts=counts, groups=sorted(group_rows(rows), key=_urgency),
        headings=(tr("State"), tr("Layer"), tr("Credit"), tr("Terms"), tr("Found in")),
        labels={"now": tr("now:"), "found": tr("found:"), "not_stated": tr("not stated")})


def _urgency(group: AuditGroup) -> int:
    return min(_PAGE_ORDER.index(state) for state in group.states)


def audit_csv(rows: Iterable[AuditRow]) -> str:
    """Return the rows as CSV (RFC 4180) with a heading line."""
    heading = (tr("Layer"), tr("Type"), tr("State"), tr("Credit on the layer"), tr("Credit found"), tr("Found in"),
               tr("Credit required"), tr("Licence"), tr("Licence’s address"), tr("Fees"), tr("Access constraints"),
               tr("Service"), tr("Record"), tr("Record’s title"), tr("Address"), tr("Problem"))
    return csv_table(heading, (
        (row.layer.title, row.layer.kind.label, row.state.label, "; ".join(row.layer.credit), "; ".join(row.credit),
         row.origin, row.required.label, row.licence, row.licence_url, row.fees, row.access, row.service, row.record_id,
         row.record_title, row.layer.place, row.problem) for row in rows))
