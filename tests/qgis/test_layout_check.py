"""QGIS's layout check before an export: missing credits are listed for any layout."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from qgis.core import (
    QgsAbstractValidityCheck,
    QgsAnnotationMarkerItem,
    QgsApplication,
    QgsFeature,
    QgsFeedback,
    QgsGeometry,
    QgsLayoutFrame,
    QgsLayoutItemHtml,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutObject,
    QgsLayoutSize,
    QgsLayoutValidityCheckContext,
    QgsMapThemeCollection,
    QgsPoint,
    QgsPointXY,
    QgsPrintLayout,
    QgsProperty,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QImage

from plugin.core.terms.model import Decision
from plugin.gis.checks import validity_check
from plugin.gis.credits import expression_functions
from plugin.gis.credits.layer_metadata import set_credit, set_scale_range
from plugin.gis.pages.completeness_checks import layout_problems
from plugin.gis.runtime import compat
from plugin.gis.sources.service_states import ServiceStates, Viewer
from tests.slowness import patience

CREDIT = "Agencia del Agua, Ríos, 2020"


@pytest.fixture
def checked(qgis_app):
    validity_check.register()
    expression_functions.register()
    yield lambda layout: [(result.title, result.detailedDescription) for result in found(layout)]
    validity_check.unregister()
    expression_functions.unregister()


def found(layout):
    """What Cartoguide's own check found: QGIS has checks beside it."""
    every = QgsApplication.validityCheckRegistry().runChecks(
        QgsAbstractValidityCheck.Type.TypeLayoutCheck, QgsLayoutValidityCheckContext(layout), QgsFeedback())
    return [result for result in every if "cartoguide_credits" in result.detailedDescription]


@pytest.fixture
def layout(project):
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "Rivers", "memory")
    set_credit(layer, CREDIT, Decision.YES)
    project.addMapLayer(layer)
    made = QgsPrintLayout(project)
    made.initializeDefaults()
    made.setName("Rivers")
    project.layoutManager().addLayout(made)
    item = QgsLayoutItemMap(made)
    item.attemptResize(QgsLayoutSize(100, 100))
    item.setExtent(QgsRectangle(0, 0, 1000, 1000))
    item.setLayers([layer])
    made.addLayoutItem(item)
    return made


def label(layout, text):
    item = QgsLayoutItemLabel(layout)
    item.setText(text)
    layout.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(100, 20))
    return item


def test_a_credit_that_is_missing_is_told_with_what_to_do(checked, layout):
    (title, words), = checked(layout)
    assert title == "A credit is not on the page"
    assert "Rivers" in words and CREDIT in words and "[% cartoguide_credits() %]" in words


@pytest.mark.parametrize("text", [CREDIT, f"Credits:\n{CREDIT.upper()}", "[% cartoguide_credits() %]"])
def test_a_credit_that_is_there_is_not(checked, layout, text):
    label(layout, text)
    assert checked(layout) == []


def test_a_credit_is_read_that_is_looked_up_by_the_name_of_a_map(checked, layout):
    next(item for item in layout.items() if isinstance(item, QgsLayoutItemMap)).setId("main")
    label(layout, "[% cartoguide_credits('main') %]")
    assert layout_problems(layout) == [] == checked(layout)


def test_a_credit_in_html_counts_where_it_is_printed(checked, layout):
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    frame = QgsLayoutFrame(layout, html)
    html.addFrame(frame)
    frame.attemptSetSceneRect(QRectF(10, 120, 80, 20))
    html.setContentMode(QgsLayoutItemHtml.ContentMode.ManualHtml)
    for text in (f"<p>{CREDIT}</p>", "<p>[% cartoguide_credits() %]</p>", CREDIT.replace("Ríos", "<b>R&iacute;os</b>")):
        html.setHtml(text)
        assert checked(layout) == [], text
    frame.setVisibility(False)
    assert len(checked(layout)) == 1, "it is hidden"
    frame.setVisibility(True)
    html.setHtml(f"<!-- {CREDIT} --><p>Map</p>")
    assert len(checked(layout)) == 1, "nobody sees a comment"
    html.setHtml(f"<p>{CREDIT}</p>")
    html.setContentMode(QgsLayoutItemHtml.ContentMode.Url)
    assert len(checked(layout)) == 1, "another page is shown"


