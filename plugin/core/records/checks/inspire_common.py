"""INSPIRE metadata for data and services alike: the common requirements C.5 to C.22 of the Technical Guidelines 2.0.

The identifiers are those of "Technical Guidance for the implementation of INSPIRE dataset and service metadata based on
ISO/TS 19139:2007", version 2.0.
"""

from __future__ import annotations

import re
from typing import Iterable, Iterator, Optional, Sequence

from ...i18n import tr
from ..codelists import label
from ..languages import alpha3
from ..model import Contact
from .model import Book, Case, Family, Hit, Severity, short

book = Book(Family.INSPIRE, lambda case: case.is_iso and case.is_resource)

#: ISO 639-2/B codes of the official languages of the European Union
EU_LANGUAGES = frozenset((
    "bul", "hrv", "cze", "dan", "dut", "eng", "est", "fin", "fre", "ger", "gre", "hun", "gle", "ita", "lav", "lit",
    "mlt", "pol", "por", "rum", "slo", "slv", "spa", "swe"))
#: date types of a temporal reference (Part B 5 of Regulation 1205/2008)
REFERENCE_DATES = ("publication", "revision", "creation")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


@book.rule("title", Severity.ERROR, "TG Requirement C.8: metadata/2.0/req/common/resource-title",
           lambda: tr("Resource title"), lambda: tr("The resource has a title."),
           lambda: tr("Give the resource a title that people know it by."))
def title(case: Case) -> Iterable[Hit]:
    """C.8."""
    if not case.record.title:
        yield Hit("title", tr("The record has no title."))


@book.rule("abstract", Severity.ERROR, "TG Requirement C.9: metadata/2.0/req/common/resource-abstract",
           lambda: tr("Resource abstract"), lambda: tr("The resource has an abstract that is more than its title."),
           lambda: tr("Say in a few sentences what the resource holds, and for what area and time."))
def abstract(case: Case) -> Iterable[Hit]:
    """C.9."""
    record = case.record
    if not record.abstract:
        yield Hit("abstract", tr("The record has no abstract."))
    elif record.title and record.abstract.strip().casefold() == record.title.strip().casefold():
        yield Hit("abstract", tr("The abstract only repeats the title."), short(record.abstract),
                  severity=Severity.WARNING)


@book.rule("language", Severity.ERROR, "TG Requirement C.5: metadata/2.0/req/common/metadata-language-code",
           lambda: tr("Metadata language"),
           lambda: tr("The language of the metadata is given by its three-letter code (ISO 639-2/B)."),
           lambda: tr("Give the language's three-letter code, such as spa for Spanish."))
def language(case: Case) -> Iterable[Hit]:
    """C.5."""
    code = case.record.language
    if not code:
        yield Hit("language", tr("The record does not say in which language it is written."))
    elif alpha3(code) != code.lower():
        yield Hit("language", tr("The language is not written as a three-letter code of ISO 639-2/B."), code,
                  severity=Severity.WARNING)
    elif code.lower() not in EU_LANGUAGES:
        yield Hit("language", tr("The language is not an official language of the European Union."), code,
                  severity=Severity.NOTE)


@book.rule("metadata-date", Severity.ERROR, "TG Requirement C.7: metadata/2.0/req/common/md-date",
           lambda: tr("Metadata date"), lambda: tr("The record says when it was last changed."),
           lambda: tr("Give the date on which the record was made or last changed."))
def metadata_date(case: Case) -> Iterable[Hit]:
    """C.7."""
    if not case.record.date_stamp:
        yield Hit("date_stamp", tr("The record has no date stamp."))


@book.rule("metadata-contact", Severity.ERROR, "TG Requirement C.6: metadata/2.0/req/common/md-point-of-contact",
           lambda: tr("Metadata point of contact"),
           lambda: tr("The metadata name an organisation that answers for them, with its e-mail and the role "
                      "“Point of contact”."),
           lambda: tr("Name the organisation that answers for the record, with an e-mail address."))
def metadata_contact(case: Case) -> Iterable[Hit]:
    """C.6."""
    contacts = case.record.metadata_contacts
    yield from _contacts("metadata_contacts", contacts, tr("The record names nobody who answers for the metadata."))
    if contacts and not any((contact.role or "").lower() == "pointofcontact" for contact in contacts):
        yield Hit("metadata_contacts", tr("Nobody has the role “Point of contact” for the metadata."),
                  ", ".join(label("CI_RoleCode", contact.role) for contact in contacts if contact.role),
                  severity=Severity.NOTE, advice=tr("Give one contact of the metadata the role “Point of contact”."))


@book.rule("responsible-party", Severity.ERROR,
           "TG Requirement C.10: metadata/2.0/req/common/responsible-organisation",
           lambda: tr("Responsible organisation"),
           lambda: tr("The resource names an organisation that is responsible for it, with e-mail and role."),
           lambda: tr("Name the organisation that is responsible for the resource, with an e-mail address."))
def responsible_party(case: Case) -> Iterable[Hit]:
    """C.10."""
    contacts = case.record.contacts
    yield from _contacts("contacts", contacts, tr("The record names nobody who is responsible for the resource."))
    if contacts and not any(contact.role for contact in contacts):
        yield Hit("contacts", tr("No contact of the resource has a role."), severity=Severity.WARNING)


