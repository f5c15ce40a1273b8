"""A layout template of somebody else shows a page, and does nothing else: no file, no server, no layer of the "
"person."""

from __future__ import annotations

import base64
import shutil
from dataclasses import replace

import pytest
from qgis.core import (
    Qgis,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutExporter,
    QgsLayoutFrame,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemHtml,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemManualTable,
    QgsLayoutItemMap,
    QgsLayoutItemMarker,
    QgsLayoutItemPicture,
    QgsLayoutItemShape,
    QgsLayoutObject,
    QgsMarkerSymbol,
    QgsPrintLayout,
    QgsProperty,
    QgsReadWriteContext,
    QgsRectangle,
    QgsRenderContext,
    QgsSingleSymbolRenderer,
    QgsSvgMarkerSymbolLayer,
    QgsTableCell,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF, QUrl

from plugin.core.custommap.foreign_maps import Consent, admit, examine
from plugin.core.custommap.model import CustomMap, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.trust.drawing import allowed_template
from plugin.gis.layouts import layout_items, template_loading, templates
from plugin.gis.pages import layout_builder
from plugin.gis.runtime import settings
from plugin.gis.runtime.symbol_library import svg_library
from tests.pairwise import some
from tests.qgis.algorithm_runs import registered_provider, run
from tests.qgis.print_maps import pdf_text, pixels
from tests.qgis.test_foreign_styles import CANARY, CANARY_COLOUR, SVG, canary_file, canary_png, server  # noqa: F401
from tests.qgis.test_layouts_frame import built, plan
from tests.qgis.test_template_loading import BUNDLED, assert_same

WORD = "wordofthecanary"
SOURCE = QgsLayoutObject.DataDefinedProperty.PictureSource


@pytest.fixture(autouse=True)
def canary_word(monkeypatch):
    monkeypatch.setenv("CARTOGUIDE_CANARY", WORD)


@pytest.fixture
def secret(project):
    """A layer of the person, in the colour of the canary, with its word."""
    layer = QgsVectorLayer("Polygon?crs=EPSG:25830&field=secret:string(80)", WORD, "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttributes([WORD])
    feature.setGeometry(QgsGeometry.fromWkt("POLYGON((0 0,10 0,10 10,0 10,0 0))"))
    assert layer.dataProvider().addFeatures([feature])[0]
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": CANARY, "outline_style": "no"})))
    project.addMapLayer(layer)
    project.layerTreeRoot().findLayer(layer).setItemVisibilityChecked(False)
    return layer


def page(project):
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    layout.setName("foreign")
    return layout


def put(layout, item, place=(20, 20, 80, 60)):
    item.attemptSetSceneRect(QRectF(*place))
    layout.addLayoutItem(item)
    return item


def put_label(layout, text, is_html=False):
    label = put(layout, QgsLayoutItemLabel(layout))
    label.setText(text)
    if is_html:
        label.setMode(QgsLayoutItemLabel.Mode.ModeHtml)
    return label


def label_with_environment(layout, _folder, _address, _secret):
    put_label(layout, "Hello [% env('CARTOGUIDE_CANARY') %]")


def label_in_pieces(layout, _folder, _address, _secret):
    put_label(layout, "Hello [[% var('x') %]% env('CARTOGUIDE_CANARY') %]")
    put_label(layout, "Hello [% env('CARTOGUIDE_CANARY') %]")


def label_with_layer(layout, _folder, _address, secret):
    put_label(layout, f"[% aggregate('{secret.id()}', 'max', \"secret\") %]")


def item_variables(layout, _folder, _address, _secret):
    from qgis.core import QgsExpressionContextUtils

    QgsExpressionContextUtils.setProjectVariable(layout.project(), "mine", WORD)
    put(layout, QgsLayoutItemMap(layout)).setId("map")
    put_label(layout, "[% map_get(item_variables('map'), 'mine') %]")


def cell_of_a_table(layout, _folder, _address, _secret):
    table = QgsLayoutItemManualTable.create(layout)
    layout.addMultiFrame(table)
    table.setTableContents([[QgsTableCell("Hello"), QgsTableCell(QgsProperty.fromExpression(
        "env('CARTOGUIDE_CANARY')"))]])
    frame = put(layout, QgsLayoutFrame(layout, table))
    table.addFrame(frame)


def table_of_a_layer(layout, _folder, _address, secret):
    table = QgsLayoutItemAttributeTable.create(layout)
    layout.addMultiFrame(table)
    table.setVectorLayer(secret)
    frame = put(layout, QgsLayoutFrame(layout, table))
    table.addFrame(frame)


def atlas_of_a_layer(layout, _folder, _address, secret):
    layout.atlas().setCoverageLayer(secret)
    layout.atlas().setEnabled(True)
    layout.atlas().setPageNameExpression('"secret"')
    layout.atlas().updateFeatures()
    put_label(layout, "Hello [% \"secret\" %][% @atlas_pagename %]")


def legend_of_a_layer(layout, _folder, _address, secret):
    legend = put(layout, QgsLayoutItemLegend(layout))
    legend.setAutoUpdateModel(False)
    legend.model().rootGroup().clear()
    legend.model().rootGroup().addLayer(secret)


def legend_of_the_project(layout, _folder, _address, _secret):
    put(layout, QgsLayoutItemLegend(layout))


WORDS = (label_with_environment, label_in_pieces, label_with_layer, item_variables, cell_of_a_table, table_of_a_layer,
         atlas_of_a_layer, legend_of_a_layer, legend_of_the_project)


def picture(layout, folder, _address, _secret):
    put(layout, QgsLayoutItemPicture(layout)).setPicturePath(canary_file(folder))


def picture_beside(layout, folder, _address, _secret):
    canary_png(folder)
    put(layout, QgsLayoutItemPicture(layout)).setPicturePath("canary.png")


def picture_by_expression(layout, folder, _address, _secret):
    item = put(layout, QgsLayoutItemPicture(layout))
    item.dataDefinedProperties().setProperty(SOURCE, QgsProperty.fromExpression(f"'{canary_png(folder)}'"))


def picture_by_field(layout, folder, _address, secret):
    secret.dataProvider().changeAttributeValues({1: {0: canary_png(folder)}})
    layout.atlas().setCoverageLayer(secret)
    layout.atlas().setEnabled(True)
    item = put(layout, QgsLayoutItemPicture(layout))
    item.dataDefinedProperties().setProperty(SOURCE, QgsProperty.fromField("secret"))


def marker(layout, folder, _address, _secret):
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, QgsSvgMarkerSymbolLayer(canary_file(folder), 30))
    put(layout, QgsLayoutItemMarker(layout)).setSymbol(symbol)


def shape(layout, folder, _address, _secret):
    from qgis.core import QgsRasterFillSymbolLayer

    symbol = QgsFillSymbol()
    symbol.changeSymbolLayer(0, QgsRasterFillSymbolLayer(canary_png(folder)))
    put(layout, QgsLayoutItemShape(layout)).setSymbol(symbol)


def map_of_a_layer(layout, _folder, _address, secret):
    item = put(layout, QgsLayoutItemMap(layout))
    item.setExtent(QgsRectangle(2, 2, 8, 8))
    item.setLayers([secret])
    item.setKeepLayerSet(True)
    item.storeCurrentLayerStyles()
    item.setKeepLayerStyles(True)


def map_by_expression(layout, _folder, _address, secret):
    item = put(layout, QgsLayoutItemMap(layout))
    item.setExtent(QgsRectangle(2, 2, 8, 8))
    item.dataDefinedProperties().setProperty(QgsLayoutObject.DataDefinedProperty.MapLayers,
                                             QgsProperty.fromExpression(f"'{secret.name()}'"))


PICTURES = (picture, picture_beside, picture_by_expression, picture_by_field, marker, shape, map_of_a_layer,
            map_by_expression)


def web_picture(layout, _folder, address, _secret):
    put(layout, QgsLayoutItemPicture(layout)).setPicturePath(f"{address}/picture.svg")


def web_picture_by_expression(layout, _folder, address, _secret):
    item = put(layout, QgsLayoutItemPicture(layout))
    item.dataDefinedProperties().setProperty(SOURCE, QgsProperty.fromExpression(
        f"'{address}/' || env('CARTOGUIDE_CANARY') || '.svg'"))


def web_page(layout, _folder, address, _secret):
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    frame = put(layout, QgsLayoutFrame(layout, html))
    html.addFrame(frame)
    html.setContentMode(QgsLayoutItemHtml.ContentMode.ManualHtml)
    html.setHtml(f"<img src='{address}/image.png'><script>new Image().src='{address}/script/' + 1;</script>")
    html.setUserStylesheet(f"body {{ background: url({address}/sheet.png) }}")
    html.setUserStylesheetEnabled(True)


def web_address(layout, _folder, address, _secret):
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    frame = put(layout, QgsLayoutFrame(layout, html))
    html.addFrame(frame)
    html.setUrl(QUrl(f"{address}/page.html"))


def missing_page(layout, _folder, _address, _secret):
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    html.addFrame(put(layout, QgsLayoutFrame(layout, html)))
    html.setUrl(QUrl("file:///no/page.html"))


def with_page_of_a_share(path):
    """The file with a page in HTML on a share, for which QGIS waits for ever."""
    text = path.read_text("utf-8")
    assert text.count("file:///no/") == 1
    path.write_text(text.replace("file:///no/", "file://server.invalid/share/"), "utf-8")
    return path


def web_label(layout, _folder, address, _secret):
    put_label(layout, f"<b>Hello</b><img src='{address}/label.png'>[% env('CARTOGUIDE_CANARY') %]", is_html=True)


WEB = (web_picture, web_picture_by_expression, web_page, web_address, web_label)


def template(project, make, folder, address="", secret=None):
    layout = page(project)
    make(layout, folder, address, secret)
    path = folder / "foreign.qpt"
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
    return path


def trusted(path, folder):
    """A copy of a template in the person's own folder."""
    own = folder / "own"
    own.mkdir()
    settings.set("templates_folder", str(own))
    return type(path)(shutil.copy(path, own))


def exporter_of(layout):
    if layout.atlas().enabled():
        layout.atlas().updateFeatures()
        layout.atlas().beginRender()
        layout.atlas().first()
    return QgsLayoutExporter(layout)


def text_of(layout, folder):
    """The text of the layout's PDF."""
    pdf = folder / "page.pdf"
    options = QgsLayoutExporter.PdfExportSettings()
    options.dpi = 72
    options.textRenderFormat = Qgis.TextRenderFormat.AlwaysText if hasattr(Qgis, "TextRenderFormat") else (
        QgsRenderContext.TextRenderFormat.TextFormatAlwaysText)
    assert exporter_of(layout).exportToPdf(str(pdf), options) == QgsLayoutExporter.ExportResult.Success
    return pdf_text(pdf)


def has_canary(layout):
    """True if the layout's image has a pixel in the colour of the canary."""
    image = pixels(exporter_of(layout).renderPageToImage(0, dpi=40))
    return bool((image[:, :, 2::-1] == CANARY_COLOUR).all(axis=2).any())


@pytest.mark.parametrize("make", WORDS, ids=lambda make: make.__name__)
def test_no_word_of_the_person_is_printed(project, secret, tmp_path, make):
    path = template(project, make, tmp_path, secret=secret)
    layout = template_loading.load_template(project, path)
    assert WORD not in text_of(layout, tmp_path)
    assert template_loading.template_notes(layout)
    own = template_loading.load_template(project, trusted(path, tmp_path))
    # but for the fields of an atlas: a page shows none of its features, and QGIS would print the expression itself
    assert len(template_loading.template_notes(own)) == (make is atlas_of_a_layer)
    assert WORD in text_of(own, tmp_path), "a template of the person keeps what it has"


@pytest.mark.parametrize("make", PICTURES, ids=lambda make: make.__name__)
def test_no_picture_or_layer_of_the_person_is_drawn(project, secret, tmp_path, make):
    path = template(project, make, tmp_path, secret=secret)
    layout = template_loading.load_template(project, path)
    assert not has_canary(layout)
    assert template_loading.template_notes(layout)
    copy = trusted(path, tmp_path)
    if make is picture_beside:
        canary_png(copy.parent)
    assert has_canary(template_loading.load_template(project, copy))


@pytest.mark.parametrize("make", WEB, ids=lambda make: make.__name__)
def test_no_server_is_asked(project, tmp_path, server, wait_until, make):  # noqa: F811
    # while it is made nobody is asked
    path = template(project, make, tmp_path, "http://127.0.0.1:9")
    path.write_text(path.read_text("utf-8").replace("http://127.0.0.1:9", server.url), "utf-8")
    layout = template_loading.load_template(project, path)
    text = text_of(layout, tmp_path)
    assert server.asked == []
    assert WORD not in text
    assert template_loading.template_notes(layout)
    if make is web_label:
        assert "Hello" in text
    own = template_loading.load_template(project, trusted(path, tmp_path))
    text_of(own, tmp_path)
    if make not in (web_page, web_label) or Qgis.QGIS_VERSION_INT < 34000:
        # Debian's newer QGIS is built without an engine for web pages
        wait_until(lambda: server.asked)


@pytest.mark.parametrize("path", some(BUNDLED, 3), ids=lambda path: path.stem)
def test_a_bundled_template_from_elsewhere_is_the_same(project, tmp_path, path):
    assert allowed_template(path.read_text("utf-8"), svg_library()).left_out == ()
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    foreign = template_loading.load_template(project, copy)
    assert template_loading.is_foreign(copy) and not template_loading.is_foreign(path)
    assert_same(template_loading.load_template(project, path), foreign)


def test_a_link_in_the_folder_does_not_make_a_template_the_persons(project, tmp_path):
    path = template(project, label_with_environment, tmp_path)
    own = trusted(path, tmp_path)
    link = own.parent / "link.qpt"
    link.symlink_to(path)
    assert not template_loading.is_foreign(own)
    for other in (link, own.parent / ".." / "foreign.qpt", tmp_path / "missing.qpt"):
        assert template_loading.is_foreign(other)


def test_the_map_says_what_was_left_out(project, tmp_path):
    path = tmp_path / "theirs.qpt"
    content = BUNDLED[0].read_text("utf-8")
    content = content.replace("labelText=\"\"", "labelText=\"[% env('CARTOGUIDE_CANARY') %]\"", 1)
    assert "CARTOGUIDE_CANARY" in content
    path.write_text(content, "utf-8")
    layout = built(project, page=PageSetup(template=str(path)))
    note, = (note for note in layout_items.layout_notes(layout) if "theirs.qpt" in note)
    assert "expressions that read files" in note
    assert layout.itemById(layout_items.MAP) is not None


def test_other_maps_of_the_template_draw_the_map_and_not_the_project(project, secret, tmp_path):
    project.layerTreeRoot().findLayer(secret).setItemVisibilityChecked(True)
    shown = QgsVectorLayer("Point?crs=EPSG:25830", "shown", "memory")
    project.addMapLayer(shown)
    for name in ("map", "map:x", "", "another", "grid", "inset", "cover"):
        layout = page(project)
        for item_id in ("map", name):
            put(layout, QgsLayoutItemMap(layout)).setId(item_id)
        path = tmp_path / "theirs.qpt"
        assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
        for layers in ([None], [shown]):
            made = layout_builder.build_layout(project, plan(page=PageSetup(template=str(path))), layers)
            for item in layout_items.items_of_type(made, QgsLayoutItemMap):
                assert secret not in item.layersToRender() or not item.isVisible() or not layers[0], name


def test_a_template_of_a_finished_page_is_taken_without_a_word(project, tmp_path):
    """Cartoguide binds its labels anew: what it had bound before is no loss."""
    layout = built(project, page=PageSetup(template="guide"))
    path = tmp_path / "finished.qpt"
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
    again = template_loading.load_template(project, path)
    assert template_loading.template_notes(again) == []
    label = layout_items.find_item(again, layout_items.CREDITS, QgsLayoutItemLabel)
    assert label.text() == "[% cartoguide_credits('map') %]"


@pytest.mark.parametrize("change", (
    lambda text: text.replace("<Layout ", '<!DOCTYPE x [<!ENTITY e "a">]><Layout ', 1),
    lambda text: text.replace("<Layout ", "<Composer ", 1).replace("</Layout>", "</Composer>"),
    lambda text: text[:500], lambda text: "", lambda text: "<x>" * 400))
def test_a_file_that_is_no_template_is_refused(project, tmp_path, change):
    path = tmp_path / "theirs.qpt"
    path.write_text(change(BUNDLED[0].read_text("utf-8")), "utf-8")
    with pytest.raises(CartoguideError):
        template_loading.load_template(project, path)
    assert templates.has_small_multiples(PageSetup(template=str(path))) in (True, False)


def test_a_template_that_became_a_link_after_it_was_agreed_to_is_not_read(project, tmp_path):
    path, own = tmp_path / "theirs.qpt", tmp_path / "own"
    shutil.copy(BUNDLED[0], path)
    own.mkdir()
    private = template(project, label_with_environment, tmp_path)
    settings.set("templates_folder", str(own))
    page = admit(examine(CustomMap(page=PageSetup(template=str(path))), tmp_path, own), Consent.LISTED).document.page
    template_loading.load_template(project, path, agreed_file=page.agreed_file)
    path.unlink()
    path.symlink_to(shutil.copy(private, own))
    with pytest.raises(CartoguideError, match="replaced by a link"):
        layout_builder.build_layout(project, plan(page=page), [None])
    assert replace(page, template=str(private)).agreed_file == "", "another template was not asked about"


def test_a_template_that_becomes_a_link_while_it_is_judged_is_not_the_persons(project, tmp_path, monkeypatch):
    path = template(project, label_with_environment, tmp_path)
    own = trusted(BUNDLED[0], tmp_path)
    judged = template_loading.is_foreign

    def replaced(file):
        found = judged(file)
        own.unlink(missing_ok=True)
        own.symlink_to(path)
        return found

    monkeypatch.setattr(template_loading, "is_foreign", replaced)
    with pytest.raises(CartoguideError, match="replaced by a link"):
        template_loading.load_template(project, own)


def test_the_pictures_of_a_template_are_drawn_at_once(project, tmp_path):
    """Many pictures that are bearable one by one would hold the window for long together."""
    lines = "M" + " L".join(f"{37 * number % 100} {100 * (number % 2)}" for number in range(250))
    heavy = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="{lines}" stroke="#000"/></svg>'
    layout = page(project)
    for number in range(40):
        data = heavy.replace("<path", f"<!-- {number} --><path").encode()
        put(layout, QgsLayoutItemPicture(layout)).setPicturePath("base64:" + base64.b64encode(data).decode())
    path = tmp_path / "foreign.qpt"
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
    drawing = allowed_template(path.read_text("utf-8"))
    assert 0 < drawing.text.count("base64:") < 10
    assert any("take very long to draw" in note for note in drawing.left_out)


@pytest.mark.timeout(60)
def test_no_page_of_a_share_is_waited_for(project, tmp_path):
    path = with_page_of_a_share(template(project, missing_page, tmp_path))
    layout = template_loading.load_template(project, path)
    assert layout.multiFrames() == [] and template_loading.template_notes(layout)
    with pytest.raises(CartoguideError, match="//server.invalid/share/page.html.* is on another computer"):
        template_loading.load_template(project, trusted(path, tmp_path))


@pytest.mark.timeout(60)
def test_a_project_with_a_page_of_a_share_is_audited(project, tmp_path):
    layout = page(project)
    missing_page(layout, tmp_path, "", None)
    project.layoutManager().addLayout(layout)
    project.addMapLayer(QgsVectorLayer("Point?crs=EPSG:25830", "points", "memory"))
    assert project.write(str(tmp_path / "theirs.qgs"))
    project.clear()
    path = with_page_of_a_share(tmp_path / "theirs.qgs")
    with registered_provider():
        assert run("auditcredits", {"PROJECT": str(path)})["LAYERS"] == 1
