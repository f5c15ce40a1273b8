"""The statements of a record and its service about terms, each with what could be read from it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ..blanks import unfilled_blanks
from ..records.model.record import Constraint, ConstraintGroup, ConstraintKind, Record
from ..sources.source_kind import ProviderInfo
from ..text import fold, single_line, states_nothing
from ..wms.model.service import Service
from .inspire_codes import code_at, code_of_text, is_wording_of
from .lexicon import Span, is_whole, lexicon_of, words_of
from .licences import LicenceMention, licence_table, merge_mentions, normalise_address
from .model import Licence
from .prescribed_credit import prescribed_lines
from .reading import TextReading, read_text
from .server_defaults import is_server_default
from .text_cache import cached_by_text
from .verdict import Evidence, Kind, code_evidence, licence_evidence

RECORD_FEES = "fees"
SERVICE_FEES = "service: Fees"
FEES_FIELDS = frozenset({RECORD_FEES, SERVICE_FEES})
SERVICE_ACCESS = "service: AccessConstraints"
SERVICE_ATTRIBUTION = "service: Attribution"
SERVICE_ABSTRACT = "service: Abstract"
SERVICE_LICENCE = "service: Licence"
#: an attribution that is shown word for word, whoever is the provider
SERVICE_CREDIT = "service: Credit"
#: the code that only refers to the other constraints (ISO 19115 B.5.24)
OTHER_RESTRICTIONS = "otherRestrictions"
#: the fields that a text can refer to, and the classes of their names
_REFERENCES = (("use_limitations", "ref-limitation"), ("access_constraints", "ref-access"),
               ("use_constraints", "ref-use"), ("other_constraints", "ref-other"))
#: a service by its capabilities, or any other source by what it says of itself
DescribedService = Union[Service, ProviderInfo]
_REFERENCE_WORDS = ("ref-verb", "ref-any", "ref-filler", *(kind for _, kind in _REFERENCES))
#: words before the name of a field in which the referring verb stands
_DISTANCE = 16
_MAX_UNSPECIFIC = 12

#: paths of values about use that no field takes, and what machines read as a duty to credit
_ABOUT_USE = re.compile(r"(?<![a-z])resourceConstraints/|orderingInstructions/|hasPolicy/|#attributionName$")
_ATTRIBUTION_DUTIES = frozenset(("http://www.w3.org/ns/odrl/2/attribute", "http://creativecommons.org/ns#Attribution"))
_ASKING = frozenset((Kind.ATTRIBUTION_LICENCE, Kind.LINE, Kind.DUTY))
#: characters of all texts of a record that are read
MAX_TEXTS = 60_000
_SHORT_TEXT = 200
#: characters of the words of a link
_MAX_LINK = 80
_JSON_KEYS = frozenset({"id", "name", "url", "quelle"})
_GERMAN_LICENCES = "http://dcat-ap.de/def/licenses/"
#: characters by which texts are compared
_SHOWN = 2_000
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"'«»“”]+", re.IGNORECASE)


@dataclass(frozen=True)
class ConstraintStatement:
    """One text of a field about terms. ``access_only``: its block constrains access and not use."""

    field: str
    text: str
    evidence: Tuple[Evidence, ...]
    reading: TextReading
    href: Optional[str] = None
    access_only: bool = False
    refers_to: Tuple[str, ...] = ()

    @property
    def mentions(self) -> Tuple[LicenceMention, ...]:
        """The licences that the statement names by words or by address."""
        return tuple(item.mention for item in self.evidence if item.mention)

    @property
    def prescribed(self) -> Tuple[str, ...]:
        """The lines to show that the text prescribes, as written."""
        if self.field == SERVICE_ATTRIBUTION:
            return ()  # the credit line names the provider already
        return self.reading.prescribed

    @property
    def access_condition(self) -> Optional[Licence]:
        """INSPIRE's limitation on public access that the statement is, or None."""
        return next((item.code for item in self.evidence if item.code
                     and item.kind in (Kind.CODE_ACCESS, Kind.IRRELEVANT)), None)

    @property
    def is_about_fees(self) -> bool:
        """True for a text of a field about fees."""
        return self.field in FEES_FIELDS

    @property
    def concerns_use(self) -> bool:
        """True for a text about use: no mere reference, "none", code about access, fees or credit."""
        return not (self.field == "credits" or self.refers_to or self.is_about_fees and not self.is_decisive_beyond_cost
                    or all(item.kind is Kind.IRRELEVANT and not item.words or item.code and item.kind in (
                        Kind.CODE_ACCESS, Kind.IRRELEVANT) for item in self.evidence))

    @property
    def is_decisive_beyond_cost(self) -> bool:
        """True where a licence, a code of conditions or a duty to credit can be read from the text."""
        return bool(self.mentions) or any(item.kind in (Kind.CODE_OPEN, Kind.CODE_UNKNOWN, Kind.DUTY, Kind.LINE,
                                                        Kind.EXEMPTION) for item in self.evidence)

    @property
    def is_decisive(self) -> bool:
        """True where a licence, a duty to credit or the cost can be read from the text."""
        return self.is_decisive_beyond_cost or any(item.kind in (Kind.FREE, Kind.FREE_FOR_SOME, Kind.PRICE)
                                                   for item in self.evidence)


