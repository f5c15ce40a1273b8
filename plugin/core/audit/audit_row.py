"""Values of the credit audit: facts of a layer, findings about its address, and the resulting row."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Dict, Iterable, List, Optional, Tuple

from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
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
    UNKNOWN = "unknown"
    CONFIRMED = "confirmed"

    @property
    def label(self) -> str:
        """The state as translated text."""
        return {
            CreditState.CREDITED: tr("credited"), CreditState.DIFFERS: tr("another credit was found"),
            CreditState.FOUND: tr("credit found"), CreditState.NOT_REQUIRED: tr("no credit required"),
            CreditState.MISSING: tr("no credit found"),
            CreditState.UNKNOWN: tr("No credit is known: is it your own?"),
            CreditState.CONFIRMED: tr("own data, confirmed")
        }[self]

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the states without colour."""
        return {
            CreditState.MISSING: "✗", CreditState.DIFFERS: "!", CreditState.FOUND: "+", CreditState.CREDITED: "✓",
            CreditState.NOT_REQUIRED: "–", CreditState.UNKNOWN: "?", CreditState.CONFIRMED: "✓"
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
    def licence_line(self) -> str:
        """Name and address of the licence in one line, as the metadata of a layer have it."""
        return ", ".join(part for part in (self.licence, self.licence_url) if part)

    @property
    def terms_summary(self) -> str:
        """Licence, fees and constraints in one line."""
        access = self.access if fold(self.access) not in fold(self.licence) else ""
        parts = (self.licence, self.fees and tr("Fees: {words}", words=self.fees),
                 access and tr("Access: {words}", words=access))
        return " · ".join(part for part in parts if part)


@dataclass(frozen=True)
class AuditGroup:
    """The rows of all layers that come from one service or file. A layer that comes alone is a group too."""

    rows: Tuple[AuditRow, ...]

    @property
    def is_single(self) -> bool:
        """True if the group is one layer."""
        return len(self.rows) == 1

    @property
    def title(self) -> str:
        """The title of the service or record, the name of the file or the address that the layers share."""
        first, place = self.rows[0], self.rows[0].layer.place
        found = first.service or first.record_title
        return found or (place if first.layer.address else place.replace("\\", "/").rsplit("/", 1)[-1])

    @property
    def states(self) -> Tuple[CreditState, ...]:
        """The states of the layers, each once, in the order of ``CreditState``."""
        return tuple(state for state in CreditState if any(row.state is state for row in self.rows))

    @property
    def state_text(self) -> str:
        """The state of all layers, or how many of them have which."""
        if len(self.states) == 1:
            return self.states[0].label
        counts = ((state, sum(row.state is state for row in self.rows)) for state in self.states)
        return " · ".join(f"{state.label}: {count}" for state, count in counts)


def group_rows(rows: Iterable[AuditRow]) -> List[AuditGroup]:
    """Return the rows gathered by the service or file of their layers, in the order of the first layer of each."""
    groups: Dict[Tuple[str, str], List[AuditRow]] = {}
    for row in rows:
        place = normalise_endpoint(row.layer.address) if row.layer.address else row.layer.path or row.layer.layer_id
        groups.setdefault((row.layer.kind.value, place), []).append(row)
    return [AuditGroup(tuple(members)) for members in groups.values()]
