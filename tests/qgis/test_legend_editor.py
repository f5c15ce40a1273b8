"""The editor of the page's legend: opened from the picture and from a row, used by mouse and by keyboard, undone."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import QPoint, QPointF, Qt
from qgis.PyQt.QtGui import QFont
from qgis.PyQt.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QMenu, QToolButton

from plugin.app.maps.map_state import LayerChoice
from plugin.core.custommap.document import read_document
from plugin.core.custommap.model import BlendMode, MapRole, PageSetup
from plugin.gis.layouts import layout_items
from plugin.gis.runtime import settings
from tests.qgis.keyboard import missed, out_of_order
from tests.qgis.print_maps import pdf_text
from tests.qgis.test_page_preview import composer, part, whole  # noqa: F401

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
GUIDE = "Mapa guía del Parque Natural Despeñaperros. 2014"


@pytest.fixture
def editor(composer, qtbot, wait_until):  # noqa: F811
    """The editor of a map with a base of two layers and an overlay of two, opened by a click on the picture."""
    other = next(record for row in range(composer.model.rowCount())
                 for record in [composer.session.record(composer.model.hit(row).identifier)]
                 if "Equipamientos" in record.title)
    endpoint = composer.session.endpoint(other)
    composer.session.load_service(endpoint)
    wait_until(lambda: composer.session.services.get(endpoint) is not None, 30)
    composer.map.add(other, endpoint, LayerChoice.of_names(("miradores", "centros_visitantes"), MapRole.OVERLAY))
    wait_until(lambda: len(composer.map.items) == 2 and not composer.map.adding, 30)
    composer.map.commit(language="es", page=PageSetup())
    picture = whole(composer, wait_until)
    view = composer.composer.picture
    page, bounds = view.page_rectangle(), part(picture, layout_items.LEGEND).bounds
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPointF(
        page.x() + bounds.center().x() * page.width(), page.y() + bounds.center().y() * page.height()).toPoint())
    shown = composer.composer_controller.layers.legend_editor
    assert shown is not None and not shown.isModal()
    wait_until(shown.isVisible)
    yield shown
    if composer.composer_controller.layers.legend_editor is not None:
        shown.close()


def texts(editor):
    """The rows with their depth."""
    return [(row.text(0), 0 if row.parent() is None else 1) for row in editor.tree.rows()]


def row_of(editor, text):
    return next(row for row in editor.tree.rows() if row.text(0) == text)


def choose(editor, text):
    editor.tree.setCurrentItem(row_of(editor, text))
    editor.tree.setFocus()


def typed(editor, qtbot, text):
    """Type over the title of the current row and press Enter."""
    # that of the title before is deleted a moment later
    field = [field for field in editor.tree.findChildren(QLineEdit) if not field.isHidden()][-1]
    field.selectAll()
    field.del_()
    # QTest's keys are ASCII only
    field.insert(text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    # Qt takes over what was typed a moment later
    qtbot.waitUntil(lambda: not editor.tree.is_editing)


DEFAULT = [("Equipamientos de uso público de Andalucía", 0), ("Centros de visitantes", 1), ("Miradores", 1),
           (GUIDE, 0), ("Carreteras", 1), ("Límite del parque natural", 1)]


def ticks_hide_layers(composer, editor, qtbot, wait_until):  # noqa: F811
    assert texts(editor) == DEFAULT and all(row.checkState(0) == CHECKED for row in editor.tree.rows())
    assert "pages in Spanish" in editor.hint.text() and not editor.reset.isEnabled()
    choose(editor, "Miradores")
    qtbot.keyClick(editor.tree, Qt.Key.Key_Space)
    assert composer.map.document().overlays[0].legend.layers["miradores"].hidden
    wait_until(lambda: row_of(editor, DEFAULT[0][0]).checkState(0) == Qt.CheckState.PartiallyChecked)
    assert row_of(editor, "Miradores").checkState(0) == UNCHECKED and editor.tree.currentItem().text(0) == "Miradores"
    assert row_of(editor, "Miradores").data(0, Qt.ItemDataRole.AccessibleTextRole) == \
        "Miradores, Layer, not in the legend"
    # the tick of a service, with the mouse
    row = row_of(editor, GUIDE)
    box = editor.tree.visualItemRect(row)
    qtbot.mouseClick(editor.tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 8, box.center().y()))
    assert composer.map.document().base.legend.hidden
    wait_until(lambda: row_of(editor, "Carreteras").checkState(0) == UNCHECKED)
    credits = composer.composer.credits.text()
    assert credits.count("Consejería") == 2, "what is not in the legend is credited"
    maps = composer.composer_controller.map
    assert maps.custom_map.history.undo_label == "legend"
    maps.undo()
    maps.undo()
    wait_until(lambda: all(row.checkState(0) == CHECKED for row in editor.tree.rows()))
    maps.redo()
    wait_until(lambda: row_of(editor, "Miradores").checkState(0) == UNCHECKED)
    maps.undo()
    wait_until(lambda: row_of(editor, "Miradores").checkState(0) == CHECKED)


def titles_are_edited_in_place(composer, editor, qtbot, wait_until):  # noqa: F811
    choose(editor, "Carreteras")
    qtbot.keyClick(editor.tree, Qt.Key.Key_F2)
    typed(editor, qtbot, "Vías <b>asfaltadas</b>")
    assert composer.map.document().base.legend.layers["carreteras"].titles == {"es": "Vías <b>asfaltadas</b>"}
    wait_until(lambda: "originally" in row_of(editor, "Vías <b>asfaltadas</b>").toolTip(0))
    row = row_of(editor, GUIDE)
    position = editor.tree.visualItemRect(row).center()
    qtbot.mouseClick(editor.tree.viewport(), Qt.MouseButton.LeftButton, pos=position)
    qtbot.mouseDClick(editor.tree.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert editor.tree.is_editing
    composer.map.set_title("Changed meanwhile")
    composer.composer_controller.refresh_view()
    assert editor.tree.is_editing, "a title that is being typed is left alone"
    typed(editor, qtbot, "Terreno")
    wait_until(lambda: ("Terreno", 0) in texts(editor))
    composer.composer.page.language_changed.emit("en")
    wait_until(lambda: texts(editor) == DEFAULT)
    choose(editor, "Carreteras")
    qtbot.mouseClick(editor.rename, Qt.MouseButton.LeftButton)
    typed(editor, qtbot, "Roads")
    wait_until(lambda: ("Roads", 1) in texts(editor))
    assert composer.map.document().base.legend.layers["carreteras"].titles == {
        "es": "Vías <b>asfaltadas</b>", "en": "Roads"}
    qtbot.keyClick(editor.tree, Qt.Key.Key_F2)
    typed(editor, qtbot, "")
    wait_until(lambda: texts(editor) == DEFAULT)
    composer.composer_controller.map.undo()
    wait_until(lambda: ("Roads", 1) in texts(editor))


def rows_are_moved(composer, editor, qtbot, wait_until):  # noqa: F811
    choose(editor, "Límite del parque natural")
    assert editor.up.isEnabled() and not editor.down.isEnabled()
    qtbot.keyClick(editor.tree, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    wait_until(lambda: texts(editor)[4:] == [DEFAULT[5], DEFAULT[4]])
    assert editor.tree.currentItem().text(0) == "Límite del parque natural" and not editor.up.isEnabled()
    choose(editor, GUIDE)
    qtbot.mouseClick(editor.up, Qt.MouseButton.LeftButton)
    assert texts(editor)[0] == (GUIDE, 0) and editor.tree.currentItem().text(0) == GUIDE
    qtbot.keyClick(editor.tree, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    wait_until(lambda: texts(editor)[3] == (GUIDE, 0))
    assert [item.entry.title for item in composer.map.items][0].startswith("Mapa guía"), "the map stays as it is"
    assert composer.composer_controller.map.custom_map.history.undo_label == "legend"
    qtbot.mouseClick(editor.reset, Qt.MouseButton.LeftButton)
    wait_until(lambda: texts(editor) == DEFAULT and not editor.reset.isEnabled())
    composer.composer_controller.map.undo()
    wait_until(lambda: editor.reset.isEnabled())


def layers_are_put_under_a_heading(composer, editor, qtbot, wait_until):  # noqa: F811
    choose(editor, "Miradores")
    editor.heading.setFocus()
    editor.heading.insert("Qué ver")
    qtbot.keyClick(editor.heading, Qt.Key.Key_Return)
    wait_until(lambda: texts(editor)[:4] == [("Equipamientos de uso público de Andalucía", 0),
                                             ("Centros de visitantes", 1), ("Qué ver", 0), ("Miradores", 1)])
    assert editor.isVisible(), "Enter does not close the dialog"
    choose(editor, "Límite del parque natural")
    assert editor.heading.text() == "" and not editor.apply_heading.isEnabled()
    assert editor.heading.accessibleName() == "Heading of “Límite del parque natural”"
    editor.heading.setText("qué ver")
    qtbot.mouseClick(editor.apply_heading, Qt.MouseButton.LeftButton)
    wait_until(lambda: texts(editor)[2:5] == [("Qué ver", 0), ("Miradores", 1), ("Límite del parque natural", 1)])
    choose(editor, "Qué ver")
    assert editor.heading.text() == "Qué ver"
    assert "Heading" in editor.tree.currentItem().data(0, Qt.ItemDataRole.AccessibleTextRole)
    composer.composer.page.language_changed.emit("en")
    wait_until(lambda: "English" in editor.hint.text())
    choose(editor, "Qué ver")
    editor.heading.setText("What to see")
    editor.apply_heading.click()
    wait_until(lambda: ("What to see", 0) in texts(editor))
    edit = composer.map.document().overlays[0].legend.layers["miradores"]
    assert edit.heading == {"es": "Qué ver", "en": "What to see"}, "the heading has a name in each language"
    choose(editor, "What to see")
    editor.heading.clear()
    editor.apply_heading.click()
    wait_until(lambda: texts(editor) == DEFAULT)


@pytest.mark.slow
def test_classes_are_renamed_and_the_page_and_the_file_follow_the_editor(composer, editor, qtbot,  # noqa: F811
                                                                         wait_until, tmp_path):
    classes_are_renamed(composer, editor, qtbot, wait_until)
    preview = composer.composer_controller.page.preview
    before = preview.picture
    choose(editor, "Carreteras")
    qtbot.keyClick(editor.tree, Qt.Key.Key_F2)
    typed(editor, qtbot, "Por donde se circula")
    choose(editor, "Miradores")
    qtbot.keyClick(editor.tree, Qt.Key.Key_Space)
    wait_until(lambda: preview.picture is not before, 60)
    whole(composer, wait_until)
    settings.set("export_dpi", 72)
    exporter, layouts = composer.composer_controller.exporter, []
    exporter.finished.connect(layouts.append)
    exporter.export("pdf", tmp_path / "map.pdf")
    wait_until(lambda: layouts, 90)
    text = pdf_text(tmp_path / "map.pdf")
    assert "Por donde se circula" in text and "Miradores" not in text and "Centros de visitantes" in text
    assert text.count("Consejería") >= 2
    composer.composer_controller.documents.save_to(tmp_path / "map.custommap.json")
    saved = read_document((tmp_path / "map.custommap.json").read_bytes())
    assert saved.base.legend == composer.map.document().base.legend
    composer.composer_controller.documents.new()
    wait_until(lambda: texts(editor) == [])
    assert not editor.up.isEnabled() and not editor.rename.isEnabled() and not editor.heading.isEnabled()
    composer.composer_controller.documents.open_file(tmp_path / "map.pdf")
    wait_until(lambda: ("Por donde se circula", 1) in texts(editor), 60)
    wait_until(lambda: not composer.map.adding, 60)


def a_series_has_one_row(composer, editor, wait_until):  # noqa: F811
    rain = next(record for row in range(composer.model.rowCount())
                for record in [composer.session.record(composer.model.hit(row).identifier)]
                if "Precipitación" in record.title)
    endpoint = composer.session.endpoint(rain)
    composer.session.load_service(endpoint)
    wait_until(lambda: composer.session.services.get(endpoint) is not None, 30)
    days = tuple(f"precipitacion_2016060{day}" for day in range(1, 5))
    composer.map.add(rain, endpoint, LayerChoice.of_names(days, MapRole.OVERLAY))
    wait_until(lambda: len(composer.map.items) == 3 and not composer.map.adding, 30)
    # multiplied days would be one alone
    composer.map.set_blend(next(number for number, item in enumerate(composer.map.items)
                                if item.entry.endpoint == endpoint), BlendMode.NORMAL)
    title = "Precipitación total diaria, 1 de junio de 2016 – 4 de junio de 2016"
    wait_until(lambda: [text for text, depth in texts(editor) if depth and "Precip" in text] == [title])
    row_of(editor, title).setCheckState(0, UNCHECKED)
    wait_until(lambda: row_of(editor, title).checkState(0) == UNCHECKED)
    assert [entry.legend.hidden for entry in composer.map.document().entries if entry.endpoint == endpoint] == [True]


def a_rows_menu_opens_it(composer, editor, qtbot, wait_until):  # noqa: F811
    editor.close()
    wait_until(lambda: composer.composer_controller.layers.legend_editor is None)
    composer.composer_controller.refresh_view()
    row = next(row for row in composer.composer.rows.rows if "Mapa guía" in row.state.title)
    menu = next(button for button in row.findChildren(QToolButton) if button.text() == "⋮").findChild(QMenu)
    next(action for action in menu.actions() if action.text() == "Edit the legend…").trigger()
    again = composer.composer_controller.layers.legend_editor
    assert again.tree.currentItem().text(0) == GUIDE
    row.legend_edit_requested.emit()
    assert composer.composer_controller.layers.legend_editor is again, "there is one editor"
    qtbot.keyClick(again, Qt.Key.Key_Escape)
    wait_until(lambda: composer.composer_controller.layers.legend_editor is None)


def it_fits_320_pixels_and_large_letters(editor):
    assert missed(editor) == [] and out_of_order(editor) == []
    font = QFont(editor.font())
    font.setPointSizeF(15)
    editor.setFont(font)
    editor.resize(320, 480)
    QApplication.processEvents()
    assert editor.width() == 320, "nothing needs more width"
    for widget in (editor.tree, editor.heading, editor.apply_heading, editor.up, editor.down, editor.rename,
                   editor.reset, editor.buttons.button(QDialogButtonBox.StandardButton.Close)):
        place = widget.mapTo(editor, QPoint(0, 0))
        assert place.x() >= 0 and place.x() + widget.width() <= editor.width(), widget.accessibleName()
        assert widget.toolTip() or widget.accessibleName() or widget.text()
    for button in (editor.up, editor.down, editor.rename, editor.apply_heading, editor.reset):
        assert button.toolTip()


@pytest.mark.slow
def test_the_services_names_in_the_maps_language_are_taken_on_request(composer, editor, network, qtbot,  # noqa: F811
                                                                       wait_until):
    assert not editor.names.isVisible(), "the map is in the services' own language"
    composer.composer.page.language_changed.emit("en")
    wait_until(editor.names.isVisible)
    a_failed_request_for_names_is_said(editor, network, qtbot, wait_until)
    choose(editor, "Límite del parque natural")
    qtbot.keyClick(editor.tree, Qt.Key.Key_F2)
    typed(editor, qtbot, "Park limits")
    wait_until(lambda: ("Park limits", 1) in texts(editor))
    network.reset()
    qtbot.mouseClick(editor.names, Qt.MouseButton.LeftButton)
    assert not editor.names.isEnabled()
    wait_until(lambda: ("Roads", 1) in texts(editor), 30)
    assert texts(editor) == [*DEFAULT[:3], ("WMS Guide map of Despeñaperros Nature Park, 2014", 0), ("Roads", 1),
                             ("Park limits", 1)], "what was typed stays, and what is not translated"
    assert [seen["parameters"]["LANGUAGE"] for seen in network.requests] == ["eng"], "only who lists it is requested"
    document = composer.map.document()
    assert document.base.legend.layers["carreteras"].titles == {"en": "Roads"}
    assert document.overlays[0].legend.layers == {}
    composer.composer.page.language_changed.emit("es")
    wait_until(lambda: texts(editor) == DEFAULT and not editor.names.isVisible())
    composer.composer.page.language_changed.emit("en")
    wait_until(lambda: ("Roads", 1) in texts(editor))
    qtbot.mouseClick(editor.names, Qt.MouseButton.LeftButton)
    wait_until(lambda: "no other names in English" in editor.note.text())
    maps = composer.composer_controller.map
    maps.undo()
    maps.undo()
    maps.undo()
    wait_until(lambda: ("Carreteras", 1) in texts(editor))
    assert ("Park limits", 1) in texts(editor)


def a_failed_request_for_names_is_said(editor, network, qtbot, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 500}})
    qtbot.mouseClick(editor.names, Qt.MouseButton.LeftButton)
    wait_until(editor.note.isVisible, 60)
    assert "127.0.0.1" in editor.note.text()
    assert texts(editor) == DEFAULT and editor.names.isEnabled()
    network.reset()


def classes_are_renamed(composer, editor, qtbot, wait_until):  # noqa: F811
    row = row_of(editor, "Carreteras")
    classes = editor.tree.class_rows(row)
    assert len(classes) > 1 and not row.isExpanded() and texts(editor) == DEFAULT
    own = classes[0].text(0)
    row.setExpanded(True)
    editor.tree.setCurrentItem(classes[0])
    editor.tree.setFocus()
    assert editor.rename.isEnabled() and not editor.up.isEnabled()
    qtbot.keyClick(editor.tree, Qt.Key.Key_F2)
    typed(editor, qtbot, "Vía rápida")
    assert composer.map.document().base.legend.layers["carreteras"].classes == {own: {"es": "Vía rápida"}}

    def shown():
        found = row_of(editor, "Carreteras")
        return found.isExpanded() and [one.text(0) for one in editor.tree.class_rows(found)]

    wait_until(lambda: shown() and shown()[0] == "Vía rápida")
    assert editor.tree.currentItem().text(0) == "Vía rápida" and own in editor.tree.currentItem().toolTip(0)
    assert composer.composer_controller.map.custom_map.history.undo_label == "legend" and editor.reset.isEnabled()
    composer.composer_controller.map.undo()
    wait_until(lambda: shown() and shown()[0] == own)
    assert "carreteras" not in composer.map.document().base.legend.layers


# a window with its page costs more than all that is done in it


@pytest.mark.slow
def test_rows_are_hidden_and_moved_in_a_small_window_and_it_opens_from_a_rows_menu(composer, editor, qtbot,  # noqa: F811
                                                                               wait_until):
    it_fits_320_pixels_and_large_letters(editor)
    ticks_hide_layers(composer, editor, qtbot, wait_until)
    rows_are_moved(composer, editor, qtbot, wait_until)
    a_series_has_one_row(composer, editor, wait_until)
    a_rows_menu_opens_it(composer, editor, qtbot, wait_until)


def test_layers_are_put_under_headings_and_titles_edited_in_place(composer, editor, qtbot, wait_until):  # noqa: F811
    layers_are_put_under_a_heading(composer, editor, qtbot, wait_until)
    composer.composer.page.language_changed.emit("es")
    wait_until(lambda: "Spanish" in editor.hint.text())
    titles_are_edited_in_place(composer, editor, qtbot, wait_until)