@book.rule("temporal-reference", Severity.ERROR,
           "TG Requirement C.11: metadata/2.0/req/common/temporal-reference",
           lambda: tr("Temporal reference"),
           lambda: tr("The resource has a date of publication, of last revision or of creation."),
           lambda: tr("Give the date on which the resource was published, last revised or created."))
def temporal_reference(case: Case) -> Iterable[Hit]:
    """C.11; a temporal extent is a temporal reference too (Part B 5.1)."""
    record = case.record
    if any((date.type or "").lower() in REFERENCE_DATES for date in record.dates):
        return
    severity = Severity.WARNING if record.dates or record.temporal_extents else Severity.ERROR
    yield Hit("dates", tr("The resource has no date of publication, revision or creation."),
              ", ".join(date.value for date in record.dates), severity=severity)


@book.rule("one-creation-date", Severity.WARNING,
           "TG Requirement C.12: metadata/2.0/req/common/max-1-date-of-creation",
           lambda: tr("One date of creation"), lambda: tr("There is at most one date of creation."),
           lambda: tr("Keep the date on which the resource was made; the others are revisions or publications."))
def one_creation_date(case: Case) -> Iterable[Hit]:
    """C.12."""
    yield from _at_most_one(case, "creation", tr("More than one date of creation is given."))


@book.rule("one-revision-date", Severity.WARNING,
           "TG Requirement C.13: metadata/2.0/req/common/max-1-date-of-last-revision",
           lambda: tr("One date of last revision"), lambda: tr("There is at most one date of last revision."),
           lambda: tr("Keep the date of the last revision only."))
def one_revision_date(case: Case) -> Iterable[Hit]:
    """C.13."""
    yield from _at_most_one(case, "revision", tr("More than one date of revision is given."))


@book.rule("bounding-box", Severity.ERROR, "TG Requirement C.19: metadata/2.0/req/common/bounding-box",
           lambda: tr("Geographic bounding box"), lambda: tr("The resource has a bounding box."),
           lambda: tr("Give the smallest box in degrees that holds the resource."))
def bounding_box(case: Case) -> Iterable[Hit]:
    """C.19; services need one only where their extent is explicit (Part C of Regulation 1205/2008)."""
    if not case.record.extents:
        yield Hit("extents", tr("The record gives no bounding box."),
                  severity=Severity.WARNING if case.is_service else None)


@book.rule("conformity", Severity.WARNING, "TG Requirement C.20: metadata/2.0/req/common/conformity",
           lambda: tr("Conformity"), lambda: tr("The record says to which specifications the resource conforms."),
           lambda: tr("Declare the conformity to Regulation 976/2009 (services) or 1089/2010 (data), even where it was "
                      "not evaluated."))
def conformity(case: Case) -> Iterable[Hit]:
    """C.20."""
    if not case.record.conformance:
        yield Hit("conformance", tr("The record declares no conformity to any specification."))


@book.rule("conformity-specification", Severity.WARNING,
           "TG Requirement C.21: metadata/2.0/req/common/conformity-specification",
           lambda: tr("Specification of the conformity"),
           lambda: tr("Each declaration of conformity cites its specification by official title and date."),
           lambda: tr("Cite the specification by its official title and its date of publication."))
def conformity_specification(case: Case) -> Iterable[Hit]:
    """C.21."""
    for result in case.record.conformance:
        if not result.title:
            yield Hit("conformance", tr("A declaration of conformity does not say to what."),
                      short(result.explanation or result.identifier))
        elif not result.date:
            yield Hit("conformance", tr("The specification of a conformity has no date."), short(result.title))


@book.rule("conformity-degree", Severity.NOTE, "TG Requirement C.22: metadata/2.0/req/common/conformity-degree",
           lambda: tr("Degree of conformity"),
           lambda: tr("Each declaration of conformity says whether the resource conforms."),
           lambda: tr("Say whether the resource conforms, once that was evaluated."))
def conformity_degree(case: Case) -> Iterable[Hit]:
    """C.22; what was not evaluated yet may stay empty, and is only noted."""
    for result in case.record.conformance:
        if result.passed is None:
            yield Hit("conformance", tr("Whether the resource conforms is not said."), short(result.title))


def _contacts(field: str, contacts: Sequence[Contact], none_at_all: str) -> Iterator[Hit]:
    if not contacts:
        yield Hit(field, none_at_all)
        return
    if not any(contact.organisation for contact in contacts):
        yield Hit(field, tr("No contact names its organisation."), _names(contacts), severity=Severity.WARNING)
    emails = [email for contact in contacts for email in contact.emails]
    if not emails:
        yield Hit(field, tr("No contact has an e-mail address."), _names(contacts), severity=Severity.WARNING)
    for email in emails:
        if not _EMAIL.fullmatch(email.strip()):
            yield Hit(field, tr("This is no e-mail address."), short(email), severity=Severity.WARNING,
                      advice=tr("Write the address as name@organisation.example, one address in each field."))


def _names(contacts: Sequence[Contact]) -> str:
    return short("; ".join(contact.organisation or contact.individual or contact.position or ""
                           for contact in contacts).strip("; "))


def _at_most_one(case: Case, kind: str, message: str) -> Iterator[Hit]:
    found: Sequence[Optional[str]] = [date.value for date in case.record.dates if (date.type or "").lower() == kind]
    if len(found) > 1:
        yield Hit("dates", message, ", ".join(value or "" for value in found))
