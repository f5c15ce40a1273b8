"""What the plugin notes on a layer counts for its source alone: QGIS copies it with styles and keeps it otherwise."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from osgeo import gdal, ogr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsLayerDefinition,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtXml import QDomDocument

from plugin.core.custommap.model import LayerPlan
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms.model import Decision
from plugin.gis.credits.credit_audit import confirm_own_data, enter_credit, layer_facts
from plugin.gis.credits.layer_credits import (
    credit_lines,
    credit_required,
    layers_without_credit,
    owed_credits,
    plan_from_layers,
)
from plugin.gis.credits.layer_metadata import fill_metadata, set_credit
from plugin.gis.layers.project_group import can_be_own_layer
from plugin.gis.runtime import compat
from plugin.gis.sources.layer_source import (
    ENDPOINT,
    LIVE_SOURCE,
    OWN_DATA,
    RECORD_ID,
    SERVICE_TITLE,
    SNAPSHOT_SOURCE,
    SOURCE,
    has_own_marks,
    mark,
    source_key,
    source_of,
)
from plugin.gis.sources.wms import layer_uri

FACILITIES, GUIDE = "Equipamientos de uso público, 2014", "Mapa guía del parque, 2014"


def service_layer(network, service, name, credit, **changes) -> QgsRasterLayer:
    plan = LayerPlan(WmsSource(address=network.endpoints[service], name=name, style="", format="image/png",
                               crs="EPSG:25830"),
                     title=name, service_title=service, rights=(credit,), credit_required=Decision.YES, **changes)
    layer = QgsRasterLayer(layer_uri(plan.source), name, "wms")
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
    values = changes.pop("dimension_values", ())
    return LayerPlan(WmsSource(address, name, "", "image/png", "EPSG:25830", dimension_values=values), name,
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
    layer, copy = QgsRasterLayer(layer_uri(plan.source), "a", "wms"), QgsRasterLayer(
        layer_uri(plan_for(other).source), "b", "wms")
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
        layer.setCustomProperty(LIVE_SOURCE, layer_uri(plan.source))
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


# -- what carries marks besides a style: files of styles, styles in databases, definitions of layers


def table(folder, name="datos.gpkg", layer="sendas", driver="GPKG", provider="ogr") -> QgsVectorLayer:
    """A layer of a table in a real file, which may have several."""
    path = folder / name
    made = ogr.Open(str(path), 1) if path.exists() else ogr.GetDriverByName(driver).CreateDataSource(
        str(path), ["SPATIALITE=YES"] if driver == "SQLite" else [])
    features_of = made.CreateLayer(layer, geom_type=ogr.wkbPoint)
    features_of.CreateField(ogr.FieldDefn("a", ogr.OFTInteger))
    for number in range(3):
        feature = ogr.Feature(features_of.GetLayerDefn())
        feature.SetField("a", number)
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT (-3.5 {38 + number})"))
        features_of.CreateFeature(feature)
    features_of = made = None
    return table_layer(path, layer, provider)


def table_layer(path, layer="sendas", provider="ogr") -> QgsVectorLayer:
    source = f"dbname='{path}' table=\"{layer}\" (geometry)"
    found = QgsVectorLayer(source if provider == "spatialite" else f"{path}|layername={layer}", layer, provider)
    assert found.isValid(), source
    return found


def by_default_style_file(layer, other, _folder):
    """QGIS's "Save as default", whose file lies beside the data of another layer then."""
    message, worked = layer.saveDefaultStyle()
    assert worked, message
    Path(layer.styleURI()).replace(other.styleURI())
    message, worked = other.loadDefaultStyle()
    assert worked, message


def by_style_file(layer, other, folder):
    message, worked = layer.saveNamedStyle(str(folder / "estilo.qml"))
    assert worked, message
    assert other.loadNamedStyle(str(folder / "estilo.qml"))[1]


def by_style_in_the_database(layer, other, _folder):
    """The default style of a table, written over to another table of the same or another GeoPackage."""
    assert layer.saveStyleToDatabase("normal", "", True, "") == ""
    rows = ogr.Open(layer.source().split("|")[0])
    found = rows.GetLayerByName("layer_styles")
    style = found.GetFeature(1).GetField("styleQML")
    found = rows = None
    assert other.saveStyleToDatabase("normal", "", True, "") == ""
    path = other.source().split("|")[0]
    rows = ogr.Open(path, 1)
    found = rows.GetLayerByName("layer_styles")
    for feature in list(found):
        if feature.GetField("f_table_name") == other.name():
            feature.SetField("styleQML", style)
            found.SetFeature(feature)
    found = rows = None
    message, worked = other.loadDefaultStyle()
    assert worked, message


