"""A finding, the rule that made it, and what a rule gets to look at."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta, timezone
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Tuple

from ...i18n import tr
from ..model import endpoints
from ..model.record import OnlineResource, Record, is_starter

if TYPE_CHECKING:
    from ...network_profile import NetworkProfile
    from ...terms.model import Terms

_ISO = ("iso19139", "iso19115")


class Severity(str, Enum):
    """How grave a finding is: the record fails in its work, breaks a rule, or is worth a look."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return (Severity.ERROR, Severity.WARNING, Severity.NOTE).index(self)

    @property
    def label(self) -> str:
        """The severity in the person's language."""
        return {Severity.ERROR: tr("Error"), Severity.WARNING: tr("Warning"), Severity.NOTE: tr("Note")}[self]


class Family(str, Enum):
    """Where a rule comes from."""

    IDENTITY = "identity"
    INSPIRE = "inspire"
    ISO19119 = "iso19119"
    NETWORK = "network"
    GEOMETRY = "geometry"
    DATES = "dates"
    TERMS = "terms"
    LINKS = "links"
    SERVICE = "service"

    @property
    def label(self) -> str:
        """The family's name in the person's language."""
        return {
            Family.IDENTITY: tr("Identity"), Family.INSPIRE: tr("INSPIRE Technical Guidelines 2.0"),
            Family.ISO19119: tr("ISO 19119, services"), Family.NETWORK: tr("Conventions of the network"),
            Family.GEOMETRY: tr("Extent"), Family.DATES: tr("Dates"), Family.TERMS: tr("Terms of use"),
            Family.LINKS: tr("Links"), Family.SERVICE: tr("Record and live service"),
        }[self]


@dataclass(frozen=True)
class Finding:
    """What one rule found in one field: in words, with what to do.

    ``field`` is the Record's field; ``value`` what the record says there; ``other`` what the service, the server or the
    other record says instead (empty where nothing is compared).
    """

    rule: str
    name: str
    family: Family
    severity: Severity
    field: str
    message: str
    advice: str
    value: str = ""
    other: str = ""
    basis: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        values = asdict(self)
        values.update(family=self.family.value, severity=self.severity.value)
        return values


@dataclass(frozen=True)
class Violation:
    """What a rule's function yields: the field, the words, the value; advice and severity only where they differ."""

    field: str
    message: str
    value: str = ""
    other: str = ""
    advice: str = ""
    severity: Optional[Severity] = None


@dataclass
class CheckContext:
    """One record as the rules look at it: with its terms, its network, and the day that counts as today."""

    record: Record
    profile: Optional[NetworkProfile] = None
    today: date = field(default_factory=lambda: datetime.now(timezone.utc).date() + timedelta(days=1))

    @cached_property
    def terms(self) -> Terms:
        """The terms that the record alone gives."""
        from ...terms import resolve_terms

        return resolve_terms(self.record)

    @cached_property
    def endpoints(self) -> List[OnlineResource]:
        """The record's links to map services."""
        return endpoints.wms_endpoints(self.record)

    @cached_property
    def endpoint(self) -> str:
        """The record's map service address as written, or an empty text."""
        return self.endpoints[0].url if self.endpoints else ""

    @property
    def is_iso(self) -> bool:
        """Whether the record came in an ISO encoding: other formats have no place for most of what ISO asks."""
        return self.record.source_format.startswith(_ISO)

    @property
    def is_service(self) -> bool:
        """Whether the record describes a service."""
        return self.record.kind == "service"

    @property
    def is_resource(self) -> bool:
        """Whether the record describes what INSPIRE's metadata are about: data, a series of data or a service."""
        return self.record.kind in ("service", "dataset", "series")

    @property
    def is_starter(self) -> bool:
        """Whether the record is a starter record, which tells only what is known for sure."""
        return is_starter(self.record)

    @cached_property
    def is_wms(self) -> bool:
        """Whether the record is one of a Web Map Service."""
        kind = (self.record.service_type or "").lower()
        return self.is_service and ("wms" in kind or kind == "view" or (not kind and bool(self.endpoints)))


CheckFunction = Callable[[CheckContext], Iterable[Violation]]
TranslatedText = Callable[[], str]


@dataclass(frozen=True)
class CheckRule:
    """One rule: its identifier for scripts, its name, what it asks, what to do where it is broken, where it stands.

    ``basis`` is the requirement or clause, as it is cited; ``check`` is None for rules that need an answer from
    elsewhere (a server, a service), which are applied by their own modules.
    """

    id: str
    family: Family
    severity: Severity
    basis: str
    name: TranslatedText
    requirement: TranslatedText
    advice: TranslatedText
    applies: Callable[[CheckContext], bool] = lambda case: True
    check: Optional[CheckFunction] = None

    def finding(self, violation: Violation, max_severity: Optional[Severity] = None) -> Finding:
        """The finding that ``hit`` is; no graver than ``cap``."""
        severity = violation.severity or self.severity
        if max_severity is not None and severity.rank < max_severity.rank:
            severity = max_severity
        return Finding(self.id, self.name(), self.family, severity, violation.field, violation.message,
                       violation.advice or self.advice(), violation.value, violation.other, self.basis)


class RuleSet:
    """The rules of one family, written down one after the other."""

    def __init__(self, family: Family, applies: Callable[[CheckContext], bool] = lambda case: True) -> None:
        self.family = family
        self.rules: List[CheckRule] = []
        self._applies = applies

    def rule(self, name: str, severity: Severity, basis: str, title: TranslatedText, requirement: TranslatedText,
             advice: TranslatedText,
             applies: Optional[Callable[[CheckContext], bool]] = None) -> Callable[[CheckFunction], CheckFunction]:
        """Decorator: the function below checks the rule ``family.name``."""
        def write(check: CheckFunction) -> CheckFunction:
            self.add(name, severity, basis, title, requirement, advice, applies, check)
            return check
        return write

    def add(self, name: str, severity: Severity, basis: str, title: TranslatedText, requirement: TranslatedText,
            advice: TranslatedText, applies: Optional[Callable[[CheckContext], bool]] = None,
            check: Optional[CheckFunction] = None) -> CheckRule:
        """Write down a rule; without ``check`` it is applied by whoever has the answer that it needs."""
        own, family = applies or (lambda case: True), self._applies
        rule = CheckRule(f"{self.family.value}.{name}", self.family, severity, basis, title, requirement, advice,
                         lambda case: family(case) and own(case), check)
        self.rules.append(rule)
        return rule

    def get(self, name: str) -> CheckRule:
        """The rule ``family.name``; KeyError for one that is not written down."""
        for rule in self.rules:
            if rule.id == f"{self.family.value}.{name}":
                return rule
        raise KeyError(name)


def sorted_findings(findings: Iterable[Finding]) -> Tuple[Finding, ...]:
    """The gravest first; within a severity in the rules' own order."""
    return tuple(sorted(findings, key=lambda finding: finding.severity.rank))
