"""Every row of the benchmarks runs once and small, so that none of them is broken when somebody wants its figure."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.slowness import patience

#: what is not measured without being asked for, or without MetaSearch
LEFT_OUT = ("store search 1,000,000", "MetaSearch")


@pytest.mark.timeout(560)
def test_every_row_of_the_benchmarks_is_measured(repository, tmp_path):
    program, target = repository / "tests" / "bench" / "run.py", tmp_path / "rows"
    command = [sys.executable, str(program), "--tiny", "--out", str(target)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=patience(300))
    assert done.returncode == 0, done.stderr
    rows = json.loads(target.read_text("utf-8"))
    assert len(rows) > 60
    assert [row for row in rows if row["value"] is None and not any(name in row["name"] for name in LEFT_OUT)] == []
