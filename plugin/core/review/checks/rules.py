"""Rules, the findings they produce, and the context in which they see a record."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta, timezone
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Tuple

from ...distributions.record_distributions import Distribution, wms_distributions
from ...i18n import tr
from ...records.model.record import Record, ResourceKind, is_starter

if TYPE_CHECKING:
    from ...network_profile import NetworkProfile
    from ...terms.model import Terms

_ISO = ("iso19139", "iso19115")


class Severity(str, Enum):
    """Severity of a finding: the record does not work, breaks a rule, or deserves attention."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """Return 0 for the most severe."""
        return (Severity.ERROR, Severity.WARNING, Severity.NOTE).index(self)

    @property
    def label(self) -> str:
        """Return the translated name of the severity."""
        return {Severity.ERROR: tr("Error"), Severity.WARNING: tr("Warning"), Severity.NOTE: tr("Note")}[self]


class Family(str, Enum):
    """Origin of a rule."""

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
        """Return the translated name of the family."""
        return {
            Family.IDENTITY: tr("Identity"), Family.INSPIRE: tr("INSPIRE Technical Guidelines 2.0"),
            Family.ISO19119: tr("ISO 19119, services"), Family.NETWORK: tr("Conventions of the network"),
            Family.GEOMETRY: tr("Extent"), Family.DATES: tr("Dates"), Family.TERMS: tr("Terms of use"),
            Family.LINKS: tr("Links"), Family.SERVICE: tr("Record and live service"),
        }[self]


@dataclass(frozen=True)
class Finding:
    """Result of one rule for one field, with advice.

    ``field`` is a field of the Record, ``value`` its content, and ``other`` the different value of the service, the
    server or the other record (empty if nothing is compared).
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
        """Return JSON-ready values."""
        values = asdict(self)
        values.update(family=self.family.value, severity=self.severity.value)
        return values


@dataclass(frozen=True)
class Violation:
    """Result of the check function of a rule. Advice and severity are set only if they differ from those of the rule.
    """

    field: str
    message: str
    value: str = ""
    other: str = ""
    advice: str = ""
    severity: Optional[Severity] = None


@dataclass
class CheckContext:
    """Record to be checked, with its terms, its network profile and the day that counts as today."""

    record: Record
    profile: Optional[NetworkProfile] = None
    today: date = field(default_factory=lambda: datetime.now(timezone.utc).date() + timedelta(days=1))

    @cached_property
    def terms(self) -> Terms:
        """Return the terms derived from the record alone."""
        from ...terms import terms_for

        return terms_for(self.record)

    @cached_property
    def endpoints(self) -> Tuple[Distribution, ...]:
        """Return the Web Map Services of the record."""
        return wms_distributions(self.record)

    @cached_property
    def endpoint(self) -> str:
        """Return the address of the record's map service as written, or ""."""
        return self.endpoints[0].address if self.endpoints else ""

    @property
    def is_iso(self) -> bool:
        """Return True for a record in an ISO encoding. Other formats cannot contain most of what ISO requires."""
        return self.record.source_format.startswith(_ISO)

    @property
    def is_service(self) -> bool:
        """Return True if the record describes a service."""
        return self.record.kind is ResourceKind.SERVICE

    @property
    def is_resource(self) -> bool:
        """Return True if the record describes a resource in the scope of INSPIRE: data, a series of data or a service.
        """
        return self.record.kind is not ResourceKind.OTHER

    @property
    def is_starter(self) -> bool:
        """Return True for a starter record, which contains only reliable values."""
        return is_starter(self.record)

    @cached_property
    def is_wms(self) -> bool:
        """Return True if the record describes a Web Map Service."""
        kind = (self.record.service_type or "").lower()
        return self.is_service and ("wms" in kind or kind == "view" or (not kind and bool(self.endpoints)))


CheckFunction = Callable[[CheckContext], Iterable[Violation]]
TranslatedText = Callable[[], str]


@dataclass(frozen=True)
class CheckRule:
    """One rule: identifier for scripts, family, severity, source, translated name, requirement and advice.

    ``basis`` cites the requirement or clause. ``check`` is None for rules that need the response of a server or
    service, which are applied by their modules.
    """

    id: str
    family: Family
    severity: Severity
    basis: str
    name: TranslatedText
    requirement: TranslatedText
    advice: TranslatedText
    applies: Callable[[CheckContext], bool] = lambda context: True
    check: Optional[CheckFunction] = None

    def finding(self, violation: Violation, max_severity: Optional[Severity] = None) -> Finding:
        """Return the finding for ``violation``, not more severe than ``max_severity``."""
        severity = violation.severity or self.severity
        if max_severity is not None and severity.rank < max_severity.rank:
            severity = max_severity
        return Finding(self.id, self.name(), self.family, severity, violation.field, violation.message,
                       violation.advice or self.advice(), violation.value, violation.other, self.basis)


class RuleSet:
    """Rules of one family, in the order of their definition.

    ``applies`` restricts all of them, such as to records in an ISO encoding.
    """

    def __init__(self, family: Family, applies: Callable[[CheckContext], bool] = lambda context: True) -> None:
        self.family = family
        self.rules: List[CheckRule] = []
        self._applies = applies

    def rule(self, name: str, severity: Severity, basis: str, title: TranslatedText, requirement: TranslatedText,
             advice: TranslatedText,
             applies: Optional[Callable[[CheckContext], bool]] = None) -> Callable[[CheckFunction], CheckFunction]:
        """Return a decorator that adds the rule ``family.name`` with the decorated function as its check."""
        def write(check: CheckFunction) -> CheckFunction:
            self.add(name, severity, basis, title, requirement, advice, applies, check)
            return check
        return write

    def add(self, name: str, severity: Severity, basis: str, title: TranslatedText, requirement: TranslatedText,
            advice: TranslatedText, applies: Optional[Callable[[CheckContext], bool]] = None,
            check: Optional[CheckFunction] = None) -> CheckRule:
        """Add the rule ``family.name`` and return it. Without ``check`` its module applies it."""
        rule_applies, family = applies or (lambda context: True), self._applies
        rule = CheckRule(f"{self.family.value}.{name}", self.family, severity, basis, title, requirement, advice,
                         lambda context: family(context) and rule_applies(context), check)
        self.rules.append(rule)
        return rule


def sorted_findings(findings: Iterable[Finding]) -> Tuple[Finding, ...]:
    """Return the findings, the most severe first, and in the order of the rules within a severity."""
    return tuple(sorted(findings, key=lambda finding: finding.severity.rank))
