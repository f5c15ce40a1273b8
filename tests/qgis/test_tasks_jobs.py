"""Jobs: results and errors on the main thread, nothing after a cancel, a responsive window."""

from __future__ import annotations

import gc
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import qgis.utils
from odd_server import OddServer
from qgis.core import QgsApplication, QgsTask
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, QTimer

from plugin.core.errors import Cancelled, CartoguideError
from plugin.core.request import HttpMethod, Request
from plugin.gis.network.client import RequestLimits, fetch
from plugin.gis.runtime import main_thread, tasks
from plugin.gis.runtime.compat import has_silent_tasks
from tests.qgis.waiting import until
from tests.slowness import LoopWatch, patience, slowness


class Outcome:
    """Collects what a job calls."""

    def __init__(self):
        self.values, self.errors, self.progress = [], [], []

    def start(self, work, **more):
        return tasks.start("a job", work, self.values.append, self.errors.append,
                           progress=lambda percent, text: self.progress.append((percent, text)), **more)


@pytest.fixture
def outcome():
    yield Outcome()
    tasks.shutdown()


def settle(seconds=0.2):
    end = time.monotonic() + seconds * slowness()
    while time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)


@pytest.mark.skipif(has_silent_tasks(), reason="this QGIS says nothing about silent tasks")
def test_no_message_of_qgis_about_a_job_covers_what_the_person_did(qgis_app, outcome, qtbot, monkeypatch):
    bar, manager = QgsMessageBar(), QgsApplication.taskManager()
    qtbot.addWidget(bar)
    monkeypatch.setattr(qgis.utils, "iface", SimpleNamespace(messageBar=lambda: bar))
    monkeypatch.setattr(tasks, "_NOTIFIED_TASK_MS", 0)
    said = []

    def notify(number, status):
        """QGIS's own notification of a long task."""
        if status == QgsTask.TaskStatus.Complete:
            said.append(manager.task(number).description())
            bar.pushMessage("Task complete", said[-1])

    manager.statusChanged.connect(notify)
    try:
        bar.pushMessage("Exported", "map.pdf")
        outcome.start(lambda _feedback: time.sleep(0.01), asks_to_close=True)
        until(lambda: outcome.values and said)
        settle()
    finally:
        manager.statusChanged.disconnect(notify)
    assert said == ["a job"] and [item.text() for item in bar.items()] == ["map.pdf"]


def test_qgis_does_not_show_a_job(qgis_app, outcome):
    """Its task list would put a bar into the status bar, which makes QGIS wider than a small screen.

    The plugin's window shows and cancels an import, a harvest, a health check and a snapshot.
    """
    finish, manager = threading.Event(), QgsApplication.taskManager()
    job = outcome.start(lambda _feedback: finish.wait(60) and threading.get_ident())
    try:
        assert until(lambda: job._work.started.is_set())
        settle()
        assert manager.activeTasks() == []
        assert job.running and not outcome.values
    finally:
        finish.set()
    assert until(lambda: outcome.values)
    assert outcome.values != [threading.get_ident()]


def test_a_hidden_job_ends_as_any_other(qgis_app, outcome):
    """With its error, and after a cancel without a call."""
    gate, ends = threading.Event(), []

    def fail(_feedback):
        raise CartoguideError("What happened.")

    outcome.start(fail).ended.connect(lambda: ends.append("failed"))
    assert until(lambda: ends)
    assert [str(error) for error in outcome.errors] == ["What happened."]
    job = outcome.start(lambda _feedback: gate.wait(60))
    job.ended.connect(lambda: ends.append("cancelled"))
    assert until(lambda: job._work.started.is_set())
    job.cancel()
    assert not job.running
    gate.set()
    assert until(lambda: len(ends) == 2)
    assert outcome.values == [] and len(outcome.errors) == 1


def test_a_job_leaves_the_switch_interval_of_python_alone(qgis_app, outcome):
    usual, seen, go_on = sys.getswitchinterval(), [], threading.Event()

    def work(_feedback):
        seen.append(sys.getswitchinterval())
        go_on.wait(patience())

    for _ in range(2):
        outcome.start(work)
    assert until(lambda: len(seen) == 2)
    assert seen == [usual] * 2
    go_on.set()
    assert until(lambda: len(outcome.values) == 2)
    assert sys.getswitchinterval() == usual


def test_a_result_comes_to_the_main_thread(qgis_app, outcome):
    threads = []

    def work(feedback):
        threads.append(threading.current_thread() is threading.main_thread())
        return 42

    job = tasks.start("a job", work, lambda value: outcome.values.append(
        (value, threading.current_thread() is threading.main_thread())), outcome.errors.append)
    assert job.running
    assert until(lambda: outcome.values)
    assert (outcome.values, outcome.errors, threads) == ([(42, True)], [], [False])
    assert not job.running


def test_threads_that_end_mark_no_new_object_as_deleted(qgis_app, no_late_notices):
    """Each of 40 threads that asked for Qt's object of it left a notice that fell on a new one at the same address."""
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(lambda: (main_thread.is_main(), main_thread.call(main_thread.is_main))) for _ in range(8)]
        assert until(lambda: all(one.done() for one in asked))
    assert [one.result() for one in asked] == [(False, True)] * 8


