"""Draw the page of a custom map for the screen, in steps between which the window responds.

The page is a real layout of the plan, built like the one that is exported and kept out of the project. Its maps are
drawn by QGIS's parallel renderer in other threads, and put into the layout as images, so that nothing waits for a
server.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Dict, Generator, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutExporter,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutSize,
    QgsMapLayer,
    QgsMapRendererParallelJob,
    QgsPrintLayout,
    QgsProject,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QRectF, QSize, QSizeF, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ..layouts import layout_items
from ..layouts.layout_builder import building_steps, legend_steps
from ..layouts.locator_map import empty_layer
from ..layouts.small_multiples import legend_layers
from ..legends.legend_graphics import FetchedLegends
from ..runtime import compat, tasks
from ..runtime.images import png_bytes
from ..runtime.thread_pool import ExtraSlots
from .legend_memory import LegendMemory

_MM = 25.4
#: milliseconds between two steps, in which the window handles its events
_STEP_INTERVAL_MS = 5
#: milliseconds after which the page is shown without the images that have not arrived
_PATIENCE_MS = 1000
#: layers of which each waits for its server in a thread of its own
_MAX_WAITING = 8
#: pixels along the longer side of the page for which its maps are drawn at least: a server draws symbols and labels for
#: the resolution that it is asked for, and at that of a small picture they are too large, or none
_MAP_PIXELS = 700
#: little compression: the image is read again at once
_PNG_QUALITY = 90


@dataclass(frozen=True)
class PagePart:
    """One item of the page: its id in the template, and its place in shares (0 to 1) of the page's size."""

    item_id: str
    bounds: QRectF


@dataclass(frozen=True)
class PagePicture:
    """The first page as an image, with its parts, the topmost first.

    ``is_complete`` is False while images of maps or legends are awaited. ``scale`` is the main map's denominator.
    """

    image: QImage
    parts: Tuple[PagePart, ...]
    is_complete: bool
    scale: float

    def part_at(self, x: float, y: float) -> Optional[PagePart]:
        """Return the topmost part at a place, in shares of the page's size."""
        return next((part for part in self.parts if part.bounds.contains(x, y)), None)


#: steps of the work, of which the last ones yield the picture
_Steps = Generator[Optional[PagePicture], None, None]


#: renderers that were cancelled, until they have ended: a job that is deleted before would block
_ending: List[QgsMapRendererParallelJob] = []


