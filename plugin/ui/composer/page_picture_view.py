"""The pages as they would be printed, small, in which a click on a part leads to what changes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Dict, FrozenSet, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
    QShowEvent,
)
from qgis.PyQt.QtWidgets import QDialog, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...core.custommap.model import Orientation
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...core.text import inert
from ...gis.layouts import layout_items
from ...gis.pages import overflow_page
from ...gis.pixels.raster import MISSING_COLOUR
from ...gis.previews.page_drawing import MapOnPicture, PageImage, PagePart, PagePicture
from ...gis.runtime.compat import enum_value, event_position
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import ThemeColours, painting, scale_font
from .fold_section import order_as_laid_out
from .page_panel import PagePanel

_MARGIN = 4
_HEIGHT = 140
#: share of the screen that the window of the page takes, whose frame and task bar need the rest
_SCREEN_SHARE = 0.9
#: steps of the size in pixels that the page is drawn in
_PIXEL_STEP = 80
#: pixels of the width at least, and those between the picture and what is beside it
_NARROWEST, _GAP = 120, 6
#: the smallest size of the mark on the page, as a part of the font's
_SMALLEST_MARK = 0.5
#: width by height of the papers of ISO 216
_LANDSCAPE = math.sqrt(2)
#: hatching of maps that lack something, and pixels between its lines where others are drawn
_MISSING_BACKGROUND, _MISSING_LINES = QColor(232, 232, 232), MISSING_COLOUR
_WIDE_HATCHING = 14
#: share of a map that an item above it may cover and be left free of its hatching
_LARGEST_ABOVE = 0.6
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
#: the notes on a page that lead to the page with what they name
_NOTES = {overflow_page.LEGEND_NOTE: (overflow_page.LEGEND_PAGE_HEADING,),
          overflow_page.TABLE_NOTE: (overflow_page.TABLE_PAGE_HEADING,),
          overflow_page.OVERFLOW_NOTE: (layout_items.TERMS, layout_items.SOURCES, layout_items.CREDITS)}


def part_label(item_id: str) -> str:
    """Return the name of a part of the page for people."""
    return {layout_items.TITLE: tr("Title"), layout_items.SUBTITLE: tr("Title"), layout_items.MAP: tr("Map"),
            layout_items.LEGEND: tr("Legend"), layout_items.INSET: tr("Location map"),
            layout_items.SCALEBAR: tr("Scale"), layout_items.SCALE_TEXT: tr("Scale"),
            layout_items.PROJECTION: tr("Reference system"), layout_items.CREDITS: tr("Credits"),
            layout_items.TERMS: tr("Terms of use"), layout_items.SOURCES: tr("Sources")}.get(item_id, "")


def _moved_pages(picture: PagePicture) -> Dict[str, int]:
    """Return the pages (from 1) of legend, credits, terms and sources that are not, or not all, on the first page."""
    pages: Dict[str, int] = {}
    for item_id in (layout_items.LEGEND, layout_items.CREDITS, layout_items.TERMS, layout_items.SOURCES):
        number = picture.page_of(overflow_page.LEGEND_PAGE_HEADING if item_id == layout_items.LEGEND else item_id)
        if number:
            pages[item_id] = number + 1
    return pages


def short_moved_parts(picture: PagePicture) -> str:
    """Return what ``moved_parts`` says in a few words: "p. 2: terms, sources"."""
    names = {layout_items.LEGEND: tr("legend"), layout_items.CREDITS: tr("credits"), layout_items.TERMS: tr("terms"),
             layout_items.SOURCES: tr("sources")}
    pages = _moved_pages(picture)
    return " · ".join(
        tr("p. {page}: {parts}", page=page, parts=", ".join(names[item] for item in pages if pages[item] == page))
        for page in sorted(set(pages.values())))


def moved_parts(picture: PagePicture) -> str:
    """Say which of legend, credits, terms and sources are not, or not all, on the first page, and where they are."""
    pages = _moved_pages(picture)
    sentences = []
    if layout_items.LEGEND in pages:
        page = pages[layout_items.LEGEND]
        is_begun = picture.page_of(layout_items.LEGEND) == 0
        sentences.append(tr("The legend continues on page {page}.", page=page) if is_begun else
                         tr("The legend is on page {page}.", page=page))
    if layout_items.CREDITS in pages:
        sentences.append(tr("The credits are on page {page}.", page=pages[layout_items.CREDITS]))
    terms, sources = pages.get(layout_items.TERMS), pages.get(layout_items.SOURCES)
    if terms is not None and terms == sources:
        sentences.append(tr("Terms of use and sources are on page {page}.", page=terms))
    else:
        sentences.extend([tr("The terms of use are on page {page}.", page=terms)] if terms else [])
        sentences.extend([tr("The sources are on page {page}.", page=sources)] if sources else [])
    return " ".join(sentences)


def note_font(font: QFont, width: float, text: str) -> QFont:
    """Return ``font``, as much smaller as ``text`` needs in a picture ``width`` pixels wide."""
    needed = QFontMetricsF(font).horizontalAdvance(text)
    smaller, factor = QFont(font), 0.98 * (width - 4) / max(needed, 1.0)
    if factor < 1 and font.pointSizeF() > 0:
        smaller.setPointSizeF(font.pointSizeF() * max(_SMALLEST_MARK, factor))
    elif factor < 1:
        smaller.setPixelSize(max(1, math.floor(font.pixelSize() * max(_SMALLEST_MARK, factor))))
    return smaller


def paint_note(painter: QPainter, page: QRectF, font: QFont, text: str) -> None:
    """Write a short text at the foot of a page's picture, quietly, such as that it is not the newest state."""
    font = note_font(font, page.width(), text)
    height = QFontMetricsF(font).height() + 2
    label = QRectF(page.x(), page.bottom() - height, page.width(), height)
    painter.save()
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(255, 255, 255, 225))
    painter.drawRect(label)
    painter.setPen(QColor(60, 60, 60))
    painter.drawText(label, int(enum_value(Qt.AlignmentFlag.AlignCenter)), text)
    painter.restore()


