"""The verdict on terms: one table says what each kind of statement counts for, and three rules combine the kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .licences import LicenceMention, merge_mentions
from .model import Decision, Licence, LimitKind


class Kind(str, Enum):
    """A kind of statement about use. The values are names for people who read the table."""

    ATTRIBUTION_LICENCE = "licence that asks for credit"
    WAIVING_LICENCE = "licence that asks for no credit"
    OPEN_LICENCE = "licence that leaves the credit open"
    COST_OPEN_LICENCE = "licence that leaves the cost open"
    LICENCE_CONFLICT = "licences that exclude each other"
    CODE_OPEN = "code: no conditions apply"
    CODE_CONTRADICTED = "code: no conditions apply, beside a condition"
    CODE_UNKNOWN = "code: conditions unknown"
    CODE_ACCESS = "code: public access limited"
    CODE_RIGHTS = "code: rights are held"
    LINE = "line to show"
    NAMED = "credit of the record"
    NAME = "mere name"
    DUTY = "duty to credit"
    WISH = "wish for credit, or a name"
    EXEMPTION = "exemption from credit"
    FREE = "free of charge"
    FREE_FOR_SOME = "free of charge in part"
    PRICE = "price"
    LIMIT = "limit of use"
    COPY_LIMIT = "limit of what is done with copies"
    UNFIT = "unfit for navigation"
    REFERENCE = "terms elsewhere that were not read"
    IRRELEVANT = "known, and about neither"
    UNKNOWN = "not understood"


class Vote(str, Enum):
    """An answer that a statement counts for in one question."""

    YES = "yes"
    NO = "no"
    #: it may be no: the answer can no longer be favourable
    BLOCKS = "blocks"
    #: yes for somebody, so that it is not favourable and contradicts a no
    PARTLY = "partly"
    NOTHING = "–"


class Row(NamedTuple):
    """One row of the table: a kind, an example, and what it counts for. ``yields``: a licence takes its place."""

    kind: Kind
    example: str
    free: Vote
    credit: Vote
    yields: bool = False


_YES, _NO, _BLOCKS, _PARTLY, _NOTHING = Vote.YES, Vote.NO, Vote.BLOCKS, Vote.PARTLY, Vote.NOTHING
#: what each kind counts for: free of charge, and credit required. The rules are those of ``settle_free`` and
#: ``settle_credit``.
TABLE: Tuple[Row, ...] = (
    #   kind                       example                            free       credit    yields
    Row(Kind.ATTRIBUTION_LICENCE, "CC BY 4.0", _YES, _YES),
    Row(Kind.WAIVING_LICENCE, "CC0 1.0", _YES, _NO),
    Row(Kind.OPEN_LICENCE, "Dominio público", _YES, _NOTHING),
    Row(Kind.COST_OPEN_LICENCE, "U.S. public domain", _NOTHING, _NOTHING),
    Row(Kind.LICENCE_CONFLICT, "CC BY 4.0 and CC BY-NC 4.0", _BLOCKS, _NOTHING),
    Row(Kind.CODE_OPEN, "noConditionsApply", _YES, _NO, True),
    Row(Kind.CODE_CONTRADICTED, "noConditionsApply and © IGN", _BLOCKS, _NOTHING),
    Row(Kind.CODE_UNKNOWN, "conditionsUnknown", _BLOCKS, _BLOCKS, True),
    Row(Kind.CODE_ACCESS, "INSPIRE_Directive_Article13_1b", _BLOCKS, _BLOCKS, True),
    Row(Kind.CODE_RIGHTS, "copyright", _NOTHING, _BLOCKS, True),
    Row(Kind.LINE, "Source: IGN", _NOTHING, _YES),
    Row(Kind.NAMED, "Instituto Geográfico Nacional (field credit)", _NOTHING, _YES),
    Row(Kind.NAME, "Land NRW / Geobasis NRW", _BLOCKS, _BLOCKS, True),
    Row(Kind.DUTY, "Debe citarse la fuente", _NOTHING, _YES),
    Row(Kind.WISH, "Um Quellenangabe wird gebeten", _NOTHING, _BLOCKS),
    Row(Kind.EXEMPTION, "No attribution required", _NOTHING, _NO),
    Row(Kind.FREE, "Gratuito", _YES, _NOTHING),
    Row(Kind.FREE_FOR_SOME, "Free of charge for schools", _PARTLY, _NOTHING),
    Row(Kind.PRICE, "50 €", _NO, _NOTHING),
    Row(Kind.LIMIT, "For internal use only", _BLOCKS, _BLOCKS),
    Row(Kind.COPY_LIMIT, "No redistribution", _NOTHING, _NOTHING),
    Row(Kind.UNFIT, "Not to be used for navigation", _NOTHING, _NOTHING),
    Row(Kind.REFERENCE, "https://example.org/terms.pdf", _BLOCKS, _BLOCKS),
    Row(Kind.IRRELEVANT, "May contain errors", _NOTHING, _NOTHING),
    Row(Kind.UNKNOWN, "EULA", _BLOCKS, _BLOCKS),
)
#: what a map as a produced work need not keep, so that it contradicts no other licence
_SHARED_ALIKE = frozenset({LimitKind.SHARE_ALIKE})
_ROWS: Mapping[Kind, Row] = {row.kind: row for row in TABLE}


@dataclass(frozen=True)
class Evidence:
    """One item that a statement says: its kind and its words as written.

    ``mention`` is the licence, ``code`` the entry of INSPIRE's code list, ``limit`` the kind of limit.
    """

    kind: Kind
    words: str = ""
    mention: Optional[LicenceMention] = None
    code: Optional[Licence] = None
    limit: Optional[LimitKind] = None


@dataclass(frozen=True)
class TermsVerdict:
    """The answers, and the evidence that counts: what yields to a licence and what a licence implies is left out."""

    free: Decision
    credit: Decision
    licences: Tuple[LicenceMention, ...]
    evidence: Tuple[Evidence, ...]

    def voting(self, question: str, *votes: Vote) -> List[Evidence]:
        """Return the evidence that votes so in a question ("free" or "credit")."""
        return [item for item in self.evidence if getattr(_ROWS[item.kind], question) in votes]

    def of(self, *kinds: Kind) -> List[Evidence]:
        """Return the evidence of some kinds."""
        return [item for item in self.evidence if item.kind in kinds]


def licence_evidence(mention: LicenceMention) -> List[Evidence]:
    """Return what the text of a licence says."""
    licence, name = mention.licence, mention.licence.name or mention.licence.title
    asks = licence.requires_credit
    if licence.free_of_charge is Decision.YES:
        kind = {Decision.YES: Kind.ATTRIBUTION_LICENCE, Decision.NO: Kind.WAIVING_LICENCE}.get(asks, Kind.OPEN_LICENCE)
        return [Evidence(kind, name, mention)]
    implied = {Decision.YES: [Evidence(Kind.DUTY, name)], Decision.NO: [Evidence(Kind.EXEMPTION, name)]}.get(asks, [])
    return [Evidence(Kind.COST_OPEN_LICENCE, name, mention), *implied]


def code_evidence(code: Licence, words: str) -> Evidence:
    """Return what an entry of INSPIRE's code lists says. That public access has no limits says nothing about use."""
    kinds = {"INSPIRE-noConditionsApply": Kind.CODE_OPEN, "INSPIRE-conditionsUnknown": Kind.CODE_UNKNOWN,
             "INSPIRE-Article13": Kind.CODE_ACCESS}
    kind = kinds.get(code.id, Kind.IRRELEVANT)
    return Evidence(kind, words, code=code, limit=LimitKind.ACCESS if kind is Kind.CODE_ACCESS else None)