@dataclass(frozen=True)
class RestrictionCodes:
    """The codes of accessConstraints or useConstraints in all blocks of the record."""

    field: str
    codes: Tuple[str, ...]

    @property
    def refers_to_other_constraints(self) -> bool:
        """True where the codes refer to the other constraints."""
        return OTHER_RESTRICTIONS in self.codes


def record_statements(record: Record) -> List[ConstraintStatement]:
    """Return every constraint text of a record, block by block as nested there, then those outside of blocks."""
    found: List[ConstraintStatement] = []
    for group in record.constraint_groups:
        found.extend(_group_statements(group, sum(len(item.text) for item in found)))
    rest = ConstraintGroup(
        ConstraintKind.LEGAL, tuple(Constraint(text) for text in record.use_limitations), record.access_constraints,
        record.use_constraints, record.other_constraints)
    listed = {(item.field, single_line(item.text[:_SHOWN])) for item in found}
    found.extend(item for item in _group_statements(rest, sum(len(item.text) for item in found))
                 if (item.field, single_line(item.text[:_SHOWN])) not in listed)
    found += [ConstraintStatement("credits", words, (Evidence(_kind_of_credit(words, Kind.NAMED), single_line(words)),),
                                  TextReading(words)) for words in record.credits if words.strip()]
    if record.fees and record.fees.strip():
        found.append(_parse_statement(record.fees, RECORD_FEES, None, False))
    return found


def unread_statements(record: Record) -> Iterator[ConstraintStatement]:
    """Yield what texts about use that no field takes say of a credit: translations, for example.

    Most say again what a field says, so that only what asks for something counts.
    """
    for value in record.unread:
        if not _ABOUT_USE.search(value.path) or "/@" in value.path or not value.text.strip():
            continue
        words = single_line(value.text[:_SHOWN])
        if value.text.strip() in _ATTRIBUTION_DUTIES:
            evidence: Tuple[Evidence, ...] = (Evidence(Kind.DUTY, words),)
        elif value.path.endswith("attributionName"):
            evidence = (Evidence(Kind.LINE, words),)
        else:
            evidence = _parse_statement(value.text[:MAX_TEXTS], "other_constraints", None, False).evidence
        asking = tuple(item for item in evidence if item.kind in _ASKING)
        if asking:
            lines = tuple(item.words for item in asking if item.kind is Kind.LINE)
            yield ConstraintStatement("other_constraints", value.text.strip(), asking,
                                      TextReading(value.text, asking, lines))


def described_statements(record: Record, service: Optional[DescribedService]) -> Iterator[ConstraintStatement]:
    """Yield what the texts that describe the data demand: many state a licence or a credit there and nowhere else.

    A mere "Source: …" says there how the data were made. A licence may be that of other data, so that its demand alone
    counts.
    """
    texts = [("abstract", record.abstract), ("purpose", record.purpose), ("lineage", record.lineage)]
    texts += [("supplemental_information", value.text) for value in record.unread
              if "supplementalInformation/" in value.path and "/@" not in value.path]
    texts += [(SERVICE_ABSTRACT, text) for text in (
        [info.description for info in service.all()] if isinstance(service, ProviderInfo) else
        [service.abstract] if service is not None else [])]
    for field, text in texts:
        if not text or not text.strip():
            continue
        reading = read_text(text[:MAX_TEXTS])
        demanded = {single_line(reading.text[line.start:line.end]).strip(" .,:;")
                    for line in prescribed_lines(reading.text) if line.demanded}
        duties = [Evidence(Kind.DUTY, item.words) for item in reading.evidence
                  if item.kind in (Kind.DUTY, Kind.ATTRIBUTION_LICENCE)]
        lines = tuple(line for line in reading.prescribed
                      if duties or line.startswith("©") or line.strip(" .,:;") in demanded)
        found = [*(Evidence(Kind.LINE, line) for line in lines), *duties]
        if found:
            words = " ".join(_distinct(item.words for item in found))
            yield ConstraintStatement(field, words, tuple(found), TextReading(words, tuple(found), lines))


def record_codes(record: Record) -> Tuple[RestrictionCodes, RestrictionCodes]:
    """Return the access codes and the use codes of a record, without repeats, in order."""
    groups = record.constraint_groups
    access = [code for group in groups for code in group.access_constraints] + list(record.access_constraints)
    use = [code for group in groups for code in group.use_constraints] + list(record.use_constraints)
    return (RestrictionCodes("access_constraints",
                             _distinct(access)), RestrictionCodes("use_constraints", _distinct(use)))


