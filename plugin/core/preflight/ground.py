"""Findings about how a map lies on its page: without a base, with one that ends within the frame, or turned.

The window shows them with their remedies. A page has them among its notes, which gallery, Processing and scripts say.
"""

from __future__ import annotations

from typing import Collection, Iterator, List, Optional, Sequence

from ..box import Box
from ..custommap.ground_scale import Position, has_outline
from ..custommap.map_findings import MapFinding, MapRemedy, RemedyKind, Severity
from ..custommap.model import MapRole, Plan
from ..custommap.suggestions import SuggestionCandidate
from ..i18n import tr
from ..numbers import format_angle
from ..page_design.type_scale import PAPER_FACTORS
from ..pages.page_features import shows_all_moments
from ..sources.layer_source import WmsSource
from ..text import shorten, single_line

#: a base that covers a smaller share of the map is noted: a strip of 5 mm beside it is seen
LITTLE_OF_BASE = 0.99
#: degrees from upright up to which names in the image of a service are read with ease
_EASILY_READ = 15.0


def shows_base(plan: Plan) -> bool:
    """Return whether a base is drawn. A day of a series is none: it has no colour where it has no value."""
    return any(layer.visible and layer.role is MapRole.BASE and not layer.is_in_series for layer in plan.layers)


def is_of_values(plan: Plan) -> bool:
    """Return whether the map shows a moment of a series, such as the rain of a day."""
    return any(layer.visible and layer.is_in_series for layer in plan.layers)


def missing_base(plan: Plan, scale: Optional[float], filling: Collection[str] = (),
                 offers: Sequence[SuggestionCandidate] = ()) -> Iterator[MapFinding]:
    """Yield a map of overlays or own layers alone, which lie on a plain ground: a warning where a base is known.

    ``filling`` are the ids of own layers of areas that fill the map. Pages of whole regions show their outline. A base
    that could not be loaded is missing, which another finding says.
    """
    layers = [layer for layer in plan.layers if layer.visible]
    own_layers = [own for own in plan.own_layers if own.visible]
    if plan.has_base or not (layers or own_layers) or not scale or shows_all_moments(plan.page.template) or has_outline(
            scale, PAPER_FACTORS.get(plan.page.paper, 1.0)):
        return
    # an image or tiles may be a map of the ground
    if any(layer.opaque for layer in layers) or any(own.type != "vector" or own.id in filling for own in own_layers):
        return
    remedies = [MapRemedy(RemedyKind.ADD_BASE, tr("Add “{title}” as base", title=shorten(single_line(offer.title), 60)),
                          offer.identifier) for offer in offers[:1]]
    yield MapFinding("no-base", Severity.WARNING if remedies else Severity.NOTE,
                     tr("The map has no base, so its contents lie on a plain ground."),
                     tr("Add a map of the ground, such as a guide map or a topographic one, and use it as the base."),
                     remedy=next(iter(remedies), None))


def turned_names(plan: Plan) -> Iterator[MapFinding]:
    """Yield a map that is turned so far that the names in the images of its services are hard to read.

    Services draw them along the edges of their images, which QGIS turns with the map. Moments of a series are colours.
    """
    rotation = plan.page.rotation % 360
    if min(rotation, 360 - rotation) > _EASILY_READ and any(
            layer.visible and not layer.is_in_series and (isinstance(layer.source, WmsSource)
                                                            or layer.source.is_map_service)
            for layer in plan.layers):
        yield MapFinding("turned-names", Severity.WARNING,
                         tr("The map is turned by {angle}, and the names and symbols that services draw turn with it.",
                            angle=format_angle(rotation)),
                         tr("They are easy to read on a map that is not turned, or by 15° at most."),
                         remedy=MapRemedy(RemedyKind.ROTATION, tr("Do not turn the map"), 0.0))


def covered_share(corners: Sequence[Position], box: Box) -> float:
    """Return the share (0 to 1) of a map that lies in ``box``. ``corners`` are the map's, one after another."""
    part = list(corners)
    # cut at each side of the box (Sutherland and Hodgman)
    for axis, bound, sign in ((0, box.west, 1), (0, box.east, -1), (1, box.south, 1), (1, box.north, -1)):
        kept: List[Position] = []
        for one, two in zip(part, [*part[1:], *part[:1]]):
            first, second = (one[axis] - bound) * sign, (two[axis] - bound) * sign
            if first >= 0:
                kept.append(one)
            if (first < 0) != (second < 0):
                share = first / (first - second)
                kept.append((one[0] + (two[0] - one[0]) * share, one[1] + (two[1] - one[1]) * share))
        part = kept
    whole = _area(corners)
    return _area(part) / whole if whole else 0.0


def _area(ring: Sequence[Position]) -> float:
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], *ring[:1]]))) / 2


def ground_notes(plan: Plan, scale: float, corners: Sequence[Position], filling: Collection[str]) -> List[str]:
    """Return what the findings say, for a page. ``corners`` are those of the map in degrees."""
    notes = [f"{finding.message} {finding.advice}"
             for finding in (*missing_base(plan, scale, filling), *turned_names(plan))]
    base = [layer for layer in plan.layers if layer.visible and layer.role is MapRole.BASE and layer.extent]
    share = max((covered_share(corners, layer.extent) for layer in base if layer.extent), default=1.0)
    if 0 < share < LITTLE_OF_BASE:
        notes.append(tr("“{title}” covers {share} % of the map. The rest is plain ground.",
                        title=base[0].service_title, share=f"{max(1.0, 100 * share):.0f}"))
    return notes
