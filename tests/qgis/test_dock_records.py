"""The dock in the real QGIS: records without a network, search, good and bad files, drag and drop."""

from __future__ import annotations

import time

import pytest
from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QMimeData, QPointF, Qt, QUrl
from qgis.PyQt.QtGui import QDropEvent
from qgis.PyQt.QtWidgets import QDialog, QPlainTextEdit, QWidget

from plugin.core.records import read
from plugin.gis.runtime import settings
from plugin.ui.dock.dock_widget import CartoguideDock
from tests.qgis.qgis_window import settle
from tests.qgis.waiting import lay_out


@pytest.fixture
def dock(open_dock):
    return open_dock()


@pytest.fixture
def guide(repository):
    return repository / "resources" / "records" / "park-guide.xml"


def titles(dock):
    return [dock.model.index(row).data() for row in range(dock.model.rowCount())]


def opened(dock, wait_until, *paths):
    before = len(dock.messages.history)
    dock.session.open_paths([str(path) for path in paths])
    wait_until(lambda: not dock.session.loading)
    return dock.messages.history[before:]


def drop(dock, data):
    arguments = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    dock.dropEvent(QDropEvent(QPointF(20, 20), *arguments))


# -- the embedded default


def test_three_records_are_there_with_no_set_up_and_no_network(dock, requested_hosts):
    assert len(titles(dock)) == 3
    assert any("Despeñaperros" in title for title in titles(dock))
    assert requested_hosts == []
    assert dock.messages.history == []


def test_starter_records_say_so_and_offer_to_ask_the_catalogue(dock):
    row = dock.model.index(0)
    assert "starter record" in row.data(Qt.ItemDataRole.ToolTipRole)
    dock.pages.open_record()
    text = dock.view.overview.toPlainText()
    assert "Starter record" in text
    assert "Refresh from the catalogue" in text
    assert "cartoguide:starter" not in text


def test_the_first_record_is_chosen(dock):
    assert dock.list.currentIndex().row() == 0
    assert dock.view.record.id == dock.model.hit(0).identifier


