"""What the plugin notes on a layer counts for its source alone: QGIS copies it with styles and keeps it otherwise."""

from __future__ import annotations

import itertools

import pytest
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtXml import QDomDocument

from plugin.core.custommap.model import LayerPlan
from plugin.core.terms.model import Decision
from plugin.gis.credits.credit_audit import confirm_own_data, enter_credit, layer_facts
from plugin.gis.credits.layer_credits import (
    credit_lines,
    credit_required,
    layers_without_credit,
    owed_credits,
    plan_from_layers,
)
from plugin.gis.credits.layer_metadata import ENDPOINT, SERVICE_TITLE, fill_metadata, mark
from plugin.gis.credits.layer_source import source_of
from plugin.gis.layers import wms_layers
from plugin.gis.layers.project_group import can_be_own_layer
from plugin.gis.runtime import compat

FACILITIES, GUIDE = "Equipamientos de uso público, 2014", "Mapa guía del parque, 2014"


def service_layer(network, service, name, credit, **changes) -> QgsRasterLayer:
    plan = LayerPlan(address=network.endpoints[service], name=name, style="", format="image/png", crs="EPSG:25830",
                     title=name, service_title=service, rights=(credit,), credit_required=Decision.YES, **changes)
    layer = QgsRasterLayer(wms_layers.layer_uri(plan), name, "wms")
    assert layer.isValid()
    fill_metadata(layer, plan)
    return layer


def orthophoto(folder, name="orto.tif") -> QgsRasterLayer:
    path = folder / name
    made = gdal.GetDriverByName("GTiff").Create(str(path), 8, 8, 3)
    made.SetGeoTransform((440000, 10, 0, 4250000, 0, -10))
    made.SetProjection(QgsCoordinateReferenceSystem("EPSG:25830").toWkt())
    made = None
    layer = QgsRasterLayer(str(path), "Mi ortofoto", "gdal")
    assert layer.isValid()
    return layer


def features(folder, name="sendas.geojson") -> QgsVectorLayer:
    path = folder / name
    path.write_text('{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"a": 1}, '
                    '"geometry": {"type": "Point", "coordinates": [-3.5, 38.4]}}]}', encoding="utf-8")
    layer = QgsVectorLayer(str(path), name, "ogr")
    assert layer.isValid()
    return layer


def paste_style(source: QgsMapLayer, target: QgsMapLayer) -> None:
    """Copy and paste all of a layer's style, as the menu of QGIS's layer tree does."""
    document = QDomDocument("qgis")
    source.exportNamedStyle(document)
    worked, message = target.importNamedStyle(document)
    assert worked, message


def print_facts(layer):
    """What a page, the audit and identifying say of a layer."""
    facts = layer_facts(layer)
    plans = plan_from_layers([layer], "es").layers
    return (credit_lines(layer), credit_required(layer), facts.kind, facts.address, facts.names, facts.record_id,
            facts.confirmed, [plan.service_title for plan in plans],
            [plan.address for plan in plans])


def test_a_pasted_style_brings_no_credit_to_an_own_layer(network, project, tmp_path):
    service = service_layer(network, "facilities", "miradores", FACILITIES, record_id="r" * 36)
    own = orthophoto(tmp_path)
    project.addMapLayers([service, own])
    before = print_facts(own)
    paste_style(service, own)
    assert own.customProperty(ENDPOINT), "QGIS copies the marks with the style"
    assert print_facts(own) == before
    assert can_be_own_layer(own) and not owed_credits([own])
    assert credit_lines(service) == [FACILITIES]


def test_the_layers_attribution_beats_a_mark_of_another_source(network, project, tmp_path):
    service, own = service_layer(network, "facilities", "miradores", FACILITIES), orthophoto(tmp_path)
    compat.set_attribution(own, "Vuelo propio 2020", "")
    project.addMapLayers([service, own])
    paste_style(service, own)
    assert credit_lines(own) == ["Vuelo propio 2020"]


@pytest.mark.parametrize("names", [("miradores", "kioscos"), ("miradores", "limite_parque")])
def test_a_style_pasted_between_services_leaves_each_its_credit(network, project, names):
    first = service_layer(network, "facilities", names[0], FACILITIES)
    of_guide = names[1] == "limite_parque"
    second = service_layer(network, "guide" if of_guide else "facilities", names[1], GUIDE if of_guide else FACILITIES)
    project.addMapLayers([first, second])
    paste_style(first, second)
    assert credit_lines(second) == [GUIDE if of_guide else FACILITIES]
    assert owed_credits([second]) == {credit_lines(second)[0]: second.name()}
    assert mark(second, SERVICE_TITLE) is None
    assert source_of(second).names == (names[1],)