def test_a_hidden_label_shows_nothing_and_a_hidden_map_asks_for_nothing(checked, layout):
    label(layout, CREDIT).setVisibility(False)
    assert len(checked(layout)) == 1
    next(item for item in layout.items() if isinstance(item, QgsLayoutItemMap)).setVisibility(False)
    assert checked(layout) == []


def test_the_projects_own_annotations_owe_their_credit_on_every_map(checked, layout, project):
    notes, shown = project.mainAnnotationLayer(), label(layout, CREDIT)
    set_credit(notes, "Club de Montaña", Decision.YES)
    assert checked(layout) == [], "there are none"
    notes.addItem(QgsAnnotationMarkerItem(QgsPoint(500, 500)))
    (title, words), = checked(layout)
    assert title == "A credit is not on the page" and "Club de Montaña" in words
    shown.setText("[% cartoguide_credits() %]")
    assert shown.currentText().split("\n") == ["Club de Montaña", CREDIT] and checked(layout) == []


def test_a_layer_that_only_other_pages_of_an_atlas_draw_owes_its_credit(checked, layout, project):
    rivers = next(iter(project.mapLayers().values()))
    set_scale_range(rivers, None, 5.0)
    assert checked(layout) == [], "it is not drawn at this scale"
    layout.atlas().setCoverageLayer(rivers)
    layout.atlas().setEnabled(True)
    item = next(item for item in layout.items() if isinstance(item, QgsLayoutItemMap))
    item.setAtlasDriven(True)
    (title, words), = checked(layout)
    assert title == "A credit is not on the page" and CREDIT in words
    label(layout, "[% cartoguide_credits() %]")
    assert checked(layout) == [], "it follows the pages"


@pytest.mark.parametrize(("chosen", "expression"), [
    ("MapStylePreset", "attribute(@atlas_feature, 'theme')"), ("MapLayers", "attribute(@atlas_feature, 'layers')"),
    ("MapLayers", "array('Sheets', if(@atlas_pagename = 'B', 'Lakes', 'Rivers'))"),
    ("MapStylePreset", "if(@atlas_featureid > 1, 'With lakes', \"theme\")")])
def test_what_an_expression_chooses_for_another_page_of_an_atlas_owes_its_credit(checked, layout, project, chosen,
                                                                               expression):
    label(layout, CREDIT)
    lakes = QgsVectorLayer("Point?crs=EPSG:25830", "Lakes", "memory")
    sheets = QgsVectorLayer("Point?crs=EPSG:25830&field=theme:string&field=layers:string", "Sheets", "memory")
    set_credit(lakes, "Agencia de Lagos", Decision.YES)
    for layer in (lakes, sheets):
        project.addMapLayer(layer)
    rivers, = project.mapLayersByName("Rivers")
    features = []
    for number, (theme, layers) in enumerate((("Rivers alone", "Rivers"), ("With lakes", f"Rivers|{lakes.id()}"))):
        feature = QgsFeature(sheets.fields())
        feature.setAttributes([theme, layers])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(500 + number, 500)))
        features.append(feature)
        record = QgsMapThemeCollection.MapThemeRecord()
        record.setLayerRecords([QgsMapThemeCollection.MapThemeLayerRecord(one) for one in (rivers, lakes)[:number + 1]])
        project.mapThemeCollection().insert(theme, record)
    sheets.dataProvider().addFeatures(features)
    item = next(item for item in layout.items() if isinstance(item, QgsLayoutItemMap))
    layout.atlas().setCoverageLayer(sheets)
    layout.atlas().setPageNameExpression("if(\"theme\" = 'With lakes', 'B', 'A')")
    layout.atlas().setEnabled(True)
    layout.atlas().beginRender()
    layout.atlas().first()
    item.dataDefinedProperties().setProperty(
        compat.enum_value(getattr(QgsLayoutObject.DataDefinedProperty, chosen)), QgsProperty.fromExpression(expression))
    (title, words), = checked(layout)
    assert title == "A credit is not on the page" and "Agencia de Lagos" in words
    label(layout, "Agencia de Lagos")
    assert checked(layout) == []
    assert layout.atlas().currentFeatureNumber() == 0, "it shows the page that it showed"


