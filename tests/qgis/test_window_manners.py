"""What a person expects of any window: menus on a right click, titles that can be clicked, fonts as QGIS is set."""

from __future__ import annotations

import re

import pytest
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtGui import QColor, QContextMenuEvent
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication, QLabel, QMainWindow, QVBoxLayout, QWidget

from plugin.app.maps.map_state import MapRowState
from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.custommap.model import MapRole, Orientation
from plugin.core.custommap.suggestions import Suggestion, SuggestionCandidate
from plugin.gis.catalogues.federated_search import SearchState, SourceStatus
from plugin.ui.catalogues.catalogue_panel import CataloguePanel
from plugin.ui.composer.composer_panel import ComposerPanel, SuggestionRows
from plugin.ui.composer.fold_section import FoldSection
from plugin.ui.composer.map_rows import MapRows
from plugin.ui.composer.page_picture_view import PagePictureView
from plugin.ui.credits.credits_menu import QGIS_EXPORTS
from plugin.ui.record.record_view import RecordView
from plugin.ui.widgets.theme import icon, scale_font
from tests.qgis.waiting import lay_out

#: the style sheet that QGIS gives its window for the font size of its options
FONT_OF_QGIS = '* { font: 15pt "Sans Serif"} QGroupBox{ font-weight: 600; }'


@pytest.fixture
def window(qgis_app, qtbot):
    made = QMainWindow()
    qtbot.addWidget(made)
    body = QWidget()
    QVBoxLayout(body)
    made.setCentralWidget(body)
    made.resize(400, 500)
    return made


def test_a_right_click_on_a_row_opens_its_menu(window, qtbot):
    rows = MapRows()
    window.centralWidget().layout().addWidget(rows)
    rows.show_rows([MapRowState("Mapa guía", MapRole.BASE, "11 layers")])
    with qtbot.waitExposed(window):
        window.show()
    row = rows.rows[0]
    QApplication.sendEvent(row, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(60, 10),
                                                  row.mapToGlobal(QPoint(60, 10))))
    menu = row.menu_button.menu()
    assert QApplication.activePopupWidget() is menu
    menu.close()


def test_a_click_on_the_title_of_a_suggestion_adds_it_once_at_a_time(window, qtbot):
    shown, added = SuggestionRows(), []
    window.centralWidget().layout().addWidget(shown)
    suggestions = [Suggestion(SuggestionCandidate(str(number), f"Service {number}", f"https://a.test/{number}"), "near")
                   for number in range(2)]
    shown.show_suggestions(suggestions)
    shown.add_requested.connect(added.append)
    with qtbot.waitExposed(window):
        window.show()
    title = next(label for label in shown.findChildren(QLabel) if label.toolTip().startswith("Service 1"))
    QTest.mouseClick(title, Qt.MouseButton.LeftButton)
    assert added == [suggestions[1]]
    shown.show_adding(True)
    QTest.mouseClick(title, Qt.MouseButton.LeftButton)
    QTest.mouseClick(shown.buttons[0], Qt.MouseButton.LeftButton)
    assert len(added) == 1
    shown.show_adding(False)
    QTest.mouseClick(shown.buttons[0], Qt.MouseButton.LeftButton)
    assert added == [suggestions[1], suggestions[0]]


def test_the_line_of_a_catalogue_is_as_high_as_the_theme_makes_it(window, qtbot):
    panel = CataloguePanel()
    window.centralWidget().layout().addWidget(panel)
    with qtbot.waitExposed(window):
        window.show()
    source = Source("https://example.org/csw", SourceKind.CSW_2, "IDE")
    panel.show_rows([SourceStatus(source, SearchState.REQUESTING)], True)
    window.setStyleSheet("* { font-size: 15pt; } QToolButton { padding: 6px; }")
    [row] = panel.rows.values()
    qtbot.waitUntil(lambda: panel.scroll_area.height() >= row.sizeHint().height() > 30)
    assert panel.scroll_area.verticalScrollBar().maximum() == 0


def test_the_picture_has_its_place_before_the_page_is_drawn(qgis_app, qtbot):
    view = PagePictureView()
    qtbot.addWidget(view)
    height = 300
    wide = view.width_for(height)
    with qtbot.waitSignal(view.shape_changed):
        view.expect(Orientation.PORTRAIT)
    assert view.width_for(height) < 0.6 * wide


