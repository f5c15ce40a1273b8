"""The legend as an image, for plain QGIS and QGIS Server, which cannot draw the plugin's legend entries.

An image of the legend is embedded in the layout beside it. An expression that checks for the plugin shows the one that
can be drawn.
"""

from __future__ import annotations

from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayoutItemLegend,
    QgsLayoutItemPicture,
    QgsLayoutObject,
    QgsLayoutUtils,
    QgsLegendRenderer,
    QgsPrintLayout,
    QgsProperty,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QImage, QPainter

from ..legends.legend_nodes import png_base64
from . import layout_items
from .dynamic_labels import PLUGIN_INSTALLED

LEGEND_IMAGE = "legend:picture"
_VARIABLE = "cartoguide_legend_picture"
_DPI, _MM = 300, 25.4
#: Qt's quality of its PNG: hardly larger than by default, and packed in two thirds of the time
_PNG_QUALITY = 50
_PROPERTIES = QgsLayoutObject.DataDefinedProperty


def save_legend_image(layout: QgsPrintLayout) -> None:
    """Draw the layout's legend into its image item, adding the item if needed. Does nothing without a legend."""
    legend = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if legend is None:
        return
    QgsExpressionContextUtils.setLayoutVariable(layout, _VARIABLE, f"base64:{_draw_legend(legend)}")
    image_item = layout_items.find_item(layout, LEGEND_IMAGE, QgsLayoutItemPicture)
    if image_item is None:
        image_item = QgsLayoutItemPicture(layout)
        image_item.setId(LEGEND_IMAGE)
        image_item.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
        image_item.setPictureAnchor(QgsLayoutItemPicture.ReferencePoint.UpperLeft)
        layout.addLayoutItem(image_item)
        image_item.setLocked(True)
    image_item.setZValue(legend.zValue() - 0.5)
    image_item.attemptResize(legend.sizeWithUnits())
    image_item.attemptMove(legend.positionWithUnits(), True, False, max(0, legend.page()))
    _bind_property(image_item, _PROPERTIES.PictureSource, f"if({PLUGIN_INSTALLED}, '', @{_VARIABLE})")
    _bind_property(legend, _PROPERTIES.Opacity, f"if({PLUGIN_INSTALLED}, 100, 0)")


def _bind_property(item: QgsLayoutObject, which: object, expression: str) -> None:
    item.dataDefinedProperties().setProperty(which, QgsProperty.fromExpression(expression))
    item.refreshDataDefinedProperty(which)


def _draw_legend(legend: QgsLayoutItemLegend) -> str:
    """Return the legend as a PNG of its size at print resolution, in base64.

    SVG would gain nothing: QGIS rasterises it, and Qt supports only two font weights there.
    """
    width, height = (round(size / _MM * _DPI) for size in (legend.rect().width(), legend.rect().height()))
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        context = QgsLayoutUtils.createRenderContextForLayout(legend.layout(), painter, _DPI)
        # the legend draws in millimetres
        painter.scale(_DPI / _MM, _DPI / _MM)
        renderer = QgsLegendRenderer(legend.model(), legend.legendSettings())
        renderer.setLegendSize(legend.rect().size())
        renderer.drawLegend(context)
    finally:
        painter.end()
    return png_base64(image, _PNG_QUALITY)
