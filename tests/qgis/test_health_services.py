"""Health checks on the real MapServer: working and failing operations, saved with their date."""

from __future__ import annotations

import csv
import io
import json

import pytest

from plugin.core.distributions.record_distributions import wms_address
from plugin.core.health import Verdict, latest_checks
from plugin.core.records import read
from plugin.gis.checks.service_health import (
    ServiceHealthChecker,
    ServiceTarget,
    check_service,
    read_results,
    results_path,
)
from plugin.gis.runtime import settings, tasks
from plugin.gis.services import service_cache
from plugin.ui.service_health_dialog import ReportFormat

PARTS = ["capabilities", "content", "version", "terms", "map", "legend", "info", "describe", "styles"]
OPERATIONS = ("GetCapabilities", "GetMap", "GetLegendGraphic", "GetFeatureInfo", "DescribeLayer", "GetStyles")


def records(network):
    found = {}
    for path in network.records:
        for record in read(path.read_bytes(), path.name):
            found[record.id] = record
    return found


def checked(target, records_by_id=None):
    return tasks.run_and_wait(lambda feedback: check_service(target, feedback, (records_by_id or {}).get), 60)


@pytest.fixture
def dock(network, monkeypatch, open_dock):
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    settings.set("profile", str(network.profile_path))
    return open_dock()


@pytest.mark.parametrize("name", ["facilities", "precipitation", "guide"])
def test_each_operation_is_asked_once_and_works(qgis_app, network, name):
    health, error = checked(ServiceTarget(network.endpoints[name], "x"))
    told = {probe.kind: (probe.verdict, probe.message) for probe in health.probes}
    assert error is None and list(told) == PARTS
    assert {part for part, (verdict, _) in told.items() if verdict is not Verdict.GOOD} == {"terms"}, told
    assert [network.count(operation, name) for operation in OPERATIONS] == [1] * 6
    assert health.version == "1.3.0" and health.verdict is Verdict.GOOD and health.seconds > 0


def test_what_fails_is_told_and_the_rest_is_tried_all_the_same(qgis_app, network):
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "truncate", "share": 0.5}},
                  {"match": {"request": "GetFeatureInfo"}, "action": {"type": "status", "code": 403}},
                  {"match": {"request": "GetStyles"},
                   "action": {"type": "exception", "code": "OperationNotSupported", "text": "no hay estilos"}},
                  {"match": {"request": "GetLegendGraphic"}, "action": {"type": "html"}})
    health, error = checked(ServiceTarget(network.endpoints["facilities"], "x"))
    verdicts = {probe.kind: probe.verdict for probe in health.probes}
    assert [part for part in PARTS if verdicts[part] is Verdict.FAILED] == ["map", "legend", "info", "styles"]
    assert "complete" in health.probe("map").message and "no hay estilos" in health.probe("styles").message
    assert health.verdict is Verdict.FAILED
    # the failure that a login may mend is the one that is handed on
    assert getattr(error, "status", 0) == 403


def test_all_services_of_the_records_are_checked_kept_and_saved(dock, network, wait_until, tmp_path):
    dock.dialogs.open_health()
    panel = dock.dialogs.health
    network.fault({"match": {"endpoint": "guide"}, "action": {"type": "status", "code": 503}})
    panel.check_all_button.click()
    assert panel.stop.isVisible()
    wait_until(lambda: not panel.stop.isVisible(), 60)
    found = {one.endpoint: one for one in latest_checks(panel.checks)}
    assert set(found) == set(network.endpoints.values())
    assert found[network.endpoints["guide"]].verdict is Verdict.FAILED
    # the record is held against the service
    assert found[network.endpoints["facilities"]].probe("terms").verdict is not Verdict.SKIPPED
    # the worst first, in words and signs
    assert panel.service_tree.topLevelItem(0).text(1) == "✗ failed" and panel.service_tree.topLevelItemCount() == 3
    panel.service_tree.setCurrentItem(panel.service_tree.topLevelItem(0))
    assert "not available" in panel.detail_view.toPlainText()
    panel.save(tmp_path / "a.html", ReportFormat.HTML)
    panel.save(tmp_path / "a.csv", ReportFormat.CSV)
    assert "http-equiv=\"Content-Security-Policy\"" in (tmp_path / "a.html").read_text()
    rows = list(csv.reader(io.StringIO((tmp_path / "a.csv").read_bytes().decode("utf-8-sig"))))
    assert len(rows) == 1 + 1 + 9 + 9
    # asked again, it works; what was found before stays beside it
    network.fault()
    panel.check_again_button.click()
    wait_until(lambda: not panel.stop.isVisible(), 60)
    kept = [one for one in read_results() if one.endpoint == network.endpoints["guide"]]
    assert [one.verdict for one in kept] != [Verdict.FAILED] and kept[-1].verdict is Verdict.FAILED
    assert json.loads(results_path().read_text())["format"] == "cartoguide-health/1"
    assert "✗ failed" in panel.detail_view.toPlainText()


def test_the_map_service_of_a_data_set_is_checked_too_and_the_button_says_which_are(
        dock, repository, wait_until, tmp_path):
    guide = repository / "resources" / "records" / "park-guide.xml"
    address, (record,) = "http://127.0.0.1:9/apagado?", read(guide.read_bytes())
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo").replace(record.id, "d" * 40)
    text = text.replace('codeListValue="service"', 'codeListValue="dataset"')
    (tmp_path / "datos.xml").write_text(text.replace(wms_address(record), address), encoding="utf-8")
    dock.session.open_paths([str(tmp_path / "datos.xml")])
    wait_until(lambda: not dock.session.loading and dock.session.record("d" * 40) is not None)
    assert dock.session.record("d" * 40).kind is not record.kind
    dock.dialogs.open_health()
    panel = dock.dialogs.health
    assert panel.check_all_button.text() == "Check all map services"
    panel.check_all_button.click()
    wait_until(lambda: not panel.stop.isVisible(), 60)
    found = {one.endpoint: one.verdict for one in latest_checks(panel.checks)}
    assert found[address] is Verdict.FAILED and len(found) == 4
    assert panel.status_label.text().startswith("4 map services: ")


def test_one_server_gets_one_request_at_a_time_and_a_check_can_be_stopped(qgis_app, network, wait_until):
    checking, found, ended = ServiceHealthChecker(), [], []
    checking.checked.connect(lambda health, _error: found.append(health))
    checking.ended.connect(lambda: ended.append(True))
    network.fault({"match": {"request": "GetMap", "endpoint": "precipitation"}, "action": {"type": "hang"}})
    checking.start([ServiceTarget(network.endpoints[name], name) for name in ("facilities", "precipitation", "guide")])
    wait_until(lambda: network.count("GetMap", "precipitation") == 1, 60)
    assert network.count("GetCapabilities", "guide") == 0
    checking.cancel()
    wait_until(lambda: ended, 5)
    # what was finished is kept
    assert [one.title for one in found] == ["facilities"] == [one.title for one in read_results()]
    tasks.shutdown()
