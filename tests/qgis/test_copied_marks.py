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
from plugin.gis.credits.layer_metadata import (
    ENDPOINT,
    LIVE_SOURCE,
    RECORD_ID,
    SERVICE_TITLE,
    SNAPSHOT_SOURCE,
    SOURCE,
    fill_metadata,
    has_own_marks,
    mark,
    set_credit,
    source_key,
)
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
    assert credit_required(by_name["sendas.geojson"]) is (Decision.NO if is_saved_before else Decision.UNDECIDED)
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


def plan_for(address, name="0", credit="© Junta", **changes) -> LayerPlan:
    return LayerPlan(address=address, name=name, style="", format="image/png", crs="EPSG:25830", title=name,
                     service_title="Servicio", rights=(credit,), credit_required=Decision.YES, **changes)


@pytest.mark.parametrize("is_of_earlier_version", [False, True])
@pytest.mark.parametrize("kind", ["image", "features"])
def test_layers_made_of_an_answer_keep_record_and_credit(project, tmp_path, kind, is_of_earlier_version):
    """An answer that was saved as a file is a layer of the service, whatever its provider is."""
    layer = orthophoto(tmp_path) if kind == "image" else features(tmp_path)
    fill_metadata(layer, plan_for("http://a.invalid/wms?", record_id="r" * 36))
    if is_of_earlier_version:
        layer.removeCustomProperty(SOURCE)
    assert (mark(layer, RECORD_ID), mark(layer, SERVICE_TITLE)) == ("r" * 36, "Servicio")
    assert owed_credits([layer]) == {"© Junta": layer.name()} and not can_be_own_layer(layer)


@pytest.mark.parametrize(("address", "values", "other"), [
    ("http://a.invalid/cgi?map=%2Fd%2Fa.map&", {"DIM_RUN": "1", "TIME": "2016-06-01"}, "http://a.invalid/cgi?map=/d/b.map&"),
    ("http://a.invalid/cgi?", {}, "http://a.invalid/cgi?map=/d/b.map&"),
    ("http://A.invalid/a%C3%B1o?q=%C3%B1&", {"ELEVATION": "10"}, "http://a.invalid/ano?q=n&"),
    ("http://a.invalid/wms?key=a%20b&", {}, "http://a.invalid/wms2?key=a%20b&")])
@pytest.mark.parametrize("is_of_earlier_version", [False, True])
def test_a_layer_knows_its_service_by_all_of_its_address(address, values, other, is_of_earlier_version):
    plan = plan_for(address, record_id="r" * 36, dimension_values=tuple(values.items()))
    layer, copy = QgsRasterLayer(wms_layers.layer_uri(plan), "a", "wms"), QgsRasterLayer(
        wms_layers.layer_uri(plan_for(other)), "b", "wms")
    fill_metadata(layer, plan)
    if is_of_earlier_version:
        layer.removeCustomProperty(SOURCE)
    assert mark(layer, RECORD_ID) == "r" * 36 and credit_lines(layer) == ["© Junta"]
    for name in layer.customPropertyKeys():
        copy.setCustomProperty(name, layer.customProperty(name))
    assert not has_own_marks(copy) and credit_lines(copy) == []


def test_snapshots_that_name_their_files_alike_are_told_apart(project, tmp_path):
    layers = []
    for name in ("uno", "dos"):
        (tmp_path / name).mkdir()
        layer = orthophoto(tmp_path / name, "layer_01.tif")
        plan = plan_for(f"http://{name}.invalid/wms?", credit=f"© {name}")
        layer.setCustomProperty(LIVE_SOURCE, wms_layers.layer_uri(plan))
        layer.setCustomProperty(SNAPSHOT_SOURCE, layer.source())
        fill_metadata(layer, plan)
        layers.append(layer)
    paste_style(*layers)
    assert source_of(layers[0]).address == "http://uno.invalid/wms?" and not has_own_marks(layers[1])
    assert [credit_lines(layer) for layer in layers] == [["© uno"], ["© dos"]]


def test_own_data_is_no_other_file_table_or_temporary_layer(project, tmp_path):
    """Sheets of a map have the same name in the folders of their years, and a file has several tables."""
    for year in ("2014", "2020"):
        (tmp_path / year).mkdir()
    gdal.GetDriverByName("GPKG").CreateCopy(str(tmp_path / "a.gpkg"), gdal.Open(orthophoto(tmp_path).source()),
                                            options=["RASTER_TABLE=t1"])
    pairs = [
        [orthophoto(tmp_path / year, "h.tif") for year in ("2014", "2020")],
        [QgsVectorLayer("Point?crs=EPSG:25830", name, "memory") for name in "ab"],
        [QgsRasterLayer(f"GPKG:{tmp_path / 'a.gpkg'}:{table}", table, "gdal") for table in ("t1", "t2")],
        [QgsRasterLayer(f"type=xyz&url=http://a.invalid/%7Bz%7D/%7Bx%7D/%7By%7D.png?{name}%3Da&zmax=9", name, "wms")
         for name in ("layer", "style")]]
    for own, other in pairs:
        project.addMapLayers([own, other])
        assert source_key(own) != source_key(other)
        set_credit(other, "© IGN 2020")
        confirm_own_data(project, [own.id()])
        for name in own.customPropertyKeys():
            other.setCustomProperty(name, own.customProperty(name))
        assert credit_required(own) is Decision.NO and owed_credits([other]) == {"© IGN 2020": other.name()}


def test_own_data_stays_own_where_the_project_is_saved_elsewhere_and_a_filter_is_set(project, tmp_path):
    layer = features(tmp_path)
    project.addMapLayer(layer)
    assert project.write(str(tmp_path / "a.qgz"))
    confirm_own_data(project, [layer.id()])
    (tmp_path / "otra").mkdir()
    assert project.write(str(tmp_path / "otra" / "b.qgz"))
    assert credit_required(layer) is credit_required(layer.clone()) is Decision.NO
    assert layer.setSubsetString('"a" = 1') and credit_required(layer) is Decision.NO


@pytest.mark.parametrize("source", [
    "type=xyz&url=http://a.invalid/%7Bz%7D/%7Bx%7D/%7By%7D.png?apikey%3D{key}&zmax=9",
    "url=http://a.invalid/wms?map%3Da%26token%3D{key}%26&layers=0&styles=&format=image/png&crs=EPSG:25830"])
def test_what_names_a_source_holds_no_key_and_lives_on_with_another_one(project, source):
    """A style that is given to somebody has the marks of the layer that it was copied from."""
    layer = QgsRasterLayer(source.replace("{key}", "s3cr3t"), "a", "wms")
    set_credit(layer, "© IGN", Decision.NO)
    assert "s3cr3t" not in str([layer.customProperty(name) for name in layer.customPropertyKeys()])
    layer.setDataSource(source.replace("{key}", "an0ther"), "a", "wms", QgsDataProvider.ProviderOptions())
    assert has_own_marks(layer) and credit_required(layer) is Decision.NO
