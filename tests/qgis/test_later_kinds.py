"""A map with a source of a kind that this version does not know: it is named, kept, and nothing is requested."""

from __future__ import annotations

from qgis.core import QgsProject

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, MapEntry
from plugin.gis.export.map_pipeline import load_map


def later_map(network):
    return CustomMap("Mañana", overlays=(
        MapEntry(network.endpoints["facilities"], "Equipamientos", layers=("miradores",), styles=("",)),
        MapEntry(network.endpoints["guide"], "Teselas", layers=("relieve",), styles=("",), kind="tiles-of-tomorrow")))


def test_the_composer_names_it_and_keeps_it_in_the_document(network_dock, network, wait_until):
    dock = network_dock()
    maps, before = dock.composer_controller.map, network.count("GetCapabilities")
    dock.composer_controller.documents.open_document(later_map(network))
    wait_until(lambda: len(QgsProject.instance().mapLayers()) == 1 and not maps.adding)
    known, later = maps.items
    assert known.problem == "" and "“tiles-of-tomorrow”" in later.problem and not later.layer_ids
    assert network.count("GetCapabilities") == before + 1, "of the other service alone"
    kept = read_document(write_document(maps.document()))
    assert [entry.kind for entry in kept.entries] == ["wms", "tiles-of-tomorrow"]
    maps.builds.reload(later)
    assert "“tiles-of-tomorrow”" in later.problem and not later.loading


def test_without_a_window_it_is_missing_by_name(network, project):
    loaded = load_map(project, later_map(network), {})
    assert [layer.name for layer in loaded.plan.layers] == ["miradores"]
    assert [note.text for note in loaded.plan.notes if note.is_missing and "tiles-of-tomorrow" in note.text]
