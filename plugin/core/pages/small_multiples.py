"""Small multiples: one page with a map for each moment of a series. Its moments are those of ``custommap/moments``."""

from __future__ import annotations

from typing import Iterator, Tuple

from ..i18n import tr
from ..review.checks.rules import Severity
from .page_feature import MapOnPage, PageFeature, PageProblem

#: the bundled template
TEMPLATE = "multiples"
#: its small maps: a month of 31 days, the month's maximum and the chart
PLACES = 36


def grid_columns(count: int, width: float, height: float, ratio: float, label: float, gap: float) -> Tuple[int, float]:
    """Return in how many columns ``count`` maps are largest in a box, and the width of each map.

    ``ratio`` is a map's width over its height. ``label`` is the height of the heading above each map, ``gap`` the least
    distance of two maps. All lengths are in millimetres.
    """
    def map_width(columns: int) -> float:
        rows = -(-count // columns)
        return min((width - gap * (columns - 1)) / columns, ((height - gap * (rows - 1)) / rows - label) * ratio)

    best = max(range(1, count + 1), key=map_width)
    return best, map_width(best)


def _problems(_value: None, custom_map: MapOnPage) -> Iterator[PageProblem]:
    """Yield a warning for a series of more moments than the page has maps."""
    if custom_map.moments > PLACES:
        yield PageProblem("moments-left-out", Severity.WARNING,
                          tr("The page has {places} small maps, but there are {count} to show. The last ones are left "
                             "out.", places=PLACES, count=custom_map.moments),
                          tr("Choose fewer layers, or export an animation, which shows all of them."))


FEATURE: PageFeature[None] = PageFeature(
    "small_multiples", template=TEMPLATE, template_title=lambda: tr("Small multiples"), problems=_problems,
    shows_all_moments=True)