#: the codes that refer to a text or say that there is no restriction (19115:2003 B.5.24, 19115-1 B.3.29)
_NEUTRAL_CODES = frozenset({"otherrestrictions", "license", "licence", "unrestricted", "licenceunrestricted",
                            "licenceenduser", "licencedistributor"})


def code_statements(codes: Sequence[RestrictionCodes]) -> List[Evidence]:
    return [Evidence(Kind.CODE_RIGHTS, code) for field in codes for code in field.codes
            if code.lower() not in _NEUTRAL_CODES]


def service_statements(service: Optional[DescribedService]) -> List[ConstraintStatement]:
    """Return the statements of a service: AccessConstraints, Fees, and Attribution of a WMS (06-042 7.2.4.3), and what
    any other source says, in each of the documents that describe it.

    "none" is the reserved word in AccessConstraints and states nothing. INSPIRE puts its conditions into Fees.
    """
    if service is None:
        return []
    if isinstance(service, ProviderInfo):
        return list(dict.fromkeys(item for info in service.all() for item in _provider_statements(info)))
    found = _stated(service.access_constraints or "", service.fees or "")
    attribution = service.attribution
    if attribution and attribution.title:
        found.append(_attribution(attribution.title, attribution.url, SERVICE_ATTRIBUTION))
    return found


def _provider_statements(info: ProviderInfo) -> Iterator[ConstraintStatement]:
    # each line is one element of the document, and may be a code or a licence by itself
    for line in info.access.splitlines():
        yield from _stated(line, "")
    yield from _stated("", info.fees)
    if info.licence or info.licence_url:
        yield _parse_statement(info.licence or info.licence_url, SERVICE_LICENCE, info.licence_url or None, False)
    if info.credit:
        yield _attribution(info.credit, info.url or None, SERVICE_CREDIT)


def _stated(access: str, fees: str) -> List[ConstraintStatement]:
    found = []
    if not states_nothing(access):
        found.append(_parse_statement(access, SERVICE_ACCESS, None, False))
    if fees.strip():
        found.append(_parse_statement(fees, SERVICE_FEES, None, False))
    return found


def _kind_of_credit(words: str, kind: Kind) -> Kind:
    """Return ``kind``, or NAME for the credit of a server as delivered or of a template: nobody is named yet."""
    is_empty = _is_unfilled(words) or not words_of(fold(words)) or is_server_default(words)
    return Kind.NAME if is_empty else kind


def _is_unfilled(text: str) -> bool:
    """Return true for a text that is nothing but a blank ("$FEES", "{{ credit }}")."""
    blanks = unfilled_blanks(text) if len(text) <= _SHORT_TEXT else ()
    return bool(blanks) and len("".join(blanks)) + 4 > len(text.strip())


def _attribution(title: str, url: Optional[str], field: str) -> ConstraintStatement:
    """Return the statement of an Attribution: the licences in it, and the provider to credit."""
    mentions = licence_table().find_mentions(title)
    found = [item for mention in mentions for item in licence_evidence(mention)]
    found.append(Evidence(_kind_of_credit(title, Kind.LINE), single_line(title)))
    line = (single_line(title),) if field == SERVICE_CREDIT and found[-1].kind is Kind.LINE else ()
    return ConstraintStatement(field, title, tuple(found), TextReading(title, prescribed=line), url)


def _group_statements(group: ConstraintGroup, length: int) -> Iterator[ConstraintStatement]:
    """Yield the statements of a block. ``length`` is that of the texts read before: there is a limit to all of them."""
    access_only = bool(group.access_constraints) and not group.use_constraints
    for field, constraints in (("use_limitations", group.use_limitations), ("references", group.references),
                               ("other_constraints", group.other_constraints)):
        for constraint in constraints:
            text = constraint.text or constraint.href
            if text and text.strip():
                is_over = length > MAX_TEXTS and len(text) > _SHORT_TEXT
                length += len(text)
                if is_over:
                    yield ConstraintStatement(field, text, (Evidence(Kind.UNKNOWN, single_line(text[:_SHOWN])),),
                                              TextReading(text, is_cut=True), constraint.href)
                    continue
                yield _parse_statement(text, field, constraint.href, access_only and field == "other_constraints")


