"""Verify a map's file: the credits that it owes, those that it carries, and what has changed at its sources since."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import Enum
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ..dates import format_date
from ..errors import CartoguideError
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint, wms_endpoint, wms_endpoints
from ..records.model.record import Record, title_of_record
from ..terms.labels import licence_name
from ..terms.model import Decision, Terms
from ..text import list_quoted_names, quoted
from ..wms.model.service import Service
from .content_digest import ContentState
from .map_statement import MapSource
from .written_map import MapFileKind, WrittenMap, shows_credit

RecordLookup = Callable[[MapSource], Optional[Record]]
TermsLookup = Callable[[Optional[Record], Optional[Service]], Terms]
#: services, or the errors of those that did not respond, by endpoint
Services = Mapping[str, Union[Service, CartoguideError]]
_IMAGES = (MapFileKind.PNG, MapFileKind.JPEG, MapFileKind.TIFF)


class CreditPresence(str, Enum):
    """The place of a source’s credit in a file."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    UNKNOWN = "unknown"
    IN_METADATA = "in-metadata"
    ON_PAGE = "on-page"
    NOT_REQUIRED = "not-required"

    @property
    def label(self) -> str:
        """The state as translated text."""
        return {
            CreditPresence.MISSING: tr("not on the page"), CreditPresence.ON_PAGE: tr("on the page"),
            CreditPresence.IN_METADATA: tr("in the metadata; the page’s text cannot be read"),
            CreditPresence.UNREADABLE: tr("not in the metadata; the page’s text cannot be read"),
            CreditPresence.NOT_REQUIRED: tr("no credit required"), CreditPresence.UNKNOWN: tr("no credit known"),
        }[self]

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the states without colour."""
        return {
            CreditPresence.MISSING: "✗", CreditPresence.UNREADABLE: "?", CreditPresence.UNKNOWN: "?",
            CreditPresence.IN_METADATA: "(✓)", CreditPresence.ON_PAGE: "✓", CreditPresence.NOT_REQUIRED: "–"
        }[self]


class CreditOrigin(str, Enum):
    """The place in which a credit is found to be owed."""

    FILE = "file"
    RECORD = "record"

    @property
    def label(self) -> str:
        """The origin as translated text."""
        return {CreditOrigin.FILE: tr("the map’s file"), CreditOrigin.RECORD: tr("the record’s terms")}[self]


@dataclass(frozen=True)
class VerifiedSource:
    """One source of a map: the credit that it is owed, where that was read, and where in the file the credit is.

    ``changes`` are texts about what is different at the source now. ``unanswered``: the last of them says that its
    service does not respond, so that it is not known.
    """

    source: MapSource
    credit: str
    required: Decision
    presence: CreditPresence
    origin: Optional[CreditOrigin] = None
    in_metadata: bool = False
    changes: Tuple[str, ...] = ()
    unanswered: bool = False


@dataclass(frozen=True)
class VerifiedMap:
    """The result for one file. ``services_asked``: the services were requested to find what has changed."""

    file: WrittenMap
    sources: Tuple[VerifiedSource, ...]
    services_asked: bool = False

    def count(self, *states: CreditPresence) -> int:
        """Return the number of sources with one of these states."""
        return sum(source.presence in states for source in self.sources)

    @property
    def changed(self) -> int:
        """The number of sources that have changed."""
        return sum(len(source.changes) > source.unanswered for source in self.sources)

    @property
    def is_complete(self) -> bool:
        """True if the file is known to carry every credit that it owes."""
        doubtful = self.count(CreditPresence.MISSING, CreditPresence.UNREADABLE, CreditPresence.UNKNOWN)
        return bool(self.sources) and not self.file.problems and not doubtful and not self.may_have_lost_credits

    @property
    def may_have_lost_credits(self) -> bool:
        """True if the picture was changed after the export, and credits are known from its metadata alone."""
        return self.file.content is ContentState.CHANGED and self.count(CreditPresence.IN_METADATA) > 0

    @property
    def sentence(self) -> str:
        """The result in a few sentences."""
        if not self.sources:
            return tr("The file names no sources and none of the given records, so nothing can be said about its "
                      "credits.")
        missing, unreadable = self.count(CreditPresence.MISSING), self.count(CreditPresence.UNREADABLE)
        told = [tr("The page lacks %n credit(s) that the map owes.", n=missing)] if missing else []
        if unreadable:
            told.append(tr("The text of the page cannot be read, so %n credit(s) that the map owes could not be "
                           "looked for.", n=unreadable))
        unknown = self.count(CreditPresence.UNKNOWN)
        if unknown:
            told.append(tr("The credit of %n source(s) is not known.", n=unknown))
        if self.file.problems:
            told.append(tr("A part of the file cannot be read, so it may owe more credits than were looked for."))
        if self.may_have_lost_credits:
            told.append(tr("The picture was changed since the map was exported, so it may lack credits that its "
                           "metadata have."))
        if not told:
            told.append(_complete_sentence(self))
        if self.file.content is ContentState.CHANGED and not self.may_have_lost_credits:
            told.append(tr("The drawing was changed since the map was exported."))
        elif self.file.content is ContentState.UNKNOWN and self.file.kind in _IMAGES:
            told.append(tr("It is not known whether the picture was changed since the map was exported."))
        if not names_sources(self.file):
            told.append(tr("The file has no list of its sources, so only the credits in its metadata and those of "
                           "known records were looked for."))
        if self.changed:
            told.append(tr("Since the map was made, %n source(s) changed.", n=self.changed))
        unanswered = sum(source.unanswered for source in self.sources)
        if unanswered:
            told.append(tr("%n service(s) did not respond, so it is not known whether they have changed.",
                           n=unanswered))
        elif self.services_asked and not self.changed:
            is_known = all(source.source.capabilities_sha256 for source in self.sources if source.source.endpoint)
            told.append(tr("Nothing has changed at its services since.") if is_known else
                        tr("It is not known whether all its services are as they were: the file does not say how they "
                           "described themselves."))
        return " ".join(told)


def _complete_sentence(verified: VerifiedMap) -> str:
    if verified.count(CreditPresence.IN_METADATA):
        if verified.file.kind is MapFileKind.DOCUMENT:
            return tr("The document has the credit of each of its sources.")
        return tr("The map’s metadata have every credit that it owes. What is drawn on its page cannot be read.")
    if not verified.count(CreditPresence.ON_PAGE):
        return tr("None of the sources requires a credit.")
    return tr("The map carries every credit that it owes.")


def verify_map(file: WrittenMap, record_of: RecordLookup, terms_of: TermsLookup, given: Sequence[Record] = (),
               services: Optional[Services] = None) -> VerifiedMap:
    """Return which credits the file owes and carries.

    ``record_of`` returns the record of a source. ``given`` are records whose credits the map owes even if the file does
    not name them. With ``services`` the sources are compared with what their services say now.
    """
    sources = sources_of(file)
    verified: List[VerifiedSource] = []
    known = set()
    for source in sources:
        record = record_of(source)
        service = _service(source, services)
        if record is None and service is None and not source.credit and not names_sources(file):
            # the metadata have its credit, without telling of which address
            continue
        known |= {record.id, wms_endpoint(record)} if record is not None else set()
        verified.append(_verified(file, source, record, service, terms_of))
    for record in given:
        if not {record.id, wms_endpoint(record)} & known:
            source = MapSource(title_of_record(record), record_id=record.id or "", endpoint=wms_endpoint(record) or "")
            verified.append(_verified(file, source, record, _service(source, services), terms_of))
    return VerifiedMap(file, tuple(verified), services is not None)


def names_sources(file: WrittenMap) -> bool:
    """Return whether the file has a list of its sources or its document."""
    return file.statement is not None or file.document is not None


def sources_of(file: WrittenMap) -> List[MapSource]:
    """Return the sources that a file names.

    They are those of its list of sources and the services of its document that are not in it. A file without both names
    credits and addresses in its metadata.
    """
    sources = list(dict.fromkeys(source for statement in file.statements for source in statement.sources))
    known = {normalise_endpoint(source.endpoint) for source in sources if source.endpoint}
    if file.document is not None:
        sources += [MapSource(entry.title or entry.endpoint, entry.layers, entry.record_id or "", entry.endpoint,
                              entry.credit.line, entry.credit.required, entry.credit.licence or "",
                              entry.credit.licence_url or "") for entry in file.document.entries
                    if entry.visible and normalise_endpoint(entry.endpoint) not in known]
        if file.statement is None:
            sources += [MapSource(layer.name, credit=layer.credit,
                                  credit_required=Decision.UNDECIDED if layer.credit else Decision.NO)
                        for layer in file.document.own_layers]
    if file.statement is not None:
        # the metadata may tell of a source that was taken out of the list
        listed = "\n".join(source.credit for source in sources)
        sources += [MapSource(line, credit=line) for line in file.rights.credits if not shows_credit(listed, line)]
    if not names_sources(file):
        sources += [MapSource(line, credit=line) for line in file.rights.credits]
        sources += [MapSource(endpoint, endpoint=endpoint) for endpoint in file.rights.endpoints]
    return sources


def records_by_source(records: Sequence[Record]) -> RecordLookup:
    """Return the function that finds a source's record among ``records``, by identifier and then by address."""
    by_id: Dict[str, Record] = {record.id: record for record in records if record.id}
    by_address = {normalise_endpoint(link.url): record for record in reversed(records)
                  for link in wms_endpoints(record)}

    def find(source: MapSource) -> Optional[Record]:
        named = by_id.get(source.record_id) if source.record_id else None
        return named or (by_address.get(normalise_endpoint(source.endpoint)) if source.endpoint else None)

    return find