@dataclass(frozen=True)
class MissingPart:
    """A service or own layer that is missing: its title, and the ids of those of its layers that the picture lacks.

    ``layers`` is None for one that has no layers, and empty where the picture was drawn before they were missing.
    """

    title: str
    layers: Optional[FrozenSet[str]]
    is_base: bool

    def is_on(self, area: MapOnPicture) -> bool:
        """Return whether a map of the page ought to show it."""
        return self.layers is None or not self.layers.isdisjoint(area.layers - area.hatched)


def _hatching(area: MapOnPicture, size: QSize, is_below: bool) -> QImage:
    """Return the hatching of what a map lacks: close where nothing is drawn, and wide elsewhere.

    With ``is_below`` what is drawn lies on what is missing, so that it is left as it is.
    """
    lines = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    lines.fill(_MISSING_BACKGROUND)
    with painting(lines) as painter:
        painter.fillRect(lines.rect(), QBrush(_MISSING_LINES, Qt.BrushStyle.BDiagPattern))
        if not area.blank.isNull():
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
            painter.drawImage(lines.rect(), area.blank.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied))
        if not is_below:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(_MISSING_LINES, 1))
            for left in range(-size.height(), size.width(), _WIDE_HATCHING):
                painter.drawLine(left, size.height(), left + size.height(), 0)
    return lines


