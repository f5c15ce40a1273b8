"""Tab order of widgets that are made later than those around them."""

from __future__ import annotations

from typing import Iterator

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QScrollArea, QWidget


def order_as_laid_out(container: QWidget, before: QWidget) -> None:
    """Let Tab lead from ``before`` through the widgets in ``container``, in the order of its layouts.

    Qt puts a widget that is made later behind all others of its window.
    """
    last = before
    for widget in _in_order(container):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget is not before:
            QWidget.setTabOrder(last, widget)
            last = widget


def _in_order(container: QWidget) -> Iterator[QWidget]:
    """Yield the widgets in ``container``: each one before those that it contains."""
    if isinstance(container, QScrollArea):
        inner = container.widget()
        inside = [inner] if inner is not None else []
    else:
        inside = list(_of_layout(container.layout()))
    for widget in inside:
        yield widget
        yield from _in_order(widget)


def _of_layout(layout: object) -> Iterator[QWidget]:
    if layout is None:
        return
    for number in range(layout.count()):  # type: ignore[attr-defined]
        item = layout.itemAt(number)  # type: ignore[attr-defined]
        if item.widget() is not None:
            yield item.widget()
        elif item.layout() is not None:
            yield from _of_layout(item.layout())