def test_an_error_for_people_is_passed_on_as_it_is(qgis_app, outcome):
    error = CartoguideError("What happened.", "detail")

    def work(feedback):
        raise error

    outcome.start(work)
    assert until(lambda: outcome.errors)
    assert outcome.errors == [error]
    assert outcome.values == []


def test_any_other_error_is_put_in_words_with_its_traceback(qgis_app, outcome):
    outcome.start(lambda feedback: 1 / 0)
    assert until(lambda: outcome.errors)
    assert isinstance(outcome.errors[0], CartoguideError)
    assert "unexpected" in outcome.errors[0].user_text
    assert "ZeroDivisionError" in outcome.errors[0].detail
    assert __file__.rsplit("/", 1)[-1] in outcome.errors[0].detail


def test_nothing_is_called_after_a_cancel(qgis_app, outcome):
    gate = threading.Event()
    ends = []
    job = outcome.start(lambda feedback: gate.wait(patience()))
    job.ended.connect(lambda: ends.append(True))
    assert until(job._work.started.is_set)
    job.cancel()
    assert not job.running
    gate.set()
    assert until(lambda: ends)
    settle()
    assert (outcome.values, outcome.errors) == ([], [])


def test_the_task_list_of_qgis_can_cancel_too(qgis_app, outcome):
    seen = []

    def work(feedback):
        while not feedback.isCanceled():
            time.sleep(0.01)
        seen.append(True)

    job = outcome.start(work, asks_to_close=True)
    assert until(job._work.started.is_set)
    job._task.cancel()
    assert until(lambda: seen and not job.running)
    settle(0.1)
    assert (outcome.values, outcome.errors) == ([], [])


def test_a_deleted_owner_is_never_called_and_its_work_is_cancelled(qgis_app, outcome):
    owner = QObject()
    cancelled = []

    def work(feedback):
        end = time.monotonic() + patience()
        while time.monotonic() < end:
            if feedback.isCanceled():
                cancelled.append(True)
                return 1
            time.sleep(0.01)
        return 1

    job = outcome.start(work, owner=owner)
    assert until(job._work.started.is_set)
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete)
    assert until(lambda: cancelled and not job.running)
    settle(0.1)
    assert (outcome.values, outcome.errors) == ([], [])


def test_a_job_that_nobody_holds_still_ends(qgis_app, outcome):
    outcome.start(lambda feedback: time.sleep(0.1) or "kept")
    gc.collect()
    assert until(lambda: outcome.values == ["kept"])


def failing_in_a_job():
    tasks.run_and_wait(fail)


def failing_on_the_main_thread():
    tasks.run_and_wait(lambda _feedback: main_thread.call(lambda: fail(None)))


def failing_in_a_thread():
    """Where the main thread's work fails, in a thread of Python that catches it."""
    caught = []

    def work():
        held = Held()
        references.append(weakref.ref(held))
        try:
            main_thread.call(lambda: fail(held))
        except CartoguideError:
            caught.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    assert until(lambda: not thread.is_alive()) and caught


def fail(_given):
    raise CartoguideError("No.")


class Held:
    """An object that frames hold, as they hold layouts and replies."""


references = []


@pytest.mark.parametrize("failing", [failing_in_a_job, failing_on_the_main_thread, failing_in_a_thread])
def test_a_failure_holds_nothing_for_the_collector_which_may_run_in_another_thread(qgis_app, failing):
    """A cycle of an error and its frames would be ended by whichever thread collects next, with the objects of Qt."""
    def attempt():
        held = Held()
        references.append(weakref.ref(held))
        try:
            failing()
        except CartoguideError:
            pass

    references.clear()
    gc.collect()
    gc.disable()
    try:
        attempt()
        settle(0.1)
        assert [reference() for reference in references] == [None] * len(references)
    finally:
        gc.enable()


def test_progress_is_told_in_order(qgis_app, outcome):
    def work(feedback):
        for percent in (10, 50, 90):
            feedback.report(percent, f"step {percent}")

    outcome.start(work)
    assert until(lambda: outcome.values)
    assert outcome.progress == [(10, "step 10"), (50, "step 50"), (90, "step 90")]


def test_only_the_latest_answer_counts(qgis_app, outcome):
    latest = tasks.LatestJob()
    for number in range(5):
        latest.start("typing", lambda feedback, number=number: time.sleep(0.05) or number,
                     outcome.values.append, outcome.errors.append)
    assert until(lambda: outcome.values)
    settle()
    assert outcome.values == [4]
    assert not latest.running


def test_shutdown_cancels_all_and_waits_for_them(qgis_app, outcome):
    left = []

    def work(feedback):
        while not feedback.isCanceled():
            time.sleep(0.01)
        left.append(True)

    jobs = [outcome.start(work) for _ in range(2)]
    assert until(lambda: all(job._work.started.is_set() for job in jobs))
    started = time.monotonic()
    tasks.shutdown(patience())
    assert time.monotonic() - started < 10 * slowness()
    assert len(left) == 2
    assert not any(job.running for job in jobs)
    settle(0.1)
    assert (outcome.values, outcome.errors) == ([], [])