def _service(source: MapSource, services: Optional[Services]) -> Optional[Union[Service, CartoguideError]]:
    return services.get(source.endpoint) if services is not None and source.endpoint else None


def _verified(file: WrittenMap, source: MapSource, record: Optional[Record],
              service: Optional[Union[Service, CartoguideError]], terms_of: TermsLookup) -> VerifiedSource:
    answered = service if isinstance(service, Service) else None
    terms = terms_of(record, answered) if record is not None or answered is not None else None
    required = source.credit_required
    if terms is not None and (required is Decision.UNDECIDED or terms.credit_required is Decision.YES):
        required = terms.credit_required
    credit = source.credit or (terms.credit if terms is not None and record is not None else "")
    origin = CreditOrigin.FILE if source.credit else CreditOrigin.RECORD if credit else None
    # a service alone says less than the record that the file's terms were read from
    comparable = terms is not None and (record is not None or not source.record_id)
    changes = _term_changes(file, source, terms) if terms is not None and comparable else []
    if isinstance(service, CartoguideError):
        changes = [*changes, tr("The service does not respond: {reason}", reason=service.user_text)]
    elif answered is not None:
        changes = [*changes, *_service_changes(source, answered)]
    verified = VerifiedSource(source, credit, required, CreditPresence.UNKNOWN, origin,
                              bool(credit) and file.states(credit), tuple(changes),
                              isinstance(service, CartoguideError))
    return replace(verified, presence=_presence(file, verified))


