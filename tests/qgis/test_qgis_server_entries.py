"""The project of a custom map in a QGIS without the plugin, and under QGIS Server."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache
from urllib.parse import parse_qsl

import pytest
from lxml import etree
from qgis.core import QgsExpressionContextUtils, QgsRasterLayer
from qgis.PyQt.QtGui import QImage
from qgis_server import QgisServer, available

from plugin.core.custommap.model import StoredCredit
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export.layout_export import export_pdf
from plugin.gis.export.map_pipeline import compose_map
from plugin.gis.layouts import qgis_server_entries
from plugin.gis.layouts.dynamic_labels import bind_labels
from plugin.gis.services.service_cache import ServiceCache
from tests.qgis.print_maps import colours, composed, pdf_text, pixels, small_map
from tests.slowness import patience

DPI = 72
GUIDE, FACILITIES = "Mapa guía del Parque Natural Despeñaperros. 2014", "Equipamientos de uso público de Andalucía"
#: in a QGIS that has never heard of the plugin
PLAIN = """
import os, sys
from qgis.core import Qgis, QgsApplication, QgsExpression, QgsLayoutExporter, QgsProject
application = QgsApplication([], True, sys.argv[1])
application.initQgis()
assert not any(function.name().startswith("cartoguide") for function in QgsExpression.Functions())
project = QgsProject.instance()
assert project.read(sys.argv[2]), project.error()
assert all(layer.isValid() for layer in project.mapLayers().values()), "a layer is not there"
layout, = project.layoutManager().printLayouts()
settings = QgsLayoutExporter.PdfExportSettings()
settings.dpi = 72
settings.textRenderFormat = Qgis.TextRenderFormat(int(layout.customProperty("pdfTextFormat")))
done = QgsLayoutExporter(layout).exportToPdf(sys.argv[3], settings)
os._exit(0 if done == QgsLayoutExporter.ExportResult.Success else 1)
"""


@pytest.fixture
def saved(network, project, tmp_path):
    """A custom map and the project file that it was saved to."""
    made = composed(network, project)
    path = tmp_path / "elsewhere" / "mapa.qgs"
    path.parent.mkdir()
    assert project.write(str(path))
    return made, path


def legend_colours(made, picture):
    """How many colours the picture of the page has where its legend is."""
    item = made.layout.itemById("legend")
    factor = picture.width() / made.layout.pageCollection().page(0).rect().width()
    box = [round(value * factor) for value in (item.pos().x(), item.pos().y(), item.rect().width(),
                                               item.rect().height())]
    return colours(picture.copy(*box), 1)


@pytest.mark.slow
def test_plain_qgis_prints_the_same_credits_terms_sources_and_legend(saved, network, tmp_path):
    made, path = saved
    said = {name: made.layout.itemById(name).currentText() for name in ("credits", "terms", "sources")}
    program = tmp_path / "plain.py"
    program.write_text(PLAIN, "utf-8")
    pdf = tmp_path / "plain.pdf"
    home = dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(tmp_path / "home"))
    done = subprocess.run([sys.executable, str(program), str(tmp_path / "home"), str(path), str(pdf)], cwd=tmp_path,
                          env={**os.environ, **home}, capture_output=True, text=True, timeout=patience(120))
    assert done.returncode == 0, done.stderr
    text = pdf_text(pdf)
    for name, words in said.items():
        assert words and " ".join(words.split()) in text, name
    subprocess.run(["pdftoppm", "-png", "-r", "72", "-singlefile", str(pdf), str(tmp_path / "plain")], check=True)
    assert legend_colours(made, QImage(str(tmp_path / "plain.png"))) > 50, "the symbols of the services"
    assert str(path.parents[2]) not in path.read_text("utf-8") and "outline/land.geojson" not in path.read_text("utf-8")


@lru_cache(maxsize=2)
def picture_of(pdf, _changed):
    subprocess.run(["pdftoppm", "-png", "-r", "200", "-singlefile", str(pdf), str(pdf.with_suffix(""))], check=True)
    return QImage(str(pdf.with_suffix(".png")))


def ink(made, pdf, name):
    """How many dark points the label ``name`` has on a page: QGIS Server of 3.40 and later prints words as outlines."""
    picture = picture_of(pdf, pdf.stat().st_mtime_ns)
    item = made.layout.itemById(name)
    factor = picture.width() / made.layout.pageCollection().page(0).rect().width()
    left, top, width, height = (int(value * factor) for value in (item.pos().x(), item.pos().y(), item.rect().width(),
                                                                  item.rect().height()))
    shown = pixels(picture)[top:top + height, left:left + width, :3].astype(int)
    return int(((shown.max(axis=2) + shown.min(axis=2)) // 2 < 200).sum())


@pytest.mark.slow
@pytest.mark.skipif(not available(), reason="QGIS Server (Debian: qgis-server) is not on this machine")
def test_qgis_server_tells_the_terms_and_prints_the_credits_of_what_is_shown(saved, project, tmp_path):
    made, path = saved
    query = dict(
        parse_qsl(str(QgsExpressionContextUtils.layoutScope(made.layout).variable(qgis_server_entries.GETPRINT_VARIABLE))))
    assert query["TEMPLATE"] == made.layout.name()
    query.update(MAP=str(path), DPI=str(DPI))
    with QgisServer() as server:
        told = etree.parse(io.BytesIO(server.ask(MAP=str(path), SERVICE="WMS", REQUEST="GetCapabilities").body))
        texts = {name: told.findtext(f"//{{*}}Service/{{*}}{name}") for name in ("Title", "Fees", "AccessConstraints")}
        assert texts["Title"] == "Despeñaperros a mano" and texts["Fees"] == "Gratuito"
        assert "libre y gratuito" in texts["AccessConstraints"] and GUIDE in texts["AccessConstraints"]
        credits = {layer.findtext("{*}Name"): layer.findtext("{*}Attribution/{*}Title")
                   for layer in told.iterfind("//{*}Layer") if layer.find("{*}Layer") is None}
        assert len(credits) == 4 and GUIDE in credits["Carreteras"] and FACILITIES in credits["Miradores"]
        assert told.find("//{*}BoundingBox[@CRS='EPSG:25830']") is not None

        settings = etree.parse(io.BytesIO(server.ask(MAP=str(path), SERVICE="WMS", REQUEST="GetProjectSettings").body))
        assert [one.get("name") for one in settings.iterfind("//{*}ComposerTemplate")] == [made.layout.name()]

        extent = made.layout.itemById("map").extent()
        box = f"{extent.xMinimum()},{extent.yMinimum()},{extent.xMaximum()},{extent.yMaximum()}"
        drawn = server.ask(MAP=str(path), SERVICE="WMS", VERSION="1.3.0", REQUEST="GetMap", STYLES="",
                           LAYERS=made.layers[1].name(), CRS="EPSG:25830", BBOX=box, WIDTH="400", HEIGHT="312",
                           FORMAT="image/png")
        assert colours(QImage.fromData(drawn.body)) > 20

        pdf = tmp_path / "served.pdf"
        pdf.write_bytes(server.ask(**query).body)
        text = pdf_text(pdf)
        as_words = bool(text.strip())
        live = tmp_path / "live.pdf"
        if not as_words:
            export_pdf(made.layout, live, DPI)
        for name in ("credits", "terms", "sources"):
            words = " ".join(made.layout.itemById(name).currentText().split())
            assert words
            assert words in text if as_words else 0.6 < ink(made, pdf, name) / ink(made, live, name) < 1.6, name
        assert "Escala 1:75 000" in text.replace("\u00a0", " ") or not as_words
        all_credits = ink(made, pdf, "credits")

        picture = QImage.fromData(server.ask(**{**query, "FORMAT": "png"}).body)
        assert colours(picture) > 100 and legend_colours(made, picture) > 50

        # the map item is the undermost of the layout's maps, so it is the last one
        last = max(name for name in query if name.startswith("map")).split(":")[0]
        only = {f"{last}:LAYERS": made.layers[-1].name()}
        pdf.write_bytes(server.ask(**query, **only).body)
        locked = credits["Carreteras"] in pdf_text(pdf) if as_words else ink(made, pdf, "credits") > 0.9 * all_credits
        assert locked, "a locked map prints its own layers, whatever is asked for"
        made.layout.itemById("map").setKeepLayerSet(False)
        free = path.with_name("libre.qgs")
        assert project.write(str(free))
        pdf.write_bytes(server.ask(**{**query, "MAP": str(free)}, **only).body)
        text = pdf_text(pdf)
        shown = credits["Miradores"] in text and credits["Carreteras"] not in text if as_words else \
            0.2 * all_credits < ink(made, pdf, "credits") < 0.8 * all_credits
        assert shown, "only what is shown is credited"


@pytest.mark.slow
@pytest.mark.skipif(not available(), reason="QGIS Server (Debian: qgis-server) is not on this machine")
def test_qgis_server_prints_no_page_whose_credit_is_missing_or_unfit_without_saying_so(network, project, tmp_path):
    document = small_map(network, guide=("limite_parque",), facilities=("miradores",))
    asked = replace(document.base, record_id="gone", credit=StoredCredit("© Survey of Aranda [Title]", Decision.YES))
    made = compose_map(project, replace(document, base=asked), {}, ServiceCache(), 60)
    unfit, bare = made.layers[0], made.layers[-1]
    set_credit(bare, "", Decision.YES)
    bind_labels(made.layout, made.layers, "es")
    added = QgsRasterLayer(made.layers[-1].source(), "Added later", "wms")
    assert added.isValid()
    project.addMapLayer(added)
    made.layout.itemById("map").setLayers([added, *made.layout.itemById("map").layers()])
    path, pdf = tmp_path / "mapa.qgs", tmp_path / "served.pdf"
    assert project.write(str(path))
    query = dict(parse_qsl(qgis_server_entries.getprint_query(made.layout)))
    with QgisServer() as server:
        pdf.write_bytes(server.ask(**{**query, "MAP": str(path), "DPI": str(DPI)}).body)
    text = pdf_text(pdf)
    if text.strip():
        assert "[Title]" not in text and "Added later: ©?" in text
        assert f"{unfit.name()}: the credit is not complete" in text
        assert f"{bare.name()}: the credit is not known" in text
    else:
        assert ink(made, pdf, "credits") > 500, "QGIS Server of 3.40 and later prints words as outlines"


def test_what_a_person_tells_as_a_server_stays(network, project):
    project.writeEntry("WMSFees", "/", "12 euros")
    made = composed(network, project)
    assert project.readEntry("WMSFees", "/")[0] == "12 euros"
    assert "gratuito" in project.readEntry("WMSAccessConstraints", "/")[0]
    project.removeMapLayers([layer.id() for layer in made.layers])
    qgis_server_entries.update_server_entries(project)
    assert project.readEntry("WMSAccessConstraints", "/")[0] == "", "no layer is left to speak of"
    assert project.readEntry("WMSFees", "/")[0] == "12 euros"
