"""Terms of use: what may be done with a resource, and the credit that a map of it must show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Optional, Tuple

from ..i18n import tr

if TYPE_CHECKING:
    from ..records.model.record import Record


class Decision(str, Enum):
    """A decision read from a record: yes, no, or left open by the record. It is never guessed."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"

    @property
    def label(self) -> str:
        return {Decision.YES: tr("yes"), Decision.NO: tr("no"), Decision.UNDECIDED: tr("not clear")}[self]


class LimitKind(str, Enum):
    """A kind of limit. The values are names in files and on the command line."""

    PERSONAL_USE = "personal-use"
    NON_COMMERCIAL = "non-commercial"
    EVALUATION = "evaluation"
    INTERNAL_USE = "internal-use"
    NO_CACHING = "no-caching"
    NO_REDISTRIBUTION = "no-redistribution"
    NO_DERIVATIVES = "no-derivatives"
    SHARE_ALIKE = "share-alike"
    PERMISSION_REQUIRED = "permission-required"
    GROUP = "group"
    PRICE = "price"
    ACCESS = "limited-access"
    OTHER = "other"


#: limits that a printed or published map can break
PUBLISHING_LIMITS = frozenset(LimitKind) - {LimitKind.SHARE_ALIKE}


@dataclass(frozen=True)
class Limit:
    """One limit and the text that states it. ``from_licence``: a well-known licence implies it."""

    kind: LimitKind
    text: str
    from_licence: bool = False


#: blanks of an attribution template: creator or publisher, name of the product or data set, year of the data, and the
#: date of its last update
CREDIT_BLANKS = ("owner", "product", "year", "date")


@dataclass(frozen=True)
class Licence:
    """A well-known licence: identifier (SPDX's where one exists), full title, canonical address.

    ``name`` is the short name for people (``CC BY 4.0``). The decisions follow the licence's own text.
    ``free_of_charge`` is YES where that text grants the use without payment.
    """

    id: str
    title: str
    url: Optional[str] = None
    requires_credit: Decision = Decision.UNDECIDED
    share_alike: bool = False
    allows_commercial: Decision = Decision.UNDECIDED
    allows_derivatives: Decision = Decision.UNDECIDED
    name: str = ""
    free_of_charge: Decision = Decision.UNDECIDED
    #: commercial use is allowed to those who ask for it
    commercial_on_request: bool = False
    #: the credit that the licence or its publisher prescribes, with the blanks of CREDIT_BLANKS in braces
    attribution: str = ""
    #: the address of the text that the decisions follow
    source: Optional[str] = None

    @property
    def limits(self) -> Tuple[LimitKind, ...]:
        implied = ((self.allows_commercial is Decision.NO, LimitKind.NON_COMMERCIAL),
                   (self.commercial_on_request, LimitKind.PERMISSION_REQUIRED),
                   (self.allows_derivatives is Decision.NO, LimitKind.NO_DERIVATIVES),
                   (self.share_alike, LimitKind.SHARE_ALIKE))
        return tuple(kind for is_implied, kind in implied if is_implied)


@dataclass(frozen=True)
class TrailStep:
    """One field on the reading trail: its text, and the field that it refers to.

    ``field`` is the name of the Record field (``use_limitations``) or the element of the service (``service: Fees``).
    ``leads_to`` is the field of the next step where this one is only a reference.
    """

    field: str
    text: str
    href: Optional[str] = None
    leads_to: Optional[str] = None


@dataclass(frozen=True)
class Terms:
    """The effective terms of a record, and of its service where its capabilities are known.

    ``texts`` are all texts about use, in order. ``licence`` is set only for well-known licences. ``chain`` is the
    reading trail, first field first. ``fees`` is the fees field or the clauses about the cost, as written, where
    ``free`` is not YES. ``credit`` is the formatted credit line, and ``credit_required`` says whether a map must show
    it. ``prescribed`` are the lines that the terms ask for, with their known years. ``leftovers`` are the clauses
    that restrict the use or that were not understood. ``undecided`` lists, for people, the open questions and why they
    are open.
    """

    licence: Optional[Licence] = None
    licence_url: Optional[str] = None
    texts: Tuple[str, ...] = ()
    chain: Tuple[TrailStep, ...] = ()
    free: Decision = Decision.UNDECIDED
    #: some text says that something is free of charge, and another restricts that or was not understood
    free_for_some: bool = False
    fees: Optional[str] = None
    credit_required: Decision = Decision.UNDECIDED
    credit: str = ""
    prescribed: Tuple[str, ...] = ()
    access: Optional[str] = None
    limits: Tuple[Limit, ...] = ()
    leftovers: Tuple[str, ...] = ()
    undecided: Tuple[str, ...] = ()
    #: a message where the record names licences that exclude each other, and ``licence`` is None
    conflict: Optional[str] = None
    #: the date of the last update must be stated too
    states_date: bool = False
    #: the terms in a few sentences
    sentence: str = ""

    @property
    def licence_text(self) -> Optional[str]:
        """All texts about use, with an empty line between them, or None."""
        return "\n\n".join(self.texts) or None

    def to_dict(self) -> dict[str, Any]:
        """Return the terms as JSON-ready values."""
        licence = self.licence
        return {
            "free": self.free.value, "credit_required": self.credit_required.value, "credit": self.credit,
            "licence": {"id": licence.id, "name": licence.name or licence.title, "url": licence.url}
            if licence else None,
            "licence_url": self.licence_url, "fees": self.fees, "limits": [limit.kind.value for limit in self.limits],
            "access": self.access, "texts": list(self.texts), "undecided": list(self.undecided),
            "sentence": self.sentence, "prescribed": list(self.prescribed), "conflict": self.conflict,
            "chain": [asdict(step) for step in self.chain],
        }


#: a record and its resolved terms
RecordWithTerms = Tuple["Record", Terms]
