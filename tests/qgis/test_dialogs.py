"""Dialogs: the folder in which file dialogs open, and standard buttons with the plugin's translations."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis.PyQt.QtCore import QEvent, QStandardPaths, Qt
from qgis.PyQt.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QTreeView,
    QTreeWidget,
    QVBoxLayout,
    QWidget,
)

from plugin.core import i18n
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.gis.credits.map_phrases import crs_name
from plugin.gis.runtime import i18n as runtime_i18n
from plugin.gis.runtime import settings
from plugin.ui.catalogues.catalogues_dialog import AddCatalogueDialog, HarvestDialog
from plugin.ui.composer.map_series_dialog import AnimationDialog
from plugin.ui.widgets.buttons import ShrinkingButton, translate_buttons
from plugin.ui.widgets.dialogs import AddressDialog, DialogPrompts, FittedDialog, translated_file_dialog
from plugin.ui.widgets.flow_layout import FlowLayout
from plugin.ui.widgets.form_widgets import fill_layout
from plugin.ui.widgets.theme import font_scale, icon, resize_for_font
from tests.qgis.qgis_window import settle


@pytest.fixture
def starts(monkeypatch):
    """The places where dialogs began; each is cancelled."""
    found = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName",
                        lambda _parent, _title, start, _filters: found.append(start) or ("", ""))
    return found


def test_numbers_are_written_as_in_the_texts_and_typed_with_point_or_comma(qgis_app, qtbot):
    try:
        assert runtime_i18n.install("es")
        dialog = AnimationDialog(30)
        qtbot.addWidget(dialog)
        assert dialog.seconds.text() == "1,0 s"
        for typed, value in (("2.5", 2.5), ("1,5", 1.5)):
            dialog.seconds.selectAll()
            qtbot.keyClicks(dialog.seconds, typed)
            assert dialog.seconds.value() == value and dialog.seconds.text().startswith(typed)
        dialog.seconds.interpretText()
        assert dialog.seconds.text() == "1,5 s"
    finally:
        runtime_i18n.remove()


def test_dialogs_of_files_are_in_the_plugins_language_where_qt_lacks_it(qgis_app, qtbot, tmp_path):
    parent = QWidget()
    qtbot.addWidget(parent)
    arguments = (parent, "Guardar", str(tmp_path / "parque.pdf"), "PDF (*.pdf);;PNG (*.png)")
    assert translated_file_dialog(*arguments, QFileDialog.FileMode.AnyFile) is None, "English is Qt's own language"
    try:
        assert runtime_i18n.install("es")
        dialog = translated_file_dialog(*arguments, QFileDialog.FileMode.AnyFile, saves=True)
        assert dialog.nameFilters() == ["PDF (*.pdf)", "PNG (*.png)"] and Path(dialog.directory().path()) == tmp_path
        shown = [dialog.labelText(label) for label in (
            QFileDialog.DialogLabel.LookIn, QFileDialog.DialogLabel.FileType, QFileDialog.DialogLabel.Accept,
            QFileDialog.DialogLabel.Reject)]
        assert shown == ["Buscar en:", "Archivos de tipo:", "&Guardar", "Cancelar"]
        dialog.show()
        qtbot.waitExposed(dialog)
        header = dialog.findChild(QTreeView).model()
        assert [header.headerData(column, Qt.Orientation.Horizontal) for column in range(4)] == [
            "Nombre", "Tamaño", "Tipo", "Fecha de modificación"]
        (tmp_path / "folder").mkdir()
        dialog = translated_file_dialog(parent, "Elegir", str(tmp_path / "folder"), "", QFileDialog.FileMode.Directory)
        assert Path(dialog.directory().path()) == tmp_path / "folder"
    finally:
        runtime_i18n.remove()


def test_a_map_is_exported_into_the_folder_of_its_project(project, qtbot, starts, tmp_path):
    parent = QWidget()
    qtbot.addWidget(parent)
    prompts = DialogPrompts(parent)
    settings.set("last_folder", str(tmp_path / "elsewhere"))
    assert prompts.save_file("Export", "map.pdf", "PDF (*.pdf)", in_project=True) is None
    (tmp_path / "park").mkdir()
    assert project.write(str(tmp_path / "park" / "park.qgz"))
    prompts.save_file("Export", "map.pdf", "PDF (*.pdf)", in_project=True)
    prompts.save_file("Save", "records.csv", "CSV (*.csv)")
    assert [Path(start) for start in starts] == [tmp_path / "elsewhere" / "map.pdf", tmp_path / "park" / "map.pdf",
                                                 tmp_path / "elsewhere" / "records.csv"]


def test_the_export_asks_for_a_file_in_the_folder_of_the_project(open_dock, project, starts, tmp_path):
    dock = open_dock()
    assert project.write(str(tmp_path / "park.qgz"))
    assert dock.composer_controller.exporter.ask_path("pdf") is None
    assert Path(starts[0]).parent == tmp_path and starts[0].endswith(".pdf")


def test_a_dialog_of_files_begins_with_the_documents_of_the_person_and_then_where_the_last_one_was(
        qgis_app, qtbot, starts, tmp_path):
    parent = QWidget()
    qtbot.addWidget(parent)
    settings.reset("last_folder")
    DialogPrompts(parent).save_file("Save", "records.csv", "CSV (*.csv)")
    settings.set("last_folder", str(tmp_path))
    DialogPrompts(parent).save_file("Save", "records.csv", "CSV (*.csv)")
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    assert documents and [Path(start).parent for start in starts] == [Path(documents), tmp_path]


def test_a_folder_that_takes_no_files_is_refused_when_it_is_chosen(open_dock, project, network, monkeypatch):
    """Not once all images of the map were fetched."""
    dock, said = open_dock(), []
    exporter = dock.composer_controller.exporter
    exporter.failed.connect(lambda error: said.append(error.user_text))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_chosen: ("/proc/map.pdf", ""))
    asked = len(network.requests)
    assert exporter.ask_path("pdf") is None
    assert said == ["The map was not exported: the folder /proc is not writable. Choose another one."]
    assert len(network.requests) == asked


def test_standard_buttons_speak_the_plugins_language(qgis_app):
    kinds = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(kinds.Ok | kinds.Cancel | kinds.RestoreDefaults)
    i18n.set_translator(lambda text, n: f"<{text}>")
    try:
        translate_buttons(box)
    finally:
        i18n.set_translator(None)
    words = [box.button(kind).text() for kind in (kinds.Ok, kinds.Cancel, kinds.RestoreDefaults)]
    assert words == ["<OK>", "<Cancel>", "<Restore defaults>"]
    assert box.button(kinds.Close) is None
    QApplication.sendEvent(box, QEvent(QEvent.Type.LanguageChange))
    QApplication.processEvents()
    assert box.button(kinds.Cancel).text() == "<Cancel>", "somebody installed a translator"


def test_spanish_maps_name_utm_zones_as_spanish_law_does():
    assert crs_name("es", "ETRS89 / UTM zone 30N") == "ETRS89 / UTM huso 30N"
    assert crs_name("en", "ETRS89 / UTM zone 30N") == "ETRS89 / UTM zone 30N"
    assert crs_name("es", "WGS 84") == "WGS 84"


def test_the_dialog_for_a_name_is_wide_enough_for_the_title_of_its_window(qgis_app, qtbot):
    from plugin.ui.widgets.dialogs import open_name_dialog

    dialog = open_name_dialog(None, "New collection", "", lambda _name: None)
    qtbot.waitUntil(lambda: dialog.width() >= 40 * dialog.fontMetrics().averageCharWidth())
    dialog.close()


@pytest.mark.parametrize("points", [9, 12, 15])
def test_no_text_of_a_dialog_is_cut_at_the_font_size_of_qgis(qgis_app, qtbot, points):
    """QGIS sets its font by the style sheet of its window, after the dialog was made."""
    window = QWidget()
    window.setStyleSheet(f"* {{ font-size: {points}pt }}")
    qtbot.addWidget(window)
    source = Source(SourceKind.CSW_2, "https://example.org/csw", "A catalogue of the environment")
    for dialog in (AddressDialog(window), AddCatalogueDialog(window),
                   HarvestDialog(source, CatalogueQuery("walks " * 20), lambda _query: True, window)):
        dialog.show()
        qtbot.waitExposed(dialog)
        labels = [label for label in dialog.findChildren(QLabel) if label.isVisible() and label.wordWrap()]
        assert labels
        for label in labels:
            assert label.height() >= label.heightForWidth(label.width()), label.text()
        dialog.close()


def test_a_dialog_opens_whole_on_the_screen_and_as_high_as_its_lines_where_its_buttons_wrap(qgis_app, qtbot):
    window, heights = QWidget(), []
    window.setStyleSheet("* { font-size: 15pt }")
    qtbot.addWidget(window)
    screen = window.screen().availableGeometry()
    window.setGeometry(screen)
    window.show()
    dialog = FittedDialog(window, columns=120, lines=16)
    tree, buttons = QTreeWidget(), QWidget()
    tree.setMinimumHeight(90)
    row = FlowLayout(buttons)
    for number in range(9):
        row.addWidget(QPushButton(f"Button number {number}"))
    fill_layout(QVBoxLayout(dialog), tree, buttons, wide=tree)
    dialog.resizeEvent = lambda event: heights.append(event.size().height())
    dialog.show()
    settle()
    assert screen.contains(dialog.geometry()), "it is in the middle of the window, not its corner"
    assert min(heights) == dialog.height() > 15 * dialog.fontMetrics().lineSpacing(), "a window manager has one size"
    high = FittedDialog(window, columns=40, lines=400)
    high.show()
    settle()
    assert high.height() <= screen.height()


def test_windows_grow_with_the_font_up_to_the_screen(qgis_app, qtbot):
    """At 200 % QGIS 3.22 on Linux has text of twice the size, and pixels as before."""
    window = QWidget()
    qtbot.addWidget(window)
    font = window.font()
    font.setPixelSize(16)
    window.setFont(font)
    assert font_scale(window) == 1
    resize_for_font(window, 300, 200)
    assert (window.width(), window.height()) == (300, 200)
    font.setPixelSize(32)
    window.setFont(font)
    assert 1.6 < font_scale(window) < 2.3
    resize_for_font(window, 300, 200)
    assert window.width() == round(300 * font_scale(window)) and window.height() == round(200 * font_scale(window))
    resize_for_font(window, 3000, 200)
    assert window.width() == 3000, "what was chosen for 12 pt stays"
    resize_for_font(window, window.screen().availableGeometry().width() - 10, 200)
    assert window.width() == window.screen().availableGeometry().width()


def test_a_button_shows_its_text_rather_than_its_icon_where_both_do_not_fit(qgis_app, qtbot):
    button = ShrinkingButton("Ajustar")
    button.setIcon(icon("mActionZoomFullExtent"))
    qtbot.addWidget(button)
    button.show()
    text = button.fontMetrics().horizontalAdvance("Ajustar")
    shown = {}
    for width in (text + 60, text + 16, 30):
        button.resize(width, 30)
        shown[width] = button.toolButtonStyle()
    styles = Qt.ToolButtonStyle
    assert list(shown.values()) == [styles.ToolButtonTextBesideIcon, styles.ToolButtonTextOnly,
                                    styles.ToolButtonIconOnly]
