"""Limits of use that terms state, each with a name and the words that it was read from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Callable, Mapping

from ..i18n import tr


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


@dataclass(frozen=True)
class Limit:
    """One limit and the text that states it. ``from_licence``: a well-known licence implies it."""

    kind: LimitKind
    text: str
    from_licence: bool = False


_LABELS: Mapping[LimitKind, Callable[[], str]] = {
    LimitKind.PERSONAL_USE: lambda: tr("Personal use only"),
    LimitKind.NON_COMMERCIAL: lambda: tr("Not for commercial use"),
    LimitKind.EVALUATION: lambda: tr("Evaluation only"),
    LimitKind.INTERNAL_USE: lambda: tr("Internal use only"),
    LimitKind.GROUP: lambda: tr("For some people or organisations only"),
    LimitKind.NO_CACHING: lambda: tr("No storing or caching"),
    LimitKind.NO_REDISTRIBUTION: lambda: tr("No redistribution"),
    LimitKind.NO_DERIVATIVES: lambda: tr("No altered versions"),
    LimitKind.SHARE_ALIKE: lambda: tr("Derived works under the same terms"),
    LimitKind.PERMISSION_REQUIRED: lambda: tr("Permission required"),
    LimitKind.PRICE: lambda: tr("Charges apply"),
    LimitKind.ACCESS: lambda: tr("Public access limited"),
    LimitKind.OTHER: lambda: tr("Other restriction"),
}
#: limits that a printed or published map can break
PUBLISHING_LIMITS = frozenset(LimitKind) - {LimitKind.SHARE_ALIKE}


def limit_label(kind: LimitKind) -> str:
    """Return the limit in two to five words for people."""
    return _LABELS[kind]()
