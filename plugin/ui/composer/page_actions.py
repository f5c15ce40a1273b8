"""The page of the custom map: changed by panel, picture and the frame on the canvas, and shown in all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Dict, Optional, Sequence, Set

from qgis.core import QgsMapLayerProxyModel, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapLayerComboBox, QgsScaleWidget
from qgis.PyQt.QtCore import QObject, QRectF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QCloseEvent, QColor, QFont, QFontMetricsF, QIcon, QImage, QPainter, QPixmap, QShowEvent
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.extent_controller import ExtentController
from ...app.maps.map_controller import MapController
from ...app.maps.map_document import ExtentMode
from ...app.maps.map_state import MapPart, layer_ids_of, title_of
from ...app.page.page_frame_controller import PageFrame, PageFrameController
from ...app.page.page_preview_controller import PagePreviewController
from ...app.page.template_gallery_controller import GalleryPage, TemplateGalleryController
from ...app.window import MapWindow, Notifier, Prompts
from ...core.box import Box
from ...core.custommap import undo_history
from ...core.custommap.model import MapRole, Orientation, PageSetup
from ...core.custommap.service_state import Progress
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ...gis.credits.layer_metadata import is_outline
from ...gis.export import atlas
from ...gis.previews.page_drawing import PagePicture
from ...gis.runtime.compat import enum_value
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import fill_layout, wheel_needs_focus
from ..widgets.labels import PlainLabel
from .page_frame_tool import PageFrameDisplay
from .page_panel import PagePanel
from .page_picture_view import MissingPart, PagePictureView, PageWindow, paint_note


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
        self.template_pages = TemplateGalleryController(map_controller, extent, self.preview.legends, self)
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
        panel.share_at = self._share_at
        panel.fit_requested.connect(self.fit)
        panel.frame_toggled.connect(self._on_frame_toggled)
        panel.gallery_requested.connect(self._open_gallery)
        picture.watched.connect(lambda on, width: self._watch(picture, on, width))
        picture.window_requested.connect(self._open_window)
        picture.watched.connect(lambda on, _width: self.show_frame_while(on))
        self.preview.picture_changed.connect(picture.show_picture)
        self.preview.picture_changed.connect(lambda _picture: self._show_share(self.frame.frame))
        self.preview.drawing_changed.connect(picture.show_drawing)
        self.preview.drawing_changed.connect(self._on_drawing)
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
            self.show_whole_frame()

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
        labels = {"rotation": tr("rotation of the page"), "theme": tr("theme of the page"),
                  "template": tr("template of the page")}
        # another template may bring its paper and its theme
        key = "template" if "template" in changed else " ".join(changed)
        self._change(Change(labels.get(key, tr("page"))), **fields)

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
            self.fit()
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
            self.page_window.fill_screen()
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

    def show_whole_frame(self) -> None:
        """Zoom the canvas to the frame, if it is shown, where the canvas does not show the whole of it."""
        if self.frame_display is not None:
            self.frame_display.show_whole()

    def _on_page_placed(self) -> None:
        self._is_frame_to_show = True

    def _on_frame_toggled(self, on: bool) -> None:
        if self.frame_display is not None:
            self.frame_display.set_active(on)

    def _show_share(self, frame: Optional[PageFrame]) -> None:
        share = frame.share if frame is not None and not self._is_base_missing else None
        drawn = self.preview.drawn_share
        # a base may have holes, and a series less than its service says: nothing is known before the picture is drawn
        share = min(share, drawn) if share is not None and drawn is not None else None
        self._panel.show_share(share, self._extent.mode is ExtentMode.FITTED)

    def _share_at(self, scale: float) -> Optional[float]:
        return None if self._is_base_missing else self.frame.share_at(scale)

    def _on_drawing(self, is_drawing: bool) -> None:
        """Say no more of a page that is being drawn anew how much of it is filled. What is moved says it itself."""
        if is_drawing and not self._panel.frame.isChecked():
            self._show_share(self.frame.frame)

    def _show_share_again(self, is_moving: bool) -> None:
        """Show the share of the base instead of the hint once the page is not moved any more."""
        if not is_moving:
            self._show_share(self.frame.frame)

    def fit(self) -> None:
        """Fit the page to the base, or say that its extent is not known."""
        self.frame.refresh()
        if not self.frame.fit():
            self._notifier.show_warning(tr("The extent of the base is not known, so the page cannot be fitted to it."))
            self.refresh()
        else:
            self.show_whole_frame()


_SIDE = 168
_PAGE_ROLE = Qt.ItemDataRole.UserRole


class TemplateGallery(QDialog):
    """Dialog that emits ``chosen`` with a PageSetup for each template that is clicked or entered. Not modal."""

    chosen = pyqtSignal(object)

    def __init__(self, controller: TemplateGalleryController, page: PageSetup,
                 parent: Optional[QWidget] = None) -> None:
        """``page`` is the map's."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Layout templates"))
        self._controller = controller
        self._page = page
        self._images: Dict[str, QImage] = {}
        #: names of the templates whose pages lack images of maps or legends
        self._unfinished: Set[str] = set()
        self._failed: Set[str] = set()
        self.list = QListWidget()
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setIconSize(QSize(_SIDE, _SIDE))
        # room for three lines below the page
        self.list.setGridSize(QSize(_SIDE + 24, _SIDE + 12 + 3 * self.list.fontMetrics().lineSpacing()))
        self.list.setWordWrap(True)
        self.list.setAccessibleName(tr("Layout templates"))
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.buttons = dialog_button_box(self, GuideTopic.PRINTING, QDialogButtonBox.StandardButton.Close)
        for button in self.buttons.findChildren(QPushButton):
            # Enter in the list chooses a template, and would press the dialog's default button as well
            button.setAutoDefault(False)
        fill_layout(QVBoxLayout(self), self.list, self.buttons, wide=self.list, margins=None)
        self.resize(3 * (_SIDE + 40), 2 * (_SIDE + 100))
        controller.pages_changed.connect(self.show_pages)
        controller.picture_changed.connect(self._show_picture)
        controller.failed.connect(self._show_problem)
        self.finished.connect(lambda _result: controller.close())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: begin to draw the pages."""
        super().showEvent(event)
        self._controller.open(round(_SIDE * self.devicePixelRatioF()))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Qt: stop drawing."""
        self._controller.close()
        super().closeEvent(event)

    def show_page(self, page: PageSetup) -> None:
        """Mark the template of the map's page."""
        self._page = page
        for item in self._items():
            self._describe(item)

    def show_pages(self, pages: Sequence[GalleryPage]) -> None:
        """Show a page of each template. Those of the same shape keep their pictures until they are drawn again."""
        former = [item.data(_PAGE_ROLE) for item in self._items()]
        if former != list(pages):
            shapes = {shown.template.name: shown for shown in former}
            for shown in pages:
                name = shown.template.name
                if name in shapes and not shown.is_shaped_like(shapes[name]):
                    self._images.pop(name, None)
                    self._unfinished.discard(name)
                    self._failed.discard(name)
            row = self.list.currentRow()
            self.list.clear()
            for shown in pages:
                item = QListWidgetItem()
                item.setData(_PAGE_ROLE, shown)
                item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
                item.setIcon(self._icon(shown))
                self.list.addItem(item)
            names = [shown.template.name for shown in pages]
            current = names.index(self._page.template) if self._page.template in names else 0
            self.list.setCurrentRow(row if row >= 0 else current)
        for item in self._items():
            self._describe(item)

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(row) for row in range(self.list.count())]

    def _describe(self, item: QListWidgetItem) -> None:
        shown: GalleryPage = item.data(_PAGE_ROLE)
        turned = tr("Landscape") if shown.page.orientation is Orientation.LANDSCAPE else tr("Portrait")
        size = tr("own paper") if shown.template.is_user_made else f"{shown.page.paper} {turned.lower()}"
        is_chosen = shown.template.name == self._page.template
        text = f"{shown.template.title}\n{size}"
        item.setText(inert(f"{text} ✓" if is_chosen else text))
        described = tr("{template}, {size}, chosen", template=shown.template.title, size=size) if is_chosen else \
            f"{shown.template.title}, {size}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, described)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, shown.lacking)
        item.setToolTip(inert(shown.lacking))

    def _show_picture(self, name: str, picture: PagePicture) -> None:
        self._images[name] = picture.image
        for names in (self._unfinished, self._failed):
            names.discard(name)
        if not picture.is_complete:
            self._unfinished.add(name)
        item = self._item(name)
        if item is not None:
            item.setIcon(self._icon(item.data(_PAGE_ROLE)))
            item.setToolTip(inert("\n".join(picture.issues)))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, "\n".join(picture.issues))

    def _show_problem(self, name: str, error: CartoguideError) -> None:
        item = self._item(name)
        if item is not None:
            self._failed.add(name)
            item.setIcon(self._icon(item.data(_PAGE_ROLE)))
            item.setToolTip(inert(error.user_text))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, error.user_text)

    def _item(self, name: str) -> Optional[QListWidgetItem]:
        return next((item for item in self._items() if item.data(_PAGE_ROLE).template.name == name), None)

    def _icon(self, shown: GalleryPage) -> QIcon:
        """Return the page inside a square, which is empty until it is drawn."""
        side = round(_SIDE * self.devicePixelRatioF())
        square = QPixmap(side, side)
        square.fill(QColor(0, 0, 0, 0))
        image = self._images.get(shown.template.name) if not shown.lacking else None
        ratio = image.width() / image.height() if image is not None and image.height() else \
            2**0.5 if shown.page.orientation is Orientation.LANDSCAPE else 0.5**0.5
        width, height = (side, side / ratio) if ratio >= 1 else (side * ratio, side)
        left, top = round((side - width) / 2), round((side - height) / 2)
        painter = QPainter(square)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(left, top, round(width), round(height), QColor("white"))
        if image is not None:
            painter.drawImage(left, top, image.scaled(round(width), round(height),
                                                      Qt.AspectRatioMode.IgnoreAspectRatio,
                                                      Qt.TransformationMode.SmoothTransformation))
        place = QRectF(left, top, round(width), round(height))
        note = tr("Not drawn") if shown.template.name in self._failed else tr("Loading…") if image is None else \
            tr("Updating…") if shown.template.name in self._unfinished else ""
        if shown.lacking:
            _paint_lacking(painter, place, self.list.font(), shown.lacking)
        elif note:
            paint_note(painter, place, self.list.font(), note)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor("#808080"))
        painter.drawRect(left, top, round(width) - 1, round(height) - 1)
        painter.end()
        square.setDevicePixelRatio(self.devicePixelRatioF())
        shown_as = QIcon(square)
        # else Qt paints the page that is chosen in the colour of the selection
        shown_as.addPixmap(square, QIcon.Mode.Selected)
        return shown_as

    def _choose(self, item: QListWidgetItem) -> None:
        shown: GalleryPage = item.data(_PAGE_ROLE)
        if shown.page != self._page and not shown.lacking:
            self.chosen.emit(shown.page)


