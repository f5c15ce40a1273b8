"""Focus that leaves a widget of a dock, by Tab or because the widget was hidden."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QWidget

#: widgets that are skipped at most
_MAX_SKIPPED = 1000


def move_focus(move: Callable[[bool], bool], forward: bool) -> bool:
    """Move the focus by ``move`` until it is on a widget that can be seen. Return False if there is none.

    A dock behind another tab lies outside the window, but is visible to Qt, which would give its widgets the focus:
    what is typed then would change something that nobody sees.
    """
    first: Optional[QWidget] = None
    for _ in range(_MAX_SKIPPED):
        if not move(forward):
            return False
        widget = QApplication.focusWidget()
        if widget is None or widget is first or not is_behind_tab(widget):
            return True
        first = first or widget
    return True


def is_behind_tab(widget: QWidget) -> bool:
    """Return True if ``widget`` is in a dock that is covered by another one in the same place."""
    ancestor: Optional[QWidget] = widget
    while ancestor is not None and not isinstance(ancestor, QDockWidget):
        ancestor = ancestor.parentWidget()
    return ancestor is not None and ancestor.isVisible() and ancestor.visibleRegion().isEmpty()
