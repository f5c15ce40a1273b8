"""What the plugin stores by QGIS's means it reads again: settings, also from their file, and styles of own layers."""

from __future__ import annotations

import shutil

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsPalLayerSettings,
    QgsRendererCategory,
    QgsSettings,
    QgsSymbol,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QSettings
from qgis.PyQt.QtGui import QColor

from plugin.gis.own_layers.references import apply_style, style_of
from plugin.gis.runtime import settings
from plugin.ui.dock.dock_widget import DockState

#: what a person can type, and what an INI file could take for something else
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40) | st.sampled_from(
    ["@Variant(\\x0)", "@Invalid()", "@ByteArray(a)", "@@", "a, b", "a;b", '"', "\\", "\\x41", "%41", "[a]", "a=b",
     " a ", "true", "1", "1e5", "ñ\n\t", "{owner}, {title}"])


def values_of(setting):
    """Any value that is allowed."""
    if setting.choices:
        return st.sampled_from(setting.choices)
    if setting.type is bool:
        return st.booleans()
    if setting.type is int:
        return st.integers(int(setting.minimum), int(setting.maximum))
    if setting.type is float:
        return st.floats(setting.minimum, setting.maximum)
    return TEXT


@pytest.fixture(scope="module", autouse=True)
def clean(qgis_app):
    yield
    for name in settings.SETTINGS:
        settings.reset(name)
    DockState().save()


def from_the_file(folder, key):
    """The value as QGIS's next start reads it."""
    QgsSettings().sync()
    copy = folder / "copy.ini"
    shutil.copy(QgsSettings().fileName(), copy)
    value = QSettings(str(copy), QSettings.Format.IniFormat).value(key)
    copy.unlink()
    return value


@pytest.mark.parametrize("name", settings.SETTINGS)
@hypothesis_settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_settings(tmp_path_factory, name, data):
    setting = settings.SETTINGS[name]
    value = data.draw(values_of(setting))
    settings.set(name, value)
    assert settings.get(name) == value and type(settings.get(name)) is setting.type
    folder = tmp_path_factory.mktemp("ini")
    assert settings._converted(setting, from_the_file(folder, settings.PREFIX + name)) == value


@hypothesis_settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(search=TEXT, facets=st.dictionaries(TEXT, st.lists(TEXT, min_size=1, max_size=3).map(tuple), max_size=3),
       collection=TEXT, record=TEXT, tab=st.integers(0, 9))
def test_the_state_of_the_dock(qgis_app, search, facets, collection, record, tab):
    state = DockState(search, facets, collection, "title", record, tab)
    state.save()
    assert DockState.load() == state


COLOURS = st.tuples(*[st.integers(0, 255)] * 4).map(lambda parts: QColor(*parts))


@hypothesis_settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(kind=st.sampled_from(["Point", "LineString", "Polygon"]), size=st.floats(0.1, 20), opacity=st.floats(0.05, 1),
       classes=st.lists(st.tuples(TEXT, TEXT, COLOURS, st.booleans()), max_size=4), label=st.none() | TEXT)
def test_styles_of_own_layers(qgis_app, kind, size, opacity, classes, label):
    layer, other = (QgsVectorLayer(f"{kind}?crs=EPSG:4326&field=name:string", "a", "memory") for _ in range(2))
    categories = []
    for value, words, colour, shown in classes:
        symbol = QgsSymbol.defaultSymbol(layer.geometryType())
        symbol.setColor(colour)
        symbol.setOpacity(opacity)
        for setter in ("setSize", "setWidth"):
            if hasattr(symbol, setter):
                getattr(symbol, setter)(size)
        categories.append(QgsRendererCategory(value, symbol, words, shown))
    if categories:
        layer.setRenderer(QgsCategorizedSymbolRenderer("name", categories))
    if label is not None:
        text = QgsPalLayerSettings()
        text.fieldName, text.isExpression = label, True
        text_format = QgsTextFormat()
        text_format.setSize(size)
        text.setFormat(text_format)
        layer.setLabeling(QgsVectorLayerSimpleLabeling(text))
        layer.setLabelsEnabled(True)
    style = style_of(layer)
    apply_style(other, style)
    # QGIS 3.40 notes the usual width of letters once it has read a style
    assert not [character for character in style if character < " " and character not in "\t\n\r"]
    assert style_of(other).replace(' stretchFactor="100"', "") == style.replace(' stretchFactor="100"', "")
