"""`make demo`: from records to a credited map, or exit status 1 with the reason."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.pairwise import ALL
from tests.qgis.print_maps import pdf_text
from tests.slowness import patience


def demo(repository, folder, *more):
    command = [sys.executable, str(repository / "tests" / "tools" / "demo.py"), str(folder), "--dpi", "72", *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=patience(110))


def named_fonts(template):
    """The fonts that a template names, as family and style, such as "opensans-semibold"."""
    text = template.read_text(encoding="utf-8")
    fonts = set(re.findall(r'fontFamily="([^"]+)"[^>]*namedStyle="([^"]+)"', text))
    for described, style in re.findall(r'<(?:LabelFont|styleFont) description="([^"]+)"[^>]*style="([^"]+)"', text):
        fonts.add((described.split(",")[0], style))
    return {f"{family.replace(' ', '')}-{style}".lower() for family, style in fonts}


def printed_fonts(pdf):
    """The fonts in a PDF, in the words of :func:`named_fonts`. A regular one may be named by its family alone."""
    lines = subprocess.run(["pdffonts", str(pdf)], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    names = {re.sub(r"^[A-Z]{6}\+", "", line.split()[0]).lower() for line in lines}
    return {name if "-" in name else f"{name}-regular" for name in names}


def test_the_demo_writes_its_four_files(repository, tmp_path, network):
    done = demo(repository, tmp_path)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in tmp_path.iterdir()}
    assert {"custom-map.pdf", "custom-map.png", "custom-map.custommap.json", "records.html"} <= names
    text = pdf_text(tmp_path / "custom-map.pdf")
    assert text.count("Consejería de Sostenibilidad y Medio Ambiente") >= 2
    assert "Créditos" in text and "Leyenda" in text and "Centros de visitantes" in text
    document = json.loads((tmp_path / "custom-map.custommap.json").read_text(encoding="utf-8"))
    page = document["page"]
    template = f"{page['template']}-{page['paper']}-{page['orientation']}.qpt"
    named = named_fonts(repository / "resources" / "templates" / template)
    assert named and printed_fonts(tmp_path / "custom-map.pdf") == named
    assert document["title"] == "Parque Natural Despeñaperros"
    assert "Precipitación" in (tmp_path / "records.html").read_text(encoding="utf-8")


@pytest.mark.skipif(not ALL, reason="slow: `make matrices`. The export itself: test_export_checks.py")
def test_the_demo_fails_in_words_where_a_service_is_missing(repository, tmp_path, network):
    fault = {"match": {"request": "GetCapabilities", "endpoint": "facilities"}, "action": {"type": "html"}}
    done = demo(repository, tmp_path, "--fault", json.dumps([fault]))
    assert done.returncode == 1
    assert "not complete" in done.stderr and "Equipamientos" in done.stderr
    assert not list(tmp_path.glob("custom-map.p*"))
