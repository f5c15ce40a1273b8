"""Both docks at six widths and three font sizes in English and Spanish.

Nothing is clipped, and what is elided has its text as a tooltip.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest
from qgis.PyQt.QtCore import QPoint, QRect, Qt
from qgis.PyQt.QtGui import QFontMetrics
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QStyle,
    QTabBar,
    QToolButton,
    QWidget,
)

from plugin.app.maps.map_state import MapRowState
from plugin.core.custommap.model import MapRole
from plugin.core.i18n import tr
from plugin.core.preflight import MapFinding
from plugin.core.review.checks.rules import Severity
from plugin.gis.runtime import i18n
from plugin.ui.composer.composer_panel import ComposerPanel
from plugin.ui.composer.fold_section import LimitedArea
from plugin.ui.composer.page_picture_view import PagePictureView, note_font
from plugin.ui.results.facet_row import SidewaysArea
from plugin.ui.widgets.labels import ElidedLabel, LimitedLabel
from tests.pairwise import ALL

#: the narrowest dock, one on a small screen, QGIS's dock at 1366 × 768, a wide one, the width from which list and
#: record are side by side, a wide screen
SIZES = ((250, 625), (320, 560), (400, 560), (600, 620), (700, 620), (1100, 900))
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
        if widget.wordWrap() or isinstance(widget, LimitedLabel) or widget.textFormat() == Qt.TextFormat.RichText:
            return ""
        # the sign of a key is not drawn
        text = widget.text().replace("&", "") if widget.buddy() is not None else widget.text()
        width = max((metrics.horizontalAdvance(line) for line in text.split("\n")), default=0)
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


def cut_in_height(widget: QWidget) -> list[str]:
    """A line of text that is higher than its control, or that is cut off by what is around it and does not scroll."""
    if not isinstance(widget, (QLabel, QAbstractButton)) or not widget.text():
        return []
    if isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
        return []
    needed = widget.fontMetrics().height()
    line = widget.parentWidget()
    if isinstance(line.parentWidget(), QWidget) and isinstance(line.parentWidget().parentWidget(), QScrollArea):
        area = line.parentWidget().parentWidget()
        if area.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff and not isinstance(
                area, LimitedArea) and widget.height() > area.viewport().height() + SLACK:
            return [f"{name_of(widget)} is cut off by what scrolls it, {area.viewport().height()} px high"]
    return [f"{name_of(widget)} is {widget.height()} px high, its text {needed}"] if widget.height() + SLACK < needed \
        else []


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
        if isinstance(widget, PagePictureView):
            room = widget.page_rectangle().width()
            for mark in (tr("Updating…"), tr("%n missing", n=12)):
                if QFontMetrics(note_font(widget.font(), room, mark)).horizontalAdvance(mark) > room:
                    found.append(f"“{mark}” is wider than the picture of the page, {room:.0f} px")
        found += cut_in_height(widget)
        if isinstance(widget, QTabBar):
            found += tab_problems(widget)
        text = too_narrow(widget)
        if text and text.replace("&", "") not in widget.toolTip().replace("&", ""):
            found.append(f"{name_of(widget)}: {text!r} does not fit into {widget.width()} px, without a tooltip")
        # a line of filters or buttons has arrows that scroll it
        if (isinstance(widget, QScrollArea) and widget.widget() is not None
                and not isinstance(widget.parentWidget(), SidewaysArea)
                and widget.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
                and widget.widget().width() > widget.viewport().width() + SLACK):
            found.append(f"what scrolls is {widget.widget().width()} px wide in {widget.viewport().width()} px")
        if not isinstance(widget, (QLabel, QAbstractButton, QComboBox, QLineEdit)) or in_scroll_area(widget, root):
            continue
        seen = QRect(widget.mapTo(root, QPoint(0, 0)), widget.size())
        if widget.width() and not root.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(seen):
            found.append(f"{name_of(widget)} at {seen.getRect()} is outside {root.size().width()} px")
        lines = widget.heightForWidth(widget.width()) if isinstance(widget, QLabel) and widget.wordWrap() else 0
        lines = 0 if isinstance(widget, (ElidedLabel, LimitedLabel)) else lines
        if lines > widget.height() + SLACK:
            found.append(f"{name_of(widget)} is {widget.height()} px high and needs {lines}")
    return found


def judged(root: QWidget, state: str, sizes=SIZES) -> list[str]:
    found = []
    for width, height in sizes:
        root.resize(width, height)
        for _ in range(8):
            QApplication.processEvents()
        assert root.width() == width, f"the dock is {root.width()} px wide where {width} px are asked for"
        found += [f"{state}, {width} × {height}: {problem}" for problem in problems(root)]
    return found


#: what fits in large type fits in smaller one, and English texts are shorter than Spanish ones
LANGUAGES_AND_POINTS = [("es", 15), ("en", 12), *([("es", 9), ("es", 12), ("en", 9), ("en", 15)] if ALL else [])]


@pytest.mark.slow
@pytest.mark.usefixtures("page_picture")
@pytest.mark.parametrize(("language", "points"), LANGUAGES_AND_POINTS, indirect=["language"])
def test_no_control_of_the_docks_is_clipped_and_nothing_is_elided_without_a_tooltip(language, points, network_dock,
                                                                                    wait_until):
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    maps, compose = dock.composer_controller.map, dock.compose_dock
    compose.setFloating(True)
    compose.show()
    for window in (dock, compose):
        window.setStyleSheet(f'* {{ font: {points}pt "Sans Serif"}} QGroupBox{{ font-weight: 600; }}')
    found = judged(dock, "list with welcome") + judged(compose, "empty map")
    for facet, value in (("licence", "free"), ("organisation", "Consejería"), ("year", "2014"), ("year", "2016")):
        dock.facets.set_value(facet, value, True)
    found += judged(dock, "list with filters", SIZES[:4])
    dock.list_page.results.clear_filters()
    wait_until(lambda: dock.model.rowCount() == 3)
    for number, (word, role) in enumerate((("Mapa guía", "base"), ("Equipamientos", "overlay")), 1):
        row = next(row for row in range(3) if word in dock.model.index(row).data())
        dock.list.setCurrentIndex(dock.model.index(row))
        dock.pages.open_record()
        dock.map_additions.add_selected(role)
        wait_until(lambda number=number: len(maps.items) == number and not maps.adding, 60)
        # what was added is said once it is shown, and the window is judged with the message of both
        wait_until(lambda number=number: sum("añadida" in text or "added" in text
                                             for _level, text in dock.messages.history) == number)
    for tab in range(dock.view.tabs.count()):
        dock.view.tabs.setCurrentIndex(tab)
        sizes = SIZES[:4] if ALL else (SIZES[0], SIZES[1 + tab % 3])
        found += judged(dock, f"record, {dock.view.tabs.tabText(tab)}", sizes)
    found += judged(compose, "map of two services")
    dock.composer.page.summary.setChecked(True)
    dock.composer.show_busy(tr("Checking…"))
    dock.composer.findings.fold_button.setChecked(True)
    found += judged(compose, "page, issues and progress open", SIZES[:4])
    assert not found, f"{len(found)} problems\n" + "\n".join(found)


@pytest.mark.parametrize("points", [9, 12, 15])
def test_compose_of_three_services_needs_no_scrolling_on_a_laptop(language, points, qtbot):
    """A screen 768 px high leaves a dock of QGIS about 597 px, with the largest of its status bars."""
    composer = ComposerPanel()
    window = QMainWindow()
    window.setCentralWidget(composer)
    qtbot.addWidget(window)
    window.setStyleSheet(f'* {{ font: {points}pt "Sans Serif"}} QGroupBox{{ font-weight: 600; }}')
    window.resize(400, 590)
    window.show()
    composer.show_rows([MapRowState(f"Precipitación total diaria, junio de 201{number}", MapRole.OVERLAY, "32 layers")
                        for number in range(3)])
    composer.show_credits(["Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía. Precipitación total "
                           f"diaria. Junio de 201{number}" for number in range(3)])
    composer.findings.show_findings([MapFinding("x", Severity.WARNING, "Slow.", "Wait.", "Service", 0)] * 3,
                                    "54 × 53 MB")
    bar = composer.scroll_area.verticalScrollBar()
    # the height is shared once the rows are there
    for _ in range(30):
        QApplication.processEvents()
    assert bar.maximum() == 0, f"{bar.maximum()} px are not seen"
    for button in (composer.export, composer.layout_button, composer.save, composer.findings.check):
        assert button.visibleRegion().boundingRect().height() == button.height()
    assert composer.rows_area.height() >= 2 * composer.rows.rows[0].height()


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
    label = LimitedLabel("gypq gypq gypq gypq")
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


def test_the_terms_are_read_whole_in_a_narrow_dock_with_large_type(qtbot):
    from plugin.ui.record.record_view import RecordHeader

    header = RecordHeader()
    qtbot.addWidget(header)
    header.setStyleSheet("* { font-size: 15pt; }")
    header.resize(390, 500)
    header.show()
    text = "Se puede usar gratuitamente. Es obligatorio citar a sus autores y propietarios."
    header.terms_label.show_text(text)
    assert " ".join(header.terms_label._lines()) == text
