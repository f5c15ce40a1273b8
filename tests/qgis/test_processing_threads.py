"""Algorithms as QGIS runs them: in a worker thread, cancelled, inside a model, with clear errors."""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsApplication,
    QgsProcessingAlgRunnerTask,
    QgsProcessingContext,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingParameterFile,
    QgsProject,
)
from qgis.PyQt.QtCore import QTimer

from tests.qgis.algorithm_runs import Heard, algorithm, lay_out, registered_provider, use_network


@pytest.fixture
def provider(qgis_app, network, monkeypatch):
    use_network(network, monkeypatch)
    with registered_provider() as one:
        yield one


class Runner:
    """One run in a task of QGIS's own, as its dialogs do it."""

    def __init__(self, name, parameters):
        self.heard, self.context = Heard(), QgsProcessingContext()
        self.context.setProject(QgsProject.instance())
        self.ended = []
        self.one = algorithm(name)
        self.task = QgsProcessingAlgRunnerTask(self.one, parameters, self.context, self.heard)
        self.task.executed.connect(lambda done, results: self.ended.append((done, results)))
        QgsApplication.taskManager().addTask(self.task)


def test_in_a_worker_thread_services_are_asked_and_progress_is_told(provider, network, wait_until):
    runner = Runner("checkservices", {"RECORDS": "\n".join(network.endpoints.values()), "SERVICES": "memory:"})
    wait_until(lambda: runner.ended, 60)
    done, results = runner.ended[0]
    assert done and results["GOOD"] == 3
    assert runner.heard.progress() == 100 and runner.heard.said


def test_a_worker_that_is_cancelled_ends_soon_and_gives_nothing(provider, network, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang"}})
    runner = Runner("checkservices", {"RECORDS": network.endpoints["guide"], "SERVICES": "memory:"})
    wait_until(lambda: network.count("GetCapabilities"), 20)
    runner.heard.cancel()
    wait_until(lambda: runner.ended, 10)
    assert runner.ended[0][0] is False and runner.heard.errors == ["Cancelled."]


def test_on_the_main_thread_a_cancel_gets_through_too(provider, network, tmp_path):
    lay_out(tmp_path, network)
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang"}})
    heard = Heard()
    QTimer.singleShot(1500, heard.cancel)
    _, done = algorithm("buildcustommap").run(
        {"FOLDER": str(tmp_path / "records"), "PROJECT": str(tmp_path / "map.qgz"),
         "DOCUMENT": str(tmp_path / "map.custommap.json")}, QgsProcessingContext(), heard)
    assert not done and heard.errors == ["Cancelled."]
    assert not [path.name for path in tmp_path.iterdir() if path.name != "records"]


def test_only_maps_need_the_main_thread(provider):
    flag = algorithm("readrecords").Flag.FlagNoThreading
    assert {one.name() for one in provider.algorithms() if one.flags() & flag} == {"buildcustommap", "exportcustommap"}


@pytest.mark.slow
def test_a_model_reads_records_and_hands_their_credit_on(provider, network, tmp_path):
    """A folder in; its records' terms out, and a table whose name the model gives."""
    lay_out(tmp_path, network)
    model = QgsProcessingModelAlgorithm("Terms of a folder", "tests")
    model.addModelParameter(QgsProcessingParameterFile("where", "Where", QgsProcessingParameterFile.Behavior.Folder),
                            QgsProcessingModelParameter("where"))
    child = QgsProcessingModelChildAlgorithm("cartoguide:resolveterms")
    child.setChildId("terms")
    child.addParameterSources("FOLDER", [QgsProcessingModelChildParameterSource.fromModelParameter("where")])
    output = QgsProcessingModelOutput("table", "table")
    output.setChildId("terms")
    output.setChildOutputName("TERMS")
    child.setModelOutputs({"table": output})
    assert model.addChildAlgorithm(child) == "terms"
    heard, context = Heard(), QgsProcessingContext()
    context.setProject(QgsProject.instance())
    # how a model calls its outputs has changed
    name = model.destinationParameterDefinitions()[0].name()
    results, done = model.run({"where": str(tmp_path / "records"), name: "memory:"}, context, heard)
    assert done, heard.errors
    layer = context.getMapLayer(results[name])
    assert layer.featureCount() == 3
    assert all(one["credit_required"] == "yes" for one in layer.getFeatures())