@pytest.mark.parametrize("is_own_data", [True, False])
@pytest.mark.parametrize("carry", [by_default_style_file, by_style_file, by_style_in_the_database])
@pytest.mark.parametrize("place", ["another file", "another project's file of that name", "another table"])
def test_a_style_of_files_and_databases_carries_no_credit(project, tmp_path, carry, place, is_own_data):
    if carry is by_default_style_file and place == "another table":
        pytest.skip("tables of a file have one default style file")
    for name in ("uno", "dos"):
        (tmp_path / name).mkdir()
    layer = table(tmp_path / "uno")
    other = table(tmp_path / "uno", "otros.gpkg") if place == "another file" else table(
        tmp_path / "uno", layer="rios") if place == "another table" else table(tmp_path / "dos")
    project.addMapLayer(layer)
    assert project.write(str(tmp_path / "uno" / "a.qgz"))
    if is_own_data:
        confirm_own_data(project, [layer.id()])
    else:
        enter_credit(project, [layer.id()], "Ana 2020")
    theirs = QgsProject()
    assert theirs.write(str(tmp_path / ("dos" if place.startswith("another project") else "uno") / "b.qgz"))
    theirs.addMapLayer(other)
    before = print_facts(other)
    carry(layer, other, tmp_path)
    assert other.customProperty(SOURCE), "QGIS copies the marks with the style"
    assert print_facts(other) == before and can_be_own_layer(other)
    assert credit_required(other) is Decision.UNDECIDED and credit_lines(other) == []
    assert (credit_required(layer) is Decision.NO) is is_own_data


def test_a_layer_definition_has_the_credit_of_what_it_draws_and_no_other(network, project, tmp_path):
    """A .qlr whose source somebody changed, or of a file that another project has at the same place."""
    for name in ("uno", "dos"):
        (tmp_path / name).mkdir()
    service, own = service_layer(network, "facilities", "miradores", FACILITIES), orthophoto(tmp_path / "uno")
    orthophoto(tmp_path / "dos")
    project.addMapLayers([service, own])
    assert project.write(str(tmp_path / "uno" / "a.qgz"))
    confirm_own_data(project, [own.id()])
    definition = tmp_path / "uno" / "capas.qlr"
    worked, message = QgsLayerDefinition.exportLayerDefinition(str(definition), project.layerTreeRoot().children())
    assert worked, message
    text = definition.read_text(encoding="utf-8")
    guide = service_layer(network, "guide", "limite_parque", GUIDE).source().replace("&", "&amp;")
    for name, changed in (("igual.qlr", text), ("otra.qlr", re.sub(
            "<datasource>[^<]*layers=miradores[^<]*</datasource>", f"<datasource>{guide}</datasource>", text))):
        (tmp_path / "dos" / name).write_text(changed, encoding="utf-8")
        theirs = QgsProject()
        assert theirs.write(str(tmp_path / "dos" / "b.qgz"))
        worked, message = QgsLayerDefinition.loadLayerDefinition(
            str(tmp_path / "dos" / name), theirs, theirs.layerTreeRoot())
        assert worked, message
        layers = {layer.name(): layer for layer in theirs.mapLayers().values()}
        assert Path(layers["Mi ortofoto"].source()).parent.name == "dos", "another file of that name"
        assert layers["Mi ortofoto"].customProperty(OWN_DATA) and credit_required(
            layers["Mi ortofoto"]) is Decision.UNDECIDED
        shown = layers["miradores"]
        assert shown.customProperty(ENDPOINT) and shown.isValid()
        if changed == text:
            assert owed_credits([shown]) == {FACILITIES: "miradores"}
        else:
            facts = layer_facts(shown)
            assert credit_lines(shown) == [] and facts.names == ("limite_parque",) and not facts.confirmed
            assert mark(shown, SERVICE_TITLE) is None
            assert layers_without_credit([shown]) == [shown], "it is asked for its credit"


