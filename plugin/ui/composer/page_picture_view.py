"""The page as it would be printed, small, in which a click on a part leads to what changes it."""

from __future__ import annotations

import math
from enum import Enum
from typing import Optional, Tuple

from qgis.PyQt.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from qgis.PyQt.QtWidgets import QSizePolicy, QWidget

from ...core.custommap.model import Orientation
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...core.text import inert
from ...gis.layouts import layout_items
from ...gis.previews.page_drawing import PagePart, PagePicture
from ...gis.runtime.compat import enum_value, event_position
from ..widgets.theme import ThemeColours, painting

_MARGIN = 4
_HEIGHT = 140
#: pixels of the width at least, and those between the picture and what is beside it
_NARROWEST, _GAP = 120, 6
#: pixels that a list needs beside its text
_ARROW = 32
#: width by height of the papers of ISO 216
_LANDSCAPE = math.sqrt(2)
_WRAPPED = int(enum_value(Qt.AlignmentFlag.AlignCenter)) | int(enum_value(Qt.TextFlag.TextWordWrap))


class PageTarget(str, Enum):
    """Section of the composer, or editor, that a part of the page is changed in."""

    TITLE = "title"
    LEGEND = "legend"
    CREDITS = "credits"
    PAGE = "page"


#: the parts of the page that a click leads away from, in the order of the keyboard
_TARGETS = {
    layout_items.TITLE: PageTarget.TITLE, layout_items.SUBTITLE: PageTarget.TITLE,
    layout_items.MAP: PageTarget.PAGE, layout_items.LEGEND: PageTarget.LEGEND,
    layout_items.INSET: PageTarget.PAGE, layout_items.SCALEBAR: PageTarget.PAGE,
    layout_items.SCALE_TEXT: PageTarget.PAGE, layout_items.PROJECTION: PageTarget.PAGE,
    layout_items.CREDITS: PageTarget.CREDITS, layout_items.TERMS: PageTarget.CREDITS,
    layout_items.SOURCES: PageTarget.CREDITS
}


def part_label(item_id: str) -> str:
    """Return the name of a part of the page for people."""
    return {layout_items.TITLE: tr("Title"), layout_items.SUBTITLE: tr("Title"), layout_items.MAP: tr("Map"),
            layout_items.LEGEND: tr("Legend"), layout_items.INSET: tr("Location map"),
            layout_items.SCALEBAR: tr("Scale"), layout_items.SCALE_TEXT: tr("Scale"),
            layout_items.PROJECTION: tr("Reference system"), layout_items.CREDITS: tr("Credits"),
            layout_items.TERMS: tr("Terms of use"), layout_items.SOURCES: tr("Sources")}.get(item_id, "")


