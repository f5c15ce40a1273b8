"""A leaflet is A3 landscape: one of before on another paper opens and prints as that, which is said."""

from __future__ import annotations

import json

import pytest
from pypdf import PdfReader
from qgis.core import QgsProject

from plugin.app.maps.map_document import new_document
from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.pages.leaflet import LeafletTexts
from plugin.gis.layers import project_document
from plugin.gis.layouts import templates
from plugin.gis.runtime import settings
from tests.pairwise import some
from tests.qgis.algorithm_runs import Heard, registered_provider, run, use_network
from tests.qgis.print_maps import composed, small_map

MM = 25.4 / 72
A3_LANDSCAPE = PageSetup("A3", Orientation.LANDSCAPE, "leaflet", leaflet=LeafletTexts("Un parque."))
#: pages that former versions offered, and as they are said
FORMER = [("A2", "landscape", "A2 landscape"), ("A3", "portrait", "A3 portrait")]


def former_document(network, paper, orientation):
    """A document with a leaflet on this page, as a former version wrote it."""
    document = json.loads(write_document(small_map(network, page=A3_LANDSCAPE)))
    document["page"].update(paper=paper, orientation=orientation)
    return document


@pytest.fixture
def dock(network_dock):
    return network_dock()


def sentences(dock, said):
    return [text for _level, text in dock.messages.history if said in text]


def test_the_leaflet_is_offered_on_a3_landscape_only():
    leaflet = next(template for template in templates.bundled_templates() if template.name == "leaflet")
    assert leaflet.sizes == (("A3", Orientation.LANDSCAPE), )


@pytest.mark.parametrize(("paper", "orientation", "said"), FORMER)
def test_the_window_opens_a_file_with_another_leaflet_and_says_what_has_changed(network, dock, wait_until, tmp_path,
                                                                                paper, orientation, said):
    path = tmp_path / "folleto.custommap.json"
    path.write_text(json.dumps(former_document(network, paper, orientation)), encoding="utf-8")
    controller = dock.composer_controller
    controller.documents.open_file(path)
    wait_until(lambda: len(controller.map.items) == 2 and not controller.map.adding, 60)
    assert controller.map.chosen.page == A3_LANDSCAPE
    assert len(sentences(dock, said)) == 1 and "A3 landscape" in sentences(dock, said)[0]
    controller.documents.save_to(path)
    assert json.loads(path.read_text("utf-8"))["page"]["paper"] == "A3"
    controller.documents.open_file(path)
    wait_until(lambda: len(controller.map.items) == 2 and not controller.map.adding, 60)
    assert len(sentences(dock, said)) == 1, "it has its page now"


@pytest.mark.slow
def test_the_window_shows_the_map_of_a_project_so_too(network, dock, wait_until, tmp_path):
    composed(network, QgsProject.instance(), page=A3_LANDSCAPE)
    path = tmp_path / "folleto.qgz"
    for group in QgsProject.instance().layerTreeRoot().findGroups():
        if group.customProperty(project_document.MAP_PROPERTY):
            group.setCustomProperty(project_document.DOCUMENT_PROPERTY,
                                    json.dumps(former_document(network, "A2", "landscape")))
    assert QgsProject.instance().write(str(path))
    QgsProject.instance().clear()
    assert QgsProject.instance().read(str(path))
    controller = dock.composer_controller
    wait_until(lambda: len(controller.map.items) == 2, 30)
    assert controller.map.chosen.page == A3_LANDSCAPE
    wait_until(lambda: sentences(dock, "A2 landscape"))
    assert len(sentences(dock, "A2 landscape")) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "orientation", "said"), some(FORMER, 2))
def test_the_algorithm_prints_it_on_a3_landscape_and_says_so(network, monkeypatch, tmp_path, paper, orientation, said):
    use_network(network, monkeypatch)
    path = tmp_path / "folleto.custommap.json"
    printed = tmp_path / "folleto.pdf"
    path.write_text(json.dumps(former_document(network, paper, orientation)), encoding="utf-8")
    heard = Heard()
    with registered_provider():
        results = run("exportcustommap", {"INPUT": str(path), "DPI": 72, "OUTPUT": str(printed)}, heard)
    size = [float(value) * MM for value in PdfReader(str(printed)).pages[0].mediabox[2:]]
    assert size == pytest.approx([420, 297], abs=0.5)
    for text in ("\n".join(heard.said), results["REMARKS"]):
        assert text.count(said) == 1 and "A3 landscape" in text


def test_a_new_map_whose_settings_name_another_paper_is_a3_landscape(qgis_app):
    for name, value in (("template", "leaflet"), ("paper", "A2"), ("orientation", "portrait")):
        settings.set(name, value)
    assert new_document().page == PageSetup("A3", Orientation.LANDSCAPE, "leaflet")
    settings.set("template", "guide")
    assert new_document().page == PageSetup("A2", Orientation.PORTRAIT)


@pytest.mark.parametrize(("given", "said"), [({"PAPER": "A2"}, "A2 landscape"), ({}, "A4 landscape")])
def test_a_leaflet_that_is_built_for_another_paper_is_a3_landscape(network, monkeypatch, tmp_path, given, said):
    use_network(network, monkeypatch)
    path, heard = tmp_path / "folleto.custommap.json", Heard()
    with registered_provider():
        results = run("buildcustommap", {"FILES": [str(file) for file in network.records], "TEMPLATE": "leaflet",
                                         "DOCUMENT": str(path), **given}, heard)
    page = json.loads(path.read_text("utf-8"))["page"]
    assert (page["paper"], page["orientation"], page["template"]) == ("A3", "landscape", "leaflet")
    for text in ("\n".join(heard.said), results["REMARKS"]):
        assert text.count(said) == 1 and "A3 landscape" in text


@pytest.mark.slow
def test_a_map_whose_snapshot_is_gone_says_it_too(network, dock, wait_until, tmp_path):
    document = former_document(network, "A2", "landscape")
    document["snapshot"] = {"path": "gone", "in_use": True}
    path = tmp_path / "folleto.custommap.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    controller = dock.composer_controller
    controller.documents.open_file(path)
    wait_until(lambda: sentences(dock, "nothing until its services"))
    assert controller.map.chosen.page == A3_LANDSCAPE and len(sentences(dock, "A2 landscape")) == 1