WEB_DATA = {
    "XYZ": lambda: QgsRasterLayer("type=xyz&url=http://127.0.0.1:9/a/%7Bz%7D/%7Bx%7D/%7By%7D.png&zmax=9", "XYZ", "wms"),
    "vector tiles": lambda: QgsVectorTileLayer(
        "type=xyz&url=http://127.0.0.1:9/a/%7Bz%7D/%7Bx%7D/%7By%7D.pbf&zmax=1&zmin=0", "vector tiles"),
    "WFS": lambda: QgsVectorLayer("typename='a:b' version='2.0.0' url='http://127.0.0.1:9/a/wfs'", "WFS", "WFS"),
    "OAPIF": lambda: QgsVectorLayer("typename='b' url='http://127.0.0.1:9/a/'", "OAPIF", "OAPIF"),
    "ArcGIS": lambda: QgsVectorLayer("crs='EPSG:3857' url='http://127.0.0.1:9/a/FeatureServer/0'", "ArcGIS",
                                     "arcgisfeatureserver"),
    "WCS": lambda: QgsRasterLayer("identifier=b&url=http://127.0.0.1:9/a/wcs", "WCS", "wcs"),
    "file of an address": lambda: QgsVectorLayer("/vsicurl/http://127.0.0.1:9/a/b.geojson", "file of an address",
                                                 "ogr"),
}


def test_a_layer_definition_of_web_data_says_of_its_source_what_somebody_said_and_of_no_other(project, tmp_path):
    layers = [make() for make in WEB_DATA.values()]
    project.addMapLayers(layers)
    ids = [layer.id() for layer in layers]

    def loaded(name, address="127.0.0.1:9/a"):
        path = str(tmp_path / f"{name}.qlr")
        worked, message = QgsLayerDefinition.exportLayerDefinition(path, project.layerTreeRoot().children())
        assert worked, message
        Path(path).write_text(re.sub("<datasource>.*?</datasource>", lambda found: found.group().replace(
            "127.0.0.1:9/a", address), Path(path).read_text("utf-8")), "utf-8")
        theirs = QgsProject()
        worked, message = QgsLayerDefinition.loadLayerDefinition(path, theirs, theirs.layerTreeRoot())
        assert worked, message
        found = list(theirs.mapLayers().values())
        assert {layer.name() for layer in found} == set(WEB_DATA)
        held.append(theirs)
        return found

    held = []
    assert confirm_own_data(project, ids).layer_names
    for address, required in (("127.0.0.1:9/a", Decision.NO), ("127.0.0.1:9/other", Decision.UNDECIDED)):
        for layer in loaded("own", address):
            assert layer_facts(layer).confirmed is (required is Decision.NO) and credit_lines(layer) == []
            assert credit_required(layer) is required, f"{layer.name()} at {address}"
    enter_credit(project, ids, "© Whoever it was")
    for layer in loaded("credited"):
        assert credit_lines(layer) == ["© Whoever it was"] == list(layer_facts(layer).credit)


@pytest.mark.parametrize(("name", "driver", "provider"), [("datos.gpkg", "GPKG", "ogr"), (
    "datos.sqlite", "SQLite", "spatialite"), ("datos.sqlite", "SQLite", "ogr")])
def test_own_data_stays_own_with_a_filter_in_a_file_that_moved(project, tmp_path, name, driver, provider):
    (tmp_path / "uno").mkdir()
    layer = table(tmp_path / "uno", name, "sendas", driver, provider)
    rivers = table(tmp_path / "uno", name, "rios", driver, provider)
    project.addMapLayers([layer, rivers])
    assert project.write(str(tmp_path / "uno" / "a.qgz"))
    confirm_own_data(project, [layer.id()])
    for text in ('"a" > 0', '"a" = 1', ""):
        assert layer.setSubsetString(text)
        assert credit_required(layer) is Decision.NO, (text, layer.source())
    assert layer.setSubsetString('"a" > 0')
    for key in layer.customPropertyKeys():
        rivers.setCustomProperty(key, layer.customProperty(key))
    assert credit_required(rivers) is Decision.UNDECIDED
    assert project.write(str(tmp_path / "uno" / "a.qgz"))
    project.clear()
    (tmp_path / "uno").rename(tmp_path / "dos")
    assert project.read(str(tmp_path / "dos" / "a.qgz"))
    moved = {layer.name(): layer for layer in project.mapLayers().values()}
    assert moved["sendas"].featureCount() == 2 and "dos" in moved["sendas"].source()
    assert [credit_required(moved[one]) for one in ("sendas", "rios")] == [Decision.NO, Decision.UNDECIDED]
    assert moved["sendas"].setSubsetString('"a" = 0') and credit_required(moved["sendas"]) is Decision.NO


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
