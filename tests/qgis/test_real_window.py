"""The real QGIS program in a virtual display: `make run` opens it with the dock and its records, without errors."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from qgis.PyQt.QtGui import QImage

from tests.slowness import patience

SCRIPT = """
from qgis.PyQt.QtWidgets import QDockWidget

def script():
    for _ in range(100):
        docks = [one for one in iface.mainWindow().findChildren(QDockWidget) if one.windowTitle() == "Cartoguide"]
        if docks and docks[0].isVisible():
            break
        yield 0.1
    else:
        raise AssertionError("the dock is not there")
    yield 1
"""


@pytest.mark.display
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_qgis_opens_with_the_dock_and_no_error(repository, tmp_path):
    script, picture = tmp_path / "script.py", tmp_path / "window.png"
    script.write_text(SCRIPT)
    command = [
        str(repository / "tests" / "tools" / "run_qgis.sh"), "--profile-folder", str(tmp_path / "profile"),
        "--screenshot", str(picture), "--script", str(script), "--wait", "1", "--limit", "80",
    ]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=patience(110), stdin=subprocess.DEVNULL)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "WITHOUT" not in answer.stdout
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1366, 768)
    colours = {image.pixel(x, y) for x in range(0, 1366, 7) for y in range(0, 768, 7)}
    assert len(colours) > 50
