"""A slice of ``make soak``: random actions in the real QGIS leave no error and nothing behind."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

#: what fits into about a minute on a quiet machine, the start of QGIS included
ACTIONS = 300
#: kilobytes that each action leaks where the judge is tried
LEAK = 400
SEED = "20261122"

pytestmark = [
    pytest.mark.display, pytest.mark.slow, pytest.mark.timeout(600),
    pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")]


def soak(repository, *options):
    return subprocess.run([sys.executable, str(repository / "tests" / "tools" / "soak.py"), "--actions", str(ACTIONS),
                           "--seed", SEED, *options], capture_output=True, text=True, timeout=590)


def test_random_actions_leave_nothing_behind(repository):
    done = soak(repository)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{ACTIONS} actions: 0 problem(s)" in done.stdout


def test_a_leak_is_found_in_as_few_actions(repository):
    done = soak(repository, "--leak", str(LEAK))
    assert done.returncode == 1 and "more for each action, in every round" in done.stdout, done.stdout + done.stderr
