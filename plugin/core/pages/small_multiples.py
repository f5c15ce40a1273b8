"""Small multiples: one page with a map for each moment of a series. Its moments are those of ``custommap/moments``."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Iterator, Optional, Sequence, Tuple

from ..i18n import tr
from ..review.checks.rules import Severity
from .page_feature import MapOnPage, PageFeature, PageProblem

#: the bundled template
TEMPLATE = "multiples"
#: its small maps, in six weeks: a month of 31 days, the month's maximum and the chart
PLACES = 42
#: days of a week, which stand below one another in a month
WEEK = 7
#: fewer days than these stand in rows as they fit
_LEAST_DAYS = 10


def first_weekday(days: Sequence[Optional[date]]) -> Optional[int]:
    """Return the column of the first of successive days in weeks that begin on Monday.

    None for few days, and for moments other than successive days.
    """
    known = [day for day in days if day is not None]
    if len(known) < max(len(days), _LEAST_DAYS) or any(
            later - day != timedelta(days=1) for day, later in zip(known, known[1:])):
        return None
    return known[0].weekday()


def grid_columns(count: int, width: float, height: float, ratio: float, label: float, gap: float,
                 columns: int = 0) -> Tuple[int, float]:
    """Return in how many columns ``count`` maps are largest in a box, or the given ``columns``, and each map's width.

    ``ratio`` is a map's width over its height. ``label`` is the height of the heading above each map, ``gap`` the least
    distance of two maps. All lengths are in millimetres.
    """
    def map_width(number: int) -> float:
        rows = -(-count // number)
        return min((width - gap * (number - 1)) / number, ((height - gap * (rows - 1)) / rows - label) * ratio)

    best = columns or max(range(1, count + 1), key=map_width)
    return best, map_width(best)


def _problems(_value: None, custom_map: MapOnPage) -> Iterator[PageProblem]:
    """Yield a warning for a series of more moments than the page has maps."""
    if custom_map.moments > PLACES:
        yield PageProblem("moments-left-out", Severity.WARNING,
                          tr("The page has {places} small maps, but there are {count} to show. The last ones are left "
                             "out.", places=PLACES, count=custom_map.moments),
                          tr("Choose fewer layers, or export an animation, which shows all of them."))


def _unmet_need(_value: None, custom_map: MapOnPage) -> Optional[PageProblem]:
    """Return that the map is more or less than one series, or that nothing would show where its panels lie.

    Other services hide the panels, and lack a legend.
    """
    if not custom_map.is_one_series:
        return PageProblem(
            "multiples-series", Severity.WARNING, tr("Small multiples show one time series alone."),
            tr("Hide or remove the other services, or choose the template of the guide map."))
    if custom_map.lacks_place:
        return PageProblem(
            "multiples-area", Severity.WARNING,
            tr("Small multiples of an area as small as this show nothing by which it is known."),
            tr("Show the whole region, add an own layer such as the boundary of the area, or choose the template of "
               "the guide map."))
    return None


FEATURE: PageFeature[None] = PageFeature(
    "small_multiples", template=TEMPLATE, template_title=lambda: tr("Small multiples"), problems=_problems,
    shows_all_moments=True, unmet_need=_unmet_need)
