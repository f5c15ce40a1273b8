"""What a person's hands and QGIS's settings do to any widget: keys, the mouse, drags, menus, another font or style."""

from __future__ import annotations

from typing import Iterator, List

from PyQt6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PyQt6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QEnterEvent,
    QHelpEvent,
    QWheelEvent,
)
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QMenu, QWidget

# neither Return nor Space, for what they start is QGIS's work, nor Escape, which ends dialogs
_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Left,
         Qt.Key.Key_F, Qt.Key.Key_Tab)
_CHANGES = (QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.LanguageChange)
_MOST_CHILDREN = 60
_NONE = Qt.KeyboardModifier.NoModifier
_LEFT = Qt.MouseButton.LeftButton


class Closer(QTimer):
    """Closes the menus and dialogs that would wait for a person."""

    def __init__(self) -> None:
        super().__init__()
        self.closed: List[str] = []
        self.timeout.connect(self._close)
        self.start(20)

    def _close(self) -> None:
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if waiting is not None:
            self.closed.append(type(waiting).__name__)
            waiting.close()


def parts(widget: QWidget) -> Iterator[QWidget]:
    """The widget and what is seen of its children."""
    yield widget
    shown = [child for child in widget.findChildren(QWidget) if child.isVisible() and child.width() > 1]
    yield from shown[:_MOST_CHILDREN]


def exercise(widget: QWidget) -> None:
    """Everything once, to the widget as it is shown and to its children."""
    for part in list(parts(widget)):
        try:
            _use(part)
        except RuntimeError as error:
            # what went before may rightly have taken it away
            if "has been deleted" not in str(error):
                raise
    QApplication.processEvents()


def _use(part: QWidget) -> None:
    target = part.viewport() if isinstance(part, QAbstractScrollArea) else part
    _point_at(target)
    if not isinstance(part, (QAbstractButton, QMenu)):
        _press_and_drag(target)
        _type(part)
    _drop(target)
    for change in _CHANGES:
        QApplication.sendEvent(part, QEvent(change))


def _point_at(part: QWidget) -> None:
    centre = QPointF(part.rect().center())
    everywhere = part.mapToGlobal(centre)
    QApplication.sendEvent(part, QEnterEvent(centre, centre, everywhere))
    QApplication.sendEvent(part, QHelpEvent(QEvent.Type.ToolTip, centre.toPoint(), everywhere.toPoint()))
    QApplication.sendEvent(part, QWheelEvent(
        centre, everywhere, QPoint(0, -10), QPoint(0, -120), Qt.MouseButton.NoButton, _NONE,
        Qt.ScrollPhase.NoScrollPhase, False))
    QApplication.sendEvent(part, QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, centre.toPoint(), everywhere.toPoint()))
    QApplication.sendEvent(part, QEvent(QEvent.Type.Leave))


def _press_and_drag(part: QWidget) -> None:
    place = part.rect().center()
    QTest.mousePress(part, _LEFT, _NONE, place)
    QTest.mouseMove(part, place + QPoint(1, 1))
    QTest.mouseRelease(part, _LEFT, _NONE, place)


def _type(part: QWidget) -> None:
    if part.focusPolicy() == Qt.FocusPolicy.NoFocus or not part.isEnabled():
        return
    for key in _KEYS:
        QTest.keyClick(part, key)
    QTest.keyClick(part, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(part, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)


def _drop(part: QWidget) -> None:
    if not part.acceptDrops():
        return
    data = QMimeData()
    data.setText("one")
    data.setUrls([QUrl.fromLocalFile("/nonexistent/record.xml")])
    data.setData("application/x-cartoguide-map-row", b"0")
    place = part.rect().center()
    given = (Qt.DropAction.CopyAction, data, _LEFT, _NONE)
    for kind, where in ((QDragEnterEvent, place), (QDragMoveEvent, place), (QDropEvent, QPointF(place))):
        QApplication.sendEvent(part, kind(where, *given))
    QApplication.sendEvent(part, QDragLeaveEvent())
