"""Algorithms beside the running plugin: registered with it, and the records that they save are shown at once."""

from __future__ import annotations

import pytest
from made_catalogue import made
from qgis.core import QgsApplication, QgsProcessingAlgRunnerTask, QgsProcessingContext, QgsProject
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.model import SourceKind
from tests.qgis.algorithm_runs import Heard, algorithm
from tests.qgis.browser_views import BrowserView


def test_a_script_that_qgis_runs_at_its_start_finds_the_algorithms(plugin_window):
    # no event was handled since initGui
    assert QgsApplication.processingRegistry().algorithmById("cartoguide:readrecords") is not None


@pytest.fixture
def server():
    with ScriptedCatalogue(made(12)) as running:
        yield running


@pytest.mark.parametrize("with_dock", [True, False])
def test_what_an_algorithm_harvests_is_in_the_dock_and_in_the_browser_at_once(plugin_window, server, wait_until,
                                                                              with_dock):
    plugin = plugin_window.plugin
    browser = BrowserView(wait_until)
    before = len(browser.children("Cartoguide", "All records"))
    if with_dock:
        dock = plugin.show_dock()
        wait_until(lambda: not dock.session.loading)
    heard, context, ended = Heard(), QgsProcessingContext(), []
    context.setProject(QgsProject.instance())
    one = algorithm("harvestsource")
    task = QgsProcessingAlgRunnerTask(one, {"CATALOGUE": f"{server.url}/{SourceKind.CSW_2[:3]}"}, context, heard)
    task.executed.connect(lambda done, results: ended.append((done, results)))
    QgsApplication.taskManager().addTask(task)
    wait_until(lambda: ended, 60)
    assert ended[0][0] and ended[0][1]["NEW"] == 12, heard.errors
    if with_dock:
        wait_until(lambda: dock.model.rowCount() >= 12)
    wait_until(lambda: len(browser.children("Cartoguide", "All records")) != before)
    browser.view.setModel(None)
