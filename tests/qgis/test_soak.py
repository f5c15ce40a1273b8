"""A slice of ``make soak``: random actions in the real QGIS leave no error and nothing behind."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.pairwise import ALL

#: the fewest of whose counts growth is judged, or of whose memory (tests/tools/soak.py)
ACTIONS = 125 if ALL else 75
#: kilobytes that each action leaks where the judge is tried
LEAK = 400
SEED = "20261122"

pytestmark = [
    pytest.mark.display, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")]


def soak(repository, *options):
    return subprocess.run([sys.executable, str(repository / "tests" / "tools" / "soak.py"), "--actions", str(ACTIONS),
                           "--seed", SEED, *options], capture_output=True, text=True, timeout=590)


@pytest.mark.slow
def test_random_actions_leave_nothing_behind(repository):
    done = soak(repository)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{ACTIONS} actions: 0 problem(s)" in done.stdout


@pytest.mark.skipif(not ALL, reason="make soak has a real leak, test_soak_judge.py made-up ones")
def test_a_leak_is_found_in_as_few_actions(repository):
    done = soak(repository, "--leak", str(LEAK))
    assert done.returncode == 1 and "more for each action, in every round" in done.stdout, done.stdout + done.stderr