def reach_verdict(evidence: Sequence[Evidence]) -> TermsVerdict:
    """Return the verdict over all evidence of a record and its service.

    That no conditions apply is contradicted by a duty to credit, and by the address of a licence that limits the use.
    """
    licences = merge_mentions([item.mention for item in evidence if item.mention])
    implied = {limit for mention in licences for limit in mention.licence.limits}
    is_contradicted = bool(implied - _SHARED_ALIKE) if licences else any(
        _ROWS[item.kind].credit is Vote.YES or item.kind is Kind.COPY_LIMIT for item in evidence)
    evidence = [replace(item, kind=Kind.CODE_CONTRADICTED) if is_contradicted and item.kind is Kind.CODE_OPEN else item
                for item in evidence]
    if len({frozenset(mention.licence.limits) - _SHARED_ALIKE for mention in licences}) > 1:
        evidence.append(Evidence(Kind.LICENCE_CONFLICT, " / ".join(
            mention.licence.name or mention.licence.title for mention in licences)))
    # a mere name is that of the owner where the licence asks for credit, and nobody's beside one that waives it
    is_owed = all(mention.licence.requires_credit is Decision.YES for mention in licences)
    counting = tuple(item for item in evidence if not (licences and _ROWS[item.kind].yields and (
        is_owed or item.kind is not Kind.NAME))
                     and not (item.kind is Kind.LIMIT and item.limit in implied))
    return TermsVerdict(settle_free({_ROWS[item.kind].free for item in counting}),
                        settle_credit({_ROWS[item.kind].credit for item in counting}), tuple(licences), counting)


def settle_free(votes: set[Vote]) -> Decision:
    """Free of charge is what somebody says, nobody denies and nothing makes doubtful. A price and "free" is undecided.
    """
    if Vote.NO in votes:
        return Decision.UNDECIDED if votes & {Vote.YES, Vote.PARTLY} else Decision.NO
    return Decision.YES if Vote.YES in votes and not votes & {Vote.BLOCKS, Vote.PARTLY} else Decision.UNDECIDED


def settle_credit(votes: set[Vote]) -> Decision:
    """Credit is required where anybody asks for it, and not required where it is waived and nothing is doubtful."""
    if Vote.YES in votes:
        return Decision.YES
    return Decision.NO if Vote.NO in votes and Vote.BLOCKS not in votes else Decision.UNDECIDED
