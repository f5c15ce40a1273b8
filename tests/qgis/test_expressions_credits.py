"""Expression functions in any layout and credits on the map canvas, for the layers shown at that moment."""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsAnnotationMarkerItem,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsExpressionFunction,
    QgsFeature,
    QgsGeometry,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutObject,
    QgsLayoutSize,
    QgsMapThemeCollection,
    QgsPoint,
    QgsPrintLayout,
    QgsProject,
    QgsProperty,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsExpressionBuilderWidget, QgsMapCanvas
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from plugin.core.box import Box
from plugin.core.custommap.model import Plan
from plugin.core.terms.model import Decision
from plugin.gis.credits import expression_functions, layer_credits
from plugin.gis.credits.canvas_credit import CanvasCredit, draw_credit
from plugin.gis.credits.layer_metadata import set_credit, set_scale_range
from plugin.gis.layouts import dynamic_labels, template_loading, templates
from plugin.gis.layouts.layout_items import CREDITS
from plugin.gis.pages.layout_builder import building_steps
from plugin.gis.runtime import settings

CC = "Creative Commons Attribution 4.0 International, https://creativecommons.org/licenses/by/4.0/"


def layer(name, credit, licence="", fees=""):
    made = QgsVectorLayer("Point?crs=EPSG:25830", name, "memory")
    set_credit(made, credit, Decision.YES)
    metadata = made.metadata()
    metadata.setLicenses([licence] if licence else [])
    metadata.setFees(fees)
    made.setMetadata(metadata)
    return made


@pytest.fixture
def registered(qgis_app):
    expression_functions.register()
    expression_functions.register()
    yield
    expression_functions.unregister()


@pytest.fixture
def three(project):
    layers = [layer("top", "Junta, 2014, CC BY 4.0", CC), layer("middle", "Instituto", fees="12 euros"),
              layer("bottom", "Junta, 2014, CC BY 4.0", CC)]
    project.addMapLayers(layers)
    root = project.layerTreeRoot()
    assert [one.name() for one in root.layerOrder()] == ["top", "middle", "bottom"]
    return layers


def any_layout(project, item_id="map"):
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    layout.setName("somebody's own")
    project.layoutManager().addLayout(layout)
    item = QgsLayoutItemMap(layout)
    item.setId(item_id)
    layout.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(100, 100))
    item.setExtent(QgsRectangle(440000, 4250000, 445000, 4255000))
    label = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(label)

    def said(text):
        label.setText(f"[% {text} %]")
        return label.currentText()

    # the layout's Python half must outlive the closure: an item of a collected layout crashes
    said.layout = layout
    return item, said


def test_credits_of_the_maps_layers_each_once_with_the_licences_address(project, registered, three):
    item, said = any_layout(project)
    junta = "Junta, 2014, CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)"
    assert said("cartoguide_credits()") == f"{junta}\nInstituto"
    assert said("cartoguide_credits('map', ' · ')") == f"{junta} · Instituto"
    item.setLayers([three[1]])
    assert said("cartoguide_credits('map')") == "Instituto"
    assert said("cartoguide_terms()") == "12 euros."
    set_scale_range(three[1], None, 1000.0)
    assert said("cartoguide_credits()") == "", "not drawn at this scale, so not credited"


def test_a_layer_set_and_a_map_of_another_name(project, registered, three):
    _item, said = any_layout(project, "main map")
    assert said("cartoguide_credits()").endswith("Instituto"), "the reference map"
    assert said("cartoguide_credits('main map')").endswith("Instituto")
    assert said(f"cartoguide_credits(array('{three[1].id()}'))") == "Instituto"
    assert said("cartoguide_credits(array('middle'))") == "Instituto"
    assert said("cartoguide_credits('no such map')").startswith("[%"), "an error, not an empty credit"


