"""Checks over several records: duplicate identifiers, and the issues of many records as a table."""

from __future__ import annotations

import csv
import io

import pytest
from qgis.PyQt.QtCore import Qt

from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.checks.batch_checks import duplicate_findings
from plugin.gis.library.record_library import store_path


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


def test_the_findings_of_the_list_and_of_chosen_records_are_a_table(dock, wait_until, tmp_path):
    path = tmp_path / "all.csv"
    dock.list_page.checks.check_to_file(LibraryQuery("hoja"), str(path))
    assert dock.busy_row.isVisible()
    wait_until(lambda: dock.messages.history and "Saved as all.csv: 3 records" in dock.messages.history[-1][1])
    found = rows(path)
    assert {row["Record"] for row in found} == {"1" * 40, "2" * 40}
    twice = [(row["Record"][0], row["Severity"]) for row in found if row["Rule"] == "identity.duplicate"]
    assert sorted(twice) == [("1", "note"), ("2", "error"), ("2", "error")]
    assert not dock.busy_row.isVisible()
    some = tmp_path / "some.csv"
    dock.list_page.checks.check_to_file(["1" * 40], str(some))
    wait_until(lambda: "some.csv" in dock.messages.history[-1][1])
    assert {row["Record"] for row in rows(some)} == {"1" * 40}
    dock.list_page.checks.check_to_file(["1" * 40], str(tmp_path / "nowhere" / "a.csv"))
    wait_until(lambda: "could not be written" in dock.messages.history[-1][1])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["all.csv", "some.csv"]


def test_both_tables_are_a_click_or_a_key_away(dock, qtbot):
    lines = [action.text() for action in dock.view.checks.export.menu().actions()]
    assert lines == ["Issues of this record…", "Check the listed records and save the issues…"]
    dock.list.setCurrentIndex(dock.model.index(0))
    words = [action.text() for action in dock.record_actions.context_menu.build_menu().actions()]
    assert "Check 1 record and save the issues as CSV…" in words
    assert words[0] == "Add to map" and {"Copy credit", "Open in catalogue"} <= set(words), "as in the record's menu"
    assert dock.view.checks.export.focusPolicy() != Qt.FocusPolicy.NoFocus
