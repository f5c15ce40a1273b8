"""Terms of use: what may be done with a resource, and the credit that a map of it must show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Optional, Tuple

if TYPE_CHECKING:
    from ..records.model.record import Record


class Decision(str, Enum):
    """A decision read from a record: yes, no, or left open by the record. It is never guessed."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


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

    ``licence_text`` is the deciding text as written. ``licence`` is set only for well-known licences. ``chain`` is the
    reading trail, first field first. ``fees`` is the text as written where ``free`` is undecided. ``credit`` is the
    formatted credit line, and ``credit_required`` says whether a map must show it. ``undecided`` lists, for people, the
    open questions and why they are open.
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
    #: texts, as written, that restrict the use beyond the credit and beyond the licence
    limits: Tuple[str, ...] = ()
    undecided: Tuple[str, ...] = ()
    #: a message where the record names licences that exclude each other, and ``licence`` is None
    conflict: Optional[str] = None

    def to_dict(self) -> dict[str, Any]:
        """Return the terms as JSON-ready values."""
        values = asdict(self)
        for name in ("free", "credit_required"):
            values[name] = values[name].value
        if self.licence:
            for name in ("requires_credit", "allows_commercial", "allows_derivatives", "free_of_charge"):
                values["licence"][name] = values["licence"][name].value
        return values


#: a record and its resolved terms
RecordWithTerms = Tuple["Record", Terms]
