"""The guide's pictures are made in the real QGIS, by the clicks that the guide describes."""

from __future__ import annotations

import re
import shutil

import pytest
from qgis.PyQt.QtGui import QImage


@pytest.mark.display
@pytest.mark.timeout(400)
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_every_picture_of_the_guide_is_taken_in_the_running_qgis(repository, load_tool, tmp_path):
    load_tool("tools/guide_pictures").take(tmp_path / "es", "es")
    pages = (repository / "resources" / "guide" / "es").glob("*.md")
    shown = {name for page in pages for name in re.findall(r"\.\./pictures/es/([\w-]+\.png)", page.read_text("utf-8"))}
    assert {path.name for path in (tmp_path / "es").iterdir()} == shown
    for name in shown:
        image = QImage(str(tmp_path / "es" / name))
        colours = {image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)}
        assert len(colours) > 20, name
