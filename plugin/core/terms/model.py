"""Terms: what may be done with a resource, and what a map that shows it must say."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Optional, Tuple

if TYPE_CHECKING:
    from ..records.model.record import Record


class Decision(str, Enum):
    """A yes or a no that was read, or that the record leaves it open; never guessed."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Licence:
    """A well-known licence: its identifier (SPDX's where there is one), full title, canonical address.

    ``name`` is the short name for people (``CC BY 4.0``). The decisions are what the licence's own text says;
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


@dataclass(frozen=True)
class TrailStep:
    """One field on the way to the terms: what it said, and where it sent the reader.

    ``field`` is the Record field's name (``use_limitations``) or the service's element (``service: Fees``);
    ``leads_to`` is the field of the next step where this one only sends the reader on.
    """

    field: str
    text: str
    href: Optional[str] = None
    leads_to: Optional[str] = None


@dataclass(frozen=True)
class Terms:
    """The effective terms of one record (and of its service where that was read too).

    ``licence_text`` is the text that decides, as written; ``licence`` is set only where it is a well-known one.
    ``chain`` is the way it was found, first field first. ``fees`` is the text as written where ``free`` is undecided.
    ``credit`` is the line that a map must or may show, already formatted; ``credit_required`` says whether it must.
    ``undecided`` lists in words what could not be decided and why.
    """

    licence: Optional[Licence] = None
    licence_text: Optional[str] = None
    licence_url: Optional[str] = None
    chain: Tuple[TrailStep, ...] = ()
    free: Decision = Decision.UNDECIDED
    fees: Optional[str] = None
    credit_required: Decision = Decision.UNDECIDED
    credit: str = ""
    access: Optional[str] = None
    #: texts, as written, that limit the use beyond credit and beyond what the licence itself says
    limits: Tuple[str, ...] = ()
    undecided: Tuple[str, ...] = ()
    #: in words, where the record names licences that exclude each other; ``licence`` is None then
    conflict: Optional[str] = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        values = asdict(self)
        for name in ("free", "credit_required"):
            values[name] = values[name].value
        if self.licence:
            for name in ("requires_credit", "allows_commercial", "allows_derivatives", "free_of_charge"):
                values["licence"][name] = values["licence"][name].value
        return values


#: a record and its resolved terms
RecordWithTerms = Tuple["Record", Terms]
