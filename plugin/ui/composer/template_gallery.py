"""Gallery of the layout templates: a small page of each, drawn with the map that is composed."""

from __future__ import annotations

from typing import Dict, Optional, Sequence, Set

from qgis.PyQt.QtCore import QRectF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QCloseEvent, QColor, QIcon, QImage, QPainter, QPixmap, QShowEvent
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...app.page.template_gallery_controller import GalleryPage, TemplateGalleryController
from ...core.custommap.model import Orientation, PageSetup
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ...gis.previews.page_drawing import PagePicture
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from .page_picture_view import paint_note

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
        column = QVBoxLayout(self)
        column.addWidget(self.list, 1)
        column.addWidget(self.buttons)
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
        """Show a page of each template. Those shown before keep their pictures until they are drawn again."""
        if [item.data(_PAGE_ROLE) for item in self._items()] != list(pages):
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

    def _show_picture(self, name: str, picture: PagePicture) -> None:
        self._images[name] = picture.image
        for names in (self._unfinished, self._failed):
            names.discard(name)
        if not picture.is_complete:
            self._unfinished.add(name)
        item = self._item(name)
        if item is not None:
            item.setIcon(self._icon(item.data(_PAGE_ROLE)))
            item.setToolTip("")

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
        image = self._images.get(shown.template.name)
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
        note = tr("Not drawn") if shown.template.name in self._failed else tr("Loading…") if image is None else \
            tr("Updating…") if shown.template.name in self._unfinished else ""
        if note:
            paint_note(painter, QRectF(left, top, round(width), round(height)), self.list.font(), note)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor("#808080"))
        painter.drawRect(left, top, round(width) - 1, round(height) - 1)
        painter.end()
        square.setDevicePixelRatio(self.devicePixelRatioF())
        return QIcon(square)

    def _choose(self, item: QListWidgetItem) -> None:
        shown: GalleryPage = item.data(_PAGE_ROLE)
        if shown.page != self._page:
            self.chosen.emit(shown.page)
