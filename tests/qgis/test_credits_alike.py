"""Every way of printing carries the same credits: dock, algorithms, snapshot, QGIS Server, with records and without."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from qgis.core import Qgis, QgsExpressionContextUtils, QgsLayoutExporter
from qgis_server import QgisServer, available

from plugin.app.maps.map_document import ExtentMode
from plugin.core.custommap.model import MapExtent
from plugin.gis.layouts import qgis_server_entries
from plugin.gis.runtime import settings
from tests.qgis.algorithm_runs import lay_out, registered_provider, run, use_network, write_small
from tests.qgis.print_maps import pdf_text
from tests.qgis.test_dock_map import few

#: what each service asks for in its AccessConstraints, and its record does not know
PRESCRIBED = {"guide": "Base © Servicio Forestal de Prueba", "facilities": "Red de Equipamientos de Prueba"}
RECORDS = ["records/park-guide.xml", "records/public-use-facilities.xml"]
PARK = MapExtent(-3.5966, 38.3295, -3.4233, 38.4306)
AREA = "-3.5966,-3.4233,38.3295,38.4306 [EPSG:4326]"


@pytest.fixture(scope="module")
def provider(qgis_app):
    with registered_provider() as one:
        yield one


@pytest.fixture(scope="module")
def built(provider, network_for_session, tmp_path_factory):
    """A folder with the records, their map and its project. Each service asks for a credit in its AccessConstraints."""
    network, folder = network_for_session, tmp_path_factory.mktemp("alike")
    network.reset()
    before = {name: (network.workdir / f"{name}.map").read_text("utf-8") for name in PRESCRIBED}
    for name, words in PRESCRIBED.items():
        text = before[name].replace("libre y gratuito siempre que se mencione a los autores y propietarios de la "
                                    "información", f"libre y gratuito. Es obligatorio citar: «{words}»")
        assert text != before[name]
        (network.workdir / f"{name}.map").write_text(text, "utf-8")
    lay_out(folder, network)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        use_network(network, patch)
        run("buildcustommap", {"FILES": RECORDS, "TITLE": "Despeñaperros", "EXTENT": AREA, "LANGUAGE": "es",
                               "DOCUMENT": "park.custommap.json", "PROJECT": "park.qgz"})
    write_small(folder / "park.custommap.json", folder / "small.custommap.json")
    yield folder
    for name, text in before.items():
        (network.workdir / f"{name}.map").write_text(text, "utf-8")


@pytest.fixture
def place(built, network, monkeypatch):
    """The same, with the network as the person's own and no service asked yet."""
    monkeypatch.chdir(built)
    use_network(network, monkeypatch)
    return built


def carried(path: Path) -> set[str]:
    """The services whose credit the page carries."""
    text = pdf_text(path) if path.suffix == ".pdf" else " ".join(path.read_text("utf-8").split())
    return {name for name, words in PRESCRIBED.items() if words in text}


@pytest.mark.parametrize("given", [{"FILES": RECORDS}, {}], ids=["with records", "without records"])
def test_the_algorithms_print_what_the_services_ask_for(place, given):
    run("exportcustommap", {"INPUT": "small.custommap.json", "DPI": 72, "OUTPUT": "map.pdf", **given})
    assert carried(place / "map.pdf") == set(PRESCRIBED)


def test_a_project_that_was_built_prints_them(place, project):
    assert project.read("park.qgz")
    layout = project.layoutManager().printLayouts()[0]
    words = QgsLayoutExporter.PdfExportSettings()
    words.dpi = 72
    words.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    done = QgsLayoutExporter(layout).exportToPdf(str(place / "project.pdf"), words)
    assert done == QgsLayoutExporter.ExportResult.Success
    assert carried(place / "project.pdf") == set(PRESCRIBED)


@pytest.mark.parametrize("given", [{"FILES": RECORDS}, {}], ids=["with records", "without records"])
def test_a_snapshot_carries_them_and_prints_them(place, given):
    copy = place / f"copy {len(given)}"
    run("takesnapshot", {"INPUT": "small.custommap.json", "SCALES": "80000", "DPI": 72, "OUTPUT": copy.name,
                         "EXTENT": "-3.75,-3.28,38.25,38.5 [EPSG:4326]", **given})
    assert carried(copy / "CREDITS.txt") == set(PRESCRIBED)
    document = next(copy.glob("*.custommap.json"))
    done = run("exportcustommap", {"INPUT": str(document), "DPI": 72, "OUTPUT": "offline.pdf"})
    assert "from its snapshot of 20" in done["REMARKS"]
    assert carried(place / "offline.pdf") == set(PRESCRIBED)


@pytest.mark.slow
@pytest.mark.skipif(not available(), reason="QGIS Server (Debian: qgis-server) is not on this machine")
def test_qgis_server_prints_them(place, project):
    assert project.read("park.qgz")
    layout = project.layoutManager().printLayouts()[0]
    variable = QgsExpressionContextUtils.layoutScope(layout).variable(qgis_server_entries.GETPRINT_VARIABLE)
    query = {**dict(parse_qsl(str(variable))), "MAP": str(place / "park.qgz"), "DPI": "72"}
    with QgisServer() as server:
        (place / "served.pdf").write_bytes(server.ask(**query).body)
    text = pdf_text(place / "served.pdf")
    if not text.strip():
        pytest.skip("this QGIS Server prints letters as outlines")
    assert carried(place / "served.pdf") == set(PRESCRIBED)


@pytest.fixture
def dock(place, network_dock):
    return network_dock()


def test_the_dock_prints_them_and_so_does_its_document_without_the_library(dock, place, wait_until, qtbot):
    settings.set("export_dpi", 72)
    composed = dock.composer_controller.map
    for word, role, count in (("Despeñaperros", "base", 1), ("quipamientos", "overlay", 2)):
        few(dock, wait_until, word, role, count)
    composed.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    with qtbot.waitSignal(dock.composer_controller.exporter.finished, timeout=120_000):
        dock.composer_controller.exporter.export("pdf", place / "dock.pdf")
    assert carried(place / "dock.pdf") == set(PRESCRIBED)
    dock.composer_controller.documents.save_to(place / "dock.custommap.json")
    run("exportcustommap", {"INPUT": "dock.custommap.json", "DPI": 72, "OUTPUT": "again.pdf"})
    assert carried(place / "again.pdf") == set(PRESCRIBED)
