"""Keyboard navigation: the widgets that Tab reaches in a window, those it misses, and those without a name."""

from __future__ import annotations

from qgis.PyQt.QtCore import QPoint, QRect, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

from plugin.ui.results.facet_row import SidewaysArea

KINDS = (QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
         QTabBar, QTextEdit)
#: more presses than any window of ours has places
MOST = 150


def path(window: QWidget) -> list[QWidget]:
    """What has the focus one after the other while Tab is pressed, until it is where it was before."""
    # a window that is not in front has a focus of its own, too
    top = window.window()
    if top.focusWidget() is None:
        top.focusNextChild()
    seen: list[QWidget] = []
    for _ in range(MOST):
        now = top.focusWidget()
        # Tab goes through the links of a page before it leaves it
        if now is None or now in seen[:-1]:
            return seen
        if now not in seen:
            seen.append(now)
        QTest.keyClick(now, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab leads nowhere: {[described(one) for one in seen[-5:]]}")


def interactive(window: QWidget) -> list[QWidget]:
    """What a mouse could use in ``window`` as it stands, without the parts that Qt and QGIS make inside a widget."""
    return [one for one in window.findChildren(QWidget) if isinstance(one, KINDS) and one.isVisible()
            and one.isEnabled() and not _is_part(one)]


def _is_part(one: QWidget) -> bool:
    if isinstance(one, (QHeaderView, QScrollBar)) or one.objectName().startswith("qt_"):
        return True
    above = one.parentWidget()
    # its arrows scroll as a scroll bar does: Tab scrolls to what they lead to
    if isinstance(above, SidewaysArea):
        return True
    while above is not None and not above.isWindow():
        if isinstance(above, (QComboBox, QAbstractSpinBox, QTabBar, QLineEdit)):
            return True
        # the button of a message bar's item, the title bar of a dock
        if type(above).__name__ in ("QgsMessageBar", "QgsAuthConfigSelect"):
            return True
        above = above.parentWidget()
    return False


def named(one: QWidget) -> bool:
    """Whether a screen reader has a name to say: its own, its words, or a label that belongs to it."""
    if one.accessibleName():
        return True
    if isinstance(one, QAbstractButton) and one.text().strip("… ×?"):
        return True
    if isinstance(one, QTabBar):
        return all(one.tabText(number) for number in range(one.count()))
    return any(label.buddy() is one for label in one.window().findChildren(QLabel))


def described(one: QWidget) -> str:
    """Enough to find it in the sources."""
    words = one.accessibleName() or getattr(one, "text", str)() or one.toolTip()
    above = [type(one).__name__]
    parent = one.parentWidget()
    while parent is not None and len(above) < 4:
        above.append(type(parent).__name__)
        parent = parent.parentWidget()
    return f"{' < '.join(above)} “{words[:40]}”"


def _by_arrows(one: QWidget, reached: list[QWidget]) -> bool:
    """Of buttons of which one is down, Tab leads to one, and arrow keys from it to the others."""
    group = one.group() if isinstance(one, QAbstractButton) else None
    return group is not None and group.exclusive() and any(other in reached for other in group.buttons())


def out_of_order(window: QWidget) -> list[str]:
    """What Tab leads back to: above what had the focus before, or left of it in the same line.

    A widget above and to the right is in the next column.
    """
    def place(one: QWidget) -> QRect:
        return QRect(one.mapTo(window, QPoint(0, 0)), one.size())

    reached = [one for one in path(window) if window.isAncestorOf(one)]
    # the walk may have begun anywhere
    first = min(range(len(reached)), key=lambda number: (place(reached[number]).top(), place(reached[number]).left()))
    reached = reached[first:] + reached[:first]
    found = []
    for before, now in zip(reached, reached[1:]):
        old, new = place(before), place(now)
        above, beside = new.bottom() <= old.top(), new.top() < old.bottom() and old.top() < new.bottom()
        if (above and new.left() < old.right()) or (beside and new.right() <= old.left()):
            found.append(f"{described(now)} after {described(before)}")
    return found


def missed(window: QWidget) -> list[str]:
    """What Tab does not lead to, and what has no name."""
    reached = path(window)
    unreached = [f"not reached: {described(one)}" for one in interactive(window)
                 if one not in reached and not _by_arrows(one, reached)
                 and (one.focusProxy() is None or one.focusProxy() not in reached)
                 and not any(one.isAncestorOf(other) for other in reached)]
    nameless = [f"no name: {described(one)}" for one in interactive(window) if not named(one)]
    return unreached + nameless
