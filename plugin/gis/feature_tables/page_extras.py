"""Contents of a leaflet besides its legends that are read in a task: its table of features and its photos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from qgis.core import QgsPrintLayout, QgsProject

from ...core.custommap.model import Plan
from ..layouts.layout_builder import add_notes
from ..page_items.photos import LoadedPhotos, PhotoToLoad, load_photos, photo_problems, photos_to_load, set_photos
from ..runtime import tasks
from ..services.service_cache import ServiceCache
from .table_items import request_table, set_table
from .table_reading import TableRequest, TableResult, read_table


@dataclass(frozen=True)
class ExtrasRequest:
    """Contents to be read for a page. Both are None or empty for a page without."""

    table: Optional[TableRequest] = None
    photos: Tuple[PhotoToLoad, ...] = ()

    @property
    def key(self) -> Tuple[object, ...]:
        """Value by which equal requests are recognised."""
        return (self.table.key if self.table is not None else (), self.photos)


@dataclass(frozen=True)
class PageExtras:
    """Contents read for a page."""

    table: Optional[TableResult]
    photos: LoadedPhotos


def request_extras(layout: QgsPrintLayout, plan: Plan, project: QgsProject,
                   services: Optional[ServiceCache] = None) -> Optional[ExtrasRequest]:
    """Return what is to be read for a layout, None if there is nothing. Main thread only."""
    request = ExtrasRequest(request_table(layout, plan, project, services), tuple(photos_to_load(layout)))
    return request if request.table is not None or request.photos else None


def read_extras(request: Optional[ExtrasRequest], feedback: tasks.Feedback) -> Optional[PageExtras]:
    """Read table and photos, None if nothing is requested. For worker threads. Raises Cancelled."""
    if request is None:
        return None
    photos = load_photos(request.photos, feedback)
    return PageExtras(read_table(request.table, feedback) if request.table is not None else None, photos)


def set_extras(layout: QgsPrintLayout, plan: Plan, extras: Optional[PageExtras]) -> None:
    """Draw what was read. Main thread only."""
    if extras is None:
        return
    set_table(layout, plan, extras.table)
    set_photos(layout, extras.photos)
    add_notes(layout, photo_problems(layout))
