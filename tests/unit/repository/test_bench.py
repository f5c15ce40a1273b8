"""The harness of the benchmarks: honest rows, and a failure that shows."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.slowness import patience


@pytest.fixture(scope="module")
def harness(load_tool):
    return load_tool("bench/harness")


def test_a_row_holds_its_ratio_and_whether_the_goal_is_met(harness):
    row = harness.Row("read", 50.0, "ms", "peer", 200.0, "ratio <= 0.5")
    assert row.to_dict() == {
        "name": "read", "value": 50.0, "unit": "ms", "peer": "peer", "peer_value": 200.0, "ratio": 0.25,
        "goal": "ratio <= 0.5", "ok": True,
    }
    assert harness.Row("read", 31.0, "ms", goal="value <= 30").ok is False
    assert harness.Row("read", 31.0, "ms").ok is None


def test_what_was_not_measured_is_neither_met_nor_missed(harness):
    row = harness.not_measured("read", "no server", "ms", goal="value <= 30")
    assert (row.value, row.ratio, row.ok) == (None, None, None)
    assert row.to_dict()["note"] == "not measured: no server"


def test_a_goal_that_cannot_be_read_is_refused(harness):
    with pytest.raises(ValueError, match="fast"):
        _ = harness.Row("read", 1.0, "ms", goal="fast").ok


@pytest.fixture
def project(repository, tmp_path):
    """A repository with the harness and two benchmarks, one of which fails."""
    bench = tmp_path / "tests" / "bench"
    bench.mkdir(parents=True)
    for name in ("harness.py", "run.py"):
        (bench / name).write_text((repository / "tests" / "bench" / name).read_text(encoding="utf-8"))
    (bench / "bench_a.py").write_text(
        "from harness import Row, benchmark\n"
        "@benchmark\ndef good():\n    yield Row('a', 4.0, 'ms', 'p', 2.0, 'ratio <= 1')\n"
        "@benchmark\ndef bad():\n    raise OSError('no server')\n    yield\n"
    )
    return tmp_path


def run(project, *arguments):
    command = [sys.executable, str(project / "tests" / "bench" / "run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=patience(60))


def test_a_benchmark_that_fails_says_so_in_its_row_and_stops_no_other(project):
    answer = run(project)
    rows = json.loads((project / "build" / "bench.json").read_text(encoding="utf-8"))
    assert answer.returncode == 0
    assert [(row["name"], row["value"], row["ok"]) for row in rows] == [("a", 4.0, False), ("bad", None, None)]
    assert "no server" in rows[1]["note"]
    assert "MISSED" in answer.stdout
    assert "not measured" in answer.stdout


def test_a_missed_goal_counts_where_it_is_asked_for(project):
    assert run(project, "--strict", "--only", "good").returncode == 1


def test_every_kind_of_store_query_can_be_made(load_tool, repository, monkeypatch):
    monkeypatch.syspath_prepend(str(repository / "tests" / "bench"))
    made = load_tool("bench/store_queries").queries(each=1)
    assert made["box"][0].bbox is not None
    assert all(len(queries) == 1 for queries in made.values())