@cached_by_text(2048)
def _parse_statement(text: str, field: str, href: Optional[str], access_only: bool) -> ConstraintStatement:
    """Return the evidence of a text and its address: structure before prose."""
    refers_to = tuple(target for target in _referenced_fields(text) if target != field) if len(text) < 200 else ()
    anchored = list(_of_address(href, text)) if href else []
    reading = TextReading(text)
    found: List[Evidence] = []
    if refers_to and not anchored:
        found = [Evidence(Kind.IRRELEVANT, "")]
    elif is_server_default(text) or field not in FEES_FIELDS and (
            is_whole(text, "absent") or not words_of(fold(text[:_SHORT_TEXT]))):
        found = [] if anchored else [Evidence(Kind.IRRELEVANT, "")]
    elif _is_unfilled(text):
        found = [Evidence(Kind.UNKNOWN, single_line(text))]
    elif text.lstrip()[:1] in ("{", "[") and (values := _json_values(text)):
        found = list(_of_json(values))
        reading = TextReading(text, tuple(found), tuple(item.words for item in found if item.kind is Kind.LINE))
    else:
        rest = text
        for address in _ADDRESS.findall(text[:MAX_TEXTS]):
            pointed = list(_of_address(address, address))
            if any(item.code for item in pointed) or address.strip() == text.strip():
                found += pointed
                rest = rest.replace(address, " ")
        if rest.strip(" .,;:()[]<>-"):
            reading = read_text(rest, field in FEES_FIELDS)
            found += reading.evidence
    if anchored and anchored[0].mention and len(text) <= _MAX_LINK and not any(
            item.kind not in (Kind.UNKNOWN, Kind.IRRELEVANT, Kind.REFERENCE) for item in found):
        found = []  # the words of a link: "See terms", "Licence"
    if anchored and anchored[0].code and not code_of_text(text) and is_wording_of(text, anchored[0].code):
        found = []
    is_answered = any(item.mention or item.kind is Kind.LINE and _is_home_page(href or "") for item in found)
    if anchored and href != text and not (anchored[0].kind is Kind.REFERENCE and is_answered):
        found += anchored
    return ConstraintStatement(field, text, tuple(found), reading, href, access_only, refers_to)


def _referenced_fields(text: str) -> Tuple[str, ...]:
    """Return the Record fields that a text refers to, in reading order. Most texts refer to none.

    A text that is only the name of a field ("Other restrictions") refers to it too. One that says only "see
    restrictions" refers to both fields with codes.
    """
    words = words_of(fold(text[:2_000]))
    spans = lexicon_of(*_REFERENCE_WORDS).spans(words) if words else []
    verbs = [span.end for span in spans if span.has("ref-verb")]
    found = _fields_of([span for span in spans if any(0 <= span.start - end <= _DISTANCE for end in verbs)])
    if not found and all(span.classes for span in spans):
        found = _fields_of(spans)
    if not found and 1 < len(words) <= _MAX_UNSPECIFIC and spans[0].has("ref-verb") and spans[-1].has("ref-any"):
        found = ["access_constraints", "use_constraints"]
    return tuple(found)


def _fields_of(spans: Sequence[Span]) -> List[str]:
    return [field for field, kind in _REFERENCES if any(span.has(kind) for span in spans)]


def _json_values(text: str) -> List[Dict[str, str]]:
    """Return the texts of the objects of a JSON text, or an empty list where it is none."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [{str(key).lower(): value.strip() for key, value in item.items() if isinstance(value, str)}
            for item in (values if isinstance(values, list) else [values]) if isinstance(item, dict)]


def _of_json(objects: Sequence[Dict[str, str]]) -> Iterator[Evidence]:
    """Yield what the objects of GDI-DE's conventions say: a licence by address, identifier or name, and a source."""
    for values in objects:
        named = [mention for address in (values.get("url", ""), _GERMAN_LICENCES + values.get("id", ""))
                 for mention in (licence_table().find_by_address(address),) if mention]
        named = named or licence_table().find_mentions(f"{values.get('name', '')} ({values.get('id', '')})")
        for mention in merge_mentions(named):
            yield from licence_evidence(mention)
        if values.get("quelle"):
            yield Evidence(Kind.LINE, single_line(values["quelle"]))
        unread = [value for key, value in values.items() if value and key not in _JSON_KEYS]
        if not named or unread:
            yield Evidence(Kind.UNKNOWN, single_line(" ".join(unread or values.values())))


def _of_address(address: str, words: str) -> Iterator[Evidence]:
    """Yield what an address below some words says: a code, a licence, or that there are terms that were not read."""
    code = code_at(address)
    mention = None if code else licence_table().find_by_address(address)
    if code:
        yield code_evidence(code, single_line(words))
    elif mention:
        yield from licence_evidence(mention)
    elif address.lower().startswith(("http://", "https://", "www.", "//")):
        yield Evidence(Kind.REFERENCE, address)


def _is_home_page(address: str) -> bool:
    """Return true for an address of a whole site: beside a line to show it is the creditor's, and no terms."""
    return not normalise_address(address).partition("/")[2]


def _distinct(codes: Iterable[str]) -> Tuple[str, ...]:
    return tuple(dict.fromkeys(code.strip() for code in codes if code.strip()))
