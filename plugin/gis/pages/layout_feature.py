"""Shape of a page feature on layouts: the steps of building, checking and describing a page that it takes part in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Callable, Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsLayoutItem,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
)

from ...core.custommap.model import LayerPlan, PageSetup, Plan
from ...core.publication.page_elements import ElementRole
from ..layouts.map_frame import MapFrame
from ..runtime import tasks
from ..services.service_cache import ServiceCache


class MapRoom(NamedTuple):
    """A change of the room that the page's map has, made before the map gets its area.

    ``needs`` are the ids of items that it looks at, and beginnings of ids. ``key`` is what it depends on: pages with
    the same key have the same room. ``share`` changes the layout that was just loaded. Both get the page, and whether
    the map shows services.
    """

    needs: Tuple[str, ...]
    key: Callable[[PageSetup, bool], Hashable]
    share: Callable[[QgsPrintLayout, PageSetup, bool], None]


class Arrangement(NamedTuple):
    """The plan that the maps of a page show, the area in the map's CRS (None: as planned), and notes."""

    plan: Plan
    area: Optional[QgsRectangle]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class PageBuilding:
    """A page that is being built: its layout, whose main map has its area, the plan, and the layers in its order.

    ``layers`` has None for one that could not be made. ``project`` gets layers of the page's own. ``grid_crs`` is the
    CRS of the kilometre grid, None without one.
    """

    layout: QgsPrintLayout
    item: QgsLayoutItemMap
    plan: Plan
    layers: Sequence[Optional[QgsMapLayer]]
    frame: MapFrame
    project: QgsProject
    today: date
    grid_crs: Optional[QgsCoordinateReferenceSystem]


class TaskContents(NamedTuple):
    """Contents of a page that are read in a task after its layout was built.

    ``request`` returns what is to be read, None for a page without, and ``key`` a value by which equal requests are
    recognised. ``read`` is for worker threads and raises Cancelled. ``show`` draws what was read, on the main thread.
    """

    request: Callable[[QgsPrintLayout, Plan, QgsProject, Optional[ServiceCache]], Optional[Any]]
    key: Callable[[Any], Hashable]
    read: Callable[[Any, tasks.Feedback], Any]
    show: Callable[[QgsPrintLayout, Plan, Any], None]


@dataclass(frozen=True)
class LayoutFeature:
    """A page feature on layouts. What a feature has not is None. ``name`` is that of the feature in ``core/pages``."""

    name: str
    room: Optional[MapRoom] = None
    #: arranges the page's maps before the main one gets its area
    arrange: Optional[Callable[[QgsPrintLayout, Plan, QgsProject], Arrangement]] = None
    #: writes the feature on the page before the page's texts are fitted, and returns notes
    fill: Optional[Callable[[PageBuilding], Sequence[str]]] = None
    #: the same, after the page's texts have their places
    fill_rest: Optional[Callable[[PageBuilding], Sequence[str]]] = None
    #: the layers that the legend shows, None for those of the plan
    legend_plans: Optional[Callable[[QgsPrintLayout, Plan], Optional[Sequence[LayerPlan]]]] = None
    contents: Tuple[TaskContents, ...] = ()
    #: a text for each thing that the built page lacks: it is not exported
    problems: Optional[Callable[[QgsPrintLayout], List[str]]] = None
    #: the credits that the feature owes, with what they are of. They may be in any label
    credits: Optional[Callable[[QgsPrintLayout], Dict[str, str]]] = None
    #: role and text of an item of the feature's own, in the map's language, for those who do not see it
    describe: Optional[Callable[[QgsLayoutItem, str], Optional[Tuple[ElementRole, str]]]] = None
