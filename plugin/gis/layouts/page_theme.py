"""Apply a theme to a layout made from a bundled template: its colours, and nothing of the map."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayoutFrame,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsLayoutItemShape,
    QgsPrintLayout,
)
from qgis.PyQt.QtGui import QColor

from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.page_design import page_themes
from ...core.page_design.page_themes import PageTheme
from ..runtime import compat, settings
from . import layout_items, text_fitting

_STANDARD = page_themes.find_theme(page_themes.STANDARD)
#: names of a theme's colours, of labels, of grounds and of lines. A template has those of the standard theme
_TEXTS = ("title", "subtitle", "heading", "ink", "muted")
_GROUNDS = ("band", "accent", "hair")
_LINES = ("hair", "heading", "ink", "muted")
_Recolour = Callable[[QColor], QColor]


def own_colours() -> List[str]:
    """Return the person's own colours from the settings, as ``#rrggbb``."""
    return [text for text in stored_list(settings.get("own_colours"))
            if isinstance(text, str) and page_themes.is_colour(text)][:2]


def layout_theme(layout: QgsPrintLayout) -> PageTheme:
    """Return the theme that was applied to the layout, STANDARD where none was."""
    return page_themes.find_theme(text_fitting.theme_name(layout), own_colours())


def apply_theme(layout: QgsPrintLayout, name: str) -> List[str]:
    """Give the layout's items the colours of the theme ``name``. Call it before they are filled.

    Return notes on colours that were changed, and on a template that keeps the sizes and colours that it has.
    """
    if name == page_themes.STANDARD:
        return []
    if text_fitting.type_factor(layout) is None:
        return [tr("The template has its own colours and sizes, so the theme is not applied.")]
    colours = own_colours()
    notes = []
    if name in page_themes.FORMER_THEMES:
        former, name = page_themes.theme_title(name), page_themes.FORMER_THEMES[name]
        notes = [tr("The theme “{former}” is no longer offered, so the page has the theme “{theme}”.", former=former,
                    theme=page_themes.theme_title(name))]
    if name == page_themes.OWN and not colours:
        return [tr("There are no own colours in the settings, so the page has the standard theme.")]
    if name == page_themes.OWN:
        notes = [tr("The colour {given} is too light for text, so {used} is used.", given=given, used=used)
                 for given, used in page_themes.darkened_colours(colours)]
    QgsExpressionContextUtils.setLayoutVariable(layout, text_fitting.THEME_VARIABLE, name)
    theme = page_themes.find_theme(name, colours)
    _recolour(layout, theme)
    return notes


# --- colours ---


def _mapping(names: Tuple[str, ...], theme: PageTheme) -> _Recolour:
    changes: Dict[str, str] = {getattr(_STANDARD, name): getattr(theme, name) for name in names}

    def changed(colour: QColor) -> QColor:
        result = QColor(changes.get(colour.name(), colour.name()))
        result.setAlpha(colour.alpha())
        return result

    return changed


def _recolour(layout: QgsPrintLayout, theme: PageTheme) -> None:
    text, ground, line = (_mapping(names, theme) for names in (_TEXTS, _GROUNDS, _LINES))
    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        compat.set_label_colour(label, text(compat.label_colour(label)))
    for shape in layout_items.items_of_type(layout, QgsLayoutItemShape):
        shape.setSymbol(_recoloured(shape.symbol(), ground))
    for picture in layout_items.items_of_type(layout, QgsLayoutItemPicture):
        picture.setSvgFillColor(text(picture.svgFillColor()))
        picture.setSvgStrokeColor(text(picture.svgStrokeColor()))
    for legend in layout_items.items_of_type(layout, QgsLayoutItemLegend):
        compat.set_legend_colour(legend, QColor(theme.ink))
    for bar in layout_items.items_of_type(layout, QgsLayoutItemScaleBar):
        bar.setTextFormat(_recoloured_format(bar.textFormat(), text))
        bar.setFillSymbol(_recoloured(bar.fillSymbol(), line))
        for get, set_symbol in ((bar.lineSymbol, bar.setLineSymbol), (bar.divisionLineSymbol,
                                                                      bar.setDivisionLineSymbol),
                                (bar.subdivisionLineSymbol, bar.setSubdivisionLineSymbol)):
            set_symbol(_recoloured(get(), line))
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        item.setFrameStrokeColor(line(item.frameStrokeColor()))
        for grid in item.grids().asList():
            grid.setAnnotationTextFormat(_recoloured_format(grid.annotationTextFormat(), text))
            grid.setLineSymbol(_recoloured(grid.lineSymbol(), line))
            grid.setFramePenColor(line(grid.framePenColor()))
    for frame in layout_items.items_of_type(layout, QgsLayoutFrame):
        table = frame.multiFrame()
        table.setGridColor(line(table.gridColor()))
        table.setContentTextFormat(_recoloured_format(table.contentTextFormat(), text))
        table.setHeaderTextFormat(_recoloured_format(table.headerTextFormat(), text))
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    if inset is not None:
        inset.setBackgroundColor(QColor(theme.sea))
        for overview in inset.overviews().asList():
            symbol = overview.frameSymbol().clone()
            fill = QColor(theme.extent)
            fill.setAlpha(110)
            symbol.symbolLayer(0).setFillColor(fill)
            symbol.symbolLayer(0).setStrokeColor(QColor(theme.extent))
            overview.setFrameSymbol(symbol)


def _recoloured(symbol: Any, change: _Recolour) -> Any:
    result = symbol.clone()
    result.setColor(change(result.color()))
    return result


def _recoloured_format(text: Any, change: _Recolour) -> Any:
    text.setColor(change(text.color()))
    return text
