"""The Checks tab and the comparison of two records: display, requests and saving."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import replace
from pathlib import Path

import pytest
from qgis.PyQt.QtWidgets import QLabel, QToolButton

from plugin.core.distributions.record_distributions import wms_address
from plugin.core.records import read
from plugin.core.records.model.record import Constraint, Extent, OnlineResource, Record, RecordDate, ResourceKind
from plugin.core.review.checks import check_record
from plugin.core.terms import terms_for
from plugin.gis.services import service_cache
from plugin.ui.record.checks_tab import ChecksTab
from plugin.ui.record.compare_view import CompareDialog, CompareView
from plugin.ui.record.record_view import RecordView
from tests.qgis.waiting import lay_out

GOOD = Record("csw-dc", id="a", kind=ResourceKind.DATASET, title="Mapa guía", date_stamp="2023-01-01",
              other_constraints=(Constraint("CC BY 4.0"),))
BAD = replace(GOOD, id=None, dates=(RecordDate("20 de mayo <b>", "revision"),),
              extents=(Extent(38.2, 38.4, -103.5, -103.2),))


@pytest.fixture
def tab(qgis_app, qtbot):
    widget = ChecksTab()
    qtbot.addWidget(widget)
    widget.resize(320, 480)
    widget.show()
    return widget


@pytest.fixture
def guide(network):
    (record,) = read(Path(network.records[1]).read_bytes())
    service_cache.shared().forget(wms_address(record))
    return record


def test_findings_stand_there_with_severity_field_and_advice_in_words(tab):
    tab.show_record(BAD)
    text = tab.findings_view.toPlainText()
    for expected in ("Error: The record has no identifier.", "Identifier",
                     "Warning: Revision: the date cannot be read.", "20 de mayo <b>",
                     "Write the date as year, month and day", "Rule: Readable dates"):
        assert expected in text
    assert tab.summary.text() == "2 errors, 1 warning"
    assert text.index("Error:") < text.index("Warning:")


def test_no_buttons_words_are_cut_in_a_narrow_dock_with_large_letters(tab, qtbot):
    tab.setStyleSheet("* { font-size: 15pt; }")
    tab.show_record(BAD)
    lay_out()
    tab.activateWindow()
    qtbot.waitUntil(tab.isActiveWindow)
    for button in (tab.links, tab.service, tab.export):
        assert button.width() >= button.sizeHint().width() and tab.width() == 320
        # one line, which scrolls to the button that gets the focus
        button.setEnabled(True)
        button.setFocus()
        assert button.visibleRegion().boundingRect().width() >= min(button.width(), 320 - 60)


def test_a_record_without_findings_says_so(tab):
    fine = replace(GOOD, fees="Gratuito")
    assert check_record(fine) == ()
    tab.show_record(fine)
    assert (tab.summary.text(), tab.findings_view.toPlainText().strip()) == ("No issues", "No issues.")


def test_a_record_is_checked_only_when_the_tab_is_seen(qgis_app, qtbot):
    hidden = ChecksTab()
    qtbot.addWidget(hidden)
    hidden.show_record(BAD)
    assert hidden.findings == ()
    hidden.show()
    assert hidden.findings != ()


def test_every_control_has_a_name_and_the_page_needs_no_more_than_a_narrow_dock(tab):
    tab.show_record(BAD)
    assert tab.minimumSizeHint().width() <= 320
    assert not tab.findings_view.horizontalScrollBar().isVisible()
    for button in tab.findChildren(QToolButton):
        assert button.accessibleName() and button.toolTip()
    assert all(label.accessibleName() for label in (tab.summary, tab.status))
    assert tab.findings_view.accessibleName()


def test_links_are_asked_on_request_only_and_can_be_given_up(tab, network, wait_until):
    gone = f"{network.url}/nirgends"
    tab.show_record(replace(GOOD, online=(OnlineResource(gone),)))
    assert len(network.requests) == 0
    tab.links.click()
    assert tab.cancel.isVisible() and not tab.links.isEnabled()
    wait_until(lambda: not tab.cancel.isVisible())
    assert "The server responded with status 404." in tab.findings_view.toPlainText(
    ) and gone in tab.findings_view.toPlainText()
    assert tab.links.isEnabled() and tab.summary.text().startswith("1 error")
    tab.links.click()
    tab.cancel.click()
    assert not tab.cancel.isVisible() and tab.links.isEnabled()


def test_links_that_all_answer_are_told_too(tab, guide, wait_until):
    tab.show_record(guide)
    tab.links.click()
    wait_until(lambda: not tab.cancel.isVisible())
    assert "All links respond." in tab.findings_view.toPlainText()


def test_the_live_service_stands_beside_the_record(tab, guide, wait_until):
    tab.show_record(replace(guide, service_versions=("1.1.1",), title="Otra cosa muy distinta"))
    tab.service.click()
    wait_until(lambda: not tab.cancel.isVisible())
    text = tab.findings_view.toPlainText()
    assert "Version, the record says: 1.1.1" in text and "instead: 1.3.0" in text
    assert "The titles are different." in text
    tab.show_record(guide)
    tab.service.click()
    wait_until(lambda: not tab.cancel.isVisible())
    assert "The record agrees with the service." in tab.findings_view.toPlainText()


def test_a_service_that_does_not_answer_is_told_in_words(tab, guide, wait_until):
    tab.show_record(replace(guide, operations=(), online=(OnlineResource("http://127.0.0.1:9/wms?", "OGC:WMS"),)))
    tab.service.click()
    wait_until(lambda: not tab.cancel.isVisible())
    assert "127.0.0.1" in tab.status.text() and tab.status.isVisible()


def test_what_came_late_does_not_reach_another_record(tab, network, guide, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "delay", "seconds": 0.5}})
    tab.show_record(replace(guide, service_versions=("1.1.1",), title="Otra"))
    tab.service.click()
    wait_until(lambda: network.count("GetCapabilities"))
    tab.show_record(BAD)
    seen = time.monotonic()
    wait_until(lambda: time.monotonic() > seen + 0.8)
    assert "1.3.0" not in tab.findings_view.toPlainText() and not tab.service.isEnabled()


def test_findings_are_saved_as_a_table(tab, tmp_path):
    tab.show_record(BAD)
    path = tmp_path / "findings.csv"
    tab.save_csv(path)
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert [row["Rule"] for row in rows] == [finding.rule for finding in tab.findings]
    assert tab.status.text() == "Saved as findings.csv."
    tab.save_csv(tmp_path / "nowhere" / "a.csv")
    assert "could not be written" in tab.status.text()


def test_a_newer_version_of_the_record_offers_the_comparison(qgis_app, qtbot):
    view = RecordView(lambda data: None)
    qtbot.addWidget(view)
    view.tabs.setCurrentWidget(view.checks)
    view.show()
    asked = []
    view.checks.compare_requested.connect(asked.append)
    newer = replace(GOOD, date_stamp="2024-01-01", fees="Gratuito")
    for record in (GOOD, newer):
        view.show_record(record, terms_for(record), None)
    assert "has replaced an earlier version" in view.checks.findings_view.toPlainText()
    view.checks.findings_view.link_clicked.emit("#former")
    assert asked == [GOOD]
    other = replace(GOOD, id="b")
    view.show_record(other, terms_for(other), None)
    view.checks.compare.click()
    assert asked == [GOOD, None]


def test_differences_are_told_by_signs_and_words(qgis_app, qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    newer = replace(GOOD, date_stamp="2024-01-01", fees="Gratuito", keywords=("<i>agua</i>",))
    view.show_records(newer, GOOD)
    text = view.page.toPlainText().replace("\u00a0", " ")
    assert view.heading.text().splitlines() == ["− first: Mapa guía, 2023-01-01",
                                                "+ second: Mapa guía, 2024-01-01 (newer)"]
    for expected in ("3 fields with differences", "Fees + only in the second", "+ Gratuito", "Date stamp ≠ differs",
                     "− 2023-01-01", "+ 2024-01-01", "+ <i>agua</i>"):
        assert expected in text
    assert "Title" not in text
    view.all_fields.setChecked(True)
    assert "Title = the same" in view.page.toPlainText()


def test_equal_records_are_told_to_be_so(qgis_app, qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.show_records(GOOD, GOOD)
    assert "are equal in every field" in view.page.toPlainText()


def test_the_dialog_offers_the_other_records_versions_first(qgis_app, qtbot):
    other, former = replace(GOOD, id="b", title="Otro mapa"), replace(GOOD, date_stamp="2022-01-01")
    dialog = CompareDialog(GOOD, [GOOD, other], None, former)
    qtbot.addWidget(dialog)
    dialog.show()
    assert [dialog.choice.itemText(row) for row in range(dialog.choice.count())] == [
        "Mapa guía (earlier version)", "Otro mapa"]
    assert "2022-01-01" in dialog.view.page.toPlainText()
    dialog.choice.setCurrentIndex(1)
    assert "Otro mapa" in dialog.view.page.toPlainText()
    alone = CompareDialog(GOOD, [GOOD])
    qtbot.addWidget(alone)
    alone.show()
    assert any("Open another record" in label.text() for label in alone.findChildren(QLabel) if label.isVisible())


@pytest.fixture
def dock(open_dock):
    return open_dock()


def test_a_record_of_the_list_is_compared_from_the_dock(dock, qtbot, repository):
    dock.select_record(dock.model.hit(0).identifier)
    dock.view.tabs.setCurrentWidget(dock.view.checks)
    dock.view.checks.compare.click()
    dialog = dock.findChild(CompareDialog)
    assert dialog.isVisible() and dialog.choice.count() == dock.model.rowCount() - 1
    assert "with differences" in dialog.view.page.toPlainText()
    dialog.close()


def test_a_record_that_is_opened_again_in_a_newer_version_offers_the_comparison(dock, wait_until, repository, tmp_path):
    path = repository / "resources" / "records" / "park-guide.xml"
    (record,) = read(path.read_bytes())
    dock.select_record(record.id)
    changed = tmp_path / "newer.xml"
    changed.write_text(path.read_text(encoding="utf-8").replace(">Gratuito<", ">12 euros<"), encoding="utf-8")
    dock.session.open_paths([str(changed)])
    wait_until(lambda: dock.view.record is not None and dock.view.record.fees == "12 euros")
    dock.view.tabs.setCurrentWidget(dock.view.checks)
    assert "has replaced an earlier version" in dock.view.checks.findings_view.toPlainText()
    dock.view.checks.findings_view.link_clicked.emit("#former")
    text = dock.findChild(CompareDialog).view.page.toPlainText().replace("\u00a0", " ")
    assert "Gratuito" in text and "12 euros" in text and "1 field with differences" in text


def test_an_earlier_version_is_compared_with_whenever_it_was_read(dock, wait_until, repository, tmp_path):
    path = repository / "resources" / "records" / "park-guide.xml"
    (record,) = read(path.read_bytes())
    changed = tmp_path / "newer.xml"
    changed.write_text(path.read_text(encoding="utf-8").replace(">Gratuito<", ">12 euros<"), encoding="utf-8")
    dock.session.open_paths([str(changed)])
    wait_until(lambda: dock.view.record is not None and dock.view.record.fees == "12 euros")
    dock.select_record(next(hit.identifier for hit in dock.model.hits if hit.identifier != record.id))
    dock.select_record(record.id)
    wait_until(lambda: dock.view.record.id == record.id)
    dock.list_page.comparisons.compare_selected()
    dialog = wait_until(lambda: dock.findChild(CompareDialog))
    assert dialog.choice.count() == dock.model.rowCount() - 1, "at first the others of the list"
    wait_until(lambda: dialog.choice.itemText(0).startswith("As read on"))
    assert "Bundled with Cartoguide" in dialog.choice.itemText(0)
    text = dialog.view.page.toPlainText()
    assert "1 field with differences" in text and "12 euros" in text
    assert dialog.choice.count() == dock.model.rowCount()
