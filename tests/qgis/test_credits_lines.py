"""Credit lines of the drawn layers, each once, topmost layer first, and layers without a credit."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from qgis import core
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsLayoutItemMap,
    QgsLayoutObject,
    QgsLayoutSize,
    QgsMapThemeCollection,
    QgsPrintLayout,
    QgsProperty,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorLayerJoinInfo,
    QgsVirtualLayerDefinition,
)

from plugin.core.custommap.model import LayerPlan, Plan
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_credits import (
    credit_required,
    credits_of_layers,
    credits_text,
    layer_credit,
    layers_drawn_by,
    layers_of_map,
    layers_without_credit,
    owed_credits,
    visible_project_layers,
)
from plugin.gis.credits.layer_metadata import set_credit, set_scale_range
from plugin.gis.credits.map_credits import sources_statement, terms_statement, visible_services, with_language
from plugin.gis.own_layers.references import show_credit
from plugin.gis.runtime import compat
from plugin.gis.sources.layer_source import layers_behind


def credits_of_map(item):
    return credits_of_layers(layers_of_map(item), item.scale())


def layer(name, credit="", required=Decision.UNDECIDED, ours=True):
    made = QgsVectorLayer("Point?crs=EPSG:25830", name, "memory")
    if ours:
        set_credit(made, credit, required)
    return made


@pytest.fixture
def three(qgis_app):
    return [layer("top", "C. de Medio  Ambiente", Decision.YES), layer("middle", "Instituto", Decision.YES),
            layer("bottom", "C. de Medio Ambiente", Decision.YES)]


def test_each_credit_once_top_first(three):
    assert credits_of_layers(three) == ["C. de Medio Ambiente", "Instituto"]
    assert credits_of_layers(reversed(three)) == ["C. de Medio Ambiente", "Instituto"]
    assert credits_of_layers(three[1:]) == ["Instituto", "C. de Medio Ambiente"]


def test_what_is_not_drawn_at_the_scale_is_not_credited(three):
    set_scale_range(three[1], 1000.0, 50000.0)
    assert "Instituto" in credits_of_layers(three, 25000)
    assert "Instituto" not in credits_of_layers(three, 100000)
    assert "Instituto" in credits_of_layers(three), "without a scale, whatever the scale"


def test_a_fully_transparent_layer_is_not_credited(three):
    three[1].setOpacity(0)
    assert credits_of_layers(three) == ["C. de Medio Ambiente"]


def test_rights_win_over_attribution_and_an_attribution_alone_counts(qgis_app):
    mine = layer("a", "Rights")
    compat.set_attribution(mine, "Office of Maps")
    assert layer_credit(mine) == "Rights"
    other = layer("b", ours=False)
    compat.set_attribution(other, "Office of Maps")
    assert layer_credit(other) == "Office of Maps"


def test_a_required_or_undecided_credit_that_is_empty_is_missing(qgis_app):
    required, undecided, free = (layer(word.value, "", word)
                                 for word in (Decision.YES, Decision.UNDECIDED, Decision.NO))
    local, credited = layer("local", ours=False), layer("credited", "Somebody", Decision.YES)
    assert layers_without_credit([required, undecided, free, local, credited]) == [required, undecided]


def test_every_line_of_every_layer_is_owed_unless_none_is_required(qgis_app):
    several, undecided, unknown, free, again = (
        layer("several"), layer("undecided", "Instituto"), layer("unknown", ours=False),
        layer("free", "Nobody", Decision.NO), layer("again", "Agencia", Decision.YES))
    set_credit(several, "Agencia; Red de aforos; Catastro", Decision.YES,
               rights=("Agencia", "Red de aforos", "Catastro"))
    compat.set_attribution(unknown, "© Somebody")
    assert owed_credits([several, undecided, unknown, free, again]) == {
        "Agencia": "several", "Red de aforos": "several", "Catastro": "several", "Instituto": "undecided",
        "© Somebody": "unknown"}


def test_a_page_and_its_plan_show_every_line_of_a_layer(qgis_app):
    lines = ("Agencia", "Red de aforos", "Catastro")
    several = layer("several")
    set_credit(several, "; ".join(lines), rights=lines)
    assert credits_text([several, layer("b", "Instituto")]).split("\n") == [*lines, "Instituto"]
    plans = [LayerPlan(WmsSource("https://x.invalid/wms", name, "", "", ""), name, rights=rights)
             for name, rights in (("a", lines[:2]), ("b", lines[1:]), ("c", ()))]
    assert visible_services(Plan("", "", tuple(plans)))[0].credits == lines


def test_a_credit_that_is_entered_for_data_that_needed_none_is_owed(qgis_app):
    mine = layer("mine", "", Decision.NO)
    show_credit(mine, "Mediciones de Ana Pérez")
    assert owed_credits([mine]) == {"Mediciones de Ana Pérez": "mine"}


def test_a_layout_maps_own_layers_or_the_projects_visible_ones_are_credited(project, three):
    project.addMapLayers(three)
    root = project.layerTreeRoot()
    root.findLayer(three[1].id()).setItemVisibilityChecked(False)
    assert [one.name() for one in visible_project_layers(project)] == ["top", "bottom"]
    layout = QgsPrintLayout(project)
    item = QgsLayoutItemMap(layout)
    item.attemptSetSceneRect(layout.pageCollection().page(0).rect() if layout.pageCollection().pageCount() else
                             item.rect())
    item.zoomToExtent(QgsRectangle(440000, 4250000, 450000, 4260000))
    layout.addLayoutItem(item)
    assert credits_of_map(item) == ["C. de Medio Ambiente"]
    item.setKeepLayerSet(True)
    item.setLayers([three[1]])
    assert credits_of_map(item) == ["Instituto"]
    set_credit(three[1], "", Decision.YES)
    assert layers_without_credit(layers_drawn_by([item])) == [three[1]]


def test_a_layout_map_that_follows_a_theme_credits_the_theme(project, three):
    project.addMapLayers(three)
    collection: QgsMapThemeCollection = project.mapThemeCollection()
    theme = QgsMapThemeCollection.MapThemeRecord()
    theme.setLayerRecords([QgsMapThemeCollection.MapThemeLayerRecord(three[1])])
    collection.insert("only the middle", theme)
    layout = QgsPrintLayout(project)
    item = QgsLayoutItemMap(layout)
    layout.addLayoutItem(item)
    item.setFollowVisibilityPreset(True)
    item.setFollowVisibilityPresetName("only the middle")
    assert credits_of_map(item) == ["Instituto"]


def test_each_map_of_a_page_owes_what_it_draws_at_its_own_scale(project, three):
    project.addMapLayers(three)
    set_scale_range(three[1], None, 50000.0)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    items = []
    for width in (200_000, 1_000):
        item = QgsLayoutItemMap(layout)
        item.attemptResize(QgsLayoutSize(100, 100))
        item.setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        item.zoomToExtent(QgsRectangle(440000, 4250000, 440000 + width, 4250000 + width))
        layout.addLayoutItem(item)
        items.append(item)
    assert [one.name() for one in layers_drawn_by(items[:1])] == ["top", "bottom"]
    assert {one.name() for one in layers_drawn_by(items)} == {"top", "middle", "bottom"}


def test_layers_that_an_expression_chooses_are_credited(project, three):
    project.addMapLayers(three)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    item = QgsLayoutItemMap(layout)
    item.attemptResize(QgsLayoutSize(100, 100))
    item.zoomToExtent(QgsRectangle(440000, 4250000, 450000, 4260000))
    layout.addLayoutItem(item)
    item.setLayers(three[2:])
    item.dataDefinedProperties().setProperty(QgsLayoutObject.DataDefinedProperty.MapLayers,
                                             QgsProperty.fromExpression("'middle'"))
    assert credits_of_map(item) == ["Instituto"]


@pytest.mark.skipif(not hasattr(core, "QgsGroupLayer"), reason="QGIS draws no groups as one layer before 3.24")
def test_the_layers_of_a_group_that_is_drawn_as_one_are_credited(project, three):
    project.addMapLayers(three)
    group = core.QgsGroupLayer("group", core.QgsGroupLayer.LayerOptions(project.transformContext()))
    group.setChildLayers(three[:2])
    assert credits_of_layers([group, three[2]]) == ["C. de Medio Ambiente", "Instituto"]


def test_a_virtual_layer_owes_the_credits_of_all_that_it_reads(project, three, tmp_path):
    top, middle, bottom = three
    free, own = layer("free", "Nobody", Decision.NO), layer("own", ours=False)
    project.addMapLayers([*three, free, own])
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayerId(bottom.id())
    middle.addJoin(join)
    query = QgsVectorLayer(f"?layer_ref={middle.id()}&layer_ref={free.id()}&query=select * from {own.name()}", "query",
                           "virtual")
    project.addMapLayer(query)
    nested = QgsVectorLayer("?query=select * from query", "nested", "virtual")
    assert query.isValid() and nested.isValid()
    project.addMapLayer(nested)
    assert list(owed_credits([nested])) == ["Instituto", "C. de Medio Ambiente"]
    assert credits_text([nested]) == "Instituto\nC. de Medio Ambiente"
    assert credit_required(nested) is Decision.YES and layers_without_credit([nested]) == []
    set_credit(middle, "", Decision.YES)
    assert layers_without_credit([nested, own]) == [nested]
    # a source of its own is that of the project's layer
    path = tmp_path / "a.geojson"
    path.write_text('{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"a": 1}, '
                    '"geometry": {"type": "Point", "coordinates": [0, 0]}}]}')
    file = QgsVectorLayer(str(path), "file", "ogr")
    set_credit(file, "Catastro", Decision.YES)
    project.addMapLayer(file)
    definition = QgsVirtualLayerDefinition()
    definition.addSource("a", str(path), "ogr")
    definition.setQuery("select * from a")
    embedding = QgsVectorLayer(bytes(definition.toUrl().toEncoded()).decode(), "embedding", "virtual")
    assert embedding.isValid() and list(owed_credits([embedding])) == ["Catastro"]


def test_a_calculated_raster_of_a_service_owes_a_credit(project):
    service = quote("url=https://geo.test/wcs&identifier=a")
    raster = QgsRasterLayer(f"?crs=EPSG:4326&extent=0,0,1,1&width=2&height=2&formula=\"a@1\" %2B 1&a:uri={service}"
                            "&a:provider=wcs", "sum", "virtualraster")
    assert [source.type.value for source in layers_behind(raster)[1]] == ["WCS"]


def test_access_keys_are_not_printed_among_the_sources(qgis_app):
    address = "https://x.invalid/{z}?lang=es&key=SECRET&map=a&access_token=SECRET"
    plan = Plan("", "", (LayerPlan(WmsSource(address, "a", "", "", ""), "A"),), language="en")
    assert sources_statement(plan) == "A:\nhttps://x.invalid/{z}?map=a"


def test_a_hidden_group_hides_the_credits_of_its_layers(project, three):
    project.addMapLayers(three, False)
    group = project.layerTreeRoot().addGroup("hidden")
    for one in three:
        group.addLayer(one)
    group.setItemVisibilityChecked(False)
    assert visible_project_layers(project) == []


def terms_of(language, *licences, fees="", required=Decision.UNDECIDED):
    made = LayerPlan(WmsSource(address="http://127.0.0.1:9/wms?", name="a", style="", format="image/png",
                               crs="EPSG:25830"), title="A", licences=licences, fees=fees, credit_required=required)
    return terms_statement(Plan("", "", layers=(made,), language=language))


@pytest.mark.parametrize(("language", "text", "fees", "printed"), [
    ("en", "Uso libre y gratuito citando la fuente.", "Gratuito",
     "Free of charge; credit required. Original text: “Uso libre y gratuito citando la fuente.”"),
    ("es", "Free of charge. No redistribution.", "",
     "Gratuito. Otras condiciones en el texto original: «Free of charge. No redistribution.»"),
    ("en", "El uso tiene un coste de 50 €. Debe citarse la fuente.", "",
     "Not free of charge; credit required. Further conditions in the original text: "
     "“El uso tiene un coste de 50 €. Debe citarse la fuente.”"),
    ("es", "Uso libre y gratuito citando la fuente.", "Gratuito", "Uso libre y gratuito citando la fuente."),
    ("es", "Nutzung nach Absprache mit dem Amt.", "", "Nutzung nach Absprache mit dem Amt."),
    ("es", "", "none", "Gratuito."), ("en", "", "sin coste", "Free of charge."),
    ("en", "", "ninguna", "Free of charge."),
    ("en", "", "50 € por hoja", "50 € por hoja."),
    ("en", "", "none, subject to licence", "none, subject to licence."),
    ("en", "", "Gratuito bajo licencia", "Gratuito bajo licencia."),
    ("en", "", "gratuito (ver licencia)", "gratuito (ver licencia)."),
    ("en", "Uso gratuito.", "Gratuito bajo licencia",
     "Free of charge. Further conditions in the original text: “Uso gratuito.” Gratuito bajo licencia."),
    ("es", "Creative Commons Attribution 4.0 International, https://creativecommons.org/licenses/by/4.0/", "",
     "Creative Commons Attribution 4.0 International, https://creativecommons.org/licenses/by/4.0/."),
])
def test_terms_in_another_language_than_the_page_are_said_in_its_own_and_kept(language, text, fees, printed, qgis_app):
    assert terms_of(language, *filter(None, (text,)), fees=fees) == printed


def test_what_limits_the_use_is_never_left_out_of_a_translation(qgis_app):
    """A page that said "free of charge" of data that are so for some would promise what nobody has granted."""
    text = "Gratuito para uso no comercial. Debe citarse la fuente."
    said = terms_of("en", text, required=Decision.YES)
    assert not said.startswith("Free of charge") and "Further conditions in the original text" in said and text in said


@pytest.mark.parametrize("required", list(Decision))
def test_a_translation_says_that_no_credit_is_required_only_where_all_terms_of_the_service_do(qgis_app, required):
    """Its texts are a part of what decides the duty: the document and the snapshot may be stricter."""
    said = terms_of("en", "No es necesario citar la fuente.", required=required)
    assert ("No credit required" in said) is (required is Decision.NO) and "No es necesario citar la fuente" in said


def test_a_description_in_another_language_is_marked_and_one_in_the_pages_is_not(qgis_app):
    spanish = "Servicio de mapas de los equipamientos de uso público y de los espacios naturales protegidos."
    assert with_language(spanish, "en") == f"{spanish} (in Spanish)" and with_language(spanish, "es") == spanish
    assert with_language("Despeñaperros 2014", "en") == "Despeñaperros 2014", "names tell no language"
