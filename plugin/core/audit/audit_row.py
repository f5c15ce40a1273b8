"""Values of the credit audit: facts of a layer, findings about its address, and the resulting row."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Tuple

from ..i18n import tr
from ..records.model.record import Record
from ..text import fold
from ..wms.model.service import Service


class CreditState(str, Enum):
    """The state of a layer's credit."""

    CREDITED = "credited"
    DIFFERS = "differs"
    FOUND = "found"
    NOT_REQUIRED = "not-asked"
    MISSING = "missing"

    @property
    def label(self) -> str:
        """The state as translated text."""
        return {
            CreditState.CREDITED: tr("has its credit"), CreditState.DIFFERS: tr("another credit was found"),
            CreditState.FOUND: tr("credit found"), CreditState.NOT_REQUIRED: tr("no credit required"),
            CreditState.MISSING: tr("no credit found")
        }[self]

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the states without colour."""
        return {
            CreditState.MISSING: "✗", CreditState.DIFFERS: "!", CreditState.FOUND: "+", CreditState.CREDITED: "✓",
            CreditState.NOT_REQUIRED: "–"
        }[self]

    @property
    def has_new_credit(self) -> bool:
        """True if a credit was found that the layer does not have yet."""
        return self in (CreditState.FOUND, CreditState.DIFFERS)


@dataclass(frozen=True)
class LayerFacts:
    """One layer of the project.

    ``kind`` is "WMS", "WMTS" or "XYZ". ``names`` are the service's layers in it, ``credit`` its present credit lines.
    ``required`` is "yes", "no" or "undecided". ``documents`` are addresses of metadata that the layer names.
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
    """Title, provider, fees and constraints of a service other than WMS (OGC 07-057r7)."""

    title: str = ""
    credit: str = ""
    fees: str = ""
    access: str = ""
    licence: str = ""
    licence_url: str = ""
    url: str = ""


@dataclass(frozen=True)
class AddressFindings:
    """Findings about one address. ``origin`` is a translated text that names the source of ``record``."""

    service: Optional[Service] = None
    provider: Optional[TileServiceInfo] = None
    record: Optional[Record] = None
    origin: str = ""
    problem: str = ""


@dataclass(frozen=True)
class AuditRow:
    """The result for one layer: the credit found and its source, the terms, and the record."""

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
        access = self.access if fold(self.access) not in fold(self.licence) else ""
        parts = (self.licence, self.fees and tr("Fees: {words}", words=self.fees),
                 access and tr("Access: {words}", words=access))
        return " · ".join(part for part in parts if part)
