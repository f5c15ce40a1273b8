"""A slice of ``make kills`` with QGIS: a killed snapshot goes on, a killed export leaves whole files or none."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.slowness import patience


@pytest.mark.slow
def test_a_killed_snapshot_goes_on_and_a_killed_export_leaves_no_half_a_file(repository, network):
    known = json.dumps({"records": [str(path) for path in network.records], "endpoints": network.endpoints})
    done = subprocess.run([sys.executable, str(repository / "tests" / "tools" / "kills.py"), "--kills", "2",
                           "--seed", "20261122", "--work", "snapshot", "export", "--network", known],
                          capture_output=True, text=True, timeout=patience(300))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 kills of 2 kinds of work: 0 problem(s)" in done.stdout
