"""Pages on a computer without the font of the templates: the package brings it. In a process with other fonts."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from qgis.PyQt.QtGui import QFont

from plugin.gis.runtime import compat, page_fonts
from tests.slowness import patience

PAGE = """
import json, sys
from qgis.core import Qgis, QgsApplication, QgsLayoutExporter, QgsPrintLayout, QgsProject
application = QgsApplication([], True)
application.initQgis()
from plugin.gis.layouts import text_fitting
from plugin.gis.runtime import compat, page_fonts
from qgis.PyQt.QtGui import QFont, QFontMetricsF

before = compat.font_families()
available = page_fonts.available_families()
assert page_fonts.available_families() == available, "they are added once"
font = QFont("Open Sans")
font.setPixelSize(100)
regular = QFontMetricsF(font).horizontalAdvance("Despeñaperros")
page_fonts.set_semibold(font)
semibold = QFontMetricsF(font).horizontalAdvance("Despeñaperros")
project = QgsProject.instance()
layout = QgsPrintLayout(project)
layout.initializeDefaults()
LOAD
text_fitting.use_installed_styles(layout)
families = sorted({compat.label_font(item).family() for item in layout.items() if hasattr(item, "currentText")})
settings = QgsLayoutExporter.PdfExportSettings()
settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
QgsLayoutExporter(layout).exportToPdf(sys.argv[1], settings)
page_fonts.remove()
print(json.dumps({"before": "Open Sans" in before, "available": "Open Sans" in available, "regular": regular,
                  "semibold": semibold, "families": families, "after": "Open Sans" in compat.font_families()}))
"""
LOAD = """
from qgis.core import QgsReadWriteContext
from qgis.PyQt.QtXml import QDomDocument
document = QDomDocument()
document.setContent(open("resources/templates/guide-A4-portrait.qpt", encoding="utf-8").read())
layout.loadFromTemplate(document, QgsReadWriteContext())
"""


def run_page(repository, tmp_path, environment):
    code = PAGE.replace("LOAD", LOAD)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "page.pdf")], cwd=repository, check=True,
                          capture_output=True, text=True, timeout=patience(300),
                          env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment})
    fonts = subprocess.run(["pdffonts", str(tmp_path / "page.pdf")], capture_output=True, text=True, check=True).stdout
    return json.loads(done.stdout.strip().splitlines()[-1]), fonts


@pytest.fixture
def without_open_sans(tmp_path):
    """An environment whose only fonts are those of Liberation."""
    file = subprocess.run(["fc-match", "-f", "%{file}", "Liberation Sans"], capture_output=True, text=True, check=True)
    (tmp_path / "fonts.conf").write_text(
        f'<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>{os.path.dirname(file.stdout)}</dir><cachedir>{tmp_path}/cache</cachedir></fontconfig>", "utf-8")
    return {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}


@pytest.mark.slow
def test_a_page_has_the_templates_font_where_it_is_not_installed(repository, tmp_path, without_open_sans):
    found, fonts = run_page(repository, tmp_path, without_open_sans)
    assert (found["before"], found["available"], found["after"]) == (False, True, False)
    assert found["families"] == ["Open Sans"] and "OpenSans" in fonts and "Liberation" not in fonts, fonts
    installed, installed_fonts = run_page(repository, tmp_path, {})
    assert installed["before"] and installed["after"]
    assert (found["regular"], found["semibold"]) == pytest.approx(
        (installed["regular"], installed["semibold"]), rel=0.005), "the same letters, with other hints"
    assert found["semibold"] > found["regular"]
    # the installed one may be of another edition, which has other names of its styles
    assert "semibold" in fonts.lower() and "semibold" in installed_fonts.lower(), installed_fonts


@pytest.mark.parametrize("styles, expected", [
    (["Regular", "Semibold"], "Semibold"), (["Regular", "SemiBold"], "SemiBold"),
    (["Regular", "Semi Bold"], "Semi Bold"), (["Regular", "Bold"], "")])
def test_a_style_has_the_name_of_the_installed_font(styles, expected, monkeypatch):
    monkeypatch.setattr(compat, "font_styles", lambda _family: styles)
    font = QFont("Open Sans")
    page_fonts.set_semibold(font)
    assert font.styleName() == expected and font.weight() == QFont.Weight.DemiBold
