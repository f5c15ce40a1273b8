"""A slice of ``make soak``: random actions in the real QGIS leave no error and nothing behind."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

#: what fits into about a minute on a quiet machine, the start of QGIS included
ACTIONS = 500


@pytest.mark.display
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_random_actions_leave_nothing_behind(repository):
    done = subprocess.run([sys.executable, str(repository / "tests" / "tools" / "soak.py"), "--actions", str(ACTIONS),
                           "--seed", "20261122"], capture_output=True, text=True, timeout=590)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{ACTIONS} actions: 0 problem(s)" in done.stdout
