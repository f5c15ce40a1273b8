"""Apply a theme to a layout made from a bundled template: colours, and larger type with fewer things on the page."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayoutFrame,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemScaleBar,
    QgsLayoutItemShape,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QFont

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
#: what large print leaves out, because it would leave too little room for what is read
_LEFT_OUT = (layout_items.PROJECTION, layout_items.COLOPHON)
#: height of a line by its size of type, and what a label has beyond it, in millimetres
_LINE_HEIGHT, _ALLOWANCE = 25.4 / 72 * 1.37, 0.3
#: millimetres on A4 between things that are one below the other, and by which two may count as one
_GAP, _NEAR = 2.0, 3.0
#: width in millimetres on A4 in which the scale needs two lines
_NARROW = 55.0
#: the rule above the texts below a map, and the millimetres on A4 that large print gives them beyond the template's
_FOOTER_RULE, _MORE_CREDITS = "footer_rule", 14.0
#: the ground of what lies on a map: its scale, bar and arrow. And the height that a map gives to the credits below it
_CARTOUCHE, _LESS_MAP = "cartouche", 10.0
#: items beside a map that decide whether it is shortened
MAP_NEIGHBOURS = (_FOOTER_RULE, layout_items.LEGEND)
_Recolour = Callable[[QColor], QColor]


def own_colours() -> List[str]:
    """Return the person's own colours from the settings, as ``#rrggbb``."""
    return [text for text in stored_list(settings.get("own_colours"))
            if isinstance(text, str) and page_themes.is_colour(text)][:2]


def layout_theme(layout: QgsPrintLayout) -> PageTheme:
    """Return the theme that was applied to the layout, STANDARD where none was."""
    return page_themes.find_theme(text_fitting.theme_name(layout), own_colours())


def apply_theme(layout: QgsPrintLayout, name: str) -> List[str]:
    """Give the layout's items the colours and sizes of the theme ``name``. Call it before they are filled.

    Return notes on colours that were changed, and on a template that keeps the sizes and colours that it has.
    """
    if name == page_themes.STANDARD:
        return []
    if text_fitting.type_factor(layout) is None:
        return [tr("The template has its own colours and sizes, so the theme is not applied.")]
    colours = own_colours()
    notes = []
    if name == page_themes.OWN and not colours:
        return [tr("There are no own colours in the settings, so the page has the standard theme.")]
    if name == page_themes.OWN:
        notes = [tr("The colour {given} is too light for text, so {used} is used.", given=given, used=used)
                 for given, used in page_themes.darkened_colours(colours)]
    QgsExpressionContextUtils.setLayoutVariable(layout, text_fitting.THEME_VARIABLE, name)
    theme = page_themes.find_theme(name, colours)
    _recolour(layout, theme)
    if theme.is_large:
        shorten_map(layout, name)
        _enlarge(layout, theme)
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


# --- large print ---


def shorten_map(layout: QgsPrintLayout, name: str) -> None:
    """Shorten a map that stands directly above the credits, where the theme ``name`` has large type.

    Page measurement calls it too: the map is as large as it is printed.
    """
    factor, rule = text_fitting.type_factor(layout), layout.itemById(_FOOTER_RULE)
    main, legend = layout_items.main_map(layout), layout.itemById(layout_items.LEGEND)
    if factor is None or not page_themes.find_theme(name).is_large or None in (rule, main, legend):
        return
    foot = _bounds(main).bottom()
    if _bounds(rule).top() - foot > _NEAR * factor or _bounds(legend).bottom() < foot:
        return
    height = _LESS_MAP * factor
    for item in (main, layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)):
        if item is not None:
            _place(item, _bounds(item).adjusted(0, 0, 0, -height))
    for item_id in (_CARTOUCHE, layout_items.SCALE_TEXT, layout_items.SCALEBAR, layout_items.NORTH_ARROW):
        item = layout.itemById(item_id)
        if item is not None and _bounds(item).bottom() <= foot:
            _place(item, _bounds(item).translated(0, -height))


