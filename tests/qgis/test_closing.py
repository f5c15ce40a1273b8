"""The real QGIS closes when it is asked to while an import runs, and the import can be resumed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from qgis.core import QgsTask
from qgis.PyQt.QtWidgets import QMainWindow

from plugin.gis.library import record_import, record_library
from plugin.gis.runtime import tasks
from tests.qgis.waiting import until
from tests.slowness import patience
from tests.unit.library.small_records import document

DOCUMENTS = 2_000
SCRIPT = """
import json
from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QApplication

FOLDER, NOTES = {folder!r}, Path({notes!r})

def script():
    dock = plugin.show_dock()
    while dock.session.loading:
        yield 0.1
    dock.session.imports.open([FOLDER])
    job = dock.session.imports.running[-1]
    while job.result.saved < 100:
        yield 0.02

    def look():
        box = QApplication.activeModalWidget()
        if box is not None:
            NOTES.write_text(json.dumps({{"question": box.windowTitle()}}))

    watch = QTimer(iface.mainWindow())
    watch.timeout.connect(look)
    watch.start(100)
    NOTES.write_text(json.dumps({{"saved": job.result.saved, "running": job.job.running}}))
    # the script is called from a timer: QGIS closes behind it
    QTimer.singleShot(0, iface.actionExit().trigger)
"""


@pytest.mark.slow
@pytest.mark.display
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_qgis_closes_without_a_question_while_records_are_imported(qgis_app, repository, tmp_path, monkeypatch):
    folder, notes, profile = tmp_path / "records", tmp_path / "notes.json", tmp_path / "profile"
    folder.mkdir()
    for number in range(DOCUMENTS):
        (folder / f"{number}.xml").write_bytes(document(number, f"Service {number}"))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(folder=str(folder), notes=str(notes)))
    command = [str(repository / "tests" / "tools" / "run_qgis.sh"), "--profile-folder", str(profile), "--no-network",
               "--virtual", "--script", str(script)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                               env={name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"})
    try:
        status = process.wait(patience(60))
    except subprocess.TimeoutExpired:
        status = None
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(patience(20))
    noted = json.loads(notes.read_text())
    assert "question" not in noted
    assert noted["running"]
    assert status == 0

    # the import is resumed: what was saved is recognised, the rest is read
    monkeypatch.setattr(record_library, "store_path",
                        lambda: profile / "profiles" / "default" / "cartoguide" / "records.sqlite")
    library, done = record_library.RecordLibrary(), []
    record_import.start([str(folder)], library, done.append, done.append)
    assert until(lambda: done)
    (result,) = done
    library.close()
    assert sum(summary.same for summary in result.summaries) >= noted["saved"]
    assert sum(summary.new for summary in result.summaries) > 0
    assert result.saved == DOCUMENTS


def test_qgis_asks_before_it_closes_about_files_that_a_person_waits_for_alone(qgis_app):
    """It asks about the tasks that it has, and does not know of any other job."""
    manager = qgis_app.taskManager()
    before = manager.count()
    jobs = [tasks.start("a job", lambda _feedback: None, tasks.no_op, tasks.no_op, asks_to_close=asks)
            for asks in (False, True)]
    assert manager.count() - before == 1
    flags = jobs[1]._task.flags()
    assert not flags & QgsTask.Flag.CancelWithoutPrompt
    if hasattr(QgsTask.Flag, "Silent"):
        assert flags & QgsTask.Flag.Silent and not flags & QgsTask.Flag.Hidden
    tasks.shutdown()


def test_a_message_of_a_long_task_comes_after_qgis_has_announced_its_end(qgis_app, monkeypatch):
    """QGIS 3.22 shows "Task complete" when the task manager says that a task has ended."""
    window, order = QMainWindow(), []
    monkeypatch.setattr(tasks, "_NOTIFIED_TASK_MS", 0)
    monkeypatch.setattr(tasks, "has_silent_tasks", lambda: False)
    manager = qgis_app.taskManager()

    def note(_number, status):
        if status == QgsTask.TaskStatus.Complete:
            order.append("Task complete")

    manager.statusChanged.connect(note)
    try:
        tasks.start("a job", lambda _feedback: 1, lambda _value: order.append("Exported"), order.append, window,
                    asks_to_close=True)
        assert until(lambda: len(order) == 2)
    finally:
        manager.statusChanged.disconnect(note)
    assert order == ["Task complete", "Exported"]
