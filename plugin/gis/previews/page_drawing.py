"""Draw the page of a custom map for the screen, in steps between which the window responds.

The page is a real layout of the plan, built like the one that is exported and kept out of the project. Its maps are
drawn in other threads, and put into the layout as images, so that nothing waits for a server.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import AbstractSet, FrozenSet, Generator, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutExporter,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutSize,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QRectF, QSize, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ..credits.expression_functions import extra_layout
from ..layouts import layout_items
from ..layouts.locator_map import empty_layer
from ..layouts.template_loading import unmarked
from ..legends.legend_graphics import FetchedLegends
from ..legends.legend_store import LegendStore
from ..pages.layout_builder import building_steps, issues_of_page, legend_layers, legend_steps, notes_of_page
from ..pages.page_features import ContentsStore, ReadContents, read_contents, request_contents, show_contents
from ..pages.series_summary import SeriesPanel, fill_summary, hide_summary, series_state
from ..runtime import main_thread, tasks
from ..runtime.images import png_bytes
from .map_images import MapImage, MapImages

_MM = 25.4
#: milliseconds between two steps, in which the window handles its events
_STEP_INTERVAL_MS = 5
#: milliseconds after which a page that nobody has seen yet is shown without the images that have not arrived
FIRST_PATIENCE_MS = 1000
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
class MapOnPicture:
    """A map on the page: its item and place as those of a PagePart, and the ids of its layers.

    The image hatches those of ``hatched`` where they failed. ``blank`` is opaque where nothing was drawn (8 bits of
    alpha), and null if nothing has been drawn at all.
    """

    item_id: str
    bounds: QRectF
    layers: FrozenSet[str]
    hatched: FrozenSet[str]
    blank: QImage


@dataclass(frozen=True)
class PageImage:
    """One page as an image, with its parts, the topmost first, and its maps."""

    image: QImage
    parts: Tuple[PagePart, ...]
    maps: Tuple[MapOnPicture, ...] = ()


@dataclass(frozen=True)
class PagePicture:
    """The pages as images, in their order. There is at least one.

    ``is_complete`` is False while images of maps or legends are awaited. ``scale`` is the main map's denominator.
    ``notes`` are those of the layout that no issue of the map says, ``issues`` the others.
    """

    pages: Tuple[PageImage, ...]
    is_complete: bool
    scale: float
    notes: Tuple[str, ...] = ()
    issues: Tuple[str, ...] = ()

    @property
    def image(self) -> QImage:
        return self.pages[0].image

    @property
    def parts(self) -> Tuple[PagePart, ...]:
        return self.pages[0].parts

    def drawn_share(self, layers: AbstractSet[str]) -> Optional[float]:
        """Return the share (0 to 1) of the first page's maps of ``layers`` where something is drawn, None without one.
        """
        maps = [area for area in self.pages[0].maps if not layers.isdisjoint(area.layers) and not area.blank.isNull()]
        total = sum(area.blank.width() * area.blank.height() for area in maps)
        return 1 - sum(_opaque_pixels(area.blank) for area in maps) / total if total else None

    def page_of(self, item_id: str) -> Optional[int]:
        """Return the number (from 0) of the page with an item, or None."""
        return next((number for number, page in enumerate(self.pages)
                     if any(part.item_id == item_id for part in page.parts)), None)


def _opaque_pixels(alpha: QImage) -> float:
    """Return the number of opaque pixels of an image with 8 bits of alpha. A half transparent one counts as a half."""
    bits, line = alpha.constBits(), alpha.bytesPerLine()
    bits.setsize(line * alpha.height())
    pixels = bytes(bits)
    # lines are filled up to four bytes
    return sum(sum(pixels[row * line:row * line + alpha.width()]) for row in range(alpha.height())) / 255


#: steps of the work, of which the last ones yield the picture
_Steps = Generator[Optional[PagePicture], None, None]


@dataclass(frozen=True)
class PageStores:
    """Layers, legends and images that the drawings of one picture share, each kept by its owner."""

    #: a project for layers of the page's own
    outlines: QgsProject
    legends: LegendStore
    maps: MapImages
    contents: ContentsStore = field(default_factory=ContentsStore)


@dataclass(frozen=True)
class _Place:
    """The picture in the layout that shows the image of a map, and the map's area."""

    item: QgsLayoutItemMap
    picture: QgsLayoutItemPicture
    image: MapImage
    extent: QgsRectangle