def _paint_lacking(painter: QPainter, page: QRectF, font: QFont, text: str) -> None:
    """Write on a grey page what the map lacks for it, in letters in which all of it has room."""
    painter.fillRect(page, QColor("#e8e8e8"))
    place, wrap = page.adjusted(8, 8, -8, -8), enum_value(Qt.AlignmentFlag.AlignCenter) | enum_value(
        Qt.TextFlag.TextWordWrap)
    font = QFont(font)
    while font.pointSizeF() > 6 and QFontMetricsF(font).boundingRect(place, int(wrap), text).height() > place.height():
        font.setPointSizeF(font.pointSizeF() - 0.5)
    painter.setFont(font)
    painter.setPen(QColor(60, 60, 60))
    painter.drawText(place, int(wrap), text)


_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


def parse_centre(text: str) -> Optional[tuple[float, float]]:
    """Return (longitude, latitude) in degrees from a text, or None if it is not a position.

    Both ``-3,51; 38.38`` and ``-3.51 38.38`` are read.
    """
    parts = re.split(r"\s*;\s*|\s+|,\s+", text.strip())
    if len(parts) != 2 and text.count(",") == 1:
        parts = text.split(",")
    if len(parts) != 2 or not all(_NUMBER.fullmatch(part.strip()) for part in parts):
        return None
    longitude, latitude = (float(part.strip().replace(",", ".")) for part in parts)
    return (longitude, latitude) if -180 <= longitude <= 180 and -90 <= latitude <= 90 else None


