"""Contents of a page that its features read in a task after the layout was built."""

from __future__ import annotations

from typing import Any, Hashable, NamedTuple, Optional, Sequence, Tuple

from qgis.core import QgsPrintLayout, QgsProject

from ...core.custommap.model import Plan
from ..runtime import tasks
from ..services.service_cache import ServiceCache
from .layout_feature import TaskContents
from .page_features import FEATURES


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