def test_outside_layouts_the_window_counts_and_after_unload_nothing_is_left(project, registered, three):
    project.layerTreeRoot().findLayer(three[0].id()).setItemVisibilityChecked(False)
    project.layerTreeRoot().findLayer(three[2].id()).setItemVisibilityChecked(False)
    assert QgsExpression("cartoguide_credits()").evaluate(QgsExpressionContext()) == "Instituto"
    names = {function.name(): function for function in QgsExpression.Functions()}
    for name in ("cartoguide_credits", "cartoguide_terms", "cartoguide_sources"):
        assert names[name].groups() == ["Cartoguide"] and "<h3>" in names[name].helpText()
    expression_functions.unregister()
    assert not QgsExpression("cartoguide_credits()").isValid()


def test_the_expression_builder_offers_them_in_a_group_of_their_own(registered, qtbot):
    builder = QgsExpressionBuilderWidget(None)
    qtbot.addWidget(builder)
    builder.init(QgsExpressionContext())
    model = builder.expressionTree().model()
    groups = {model.index(row, 0).data(): model.index(row, 0) for row in range(model.rowCount())}
    group = groups["Cartoguide"]
    assert {model.index(row, 0, group).data() for row in range(model.rowCount(group))} == {
        "cartoguide_credits", "cartoguide_terms", "cartoguide_sources", "cartoguide_scale"}


def test_sources_of_a_layer_that_nobody_described(project, registered):
    uri = "type=xyz&url=http://tiles.invalid/%7Bz%7D/%7Bx%7D/%7By%7D.png&zmax=1"
    tiles = QgsRasterLayer(uri, "Tiles", "wms")
    project.addMapLayer(tiles)
    assert tiles.isValid()
    _item, said = any_layout(project)
    assert said("cartoguide_sources()").startswith("Tiles:\nhttp://tiles.invalid/")
    assert "not stated" in said("cartoguide_terms()")


def test_the_window_carries_its_credits_while_the_setting_is_on(project, three, qtbot, wait_until):
    canvas = QgsMapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.setLayers(three)
    canvas.setExtent(QgsRectangle(440000, 4250000, 445000, 4255000))
    credit = CanvasCredit(canvas)
    assert credit.text.endswith("Instituto")
    pictures = []
    canvas.mapCanvasRefreshed.connect(lambda: pictures.append(canvas.grab().toImage()))
    for on in (True, False):
        settings.set("canvas_credit", on)
        canvas.refresh()
        count = len(pictures)
        wait_until(lambda before=count: len(pictures) > before)
        dark = [x for x in range(200, 395) for y in range(250, 298) if pictures[-1].pixelColor(x, y).lightness() < 90]
        assert bool(dark) == on
    credit.close()


