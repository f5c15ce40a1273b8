"""Measure a map on its page, and fit the page to the base, by means of the template's map item, without a layout."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial
from typing import Dict, Generator, Hashable, Iterator, List, Mapping, Optional, Tuple, Union

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsLayoutItemMap,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
)

from ...core.box import Box
from ...core.cooperative_yield import run_to_end, steps_within
from ...core.custommap import page_fit
from ...core.custommap.layer_metadata import entry_credit, layer_licences
from ...core.custommap.model import CustomMap, LayerPlan, Orientation, PageSetup, Plan
from ...core.custommap.planner import make_plan
from ...core.errors import CartoguideError
from ...core.pages.page_features import has_needs
from ...core.preflight import PrintFrame
from ...core.records.model.record import Record
from ...core.sources.layer_source import WmsSource
from ...core.terms import terms_for
from ...core.wms.model.service import Service
from ..credits.map_credits import visible_services
from ..layouts import layout_items, text_fitting
from ..layouts.map_frame import WGS84, frame_corners, set_frame
from ..layouts.template_loading import loading_steps, unmarked
from ..layouts.templates import is_user_template, template_path
from ..runtime.conversions import geographic_extent, project_points, rectangle_box
from ..runtime.ground_scale import ground_scale_at
from .layout_builder import FOOT_NEEDS, foot_of_plan, give_foot_to_map
from .page_features import FEATURES


class PageMeasurement:
    """Measures plans and keeps the templates that it has loaded, so that turning the page back and forth loads two."""

    def __init__(self, project: QgsProject) -> None:
        self._project = project
        self._templates: Dict[Hashable, QgsPrintLayout] = {}
        #: what the last measured map item shows (item, plan, ellipsoid, transformations), and its measures
        self._measured: Optional[Tuple[Tuple[object, ...], PrintFrame]] = None

    def preload(self, page: PageSetup, with_services: bool, both_ways: bool) -> Iterator[None]:
        """Load the page's template in short steps, before a plan is measured on it.

        ``both_ways``: also that of the page turned, which ``fitted`` needs.
        """
        for one in _pages(page, both_ways):
            with contextlib.suppress(CartoguideError, OSError):
                yield from self._loading_steps(one, with_services)

    def frame(self, plan: Plan) -> Optional[PrintFrame]:
        """Return the map on its page, or None if the plan has no area or its template cannot be loaded."""
        try:
            item = self._item_of(plan)
            if item is None:
                return None
            give_foot_to_map(item.layout(), plan.page, foot_of_plan(plan), is_measured=True)
            state = (item, plan, self._project.ellipsoid(), self._project.transformContext())
            if self._measured is not None and self._measured[0] == state:
                return self._measured[1]
            self._measured = None
            map_frame = set_frame(item, plan, self._project)
        except (CartoguideError, OSError):
            return None
        size = item.rect()
        extent = geographic_extent(layout_items.visible_bounds(item), item.crs(), self._project)
        found = PrintFrame(map_frame.scale, size.width(), size.height(), extent, map_frame.nominal_scale,
                           map_frame.ground, frame_corners(item, self._project))
        self._measured = state, found
        return found

    def map_extent(self, plan: Plan) -> Optional[Box]:
        """Return what the map on its page shows, in the plan's CRS, or None as ``frame``."""
        item = self._item_of(plan) if self.frame(plan) is not None else None
        if item is None:
            return None
        return rectangle_box(layout_items.visible_bounds(item))

    def placed(self, plan: Plan) -> Optional[Tuple[QgsRectangle, float, float]]:
        """Return the map's extent in the plan's CRS (x to the east), its scale's denominator, and its rotation.

        The rotation, in degrees clockwise on the page, is about the extent's centre. None as ``frame``.
        """
        frame = self.frame(plan)
        item = self._item_of(plan) if frame is not None else None
        if frame is None or item is None:
            return None
        return QgsRectangle(item.extent()), frame.scale, float(item.mapRotation())

    def map_size(self, page: PageSetup, with_services: bool = True,
                 foot: Optional[Plan] = None) -> Optional[Tuple[float, float]]:
        """Return width and height of the page's map in millimetres, or None if its template cannot be loaded.

        ``foot`` is a plan with the credits, terms and sources at the page's foot, without which that is full.
        """
        try:
            item = self._map_item(page, with_services)
        except (CartoguideError, OSError):
            return None
        if item is not None and foot is not None:
            give_foot_to_map(item.layout(), page, foot_of_plan(foot), is_measured=True)
        return (item.rect().width(), item.rect().height()) if item is not None and item.rect().height() else None

    def fitted(self, custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
               records: Mapping[str, Record], may_turn: bool = True, within: Optional[QgsRectangle] = None
               ) -> Optional[CustomMap]:
        """Return the document with the page, place and scale at which its base fills the map without a margin.

        The page of a map without a base shows all that its lowest service covers, or lies inside ``within``, in the
        map's CRS, if that shows a part of it only. ``services`` and ``records`` are by endpoint. Without ``may_turn``
        the page stays as it is. None if the base has no extent in the map's CRS.
        """
        covered = page_fit.base_area(custom_map, services, records)
        crs = QgsCoordinateReferenceSystem(custom_map.crs)
        if covered is None or not crs.isValid():
            return None
        to_map = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, self._project)
        whole = custom_map.base is None
        area = (page_fit.outer_area if whole else page_fit.inner_area)(covered, partial(project_points, to_map))
        if area is not None and whole and within is not None:
            seen = page_fit.shared_area(area, rectangle_box(within))
            if seen is not None and seen != area:
                area, whole = seen, False
        if area is None:
            return None
        ground = ground_scale_at(crs, QgsPointXY(*area.centre), self._project, custom_map.page.rotation)
        shows_services = any(entry.visible for entry in custom_map.entries)
        chosen, foot = custom_map.page, _described(custom_map, records)
        if has_needs(chosen.template):
            # it may be printed as a guide map
            chosen = make_plan(custom_map, services, records).page
            may_turn = False
        shapes = [page_fit.PageShape(page, *size) for page in _pages(chosen, may_turn)
                  for size in [self.map_size(page, shows_services, foot)] if size is not None]
        found = page_fit.fit_page(area, ground, shapes, whole) if ground is not None else None
        if found is None:
            return None
        to_degrees = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(WGS84), self._project)
        try:
            centre = project_points(to_degrees, [area.centre])[0]
        except CartoguideError:
            return None
        page = replace(found[0], template=custom_map.page.template)
        return replace(custom_map, page=page, extent=None, centre=centre, scale=found[1])

    def _item_of(self, plan: Plan) -> Optional[QgsLayoutItemMap]:
        return self._map_item(plan.page, bool(visible_services(plan)))

    def _map_item(self, page: PageSetup, with_services: bool) -> Optional[QgsLayoutItemMap]:
        return run_to_end(self._loading_steps(page, with_services))

    def _loading_steps(self, page: PageSetup, with_services: bool
                       ) -> Generator[None, None, Optional[QgsLayoutItemMap]]:
        path = template_path(page)
        rooms = [feature.room for feature in FEATURES if feature.room is not None]
        key = (path, path.stat().st_mtime, *(room.key(page, with_services) for room in rooms))
        if key not in self._templates:
            needed = (layout_items.MAP, *FOOT_NEEDS, *(item_id for room in rooms for item_id in room.needs))
            layout = yield from steps_within(partial(unmarked, self._project),
                                             loading_steps(self._project, path, needed, page.agreed_file))
            text_fitting.use_installed_styles(layout)
            for room in rooms:
                room.share(layout, page, with_services)
            self._templates[key] = layout
        return layout_items.main_map(self._templates[key])


