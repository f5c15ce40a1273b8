"""Findings about a map to be printed, and their remedies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Dict, Iterable, List, Optional, Sequence, Tuple, Union

from ..i18n import tr
from ..review.checks.rules import Severity
from ..terms.model import Decision
from .model import BlendMode

__all__ = ["MapFinding", "MapRemedy", "RemedyKind", "Severity", "covering_remedies", "missing_credit",
           "sorted_findings"]


class RemedyKind(str, Enum):
    """The kinds of remedies: what a remedy changes."""

    SCALE = "scale"
    CRS = "crs"
    OPACITY = "opacity"
    BLEND = "blend"
    BELOW = "below"
    HIDE = "hide"
    SHOW = "show"
    MOMENT = "moment"
    ENDPOINT = "endpoint"
    REMOVE = "remove"
    EXTENT = "extent"
    REFRESH = "refresh"
    CHECK = "check"
    LOCATE = "locate"
    CREDIT = "credit"
    TERMS = "terms"
    LEGEND = "legend"
    ADD_LAYER = "add layer"
    LEAVE_OUT = "leave out"
    ONE_BY_ONE = "one by one"
    TREE_ORDER = "tree order"
    ADD_BASE = "add base"
    RECORD = "record"
    FIT = "fit"
    ROTATION = "rotation"


@dataclass(frozen=True)
class MapRemedy:
    """A change that solves a finding when its button is clicked.

    ``value`` is the new scale (denominator), CRS code, opacity (0 to 1), rotation (degrees) or moment (ISO 8601), the
    identifier of the record of a new base, or the text to begin with where the person writes what is missing.
    ``label`` is the text of the button. ``question`` is what a written text answers.
    ``layers`` are those to be hidden: the service's index on the map and the layer's name. None are the whole layer.
    ``addresses`` are the new addresses of all services that have one, by the service's index on the map. ``entries``
    are the indexes of the services that are loaded again.
    """

    kind: RemedyKind
    label: str
    value: Union[float, str, None] = None
    question: str = ""
    layers: Tuple[Tuple[int, str], ...] = ()
    addresses: Tuple[Tuple[int, str], ...] = ()
    entries: Tuple[int, ...] = ()

    @property
    def asks_for_text(self) -> bool:
        """True if the person has to write something before it can be applied."""
        return self.kind is RemedyKind.CREDIT


@dataclass(frozen=True)
class MapFinding:
    """A problem or a note about a service or the map, with advice.

    ``rule`` identifies it in scripts and tests. ``service_title`` is empty for the map as a whole. ``entry_index`` is
    the service's index on the map, ``own_layer`` the id of an own layer, and ``layer_id`` that of a QGIS layer that is
    not on the map, or of a group. ``other_remedies`` come after ``remedy``, which is the mildest one.
    """

    rule: str
    severity: Severity
    message: str
    advice: str
    service_title: str = ""
    entry_index: Optional[int] = None
    remedy: Optional[MapRemedy] = None
    detail: str = ""
    own_layer: str = ""
    layer_id: str = ""
    other_remedies: Tuple[MapRemedy, ...] = ()

    @property
    def remedies(self) -> Tuple[MapRemedy, ...]:
        """All remedies, the mildest first."""
        return (*(() if self.remedy is None else (self.remedy,)), *self.other_remedies)

    @property
    def is_problem(self) -> bool:
        """True for what should be changed before the map is printed. Anything else is a note."""
        return self.severity is not Severity.NOTE


def missing_credit(required: Decision, title: str, entry_index: Optional[int] = None,
                   own_layer: str = "") -> MapFinding:
    """Return the finding that a service or own layer has no credit. ``required`` is whether its terms ask for one.

    Only where they ask for none is the map exported without it.
    """
    is_owed = required is not Decision.NO
    message = tr("Its terms require a credit, and none is known.") if required is Decision.YES else tr(
        "It has no credit, and its terms may require one.") if is_owed else tr("It has no credit line.")
    advice = tr("The map is not exported without it. Read its terms, and write whom to credit.") if is_owed else tr(
        "Read its terms before you publish, and ask its owner whom to credit.")
    return MapFinding("no-credit", Severity.ERROR if is_owed else Severity.WARNING, message, advice, title, entry_index,
                      MapRemedy(RemedyKind.CREDIT, tr("Use this credit")), own_layer=own_layer)


def covering_remedies(can_move: bool) -> Tuple[MapRemedy, ...]:
    """Return the remedies for a service that hides others, the mildest first.

    ``can_move``: something besides the base lies below it.
    """
    blend = MapRemedy(RemedyKind.BLEND, tr("Multiply with what lies below"), BlendMode.MULTIPLY.value)
    move = (MapRemedy(RemedyKind.BELOW, tr("Move it below the others")),) if can_move else ()
    return blend, *move, MapRemedy(RemedyKind.OPACITY, tr("Set opacity to 70 %"), 0.7)


def sorted_findings(findings: Iterable[MapFinding]) -> Tuple[MapFinding, ...]:
    """Return the findings by severity, the gravest first, then by service, bottom first.

    Notes that say the same of several services or layers are one.
    """
    groups: Dict[Tuple[object, ...], List[MapFinding]] = {}
    for number, finding in enumerate(findings):
        is_alike = not finding.is_problem and not finding.remedies and bool(finding.service_title)
        key = (finding.rule, finding.message, finding.advice) if is_alike else (number,)
        groups.setdefault(key, []).append(finding)
    return tuple(
        sorted(map(_joined, groups.values()), key=lambda finding: (finding.severity.rank, -1
                                                if finding.entry_index is None else finding.entry_index)))


def _joined(alike: Sequence[MapFinding]) -> MapFinding:
    """Return findings that say the same as one, with the title of each service or layer once."""
    titles = list(dict.fromkeys(finding.service_title for finding in alike))
    if len(titles) == 1:
        return alike[0]
    return replace(alike[0], service_title=", ".join(titles), entry_index=None, own_layer="")
