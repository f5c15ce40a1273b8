"""The page of the custom map: changed by panel, picture and the frame on the canvas, and shown in all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Optional, Sequence

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QWidget

from ...app.maps.extent_controller import ExtentController
from ...app.maps.map_controller import MapController
from ...app.maps.map_document import ExtentMode
from ...app.maps.map_state import MapPart, layer_ids_of, title_of
from ...app.page.page_frame_controller import PageFrame, PageFrameController
from ...app.page.page_preview_controller import PagePreviewController
from ...app.page.template_gallery_controller import TemplateGalleryController
from ...app.window import MapWindow, Notifier, Prompts
from ...core.custommap import undo_history
from ...core.custommap.model import MapRole, PageSetup
from ...core.custommap.service_state import Progress
from ...core.custommap.undo_history import Change
from ...core.i18n import tr
from .extent_dialog import CentreScaleDialog, PolygonExtentDialog
from .page_frame_tool import PageFrameDisplay
from .page_panel import PagePanel
from .page_picture_view import MissingPart, PagePictureView, PageWindow
from .template_gallery import TemplateGallery


class PageActions(QObject):
    """Changes the page as the person says in the panel or picture, or by the frame on the map canvas."""

    def __init__(self, panel: PagePanel, picture: PagePictureView, map_controller: MapController,
                 extent: ExtentController, map_window: MapWindow, notifier: Notifier, prompts: Prompts,
                 window: QWidget) -> None:
        """Dialogs are windows of ``window``."""
        super().__init__(window)
        self._panel, self._picture, self._map, self._extent = panel, picture, map_controller, extent
        self._map_window, self._notifier, self._window = map_window, notifier, window
        self.preview = PagePreviewController(map_controller, extent, self)
        self.template_pages = TemplateGalleryController(map_controller, extent, self)
        self.frame = PageFrameController(map_controller, extent, self)
        #: made when there is a canvas and somebody looks at the composer
        self.frame_display: Optional[PageFrameDisplay] = None
        #: the page in a window of its own, and the gallery, while they are open
        self.page_window: Optional[PageWindow] = None
        #: the pictures that can be seen, with their sizes in pixels
        self._watched: Dict[PagePictureView, int] = {}
        self.gallery: Optional[TemplateGallery] = None
        #: the canvas is going to show the whole frame, once QGIS has zoomed it to its first layer
        self._is_frame_to_show = False
        self._is_base_missing = False
        for form in panel.features.values():
            form.attach(map_controller, notifier, prompts)
        panel.page_changed.connect(self._set_page)
        panel.extent_changed.connect(self._set_extent)
        panel.scale_changed.connect(extent.set_scale)
        panel.language_changed.connect(self._set_language)
        panel.feature_changed.connect(self._set_feature)
        panel.fit_requested.connect(self._fit)
        panel.frame_toggled.connect(self._on_frame_toggled)
        panel.gallery_requested.connect(self._open_gallery)
        picture.watched.connect(lambda on, width: self._watch(picture, on, width))
        picture.window_requested.connect(self._open_window)
        picture.watched.connect(lambda on, _width: self.show_frame_while(on))
        self.preview.picture_changed.connect(picture.show_picture)
        self.preview.picture_changed.connect(lambda _picture: self._show_share(self.frame.frame))
        self.preview.drawing_changed.connect(picture.show_drawing)
        self.preview.failed.connect(picture.show_problem)
        self.frame.changed.connect(self._show_share)
        map_controller.page_placed.connect(self._on_page_placed)

    def close(self) -> None:
        """Leave the map canvas as it was, and end what is drawn and read for the page."""
        self.preview.close()
        self._panel.stop_features()
        self.template_pages.close()
        if self.page_window is not None:
            self.page_window.close()
        if self.gallery is not None:
            self.gallery.close()
        if self.frame_display is not None:
            self.frame_display.close()
            self.frame_display = None

    def refresh(self) -> None:
        state = self._map.chosen
        self._picture.expect(state.page.orientation)
        self._panel.show_page(state.page, self._extent.mode, state.scale, self._map.crs(), self._map.language())
        if self.gallery is not None:
            self.gallery.show_page(state.page)
        self.frame.refresh()
        if self._is_frame_to_show and self.frame_display is not None:
            self._is_frame_to_show = False
            self.frame_display.show_whole()

    def show_missing(self, parts: Sequence[MapPart]) -> None:
        """Show on the picture that it lacks ``parts`` of the map. An empty base fills no page."""
        lacking = self._map.builds.page_lacks
        missing = [MissingPart(title_of(part), lacking.intersection(layer_ids_of(part)) if layer_ids_of(part) else None,
                               part.role is MapRole.BASE) for part in parts]
        self._picture.show_missing(missing)
        if self.page_window is not None:
            self.page_window.picture.show_missing(missing)
        self._is_base_missing = any(part.role is MapRole.BASE and part.state.progress is not Progress.PARTLY
                                    for part in parts)
        self._show_share(self.frame.frame)

    def _set_page(self, page: PageSetup) -> None:
        before = self._map.chosen.page
        # the form has no field for the rest of the page
        fields = {name: getattr(page, name) for name in ("paper", "orientation", "template", "rotation", "theme")}
        changed = [name for name, value in fields.items() if value != getattr(before, name)]
        labels = {"rotation": tr("rotation of the page"), "theme": tr("theme of the page")}
        self._change(Change(labels.get(" ".join(changed), tr("page"))), **fields)

    def _set_feature(self, name: str, value: Any) -> None:
        feature = self._panel.features[name].feature
        self._change(undo_history.page_feature(feature), **{feature.member: value})

    def _change(self, change: Change, **fields: Any) -> None:
        self._map.commit(change, page=replace(self._map.chosen.page, **fields))

    def _set_language(self, language: str) -> None:
        self._map.commit(Change(tr("language of the map")), language=language)

    def _set_extent(self, mode: ExtentMode) -> None:
        if mode is ExtentMode.POLYGON:
            polygon_dialog = PolygonExtentDialog(self._map.project, self._window)
            polygon_dialog.chosen.connect(self._extent.set_extent)
            polygon_dialog.show()
            self.refresh()
        elif mode is ExtentMode.CENTRE:
            centre_dialog = CentreScaleDialog(self._extent.current_centre(), self._map.chosen.scale, self._window)
            centre_dialog.chosen.connect(self._extent.set_centre)
            centre_dialog.show()
            self.refresh()
        elif mode is ExtentMode.FITTED:
            self._fit()
        else:
            self._extent.set_mode(mode)

    def _open_gallery(self) -> None:
        """Show all templates with this map. There is one gallery, which a second request brings to the front."""
        if self.gallery is None:
            self.gallery = TemplateGallery(self.template_pages, self._map.chosen.page, self._window)
            self.gallery.chosen.connect(self._set_page)
            self.gallery.finished.connect(self._forget_gallery)
        self.gallery.show()
        self.gallery.raise_()

    def _watch(self, picture: PagePictureView, on: bool, width: int) -> None:
        self._watched.pop(picture, None)
        if on:
            self._watched[picture] = width
        self.preview.set_watched(bool(self._watched), max(self._watched.values(), default=0))

    def _open_window(self) -> None:
        """Show the page in a separate window. There is one, which a second request brings to the front."""
        if self.page_window is None:
            self.page_window = PageWindow(self._window)
            view, changed = self.page_window.picture, self.preview
            view.part_activated.connect(self._picture.part_activated)
            view.layout_requested.connect(self._picture.layout_requested)
            view.watched.connect(lambda on, width: self._watch(view, on, width))
            changed.picture_changed.connect(view.show_picture)
            changed.drawing_changed.connect(view.show_drawing)
            changed.failed.connect(view.show_problem)
            self.page_window.finished.connect(self._forget_window)
            view.expect(self._map.chosen.page.orientation)
            view.show_picture(changed.picture)
            view.show_missing(self._picture.missing)
        self.page_window.show()
        self.page_window.raise_()

    def _forget_window(self, _result: int) -> None:
        if self.page_window is not None:
            view, self.page_window = self.page_window.picture, None
            self.preview.picture_changed.disconnect(view.show_picture)
            self.preview.drawing_changed.disconnect(view.show_drawing)
            self.preview.failed.disconnect(view.show_problem)
            self._watch(view, False, 0)

    def _forget_gallery(self, _result: int) -> None:
        self.gallery = None

    # -- the frame of the page on the map canvas

    def show_frame_while(self, watched: bool) -> None:
        """Show the frame while the composer can be seen."""
        canvas = self._map_window.canvas
        if self.frame_display is None and watched and canvas is not None:
            self.frame_display = PageFrameDisplay(canvas, self.frame, self)
            self.frame_display.tool_changed.connect(self._panel.frame.setChecked)
            self.frame_display.tool_changed.connect(self._show_share_again)
            self.frame_display.hint.connect(self._panel.meter.show_text)
        if self.frame_display is not None:
            self.frame_display.set_watched(watched)

    def _on_page_placed(self) -> None:
        self._is_frame_to_show = True

    def _on_frame_toggled(self, on: bool) -> None:
        if self.frame_display is not None:
            self.frame_display.set_active(on)

    def _show_share(self, frame: Optional[PageFrame]) -> None:
        share = frame.share if frame is not None and not self._is_base_missing else None
        drawn = self.preview.drawn_share
        if share is not None and drawn is not None:
            # a base may have holes, and a series less than its service says
            share = min(share, drawn)
        self._panel.show_share(share, self._extent.mode is ExtentMode.FITTED)

    def _show_share_again(self, is_moving: bool) -> None:
        """Show the share of the base instead of the hint once the page is not moved any more."""
        if not is_moving:
            self._show_share(self.frame.frame)

    def _fit(self) -> None:
        self.frame.refresh()
        if not self.frame.fit():
            self._notifier.show_warning(tr("The extent of the base is not known, so the page cannot be fitted to it."))
            self.refresh()
        elif self.frame_display is not None:
            self.frame_display.show_whole()