def test_hung_servers_leave_the_window_free_and_other_jobs_running(qgis_app, outcome):
    """Also with more hung requests than the pool has threads. The requests wait for ten minutes."""
    with OddServer() as server, OddServer() as other:
        watch, timer = LoopWatch(0.005), QTimer()
        timer.timeout.connect(watch.tick)
        timer.start(5)
        limits = RequestLimits(first_byte=600, total=600, retries=0, parallel=20)
        hung = [outcome.start(lambda feedback: fetch(Request(HttpMethod.GET, server.url + "/hang"), limits=limits,
                                                     feedback=feedback)) for _ in range(8)]
        settle(0.3)
        quick = Outcome()
        quick.start(lambda feedback: fetch(Request(HttpMethod.GET, other.url + "/ok"), limits=limits).body)
        assert until(lambda: quick.values == [b"fine"])
        ended = []
        for job in hung:
            job.ended.connect(lambda: ended.append(True))
            job.cancel()
        assert until(lambda: len(ended) == 8)
        timer.stop()
    assert watch.longest < 1.0


def test_a_script_without_a_window_gets_result_or_error(qgis_app):
    assert tasks.run_and_wait(lambda feedback: 7) == 7
    with pytest.raises(CartoguideError):
        tasks.run_and_wait(lambda feedback: 1 / 0)
    gate = threading.Event()
    with pytest.raises(CartoguideError):
        tasks.run_and_wait(lambda feedback: gate.wait(5), seconds=0.2)
    gate.set()
    settle(0.1)


def test_an_error_in_a_callback_does_not_end_the_process(qgis_app, outcome, capture_exceptions):
    ends = []
    job = tasks.start("a job", lambda feedback: 1, lambda value: 1 / 0, outcome.errors.append)
    job.ended.connect(lambda: ends.append(True))
    assert until(lambda: ends)
    assert [kind for kind, _, _ in capture_exceptions] == [ZeroDivisionError]


@pytest.fixture
def capture_exceptions(qtbot):
    with qtbot.captureExceptions() as exceptions:
        yield exceptions


def test_documents_are_read_one_after_the_other_and_garbage_collection_stays_on():
    inside, most, collecting = [], [], []

    def read():
        with main_thread.exclusive_parsing():
            inside.append(1)
            collecting.append(gc.isenabled())
            time.sleep(0.005)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 4 and all(collecting) and gc.isenabled()


def test_a_call_that_was_posted_before_the_plugin_is_unloaded_ends(qgis_app, wait_until, monkeypatch):
    outcomes, posted, post = [], threading.Event(), main_thread._post

    def post_and_say(work):
        receiver = post(work)
        posted.set()
        return receiver

    monkeypatch.setattr(main_thread, "_post", post_and_say)

    def work():
        try:
            outcomes.append(main_thread.call(lambda: "called"))
        except Cancelled:
            outcomes.append("cancelled")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    # no event is handled meanwhile, so that the call is posted and not begun
    assert posted.wait(patience())
    main_thread.close()
    wait_until(lambda: outcomes, 30)
    assert outcomes == ["cancelled"]
    thread.join(30)
    # the next call has a new receiver
    again = threading.Thread(target=work, daemon=True)
    again.start()
    wait_until(lambda: len(outcomes) == 2, 30)
    assert outcomes[1] == "called"


def test_what_waits_for_a_layer_is_never_run_where_the_plugin_is_unloaded_meanwhile(qgis_app, qtbot, wait_until):
    """While the source of a layer is changed, QGIS handles events. What was posted is posted again then."""
    ran, later = [], []
    with main_thread.undisturbed():
        main_thread.post(lambda: ran.append(True))
        QCoreApplication.processEvents()
        main_thread.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QTimer.singleShot(5 * main_thread._RETRY_MS, lambda: later.append(True))
        wait_until(lambda: later)
    assert not ran


@pytest.mark.parametrize("asks_to_close", (False, True))
def test_no_job_is_left_where_the_plugin_is_unloaded_while_it_runs(asks_to_close, qtbot):
    outcome, begun = Outcome(), threading.Event()

    def work(feedback):
        begun.set()
        while not feedback.isCanceled():
            time.sleep(0.01)

    job = outcome.start(work, asks_to_close=asks_to_close)
    assert until(begun.is_set)
    tasks.shutdown(patience())
    assert job.has_ended
    assert until(lambda: job not in tasks._jobs)
    assert outcome.values == outcome.errors == []


def test_a_job_that_outlives_the_plugin_is_no_running_job_of_the_next_one(qgis_app, outcome):
    """It does not look at its feedback, and ends while nobody receives its result."""
    let_end = threading.Event()
    job = outcome.start(lambda _feedback: let_end.wait(patience()))
    assert until(job._work.started.is_set)
    tasks.shutdown(0.1)
    assert not job.has_ended and job not in tasks._jobs
    let_end.set()
    until(lambda: job.has_ended)
    settle(0.1)
    assert (outcome.values, outcome.errors) == ([], [])
