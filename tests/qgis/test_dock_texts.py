"""Both docks at four sizes in English and Spanish: nothing is clipped, and what is elided has its text as a tooltip."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from qgis.PyQt.QtCore import QPoint, QRect, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QTabBar,
    QToolButton,
    QWidget,
)

from plugin.gis.runtime import i18n
from plugin.ui.widgets.labels import ElidedLabel, TwoLineLabel

#: the narrowest dock, QGIS's dock at 1366 × 768, the width from which list and record are side by side, a wide screen
SIZES = ((250, 625), (400, 560), (700, 620), (1100, 900))
#: pixels by which a style's own margins may differ from those of its size hint
SLACK = 2


@pytest.fixture(params=["en", "es"])
def language(request, repository, tmp_path):
    if request.param == "es":
        tool = next((found for found in map(shutil.which, ("lrelease", "lrelease-qt5", "/usr/lib/qt5/bin/lrelease",
                                                           "/usr/lib/qt6/bin/lrelease")) if found), None)
        if tool is None:
            pytest.skip("the Qt linguist tools are not installed")
        subprocess.run([tool, repository / "i18n" / "cartoguide_es.ts", "-qm", tmp_path / "cartoguide_es.qm"],
                       check=True, capture_output=True)
        assert i18n.install("es", tmp_path)
    yield request.param
    i18n.remove()


def in_scroll_area(widget: QWidget, root: QWidget) -> bool:
    """True where a scroll area shows the widget, which may be larger than what is seen of it."""
    parent = widget.parentWidget()
    while parent is not None and parent is not root:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False


def name_of(widget: QWidget) -> str:
    text = getattr(widget, "text", str)()
    return f"{type(widget).__name__} {widget.objectName() or widget.accessibleName() or text!r}"


def too_narrow(widget: QWidget) -> str:
    """The text of the widget that does not fit into its width, "" where all of it is seen."""
    metrics = widget.fontMetrics()
    if isinstance(widget, QLabel):
        if widget.wordWrap() or isinstance(widget, TwoLineLabel) or widget.textFormat() == Qt.TextFormat.RichText:
            return ""
        width = max((metrics.horizontalAdvance(line) for line in widget.text().split("\n")), default=0)
        return widget.text() if width > widget.contentsRect().width() + SLACK else ""
    if isinstance(widget, QToolButton) and (
            not widget.text() or widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly):
        return ""
    if isinstance(widget, QAbstractButton) and widget.text():
        return widget.text() if widget.sizeHint().width() > widget.width() + SLACK else ""
    if isinstance(widget, QComboBox):
        arrow = widget.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        room = widget.width() - arrow - (widget.iconSize().width() if widget.count() and not widget.itemIcon(
            widget.currentIndex()).isNull() else 0)
        return widget.currentText() if metrics.horizontalAdvance(widget.currentText()) > room else ""
    return ""


def tab_problems(bar: QTabBar) -> list[str]:
    return [f"tab {bar.tabText(number)!r}" for number in range(bar.count())
            if bar.isTabVisible(number) and not bar.usesScrollButtons() and not bar.tabToolTip(number)
            and bar.fontMetrics().horizontalAdvance(bar.tabText(number)) > bar.tabRect(number).width()]


def problems(root: QWidget) -> list[str]:
    """Every control of ``root`` that is clipped, or elided without a tooltip that has its text."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisibleTo(root) or widget.window() is not root.window():
            continue
        if isinstance(widget, QTabBar):
            found += tab_problems(widget)
        text = too_narrow(widget)
        if text and text.replace("&", "") not in widget.toolTip().replace("&", ""):
            found.append(f"{name_of(widget)}: {text!r} does not fit into {widget.width()} px, without a tooltip")
        if (isinstance(widget, QScrollArea) and widget.widget() is not None
                and widget.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
                and widget.widget().width() > widget.viewport().width() + SLACK):
            found.append(f"what scrolls is {widget.widget().width()} px wide in {widget.viewport().width()} px")
        if not isinstance(widget, (QLabel, QAbstractButton, QComboBox, QLineEdit)) or in_scroll_area(widget, root):
            continue
        seen = QRect(widget.mapTo(root, QPoint(0, 0)), widget.size())
        if widget.width() and not root.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(seen):
            found.append(f"{name_of(widget)} at {seen.getRect()} is outside {root.size().width()} px")
        lines = widget.heightForWidth(widget.width()) if isinstance(widget, QLabel) and widget.wordWrap() else 0
        lines = 0 if isinstance(widget, (ElidedLabel, TwoLineLabel)) else lines
        if lines > widget.height() + SLACK:
            found.append(f"{name_of(widget)} is {widget.height()} px high and needs {lines}")
    return found


def judged(root: QWidget, state: str, sizes=SIZES) -> list[str]:
    found = []
    for width, height in sizes:
        root.resize(width, height)
        for _ in range(5):
            QApplication.processEvents()
        assert root.width() == width, f"the dock is {root.width()} px wide where {width} px are asked for"
        found += [f"{state}, {width} × {height}: {problem}" for problem in problems(root)]
    return found


def test_no_control_of_the_docks_is_clipped_and_nothing_is_elided_without_a_tooltip(language, network_dock, wait_until):
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    maps, compose = dock.composer_controller.map, dock.compose_dock
    compose.setFloating(True)
    compose.show()
    found = judged(dock, "list") + judged(compose, "empty map")
    for number, (word, role) in enumerate((("Mapa guía", "base"), ("Equipamientos", "overlay")), 1):
        row = next(row for row in range(3) if word in dock.model.index(row).data())
        dock.list.setCurrentIndex(dock.model.index(row))
        dock.pages.open_record()
        dock.map_additions.add_selected(role)
        wait_until(lambda number=number: len(maps.items) == number and not maps.adding, 60)
    for tab in range(dock.view.tabs.count()):
        dock.view.tabs.setCurrentIndex(tab)
        found += judged(dock, f"record, {dock.view.tabs.tabText(tab)}", SIZES[:2])
    found += judged(compose, "map of two services")
    assert not found, "\n".join(found)


def test_the_judge_sees_what_is_clipped(qtbot):
    root = QWidget()
    qtbot.addWidget(root)
    label = QLabel("a text that needs more than forty pixels", root)
    label.setGeometry(0, 0, 40, 20)
    outside = QToolButton(root)
    outside.setGeometry(90, 0, 40, 20)
    root.resize(100, 50)
    root.show()
    assert len(problems(root)) == 2
    label.setToolTip(label.text())
    outside.move(60, 0)
    assert problems(root) == []


@pytest.mark.parametrize("points", [8, 9, 10, 11, 12, 15])
def test_two_lines_have_room_for_the_descenders_of_the_last_one(qtbot, points):
    label = TwoLineLabel("gypq gypq gypq gypq")
    qtbot.addWidget(label)
    font = label.font()
    font.setPointSize(points)
    label.setFont(font)
    label.resize(label.fontMetrics().horizontalAdvance("gypq gypq") + 12, 100)
    label.resize(label.width(), label.sizeHint().height())
    label.show()
    image = label.grab().toImage()
    ground = image.pixel(image.width() - 1, 0)
    rows = [y for y in range(image.height()) if any(image.pixel(x, y) != ground for x in range(image.width()))]
    assert rows and rows[-1] < image.height() - 1, "the text ends above the edge"