class PageDrawing(QObject):
    """Draws a page once. ``drawn`` carries a PagePicture, which is incomplete if patience has ended before.

    Main thread only. ``close`` ends it at any time.
    """

    drawn = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(self, project: QgsProject, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], width: int,
                 stores: PageStores, patience_ms: int = FIRST_PATIENCE_MS, all_pages: bool = True,
                 parent: Optional[QObject] = None) -> None:
        """``width`` is the images' in pixels. Without ``all_pages`` only the first page is drawn."""
        super().__init__(parent)
        self._project, self._plan, self._layers, self._width = project, plan, list(layers), width
        self._stores, self._all_pages = stores, all_pages
        self._layout: Optional[QgsPrintLayout] = None
        self._places: List[_Place] = []
        #: the small maps of a series and their images
        self._series: List[Tuple[SeriesPanel, MapImage]] = []
        self._legend_job: Optional[tasks.Job] = None
        self._awaits_legends = self._awaits_extras = False
        self._extras_job: Optional[tasks.Job] = None
        self._is_closed = False
        self._is_in_step = False
        self._steps: List[_Steps] = [self._build()]
        self._timer = main_thread.single_shot(self, _STEP_INTERVAL_MS, self._run_step)
        self._patience = main_thread.single_shot(self, patience_ms, self._show)
        stores.maps.finished.connect(self._show)
        self._is_connected = True

    def start(self) -> None:
        """Begin with the first step, soon."""
        self._patience.start()
        self._timer.start()

    @property
    def is_complete(self) -> bool:
        """True if nothing is awaited."""
        return self._layout is not None and not self._awaits_legends and not self._awaits_extras and all(
            place.image.is_finished for place in self._places)

    @property
    def is_working(self) -> bool:
        """True while steps are to be run, as for a long legend. Otherwise it waits for servers."""
        return bool(self._steps)

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
        for steps in self._steps:
            steps.close()
        self._steps = []
        for awaited in (self._legend_job, self._extras_job):
            if awaited is not None:
                awaited.cancel()
        self._legend_job = self._extras_job = None
        if not sip.isdeleted(self) and not sip.isdeleted(self._stores.maps) and self._is_connected:
            self._is_connected = False
            self._stores.maps.finished.disconnect(self._show)
        self._places, self._series, self._layout, self._layers = [], [], None, []

    # -- steps

    def _run_step(self) -> None:
        if self._is_closed or self._is_in_step or not self._steps:
            return
        picture: Optional[PagePicture] = None
        failure: Optional[CartoguideError] = None
        self._is_in_step = True
        try:
            with unmarked(self._project):
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
        self._stores.outlines.setTransformContext(self._project.transformContext())
        layout = yield from building_steps(self._project, self._plan, self._layers,
                                           outline_project=self._stores.outlines)
        yield None
        page = layout.pageCollection().page(0)
        dpi = max(self._width / page.rect().width(), _MAP_PIXELS / max(page.rect().width(), page.rect().height())) * _MM
        nothing = empty_layer(self._stores.outlines)
        for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
            if "[%" in label.text():
                # while the maps still have their layers
                with extra_layout(layout):
                    label.setText(inert(label.currentText()))
                yield None
        for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
            if item.isVisible() and item.layers() not in ([], [nothing]) and (
                    self._all_pages or max(0, item.page()) == 0):
                self._start_map(layout, item, dpi, max(page.rect().width(), page.rect().height()))
                item.setLayers([nothing])
                yield None
        if self._all_pages:
            # what the state before waited for is not requested any more
            self._stores.maps.keep_only(place.image for place in self._places)
        self._layout = layout
        self._start_legends(layout)
        self._start_extras(layout)
        self._show()

    def _start_map(self, layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, page_side: float) -> None:
        """Have the item's map drawn in other threads, into a picture that lies just below it."""
        state = series_state(layout)
        panel = next((one for one in state.panels if one.item == item.id()), None) if state is not None else None
        image = self._stores.maps.find_or_draw(item, dpi, page_side)
        if panel is not None:
            self._series.append((panel, image))
        picture = QgsLayoutItemPicture(layout)
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Stretch)
        picture.setBackgroundEnabled(item.hasBackground())
        picture.setBackgroundColor(item.backgroundColor())
        item.setBackgroundEnabled(False)
        layout.addLayoutItem(picture)
        picture.setZValue(item.zValue() - 0.5)
        picture.attemptResize(QgsLayoutSize(item.rect().width(), item.rect().height()))
        picture.attemptMove(item.positionWithUnits(), True, False, item.page())
        picture.setItemRotation(item.itemRotation())
        self._places.append(_Place(item, picture, image, QgsRectangle(item.extent())))

    def _start_legends(self, layout: QgsPrintLayout) -> None:
        if layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItem) is None:
            return
        plans, scale = legend_layers(layout, self._plan), layout_items.map_scale(layout)
        self._awaits_legends = True
        known = self._stores.legends.find(plans, scale)
        if known is not None:
            self._steps.append(self._fill_legend(known))
            self._timer.start()
            return

        def finish(legends: FetchedLegends) -> None:
            self._stores.legends.remember(plans, scale, legends)
            self._legend_job = None
            self._steps.append(self._fill_legend(legends))
            self._timer.start()

        self._legend_job = tasks.start(tr("Fetching the legends of “{title}”", title=self._plan.title),
                                       lambda feedback: self._stores.legends.fetch(plans, scale, feedback), finish,
                                       lambda _error: finish(FetchedLegends()), self)

    def _fill_legend(self, legends: FetchedLegends) -> _Steps:
        if self._layout is not None:
            yield from legend_steps(self._layout, self._plan, self._layers, legends)
        self._awaits_legends = False
        yield None
        self._show()

    def _start_extras(self, layout: QgsPrintLayout) -> None:
        """Read what features of the page need, such as a table and photos, unless it was read for the page before."""
        request = request_contents(layout, self._plan, self._project)
        if request is None:
            return
        self._awaits_extras = True
        known = self._stores.contents.find(request)
        if known is not None:
            self._steps.append(self._fill_extras(known))
            self._timer.start()
            return

        def finish(extras: Optional[ReadContents]) -> None:
            if extras is not None:
                self._stores.contents.remember(request, extras)
            self._extras_job = None
            self._steps.append(self._fill_extras(extras))
            self._timer.start()

        self._extras_job = tasks.start(tr("Reading table and photos of “{title}”", title=self._plan.title),
                                       lambda feedback: read_contents(request, feedback), finish,
                                       lambda _error: finish(None), self)

    def _fill_extras(self, extras: Optional[ReadContents]) -> _Steps:
        if self._layout is not None:
            show_contents(self._layout, self._plan, extras)
        self._awaits_extras = False
        yield None
        self._show()

    # -- showing

    def _show(self) -> None:
        """Draw the page as far as it has come, if it is complete or patience has ended."""
        if not self._is_closed and self._layout is not None and (self.is_complete or not self._patience.isActive()):
            self._patience.stop()
            self._steps.append(self._draw())
            self._timer.start()

    def _draw(self) -> _Steps:
        self._forget_removed_maps()
        is_complete = self.is_complete
        for place in self._places:
            image = place.image.cut(place.extent)
            if not image.isNull():
                data = base64.b64encode(png_bytes(image, _PNG_QUALITY)).decode("ascii")
                place.picture.setPicturePath(f"base64:{data}")
                yield None
        layout = self._layout
        if layout is None or sip.isdeleted(layout):
            return
        if is_complete and self._series:
            self._fill_summary(layout)
            yield None
            if sip.isdeleted(layout):
                return
        pages = []
        for number in range(layout.pageCollection().pageCount() if self._all_pages else 1):
            page = layout.pageCollection().page(number).rect()
            size = QSize(self._width, max(1, round(self._width * page.height() / page.width())))
            image = QgsLayoutExporter(layout).renderPageToImage(number, size, self._width / page.width() * _MM)
            maps = tuple(_map_area(place, layout, number, self._width) for place in self._places
                         if max(0, place.item.page()) == number)
            pages.append(PageImage(image, page_parts(layout, number), maps))
            yield None
        yield PagePicture(tuple(pages), is_complete, layout_items.map_scale(layout), tuple(notes_of_page(layout)),
                          tuple(issues_of_page(layout)))

    def _forget_removed_maps(self) -> None:
        """Take the pictures of maps off the page that are not on it any more, such as one that the legend took the
        place of.
        """
        for place in [place for place in self._places if sip.isdeleted(place.item) or place.item.scene() is None]:
            self._places.remove(place)
            if self._layout is not None and not sip.isdeleted(place.picture):
                self._layout.removeLayoutItem(place.picture)

    def _fill_summary(self, layout: QgsPrintLayout) -> None:
        """Draw the summary of the series, unless an image of it may have a hole."""
        hide_summary(layout)
        if all(image.is_reusable for _panel, image in self._series):
            layers = {layer.id(): layer for layer in (*self._stores.outlines.mapLayers().values(), *self._layers)
                      if layer is not None and not sip.isdeleted(layer)}
            state, first = series_state(layout), self._series[0][1]
            ground = [first.layer_image(layer_id) for layer_id in state.ground] if state is not None else []
            fill_summary(layout, [image.layer_image(panel.layer) for panel, image in self._series],
                         first.settings, layers.get, ground)