def test_a_layer_that_qgis_cannot_draw_is_told(checked, layout, project, tmp_path):
    label(layout, CREDIT)
    item = next(item for item in layout.items() if isinstance(item, QgsLayoutItemMap))
    lost, rivers = QgsVectorLayer(str(tmp_path / "none.gpkg"), "Lost", "ogr"), item.layers()
    project.addMapLayer(lost)
    item.setLayers([*rivers, lost])
    (title, words), = checked(layout)
    assert title == "A layer is not drawn" and "“Lost” cannot be read" in words
    item.setLayers(rivers)
    states = ServiceStates(lambda: rivers)
    states.note_images(Viewer.PAGE, rivers[0].id(), {"https://geo.test/wms": ("The service is closed", "")})
    states.judge_now()
    (title, words), = checked(layout)
    states.close()
    assert title == "A layer is not drawn" and "“Rivers” did not come" in words and "The service is closed" in words
    assert checked(layout) == []


def test_terms_that_ask_for_no_credit_need_none(checked, layout, project):
    set_credit(next(iter(project.mapLayers().values())), CREDIT, Decision.NO)
    assert checked(layout) == []


def test_it_is_gone_when_it_was_taken_away(checked, layout):
    before = len(found(layout))
    validity_check.unregister()
    validity_check.unregister()
    assert (before, found(layout)) == (1, [])
    validity_check.register()
    validity_check.register()
    assert len(found(layout)) == 1


SCRIPT = '''
from qgis.core import QgsLayoutItemMap, QgsLayoutSize, QgsPrintLayout, QgsProject, QgsRectangle, QgsVectorLayer
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QAction, QApplication, QDockWidget, QListView

def script():
    for _ in range(100):
        docks = [one for one in iface.mainWindow().findChildren(QDockWidget) if one.windowTitle() == "Cartoguide"]
        if docks and docks[0].isVisible():
            break
        yield 0.1
    else:
        raise AssertionError("the dock is not there")
    project = QgsProject.instance()
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "Rivers", "memory")
    metadata = layer.metadata()
    metadata.setRights(["Agencia del Agua"])
    layer.setMetadata(metadata)
    project.addMapLayer(layer)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    layout.setName("Rivers")
    item = QgsLayoutItemMap(layout)
    item.attemptResize(QgsLayoutSize(100, 100))
    item.setExtent(QgsRectangle(0, 0, 1000, 1000))
    item.setLayers([layer])
    layout.addLayoutItem(item)
    project.layoutManager().addLayout(layout)
    designer = iface.openLayoutDesigner(layout)
    yield 1
    QTimer.singleShot(0, designer.window().findChild(QAction, "mActionExportAsPDF").trigger)
    for _ in range(50):
        yield 0.1
        dialog = QApplication.activeModalWidget()
        lists = dialog.findChildren(QListView) if dialog is not None else []
        if lists:
            break
    told = [view.model().index(row, 0).data() for view in lists for row in range(view.model().rowCount())]
    dialog.reject()
    yield 0.3
    designer.close()
    assert told == ["A credit is not on the page"], told
    from qgis import utils
    assert utils.unloadPlugin("cartoguide")
    from qgis.core import QgsApplication
    kinds = [type(one).__name__ for one in QgsApplication.validityCheckRegistry().checks()]
    assert "CreditCheck" not in kinds, kinds
    assert QgsApplication.processingRegistry().providerById("cartoguide") is None
    assert utils.loadPlugin("cartoguide") and utils.startPlugin("cartoguide")
    yield 0.5
    assert QgsApplication.processingRegistry().algorithmById("cartoguide:readrecords") is not None
'''


@pytest.mark.slow
@pytest.mark.display
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_qgis_opens_with_the_dock_its_designer_warns_and_a_reload_brings_all_back(repository, tmp_path):
    """In the real QGIS program in a virtual display, as `make run` opens it, without an error."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [str(repository / "tests" / "tools" / "run_qgis.sh"), "--no-network",
               "--profile-folder", str(tmp_path / "profile"), "--screenshot", str(tmp_path / "window.png"),
               "--script", str(script), "--wait", "0", "--limit", "80"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=patience(110), stdin=subprocess.DEVNULL)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "WITHOUT" not in answer.stdout
    image = QImage(str(tmp_path / "window.png"))
    assert (image.width(), image.height()) == (1366, 768)
    colours = {image.pixel(x, y) for x in range(0, 1366, 7) for y in range(0, 768, 7)}
    assert len(colours) > 50
