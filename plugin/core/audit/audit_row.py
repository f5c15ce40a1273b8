"""Values of the credit audit: facts of a layer, findings about its address, and the resulting row."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Optional, Tuple

from ..i18n import tr
from ..records.model.record import Record
from ..sources.layer_source import LayerSource, SourceType
from ..sources.source_kind import ProviderInfo
from ..terms.model import Decision
from ..text import fold
from ..wms.model.service import Service


class CreditState(str, Enum):
    """The state of a layer's credit."""

    CREDITED = "credited"
    DIFFERS = "differs"
    FOUND = "found"
    NOT_REQUIRED = "not-asked"
    MISSING = "missing"
    OWN_DATA = "own-data"
    CONFIRMED = "confirmed"

    @property
    def label(self) -> str:
        """The state as translated text."""
        return {
            CreditState.CREDITED: tr("credited"), CreditState.DIFFERS: tr("another credit was found"),
            CreditState.FOUND: tr("credit found"), CreditState.NOT_REQUIRED: tr("no credit required"),
            CreditState.MISSING: tr("no credit found"), CreditState.OWN_DATA: tr("own data"),
            CreditState.CONFIRMED: tr("own data, confirmed")
        }[self]

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the states without colour."""
        return {
            CreditState.MISSING: "✗", CreditState.DIFFERS: "!", CreditState.FOUND: "+", CreditState.CREDITED: "✓",
            CreditState.NOT_REQUIRED: "–", CreditState.OWN_DATA: "?", CreditState.CONFIRMED: "✓"
        }[self]

    @property
    def has_new_credit(self) -> bool:
        """True if a credit was found that the layer does not have yet."""
        return self in (CreditState.FOUND, CreditState.DIFFERS)


@dataclass(frozen=True)
class LayerFacts:
    """One layer of the project.

    ``address`` is that of a source on the web, ``path`` that of a local file. ``names`` are the service's layers in it,
    ``credit`` its present credit lines. ``required``: its terms require a credit. ``documents`` are addresses of
    metadata that the layer names. ``confirmed``: a person has confirmed that it is own data and needs no credit.
    """

    layer_id: str
    title: str
    kind: SourceType
    address: str = ""
    names: Tuple[str, ...] = ()
    credit: Tuple[str, ...] = ()
    required: Decision = Decision.UNDECIDED
    licences: Tuple[str, ...] = ()
    fees: str = ""
    record_id: str = ""
    documents: Tuple[str, ...] = ()
    path: str = ""
    style_address: str = ""
    confirmed: bool = False

    @property
    def source(self) -> LayerSource:
        """The layer's source."""
        return LayerSource(self.kind, self.address, self.path, self.names, self.style_address)

    @property
    def place(self) -> str:
        """The address or the path of the layer's source, or ""."""
        return self.address or self.path


@dataclass(frozen=True)
class AddressFindings:
    """Findings about one address or file. ``origin`` is a translated text that names the source of ``record``."""

    service: Optional[Service] = None
    provider: Optional[ProviderInfo] = None
    record: Optional[Record] = None
    origin: str = ""
    problem: str = ""


@dataclass(frozen=True)
class AuditRow:
    """The result for one layer: the credit found and its source, the terms, and the record.

    ``findings`` are those that the row was built from, so that it can be built again when the layer has changed.
    """

    layer: LayerFacts
    state: CreditState
    credit: Tuple[str, ...] = ()
    origin: str = ""
    required: Decision = Decision.UNDECIDED
    licence: str = ""
    licence_url: str = ""
    fees: str = ""
    access: str = ""
    service: str = ""
    record_id: str = ""
    record_title: str = ""
    attribution_url: str = ""
    problem: str = ""
    findings: AddressFindings = field(default=AddressFindings(), repr=False, compare=False)

    @property
    def terms_summary(self) -> str:
        """Licence, fees and constraints in one line."""
        access = self.access if fold(self.access) not in fold(self.licence) else ""
        parts = (self.licence, self.fees and tr("Fees: {words}", words=self.fees),
                 access and tr("Access: {words}", words=access))
        return " · ".join(part for part in parts if part)