class _ExtentDialog(QDialog):
    """Base of both dialogs: a form, a hint, and two buttons. Not modal."""

    def __init__(self, title: str, parent: Optional[QWidget]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.form = QFormLayout()
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.hint_label = PlainLabel(wraps=True)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS)
        self.apply_button = self.buttons.addButton(tr("Show this area"), QDialogButtonBox.ButtonRole.AcceptRole)
        fill_layout(QVBoxLayout(self), self.form, self.hint_label, self.buttons, margins=None)


class PolygonExtentDialog(_ExtentDialog):
    """Dialog that emits ``chosen`` with the Box of a polygon layer or of one of its features, with a margin."""

    chosen = pyqtSignal(object)

    def __init__(self, project: QgsProject, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Area of a polygon layer"), parent)
        self._project = project
        self.layer = wheel_needs_focus(QgsMapLayerComboBox())
        self.layer.setFilters(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.layer.setExceptedLayerList(list(filter(is_outline, project.mapLayers().values())))
        self.layer.setAccessibleName(tr("Polygon layer"))
        self.feature = wheel_needs_focus(QComboBox())
        self.feature.setAccessibleName(tr("Feature"))
        self.form.addRow(tr("&Polygon layer"), self.layer)
        self.form.addRow(tr("&Feature"), self.feature)
        # not layerChanged: it hands over a layer that may be in the middle of its removal from the project
        self.layer.currentIndexChanged.connect(self._on_layer_changed)
        self.buttons.accepted.connect(self._accept)
        self._list_features()

    def _on_layer_changed(self, _index: int) -> None:
        self._list_features()

    def _list_features(self) -> None:
        self.feature.clear()
        self.hint_label.setText("")
        layer = self.layer.currentLayer()
        self.apply_button.setEnabled(isinstance(layer, QgsVectorLayer))
        if not isinstance(layer, QgsVectorLayer):
            self.hint_label.setText(tr("The project has no polygon layer. Add one: parks, municipalities, sheets."))
            return
        self.feature.addItem(
            tr("The selected features") if layer.selectedFeatureCount() else tr("The whole layer"),
            atlas.extent_of_layer(layer, self._project))
        try:
            for feature in atlas.polygon_features(layer, self._project):
                self.feature.addItem(feature.name, feature.extent)
        except CartoguideError as error:
            self.hint_label.setText(error.user_text)

    def _accept(self) -> None:
        extent = self.feature.currentData()
        if isinstance(extent, Box):
            self.chosen.emit(extent)
        self.close()


class CentreScaleDialog(_ExtentDialog):
    """Dialog that emits ``chosen`` with (longitude, latitude) and the scale denominator."""

    chosen = pyqtSignal(object, float)

    def __init__(self, centre: Optional[tuple[float, float]], scale: Optional[float],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Centre and scale"), parent)
        self.centre = QLineEdit("" if centre is None else f"{centre[0]:.5f} {centre[1]:.5f}")
        self.centre.setPlaceholderText("-3.51 38.38")
        self.centre.setAccessibleName(tr("Longitude and latitude in degrees"))
        self.scale = wheel_needs_focus(QgsScaleWidget())
        self.scale.setShowCurrentScaleButton(False)
        self.scale.setScale(scale or 25000.0)
        for combo_box in self.scale.findChildren(QComboBox):
            combo_box.setAccessibleName(tr("Scale"))
            self.scale.setFocusProxy(combo_box)
        self.form.addRow(tr("&Longitude and latitude"), self.centre)
        self.form.addRow(tr("&Scale"), self.scale)
        self.centre.textChanged.connect(lambda _text: self._validate())
        self.scale.scaleChanged.connect(lambda _scale: self._validate())
        self.buttons.accepted.connect(self._accept)
        self._validate()

    def _denominator(self) -> Optional[float]:
        denominator = self.scale.scale()
        return denominator if 100 <= denominator <= 100_000_000 else None

    def _validate(self) -> None:
        sound = parse_centre(self.centre.text()) is not None and self._denominator() is not None
        self.apply_button.setEnabled(sound)
        self.hint_label.setText("" if sound else tr("In degrees, longitude first: -3.51 38.38"))

    def _accept(self) -> None:
        centre, scale = parse_centre(self.centre.text()), self._denominator()
        if centre is not None and scale is not None:
            self.chosen.emit(centre, scale)
        self.close()