class PageDrawing(QObject):
    """Draws one page once. ``drawn`` carries a PagePicture, first an incomplete one if servers are slow.

    Main thread only. ``close`` ends it at any time.
    """

    drawn = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(self, project: QgsProject, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], width: int,
                 outlines: QgsProject, memory: LegendMemory, parent: Optional[QObject] = None) -> None:
        """``width`` is the image's in pixels. ``outlines`` is a project of the caller for layers of the page's own."""
        super().__init__(parent)
        self._project, self._plan, self._layers, self._width = project, plan, list(layers), width
        self._outlines, self._memory = outlines, memory
        self._layout: Optional[QgsPrintLayout] = None
        self._jobs: Dict[str, QgsMapRendererParallelJob] = {}
        self._pictures: Dict[str, QgsLayoutItemPicture] = {}
        self._slots = ExtraSlots()
        self._legend_job: Optional[tasks.Job] = None
        self._awaits_legends = False
        self._is_closed = False
        self._is_in_step = False
        self._steps: List[_Steps] = [self._build()]
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_STEP_INTERVAL_MS)
        self._timer.timeout.connect(self._run_step)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._show)

    def start(self) -> None:
        """Begin with the first step, soon."""
        self._patience.start()
        self._timer.start()

    @property
    def is_complete(self) -> bool:
        """True if nothing is awaited."""
        return self._layout is not None and not self._awaits_legends and not any(
            job.isActive() for job in self._jobs.values())

    def close(self) -> None:
        """End the work without waiting for it. No signal is emitted afterwards.

        May be called in the middle of a step, since QGIS itself runs event loops in places.
        """
        self._is_closed = True
        self._timer.stop()
        self._patience.stop()
        if not self._is_in_step:
            self._release()

    def _release(self) -> None:
        """End all that the steps have begun. The object itself may be deleted already."""
        self._slots.remove()
        for steps in self._steps:
            steps.close()
        self._steps = []
        if self._legend_job is not None:
            self._legend_job.cancel()
            self._legend_job = None
        for job in self._jobs.values():
            if not sip.isdeleted(self):
                job.finished.disconnect(self._show)
            end_rendering(job)
        self._jobs, self._pictures, self._layout, self._layers = {}, {}, None, []

    # -- steps

    def _run_step(self) -> None:
        if self._is_closed or self._is_in_step or not self._steps:
            return
        picture: Optional[PagePicture] = None
        failure: Optional[CartoguideError] = None
        self._is_in_step = True
        try:
            picture = next(self._steps[0])
        except StopIteration:
            self._steps.pop(0)
        except CartoguideError as error:
            failure = error
        except (KeyError, RuntimeError) as error:
            # a layer, or the project, was deleted between two steps
            failure = CartoguideError(tr("The page could not be drawn."), repr(error))
        finally:
            self._is_in_step = False
        if self._is_closed:
            self._release()
            return
        if failure is not None:
            self.close()
            self.failed.emit(failure)
            return
        if self._steps:
            self._timer.start()
        if picture is not None:
            # now: whoever receives it may close the drawing, whose step is not running any more
            self.drawn.emit(picture)

    def _build(self) -> _Steps:
        self._outlines.setTransformContext(self._project.transformContext())
        layout = yield from building_steps(self._project, self._plan, self._layers, outline_project=self._outlines)
        yield None
        page = layout.pageCollection().page(0)
        dpi = max(self._width / page.rect().width(),
                  _MAP_PIXELS / max(page.rect().width(), page.rect().height())) * _MM
        nothing = empty_layer(self._outlines)
        for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
            if "[%" in label.text():
                # while the maps still have their layers
                label.setText(inert(label.currentText()))
        yield None
        for number, item in enumerate(layout_items.items_of_type(layout, QgsLayoutItemMap)):
            if item.isVisible() and item.layers() not in ([], [nothing]) and max(0, item.page()) == 0:
                self._start_map(layout, item, dpi, f"{number} {item.id()}")
                item.setLayers([nothing])
                yield None
        self._layout = layout
        self._start_legends(layout)
        if self.is_complete:
            self._show()

    def _start_map(self, layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, key: str) -> None:
        """Draw the item's map in other threads, into a picture that lies just below it."""
        extent, pixels = item.extent(), item.mapUnitsToLayoutUnits() * dpi / _MM
        settings = item.mapSettings(extent, QSizeF(extent.width() * pixels, extent.height() * pixels), dpi, True)
        settings.setFlag(compat.vector_output_flag(), False)
        job = QgsMapRendererParallelJob(settings)
        job.finished.connect(self._show)
        self._jobs[key] = job
        picture = QgsLayoutItemPicture(layout)
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Stretch)
        picture.setBackgroundEnabled(item.hasBackground())
        picture.setBackgroundColor(item.backgroundColor())
        item.setBackgroundEnabled(False)
        layout.addLayoutItem(picture)
        picture.setZValue(item.zValue() - 0.5)
        picture.attemptResize(QgsLayoutSize(item.rect().width(), item.rect().height()))
        picture.attemptMove(item.positionWithUnits(), True, False, 0)
        picture.setItemRotation(item.itemRotation())
        self._pictures[key] = picture
        waiting = sum(len(other.mapSettings().layers()) for other in self._jobs.values())
        # one more for the legends, whose job waits in the same pool on some versions of QGIS
        self._slots.add(min(waiting, _MAX_WAITING) + 1)
        job.start()

    def _start_legends(self, layout: QgsPrintLayout) -> None:
        if layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItem) is None:
            return
        plans, scale = legend_layers(layout, self._plan), layout_items.map_scale(layout)
        self._awaits_legends = True
        known = self._memory.find(plans, scale)
        if known is not None:
            self._steps.append(self._fill_legend(known))
            self._timer.start()
            return

        def finish(legends: FetchedLegends) -> None:
            self._memory.remember(plans, scale, legends)
            self._legend_job = None
            self._steps.append(self._fill_legend(legends))
            self._timer.start()

        self._legend_job = tasks.start(tr("Fetching the legends of “{title}”", title=self._plan.title),
                                       lambda feedback: self._memory.fetch(plans, scale, feedback), finish,
                                       lambda _error: finish(FetchedLegends()), self, quiet=True)

    def _fill_legend(self, legends: FetchedLegends) -> _Steps:
        if self._layout is not None:
            yield from legend_steps(self._layout, self._plan, self._layers, legends)
        self._awaits_legends = False
        yield None
        self._show()

    # -- showing

    def _show(self) -> None:
        """Draw the page as far as it has come, if it is complete or patience has ended."""
        if not any(job.isActive() for job in self._jobs.values()):
            self._slots.remove()
        if not self._is_closed and self._layout is not None and (self.is_complete or not self._patience.isActive()):
            self._patience.stop()
            self._steps.append(self._draw())
            self._timer.start()

    def _draw(self) -> _Steps:
        is_complete = self.is_complete
        for key, job in self._jobs.items():
            image = job.renderedImage()
            if not image.isNull():
                data = base64.b64encode(png_bytes(image, _PNG_QUALITY)).decode("ascii")
                self._pictures[key].setPicturePath(f"base64:{data}")
                yield None
        layout = self._layout
        if layout is None or sip.isdeleted(layout):
            return
        page = layout.pageCollection().page(0).rect()
        size = QSize(self._width, max(1, round(self._width * page.height() / page.width())))
        image = QgsLayoutExporter(layout).renderPageToImage(0, size, self._width / page.width() * _MM)
        yield PagePicture(image, page_parts(layout), is_complete, layout_items.map_scale(layout))


def end_rendering(job: QgsMapRendererParallelJob) -> None:
    """Cancel a renderer without waiting for it, and hold it until it has ended."""
    if job.isActive():
        _ending.append(job)
        job.finished.connect(_forget_ended)
        job.cancelWithoutBlocking()


def _forget_ended() -> None:
    _ending[:] = [job for job in _ending if job.isActive()]


def page_parts(layout: QgsPrintLayout) -> Tuple[PagePart, ...]:
    """Return the visible items with an id on the layout's first page, the topmost first."""
    page = layout.pageCollection().page(0)
    area = page.mapRectToScene(page.rect())
    items = [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
             if item.id() and item.isVisible() and item.page() == 0 and not isinstance(item, QgsLayoutItemPage)]
    parts = []
    for item in sorted(items, key=lambda item: -float(item.zValue())):
        bounds = item.mapRectToScene(item.rect())
        parts.append(PagePart(item.id(), QRectF((bounds.x() - area.x()) / area.width(),
                                                (bounds.y() - area.y()) / area.height(),
                                                bounds.width() / area.width(), bounds.height() / area.height())))
    return tuple(parts)