def test_a_record_that_comes_while_ctrl_is_held_is_the_only_selected_one(dock, qtbot):
    """As after Ctrl+V: commands act on all that is selected."""
    qtbot.keyPress(dock.list, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    dock.select_record(dock.model.hit(2).identifier)
    assert [hit.identifier for hit in dock.list.selected_hits()] == [dock.view.record.id]
    assert dock.view.record.id == dock.model.hit(2).identifier
    qtbot.keyRelease(dock.list, Qt.Key.Key_Control)


def test_all_tabs_have_words(dock, qtbot, wait_until):
    settings.set("base_url", "http://127.0.0.1:9")
    dock.session.apply_settings(["base_url"])
    wait_until(lambda: not dock.session.loading)
    row = next(row for row, title in enumerate(titles(dock)) if "Despeñaperros" in title)
    dock.list.setCurrentIndex(dock.model.index(row))
    dock.pages.open_record()
    for number in range(dock.view.tabs.count()):
        dock.view.tabs.setCurrentIndex(number)
        qtbot.wait(10)
    assert dock.view.header.terms_label.text().startswith("You may use this free of charge")
    assert "Junta de Andalucía" in dock.view.header.credit.text()
    assert "Use limitation" in dock.view.terms.fields.text() and not dock.view.terms.fields.isHidden()
    wait_until(lambda: "Junta de Andalucía" in dock.view.metadata.toPlainText())
    wait_until(lambda: "MD_Metadata" in dock.view.xml.editor.toPlainText())


def test_everything_that_can_be_reached_has_a_name(dock):
    nameless = [f"{type(widget).__name__} {widget.objectName()}" for widget in dock.findChildren(QWidget)
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(dock)
                and not (widget.accessibleName() or getattr(widget, "text", str)())
                and not widget.objectName().startswith("qt_")
                and type(widget).__name__ not in ("QTabBar", "QTabWidget")]
    assert nameless == []


def test_nothing_sticks_out_of_a_narrow_dock(dock, qtbot, wait_until):
    wait_until(lambda: dock.facets.total.text())
    dock.resize(320, 640)
    lay_out()
    assert dock.width() <= 330
    assert dock.minimumSizeHint().width() <= 320
    assert dock.minimumSizeHint().height() <= 560


# -- search


def test_search_narrows_with_accents_and_case_folded(dock, qtbot, wait_until):
    for words in ("precipitacion", "PRECIPITACIÓN", "precip", "total diaria"):
        qtbot.keyClicks(dock.search, words)
        wait_until(lambda: len(titles(dock)) == 1, 3)
        assert "recipitaci" in titles(dock)[0], words
        assert "recipitaci" in dock.view.record.title, words
        dock.search.clear()
        wait_until(lambda: len(titles(dock)) == 3, 3)


def test_nothing_found_says_so_and_leads_back(dock, qtbot, wait_until):
    qtbot.keyClicks(dock.search, "zzzz")
    wait_until(lambda: titles(dock) == [], 3)
    assert "No record contains these words" in dock.list.empty_label.text()
    dock.list.empty_label.linkActivated.emit("#clear")
    wait_until(lambda: len(titles(dock)) == 3, 3)
    assert not dock.list.empty_label.isVisible()


def test_from_key_press_to_results_is_a_blink(dock, qtbot):
    # its figure is in tests/bench; what is checked here is that nothing waits for a person or a network
    began = time.process_time()
    dock.search.setText("total diaria")
    qtbot.waitUntil(lambda: len(titles(dock)) == 1, timeout=5000)
    assert time.process_time() - began < 5


def test_the_keyboard_leads_from_search_to_list_to_record_and_back(dock, qtbot):
    dock.focus_search()
    qtbot.keyClick(dock.search, Qt.Key.Key_Down)
    assert dock.list.hasFocus() or dock.focusWidget() is dock.list
    qtbot.keyClick(dock.list, Qt.Key.Key_Down)
    assert dock.list.currentIndex().row() == 1
    with qtbot.waitSignal(dock.list.open_requested):
        qtbot.keyClick(dock.list, Qt.Key.Key_Return)
    dock.list.setCurrentIndex(dock.model.index(0))
    dock.pages.open_record()
    qtbot.keyClick(dock.list, Qt.Key.Key_Up)
    assert dock.focusWidget() is dock.search


def test_the_last_search_and_tab_are_kept(dock, qgis_app, qtbot, wait_until):
    dock.search.setText("total diaria")
    dock.view.tabs.setCurrentIndex(1)
    dock.save_state()
    again = CartoguideDock()
    qtbot.addWidget(again)
    wait_until(lambda: not again.session.loading)
    assert again.search.text() == "total diaria"
    assert again.view.tabs.currentIndex() == 1
    assert len(titles(again)) == 1
    again.close_down()


# -- opening


def test_opened_records_are_added_and_the_first_is_shown(dock, wait_until, guide, tmp_path):
    data = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    identifier = read(guide.read_bytes())[0].id
    (tmp_path / "a.xml").write_text(data.replace(identifier, "b" * 40), encoding="utf-8")
    # it describes the service of a bundled record, which it replaces
    assert [words for _, words in opened(dock, wait_until, tmp_path / "a.xml")] == [
        "1 record read: 1 added to the library, 1 replaced in it."]
    wait_until(lambda: dock.view.record.id == "b" * 40)


def test_records_of_data_portals_are_opened_and_kept(dock, wait_until, repository):
    folder = repository / "tests" / "unit" / "fixtures" / "records"
    names = ("geodcat.ttl", "stac_item.json", "ckan_package.json", "ows_context.json", "dcat.rdf")
    # three of DCAT, two of the context
    words, = (text for _, text in opened(dock, wait_until, *(folder / name for name in names)))
    assert words.startswith("8 records") and len(titles(dock)) == 11
    store = dock.session.library.store_if_open
    copies = store.find_copies("urn:parks")
    kept = store.load_copy(copies[0])
    assert (kept.title, kept.source_format) == ('Parques "naturales"', "dcat") and kept.unread


HTML = b"<!DOCTYPE html><html><head><title>x</title></head><body>Not found</body></html>"


BAD_FILES = [
    ("empty.xml", b"", "is empty"),
    ("page.xml", HTML, "HTML page"),
    ("broken.xml", b"<gmd:MD_Metadata xmlns:gmd='http://www.isotc211.org/2005/gmd'><a></gmd:MD_Metadata>", "line 1"),
    ("bomb.xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "entities"),
    ("deep.xml", b"<a>" * 10_000 + b"</a>" * 10_000, "deep"),
    ("other.xml", b"<kml xmlns='http://www.opengis.net/kml/2.2'/>", "kml"),
    ("notes.txt", b"just words", "notes.txt")]


def test_a_bad_file_gets_one_clear_message_and_nothing_is_lost(dock, wait_until, tmp_path):
    for name, content, expected in BAD_FILES:
        (tmp_path / name).write_bytes(content)
        said = opened(dock, wait_until, tmp_path / name)
        assert len(said) == 1, name
        assert expected in said[0][1].lower() or expected in said[0][1], name
        assert len(titles(dock)) == 3, name


def test_one_identifier_twice_in_a_document_loses_neither_record(dock, wait_until, guide, tmp_path):
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo").split("?>")[-1]
    (tmp_path / "two.xml").write_text(f"<r>{text}{text.replace('>Gratuito<', '>12 euros<')}</r>", encoding="utf-8")
    assert [words for _, words in opened(dock, wait_until, tmp_path / "two.xml")] == [
        "2 records read: 0 added to the library, 1 replaced in it."]
    store = dock.session.library.store_if_open
    identifier = read(guide.read_bytes())[0].id
    fees = {store.load_copy(copy).fees for copy in store.find_copies(identifier) if copy.source != "bundled"}
    assert fees == {"Gratuito", "12 euros"}


def test_a_file_that_is_not_there_is_told(dock, wait_until, tmp_path):
    said = opened(dock, wait_until, tmp_path / "gone.xml")
    assert len(said) == 1
    assert "gone.xml" in said[0][1]


def test_a_folder_with_a_mix_reads_the_good_and_tells_the_rest_at_once(dock, qtbot, wait_until, guide, tmp_path):
    identifier = read(guide.read_bytes())[0].id
    good = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    for letter in "cd":
        (tmp_path / f"{letter}.xml").write_text(good.replace(identifier, letter * 40), encoding="utf-8")
    (tmp_path / "empty.xml").write_bytes(b"")
    (tmp_path / "page.xml").write_bytes(HTML)
    said = opened(dock, wait_until, tmp_path)
    assert [text for _, text in said] == [
        "2 records read: 2 added to the library, 1 replaced in it. 1 file without catalogue records. 1 document could "
        "not be read."]
    assert dock.session.record("c" * 40) is not None
    qtbot.mouseClick(dock.note.details, Qt.MouseButton.LeftButton)
    dialog = next(child for child in dock.findChildren(QDialog) if child.isVisible())
    assert not dialog.isModal()
    detail = dialog.findChild(QPlainTextEdit).toPlainText()
    assert "empty.xml" in detail
    assert "page.xml" in detail


def test_files_and_folders_are_dropped(dock, wait_until, guide, tmp_path):
    identifier = read(guide.read_bytes())[0].id
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo").replace(identifier, "e" * 40)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "e.xml").write_text(text, encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "sub"))])
    drop(dock, data)
    wait_until(lambda: dock.view.record.id == "e" * 40)


def test_dropped_words_that_lead_nowhere_are_told(dock):
    data = QMimeData()
    data.setText("no es una dirección")
    drop(dock, data)
    assert "neither the XML of a record nor an address or a file" in dock.messages.history[-1][1]


def test_an_address_of_a_record_is_fetched_and_shown(dock, network, wait_until):
    identifier = read(next(iter(sorted((network_records(network)).glob("*.xml")))).read_bytes())[0].id
    data = QMimeData()
    data.setText(f"{network.url}/geonetwork/srv/spa/catalog.search#/metadata/{identifier}")
    drop(dock, data)
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == identifier, 30)


def test_an_address_where_nobody_answers_is_told_with_detail(dock, wait_until):
    dock.session.open_text("http://127.0.0.1:9/record.xml")
    wait_until(lambda: not dock.session.loading, 30)
    assert dock.messages.history[-1][0] == "error"
    assert "127.0.0.1" in dock.messages.history[-1][1]
    assert len(titles(dock)) == 3


def network_records(network):
    import pathlib

    return pathlib.Path(network.profile_path).parent / "records"


def test_refresh_puts_the_catalogues_own_in_the_place_of_starters(dock, network, wait_until):
    settings.set("base_url", network.url)
    settings.set("node", "NODO")
    settings.set("catalogue_type", "geonetwork")
    settings.set("catalogue_url", f"{network.url}/geonetwork")
    dock.session.apply_settings(["base_url", "node"])
    wait_until(lambda: not dock.session.loading)
    assert len(titles(dock)) == 3
    starters = sum("starter record" in dock.model.index(row).data(Qt.ItemDataRole.ToolTipRole) for row in range(3))
    assert starters == 3
    dock.record_actions.records.refresh()
    wait_until(lambda: not dock.session.loading, 60)
    left = [dock.model.index(row).data(Qt.ItemDataRole.ToolTipRole) for row in range(dock.model.rowCount())]
    assert sum("starter record" in text for text in left) < 3
    assert len(left) == 3
    assert "read again from the catalogue" in dock.messages.history[-1][1]
    record = dock.session.record(next(hit.identifier for hit in dock.model.hits if "Mapa guía" in hit.title))
    dock.record_actions.records.refresh(record)
    wait_until(lambda: "Nothing has changed" in dock.messages.history[-1][1], 30)
    assert f"“{record.title}”" in dock.messages.history[-1][1], "it says which"


def test_a_catalogue_that_does_not_answer_leaves_the_records_as_they_are(dock, wait_until):
    settings.set("catalogue_url", "http://127.0.0.1:9/geonetwork")
    before = titles(dock)
    dock.record_actions.records.refresh(dock.view.record)
    wait_until(lambda: not dock.session.loading, 30)
    assert len(dock.messages.history) == 1
    assert dock.messages.history[0][0] == "error"
    assert titles(dock) == before


def test_settings_are_checked_stored_and_used_at_once(dock, qtbot, wait_until):
    from plugin.ui.settings.settings_form import SettingsDialog

    dialog = SettingsDialog(dock)
    dialog.form.settings_saved.connect(dock.session.apply_settings)
    dialog.show()
    ok = dialog.buttons.button(dialog.buttons.StandardButton.Ok)
    dialog.form.fields["credit_pattern"].setText("{nobody}")
    assert not ok.isEnabled()
    assert "nobody" in dialog.form.problem_label.text()
    dialog.form.fields["credit_pattern"].setText("© {owner} – {title}")
    assert ok.isEnabled()
    ok.click()
    assert settings.get("credit_pattern") == "© {owner} – {title}"
    assert dock.session.terms(dock.session.record(dock.model.hit(0).identifier)).credit.startswith("©")


def test_a_damaged_state_is_survived(qgis_app, qtbot, wait_until):
    store = QgsSettings()
    store.setValue("cartoguide/dock/tab", "nonsense")
    store.setValue("cartoguide/dock/splitter", "nonsense")
    widget = CartoguideDock()
    qtbot.addWidget(widget)
    wait_until(lambda: not widget.session.loading)
    assert widget.view.tabs.currentIndex() == 0
    widget.close_down()


@pytest.mark.parametrize("content", [None, b"{ no json", b'{"format": "cartoguide-network", "version": 99}'])
def test_a_profile_that_cannot_be_read_is_told_and_the_bundled_records_are_there(qgis_app, qtbot, wait_until, tmp_path,
                                                                                 content):
    path = tmp_path / "own.json"
    if content:
        path.write_bytes(content)
    settings.set("profile", str(path))
    widget = CartoguideDock()
    qtbot.addWidget(widget)
    wait_until(lambda: not widget.session.loading)
    assert len(widget.messages.history) == 1
    level, words = widget.messages.history[0]
    assert level == "error"
    assert "own.json" in words
    assert "the records bundled with Cartoguide are shown" in words
    assert len(titles(widget)) == 3
    widget.close_down()


def test_what_comes_late_is_not_shown_in_a_dock_that_is_closed(dock, wait_until):
    """Its composer is deleted then, and what was done to the project is the next dock's."""
    controller, shown = dock.composer_controller, []
    controller.preflight.findings_changed.connect(lambda *_: shown.append(True))
    dock.close_down()
    dock.session.service_changed.emit("http://127.0.0.1:9/wms?")
    settle()
    wait_until(lambda: not controller._refresh_timer.isActive() and not controller._step_timer.isActive())
    assert not shown
