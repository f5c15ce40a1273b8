"""The custom map's widgets on plain values: rows, order, opacity, page, credits; by mouse and by keyboard."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, QSize, Qt
from qgis.PyQt.QtGui import QDropEvent, QImage, QMouseEvent, QWheelEvent
from qgis.PyQt.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QMainWindow,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QTabBar,
    QWidget,
)

from plugin.app.maps.document_controller import add_recent_map
from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import MapItem, MapRowState, OwnItem, without_wms_prefix
from plugin.app.page.legend_controller import RowLegend
from plugin.core.custommap.map_findings import MapFinding, MapRemedy, RemedyKind
from plugin.core.custommap.model import MapEntry, MapRole, Orientation, OwnLayer, PageSetup
from plugin.core.custommap.suggestions import Suggestion, SuggestionCandidate
from plugin.core.i18n import set_date_formatter
from plugin.core.pages.leaflet import TEXT_LENGTHS, LeafletTexts, TableSource
from plugin.core.review.checks.rules import Severity
from plugin.gis.legends.legend_nodes import Swatch
from plugin.gis.previews.page_drawing import PageImage, PagePicture
from plugin.ui.composer.composer_panel import ComposerAction, ComposerPanel
from plugin.ui.composer.fold_section import HEIGHT_PREFIX
from plugin.ui.composer.map_rows import MIME_ROW
from plugin.ui.composer.page_picture_view import PageTarget, PageWindow
from plugin.ui.pages.leaflet import TableChoice
from plugin.ui.widgets.theme import scale_font
from tests.qgis.waiting import lay_out

BASE = MapRowState("Mapa guía", MapRole.BASE, "11 layers")
FACILITIES = MapRowState("Equipamientos", MapRole.OVERLAY, "14 layers", 0.9)
RAIN = MapRowState("Precipitación", MapRole.OVERLAY, "1 layer", 1.0, False)


@pytest.fixture
def composer(qgis_app, qtbot):
    widget = ComposerPanel()
    qtbot.addWidget(widget)
    widget.resize(320, 420)
    widget.show()
    widget.show_rows([BASE, FACILITIES, RAIN])
    qtbot.waitExposed(widget)
    # with Qt 6 the rows are laid out later
    qtbot.waitUntil(lambda: widget.rows.rows[0].height() > 20)
    return widget


def row(composer, title):
    return next(row for row in composer.rows.rows if row.state.title == title)


def test_an_empty_map_says_what_to_do_and_offers_nothing_else(qgis_app, qtbot):
    widget = ComposerPanel()
    qtbot.addWidget(widget)
    widget.show()
    assert widget.empty.isVisible()
    assert "Add a service" in widget.empty.label.text()
    assert not widget.export.isVisible()


def test_an_empty_map_offers_what_a_map_begins_with(qgis_app, qtbot, tmp_path):
    names = ["Parque & monte.custommap.json", "printed.pdf", *(f"{number}.custommap.json" for number in range(4))]
    for name in reversed(names):
        (tmp_path / name).write_text("{}")
        add_recent_map(tmp_path / name)
    (tmp_path / "0.custommap.json").unlink()
    widget = ComposerPanel()
    qtbot.addWidget(widget)
    asked = []
    widget.action_requested.connect(asked.append)
    widget.find_requested.connect(lambda: asked.append("find"))
    widget.credits_requested.connect(lambda: asked.append("credits"))
    widget.recent_map_requested.connect(asked.append)
    assert not widget.empty.recent, "no file is looked for before the list is seen"
    widget.resize(250, 500)
    widget.show()
    empty = widget.empty
    for button in (empty.find_button, empty.open_button, empty.own_layer_button, empty.credits_button):
        button.click()
    assert asked == ["find", ComposerAction.OPEN, ComposerAction.ADD_OWN_LAYER, "credits"]
    assert [button.accessibleName() for button in empty.recent] == ["Parque & monte", "printed.pdf", "1", "2"]
    empty.recent[1].click()
    assert asked[-1] == tmp_path / "printed.pdf" and str(tmp_path) in empty.recent[1].toolTip()
    (tmp_path / "printed.pdf").unlink()
    widget.show_rows([BASE])
    assert not empty.isVisible()
    widget.show_rows([])
    assert [button.accessibleName() for button in empty.recent] == ["Parque & monte", "1", "2", "3"]


def test_the_heading_of_the_layers_leads_to_services_and_own_layers(composer, qtbot):
    with qtbot.waitSignal(composer.find_requested):
        composer.add.click()
    with qtbot.waitSignal(composer.action_requested) as asked:
        composer.add.menu().actions()[1].trigger()
    assert asked.args == [ComposerAction.ADD_OWN_LAYER]
    composer.layers_section.heading.setChecked(False)
    assert composer.add.isVisible()


def test_many_credits_scroll_by_themselves_and_take_the_height_that_is_left(composer, qtbot):
    area, line = composer.credits_area, composer.credits.fontMetrics().lineSpacing()
    bar, outer = area.verticalScrollBar(), composer.scroll_area.verticalScrollBar()
    composer.resize(400, 900)
    composer.show_credits([f"Junta de Andalucía, {year}" for year in range(2000, 2008)])
    qtbot.waitUntil(lambda: area.height() >= 8 * line and not bar.isVisible())
    composer.show_credits([f"Junta de Andalucía, {year}" for year in range(1950, 2024)])
    qtbot.waitUntil(lambda: bar.isVisible() and area.height() > 10 * line and outer.maximum() == 0)
    composer.resize(400, 300)
    qtbot.waitUntil(lambda: area.height() == line and bar.maximum() > 60 * line)
    composer.show_credits(["Junta de Andalucía, 2014"])
    qtbot.waitUntil(lambda: area.height() < 2 * line and not bar.isVisible())


def test_many_layers_scroll_by_themselves_so_that_the_credits_stay_in_sight(composer, qtbot):
    area, outer = composer.rows_area, composer.scroll_area.verticalScrollBar()
    composer.show_credits(["Junta de Andalucía, 2014"])
    composer.resize(400, 620)
    composer.show_rows([replace(FACILITIES, title=f"Servicio {number}") for number in range(12)])
    qtbot.waitUntil(lambda: outer.maximum() == 0 and area.verticalScrollBar().maximum() > 0)
    row = composer.rows.rows[0].sizeHint().height()
    qtbot.waitUntil(lambda: area.height() > 3 * row)
    composer.resize(400, 200)
    qtbot.waitUntil(lambda: outer.maximum() > 0 and area.height() == 2 * row)
    composer.resize(400, 1200)
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible() and area.height() > 11 * row)


def test_suggestions_make_room_for_the_services_that_are_there(composer, qtbot):
    """The layers of the map come before those that it may have, and the panel stays whole."""
    outer, suggestions = composer.scroll_area.verticalScrollBar(), composer.suggestions
    suggestions.show_suggestions([Suggestion(SuggestionCandidate(name, name, f"https://a.test/{name}"), "near")
                                  for name in ("rain", "wind", "sun")])
    composer.show_credits(["Junta de Andalucía, 2014"])
    row = composer.rows.rows[0].sizeHint().height()
    composer.resize(400, 1000)
    qtbot.waitUntil(lambda: suggestions.isVisible() and outer.maximum() == 0 and composer.rows_area.height() >= 3 * row)
    states = []
    for height in range(660, 570, -3):
        composer.resize(400, height)
        lay_out()
        qtbot.waitUntil(lambda: outer.maximum() == 0 and composer.rows_area.height() >= 3 * row)
        states.append(suggestions.isVisible())
        for _ in range(3):
            lay_out()
            assert suggestions.isVisible() is states[-1], "they come and go"
    assert states[0] and not states[-1] and states == sorted(states, reverse=True)
    composer.resize(400, 1000)
    qtbot.waitUntil(suggestions.isVisible)


def test_rows_stand_as_they_are_drawn_the_base_lowest(composer):
    assert [row.state.title for row in composer.rows.rows] == ["Precipitación", "Equipamientos", "Mapa guía"]


def test_a_new_service_is_seen_when_it_comes(composer, qtbot):
    bar = composer.scroll_area.verticalScrollBar()
    composer.page.summary.setChecked(True)
    qtbot.waitUntil(lambda: bar.value() > 0)
    qtbot.wait(200)
    composer.show_rows([BASE, FACILITIES, RAIN, MapRowState("Relieve", MapRole.OVERLAY, "1 layer")])
    qtbot.waitUntil(lambda: bar.value() <= composer.layers_section.y())


def test_the_role_and_problem_of_a_row_are_said_in_words(composer):
    composer.show_rows(
        [BASE, MapRowState("Equipamientos", MapRole.OVERLAY, "14 layers", problem="its service does not respond")])
    texts = [label.accessibleName() for label in row(composer, "Equipamientos").findChildren(QLabel)]
    assert "⚠ its service does not respond · overlay" in texts
    assert "11 layers · base" in [label.accessibleName() for label in row(composer, "Mapa guía").findChildren(QLabel)]


@pytest.mark.parametrize(("source", "provider", "role", "has_file"), [
    ("typename='pozos' url='https://example.org/ogc/'", "OAPIF", "overlay", False),
    ("/datos/pozos.gpkg", "ogr", "own layer", True)])
def test_features_of_a_publisher_are_an_overlay_and_what_has_a_file_an_own_layer(
        composer, source, provider, role, has_file):
    own = OwnItem(OwnLayer("a", "Pozos", "vector", provider, source, credit="© Agencia"))
    composer.show_rows([BASE, own.row_state()])
    shown = row(composer, "Pozos")
    assert f"{role} · © Agencia" in [label.accessibleName() for label in shown.findChildren(QLabel)]
    actions = [action.text() for action in shown.menu_button.menu().actions()]
    assert ("Locate its file…" in actions) is has_file and "Credit…" in actions


def test_a_row_in_large_type_says_which_day_of_a_series_is_shown(composer, qtbot):
    composer.setStyleSheet("* { font-size: 15pt; }")
    composer.show_rows([BASE, replace(RAIN, detail="1/6/2016 · 30 layers", is_series=True)])
    status = row(composer, RAIN.title)._status
    for width in (380, 400):
        composer.resize(width, 600)
        qtbot.waitUntil(lambda width=width: composer.rows.width() > width - 40, timeout=5000)
        qtbot.waitUntil(lambda: " ".join(status._lines()).startswith("1/6/2016 · 30 layers"), timeout=5000)


def test_the_cause_of_a_problem_is_not_cut_in_a_narrow_row(composer, qtbot):
    problem = "servicios.example.org answers with HTTP 503 · failed since 12:04"
    composer.setStyleSheet("* { font-size: 15pt; }")
    composer.show_rows([BASE, replace(FACILITIES, problem=problem)])
    status = row(composer, "Equipamientos")._status
    qtbot.waitUntil(lambda: status.width() < 320 and status.height() >= 2 * status.fontMetrics().lineSpacing())
    qtbot.waitUntil(lambda: problem in " ".join(status._lines()), timeout=5000)
    above = status.height()
    # beside the buttons again, where the title is
    composer.show_rows([BASE, FACILITIES])
    qtbot.waitUntil(lambda: status.height() < above and status.y() < row(composer, "Equipamientos").slider.geometry(
        ).bottom())


def test_opacity_is_told_with_its_percentage(composer, qtbot):
    facilities = row(composer, "Equipamientos")
    assert facilities.percent.text() == "90\u202f%"
    with qtbot.waitSignal(composer.rows.opacity_changed) as told:
        facilities.findChild(QSlider).setValue(40)
    assert told.args == [1, pytest.approx(0.4)]
    assert facilities.percent.text() == "40\u202f%"


def test_a_service_is_hidden_by_its_tick(composer, qtbot):
    with qtbot.waitSignal(composer.rows.visible_changed) as told:
        row(composer, "Equipamientos").visibility_check_box.click()
    assert told.args == [1, False]


@pytest.mark.parametrize(("key", "modifier", "signal", "expected"), [
    (Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier, "move_requested", [1, 2]),
    (Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier, "move_requested", [1, 0]),
    (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "remove_requested", [1])])
def test_rows_are_moved_and_removed_by_keyboard(composer, qtbot, key, modifier, signal, expected):
    with qtbot.waitSignal(getattr(composer.rows, signal)) as told:
        qtbot.keyClick(row(composer, "Equipamientos"), key, modifier)
    assert told.args == expected


def drop(composer, number, y):
    data = QMimeData()
    data.setData(MIME_ROW, str(number).encode())
    arguments = (Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    composer.rows.dropEvent(QDropEvent(QPointF(20, y), *arguments))


def test_a_row_is_dropped_where_it_is_let_go(composer):
    asked = []
    composer.rows.move_requested.connect(lambda number, target: asked.append((number, target)))
    drop(composer, 1, 0)
    assert asked == [(1, 2)]
    drop(composer, 2, row(composer, "Equipamientos").geometry().bottom() - 2)
    assert asked[-1] == (2, 1)
    drop(composer, 1, row(composer, "Equipamientos").geometry().center().y() - 1)
    assert len(asked) == 2


def test_the_page_is_one_line_that_opens_into_its_choices(composer, qtbot):
    composer.page.show_page(PageSetup("A3", Orientation.LANDSCAPE, "guide"), "canvas", 25000.0, "EPSG:25830")
    assert composer.page.summary.text() == "A3 landscape · 1:25\u202f000 · EPSG:25830"
    assert not composer.page.form.isVisible()
    composer.page.summary.click()
    assert composer.page.form.isVisible()
    with qtbot.waitSignal(composer.page.page_changed) as told:
        composer.page.orientation.setCurrentIndex(1)
    assert told.args == [PageSetup("A3", Orientation.PORTRAIT, "guide")]


def test_a_narrow_panel_shows_what_is_chosen(composer, qtbot):
    page, findings = composer.page, composer.findings
    for template, points in (("guide", 10), ("series", 10), ("guide", 15)):
        font = composer.font()
        font.setPointSize(points)
        composer.setFont(font)
        page.show_page(PageSetup("A4", Orientation.LANDSCAPE, template), ExtentMode.FITTED, 100000.0, "EPSG:25830")
        findings.show_findings(())
        for width in (700, 250, 330, 250):
            composer.resize(width, 900)
            lay_out()
            qtbot.waitUntil(lambda: page.orientation.width() >= page.orientation.fontMetrics().horizontalAdvance(
                page.orientation.currentText()) + 20)
            scale, shown = "1:100\u202f000", page.summary.shown_text
            assert scale in shown and "…" not in shown, (width, points)
            assert "EPSG:25830" in shown or width < 700
            assert composer.width() == width or points > 10
            if points == 10:
                assert findings.fold_button.width() >= findings.fold_button.sizeHint().width(), width


def test_how_much_of_the_page_is_filled_is_read_where_the_whole_line_is_cut(composer):
    meter, text = composer.page.meter, "Fitted · Fills 100\u202f%"
    composer.page.show_share(1.0, is_fitted=True)
    needed = meter.fontMetrics().horizontalAdvance(text)
    for width, shown in ((needed + 2, text), (needed - 2, "Fills 100\u202f%")):
        meter.resize(width, 20)
        assert (meter.text(), meter.shown_text) == (text, shown)


def test_showing_a_page_does_not_tell_it_back(composer):
    told = []
    page = composer.page
    for signal in (page.page_changed, page.extent_changed, page.scale_changed, page.language_changed):
        signal.connect(told.append)
    composer.page.show_page(PageSetup("A4", Orientation.PORTRAIT, "guide"), ExtentMode.CUSTOM, 33000.0, "EPSG:25830",
                            "fr")
    assert told == []
    assert composer.page.scale.currentData() == 33000.0
    assert composer.page.extent.currentData() == ExtentMode.CUSTOM
    assert composer.page.language.currentData() == "fr"


def test_credits_are_shown_as_text(composer):
    composer.show_credits(["Junta <de> Andalucía, 2014"])
    assert "Junta &lt;de&gt; Andalucía" in composer.credits.text()


def test_exports_are_asked_for_by_their_buttons(composer):
    asked = []
    composer.action_requested.connect(asked.append)
    composer.export.click()
    composer.export.menu().actions()[1].trigger()
    composer.layout_button.click()
    assert asked == [ComposerAction.PDF, ComposerAction.PNG, ComposerAction.LAYOUT]


def test_while_it_works_it_can_be_given_up(composer, qtbot):
    composer.show_busy("Reading legends…")
    assert composer.busy_bar.maximum() == 0, "it moves"
    composer.show_progress(74.0)
    assert (composer.busy_bar.value(), composer.busy_bar.maximum()) == (74, 100)
    composer.show_busy("Checking…")
    assert composer.busy_bar.maximum() == 0, "of other work nothing is known"
    assert not composer.export.isEnabled()
    assert composer.busy_row.isVisible()
    composer.show_busy("")
    assert composer.export.isEnabled()
    assert not composer.busy_row.isVisible()


def test_progress_takes_no_height_of_what_is_above_it(composer, qtbot):
    composer.resize(DOCKED)
    shown_page(composer, QSize(840, 1188))
    composer.findings.show_findings([MapFinding("x", Severity.NOTE, "Slow.", "Wait.")], "At 300 dpi: 26 images.")
    composer.show_credits(CREDITS[:1])
    parts = (composer.scroll_area, composer.picture, composer.credits_area, composer.findings.header_bar,
             composer.export, composer.save)
    qtbot.waitUntil(lambda: composer.picture.page_rectangle().height() > 100)
    qtbot.wait(100)
    places = [widget.geometry() for widget in parts]
    composer.findings.check.setFocus()
    composer.show_busy("Requesting the images: Límite del parque natural…")
    qtbot.waitUntil(lambda: composer.busy_row.isVisible() and composer.busy_label.width() > 100)
    qtbot.wait(100)
    assert [widget.geometry() for widget in parts] == places
    assert composer.export.isVisible() and composer.findings.fold_button.isVisible()
    assert composer.cancel_button.hasFocus(), "what was pressed last can be given up by the next key"
    with qtbot.waitSignal(composer.cancel_requested):
        qtbot.keyClick(composer.cancel_button, Qt.Key.Key_Space)
    composer.show_busy("")
    assert composer.findings.check.hasFocus() and composer.findings.check.isVisible()
    qtbot.wait(50)
    assert [widget.geometry() for widget in parts] == places


def test_state_and_progress_take_one_line_each_so_that_nothing_moves(composer, qtbot):
    composer.resize(320, 560)
    composer.show()
    state, busy = composer.findings.status_label, composer.busy_label
    heights = []
    for text in ("At 300 dpi: 25 images.", "Checked at 06:01. At 300 dpi: 25 images, 92 megapixels, about 20 s."):
        composer.findings.show_findings((), text)
        composer.show_busy(text)
        qtbot.waitUntil(lambda: composer.busy_row.isVisible())
        heights.append([label.heightForWidth(label.width()) if label.hasHeightForWidth() else label.sizeHint().height()
                        for label in (state, busy)])
        assert state.toolTip() == busy.toolTip() == text
    assert heights[0] == heights[1]


def test_everything_that_can_be_reached_has_a_name(composer):
    nameless = [type(widget).__name__ for widget in composer.findChildren(QWidget)
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(composer)
                and not (widget.accessibleName() or getattr(widget, "text", str)())
                and not widget.objectName().startswith("qt_")]
    assert nameless == []


@pytest.mark.parametrize(("title", "expected"), [
    ("WMS Mapa guía del Parque", "Mapa guía del Parque"), ("Servicio WMS de precipitación", "Precipitación"),
    ("WMS", "WMS"), ("WMSX no", "WMSX no"), ("Mapa WMS", "Mapa WMS")])
def test_a_map_is_not_called_wms(title, expected):
    assert without_wms_prefix(title) == expected


def turn_wheel(widget, notches):
    """The wheel over ``widget``, as Qt brings it: what nobody takes goes to the widgets around it."""
    while widget is not None:
        place = QPointF(widget.rect().center())
        event = QWheelEvent(place, QPointF(widget.mapToGlobal(place.toPoint())), QPoint(), QPoint(0, 120 * notches),
                            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
                            False)
        QApplication.sendEvent(widget, event)
        if event.isAccepted():
            return
        widget = widget.parentWidget()


def test_a_title_that_changes_elsewhere_is_shown_though_the_field_has_the_focus(composer, qtbot):
    composer.show_title("Uno")
    composer.title.setFocus()
    qtbot.waitUntil(composer.title.hasFocus)
    composer.show_title("Dos")
    assert composer.title.text() == "Dos"
    # what is being typed is not taken away
    composer.title.selectAll()
    qtbot.keyClick(composer.title, Qt.Key.Key_Delete)
    composer.show_title("Title of the base")
    assert composer.title.text() == ""
    qtbot.keyClicks(composer.title, "Tres ")
    composer.show_title("Tres")
    assert composer.title.text() == "Tres "
    # undone with the mouse, which leaves the focus in the field
    composer.show_title("Dos")
    assert composer.title.text() == "Dos"


def test_a_title_that_does_not_fit_into_its_field_is_its_tooltip(composer):
    composer.show_title("Parque Natural Despeñaperros y sus alrededores")
    assert composer.title.toolTip() == "Parque Natural Despeñaperros y sus alrededores"


def test_the_wheel_over_a_control_scrolls_the_panel_and_changes_nothing(composer, qtbot):
    composer.page.summary.setChecked(True)
    composer.page.show_page(PageSetup("A3", Orientation.PORTRAIT), "canvas", 50_000.0, "EPSG:25830")
    composer.title.setFocus()
    composer.resize(400, 360)
    qtbot.wait(200)
    changes = []
    for signal in (composer.page.page_changed, composer.page.extent_changed, composer.page.scale_changed,
                   composer.page.language_changed, composer.rows.opacity_changed):
        signal.connect(lambda *values: changes.append(values))
    areas = composer.scroll_area, composer.rows_area
    bars = [area.verticalScrollBar() for area in areas]
    controls = [*composer.findChildren(QComboBox), *composer.findChildren(QSlider)]
    assert len(controls) >= 9
    for control in controls:
        for bar in bars:
            bar.setValue(0)
        turn_wheel(control, -1)
        # the layers and the form scroll by themselves where the panel is low
        assert any(bar.value() > 0 for bar in bars), control.accessibleName()
        assert not control.hasFocus(), control.accessibleName()
    assert changes == []
    composer.page.paper.setFocus()
    turn_wheel(composer.page.paper, -1)
    assert changes, "a control that has the focus takes the wheel"


def test_a_row_stays_while_its_slider_is_dragged(composer):
    first = row(composer, "Equipamientos")
    first.slider.setValue(40)
    first.visibility_check_box.setChecked(False)
    composer.show_rows([BASE, replace(FACILITIES, opacity=0.4, visible=False), RAIN])
    assert row(composer, "Equipamientos") is first
    composer.show_rows([BASE, FACILITIES, RAIN])
    assert row(composer, "Equipamientos") is not first and row(composer, "Equipamientos").slider.value() == 90


def test_a_section_that_was_folded_stays_folded_and_says_so(composer, qtbot):
    heading = composer.credits_section.heading
    composer.show_credits(["Junta de Andalucía, 2014"])
    assert composer.credits.isVisible() and heading.text().endswith("1")
    heading.setFocus()
    qtbot.keyClick(heading, Qt.Key.Key_Space)
    assert not composer.credits.isVisible() and heading.accessibleDescription() == "Folded"
    again = ComposerPanel()
    qtbot.addWidget(again)
    again.show_rows([BASE])
    again.show_credits(["Junta de Andalucía, 2014"])
    again.show()
    assert not again.credits.isVisible() and again.rows.isVisible()
    again.open_part(PageTarget.CREDITS)
    assert again.credits.isVisible()


def test_sections_are_as_high_as_they_were_left(composer, qtbot):
    rows = [replace(FACILITIES, title=f"Servicio {number}") for number in range(8)]
    composer.resize(380, 850)
    composer.show_rows(rows)
    composer.show_credits(["Junta de Andalucía, 2014 " * 8])
    qtbot.waitUntil(lambda: composer.rows_area.height() == composer.rows.sizeHint().height())
    # as high as its text at this width
    qtbot.waitUntil(lambda: composer.credits_area.height() == composer.credits.heightForWidth(composer.credits.width()))
    qtbot.waitUntil(lambda: composer.picture.geometry().right() < composer.page.choices.x())
    whole, picture = composer.rows_area.height(), composer.picture.height()
    grip = composer.layers_section.grip
    grip.setFocus()
    for _ in range(6):
        qtbot.keyClick(grip, Qt.Key.Key_Up)
        lay_out()
    assert composer.rows_area.height() < whole and composer.rows_area.verticalScrollBar().maximum() > 0
    line = composer.page_section.grip
    qtbot.mousePress(line, Qt.MouseButton.LeftButton, pos=QPoint(5, 2))
    place = line.mapToGlobal(QPoint(5, 62))
    moved = QMouseEvent(QEvent.Type.MouseMove, QPointF(5, 62), QPointF(place), Qt.MouseButton.LeftButton,
                        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(line, moved)
    qtbot.mouseRelease(line, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: composer.picture.height() == picture + 60)
    again = ComposerPanel()
    qtbot.addWidget(again)
    again.resize(380, 850)
    again.show_rows(rows)
    again.show()
    qtbot.waitUntil(lambda: again.rows_area.height() == composer.rows_area.height())
    qtbot.waitUntil(lambda: again.picture.height() == picture + 60)
    qtbot.keyClick(again.layers_section.grip, Qt.Key.Key_Home)
    qtbot.mouseDClick(again.page_section.grip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: again.rows_area.height() == whole)
    qtbot.waitUntil(lambda: again.picture.height() == picture)
    assert not any(QgsSettings().contains(HEIGHT_PREFIX + name) for name in ("page", "layers"))


def test_sections_take_the_height_of_their_texts_at_every_width(composer, qtbot):
    composer.show_credits([f"Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, {title}"
                           for title in ("Equipamientos de uso público", "Mapa guía del Parque Natural Despeñaperros")])
    findings, credits = composer.findings, composer.credits
    header, check = findings.header_bar, findings.check
    row, picture, choices = composer.page_row, composer.picture, composer.page.choices
    findings.show_findings([MapFinding("crs", Severity.WARNING, "Not drawn at this scale. " * 4, "Add one. " * 9)])
    findings.set_expanded(True)
    for width in (700, 400, 250, 320, 250, 380, 700):
        composer.resize(width, 1100)
        lay_out()
        qtbot.waitUntil(lambda: composer.credits_area.height() == credits.heightForWidth(credits.width()))
        qtbot.waitUntil(lambda: findings.area.height() == findings.list.heightForWidth(findings.list.width()))
        qtbot.waitUntil(lambda: header.rect().contains(check.geometry()))
        qtbot.waitUntil(lambda: row.height() == max(picture.geometry().bottom(), choices.geometry().bottom()) + 1)


def test_a_theme_that_pads_scroll_areas_cuts_no_credits(composer, qtbot):
    composer.setStyleSheet("QAbstractScrollArea { border: 1px solid; padding: 6px; }")
    composer.show_credits(["Junta de Andalucía, Mapa guía del Parque Natural Despeñaperros, 2014 " * 2])
    credits, area = composer.credits, composer.credits_area
    for width in (400, 250, 380):
        composer.resize(width, 900)
        lay_out()
        qtbot.waitUntil(lambda: area.viewport().height() == credits.heightForWidth(credits.width()))
        assert area.height() >= area.viewport().height() + 12


def test_the_issues_are_as_high_as_they_were_left(composer, qtbot):
    findings = [MapFinding("credit", Severity.WARNING, f"Service {number} has no credit.", "Add one. " * 20)
                for number in range(2)]
    composer.resize(380, 900)
    composer.findings.show_findings(findings)
    grip, area = composer.findings.grip, composer.findings.area
    assert not grip.isVisible()
    composer.findings.set_expanded(True)
    assert grip.isVisible() and "Issues" in grip.accessibleName()
    qtbot.waitUntil(lambda: area.height() > 100 and area.verticalScrollBar().maximum() == 0)
    # the panel shares its height out again when the texts have their width
    qtbot.wait(200)
    whole = area.height()
    grip.setFocus()
    for _ in range(3):
        qtbot.keyClick(grip, Qt.Key.Key_Up)
        lay_out()
    qtbot.waitUntil(lambda: area.height() == whole - 48)
    assert area.verticalScrollBar().maximum() > 0
    again = ComposerPanel()
    qtbot.addWidget(again)
    again.resize(380, 900)
    again.show_rows([BASE])
    again.findings.show_findings(findings)
    again.findings.set_expanded(True)
    again.show()
    qtbot.waitUntil(lambda: again.findings.area.height() == whole - 48)
    qtbot.mouseDClick(again.findings.grip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: again.findings.area.height() == whole)
    assert not QgsSettings().contains(HEIGHT_PREFIX + "issues")
    again.findings.show_findings(())
    assert not again.findings.grip.isVisible() and not again.findings.area.isVisible()


@pytest.mark.parametrize("size", [QSize(1188, 840), QSize(840, 1188), QSize(1188, 420)])
def test_no_room_is_left_blank_below_the_picture_of_the_page(composer, qtbot, size):
    page = PageImage(QImage(size, QImage.Format.Format_RGB32), ())
    composer.picture.show_picture(PagePicture((page,), True, 50_000.0))
    row, picture, choices = composer.page_row, composer.picture, composer.page.choices
    for width in (250, 320, 380, 700):
        composer.resize(width, 900)
        for height in (None, 90, 200, 320, 600):
            picture.set_height(height)
            lay_out()
            qtbot.waitUntil(lambda: row.height() == max(picture.geometry().bottom(), choices.geometry().bottom()) + 1)
            blank = picture.height() - picture.page_rectangle().height()
            least = max(choices.sizeHint().height(), choices.minimumSizeHint().height())
            assert blank <= 10 or picture.height() <= least, (width, height, blank)
            assert row.rect().contains(picture.geometry()) and row.rect().contains(choices.geometry())
            assert not picture.geometry().intersects(choices.geometry())
            assert choices.height() >= choices.minimumSizeHint().height()
            assert choices.width() >= choices.minimumSizeHint().width()
        beside_it = picture.height() <= choices.sizeHint().height()
        assert picture.height() == 600 or picture.page_rectangle().width() > row.width() - 10 or beside_it
    assert picture.height() > 240, "it grows with its section"


def test_the_picture_of_the_page_takes_the_height_that_there_is(composer, qtbot):
    picture, choices, places = composer.picture, composer.page.choices, []
    composer.resize(380, 900)
    for size in (QSize(840, 1188), QSize(1188, 840)):
        picture.show_picture(PagePicture((PageImage(QImage(size, QImage.Format.Format_RGB32), ()),), True, 50_000.0))
        qtbot.waitUntil(lambda: picture.page_rectangle().height() > 250 and picture.width() == 368)
        places.append(choices.geometry())
    assert places[0] == places[1] and places[0].bottom() < picture.y()
    composer.resize(380, 500)
    qtbot.waitUntil(lambda: picture.geometry().right() < choices.x())


def test_save_is_always_seen(composer, qtbot, tmp_path):
    composer.resize(250, 300)
    assert composer.save.isVisible() and not composer.scroll_area.isAncestorOf(composer.save)
    with qtbot.waitSignal(composer.action_requested) as asked:
        composer.save.click()
    assert asked.args == [ComposerAction.SAVE]
    with qtbot.waitSignal(composer.action_requested) as asked:
        composer.save.menu().actions()[1].trigger()
    assert asked.args == [ComposerAction.SAVE_AS]
    composer.show_file(tmp_path / "Parque.custommap.json")
    assert composer.save.toolTip() == composer.save.accessibleName() == "Save to Parque.custommap.json"


def test_a_new_map_is_one_click_and_another_one_two(composer, qtbot, tmp_path):
    path = tmp_path / "a & b.custommap.json"
    path.write_text("{}")
    add_recent_map(path)
    with qtbot.waitSignal(composer.action_requested) as asked:
        composer.more.click()
    assert asked.args == [ComposerAction.NEW]
    menu = composer.more.menu()
    menu.aboutToShow.emit()
    entry = next(action for action in menu.actions() if "custommap" in action.text())
    assert entry.text() == "a && b.custommap.json"
    with qtbot.waitSignal(composer.recent_map_requested) as told:
        entry.trigger()
    assert told.args == [path]


def test_a_leaflets_texts_are_typed_below_the_page_and_only_for_a_leaflet(composer, qtbot):
    page, form = composer.page, composer.page.features["leaflet"]
    page.summary.setChecked(True)
    texts = LeafletTexts("Un parque.", emergency_numbers="112")
    page.show_page(PageSetup("A3", template="leaflet", leaflet=texts), ExtentMode.CANVAS, None, "EPSG:25830")
    assert form.isVisible() and not form.fields["directions"].isVisible()
    form.toggle.click()
    assert [form.fields[name].toPlainText() for name in form.fields] == ["Un parque.", "", "", "112"]
    assert all(field.accessibleName() for field in form.fields.values())
    heard = []
    page.feature_changed.connect(lambda _name, value: heard.append(value))
    qtbot.keyClicks(form.fields["directions"], "A-4, km 257")
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [replace(texts, directions="A-4, km 257")], "once, after the last key"
    form.fields["emergency_numbers"].setPlainText("1" * 1000)
    form.flush()
    assert len(heard[-1].emergency_numbers) == TEXT_LENGTHS["emergency_numbers"]
    views, gone = TableSource("https://a.example/wms?", "miradores"), TableSource("https://a.example/wms?", "antes")
    form.set_table_choices([TableChoice(views, "Miradores"), TableChoice(TableSource(own_layer="x"), "Sendas")])
    rows = form.table
    assert [rows.item(number).text() for number in range(rows.count())] == ["Miradores", "Sendas"]
    assert form.table.accessibleName() and rows.item(0).checkState() == Qt.CheckState.Unchecked
    rows.item(0).setCheckState(Qt.CheckState.Checked)
    form.flush()
    assert heard.pop().table == (views,)
    page.show_page(PageSetup("A3", template="leaflet", leaflet=replace(texts, table=(gone,))), ExtentMode.CANVAS, None,
                   "EPSG:25830")
    assert "not on the map" in rows.item(2).text() and rows.item(2).checkState() == Qt.CheckState.Checked
    rows.item(2).setCheckState(Qt.CheckState.Unchecked)
    form.flush()
    assert heard.pop().table == () and rows.count() == 3
    page.show_page(PageSetup(), ExtentMode.CANVAS, None, "EPSG:25830")
    assert not form.isVisible() and form.fields["directions"].toPlainText() == "" and len(heard) == 2


CREDITS = [f"Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, {title}" for title in (
    "Precipitación total diaria. Junio de 2016", "Equipamientos de uso público de Andalucía, 2019", "Mapa guía. 2014")]
#: what QGIS leaves to the panel on a screen of 1366 by 768
DOCKED = QSize(414, 588)


def shown_page(composer, size):
    composer.picture.show_picture(PagePicture((PageImage(QImage(size, QImage.Format.Format_RGB32), ()),), True, 5e4))


def settled(qtbot, read):
    """What ``read`` returns once it has been the same for three times."""
    values = []

    def is_settled():
        qtbot.wait(100)
        values.append(read())
        return len(values) > 2 and len(set(values[-3:])) == 1

    qtbot.waitUntil(is_settled)
    return values[-1]


def test_problems_and_notes_are_apart_and_opening_them_squeezes_no_credits(composer, qtbot):
    composer.resize(DOCKED)
    composer.show_credits(CREDITS)
    notes = [MapFinding("scale", Severity.NOTE, f"Not drawn: layer {number}.", "Leave it out. " * 6,
                        remedy=MapRemedy(RemedyKind.HIDE, "Leave it out"),
                        other_remedies=(MapRemedy(RemedyKind.SCALE, "Print at 1:25\u202f000", 25_000.0),))
             for number in range(5)]
    composer.findings.show_findings(notes, "At 300 dpi: 26 images.")
    assert composer.findings.fold_button.text() == "5 notes", "a first map has no worse issues"
    before = settled(qtbot, lambda: (composer.credits_area.height(), composer.rows_area.height()))
    composer.findings.show_findings([MapFinding("x", Severity.WARNING, "Wrong.", ""), *notes], "At 300 dpi: 26 images.")
    assert composer.findings.fold_button.text() == "1 warning · 5 notes"
    composer.findings.set_expanded(True)
    qtbot.waitUntil(lambda: composer.findings.area.height() >= 100)
    qtbot.waitUntil(lambda: (composer.credits_area.height(), composer.rows_area.height()) == before)
    buttons = composer.findings.rows[1].buttons
    assert [button.text() for button in buttons] == ["Leave it out", "Print at 1:25\u202f000"]
    assert all(button.width() >= button.sizeHint().width() for button in buttons), "nothing is cut"
    # the same words for all: issues are errors, warnings and notes
    assert [one.text() for one in composer.findings._headings] == ["Errors and warnings", "Notes"]
    assert composer.findings.fold_button.accessibleName() == "Issues: 1 warning, 5 notes"
    # where they have no room in the narrowest dock, their number
    many = [MapFinding(f"{severity}{number}", severity, "Wrong.", "") for severity in Severity for number in range(99)]
    scale_font(composer.findings.fold_button, 2.0)
    composer.findings.show_findings(many)
    assert composer.findings.fold_button.text() == "297 issues"
    composer.resize(1200, composer.height())
    qtbot.waitUntil(lambda: composer.findings.fold_button.text() == "99 errors · 99 warnings · 99 notes", timeout=9000)
    composer.resize(DOCKED)
    button = composer.findings.fold_button
    qtbot.waitUntil(lambda: button.text() == "297 issues" and button.width() >= button.sizeHint().width(), timeout=9000)


def test_a_remedy_is_read_whole_in_large_type_where_a_scale_that_is_cut_is_another_one(composer, qtbot):
    font = composer.font()
    font.setPointSize(15)
    composer.setFont(font)
    composer.resize(DOCKED)
    remedies = [MapRemedy(RemedyKind.HIDE, "Dejarlas fuera"),
                MapRemedy(RemedyKind.SCALE, "Imprimir a 1:100\u202f000", 1e5)]
    composer.findings.show_findings([MapFinding("scale", Severity.NOTE, "Not drawn.", "", remedy=remedies[0],
                                                other_remedies=tuple(remedies[1:]))], "")
    composer.findings.set_expanded(True)
    row, = composer.findings.rows
    qtbot.waitUntil(lambda: row.isVisible() and row.height() >= row.heightForWidth(row.width()))
    assert [button.shown_text for button in row.buttons] == [remedy.label for remedy in remedies]
    assert all(row.rect().contains(button.geometry()) for button in row.buttons)


def test_the_picture_takes_the_height_there_is_and_the_choices_stay_when_the_paper_turns(composer, qtbot):
    composer.resize(DOCKED)
    composer.show_rows([BASE])
    composer.show_credits(CREDITS[:1])
    page, places = composer.page, set()
    for size in (QSize(840, 1188), QSize(1188, 840)):
        shown_page(composer, size)
        qtbot.waitUntil(lambda: composer.picture.page_rectangle().height() > 100)
        qtbot.wait(50)
        qtbot.waitUntil(lambda: composer.scroll_area.verticalScrollBar().maximum() == 0)
        places.add(tuple(widget.mapTo(composer, QPoint(0, 0)).x() for widget in (
            page.paper, page.orientation, page.scale, page.fit, page.frame)))
        blank = composer.scroll_area.viewport().height() - composer.findings.geometry().bottom()
        if size.height() > size.width():
            assert composer.picture.height() > 200 and blank < 120
    assert len(places) == 1
    for number in range(page.orientation.count()):
        needed = page.orientation.fontMetrics().horizontalAdvance(page.orientation.itemText(number)) + 30
        assert page.orientation.width() >= needed, page.orientation.itemText(number)


def test_layers_credits_and_export_are_in_sight_with_the_form_of_the_page_open(composer, qtbot):
    composer.resize(DOCKED + QSize(0, 330))
    composer.show_credits(CREDITS)
    composer.findings.show_findings([], "At 300 dpi: 26 images.")
    shown_page(composer, QSize(840, 1188))
    composer.page.summary.setChecked(True)
    qtbot.waitUntil(lambda: composer.page.form.height() >= composer.page.form.sizeHint().height())
    qtbot.wait(250)
    view = composer.scroll_area.viewport()
    for widget in (composer.page.form, composer.rows_area, composer.credits_area):
        place = QRect(widget.mapTo(view, QPoint(0, 0)), widget.size())
        assert view.rect().contains(place) and place.height() >= composer.credits.fontMetrics().lineSpacing(), widget
    assert composer.export.isVisible() and composer.scroll_area.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("size", [QSize(840, 1188), QSize(1188, 840)])
def test_the_open_form_stands_beside_a_picture_of_use_with_layers_and_credits_in_sight(composer, qtbot, size):
    """Below the picture, the form left it 70 by 98 pixels, or pushed layers and credits out of the panel."""
    page, picture, view = composer.page, composer.picture, composer.scroll_area.viewport()
    composer.setStyleSheet("* { font-size: 9pt; }")
    composer.resize(DOCKED)
    composer.show_rows([BASE, FACILITIES])
    composer.show_credits(CREDITS[1:])
    composer.suggestions.show_suggestions([Suggestion(SuggestionCandidate("a", "Lluvia", "https://a.test"), "near")])
    composer.findings.show_findings([], "At 300 dpi: 26 images.")
    shown_page(composer, size)
    closed = settled(qtbot, lambda: (picture.page_rectangle().width(), picture.page_rectangle().height()))
    page.summary.setChecked(True)
    qtbot.waitUntil(lambda: page.form.isVisible() and composer.scroll_area.verticalScrollBar().maximum() == 0)
    shown = settled(qtbot, lambda: (picture.page_rectangle().width(), picture.page_rectangle().height()))
    assert max(shown) >= (180 if size.height() > size.width() else 150), (closed, shown)
    field = page.theme.height()
    for widget in (page.form_area, composer.rows_area, composer.credits_area):
        place = QRect(widget.mapTo(view, QPoint(0, 0)), widget.size())
        assert view.rect().contains(place) and not place.intersects(
            QRect(picture.mapTo(view, QPoint(0, 0)), picture.size()))
    assert page.form_area.height() >= 3 * field, "a form of two fields is no form"
    assert not any(area.verticalScrollBar().isVisible() for area in (composer.rows_area, composer.credits_area))
    # each field can be read, and is scrolled to by the keyboard
    page.summary.setFocus()
    reached = []
    for _ in range(30):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
        if reached[-1] is page.language:
            assert page.language.visibleRegion().boundingRect().height() == page.language.height()
    ordered = [picture, page.paper, page.orientation, page.scale, page.fit, page.frame, page.template, page.gallery,
               page.theme, page.extent, page.rotation, page.language]
    assert reached[:len(ordered)] == ordered and composer.add in reached
    for box in (page.theme, page.language):
        assert box.width() >= box.fontMetrics().horizontalAdvance(box.currentText()) + 25, box.currentText()


def test_a_page_across_is_as_large_as_the_panel_lets_it_be(composer, qtbot):
    """Beside the choices it had 180 by 125 pixels, with 270 pixels of the panel empty below."""
    page, picture = composer.page, composer.picture
    composer.setStyleSheet("* { font-size: 10pt; }")
    composer.resize(400, 760)
    composer.show_rows([BASE, FACILITIES])
    composer.show_credits(CREDITS[1:])
    places = []
    for size in (QSize(1188, 840), QSize(840, 1188)):
        shown_page(composer, size)
        settled(qtbot, lambda: (picture.height(), picture.width()))
        places.append(page.choices.geometry())
        assert picture.page_rectangle().width() > (300 if size.width() > size.height() else 160)
    assert places[0] == places[1], "they stay when the paper turns"


def test_lists_of_the_page_are_read_whole_in_a_theme_that_pads_them(composer, qtbot):
    composer.setStyleSheet("QComboBox { padding: 3px 22px 3px 12px; border: 2px solid; }")
    for width in (386, 414):
        composer.resize(width, 588)
        settled(qtbot, composer.page.orientation.width)
        for box in (composer.page.orientation, composer.page.scale):
            option = QStyleOptionComboBox()
            option.initFrom(box)
            place = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option,
                                               QStyle.SubControl.SC_ComboBoxEditField, box)
            for number in range(box.count() if box is composer.page.orientation else 1):
                assert box.fontMetrics().horizontalAdvance(box.itemText(number)) <= place.width(), box.itemText(number)


@pytest.mark.parametrize("points", [9, 15])
def test_the_tabs_of_the_docks_are_read_whole(qgis_app, qtbot, points):
    from plugin.ui.dock.dock_widget import ComposeDock

    window, records = QMainWindow(), QDockWidget("Cartoguide")
    qtbot.addWidget(window)
    window.setStyleSheet(f'* {{ font: {points}pt "Sans Serif" }}')
    composer = ComposerPanel()
    dock = ComposeDock(composer)
    records.setWidget(QWidget())
    window.setCentralWidget(QWidget())
    for one in (records, dock):
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, one)
    window.tabifyDockWidget(records, dock)
    window.resize(900, 500)
    with qtbot.waitExposed(window):
        window.show()
    window.resizeDocks([records], [400], Qt.Orientation.Horizontal)
    composer.show_rows([BASE, FACILITIES])
    qtbot.waitUntil(lambda: dock.width() <= 400, timeout=9000)

    def cut():
        bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
        return [bar.tabText(number) for bar in bars for number in range(bar.count())
                if bar.fontMetrics().horizontalAdvance(bar.tabText(number)) > bar.tabRect(number).width() - 8]

    qtbot.waitUntil(lambda: not cut(), timeout=9000)
    assert dock.windowTitle() == "Custom map (2)" or points > 9
    window.resizeDocks([records], [260], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: dock.width() < 330 and not cut(), timeout=9000)


@pytest.mark.parametrize(("width", "height", "points"), [(414, 900, 9), (250, 900, 9), (250, 588, 9), (700, 588, 9),
                                                         (414, 900, 15), (250, 588, 15)])
def test_the_open_form_lies_over_nothing_at_any_size(composer, qtbot, width, height, points):
    page, picture, row = composer.page, composer.picture, composer.page_row
    composer.setStyleSheet(f"* {{ font-size: {points}pt; }}")
    composer.resize(width, height)
    composer.show_rows([BASE, FACILITIES])
    shown_page(composer, QSize(840, 1188))
    page.summary.setChecked(True)
    qtbot.waitUntil(page.form.isVisible)
    settled(qtbot, lambda: (row.height(), page.form_area.geometry().bottom(), picture.height()))
    places = [widget.geometry() for widget in (picture, page.choices, page.form_area)]
    assert all(row.rect().contains(place) for place in places), places
    assert not any(one.intersects(other) for one, other in itertools.combinations(places, 2)), places
    assert row.height() == max(place.bottom() for place in places) + 1, "no room is left blank"
    assert page.form_area.height() >= min(3 * page.theme.height(), page.form.height())
    assert picture.page_rectangle().width() >= 70
    if height == 900 and points == 9:
        assert page.form_area.height() >= page.form.height(), "it does not scroll where there is room"


@pytest.mark.parametrize("points", [9, 12, 15])
def test_where_the_panel_scrolls_the_form_is_whole_and_the_credits_are_said_below(composer, qtbot, points):
    """A form of two fields that scrolls by itself in a panel is no form, and the credits below it were not seen."""
    composer.setStyleSheet(f"* {{ font-size: {points}pt; }}")
    composer.resize(386, 440)
    composer.show_rows([BASE, FACILITIES])
    composer.show_credits(CREDITS[1:])
    shown_page(composer, QSize(840, 1188))
    said, form, outer = composer.credits_line, composer.page.form, composer.scroll_area.verticalScrollBar()
    composer.page.summary.setChecked(True)
    qtbot.waitUntil(lambda: form.height() >= form.sizeHint().height() and outer.isVisible())
    qtbot.wait(250)
    outer.setValue(0)
    assert not any(area.verticalScrollBar().isVisible() for area in (composer.rows_area, composer.credits_area))
    qtbot.waitUntil(said.isVisible)
    assert said.text() == "2 credits, all will be printed"
    assert composer.rect().contains(QRect(said.mapTo(composer, QPoint(0, 0)), said.size()))
    composer.findings.show_findings([MapFinding("no-credit", Severity.ERROR, "Its terms ask for a credit.", "Ask.")])
    assert said.text() == "2 credits, to be completed"
    said.click()
    qtbot.waitUntil(lambda: not said.isVisible())
    view = composer.scroll_area.viewport()
    assert view.rect().contains(composer.credits_section.heading.mapTo(view, QPoint(5, 5)))
    composer.page.summary.setChecked(False)
    composer.setStyleSheet("")
    composer.resize(414, 700)
    qtbot.waitUntil(lambda: outer.maximum() == 0)
    assert not said.isVisible(), "the credits themselves are in sight"


@pytest.mark.parametrize("points", [9, 15])
def test_the_title_of_a_row_has_the_width_that_its_menu_leaves(composer, qtbot, points):
    """Beside slider and percentage it was "Equipamient…", and every service of a publisher began alike."""
    composer.setStyleSheet(f"* {{ font-size: {points}pt; }}")
    composer.resize(386, 540)
    composer.show_rows([BASE, replace(FACILITIES, title="Equipamientos públicos")])
    one = composer.rows.rows[0]
    settled(qtbot, lambda: (one.width(), one.height()))
    title = next(label for label in one.findChildren(QLabel) if label.text() == one.state.title)
    assert title.fontMetrics().horizontalAdvance(title.text()) <= title.width()
    assert one.slider.isVisible() and one.percent.isVisible()
    assert one.height() <= 2 * title.height() + 10, "two lines, as high as before"


def test_an_area_wishes_the_height_that_it_takes_inside_the_frame_of_a_theme(qtbot):
    from plugin.ui.composer.fold_section import LimitedArea
    from plugin.ui.widgets.form_widgets import wrapped_label

    area = LimitedArea(wrapped_label("words of a credit " * 20))
    qtbot.addWidget(area)
    area.setStyleSheet("QAbstractScrollArea { border: 1px solid red; padding: 4px; }")
    area.resize(300, 200)
    area.show()
    qtbot.waitUntil(lambda: area.frame_height > 0)
    assert all(area.wished_height(width) == area.heightForWidth(width) - area.frame_height for width in range(200, 400))


def open_legend(composer, title, classes=11):
    """Open the legend of a row, with as many classes as a service of rain has."""
    image = QImage(24, 12, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.blue)
    swatches = tuple(Swatch(image, 6.0, 3.0, f"{number} – {number + 1} mm", is_area=True) for number in range(classes))
    one = row(composer, title)
    one.legend_button.setChecked(True)
    composer.rows.show_legend(one.number, RowLegend(((title, swatches),)))
    return one


def test_a_legend_that_is_unfolded_squeezes_no_credits_and_scrolls_with_the_panel(composer, qtbot):
    composer.resize(DOCKED + QSize(0, 60))
    composer.show_rows([BASE, FACILITIES])
    composer.show_credits(CREDITS[:2])
    notes = [MapFinding("scale", Severity.NOTE, f"Not drawn: layer {number}.", "Leave it out. " * 6,
                        remedy=MapRemedy(RemedyKind.HIDE, "Leave it out")) for number in range(5)]
    composer.findings.show_findings(notes, "At 300 dpi: 26 images.")
    shown_page(composer, QSize(840, 1188))
    area, credits, outer = composer.credits_area, composer.credits, composer.scroll_area.verticalScrollBar()
    inner = [part.verticalScrollBar() for part in (area, composer.rows_area, composer.findings.area)]
    qtbot.waitUntil(lambda: area.height() == credits.heightForWidth(credits.width()) and outer.maximum() == 0)
    one = open_legend(composer, "Equipamientos")
    for notes_too in (False, True):
        composer.findings.set_expanded(notes_too)
        qtbot.waitUntil(outer.isVisible)
        # "all credits are seen", the rows with the legend as well, and there is one scroll bar, that of the panel
        qtbot.waitUntil(lambda: area.height() >= credits.heightForWidth(credits.width()))
        qtbot.waitUntil(lambda: one.legend.height() >= one.legend.sizeHint().height())
        qtbot.waitUntil(lambda: not any(bar.isVisible() or bar.maximum() for bar in inner))
    composer.findings.set_expanded(False)
    one.legend_button.setChecked(False)
    qtbot.waitUntil(lambda: outer.maximum() == 0 and not outer.isVisible())


def test_no_scroll_bar_stays_that_the_picture_can_do_without(composer, qtbot):
    """Texts are higher in the width that a scroll bar leaves, and so they kept a bar that was needed for a moment."""
    composer.show_rows([BASE])
    composer.show_credits(["Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Mapa guía del Parque "
                           "Natural Despeñaperros. 2014"])
    composer.findings.show_findings((), "At 300 dpi: 11 images, 56 megapixels.")
    shown_page(composer, QSize(840, 1188))
    outer, state = composer.scroll_area.verticalScrollBar(), composer.findings.status_label
    for width in range(340, 440, 4):
        composer.resize(width, 900)
        composer.picture.set_height(900)
        qtbot.waitUntil(outer.isVisible)
        composer.picture.set_height(None)
        qtbot.waitUntil(lambda: composer.picture.height() < 600 and outer.maximum() == 0)
        qtbot.waitUntil(lambda: not outer.isVisible() and composer.picture.page_rectangle().height() > 200)
        assert state.visibleRegion().boundingRect().height() == state.height(), "the last line is in sight"


def test_where_the_panel_scrolls_at_any_rate_the_usual_credits_and_rows_are_whole(composer, qtbot):
    """Large type, a low screen: a line of the credit beside a panel that scrolls anyway is no credit that is seen.

    The services that may be added could not be reached at all there.
    """
    composer.setStyleSheet("* { font-size: 15pt; }")
    composer.resize(380, 420)
    composer.show_rows([BASE, FACILITIES])
    composer.show_credits(CREDITS[:1])
    composer.suggestions.show_suggestions([Suggestion(SuggestionCandidate("rain", "rain", "https://a.test/r"), "near")])
    shown_page(composer, QSize(840, 1188))
    qtbot.waitUntil(composer.scroll_area.verticalScrollBar().isVisible)
    for area, contents in ((composer.credits_area, composer.credits), (composer.rows_area, composer.rows)):
        needed = contents.heightForWidth(contents.width()) if contents.hasHeightForWidth() else (
            contents.sizeHint().height())
        qtbot.waitUntil(lambda area=area, needed=needed: area.height() >= needed)
        assert not area.verticalScrollBar().isVisible()
    qtbot.waitUntil(composer.suggestions.isVisible)
    page, suggestion = composer.scroll_area.widget(), composer.suggestions.buttons[0]
    tops = [widget.mapTo(page, QPoint(0, 0)).y() for widget in (composer.credits_area, composer.suggestions)]
    assert tops[1] >= tops[0] + composer.credits_area.height(), "the credits come before the services to be added"
    credits_grip = composer.credits_section.grip
    assert credits_grip.nextInFocusChain() is suggestion, "Tab leads through them as they are seen"
    composer.resize(380, 1200)
    qtbot.waitUntil(lambda: suggestion.isVisible() and composer.layers_section.isAncestorOf(suggestion))
    assert credits_grip.nextInFocusChain() is not suggestion


def test_the_window_of_the_page_takes_most_of_the_screen(composer):
    """What is on the page is read there, and a small window has to be enlarged each time."""
    shown = PageWindow(composer)
    page = PageImage(QImage(QSize(840, 1188), QImage.Format.Format_RGB32), ())
    shown.picture.show_picture(PagePicture((page,), True, 5e4))
    shown.fill_screen()
    room = composer.screen().availableSize()
    assert 0.85 * room.height() < shown.height() <= 0.95 * room.height()
    assert shown.width() <= room.width() and shown.picture.width_for(shown.height()) <= shown.width() + 30
    shown.deleteLater()


def test_the_date_of_a_row_is_written_as_in_the_language(composer):
    item = MapItem(MapEntry("https://a.test/wms", "Rain", layers=("a", "b"), moment="2016-06-01"), MapRole.OVERLAY)
    set_date_formatter(lambda day, _time: f"{day.day}/{day.month}/{day.year}")
    try:
        assert item.row_state().detail == "1/6/2016 · 2 layers"
    finally:
        set_date_formatter(None)


def test_a_pale_area_in_the_legend_of_a_row_has_a_line_around_it(composer, qtbot):
    """The first class of rain is nearly white, and could not be seen on the panel."""
    pale = QImage(40, 20, QImage.Format.Format_RGB32)
    pale.fill(Qt.GlobalColor.white)
    one = row(composer, "Equipamientos")
    one.legend_button.setChecked(True)
    for is_area in (True, False):
        swatches = tuple(Swatch(pale, 6.0, 3.0, f"{number} mm", is_area=is_area) for number in range(2))
        composer.rows.show_legend(one.number, RowLegend((("Rain", swatches),)))
        picture = next(label.pixmap() for label in one.legend.findChildren(QLabel)
                       if label.pixmap() is not None and not label.pixmap().isNull() and label.parent() is not None)
        image = picture.toImage()
        edge, middle = image.pixelColor(0, 0), image.pixelColor(image.width() // 2, image.height() // 2)
        assert middle.lightness() == 255 and (edge.lightness() < 200) is is_area
        for label in one.legend.findChildren(QWidget):
            label.setParent(None)


@pytest.mark.parametrize("points", [12, 15])
def test_a_single_credit_is_never_cut(composer, qtbot, points):
    """Suggestions, rows and a panel that scrolls give way to it, at each height and with many rows."""
    composer.setStyleSheet(f"* {{ font-size: {points}pt; }}")
    composer.show_rows([replace(FACILITIES, title=f"Servicio {number}") for number in range(4)])
    composer.show_credits(CREDITS[1:2])
    composer.suggestions.show_suggestions([Suggestion(SuggestionCandidate("rain", "rain", "https://a.test/r"), "near")])
    shown_page(composer, QSize(840, 1188))
    area, credits = composer.credits_area, composer.credits
    for height in range(760, 400, -60):
        composer.resize(400, height)
        qtbot.wait(60)
        qtbot.waitUntil(lambda: area.height() >= credits.heightForWidth(credits.width()) and area.height() > 30)
        assert not area.verticalScrollBar().isVisible()


def shown_entry(box, index):
    """The text that the open list of ``box`` paints for an entry."""
    option = QStyleOptionViewItem()
    box.itemDelegate().initStyleOption(option, box.model().index(index, 0))
    return option.text


def test_the_open_list_of_scales_says_how_much_of_the_page_each_one_fills(composer):
    scale = composer.page.scale
    composer.page.share_at = {50000.0: 1.0, 100000.0: 0.4177}.get
    index = {scale.itemData(number): number for number in range(scale.count())}
    assert shown_entry(scale, index[50000.0]) == "1:50\u202f000 · fills up to 100\u202f%"
    assert shown_entry(scale, index[100000.0]).endswith("fills up to 41\u202f%")
    assert shown_entry(scale, index[1000000.0]) == scale.itemText(index[1000000.0])
    # nothing is cut in the list, however narrow its box is
    scale.showPopup()
    assert scale.view().viewport().width() >= scale.view().sizeHintForColumn(0)
    scale.hidePopup()


def test_another_scale_than_the_listed_ones_is_typed_where_scales_are_chosen(composer):
    scale, asked, chosen = composer.page.scale, [], []
    composer.page.show_page(PageSetup(), ExtentMode.FITTED, 61234.0, "EPSG:25830")
    composer.page.extent_changed.connect(asked.append)
    composer.page.scale_changed.connect(chosen.append)
    assert scale.itemText(scale.count() - 1) == "Other scale…"
    scale.setCurrentIndex(scale.count() - 1)
    assert asked == [ExtentMode.CENTRE] and not chosen
    assert scale.currentData() == 61234.0


def test_the_result_of_a_check_stands_above_its_button_and_is_not_cut_for_the_figures(composer, qtbot):
    panel, result = composer.findings, "All images arrived at 06:51."
    panel.show_findings([MapFinding("page", Severity.NOTE, "Look at it.", "")],
                        f"{result} At 300 dpi: 25 images, 128 megapixels, about 12 seconds and 34 megabytes.")
    lay_out()
    assert panel.status_label.shown_text == result
    bottom = panel.status_label.mapTo(composer, QPoint(0, panel.status_label.height())).y()
    assert 0 <= panel.check.mapTo(composer, QPoint(0, 0)).y() - bottom <= 8


def test_a_note_begins_beside_its_icon_where_its_row_is_higher_than_its_text(composer):
    composer.findings.show_findings([MapFinding("page", Severity.NOTE, "Look at the credits of the page.", "")])
    composer.findings.set_expanded(True)
    shown = composer.findings.rows[0]
    shown.setMinimumHeight(120)
    lay_out()
    image = shown.grab().toImage()
    left = shown.message_label.x()
    backdrop = image.pixelColor(image.width() - 2, image.height() - 2)
    rows = [y for y in range(image.height()) if any(image.pixelColor(x, y) != backdrop
                                                    for x in range(left, image.width() - 3))]
    assert rows[0] < 16


def test_the_role_of_a_service_is_left_out_where_it_would_be_cut(composer):
    def shown():
        image = status.grab().toImage()
        return [[image.pixel(x, y) for x in range(image.width())] for y in range(image.height())]

    composer.show_rows([BASE, replace(FACILITIES, detail="14 layers, of which 3 are hidden")])
    status = row(composer, "Equipamientos")._status
    status.setFixedWidth(status.fontMetrics().horizontalAdvance("14 layers, of which 3 are hidden · over"))
    lay_out()
    assert status.text().endswith("overlay")
    before = shown()
    status.show_text("14 layers, of which 3 are hidden")
    lay_out()
    assert before == shown()