class PagePictureView(QWidget):
    """Shows a PagePicture. Arrow keys choose a part of the page and Enter opens what changes it.

    ``part_activated`` carries a PageTarget, ``layout_requested`` asks for the layout designer, and ``watched`` reports
    whether the picture can be seen and how wide it is in pixels.
    """

    part_activated = pyqtSignal(object)
    layout_requested = pyqtSignal()
    watched = pyqtSignal(bool, int)
    #: the page has other proportions, or another height is wished
    shape_changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.picture: Optional[PagePicture] = None
        self.problem = ""
        self._is_drawing = False
        self._chosen: Optional[str] = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumWidth(_NARROWEST)
        self._chosen_height: Optional[int] = None
        self._expected_ratio = _LANDSCAPE
        self.setAccessibleName(tr("The page as it will be printed"))
        self._describe()

    def set_height(self, height: Optional[int]) -> None:
        """Wish to be ``height`` pixels high, None for the usual height. The page may be too wide for it."""
        self._chosen_height = height
        self.shape_changed.emit()

    @property
    def has_chosen_height(self) -> bool:
        """True where the height was chosen, and is not the usual one."""
        return self._chosen_height is not None

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: the height that was chosen, and the width of the page at that height."""
        height = _HEIGHT if self._chosen_height is None else self._chosen_height
        return QSize(self.width_for(height), height)

    @property
    def ratio(self) -> float:
        """The page's width by its height."""
        image = self.picture.image if self.picture is not None else None
        return image.width() / image.height() if image is not None and image.height() else self._expected_ratio

    def width_for(self, height: int) -> int:
        """Return the width in pixels at which the page fills a widget of ``height`` pixels."""
        return max(_NARROWEST, math.ceil((height - 2 * _MARGIN) * self.ratio) + 2 * _MARGIN)

    def height_for(self, width: int) -> int:
        """Return the height in pixels at which the page fills a widget of ``width`` pixels."""
        return math.ceil((width - 2 * _MARGIN) / self.ratio) + 2 * _MARGIN

    def expect(self, orientation: Orientation) -> None:
        """Take the proportions of a page that is drawn for the first time, so that nothing moves when it is there."""
        ratio = self.ratio
        self._expected_ratio = _LANDSCAPE if orientation is Orientation.LANDSCAPE else 1 / _LANDSCAPE
        if self.ratio != ratio:
            self.shape_changed.emit()

    def show_picture(self, picture: Optional[PagePicture]) -> None:
        """Show the page, or an empty one."""
        ratio = self.ratio
        self.picture, self.problem = picture, ""
        self._describe()
        self.update()
        if self.ratio != ratio:
            self.shape_changed.emit()

    def show_problem(self, error: CartoguideError) -> None:
        """Say why the page cannot be drawn, in place of its picture."""
        self.picture, self.problem = None, error.user_text
        self._describe()
        self.update()

    @property
    def is_drawing(self) -> bool:
        """True while a newer state of the page is being drawn."""
        return self._is_drawing

    def show_drawing(self, on: bool) -> None:
        """Show that the picture is not the newest state."""
        if on != self._is_drawing:
            self._is_drawing = on
            self.update()

    def page_rectangle(self) -> QRectF:
        """Return where the page is drawn in the widget."""
        space = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        ratio = self.ratio
        width = min(space.width(), space.height() * ratio)
        return QRectF(space.x() + (space.width() - width) / 2, space.y() + (space.height() - width / ratio) / 2, width,
                      width / ratio)

    def _describe(self) -> None:
        if self.picture is None:
            text = self.problem or tr("No page yet.")
        else:
            names = dict.fromkeys(part_label(part.item_id) for part in self._active_parts())
            text = tr("The page at {scale}, with: {parts}.", scale=format_scale(self.picture.scale),
                      parts=", ".join(names))
        self.setAccessibleDescription(text)
        self.setToolTip(inert(self.problem))

    def _active_parts(self) -> list[PagePart]:
        """Return the parts that lead somewhere, in the order of the keyboard."""
        if self.picture is None:
            return []
        parts = {part.item_id: part for part in reversed(self.picture.parts)}
        return [parts[item_id] for item_id in _TARGETS if item_id in parts]

    def _part_at(self, position: QPointF) -> Optional[PagePart]:
        page = self.page_rectangle()
        x, y = (position.x() - page.x()) / page.width(), (position.y() - page.y()) / page.height()
        found = [part for part in self._active_parts() if part.bounds.contains(x, y)]
        # the smallest one: the scale may lie on the map
        return min(found, key=lambda part: part.bounds.width() * part.bounds.height(), default=None)

    def _choose(self, part: Optional[PagePart]) -> None:
        chosen = part.item_id if part is not None else None
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    # -- events

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: the picture is seen."""
        super().showEvent(event)
        self._announce()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Qt: the picture is not seen any more."""
        super().hideEvent(event)
        self.watched.emit(False, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: the picture has another size."""
        super().resizeEvent(event)
        if self.isVisible():
            self._announce()

    def _announce(self) -> None:
        # the longer side of any page, so that turning it needs no other size
        self.watched.emit(True, round(max(self.width(), self.height()) * self.devicePixelRatioF()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: outline the part below the pointer and name it."""
        part = self._part_at(QPointF(event_position(event)))
        self._choose(part)
        self.setCursor(Qt.CursorShape.PointingHandCursor if part is not None else Qt.CursorShape.ArrowCursor)
        self.setToolTip(inert(part_label(part.item_id) if part is not None else self.problem))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: outline nothing."""
        super().leaveEvent(event)
        self._choose(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: open what changes the part."""
        part = self._part_at(QPointF(event_position(event)))
        if part is not None and event.button() == Qt.MouseButton.LeftButton:
            self.part_activated.emit(_TARGETS[part.item_id])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: open the layout designer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.layout_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: choose a part by the arrow keys, open it by Enter."""
        parts = self._active_parts()
        ids = [part.item_id for part in parts]
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        if parts and event.key() in steps:
            step = steps[event.key()]
            number = ids.index(self._chosen) + step if self._chosen in ids else (0 if step > 0 else -1)
            self._choose(parts[number % len(parts)])
            self.setAccessibleDescription(part_label(parts[number % len(parts)].item_id))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._chosen in ids:
                self.part_activated.emit(_TARGETS[str(self._chosen)])
            else:
                self.layout_requested.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the page with a shadow, and the outline of the chosen part."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            colours, page = ThemeColours(self), self.page_rectangle()
            painter.fillRect(page.translated(2, 2), QColor(0, 0, 0, 60))
            if self.picture is None:
                painter.fillRect(page, colours.base)
                painter.setPen(colours.muted)
                painter.drawText(page.adjusted(6, 6, -6, -6), _WRAPPED, self.problem or tr("Drawing the page…"))
            else:
                painter.drawImage(page, self.picture.image)
            painter.setPen(QPen(colours.line, 1))
            painter.drawRect(page)
            if self._is_drawing and self.picture is not None:
                # a quiet mark in words, at the page's foot
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(255, 255, 255, 200))
                label = QRectF(page.x(), page.bottom() - self.fontMetrics().height() - 2, page.width(),
                               self.fontMetrics().height() + 2)
                painter.drawRect(label)
                painter.setPen(QColor(60, 60, 60))
                painter.drawText(label, _WRAPPED, tr("Updating…"))
            chosen = next((part for part in self._active_parts() if part.item_id == self._chosen), None)
            if chosen is not None:
                bounds = chosen.bounds
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colours.highlight, 2))
                painter.drawRect(QRectF(page.x() + bounds.x() * page.width(), page.y() + bounds.y() * page.height(),
                                        bounds.width() * page.width(), bounds.height() * page.height()))
            elif self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colours.highlight, 2))
                painter.drawRect(page.adjusted(-2, -2, 2, 2))


class PageRow(QWidget):
    """The picture of the page with its choices beside it, or below it where the chosen height needs their width.

    It is as high as the higher of the two, so that no room is left blank: a picture is only as high as its page can be
    at its width, or as the choices are beside it.
    """

    def __init__(self, picture: PagePictureView, choices: QWidget, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._picture, self._choices = picture, choices
        for widget in (picture, choices):
            widget.setParent(self)
        # a fixed height would be the hint's, which is that of the width before
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        picture.shape_changed.connect(self._arrange_again)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Qt: the page keeps its proportions."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Qt: return the height of the higher of the two, or of both."""
        picture, choices = self._places(width)
        return int(max(picture.y() + picture.height(), choices.y() + choices.height()))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: return the size with the choices beside the picture."""
        width = self._picture.sizeHint().width() + _GAP + self._choices.sizeHint().width()
        return QSize(width, self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: be as wide as both need beside each other."""
        return QSize(_NARROWEST + _GAP + self._choices.minimumSizeHint().width(), 0)

    def event(self, event: QEvent) -> bool:
        """Qt: take the height of choices that have changed, such as those in another font."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange_again()
        return bool(super().event(event))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: place both."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange_again(self) -> None:
        self.updateGeometry()
        self._arrange()

    def _arrange(self) -> None:
        picture, choices = self._places(self.width())
        self._picture.setGeometry(picture)
        self._choices.setGeometry(choices)

    def _places(self, width: int) -> Tuple[QRect, QRect]:
        """Return the places of the picture and of the choices in ``width`` pixels."""
        picture, least = self._picture, self._choices.minimumSizeHint()
        # a list of scales with its arrow can be read
        readable = max(least.width(), self.fontMetrics().horizontalAdvance("1:1 000 000") + _ARROW)
        wished, widest = picture.sizeHint().height(), max(_NARROWEST, width - _GAP - readable)
        beside = picture.height_for(widest)
        if picture.has_chosen_height and min(wished, picture.height_for(width)) > max(beside, least.height()):
            height = min(wished, picture.height_for(width))
            return QRect(0, 0, width, height), QRect(0, height + _GAP, width, least.height())
        height = max(least.height(), min(wished, beside))
        across = min(widest, picture.width_for(height))
        return QRect(0, 0, across, height), QRect(across + _GAP, 0, max(least.width(), width - across - _GAP), height)