def test_a_long_credit_is_wrapped_inside_the_picture(qgis_app):
    picture = QImage(300, 200, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    painter = QPainter(picture)
    box = draw_credit(painter, "Consejería de Sostenibilidad y Medio Ambiente, mapa guía, 2014 " * 3, 300, 200)
    painter.end()
    assert box.left() >= 0 and box.right() <= 300 and box.bottom() <= 200 and box.height() > 40


def test_a_bundled_template_opened_in_qgis_itself_credits_what_the_project_shows(project, registered, three):
    layout = template_loading.load_template(project, templates.BUNDLED_FOLDER / "guide-A4-landscape.qpt")
    layout.setName("by hand")
    project.layoutManager().addLayout(layout)
    assert layout.itemById("credits").currentText().endswith("Instituto")
    assert "12 euros" in layout.itemById("terms").currentText()
    # QGIS draws the project's own annotations on every map
    notes = project.mainAnnotationLayer()
    set_credit(notes, "Club de Montaña", Decision.YES)
    notes.addItem(QgsAnnotationMarkerItem(QgsPoint(442000, 4252000)))
    dynamic_labels.bind_labels(layout, [notes, *three], "en")
    labels = [layout.itemById(name) for name in ("credits", "terms", "sources")]
    with_plugin = [label.currentText() for label in labels]
    expression_functions.unregister()
    assert [label.currentText() for label in labels] == with_plugin
    assert with_plugin[0].startswith("Club de Montaña\n") and CanvasCredit(QgsMapCanvas()).text == "Club de Montaña"
    assert "https" in with_plugin[0] and "Instituto" in with_plugin[0] and "12 euros" in with_plugin[1]


@pytest.mark.parametrize("plugin", [True, False])
def test_credits_terms_and_sources_follow_theme_atlas_and_scale(project, registered, three, plugin):
    """The map's layers come from a theme that each page of QGIS's own atlas chooses."""
    pages = QgsVectorLayer("Polygon?crs=EPSG:25830&field=theme:string", "pages", "memory")
    for name, shown in (("first", three[:1]), ("second", three[1:2])):
        record = QgsMapThemeCollection.MapThemeRecord()
        record.setLayerRecords([QgsMapThemeCollection.MapThemeLayerRecord(one) for one in shown])
        project.mapThemeCollection().insert(name, record)
        feature = QgsFeature(pages.fields())
        feature.setAttributes([name])
        feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(440000, 4250000, 445000, 4255000)))
        pages.dataProvider().addFeatures([feature])
    project.addMapLayer(pages, False)
    layout = template_loading.load_template(project, templates.BUNDLED_FOLDER / "guide-A4-landscape.qpt")
    layout.setName("atlas")
    project.layoutManager().addLayout(layout)
    dynamic_labels.bind_labels(layout, three, "en")
    item = layout.itemById("map")
    item.setExtent(QgsRectangle(440000, 4250000, 445000, 4255000))
    item.setFollowVisibilityPreset(True)
    item.dataDefinedProperties().setProperty(QgsLayoutObject.DataDefinedProperty.MapStylePreset,
                                             QgsProperty.fromExpression('"theme"'))
    if not plugin:
        expression_functions.unregister()
    atlas = layout.atlas()
    atlas.setCoverageLayer(pages)
    atlas.setEnabled(True)
    assert atlas.beginRender() and atlas.updateFeatures() == 2
    said = []
    for page in range(2):
        atlas.seekTo(page)
        layout.refresh()
        said.append([layout.itemById(name).currentText() for name in ("credits", "terms", "sources")])
    assert said[0][0].startswith("Junta, 2014") and said[1][0] == "Instituto"
    assert "Creative Commons" in said[0][1] and said[1][1] == "12 euros."
    set_scale_range(three[1], None, 10.0)
    assert layout.itemById("credits").currentText() == "", "not drawn at this scale"


def test_no_step_of_a_page_reads_more_than_one_text_from_its_layers(project, three, monkeypatch):
    """With fifty layers each holds the window for some ten milliseconds."""
    read = []

    def counted(text_of):
        return lambda *given: read.append(True) or text_of(*given)

    for name in ("credits_text", "terms_text", "sources_text"):
        monkeypatch.setattr(layer_credits, name, counted(getattr(layer_credits, name)))
    steps = building_steps(project, Plan("Park", "EPSG:25830", (), extent=Box(-3.6, 38.3, -3.4, 38.5)), [],
                           outline_project=QgsProject())
    counts, layout = [], None
    while layout is None:
        try:
            next(steps)
        except StopIteration as end:
            layout = end.value
        counts.append(len(read))
    assert layout.itemById("credits") is not None and len(read) >= 3
    assert max(after - before for before, after in zip(counts, counts[1:])) == 1


def test_what_needs_no_plugin_is_not_evaluated_where_the_plugin_is(project, registered, three):
    """It takes ten times as long, and each page evaluates its labels some dozens of times."""
    layout = any_layout(project)[1].layout
    label = QgsLayoutItemLabel(layout)
    label.setId(CREDITS)
    layout.addLayoutItem(label)
    dynamic_labels.bind_labels(layout, three, "en")
    evaluated = []

    class Counted(QgsExpressionFunction):
        def __init__(self):
            super().__init__("counted_in_a_test", 0, "Tests", "")

        def func(self, *_):
            evaluated.append(True)
            return "without the plugin"

    counted = Counted()
    QgsExpression.registerFunction(counted)
    QgsExpressionContextUtils.setLayoutVariable(layout, f"{dynamic_labels.FALLBACK_VARIABLE_PREFIX}{CREDITS}",
                                                "counted_in_a_test()")
    try:
        assert label.currentText().startswith("Junta, 2014") and not evaluated
        expression_functions.unregister()
        assert label.currentText() == "without the plugin" and evaluated
    finally:
        QgsExpression.unregisterFunction("counted_in_a_test")
