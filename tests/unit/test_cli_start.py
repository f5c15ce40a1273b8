"""The command line on a Python that lacks what QGIS's Python has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_missing_library_is_named_in_one_line_and_not_as_a_traceback(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "lxml.py").write_text("raise ModuleNotFoundError(\"No module named 'lxml'\", name='lxml')\n")
    started = subprocess.run(
        [sys.executable, "-c", "import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); "
         "sys.argv[0] = 'core'; runpy.run_module('plugin.core', run_name='__main__')", str(tmp_path), "read", "x.xml"],
        cwd=repository, capture_output=True, text=True, check=False)
    assert started.returncode == 1
    assert started.stderr.count("\n") == 1 and "lacks the Python module lxml" in started.stderr
    assert "Traceback" not in started.stderr