def _described(custom_map: CustomMap, records: Mapping[str, Record]) -> Plan:
    """Return a plan of what document and records say of credits, terms and sources, before the services are known.

    What a service adds makes the foot higher and the map lower, so that the base fills it all the same.
    """
    layers = []
    for number, entry in enumerate(custom_map.entries):
        record = records.get(entry.endpoint)
        terms = terms_for(record) if record is not None else None
        layers.append(LayerPlan(
            WmsSource(address=entry.endpoint, name="", style="", format="", crs=""), entry.title,
            visible=entry.visible, entry_index=number,
            service_title=entry.title or (record.title or "" if record is not None else ""),
            rights=entry_credit(entry, record, terms).lines, licences=layer_licences(entry, record, terms),
            fees=record.fees or "" if record is not None else ""))
    return Plan(custom_map.title, custom_map.crs, tuple(layers), own_layers=custom_map.own_layers,
                page=custom_map.page, language=custom_map.language)


def _pages(page: PageSetup, may_turn: bool) -> List[PageSetup]:
    """Return the page as it is, and turned if its template allows that."""
    is_wide = page.orientation is Orientation.LANDSCAPE
    turned = replace(page, orientation=Orientation.PORTRAIT if is_wide else Orientation.LANDSCAPE)
    can_turn = may_turn and not is_user_template(page.template) and template_path(turned).is_file()
    return [page, turned] if can_turn else [page]
