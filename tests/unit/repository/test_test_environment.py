"""Guarantees of the test environment: fixtures, isolation and temporary folders."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time

import pytest

from tests.slowness import LoopWatch, patience


def test_no_socket_leaves_this_machine():
    with pytest.raises(AssertionError, match="this machine"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(AssertionError, match="this machine"):
        socket.getaddrinfo("example.org", 80)


def test_the_loopback_address_stays_reachable():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()


def test_settings_and_caches_of_the_person_are_out_of_reach():
    for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        assert "cartoguide-tests-" in os.environ[variable]


def test_every_module_of_core_imports_without_qgis(repository):
    files = sorted((repository / "plugin" / "core").rglob("*.py"))
    names = [".".join(path.relative_to(repository).with_suffix("").parts) for path in files if path.stem != "__main__"]
    code = (
        "import sys, importlib\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "print(*sorted({m.split('.')[0] for m in sys.modules} & {'qgis', 'PyQt5', 'PyQt6', 'requests'}))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, *names], cwd=repository, capture_output=True, text=True, timeout=patience(60)
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == []


def test_make_runs_the_qgis_that_it_is_given(repository, tmp_path):
    package = tmp_path / "share" / "qgis" / "python" / "qgis"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    rule = "which: ; @$(PYTHON) -c 'import qgis, os; print(qgis.__file__, os.environ[\"PATH\"].split(\":\")[0])'"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "QGIS"))}
    answer = subprocess.run(["make", "--silent", f"--eval={rule}", "which", f"QGIS_PREFIX={tmp_path}"], cwd=repository,
                            env=environment, capture_output=True, text=True, timeout=60)
    assert answer.stdout.split() == [str(package / "__init__.py"), str(tmp_path / "bin")], answer.stderr


def test_slow_tests_are_left_out_only_where_nothing_is_chosen(load_tool):
    options = load_tool("tools/test").pytest_options
    assert options(["-x"]) == ["-x", "-m", "not slow"]
    for chosen in (["-k", "word"], ["-m", "slow"], ["tests/qgis/test_soak.py"]):
        assert options(chosen) == chosen
    assert options(["--all", "-x"]) == ["-x"]


def test_every_file_of_tests_runs_once(repository, load_tool):
    suite = load_tool("tools/test")
    files = {path for stage in ("unit", "qgis") for path in (repository / "tests" / stage).rglob("test_*.py")}
    slow_files = {path for path in files if suite.SLOW_FILE.search(path.read_text("utf-8"))}
    assert slow_files
    for slow in (True, False):
        paths = [repository / path for piece in suite.pieces(slow) for path in piece.paths]
        assert len(paths) == len(set(paths))
        run = {path for path in files if not {path, *path.parents}.isdisjoint(paths)}
        assert run == (files if slow else files - slow_files)


def worked(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_loop_is_held_by_work_and_by_waiting_but_not_by_other_processes():
    for hold in (worked, time.sleep):
        watch = LoopWatch()
        hold(0.2)
        watch.tick()
        assert watch.longest > 0.15, hold
        watch.start()
        watch.tick()
        assert watch.longest < 0.15

    ready, seen = threading.Event(), threading.Event()

    def hold_lock(lock):
        with lock:
            ready.set()
            worked(0.1)
        seen.wait()

    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        time.sleep(0.5)
        lock, watch, began = threading.Lock(), LoopWatch(), time.monotonic()
        worker = threading.Thread(target=hold_lock, args=(lock,))
        worker.start()
        ready.wait()
        with lock:
            took = time.monotonic() - began
            watch.tick()
        seen.set()
        worker.join()
        assert took > 0.2, "the other processes took no part of the core"
        assert 0.02 < watch.longest < 0.9 * took
    finally:
        for process in busy:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, cores)
