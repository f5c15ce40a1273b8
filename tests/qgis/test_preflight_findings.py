"""Issues in the composer: up to date while composing, tested before printing, fixed by their buttons, undone."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QApplication

from plugin.app.maps.document_controller import recent_maps
from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import AddMode
from plugin.core.box import Box
from plugin.core.custommap.map_findings import MapFinding, MapRemedy, RemedyKind
from plugin.core.custommap.model import MapRole
from plugin.core.review.checks.rules import Severity
from plugin.gis.export import layout_export as exports
from plugin.gis.pages.map_book import BookParts
from plugin.gis.runtime import settings
from plugin.ui.composer.map_series_dialog import MapSeriesDialog, parse_scales
from tests.qgis.test_dock_map import PARK, added, both, dock, items  # noqa: F401 - fixtures

FAULT = {"match": {"request": "GetMap", "endpoint": "facilities"}, "action": {"type": "status", "code": 500}}


@pytest.fixture
def composed_map(both):  # noqa: F811
    """Two services on an A4 page of the park."""
    settings.set("export_dpi", 96)
    both.composer_controller.extent.set_extent(PARK.box)
    return both


def rules(made):
    return [finding.rule for finding in made.composer.findings.findings]


def test_the_findings_follow_the_map_without_a_request(composed_map, network):
    asked = len(network.requests)
    panel, actions = composed_map.composer.findings, composed_map.composer_controller
    assert "years" in rules(composed_map) and "note" in panel.fold_button.text()
    assert "megapixels" in panel.status_label.text() and "6 images" in panel.status_label.text()
    actions.extent.set_extent(Box(-6.0, 36.5, -5.8, 36.6))
    outside = [finding for finding in panel.findings if finding.rule == "outside"]
    assert outside and outside[0].severity is Severity.ERROR and "error" in panel.fold_button.accessibleName()
    panel.set_expanded(True)
    row = next(row for row in panel.rows if row.finding is outside[0])
    assert row.button is not None and row.message_label.accessibleName().startswith("Error: ")
    row.button.click()
    assert rules(composed_map).count("outside") < len(outside)
    assert len(network.requests) == asked, "nothing is asked while composing"
    started = time.process_time()
    actions.preflight.refresh()
    assert time.process_time() - started < 10


def test_symbols_without_a_base_are_a_finding_whose_button_adds_the_guide_map(dock, wait_until):  # noqa: F811
    added(dock, wait_until, "quipamientos", AddMode.AS_OVERLAY)
    dock.composer_controller.extent.set_extent(PARK.box)
    dock.composer_controller.extent.set_scale(75_000.0)
    panel = dock.composer.findings
    wait_until(lambda: any(finding.rule == "no-base" and finding.remedy for finding in panel.findings), 60)
    panel.set_expanded(True)
    row = next(row for row in panel.rows if row.finding.rule == "no-base")
    assert row.finding.severity is Severity.WARNING and "Mapa guía" in row.button.text()
    row.button.click()
    wait_until(lambda: len(items(dock)) == 2 and not dock.composer_controller.map.adding, 60)
    assert [item.role for item in items(dock)] == [MapRole.BASE, MapRole.OVERLAY]
    assert "guía" in items(dock)[0].entry.title
    wait_until(lambda: "no-base" not in rules(dock), 10)


def test_show_its_area_leaves_the_scale_of_a_fitted_page_and_keeps_a_chosen_one(dock, wait_until):  # noqa: F811
    added(dock, wait_until, "quipamientos", AddMode.AS_OVERLAY)
    composing, maps = dock.composer_controller, dock.map
    composing.refresh_view()
    assert maps.custom_map.extent_mode is ExtentMode.FITTED and maps.chosen.scale > 1_000_000, "all of Andalusia"
    composing.extent.set_extent(PARK.box)
    composing.refresh_view()
    frame = composing.page.frame.frame
    assert maps.chosen.scale is None and frame.scale < 100_000, "the page is as large as the park needs"
    composing.map.undo()
    assert maps.custom_map.extent_mode is ExtentMode.FITTED and maps.chosen.scale > 1_000_000
    composing.extent.set_scale(60_000.0)
    composing.extent.set_extent(PARK.box)
    composing.refresh_view()
    assert maps.chosen.scale == composing.page.frame.frame.scale == 60_000, "the person has chosen it"


@pytest.mark.slow
def test_asking_names_what_fails_at_print_size_and_the_export_uses_what_came(composed_map, network, wait_until,
                                                                           tmp_path, qtbot):
    def at_print_size():
        # the picture of the page draws anew too what failed, at a size of its own
        return sum("REQUEST=GetMap" in request["query"] and "MAP_RESOLUTION=96" in request["query"]
                   for request in network.requests)

    panel, printing = composed_map.composer.findings, composed_map.composer_controller.exporter
    network.fault(FAULT)
    panel.check.click()
    wait_until(lambda: "print-size" in rules(composed_map), 60)
    failed = [finding for finding in panel.findings if finding.rule == "print-size"]
    assert len(failed) == 1 and failed[0].service_title
    assert failed[0].message.count("“") == 3 and "500" in failed[0].detail
    assert panel.fold_button.isChecked() and "Not all images arrived at" in panel.status_label.text()
    network.reset()
    panel.check.click()
    wait_until(lambda: "print-size" not in rules(composed_map) and panel.check.isEnabled(), 60)
    assert panel.status_label.text().startswith("All images arrived at"), "the result first, where there is little room"
    assert at_print_size() == 3, "what came before is kept"
    with qtbot.waitSignal(printing.finished, timeout=90_000):
        printing.export("pdf", tmp_path / "mapa.pdf")
    assert at_print_size() == 3, "the export reads what the check has fetched"
    composed_map.composer_controller.extent.set_scale(50_000.0)
    assert "Changed since it was checked" in panel.status_label.text()


def test_changes_are_undone_and_redone_services_and_all(composed_map, wait_until):
    actions = composed_map.composer_controller
    before, fitted = [item.entry.title for item in items(composed_map)], actions.map.chosen.scale
    assert fitted != 50_000.0
    actions.extent.set_scale(50_000.0)
    actions.map.remove(1)
    actions.refresh_view()
    assert len(items(composed_map)) == 1 and composed_map.composer.undo.isEnabled()
    composed_map.composer.undo.click()
    wait_until(lambda: len(items(composed_map)) == 2 and not actions.map.adding, 60)
    actions.refresh_view()
    assert [item.entry.title for item in items(composed_map)] == before
    assert actions.map.chosen.scale == 50_000.0
    composed_map.composer.undo.click()
    wait_until(lambda: actions.map.chosen.scale == fitted, 5)
    composed_map.composer.redo.click()
    wait_until(lambda: actions.map.chosen.scale == 50_000.0, 5)


def test_where_the_extent_comes_from_is_undone_too_and_printing_is_no_change(composed_map):
    actions, page = composed_map.composer_controller, composed_map.composer.page
    assert actions.extent.mode == ExtentMode.CUSTOM and actions.map.chosen.extent == PARK
    page.extent_changed.emit(ExtentMode.ALL_SERVICES)
    assert actions.extent.mode == ExtentMode.ALL_SERVICES and page.extent.currentData() == ExtentMode.ALL_SERVICES
    actions.map.printed_document()
    actions.refresh_view()
    actions.map.undo()
    actions.refresh_view()
    assert actions.extent.mode == ExtentMode.CUSTOM
    assert actions.map.chosen.extent == PARK, "one step back, though the map was printed"
    assert page.extent.currentData() == ExtentMode.CUSTOM
    actions.map.redo()
    actions.refresh_view()
    assert actions.extent.mode == ExtentMode.ALL_SERVICES and page.extent.currentData() == ExtentMode.ALL_SERVICES
    before = actions.map.project_crs()
    actions.preflight.apply_remedy(
        MapFinding("crs", Severity.WARNING, "", "", remedy=MapRemedy(RemedyKind.CRS, "", "EPSG:3857")))
    assert actions.map.project_crs() == actions.map.crs() == "EPSG:3857"
    actions.map.undo()
    actions.refresh_view()
    assert actions.map.project_crs() == actions.map.crs() == before != "EPSG:3857"


def test_a_map_in_degrees_is_given_a_true_scale_by_one_click_and_says_which_it_has_until_then(composed_map):
    actions, page, panel = composed_map.composer_controller, composed_map.composer.page, composed_map.composer.findings
    actions.extent.set_scale(50_000.0)
    actions.preflight.apply_remedy(
        MapFinding("crs", Severity.WARNING, "", "", remedy=MapRemedy(RemedyKind.CRS, "", "EPSG:4326")))
    actions.refresh_view()
    assert "1:50\u202f000 along the parallel" in page.summary.text()
    panel.set_expanded(True)
    row, = [row for row in panel.rows if row.finding.rule == "degrees"]
    assert "500 m" in row.finding.message and row.finding.remedy.value in ("EPSG:25830", "EPSG:3042")
    row.button.click()
    actions.refresh_view()
    assert actions.map.crs() == actions.map.project_crs() == row.finding.remedy.value
    assert not {"degrees", "uneven-scale"} & set(rules(composed_map))
    assert "1:50\u202f000 ·" in page.summary.text()


def test_services_that_moved_are_asked_at_their_records_addresses_by_one_button(composed_map, network, wait_until,
                                                                                tmp_path):
    actions = composed_map.composer_controller
    path = tmp_path / "vieja.custommap.json"
    actions.documents.save_to(path)
    assert recent_maps() == [path.resolve()]
    text = json.loads(path.read_text(encoding="utf-8"))
    entries = [text["base"], *text["overlays"]]
    right = [entry["endpoint"] for entry in entries]
    for entry in entries:
        entry["endpoint"] = entry["endpoint"].replace("127.0.0.1", "127.0.0.1:9/alt").split("?")[0] + "?"
    path.write_text(json.dumps(text), encoding="utf-8")
    QgsProject.instance().clear()
    actions.documents.open_file(path)
    wait_until(lambda: rules(composed_map).count("missing") == 1 and not actions.map.adding, 60)
    moved = [item.entry.endpoint for item in items(composed_map)]
    assert "moved" not in rules(composed_map)
    finding, = [one for one in composed_map.composer.findings.findings if one.rule == "missing"]
    actions.preflight.apply_remedy(replace(finding, remedy=finding.other_remedies[0]))
    assert all(item.loading for item in items(composed_map)), "Load again is for all of them"
    actions.preflight.apply_remedy(finding)
    wait_until(lambda: not actions.map.adding and len(items(composed_map)[1].layer_ids) == 3, 60)
    wait_until(lambda: not {"moved", "missing"} & set(rules(composed_map)), 5)
    assert [item.entry.endpoint for item in items(composed_map)] == right and items(composed_map)[1].entry.credit.line
    actions.map.undo()
    assert [item.entry.endpoint for item in items(composed_map)] == moved, "one button is one step to undo"


def test_a_series_is_asked_for_in_words_people_type(qgis_app, qtbot):
    assert parse_scales("1:10 000; 25.000, 50000, x, 5") == [10000.0, 25000.0, 50000.0]
    assert parse_scales("10,000, 1:25,000,50000,100000") == [10000.0, 25000.0, 50000.0, 100000.0]
    dialog = MapSeriesDialog(None, 25000.0)
    qtbot.addWidget(dialog)
    told = []
    dialog.scales_chosen.connect(lambda scales, kind: told.append((scales, kind)))
    assert dialog.scales.text() == "1:12\u202f500, 1:25\u202f000" and dialog.export_button.isEnabled()
    dialog.scales.setText("")
    assert not dialog.export_button.isEnabled()
    dialog.scales.setText("10000, 20000")
    dialog.export_button.click()
    assert told == [([10000.0, 20000.0], "pdf")]
    chosen = MapSeriesDialog([], 50000.0, None, lambda scale, overlap: round(300_000 / scale / (1 - overlap)))
    qtbot.addWidget(chosen)
    chosen.grid_chosen.connect(lambda *values: told.append(values))
    assert chosen.sheet_scale.text() == "1:50\u202f000"
    assert "6 sheet" in chosen.summary_label.text() and chosen.export_button.isEnabled()
    chosen.sheet_scale.setText("")
    assert not chosen.export_button.isEnabled()
    chosen.sheet_scale.setText("1:30 000")
    chosen.overlap.setValue(50)
    assert "20 sheet" in chosen.summary_label.text()
    chosen.export_button.click()
    chosen.overview.setChecked(False)
    chosen.export_button.click()
    assert told[1:] == [(30000.0, 0.5, BookParts(True), "pdf"), (30000.0, 0.5, BookParts(), "pdf")]
    empty = MapSeriesDialog([])
    qtbot.addWidget(empty)
    assert not empty.export_button.isEnabled() and "polygon layer" in empty.summary_label.text()
    QApplication.processEvents()


def test_extent_may_stay_as_it_is(composed_map):
    assert composed_map.composer_controller.extent.mode == ExtentMode.CUSTOM
    assert composed_map.composer_controller.extent.current() == PARK.box


@pytest.mark.slow
def test_a_second_layout_waits_until_the_first_is_drawn(composed_map, tmp_path, qtbot, monkeypatch):
    """A new layout of the same name takes the older one away, and QGIS would draw what is deleted."""
    printing = composed_map.composer_controller.exporter
    settings.set("check_before_export", False)
    real, built = exports.export_layouts, []

    def export(pages, *rest):
        printing.build_layout(built.append)
        printing.open_layout()
        QApplication.processEvents()
        assert printing.layout is pages[0]
        return real(pages, *rest)

    monkeypatch.setattr(exports, "export_layouts", export)
    with qtbot.waitSignal(printing.finished, timeout=90_000):
        printing.export("pdf", tmp_path / "mapa.pdf")
    assert built == [] and (tmp_path / "mapa.pdf").stat().st_size > 10_000
    printing.build_layout(built.append)
    qtbot.waitUntil(lambda: bool(built), timeout=60_000)
