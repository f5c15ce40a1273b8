"""Choices of Processing parameters: translated labels in dialogs, the same identifiers everywhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsProcessingContext,
    QgsProcessingModelAlgorithm,
    QgsProcessingParameterEnum,
    QgsRectangle,
)
from qgis.gui import QgsProcessingModelerParameterWidget
from qgis.PyQt.QtWidgets import QComboBox, QDialog

from plugin.core import i18n
from plugin.core.custommap.model import CustomMap, MapExtent
from plugin.gis.runtime import i18n as runtime_i18n
from plugin.processing.algorithm import choice_labels
from tests.qgis.algorithm_runs import algorithm, registered_provider

SPANISH = {"Landscape": "Horizontal", "Portrait": "Vertical", "As in the document": "Como en el documento"}


@pytest.fixture(scope="module")
def wrappers(qgis_app):
    """What Processing's dialogs make their widgets with."""
    sys.path.append(str(Path(QgsApplication.pkgDataPath()) / "python" / "plugins"))
    from processing.gui import wrappers

    yield wrappers.WidgetWrapperFactory
    sys.path.pop()


@pytest.fixture
def definition(qgis_app):
    """The page's orientation, as Spanish people have it; its algorithm lives as long."""
    i18n.set_translator(lambda text, _n: SPANISH.get(text, text))
    with registered_provider():
        one = algorithm("exportcustommap")
        yield one.parameterDefinition("ORIENTATION")


@pytest.mark.parametrize("name", ["AlgorithmDialog", "BatchAlgorithmDialog"])
def test_a_dialog_shows_words_and_gives_names(wrappers, definition, name):
    dialog = type(name, (QDialog,), {})()
    wrapper = wrappers.create_wrapper(definition, dialog)
    combo = wrapper.createWrappedWidget(QgsProcessingContext())
    assert [combo.itemText(row) for row in range(combo.count())] == ["Como en el documento", "Horizontal", "Vertical"]
    assert wrapper.parameterValue() == "same" and combo.accessibleName()
    heard = []
    wrapper.widgetValueHasChanged.connect(heard.append)
    combo.setCurrentIndex(1)
    assert wrapper.parameterValue() == "landscape" and heard
    # what a history or a model holds: the name, or a number that a script gave
    for value in ("portrait", 2):
        combo.setCurrentIndex(0)
        wrapper.setParameterValue(value, QgsProcessingContext())
        assert wrapper.parameterValue() == "portrait" and combo.currentText() == "Vertical"


def test_a_text_is_offered_what_is_usual_and_takes_what_is_written(wrappers, definition):
    provider = QgsApplication.processingRegistry().providerById("cartoguide")
    search = provider.algorithm("searchrecords").parameterDefinition("CATALOGUE")
    wrapper = wrappers.create_wrapper(search, type("AlgorithmDialog", (QDialog,), {})())
    combo = wrapper.createWrappedWidget(QgsProcessingContext())
    assert [combo.itemData(row) for row in range(combo.count())] == ["", "all", "network"]
    assert not wrapper.parameterValue()
    combo.setCurrentIndex(2)
    assert wrapper.parameterValue() == "network" and combo.currentText() == "The network’s own catalogue"
    combo.setEditText(" https://catalogue.test/csw ")
    assert wrapper.parameterValue() == "https://catalogue.test/csw"
    wrapper.setParameterValue("all", QgsProcessingContext())
    assert combo.currentText() == "All catalogues that are switched on" and wrapper.parameterValue() == "all"
    wrapper.setParameterValue("My catalogue", QgsProcessingContext())
    assert combo.currentText() == "My catalogue" == wrapper.parameterValue()


def test_in_the_model_designer_too_and_a_value_may_come_from_elsewhere(wrappers, definition):
    dialog = type("ModelerParametersDialog", (QDialog,), {})()
    dialog.model, dialog.childId, dialog.context = QgsProcessingModelAlgorithm(), "child", QgsProcessingContext()
    widget = wrappers.create_wrapper(definition, dialog)
    assert isinstance(widget, QgsProcessingModelerParameterWidget)
    combo = next(one for one in widget.findChildren(QComboBox) if one.findData("portrait") >= 0)
    assert combo.findText("Vertical") == combo.findData("portrait")
    combo.setCurrentIndex(combo.findText("Vertical"))
    assert widget.value().staticValue() == "portrait"


def test_names_are_those_of_scripts_in_every_language(definition):
    assert definition.options() == ["same", "landscape", "portrait"] and definition.defaultValue() == "same"
    assert "landscape (Horizontal)" in definition.help()


def test_every_choice_has_words_for_people(qgis_app, monkeypatch):
    with registered_provider() as provider:
        found = [(one.name(), definition) for one in provider.algorithms() for definition in one.parameterDefinitions()
                 if isinstance(definition, QgsProcessingParameterEnum)]
        assert len(found) >= 8
        for name, definition in found:
            words = choice_labels(definition)
            assert all(word and word[0].isupper() for word in words.values()), (name, definition.name(), words)


def test_the_area_of_a_snapshot_is_computed_as_the_run_says_and_not_as_the_open_project(qgis_app):
    transforms = QgsCoordinateTransformContext()
    geographic, utm = QgsCoordinateReferenceSystem("EPSG:4326"), QgsCoordinateReferenceSystem("EPSG:25830")
    # a shift of 1,000 km shows whose operation is used
    transforms.addCoordinateOperation(geographic, utm, (
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=utm +zone=30 +ellps=GRS80 "
        "+step +proj=affine +xoff=1000000"))
    box = QgsRectangle(-3.6, 38.3, -3.4, 38.5)
    if QgsCoordinateTransform(geographic, utm, transforms).transformBoundingBox(box).xMinimum() < 1_400_000:
        pytest.skip("newer versions of QGIS transform boxes without the operation that was chosen")
    context = QgsProcessingContext()
    context.setTransformContext(transforms)
    document = CustomMap(crs="EPSG:25830", extent=MapExtent(-3.6, 38.3, -3.4, 38.5))
    with registered_provider():
        area = algorithm("takesnapshot")._area(document, None, {}, context)
    assert 1_400_000 < area.west < 1_500_000


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_label_or_choice_makes_a_dialog_wider_than_it_opens(qgis_app, language):
    """QGIS's dialog would have a scroll bar, with the buttons at the right of the fields out of sight."""
    runtime_i18n.install(language)
    try:
        with registered_provider() as provider:
            texts = [text for one in provider.algorithms() for definition in one.parameterDefinitions()
                     for text in (definition.description(), *(choice_labels(definition).values() if isinstance(
                         definition, QgsProcessingParameterEnum) else ()))]
        longest = max(texts, key=len)
        assert len(texts) > 100 and len(longest) <= 45, longest
    finally:
        runtime_i18n.remove()