def _map_area(place: _Place, layout: QgsPrintLayout, number: int, width: int) -> MapOnPicture:
    """Return a map on the layout's page of a number (from 0), whose picture is ``width`` pixels wide."""
    bounds = _bounds(place.item, layout, number)
    blank = place.image.cut(place.extent)
    if not blank.isNull():
        blank = blank.scaledToWidth(max(1, round(bounds.width() * width))).convertToFormat(QImage.Format.Format_Alpha8)
        blank.invertPixels(QImage.InvertMode.InvertRgba)
    return MapOnPicture(place.item.id(), bounds, place.image.layer_ids, place.image.fetched_ids, blank)


def page_parts(layout: QgsPrintLayout, number: int) -> Tuple[PagePart, ...]:
    """Return the visible items with an id on the layout's page of a number (from 0), the topmost first.

    A legend that continues on the page has the id of the map's legend.
    """
    legends = layout_items.legends(layout)
    items = [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
             if item.id() and item.isVisible() and item.page() == number and not isinstance(item, QgsLayoutItemPage)]
    return tuple(PagePart(layout_items.LEGEND if item in legends else item.id(), _bounds(item, layout, number))
                 for item in sorted(items, key=lambda item: -float(item.zValue())))


def _bounds(item: QgsLayoutItem, layout: QgsPrintLayout, number: int) -> QRectF:
    """Return the place of an item in shares of the size of its page."""
    page = layout.pageCollection().page(number)
    area, bounds = page.mapRectToScene(page.rect()), item.mapRectToScene(item.rect())
    return QRectF((bounds.x() - area.x()) / area.width(), (bounds.y() - area.y()) / area.height(),
                  bounds.width() / area.width(), bounds.height() / area.height())
