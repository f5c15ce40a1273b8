"""Checks over several records: duplicate identifiers, and the issues of many records as a table."""

from __future__ import annotations

import csv
import io

import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QPushButton

from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.checks.batch_checks import duplicate_findings
from plugin.gis.library.record_library import store_path
from plugin.ui.dock.search_bar import DockAction
from plugin.ui.record.issues_dialog import IssuesDialog
from plugin.ui.widgets.dialogs import DialogPrompts


@pytest.fixture
def dock(repository, open_dock):
    guide = repository / "resources" / "records" / "park-guide.xml"
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    record = read(guide.read_bytes())[0]

    def sheet(number, title):
        return read(text.replace(record.id, str(number) * 40).replace(record.title, title).encode())[0]

    store = RecordStore(store_path())
    store.save("here", "folder", "Hojas", [(sheet(1, "Hoja 1"), "1.xml"), (sheet(2, "Hoja 2"), "2.xml"),
                                           (sheet(2, "Hoja dos, otra"), "3.xml")])
    store.save("there", "csw", "Catálogo", [(sheet(1, "Hoja 1, en el catálogo"), "x")])
    store.close()
    return open_dock(320)


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def test_an_identifier_that_two_records_of_a_source_bear_is_found_in_the_tab(dock, wait_until):
    dock.view.tabs.setCurrentWidget(dock.view.checks)
    dock.select_record("2" * 40)
    text = dock.view.checks.findings_view.toPlainText
    wait_until(lambda: "Another record with different content has the same identifier" in text())
    assert "Error: Another record with different content has the same identifier" in text()
    dock.select_record("1" * 40)
    wait_until(lambda: "Note: Another record with different content has the same identifier" in text())


def test_the_copy_that_comes_with_the_network_is_no_duplicate_of_the_persons(dock, wait_until, repository):
    wait_until(lambda: not dock.session.loading)
    library = dock.session.library
    bundled = read((repository / "resources" / "records" / "park-guide.xml").read_bytes())[0]
    own = read(bundled.original.replace(b"cartoguide:starter", b"nuevo"))[0]
    library.store().save("bundled", "bundled", "Red", [(bundled, "park-guide.xml")])
    library.store().save("there", "csw", "Catálogo", [(own, "x")])
    assert {copy.source for copy in library.store().find_copies(own.id)} == {"there", "bundled"}
    assert own.original != bundled.original and duplicate_findings(library, own) == ()
    other = read(own.original.replace(own.title.encode(), b"Otro mapa"))[0]
    library.store().save("there", "csw", "Catálogo", [(own, "x"), (other, "y")])
    assert [finding.rule for finding in duplicate_findings(library, own)] == ["identity.duplicate"]


def issues_dialog(dock, wait_until):
    return wait_until(lambda: [dialog for dialog in dock.findChildren(IssuesDialog) if dialog.isVisible()])[0]


def test_issues_of_many_records_are_shown_and_can_be_saved(dock, wait_until, tmp_path, monkeypatch):
    path = tmp_path / "all.csv"
    asked = []
    monkeypatch.setattr(DialogPrompts, "save_file", lambda *texts, **_more: asked.append(texts) or path)
    dock.search.setText("hoja")
    wait_until(lambda: {hit.identifier for hit in dock.model.hits} == {"1" * 40, "2" * 40})
    dock.list_page.search_bar.action_requested.emit(DockAction.CHECK)
    assert dock.busy_row.isVisible()
    dialog = issues_dialog(dock, wait_until)
    assert not dock.busy_row.isVisible() and not asked, "nobody asked for a file"
    assert dialog.isVisible() and dialog.summary.text().startswith("3 records with ")
    titles = [dialog.tree.topLevelItem(row).text(0) for row in range(dialog.tree.topLevelItemCount())]
    assert sorted(titles[:2]) == ["Hoja 2", "Hoja dos, otra"] and titles[2].startswith("Hoja 1"), "the worst first"
    assert "Error: Another record with different content has the same identifier" in dialog.findings_view.toPlainText()
    dialog.tree.setCurrentItem(dialog.tree.topLevelItem(2))
    assert "Note: Another record with different content" in dialog.findings_view.toPlainText()
    dialog.open_button.click()
    wait_until(lambda: dock.selected.record is not None and dock.selected.record.id == "1" * 40)
    dialog.save_button.click()
    wait_until(lambda: dock.messages.history and "Saved as all.csv" in dock.messages.history[-1][1])
    found = rows(path)
    assert {row["Record"] for row in found} == {"1" * 40, "2" * 40}
    twice = [(row["Record"][0], row["Severity"]) for row in found if row["Rule"] == "identity.duplicate"]
    assert sorted(twice) == [("1", "note"), ("2", "error"), ("2", "error")]
    dialog.close()
    dock.list_page.checks.check(["1" * 40])
    dialog = issues_dialog(dock, wait_until)
    assert dialog.tree.topLevelItemCount() == 1
    path = tmp_path / "nowhere" / "a.csv"
    dialog.save_button.click()
    wait_until(lambda: "could not be written" in dock.messages.history[-1][1])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["all.csv"]


def test_return_in_a_dialog_does_not_open_the_guide(dock):
    dock.dialogs.open_health()
    buttons = dock.dialogs.health.findChildren(QPushButton)
    assert buttons and not [button.text() for button in buttons if button.isDefault()]


def test_both_tables_are_a_click_or_a_key_away(dock, qtbot):
    lines = [action.text() for action in dock.view.checks.export.menu().actions()]
    assert lines == ["Issues of this record…", "Check the listed records…"]
    dock.list.setCurrentIndex(dock.model.index(0))
    words = [action.text() for action in dock.record_actions.context_menu.build_menu().actions()]
    assert "Check 1 record…" in words
    assert words[0] == "Add to map" and {"Copy credit", "Open in catalogue"} <= set(words), "as in the record's menu"
    assert dock.view.checks.export.focusPolicy() != Qt.FocusPolicy.NoFocus