def test_services_with_the_same_credit_keep_it_when_a_style_is_pasted(network, project):
    first = service_layer(network, "facilities", "miradores", FACILITIES)
    second = service_layer(network, "guide", "limite_parque", FACILITIES)
    paste_style(first, second)
    assert credit_lines(second) == [FACILITIES]


def test_own_data_stays_own_alone(network, project, tmp_path):
    own, service = orthophoto(tmp_path), service_layer(network, "facilities", "miradores", FACILITIES)
    bare = QgsRasterLayer(service.source(), "sin crédito", "wms")
    project.addMapLayers([own, service, bare])
    confirm_own_data(project, [own.id()])
    assert credit_required(own) is Decision.NO
    for target in (service, bare):
        paste_style(own, target)
    assert owed_credits([service]) == {FACILITIES: "miradores"}
    assert layers_without_credit([bare]) == [bare], "a service is nobody's own data because a style was pasted"
    assert credit_required(own) is Decision.NO


def test_a_changed_source_takes_no_credit_along(network, project, tmp_path):
    layer = service_layer(network, "facilities", "miradores", FACILITIES)
    project.addMapLayer(layer)
    other = service_layer(network, "guide", "limite_parque", GUIDE)
    layer.setDataSource(other.source(), layer.name(), "wms", QgsDataProvider.ProviderOptions())
    assert credit_lines(layer) == [] and layers_without_credit([layer]) == [layer]
    layer.setDataSource(service_layer(network, "facilities", "miradores", "").source(), layer.name(), "wms",
                        QgsDataProvider.ProviderOptions())
    assert credit_lines(layer) == [FACILITIES]


def test_a_credit_that_somebody_enters_replaces_what_a_style_brought(network, project, tmp_path):
    service, own = service_layer(network, "facilities", "miradores", FACILITIES), orthophoto(tmp_path)
    project.addMapLayers([service, own])
    paste_style(service, own)
    applied = enter_credit(project, [own.id()], "Vuelo propio 2020")
    assert credit_lines(own) == ["Vuelo propio 2020"] and mark(own, SERVICE_TITLE) is None
    assert owed_credits([own]) == {"Vuelo propio 2020": own.name()}
    applied.undo()
    assert credit_lines(own) == []


@pytest.mark.parametrize("is_saved_before", [True, False])
def test_marks_live_on_in_a_project_that_moved(network, project, tmp_path, is_saved_before):
    """What was noted before the project had a folder is asked again where that has another name. Credits stay."""
    folder, elsewhere = tmp_path / "trabajo", tmp_path / ("otra parte" if is_saved_before else "copia/trabajo")
    folder.mkdir()
    elsewhere.parent.mkdir(exist_ok=True)
    layers = [orthophoto(folder), features(folder), service_layer(network, "facilities", "miradores", FACILITIES)]
    project.addMapLayers(layers)
    if is_saved_before:
        assert project.write(str(folder / "mapa.qgz"))
    enter_credit(project, [layers[0].id()], "Vuelo propio 2020")
    confirm_own_data(project, [layers[1].id()])
    assert project.write(str(folder / "mapa.qgz"))
    project.clear()
    folder.rename(elsewhere)
    moved = QgsProject()
    assert moved.read(str(elsewhere / "mapa.qgz"))
    by_name = {layer.name(): layer for layer in moved.mapLayers().values()}
    assert all(layer.isValid() for layer in by_name.values())
    assert credit_lines(by_name["Mi ortofoto"]) == ["Vuelo propio 2020"]
    assert credit_required(by_name["sendas.geojson"]) is Decision.NO
    assert owed_credits([by_name["miradores"]]) == {FACILITIES: "miradores"}


def test_whatever_is_pasted_where_no_credit_moves(network, project, tmp_path):
    """Each layer's credit is that of before, whatever styles are pasted onto it one after another."""
    layers = [service_layer(network, "facilities", "miradores", FACILITIES),
              service_layer(network, "guide", "limite_parque", GUIDE), orthophoto(tmp_path, "a.tif"),
              orthophoto(tmp_path, "b.tif"), features(tmp_path)]
    project.addMapLayers(layers)
    enter_credit(project, [layers[2].id()], "Vuelo propio 2020")
    before = [(credit_lines(layer), layer_facts(layer).address) for layer in layers]
    for source, target in itertools.permutations(range(len(layers)), 2):
        if isinstance(layers[source], QgsVectorLayer) is isinstance(layers[target], QgsVectorLayer):
            paste_style(layers[source], layers[target])
            assert [(credit_lines(layer), layer_facts(layer).address) for layer in layers] == before, (source, target)
    assert [bool(owed_credits([layer])) for layer in layers] == [True, True, True, False, False]
