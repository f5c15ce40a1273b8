"""A layout template as somebody else makes it, for a project and a computer of their own.

It needs a font, a theme, pictures and layers that are not here. Run as a program with the QGIS of a version it writes
the fixture of that version: ``python3 -m tests.qgis.foreign_template tests/unit/fixtures/templates/qgis-3.40.qpt``.
"""

from __future__ import annotations

import os
import sys

from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutFrame,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemMarker,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsLegendStyle,
    QgsMapThemeCollection,
    QgsMarkerSymbol,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsSvgMarkerSymbolLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QFont

FONT, LAYERS = "Frutiger Ajena", ("Parcelas", "Linderos")
#: the theme of the main map and of one that Cartoguide does not fill, and that of another
THEME, OTHER_THEME = "Deslindes", "Vista general"
LOGO, FLOWER = "C:\\Users\\Eva\\logos\\escudo.png", "/mnt/datos/simbolos/flor.svg"
#: where the maps lie that Cartoguide does not fill, in millimetres
OVERVIEW, LOCKED, GENERAL = (210, 10, 40, 30), (210, 45, 40, 30), (210, 80, 40, 30)


def square(name, colour, field="secreto"):
    """A layer that covers the whole of a map with one colour, and has a word of its own."""
    layer = QgsVectorLayer(f"Polygon?crs=EPSG:25830&field={field}:string(80)", name, "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttributes([f"word of {name}"])
    feature.setGeometry(QgsGeometry.fromWkt("POLYGON((-1e6 3e6, 2e6 3e6, 2e6 6e6, -1e6 6e6, -1e6 3e6))"))
    assert layer.dataProvider().addFeatures([feature])[0]
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": colour, "outline_style": "no"})))
    return layer


def insert_theme(project, name, layers):
    record = QgsMapThemeCollection.MapThemeRecord()
    record.setLayerRecords([QgsMapThemeCollection.MapThemeLayerRecord(layer) for layer in layers])
    project.mapThemeCollection().insert(name, record)


def save_template(project, path):
    """Save the template. ``project`` is the author's, and gets the author's layers and themes."""
    layers = [square(name, "255,0,0") for name in LAYERS]
    project.addMapLayers(layers)
    for theme in (THEME, OTHER_THEME):
        insert_theme(project, theme, layers)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    layout.setName("ajena")
    font = QFont(FONT)
    font.setPointSizeF(12)

    def put(item, item_id, place):
        item.setId(item_id)
        item.attemptSetSceneRect(QRectF(*place))
        layout.addLayoutItem(item)
        return item

    def put_map(item_id, place, theme=""):
        item = put(QgsLayoutItemMap(layout), item_id, place)
        item.setExtent(QgsRectangle(440000, 4240000, 450000, 4250000))
        item.setFollowVisibilityPreset(bool(theme))
        item.setFollowVisibilityPresetName(theme)
        return item

    main = put_map("map", (10, 25, 190, 110), THEME)
    main.storeCurrentLayerStyles()
    main.setKeepLayerStyles(True)
    put_map("overview", OVERVIEW, THEME)
    put_map("general", GENERAL, OTHER_THEME)
    locked = put_map("locked", LOCKED)
    locked.setLayers(layers)
    locked.setKeepLayerSet(True)
    for item_id, text, place in (("title", "Título", (10, 8, 190, 14)), ("credits", "", (10, 160, 190, 40)),
                                 ("sheet", "Hoja propia", (210, 190, 60, 8))):
        label = put(QgsLayoutItemLabel(layout), item_id, place)
        label.setText(text)
        set_font(label, font)
    bar = put(QgsLayoutItemScaleBar(layout), "scalebar", (10, 140, 80, 12))
    bar.setLinkedMap(main)
    bar_text = bar.textFormat()
    bar_text.setFont(font)
    bar.setTextFormat(bar_text)
    legend = put(QgsLayoutItemLegend(layout), "keys", (210, 115, 60, 30))
    legend.setLinkedMap(main)
    legend.setAutoUpdateModel(False)
    style = legend.style(QgsLegendStyle.Style.SymbolLabel)
    set_font(style, font)
    legend.setStyle(QgsLegendStyle.Style.SymbolLabel, style)
    for item_id, place, file in (("logo", (255, 10, 30, 30), LOGO), ("beside", (255, 45, 30, 30), "beside.png")):
        put(QgsLayoutItemPicture(layout), item_id, place).setPicturePath(file)
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, QgsSvgMarkerSymbolLayer(FLOWER, 15))
    put(QgsLayoutItemMarker(layout), "flower", (260, 85, 20, 20)).setSymbol(symbol)
    table = QgsLayoutItemAttributeTable.create(layout)
    layout.addMultiFrame(table)
    table.setVectorLayer(layers[0])
    header = table.headerTextFormat()
    header.setFont(font)
    table.setHeaderTextFormat(header)
    table.addFrame(put(QgsLayoutFrame(layout, table), "", (210, 150, 60, 30)))
    layout.atlas().setCoverageLayer(layers[0])
    layout.atlas().setEnabled(True)
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())


def set_font(text, font):
    """Set the font of a label or a style of a legend, in the way of the QGIS that runs."""
    if hasattr(text, "textFormat"):
        text_format = text.textFormat()
        text_format.setFont(font)
        text_format.setSize(font.pointSizeF())
        text.setTextFormat(text_format)
    else:
        text.setFont(font)


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    save_template(QgsProject.instance(), sys.argv[1])
    sys.stdout.flush()
    os._exit(0)
