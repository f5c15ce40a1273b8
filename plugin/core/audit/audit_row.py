"""The audit's values: what a layer says of itself, what is known of its address, and the row that comes of both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Tuple

from ..i18n import tr
from ..records.model.record import Record
from ..terms.model import Terms
from ..text import fold
from ..wms.model.service import Service


class CreditState(str, Enum):
    """How a layer stands."""

    CREDITED = "credited"
    DIFFERS = "differs"
    FOUND = "found"
    NOT_REQUIRED = "not-asked"
    MISSING = "missing"

    @property
    def label(self) -> str:
        """The state in words."""
        return {
            CreditState.CREDITED: tr("has its credit"), CreditState.DIFFERS: tr("another credit was found"),
            CreditState.FOUND: tr("credit found"), CreditState.NOT_REQUIRED: tr("no credit is asked for"),
            CreditState.MISSING: tr("no credit found")
        }[self]

    @property
    def symbol(self) -> str:
        """A sign that tells the states apart without colour."""
        return {
            CreditState.MISSING: "✗", CreditState.DIFFERS: "!", CreditState.FOUND: "+", CreditState.CREDITED: "✓",
            CreditState.NOT_REQUIRED: "–"
        }[self]

    @property
    def has_new_credit(self) -> bool:
        """Whether there is a credit that the layer does not carry yet."""
        return self in (CreditState.FOUND, CreditState.DIFFERS)


@dataclass(frozen=True)
class LayerFacts:
    """One layer of the project. ``kind`` is "WMS", "WMTS" or "XYZ"; ``names`` are the service's layers in it.

    ``credit`` are the lines that it carries; ``required`` what is known of its terms ("yes", "no", "undecided");
    ``documents`` are addresses of metadata that the layer itself names.
    """

    layer_id: str
    title: str
    kind: str
    address: str
    names: Tuple[str, ...] = ()
    credit: Tuple[str, ...] = ()
    required: str = "undecided"
    licences: Tuple[str, ...] = ()
    fees: str = ""
    record_id: str = ""
    documents: Tuple[str, ...] = ()


@dataclass(frozen=True)
class TileServiceInfo:
    """What a service that is no WMS says of itself: title, who provides it, fees and constraints (OGC 07-057r7)."""

    title: str = ""
    credit: str = ""
    fees: str = ""
    access: str = ""
    licence: str = ""
    licence_url: str = ""
    url: str = ""


@dataclass(frozen=True)
class AddressFindings:
    """What could be found out about one address; ``origin`` says in words where ``record`` was found."""

    service: Optional[Service] = None
    provider: Optional[TileServiceInfo] = None
    record: Optional[Record] = None
    terms: Optional[Terms] = None
    origin: str = ""
    problem: str = ""


@dataclass(frozen=True)
class AuditRow:
    """One layer judged: the credit that was found for it and where, its terms, and its record."""

    layer: LayerFacts
    state: CreditState
    credit: Tuple[str, ...] = ()
    origin: str = ""
    required: str = "undecided"
    licence: str = ""
    licence_url: str = ""
    fees: str = ""
    access: str = ""
    service: str = ""
    record_id: str = ""
    record_title: str = ""
    attribution_url: str = ""
    problem: str = ""

    @property
    def terms_summary(self) -> str:
        """Licence, fees and constraints in one line."""
        own = self.access if fold(self.access) not in fold(self.licence) else ""
        parts = (self.licence, self.fees and tr("Fees: {words}", words=self.fees),
                 own and tr("Access: {words}", words=own))
        return " · ".join(part for part in parts if part)
