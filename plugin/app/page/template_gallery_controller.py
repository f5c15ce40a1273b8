"""Small pages of all layout templates, drawn with the map that is composed, one after another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, List, Optional, Set

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import PageSetup
from ...core.custommap.planner import PlannedMap
from ...core.errors import CartoguideError
from ...core.pages.page_feature import PageProblem
from ...core.pages.page_features import has_needs, unmet_need
from ...gis.layouts import templates
from ...gis.legends.legend_store import LegendStore
from ...gis.previews.map_images import MapImages
from ...gis.previews.page_drawing import FIRST_PATIENCE_MS, PageDrawing, PagePicture, PageStores
from ...gis.runtime.main_thread import single_shot
from ..maps.extent_controller import ExtentController
from ..maps.map_controller import MapController

#: milliseconds without a change after which the pages are drawn anew
_DELAY_MS = 500
#: milliseconds after which the next page is drawn although images of this one are still awaited
_PATIENCE_MS = 15_000


@dataclass(frozen=True)
class GalleryPage:
    """A template, and the page that choosing it leads to: of the map's paper and orientation, if it exists for them.

    ``lacking`` says what the map lacks for it and what to do, "" for a page that can be chosen.
    """

    template: templates.Template
    page: PageSetup
    lacking: str = ""

    def is_shaped_like(self, other: GalleryPage) -> bool:
        """Return whether a picture of the other page of the same template has the shape of this one."""
        return self.template.is_user_made or \
            (self.page.paper, self.page.orientation) == (other.page.paper, other.page.orientation)


def gallery_pages(page: PageSetup, lacking: Callable[[PageSetup], Optional[PageProblem]]) -> List[GalleryPage]:
    """Return a page of each template for a map on ``page``. ``lacking`` returns what the map lacks for one."""
    pages = []
    for template in templates.all_templates():
        page_of_template = _page_of(template, page)
        problem = lacking(page_of_template)
        pages.append(GalleryPage(template, page_of_template,
                                 f"{problem.message} {problem.advice}" if problem is not None else ""))
    return pages


def _page_of(template: templates.Template, page: PageSetup) -> PageSetup:
    sizes = template.sizes
    if template.is_user_made or (page.paper, page.orientation) in sizes:
        return replace(page, template=template.name)
    paper, orientation = next((size for size in sizes if size[0] == page.paper), sizes[0])
    return replace(page, paper=paper, orientation=orientation, template=template.name)


class TemplateGalleryController(QObject):
    """Draws the pages while the gallery is open, always of the newest state. One drawing at a time.

    ``pages_changed`` carries the list of GalleryPage. ``picture_changed`` carries a template's name and a PagePicture,
    ``failed`` the name and the CartoguideError that prevents its picture.
    """

    pages_changed = pyqtSignal(object)
    picture_changed = pyqtSignal(str, object)
    failed = pyqtSignal(str, object)

    def __init__(self, map_controller: MapController, extent: ExtentController, legends: LegendStore,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map = map_controller
        self.pages: List[GalleryPage] = []
        self._waiting: List[GalleryPage] = []
        self._drawing: Optional[PageDrawing] = None
        self._shown: Optional[GalleryPage] = None
        self._is_last_round = False
        self._width = 0
        # one for all templates: they show the same layers, and a person may have any number of templates
        self._stores = PageStores(QgsProject(), legends, MapImages(True, self))
        #: names of the templates with a complete picture, of this state or of one before
        self._drawn: Set[str] = set()
        self._timer = single_shot(self, _DELAY_MS, self._begin)
        self._patience = single_shot(self, _PATIENCE_MS, self._on_patience_ended)
        #: pages that were left while images were awaited, and are drawn once more at the end
        self._left: List[GalleryPage] = []
        map_controller.changed.connect(self._on_map_changed)
        map_controller.adding_changed.connect(lambda _on: self._on_map_changed())
        extent.changed.connect(self._on_map_changed)

    @property
    def is_drawing(self) -> bool:
        """True while pages are to be drawn."""
        return self._timer.isActive() or bool(self._waiting) or self._drawing is not None

    def open(self, width: int) -> None:
        """Draw the pages, ``width`` pixels wide, and draw them again after every change until ``close``."""
        self._width = width
        self._begin()

    def close(self) -> None:
        self._width = 0
        self._timer.stop()
        self._waiting, self._left = [], []
        self._end_drawing()
        self._drawn.clear()
        self._stores.maps.clear()
        self._stores.outlines.clear()

    def _on_map_changed(self) -> None:
        if self._width:
            self._waiting, self._left = [], []
            self._end_drawing()
            self._stores.maps.clear()
            self._timer.start()

    def _begin(self) -> None:
        if not self._width or self._map.adding:
            return
        former = {shown.template.name: shown for shown in self.pages}
        self.pages = gallery_pages(self._map.chosen.page, self._lacking)
        # the gallery has taken the pictures of pages of another shape away
        self._drawn = {shown.template.name for shown in self.pages if shown.template.name in self._drawn
                       and shown.is_shaped_like(former[shown.template.name])}
        self.pages_changed.emit(self.pages)
        self._is_last_round = False
        self._waiting, self._left = [shown for shown in self.pages if not shown.lacking and self._map.stack], []
        self._draw_next()

    def _lacking(self, page: PageSetup) -> Optional[PageProblem]:
        """Return what the map lacks for a page. An empty one lacks nothing: all templates are shown without pictures.
        """
        document = replace(self._map.printed_document(), page=page)
        if not self._map.stack or not has_needs(page.template):
            return None
        return unmet_need(page, PlannedMap(document, self._map.plan(document)))

    def _draw_next(self) -> None:
        self._end_drawing()
        if not self._waiting and self._left:
            # their images may have come meanwhile, and are not requested again
            self._waiting, self._left, self._is_last_round = self._left, [], True
        if not self._waiting:
            return
        shown = self._waiting.pop(0)
        self._shown = shown
        name = shown.template.name
        document = replace(self._map.printed_document(), page=shown.page)
        if document.fitted:
            # as it will be once the template is chosen
            document = replace(document, **self._map.custom_map.fit(document))
        plan = self._map.plan(document)
        # a complete picture of the state before is better than a part of the new one
        patience = _PATIENCE_MS if name in self._drawn else FIRST_PATIENCE_MS
        layers = self._map.mirror.qgis_layers(plan)
        drawing = PageDrawing(self._map.project, plan, layers, self._width, self._stores, patience,
                              all_pages=False, parent=self)
        drawing.drawn.connect(lambda picture: self._on_drawn(name, picture))
        drawing.failed.connect(lambda error: self._on_failed(name, error))
        self._drawing = drawing
        self._patience.start()
        drawing.start()

    def _on_patience_ended(self) -> None:
        if self._drawing is not None and self._drawing.is_working:
            # no server is awaited: a long legend takes its time
            self._patience.start()
            return
        if self._shown is not None and not self._is_last_round:
            self._left.append(self._shown)
        self._draw_next()

    def _on_drawn(self, name: str, picture: PagePicture) -> None:
        self.picture_changed.emit(name, picture)
        if picture.is_complete:
            self._drawn.add(name)
            self._draw_next()

    def _on_failed(self, name: str, error: CartoguideError) -> None:
        self.failed.emit(name, error)
        self._draw_next()

    def _end_drawing(self) -> None:
        self._patience.stop()
        if self._drawing is not None:
            self._drawing.close()
            self._drawing.deleteLater()
            self._drawing = None