def _enlarge(layout: QgsPrintLayout, theme: PageTheme) -> None:
    """Set larger type, leave out what is not needed, and give what remains the room that it takes."""
    factor = text_fitting.type_factor(layout) or 1.0
    sizes = _SizeChange(theme, factor)
    left_out = [*_LEFT_OUT]
    inset, legend, title, subtitle = (layout.itemById(name) for name in (
        layout_items.INSET, layout_items.LEGEND, layout_items.TITLE, layout_items.SUBTITLE))
    if None not in (inset, legend) and abs(_bounds(inset).left() - _bounds(legend).left()) < _NEAR * factor:
        # it takes the room of the legend
        left_out += [layout_items.INSET, layout_items.HEADING_PREFIX + "location"]
    if title is not None and subtitle is not None and _bounds(subtitle).height() < 2 * _NEAR * factor:
        left_out.append(layout_items.SUBTITLE)
        _place(title, _bounds(title).united(_bounds(subtitle)))
    for name in left_out:
        item = layout.itemById(name)
        if item is not None:
            layout.removeLayoutItem(item)
    _say_left_out(layout, left_out)
    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        compat.set_label_font(label, sizes.font(compat.label_font(label)))
        _give_room(layout, label, factor)
    ground, scale = layout.itemById(_CARTOUCHE), layout.itemById(layout_items.SCALE_TEXT)
    if ground is not None and scale is not None:
        _place(ground, _bounds(ground).united(_bounds(scale).adjusted(0, -_GAP / 2 * factor, 0, 0)))
    _raise_footer(layout, factor)
    for item in layout_items.items_of_type(layout, QgsLayoutItemLegend):
        styles = QgsLegendStyle.Style
        for style in (styles.Title, styles.Group, styles.Subgroup, styles.SymbolLabel):
            compat.set_legend_font(item, style, sizes.font(compat.legend_font(item, style)))
        item.setSymbolWidth(item.symbolWidth() * theme.enlargement.factor)
        item.setSymbolHeight(item.symbolHeight() * theme.enlargement.factor)
        text_fitting.extend_down(item, _neighbours(layout))
    for bar in layout_items.items_of_type(layout, QgsLayoutItemScaleBar):
        bar.setTextFormat(sizes.text_format(bar.textFormat()))
    # on a field sheet the figures are what the grid is for
    is_field_sheet = layout.itemById(layout_items.FIELD_NOTE) is not None
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap) if not is_field_sheet else ():
        for grid in item.grids().asList():
            grid.setAnnotationEnabled(False)
    for frame in layout_items.items_of_type(layout, QgsLayoutFrame):
        table = frame.multiFrame()
        table.setContentTextFormat(sizes.text_format(table.contentTextFormat()))


class _SizeChange:
    """Sizes of type of a theme, from those of a template."""

    def __init__(self, theme: PageTheme, factor: float) -> None:
        self._enlargement, self._factor = theme.enlargement, factor

    def points(self, points: float) -> float:
        """Return the size for one of the template, both in points."""
        return round(self._enlargement.applied(points / self._factor, True) * self._factor, 2)

    def font(self, font: QFont) -> QFont:
        """Return the font in the theme's size."""
        result = QFont(font)
        result.setPointSizeF(self.points(font.pointSizeF()))
        return result

    def text_format(self, text: Any) -> Any:
        """Return the text format in the theme's size."""
        text.setSize(self.points(text.size()))
        text.setFont(self.font(text.font()))
        return text