class PagePictureView(QWidget):
    """Shows one page of a PagePicture. Arrow keys choose a part of the page and Enter opens what changes it.

    Page Up and Page Down turn the pages.

    ``part_activated`` carries a PageTarget, ``layout_requested`` asks for the layout designer, and ``watched`` reports
    whether the picture can be seen and how wide it is in pixels.
    """

    part_activated = pyqtSignal(object)
    layout_requested = pyqtSignal()
    window_requested = pyqtSignal()
    watched = pyqtSignal(bool, int)
    #: the page has other proportions, or another height is wished
    shape_changed = pyqtSignal()
    #: another page is shown, or there are others
    page_changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.picture: Optional[PagePicture] = None
        self.problem = ""
        self.missing: Tuple[MissingPart, ...] = ()
        self._is_drawing = False
        self._page = 0
        self._chosen: Optional[str] = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumWidth(_NARROWEST)
        self._chosen_height: Optional[int] = None
        self._room = _HEIGHT
        self._expected_ratio = _LANDSCAPE
        #: a page lower than the widget is at its top, as what is beside it, else in the middle
        self.is_at_top = False
        self.setAccessibleName(tr("The page as it will be printed"))
        self._describe()

    def set_height(self, height: Optional[int]) -> None:
        """Wish to be ``height`` pixels high, None for the usual height. The page may be too wide for it."""
        self._chosen_height = height
        self.shape_changed.emit()

    def set_room(self, room: int) -> None:
        """Be as high as ``room`` pixels where no height was chosen, as far as the page needs them at its width."""
        if room != self._room:
            self._room = room
            if not self.has_chosen_height:
                self.shape_changed.emit()

    @property
    def has_chosen_height(self) -> bool:
        """True where the height was chosen, and is not the usual one."""
        return self._chosen_height is not None

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: the height that was chosen, and the width of the page at that height."""
        height = self._room if self._chosen_height is None else self._chosen_height
        return QSize(self.width_for(height), height)

    @property
    def page_number(self) -> int:
        """The number of the page that is shown, from 0."""
        return self._page

    @property
    def page_count(self) -> int:
        """The number of pages, 0 without a picture."""
        return len(self.picture.pages) if self.picture is not None else 0

    def _shown(self) -> Optional[PageImage]:
        return self.picture.pages[self._page] if self.picture is not None else None

    def turn_to(self, number: int) -> None:
        """Show the page of a number, from 0. One that there is not is left out of account."""
        if 0 <= number < self.page_count and number != self._page:
            ratio, self._page, self._chosen = self.ratio, number, None
            self._show_page(ratio)

    def _show_page(self, former_ratio: float) -> None:
        self._describe()
        self.update()
        if self.ratio != former_ratio:
            self.shape_changed.emit()
        self.page_changed.emit()

    @property
    def ratio(self) -> float:
        """The page's width by its height."""
        shown = self._shown()
        image = shown.image if shown is not None else None
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
        """Show the page with the number that is shown now, or an empty one."""
        ratio = self.ratio
        self.picture, self.problem = picture, ""
        self._page = min(self._page, max(0, self.page_count - 1))
        self._show_page(ratio)

    def show_problem(self, error: CartoguideError) -> None:
        """Say why the page cannot be drawn, in place of its picture."""
        ratio = self.ratio
        self.picture, self.problem, self._page = None, error.user_text, 0
        self._show_page(ratio)

    def show_missing(self, missing: Sequence[MissingPart]) -> None:
        """Hatch the maps where they lack services or own layers, which the description names."""
        if tuple(missing) != self.missing:
            self.missing = tuple(missing)
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
        above = 0.0 if self.is_at_top else (space.height() - width / ratio) / 2
        return QRectF(space.x() + (space.width() - width) / 2, space.y() + above, width, width / ratio)

    def _describe(self) -> None:
        if self.picture is None:
            text = self.problem or tr("No page yet.")
        else:
            names = dict.fromkeys(part_label(part.item_id) for part in self._active_parts() if part.item_id in _TARGETS)
            text = tr("The page at {scale}, with: {parts}.", scale=format_scale(self.picture.scale),
                      parts=", ".join(names))
            if self.page_count > 1:
                text = " ".join((page_of_pages(self._page, self.page_count) + ".", text, moved_parts(self.picture)))
            if not self.picture.is_complete:
                text = f"{text} {tr('Updating…')}"
            if self.missing:
                text = f"{text} {tr('Missing: {titles}.', titles=', '.join(part.title for part in self.missing))}"
        self.setAccessibleDescription(text)
        self.setToolTip(inert(self.problem))

    def _active_parts(self) -> list[PagePart]:
        """Return the parts that lead somewhere, in the order of the keyboard."""
        shown = self._shown()
        if shown is None:
            return []
        parts = {part.item_id: part for part in reversed(shown.parts)}
        return [parts[item_id] for item_id in (*_TARGETS, *_NOTES) if item_id in parts]

    def _page_of_note(self, item_id: str) -> Optional[int]:
        """Return the page that a note leads to, or None for anything else."""
        if self.picture is None or item_id not in _NOTES:
            return None
        found = (self.picture.page_of(moved) for moved in _NOTES[item_id])
        return next((number for number in found if number), None)

    def _label(self, part: PagePart) -> str:
        number = self._page_of_note(part.item_id)
        return part_label(part.item_id) if number is None else tr("Go to page {page}", page=number + 1)

    def _activate(self, part: PagePart) -> None:
        number = self._page_of_note(part.item_id)
        if number is not None:
            self.turn_to(number)
        elif part.item_id in _TARGETS:
            self.part_activated.emit(_TARGETS[part.item_id])

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
        # the longer side of any page, so that turning it needs no other size, nor does a little more room
        side = max(self.width(), self.height()) * self.devicePixelRatioF()
        self.watched.emit(True, _PIXEL_STEP * math.ceil(side / _PIXEL_STEP))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: outline the part below the pointer and name it."""
        part = self._part_at(QPointF(event_position(event)))
        self._choose(part)
        self.setCursor(Qt.CursorShape.PointingHandCursor if part is not None else Qt.CursorShape.ArrowCursor)
        self.setToolTip(inert(self._label(part) if part is not None else self.problem))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: outline nothing."""
        super().leaveEvent(event)
        self._choose(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: open what changes the part."""
        part = self._part_at(QPointF(event_position(event)))
        if part is not None and event.button() == Qt.MouseButton.LeftButton:
            self._activate(part)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: open the layout designer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.layout_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: choose a part by the arrow keys, open it by Enter, turn the pages."""
        parts = self._active_parts()
        ids = [part.item_id for part in parts]
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        if parts and event.key() in steps:
            step = steps[event.key()]
            number = ids.index(self._chosen) + step if self._chosen in ids else (0 if step > 0 else -1)
            self._choose(parts[number % len(parts)])
            self.setAccessibleDescription(self._label(parts[number % len(parts)]))
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and self.page_count > 1:
            self.turn_to(self._page + (1 if event.key() == Qt.Key.Key_PageDown else -1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._chosen in ids:
                self._activate(parts[ids.index(self._chosen)])
            else:
                self.layout_requested.emit()
        else:
            super().keyPressEvent(event)

    def _paint_missing(self, painter: QPainter, page: QRectF, shown: PageImage) -> None:
        """Hatch the maps of a page where they lack something, below what lies on them."""
        for area in shown.maps:
            missing = [part for part in self.missing if part.is_on(area)]
            if not missing:
                continue
            ids = [part.item_id for part in shown.parts]
            above = shown.parts[:ids.index(area.item_id)] if area.item_id in ids else ()
            # whole pixels, so that the lines stay sharp
            place = self._place(page, area.bounds).toAlignedRect()
            free = QRegion(place)
            for part in above:
                if part.bounds.width() * part.bounds.height() < (
                        _LARGEST_ABOVE * area.bounds.width() * area.bounds.height()):
                    free -= QRegion(self._place(page, part.bounds).toAlignedRect())
            painter.save()
            painter.setClipRegion(free)
            painter.drawImage(place, _hatching(area, place.size(), all(part.is_base for part in missing)))
            painter.restore()

    @staticmethod
    def _place(page: QRectF, bounds: QRectF) -> QRectF:
        """Return the place of a part in the widget from its shares of the page."""
        return QRectF(page.x() + bounds.x() * page.width(), page.y() + bounds.y() * page.height(),
                      bounds.width() * page.width(), bounds.height() * page.height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the page with a shadow, and the outline of the chosen part."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            colours, page = ThemeColours(self), self.page_rectangle()
            painter.fillRect(page.translated(2, 2), QColor(0, 0, 0, 60))
            shown = self._shown()
            if shown is None:
                painter.fillRect(page, colours.base)
                painter.setPen(colours.muted)
                painter.drawText(page.adjusted(6, 6, -6, -6), _WRAPPED, self.problem or tr("Drawing the page…"))
            else:
                painter.drawImage(page, shown.image)
                self._paint_missing(painter, page, shown)
            painter.setPen(QPen(colours.line, 1))
            painter.drawRect(page)
            if self._is_drawing and self.picture is not None:
                paint_note(painter, page, self.font(), tr("Updating…"))
            elif self.missing and shown is not None:
                paint_note(painter, page, self.font(), tr("%n missing", n=len(self.missing)))
            chosen = next((part for part in self._active_parts() if part.item_id == self._chosen), None)
            if chosen is not None:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colours.highlight, 2))
                painter.drawRect(self._place(page, chosen.bounds))
            elif self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colours.highlight, 2))
                painter.drawRect(page.adjusted(-2, -2, 2, 2))