def _presence(file: WrittenMap, verified: VerifiedSource) -> CreditPresence:
    if verified.required is Decision.NO:
        return CreditPresence.NOT_REQUIRED
    if not verified.credit:
        return CreditPresence.UNKNOWN
    if file.shows(verified.credit):
        return CreditPresence.ON_PAGE
    if file.all_text:
        return CreditPresence.MISSING
    return CreditPresence.IN_METADATA if verified.in_metadata else CreditPresence.UNREADABLE


def _term_changes(file: WrittenMap, source: MapSource, terms: Terms) -> List[str]:
    """Return how the terms differ from those that the file states of the source."""
    changes = []
    if source.credit and terms.credit and terms.chain and not shows_credit(source.credit, terms.credit):
        sentence = tr("The credit is {credit} now, and the map has it too.", credit=quoted(terms.credit)) \
            if file.shows(terms.credit) else tr("The credit is {credit} now.", credit=quoted(terms.credit))
        changes.append(sentence)
    if source.credit_required is Decision.NO and terms.credit_required is Decision.YES:
        changes.append(tr("The terms require a credit now."))
    licence = terms.licence
    if licence is not None and source.licence_url and licence.url and licence.url != source.licence_url:
        changes.append(tr("The licence is {licence} now.", licence=licence_name(licence)))
    return changes


def _service_changes(source: MapSource, service: Service) -> List[str]:
    changes = []
    if source.capabilities_sha256 and hashlib.sha256(service.original).hexdigest() != source.capabilities_sha256:
        day = format_date(source.capabilities_date)
        changes.append(tr("The service describes itself differently than on {date}.", date=day) if day else
                       tr("The service describes itself differently than when the map was made."))
    gone = [name for name in source.layers if service.layer(name) is None]
    if gone:
        changes.append(tr("The service no longer has %n layer(s): {names}.", n=len(gone),
                          names=list_quoted_names(gone)))
    return changes
