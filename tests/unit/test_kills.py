"""A slice of ``make kills`` without QGIS: killed work loses nothing that it acknowledged, and goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slowness import patience

REPOSITORY = Path(__file__).resolve().parents[2]
WORKS = ("import", "harvest", "save", "pack", "collection", "library move")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_killed_work_loses_nothing_that_it_acknowledged():
    done = subprocess.run([sys.executable, str(REPOSITORY / "tests" / "tools" / "kills.py"), "--kills", "6",
                           "--seed", "20261122", "--work", *WORKS], capture_output=True, text=True,
                          timeout=patience(300))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 kills of 6 kinds of work: 0 problem(s)" in done.stdout