def page_of_pages(number: int, count: int) -> str:
    """Return the number of a page (from 0) among all for people, such as "Page 1 of 3"."""
    return tr("Page {number} of {count}", number=number + 1, count=count)


class PageTurner(QWidget):
    """The number of the page in a PagePictureView with buttons that turn it, and where the parts of the map are.

    It is hidden while there is one page.
    """

    def __init__(self, picture: PagePictureView, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._picture = picture
        self.previous = self._button(Qt.ArrowType.LeftArrow, tr("Previous page"), Qt.Key.Key_PageUp, -1)
        self.next = self._button(Qt.ArrowType.RightArrow, tr("Next page"), Qt.Key.Key_PageDown, 1)
        self.number = PlainLabel()
        # one line: with more, the sections below would have no room on a low screen
        self.note = ElidedLabel()
        scale_font(self.note, 0.95)
        row = fill_layout(QHBoxLayout(self), self.previous, self.number, self.next, spacing=2)
        row.addSpacing(6)
        row.addWidget(self.note, 1)
        picture.page_changed.connect(self._refresh)
        self._refresh()

    def _button(self, arrow: Qt.ArrowType, name: str, key: Qt.Key, step: int) -> QToolButton:
        button = QToolButton()
        button.setArrowType(arrow)
        button.setAutoRaise(True)
        keys = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(inert(f"{name} ({keys})"))
        button.setAccessibleName(name)
        button.clicked.connect(lambda _checked=False: self._picture.turn_to(self._picture.page_number + step))
        return button

    def _refresh(self) -> None:
        number, count = self._picture.page_number, self._picture.page_count
        self.setVisible(count > 1)
        if count < 2:
            return
        for button, other, is_possible in ((self.previous, self.next, number > 0),
                                           (self.next, self.previous, number < count - 1)):
            if button.hasFocus() and not is_possible:
                other.setEnabled(True)
                other.setFocus()
            button.setEnabled(is_possible)
        self.number.setText(page_of_pages(number, count))
        picture = self._picture.picture
        whole = moved_parts(picture) if picture is not None else ""
        self.note.show_text(short_moved_parts(picture) if picture is not None else "", whole)
        self.note.setAccessibleName(whole or tr("Where the parts of the map are"))


class PageWindow(QDialog):
    """A window with the pages as large as it is. Its ``picture`` is to be shown what the composer's is shown."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("The page as it will be printed"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.picture = PagePictureView()
        column = QVBoxLayout(self)
        column.addWidget(self.picture, 1)
        column.addWidget(PageTurner(self.picture))

    def fill_screen(self) -> None:
        """Be as high as most of the screen of the parent, and as wide as the page needs then."""
        parent = self.parentWidget()
        room = (parent if parent is not None else self).screen().availableSize() * _SCREEN_SHARE
        margins = self.layout().contentsMargins()
        width = self.picture.width_for(room.height()) + margins.left() + margins.right()
        self.resize(QSize(min(room.width(), width), room.height()))


class PageRow(QWidget):
    """The picture of the page with its choices, and with the form of the page while that is open.

    The choices are beside the picture, or above it where its height needs their width. The form is below the choices,
    beside the picture, or across the whole width below both: wherever the picture is largest. It scrolls by itself
    where its height is more than the picture has.
    The row is as high as the higher of the two sides, so that no room is left blank: a picture is only as high as its
    page can be at its width, or as the choices are beside it.
    """

    def __init__(self, picture: PagePictureView, page: PagePanel, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._picture, self._page, self._choices, self._form = picture, page, page.choices, page.form_area
        self._order: Tuple[QWidget, ...] = ()
        picture.is_at_top = True
        for widget in (picture, page.choices, page.form_area):
            widget.setParent(self)
        self._form.hide()
        # a fixed height would be the hint's, which is that of the width before
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        picture.shape_changed.connect(self._arrange_again)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Qt: the page keeps its proportions."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Qt: return the height of the higher of the two sides, or of both."""
        return int(max(place.y() + place.height() for place in self._places(width) if place is not None))

    def least_height(self, width: int) -> int:
        """Return the height in pixels that the row needs at ``width`` pixels.

        Of an open form it has a few fields at least beside the picture, and all of them elsewhere.
        """
        whole = self.whole_height(width)
        if self._form.isHidden() or not self._is_form_beside(width):
            return whole
        return min(whole, int(self._choices.minimumSizeHint().height()) + _GAP + self._page.few_fields_height())

    def whole_height(self, width: int) -> int:
        """Return the height in pixels that the row needs at ``width`` pixels for all fields of an open form."""
        column = max(self._column(width), self._page.form_width()) if self._is_form_beside(width) else width
        form = 0 if self._form.isHidden() else _GAP + self._form.wished_height(column)
        return int(self._choices.minimumSizeHint().height()) + form

    def _is_form_beside(self, width: int) -> bool:
        """Return whether the form can be read beside the picture."""
        return max(self._column(width), self._page.form_width()) <= width - _GAP - _NARROWEST

    def _column(self, width: int) -> int:
        """Return the width of the choices beside the picture at least."""
        least = int(self._choices.minimumSizeHint().width())
        return max(least, min(self._page.readable_width(), width - _GAP - _NARROWEST))

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
        """Qt: place all."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange_again(self) -> None:
        self.updateGeometry()
        self._arrange()

    def _arrange(self) -> None:
        picture, choices, form = self._places(self.width())
        self._picture.setGeometry(picture)
        self._choices.setGeometry(choices)
        if form is not None:
            self._form.set_room(form.height())
            self._form.setGeometry(form)
        order = (self._choices, self._form, self._picture) if choices.y() < picture.y() else (
            self._picture, self._choices, self._form)
        if order != self._order:
            self._order = order
            last = order_as_laid_out(self._form, order_as_laid_out(self._choices, self._picture))
            if order[0] is self._choices:
                QWidget.setTabOrder(last, self._picture)

    def _places(self, width: int) -> Tuple[QRect, QRect, Optional[QRect]]:
        """Return the places of the picture, of the choices and of the form, if it is open, in ``width`` pixels."""
        room, column = self._picture.sizeHint().height(), self._column(width)
        if self._form.isHidden():
            return (*self._sides(width, column, room), None)
        least, column = self._choices.minimumSizeHint(), max(column, self._page.form_width())
        # across the whole width below both
        whole = self._form.wished_height(width)
        picture, choices = self._sides(width, self._column(width), room - whole - _GAP)
        top = max(picture.bottom(), choices.bottom()) + 1 + _GAP
        below = picture, choices, QRect(0, top, width, whole)
        if not self._is_form_beside(width):
            return below
        has_room, widest = top + whole <= room, width - _GAP - column
        # below the choices, beside the picture
        whole, top = self._form.wished_height(column), least.height() + _GAP
        height = max(top + min(self._page.few_fields_height(), whole),
                     min(room, max(self._picture.height_for(widest), top + whole)))
        across = min(widest, max(self._picture.width_for(height), round(height * _LANDSCAPE)))
        rest = width - across - _GAP
        beside = (QRect(0, 0, across, height), QRect(across + _GAP, 0, rest, least.height()),
                  QRect(across + _GAP, top, rest, min(whole, height - top)))
        return below if has_room and _page_size(picture) > _page_size(beside[0]) else beside

    def _sides(self, width: int, readable: int, room: int) -> Tuple[QRect, QRect]:
        """Return the places of the picture and of the choices in ``width`` and ``room`` pixels."""
        picture, least = self._picture, self._choices.minimumSizeHint()
        widest = max(_NARROWEST, width - _GAP - readable)
        beside, top = picture.height_for(widest), least.height() + _GAP
        above = room if picture.has_chosen_height else room - top
        height = min(above, picture.height_for(width))
        # whichever way the page lies, so that the choices stay where they are when it is turned
        is_above = height > max(beside, least.height()) if picture.has_chosen_height else (
            _page_size(QRect(0, 0, width, max(0, above))) > _page_size(QRect(0, 0, widest, max(room, least.height()))))
        if is_above:
            return QRect(0, top, width, height), QRect(0, 0, width, least.height())
        height = max(least.height(), min(room, beside))
        # as wide as a page across, so that the choices stay where they are when the page is turned
        across = min(widest, max(picture.width_for(height), round(height * _LANDSCAPE)))
        return QRect(0, 0, across, height), QRect(across + _GAP, 0, max(least.width(), width - across - _GAP), height)


def _page_size(place: QRect) -> float:
    """Return how large pages are in ``place``: the longer sides of one that stands and of one that lies."""
    width, height = float(place.width()), float(place.height())
    return min(height, width * _LANDSCAPE) + min(width, height * _LANDSCAPE)
