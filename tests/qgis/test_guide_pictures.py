"""The guide's pictures are taken in the real QGIS, by clicking what the guide tells."""

from __future__ import annotations

import importlib.util
import re
import shutil

import pytest
from qgis.PyQt.QtGui import QImage


@pytest.mark.display
@pytest.mark.timeout(400)
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_every_picture_of_the_guide_is_taken_in_the_running_qgis(repository, tmp_path):
    tool = repository / "tests" / "tools" / "guide_pictures.py"
    specification = importlib.util.spec_from_file_location("guide_pictures", tool)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    module.take(tmp_path / "es", "es")
    pages = (repository / "resources" / "guide" / "es").glob("*.md")
    shown = {name for page in pages for name in re.findall(r"\.\./pictures/es/([\w-]+\.png)", page.read_text("utf-8"))}
    assert {path.name for path in (tmp_path / "es").iterdir()} == shown
    for name in shown:
        image = QImage(str(tmp_path / "es" / name))
        colours = {image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)}
        assert len(colours) > 20, name