def _give_room(layout: QgsPrintLayout, label: QgsLayoutItemLabel, factor: float) -> None:
    """Make a label of one line as high as its line: the scale upwards, others at the cost of what is below them."""
    bounds, is_scale = _bounds(label), label.id() == layout_items.SCALE_TEXT
    # in a narrow panel the scale takes two lines
    lines = 2 if is_scale and bounds.width() < _NARROW * factor else 1
    lacking = lines * float(compat.label_font(label).pointSizeF()) * _LINE_HEIGHT + _ALLOWANCE - bounds.height()
    # the title has its ground or a line below it, and is shrunk to fit
    if lacking <= 0 or label.id() == layout_items.TITLE:
        return
    if is_scale:
        bounds.setTop(bounds.top() - lacking)
        _place(label, bounds)
        legend = layout.itemById(layout_items.LEGEND)
        if legend is not None and _bounds(legend).adjusted(0, 0, 0, _GAP * factor).intersects(bounds):
            place = _bounds(legend)
            place.setBottom(bounds.top() - _GAP * factor)
            _place(legend, place)
        return
    _place(label, bounds.adjusted(0, 0, 0, lacking))
    below = _below(layout, label.id())
    if below is None:
        return
    place = _bounds(below)
    overlap = bounds.bottom() + lacking - place.top()
    if overlap > 0 and place.height() > 2 * overlap:
        _place(below, place.adjusted(0, overlap, 0, 0))


def _raise_footer(layout: QgsPrintLayout, factor: float) -> None:
    """Give the credits more height, at the cost of legend and table above them and of what is free."""
    rule = layout.itemById(_FOOTER_RULE)
    if rule is None:
        return
    top, texts = _bounds(rule).top(), (layout_items.CREDITS, layout_items.TERMS, layout_items.SOURCES)
    above = {item: _bounds(item) for item in _neighbours(layout) if item.page() == rule.page()
             and _bounds(item).bottom() < top + _GAP * factor and item is not rule}
    giving = [item for item in above if item.id() in (layout_items.LEGEND, layout_items.FACTS)]
    lowest = max((bounds.bottom() for item, bounds in above.items() if item not in giving), default=0.0)
    height = min(_MORE_CREDITS * factor, top - lowest - _GAP * factor)
    if height <= 0:
        return
    _place(rule, _bounds(rule).translated(0, -height))
    for name in texts:
        heading, label = layout.itemById(layout_items.HEADING_PREFIX + name), layout.itemById(name)
        if heading is not None:
            _place(heading, _bounds(heading).translated(0, -height))
        if label is not None:
            _place(label, _bounds(label).adjusted(0, -height, 0, 0))
    for item in giving:
        bounds = above[item]
        bounds.setBottom(min(bounds.bottom(), top - height - _GAP * factor))
        _place(item, bounds)


def _below(layout: QgsPrintLayout, label_id: str) -> Optional[QgsLayoutItem]:
    """Return the item whose heading or label this is."""
    if label_id.startswith(layout_items.HEADING_PREFIX):
        name = label_id[len(layout_items.HEADING_PREFIX):]
        return layout.itemById({"location": layout_items.INSET}.get(name, name))
    if label_id.startswith(layout_items.LABEL_PREFIX):
        number = label_id[len(layout_items.LABEL_PREFIX):]
        return layout.itemById(layout_items.MAP if number == "1" else f"{layout_items.MAP_PREFIX}{number}")
    return None


def _say_left_out(layout: QgsPrintLayout, names: List[str]) -> None:
    """Add items to those that the layout lacks on purpose."""
    scope = QgsExpressionContextUtils.layoutScope(layout)
    before = str(scope.variable(layout_items.OMITTED_VARIABLE) or "")
    QgsExpressionContextUtils.setLayoutVariable(layout, layout_items.OMITTED_VARIABLE,
                                                ",".join(part for part in (before, *names) if part))


def _neighbours(layout: QgsPrintLayout) -> List[QgsLayoutItem]:
    """Return the items with an id. Pictures and shapes that are grounds of others count too."""
    return [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
            if item.id() and not isinstance(item, QgsLayoutItemPage)]


def _bounds(item: QgsLayoutItem) -> QRectF:
    """Return the item's bounds on its page, in millimetres."""
    position = item.pagePos()
    return QRectF(position.x(), position.y(), item.rect().width(), item.rect().height())


def _place(item: QgsLayoutItem, bounds: QRectF) -> None:
    """Place an item at ``bounds`` (millimetres) of its page."""
    page = max(0, item.page())
    item.attemptResize(QgsLayoutSize(bounds.width(), bounds.height()))
    item.attemptMove(QgsLayoutPoint(bounds.x(), bounds.y()), True, False, page)
