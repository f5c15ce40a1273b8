"""Metadata of planned layers from record, terms and service: credit, contacts, constraints, links, extent."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ..addresses import is_web_address
from ..box import Box
from ..records.model.record import Contact, Record, ResourceKind
from ..terms.credit_duty import CreditDuty, duty_of_terms, is_later_edition, shows, strictest_duty, with_line
from ..terms.credit_line import credited_year
from ..terms.model import Decision, Terms
from ..terms.paper_gate import PaperCredit, UnfitReason, credit_for_paper, still_unfit
from ..text import fold, single_line, states_nothing, unique_texts
from ..wms.model.service import Layer, Service, ServiceContact
from .model import MAX_LICENCES, EntryCredit, MapEntry


def entry_credit(entry: MapEntry, record: Optional[Record], terms: Optional[Terms], claims: Sequence[CreditDuty] = (),
                 service_line: str = "") -> EntryCredit:
    """Return the credit of an entry: the union of document, record and service as known now, the strictest of them.

    ``terms`` are those of record and service. ``claims`` are duties that the service itself, or somebody else's
    description of the same source, asks for. Three things make place for what is newer: the line that was saved of the
    record that is known now, the one that was saved of the service alone (``service_line``) before it had a record, and
    a line that differs from a known one in its year alone. What the person has answered in the document stands for the
    lines that could not be printed.
    """
    known = duty_of_terms(terms) if terms is not None else None
    line = single_line(entry.credit.line)
    document = CreditDuty((line,) if line else (), entry.credit.required)
    is_made_of = record is not None and bool(entry.record_id) and entry.record_id == record.id
    says_nothing = not line and document.required is not Decision.YES
    if known is None:
        duty = document
    elif says_nothing:
        duty = known
    elif record is not None and known.lines and (is_made_of or not entry.record_id and shows((service_line,), line)):
        # what the entry was made of is newer than the line that was saved with it
        duty = strictest_duty(known, [document] if document.is_stricter_than(known) else [])
    else:
        newer = (*known.lines, *known.prescribed, *(words for claim in claims for words in claim.prescribed))
        # the record of other data of the service is no later edition of this one's
        is_edition = record is None or record.kind is ResourceKind.SERVICE or is_made_of
        if is_edition and any(is_later_edition(other, line) for other in newer):
            document = CreditDuty((), document.required)
        duty = strictest_duty(document, [known])
    of_data = [CreditDuty((stored.line,) if stored.line else (), stored.required) for stored in entry.data_credits]
    duty = strictest_duty(duty, [*claims, *of_data])
    year = credited_year(record) if record is not None else ""
    paper = credit_for_paper(duty.lines, duty.required, entry.credit.answers, year)
    return EntryCredit(paper.lines, duty.required, record is None and bool(line), paper.unfit, entry.credit.answers,
                       year)


def layer_credit(credit: EntryCredit, layer: Layer) -> PaperCredit:
    """Return the credit of a layer: the entry's, and the layer's own Attribution (7.2.4.6.11)."""
    attribution = single_line(layer.attribution.title or "") if layer.attribution else ""
    own = (credit_for_paper((attribution,), Decision.UNDECIDED, credit.answers, credit.year) if attribution
           else PaperCredit())
    lines: List[str] = list(credit.lines)
    for line in own.lines:
        lines = with_line(lines, line)
    # the name of a server's program or of nobody is nobody's claim
    asked = [item for item in own.unfit if item.reason not in (UnfitReason.SERVER_TEXT, UnfitReason.NAMELESS)]
    return PaperCredit(tuple(lines), still_unfit((*credit.unfit, *asked), lines))


def layer_licences(entry: MapEntry, record: Optional[Record], terms: Optional[Terms]) -> Tuple[str, ...]:
    """Return the licence as title and address, or its text where it is not a well-known one but decided something.

    Without a record, the licence saved in the document counts before the service's.
    """
    saved = [part for part in (entry.credit.licence, entry.credit.licence_url) if part]
    if terms is None or (record is None and saved):
        return (", ".join(saved),) if saved else ()
    if terms.licence:
        return licences_of_terms(terms)
    decided = terms.credit_required is not Decision.UNDECIDED or terms.free is not Decision.UNDECIDED
    return (terms.licence_text,) if terms.licence_text and decided else ()


def licences_of_terms(terms: Terms) -> Tuple[str, ...]:
    """Return a well-known licence as title and address, or all texts about use where there is none."""
    if terms.licence:
        return (", ".join(part for part in (terms.licence.title, terms.licence.url) if part),)
    return terms.texts[:MAX_LICENCES]


def layer_constraints(record: Optional[Record], terms: Optional[Terms],
                      service: Service) -> Tuple[Tuple[str, str], ...]:
    """Return (kind, text) of every meaningful constraint: no codes, no mere references, each text once."""
    constraints: List[Tuple[str, Optional[str]]] = []
    skipped = {fold(step.text) for step in terms.chain if step.leads_to} if terms else set()
    if record:
        constraints += [("limitation", text) for text in record.use_limitations]
        constraints += [("use", item.text or item.href) for item in record.other_constraints]
    # a text given for both use and access counts as use
    constraints += [("access", terms.access if terms else None), ("access", service.access_constraints)]
    kinds: Dict[str, Tuple[str, str]] = {}
    for kind, text in constraints:
        if text and not states_nothing(text) and fold(text) not in skipped:
            kinds.setdefault(fold(text), (kind, text))
    return tuple(kinds.values())


def layer_contacts(record: Optional[Record], service: Service) -> Tuple[Mapping[str, str], ...]:
    """Return the contacts of the record, then of the service, with the keys described in LayerPlan."""
    people = [_contact(item) for item in record.contacts] if record else []
    people.append(_service_contact(service.contact))
    unique = {tuple(sorted(person.items())): person for person in people if person.get("organisation") or
              person.get("individual") or person.get("email")}
    return tuple(unique.values())


def layer_links(endpoint: str, record: Optional[Record], terms: Optional[Terms],
                layer: Layer) -> Tuple[Mapping[str, str], ...]:
    """Return the http(s) links: service, record, layer metadata, data, feature lists, licence."""
    links: List[Dict[str, str]] = [{"name": "WMS", "url": endpoint, "protocol": "OGC:WMS"}]
    for item in record.online if record else ():
        links.append({"name": item.name or item.distribution_units or item.description or "", "url": item.url,
                      "description": item.description or "", "protocol": item.protocol or ""})
    for kind, documents in (("metadata", layer.metadata_urls), ("data", layer.data_urls),
                            ("features", layer.feature_list_urls)):
        links += [{"name": item.name or kind, "url": item.url, "protocol": item.type or "", "format": item.format or ""}
                  for item in documents]
    address = terms.licence_url if terms else None
    if address:
        links.append({"name": "license", "url": address})
    unique: Dict[str, Dict[str, str]] = {}
    for link in links:
        if is_web_address(link["url"]):
            unique.setdefault(link["url"], {name: value for name, value in link.items() if value})
    return tuple(unique.values())


def layer_keywords(layer: Layer, record: Optional[Record], service: Service) -> Tuple[str, ...]:
    """Return the keywords of layer, record and service, without repeats."""
    keywords: Sequence[str] = (*layer.keywords, *(record.keywords if record else ()), *service.keywords)
    return tuple(unique_texts([single_line(word) for word in keywords if single_line(word)]))


def layer_extent(layer: Layer, record: Optional[Record]) -> Optional[Box]:
    """Return the layer's extent in degrees, else the record's, or None. One across the antimeridian is none."""
    box = layer.geographic_bbox
    return box if _is_in_order(box) else record_extent(record) if record else None


def record_extent(record: Record) -> Optional[Box]:
    """Return the smallest extent around all complete extents of the record, or None."""
    return Box.around(filter(_is_in_order, (extent.box for extent in record.extents)))


def _is_in_order(box: Optional[Box]) -> bool:
    return box is not None and box.west <= box.east and box.south <= box.north


def _contact(item: Contact) -> Dict[str, str]:
    values = {"organisation": item.organisation, "individual": item.individual, "position": item.position,
              "email": next(iter(item.emails), None), "phone": next(iter(item.phones), None), "address": item.address,
              "url": item.url, "role": item.role}
    return {name: value for name, value in values.items() if value}


def _service_contact(item: ServiceContact) -> Dict[str, str]:
    values = {"organisation": item.organisation, "individual": item.individual, "position": item.position,
              "email": item.email, "phone": item.phone, "address": item.address, "role": "pointOfContact"}
    return {name: value for name, value in values.items() if value}
