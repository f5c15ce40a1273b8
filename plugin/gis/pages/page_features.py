"""The page features on layouts, in the order in which they are written. A new one is one line here."""

from __future__ import annotations

import time
from typing import Any, Hashable, NamedTuple, Optional, Sequence, Tuple

from qgis.core import QgsPrintLayout, QgsProject

from ...core.custommap.model import Plan
from ..runtime import tasks
from ..services.service_cache import ServiceCache
from . import field_sheet, leaflet, logos, qr_code, small_multiples, technical_sheet
from .layout_feature import LayoutFeature, TaskContents

FEATURES: Tuple[LayoutFeature, ...] = (
    small_multiples.FEATURE,
    logos.FEATURE,
    field_sheet.FEATURE,
    leaflet.FEATURE,
    technical_sheet.FEATURE,
    qr_code.FEATURE,
)


#: seconds for which contents are shown again, and those with problems: a layer may be edited at any time
_KEEP_SECONDS, _RETRY_SECONDS = 300.0, 60.0


class ContentsRequest(NamedTuple):
    """Contents to be read for a page, each with its request."""

    parts: Sequence[Tuple[TaskContents, Any]]

    @property
    def key(self) -> Hashable:
        """Value by which equal requests are recognised."""
        return tuple((contents, contents.key(request)) for contents, request in self.parts)


class ReadContents(NamedTuple):
    """Contents read for a page."""

    parts: Sequence[Tuple[TaskContents, Any]]

    @property
    def has_problems(self) -> bool:
        """True if something could not be read."""
        return any(found.problems for _contents, found in self.parts)


class ContentsStore:
    """Contents read last, shown again for an equal request: a change of the page reads only what is new."""

    def __init__(self) -> None:
        self._last: Optional[Tuple[Hashable, ReadContents, float]] = None

    def find(self, request: ContentsRequest) -> Optional[ReadContents]:
        """Return the contents that were read for an equal request, or None if they have to be read."""
        key, contents, until = self._last or ((), None, 0.0)
        return contents if key == request.key and time.monotonic() < until else None

    def remember(self, request: ContentsRequest, contents: ReadContents) -> None:
        """Keep contents, those with problems for a short while."""
        seconds = _RETRY_SECONDS if contents.has_problems else _KEEP_SECONDS
        self._last = request.key, contents, time.monotonic() + seconds


def request_contents(layout: QgsPrintLayout, plan: Plan, project: QgsProject,
                     services: Optional[ServiceCache] = None) -> Optional[ContentsRequest]:
    """Return what is to be read for a layout, None if there is nothing. Main thread only."""
    parts = [(contents, request) for feature in FEATURES for contents in feature.contents
             if (request := contents.request(layout, plan, project, services)) is not None]
    return ContentsRequest(parts) if parts else None


def read_contents(request: Optional[ContentsRequest], feedback: tasks.Feedback) -> Optional[ReadContents]:
    """Read what is requested, None if that is nothing. For worker threads. Raises Cancelled."""
    if request is None:
        return None
    return ReadContents([(contents, contents.read(part, feedback)) for contents, part in request.parts])


def show_contents(layout: QgsPrintLayout, plan: Plan, contents: Optional[ReadContents]) -> None:
    """Draw what was read. Main thread only."""
    for part, found in contents.parts if contents is not None else ():
        part.show(layout, plan, found)
