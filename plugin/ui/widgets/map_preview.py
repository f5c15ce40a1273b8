"""The image of a record's map on its page, or a text that says why there is none."""

from __future__ import annotations

from typing import Optional, Tuple

from qgis.PyQt.QtCore import QRect, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QBitmap, QImage, QPainter, QPaintEvent, QRegion, QResizeEvent
from qgis.PyQt.QtWidgets import QSizePolicy, QWidget

from ...app.maps.preview_controller import PreviewState
from ...core.i18n import tr
from ...gis.operations.service_previews import HEIGHT, WIDTH
from .labels import wrap_lines
from .theme import ThemeColours, painting

_MARGIN = 6
#: pixels of the height at least
_LEAST_HEIGHT = 90
#: an image loses at most this part of its height or width so that it fills the frame
_MOST_CUT = 0.45


class MapPreview(QWidget):
    """Has the same height whatever it shows, so that nothing below it moves while the image is loaded.

    ``state_changed`` has the PreviewState that is shown.
    """

    state_changed = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.state = PreviewState.HIDDEN
        self.text = ""
        self.image: Optional[QImage] = None
        self._title = ""
        self._room = HEIGHT + 4
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._show_accessible_text()
        # the layout asks for the height before it has given a width
        self.resize(WIDTH + 2 * _MARGIN, HEIGHT)
        self.hide()

    def show_title(self, title: str) -> None:
        """Name the record in the text for screen readers."""
        self._title = title
        self._show_accessible_text()

    def reserve_space(self, has_map: bool) -> None:
        """Take the space of the image as soon as the record is shown, before its state is known."""
        if has_map and self.state is PreviewState.HIDDEN:
            self.show_state(PreviewState.LOADING.value, "", None)

    def show_state(self, state: str, reason: str, image: Optional[QImage]) -> None:
        """Show an image, or what is to be known about it.

        ``reason`` says why it failed, "" where that stands elsewhere on the page.
        """
        self.state = PreviewState(state)
        self.image = image
        self.text = {PreviewState.NOT_LOADED: tr("Open the record to load its map."),
                     PreviewState.LOADING: tr("Loading the map…"),
                     PreviewState.FAILED: tr("No map: {reason}", reason=reason) if reason else
                     tr("No map, because the service could not be loaded.")}.get(self.state, "")
        self.setVisible(self.state is not PreviewState.HIDDEN)
        self._show_accessible_text()
        self.update()
        self.state_changed.emit(self.state)

    def _show_accessible_text(self) -> None:
        name = tr("Map preview of “{title}”", title=self._title)
        self.setAccessibleName(name)
        self.setAccessibleDescription(self.text)
        self.setToolTip("")

    def room(self) -> Tuple[int, int]:
        """Return width and height in pixels of an image that fills the place, within what is asked of a server."""
        frame = self._frame()
        return min(max(frame.width(), _LEAST_HEIGHT), 2 * WIDTH), min(max(frame.height(), _LEAST_HEIGHT - 4), HEIGHT)

    def _frame(self) -> QRect:
        return QRect(_MARGIN, 2, max(1, self.width() - 2 * _MARGIN), max(1, self.height() - 4))

    def limit_height(self, height: int) -> None:
        """Become at most ``height`` pixels high, but not illegible."""
        room = max(_LEAST_HEIGHT, height)
        if room != self._room:
            self._room = room
            self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: the proportion of the image, up to its full size."""
        width = min(self.width(), WIDTH + 2 * _MARGIN)
        return QSize(width, min(self._room, round((width - 2 * _MARGIN) * HEIGHT / WIDTH) + 4))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width."""
        return QSize(20, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: take the height that belongs to the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the image in the middle of a frame, or the text."""
        colours = ThemeColours(self)
        with painting(self) as painter:
            frame = self._frame()
            image = self.image
            if image is not None and not image.isNull():
                drawn = _drawn_part(image)
                place, part = _placed(drawn.size(), frame)
                part.translate(drawn.topLeft())
                painter.fillRect(place, Qt.GlobalColor.white)
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(place, image, part)
                painter.setPen(colours.line)
                painter.drawRect(place.adjusted(0, 0, -1, -1))
                return
            painter.fillRect(frame, colours.chip)
            painter.setPen(colours.text)
            lines = wrap_lines(self.text, self.font(), frame.width() - 12, 4)
            painter.drawText(frame.adjusted(6, 6, -6, -6), Qt.AlignmentFlag.AlignCenter, "\n".join(lines))


def _drawn_part(image: QImage) -> QRect:
    """Return ``image`` without the margins of one colour that a service paints beyond its data."""
    if image.hasAlphaChannel() or image.isNull():
        return image.rect()
    pixels = image.convertToFormat(QImage.Format.Format_RGB32)
    mask = pixels.createMaskFromColor(pixels.pixel(0, 0), Qt.MaskMode.MaskInColor)
    drawn = QRegion(QBitmap.fromImage(mask)).boundingRect()
    return drawn if min(drawn.width(), drawn.height()) >= _LEAST_HEIGHT // 2 else image.rect()


def _placed(size: QSize, frame: QRect) -> Tuple[QRect, QRect]:
    """Return the place of an image of ``size`` in ``frame``, and the part of the image that is painted there.

    The middle of the image fills the frame. An image of quite another shape, such as that of a service that allows no
    subsets, is painted whole.
    """
    part = frame.size().scaled(size, Qt.AspectRatioMode.KeepAspectRatio)
    if part.width() * part.height() >= (1 - _MOST_CUT) * size.width() * size.height():
        middle = QRect(0, 0, part.width(), part.height())
        middle.moveCenter(QRect(0, 0, size.width(), size.height()).center())
        return frame, middle
    whole = size.scaled(frame.size(), Qt.AspectRatioMode.KeepAspectRatio)
    if whole.width() > size.width():
        whole = size
    place = QRect(0, 0, whole.width(), whole.height())
    place.moveCenter(frame.center())
    return place, QRect(0, 0, size.width(), size.height())
