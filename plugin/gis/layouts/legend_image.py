"""The legend once more as a drawing, for where the plugin is not: plain QGIS, QGIS Server.

The layout's legend draws entries that only the plugin knows. Beside it lies a picture of it, kept inside the layout; of
the two that one is seen which can be drawn, by an expression that asks whether the plugin is there.
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
_PROPERTIES = QgsLayoutObject.DataDefinedProperty


def save_legend_image(layout: QgsPrintLayout) -> None:
    """Draw the layout's legend into its picture, anew where there is one already; nothing without a legend."""
    legend = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if legend is None:
        return
    QgsExpressionContextUtils.setLayoutVariable(layout, _VARIABLE, f"base64:{_draw_legend(legend)}")
    picture = layout_items.find_item(layout, LEGEND_IMAGE, QgsLayoutItemPicture)
    if picture is None:
        picture = QgsLayoutItemPicture(layout)
        picture.setId(LEGEND_IMAGE)
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
        picture.setPictureAnchor(QgsLayoutItemPicture.ReferencePoint.UpperLeft)
        layout.addLayoutItem(picture)
        picture.setLocked(True)
    picture.setZValue(legend.zValue() - 0.5)
    picture.attemptResize(legend.sizeWithUnits())
    picture.attemptMove(legend.positionWithUnits(), True, False, max(0, legend.page()))
    _bind_property(picture, _PROPERTIES.PictureSource, f"if({PLUGIN_INSTALLED}, '', @{_VARIABLE})")
    _bind_property(legend, _PROPERTIES.Opacity, f"if({PLUGIN_INSTALLED}, 100, 0)")


def _bind_property(item: QgsLayoutObject, which: object, expression: str) -> None:
    item.dataDefinedProperties().setProperty(which, QgsProperty.fromExpression(expression))
    item.refreshDataDefinedProperty(which)


def _draw_legend(legend: QgsLayoutItemLegend) -> str:
    """The legend as a PNG of its own size at print resolution, in base64.

    Not as SVG: QGIS would turn it into pixels all the same, and Qt knows but two weights of type there.
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
    return png_base64(image)