def test_opening_the_page_leaves_its_picture_in_sight_where_both_fit(qgis_app, qtbot):
    composer = ComposerPanel()
    qtbot.addWidget(composer)
    composer.resize(400, 540)
    composer.show_rows([MapRowState("Mapa guía", MapRole.BASE, "11 layers"),
                        *(MapRowState(f"Layer {number}", MapRole.OVERLAY, "1 layer") for number in range(20))])
    with qtbot.waitExposed(composer):
        composer.show()
    # the panel shows new rows a moment after they came
    qtbot.wait(300)
    composer.scroll_area.verticalScrollBar().setValue(0)
    composer.page.summary.setChecked(True)
    # the panel scrolls once the form has its height
    qtbot.wait(300)
    # the form scrolls by itself beside the picture, with the layers in sight too
    for widget in (composer.picture, composer.page.form_area):
        assert widget.visibleRegion().boundingRect().height() == widget.height()
    assert composer.page.form_area.height() >= 3 * composer.page.theme.height()
    assert composer.rows.rows[0].visibleRegion().boundingRect().height() == composer.rows.rows[0].height()


def test_small_and_bold_texts_stay_so_at_the_font_size_of_qgis(window, qtbot):
    small, heading, plain = QLabel("small"), QLabel("heading"), QLabel("plain")
    scale_font(small, 0.9)
    scale_font(heading, 1.05, bold=True)
    for label in (small, heading, plain):
        window.centralWidget().layout().addWidget(label)
    window.setStyleSheet(FONT_OF_QGIS)
    with qtbot.waitExposed(window):
        window.show()
    assert plain.font().pointSizeF() == 15 and not plain.font().bold()
    assert small.font().pointSizeF() == pytest.approx(13.5, abs=0.1)
    assert heading.font().pointSizeF() == pytest.approx(15.75, abs=0.1) and heading.font().bold()
    window.setStyleSheet(FONT_OF_QGIS.replace("15pt", "10pt"))
    assert small.font().pointSizeF() == pytest.approx(9, abs=0.1)


def test_the_tabs_of_a_record_have_most_of_a_low_page(qgis_app, qtbot):
    view = RecordView(lambda _document: None)
    qtbot.addWidget(view)
    view._stack.setCurrentIndex(1)
    preview = view.preview
    preview.reserve_space(True)
    with qtbot.waitExposed(view):
        view.show()
    heights = []
    for height in (1000, 600):
        view.resize(400, height)
        lay_out()
        heights.append(preview.height())
    assert heights[0] > 160 and heights[1] <= 120
    preview.limit_height(10)
    assert preview.sizeHint().height() == 90, "what is smaller is illegible"


def test_the_heading_of_a_section_is_as_high_as_the_font_of_qgis(window, qtbot):
    section = FoldSection("test", "Layers")
    window.centralWidget().layout().addWidget(section)
    window.setStyleSheet(FONT_OF_QGIS)
    with qtbot.waitExposed(window):
        window.show()
    metrics = section.heading.fontMetrics()
    assert section.heading.font().bold() and metrics.height() > 20
    qtbot.waitUntil(lambda: section.heading.height() >= metrics.height())


def test_every_icon_that_the_window_names_is_there(qgis_app, repository):
    names = re.compile(r'"((?:propertyicons/\w+)|m(?:Action|Icon|Indicator)\w+)"')
    used = {name for path in (repository / "plugin").rglob("*.py") for name in names.findall(path.read_text("utf-8"))}
    # those name actions
    used -= set(QGIS_EXPORTS)
    assert len(used) > 50
    assert sorted(name for name in used if icon(name).isNull()) == []


def test_a_plus_adds_to_the_map_and_nothing_else(repository):
    named = {path.name for path in (repository / "plugin").rglob("*.py") if '"mActionAdd"' in path.read_text("utf-8")}
    assert named == {"composer_panel.py", "record_list.py"}, "the panel of the map, and the row of a record"


def luminance(colour):
    """The relative luminance of a colour (WCAG 2)."""
    parts = (part / 255 for part in (colour.red(), colour.green(), colour.blue()))
    return sum(share * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
               for share, part in zip((0.2126, 0.7152, 0.0722), parts))


@pytest.mark.parametrize("background", ["#323232", "#efefef"])
def test_the_plugin_s_icons_stand_out_in_night_mapping_and_in_a_light_theme(qgis_app, repository, background):
    ground, faint = luminance(QColor(background)), {}
    for path in sorted((repository / "resources" / "icons").glob("*.svg")):
        if path.stem == "north-arrow":
            # for paper
            continue
        image = icon(path.stem).pixmap(32, 32).toImage()
        drawn = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        tones = [luminance(colour) for colour in drawn if colour.alpha() > 127]
        clear = [tone for tone in tones if (max(tone, ground) + 0.05) / (min(tone, ground) + 0.05) >= 3]
        if len(clear) < 0.25 * len(tones):
            faint[path.stem] = round(len(clear) / len(tones), 2)
    assert faint == {}
