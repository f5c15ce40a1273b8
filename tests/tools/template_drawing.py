"""Drawing layout templates: the parts that every sheet is made of, each bound to the map and found by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

from qgis.core import (
    QgsExpressionContextUtils,
    QgsFillSymbol,
    QgsLayoutFrame,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemManualTable,
    QgsLayoutItemMap,
    QgsLayoutItemMapGrid,
    QgsLayoutItemMapOverview,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsLayoutItemShape,
    QgsLayoutMeasurement,
    QgsLayoutObject,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsLineSymbol,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsProperty,
    QgsRectangle,
    QgsTextFormat,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor, QFont, QPainter

from plugin.core.page_design.page_themes import STANDARD, find_theme
from plugin.core.page_design.type_scale import TextRole, size_of
from plugin.gis.layouts.text_fitting import FACTOR_VARIABLE
from plugin.gis.runtime import compat

FAMILY = "Open Sans"
#: height of a line of the headings, of the texts below the map and of its notes, millimetres on A4
HEADING, LINE = 4.2, 3.4
_THEME = find_theme(STANDARD)
GREEN, OCHRE = QColor(_THEME.band), QColor(_THEME.accent)
INK, MUTED, HAIR, PALE = QColor(_THEME.ink), QColor(_THEME.muted), QColor(_THEME.hair), QColor(_THEME.subtitle)


@dataclass(frozen=True)
class Box:
    """A rectangle on the page, in millimetres from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True)
class Sheet:
    """One paper: what it is for, its size in millimetres, and how much larger its type is than A4's."""

    template: str
    paper: str
    orientation: str
    width: float
    height: float
    type_scale: float

    @property
    def name(self) -> str:
        return f"{self.template}-{self.paper}-{self.orientation}"


class Drawing:
    """One template while it is drawn."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.k = sheet.type_scale
        self.layout = QgsPrintLayout(QgsProject.instance())
        self.layout.initializeDefaults()
        self.layout.setName(sheet.name)
        self.layout.pageCollection().page(0).setPageSize(QgsLayoutSize(sheet.width, sheet.height))
        self.layout.renderContext().setDpi(300)
        QgsExpressionContextUtils.setLayoutVariable(self.layout, FACTOR_VARIABLE, f"{self.k:g}")
        self.page = 0

    def add_page(self) -> None:
        """A second page like the first; what is drawn from now on stands on it."""
        page = QgsLayoutItemPage(self.layout)
        page.setPageSize(QgsLayoutSize(self.sheet.width, self.sheet.height))
        self.layout.pageCollection().addPage(page)
        self.page += 1

    def without(self, *item_ids: str) -> None:
        """Say that these items are left out on purpose."""
        QgsExpressionContextUtils.setLayoutVariable(self.layout, "cartoguide_without", ",".join(item_ids))

    def font(self, role: TextRole, bold: bool = False) -> QFont:
        font = QFont(FAMILY)
        font.setPointSizeF(size_of(role, self.k))
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        # without a name QGIS reads the weight, whose numbers differ between Qt 5 and Qt 6
        font.setStyleName("Semibold" if bold else "Regular")
        return font

    def text_format(self, role: TextRole, colour: QColor) -> QgsTextFormat:
        text = QgsTextFormat()
        text.setFont(self.font(role))
        text.setNamedStyle(text.font().styleName())
        text.setSize(size_of(role, self.k))
        text.setSizeUnit(compat.points_unit())
        text.setColor(colour)
        return text

    def add(self, item, item_id: str, box: Box):
        item.setId(item_id)
        self.layout.addLayoutItem(item)
        item.attemptMove(QgsLayoutPoint(box.x, box.y), True, False, self.page)
        item.attemptResize(QgsLayoutSize(box.width, box.height))
        return item

    def shape(self, item_id: str, box: Box, colour: QColor) -> None:
        shape = QgsLayoutItemShape(self.layout)
        shape.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
        shape.setSymbol(QgsFillSymbol.createSimple({"color": colour.name(), "outline_style": "no"}))
        self.add(shape, item_id, box)

    def label(self, item_id: str, box: Box, role: TextRole, bold: bool = False, colour: QColor = INK,
              align=Qt.AlignmentFlag.AlignLeft, valign=Qt.AlignmentFlag.AlignTop, text: str = "") -> QgsLayoutItemLabel:
        label = QgsLayoutItemLabel(self.layout)
        label.setFont(self.font(role, bold))
        label.setFontColor(colour)
        label.setHAlign(align)
        label.setVAlign(valign)
        label.setMarginX(0)
        label.setMarginY(0)
        label.setText(text)
        return self.add(label, item_id, box)

    def text(self, name: str, box: Box, role: TextRole = TextRole.CREDITS, head: bool = True) -> None:
        """A heading and below it the text called ``name``; opened from QGIS's own layout manager, credits, terms and
        sources tell of whatever the project shows.
        """
        if head:
            self.heading(name, Box(box.x, box.y, box.width, HEADING * self.k))
        top = box.y + ((HEADING + 0.2) * self.k if head else 0)
        said = f"[% cartoguide_{name}('map') %]" if name in ("credits", "terms", "sources") else name.title()
        self.label(name, Box(box.x, top, box.width, box.bottom - top), role,
                   colour=INK if name in ("credits", "abstract") else MUTED, text=said)

    def heading(self, name: str, box: Box) -> None:
        self.label(f"heading:{name}", box, TextRole.HEADING, True, GREEN, text=name.title())

    # --- the parts -------------------------------------------------------------------------------------------------

    def band(self, margin: float, height: float = 18.4) -> float:
        """Title and subtitle on a ground as wide as the paper, so high on A4. Return where the ground ends."""
        low = height < 18
        height *= self.k
        self.shape("band", Box(0, 0, self.sheet.width, height), GREEN)
        self.shape("band_accent", Box(0, height, self.sheet.width, 0.9 * self.k), OCHRE)
        inner = self.sheet.width - 2 * margin
        top = (1.4 if low else 1.6) * self.k
        self.label("title", Box(margin, top, inner, (8.2 if low else 10.2) * self.k), TextRole.TITLE, True,
                   QColor("white"), valign=Qt.AlignmentFlag.AlignVCenter, text="Title")
        self.label("subtitle", Box(margin, (9 if low else 11.8) * self.k, inner, (4.4 if low else 5) * self.k),
                   TextRole.SUBTITLE, False, PALE,
                   valign=Qt.AlignmentFlag.AlignVCenter, text="Subtitle")
        return height + 0.9 * self.k

    def map(self, box: Box, grid_step: int = 0) -> QgsLayoutItemMap:
        """The map, and above it a second item that draws nothing but frame and grids.

        With ``grid_step`` the lines of the first grid are that many metres apart, whatever the scale.

        The map is flattened to one picture when it is exported (many transparent ones are slow to draw and to print);
        grids on an item of their own stay lines and text. That item takes its extent from the map by expression.
        """
        item = QgsLayoutItemMap(self.layout)
        self.add(item, "map", box)
        extent = QgsRectangle.fromCenterAndSize(QgsPointXY(455000, 4250000), box.width * 50, box.height * 50)
        item.setExtent(extent)
        item.setBackgroundColor(QColor("white"))
        self._flatten(item)
        above = QgsLayoutItemMap(self.layout)
        self.add(above, "grid", box)
        above.setExtent(extent)
        above.setBackgroundEnabled(False)
        above.setKeepLayerSet(True)
        above.setLocked(True)
        above.setFrameEnabled(True)
        above.setFrameStrokeColor(INK)
        above.setFrameStrokeWidth(QgsLayoutMeasurement(0.35))
        bounds = QgsLayoutObject.DataDefinedProperty
        for key, function in ((bounds.MapXMin, "x_min"), (bounds.MapXMax, "x_max"), (bounds.MapYMin, "y_min"),
                              (bounds.MapYMax, "y_max")):
            expression = f"{function}(map_get(item_variables('map'), 'map_extent'))"
            above.dataDefinedProperties().setProperty(key, QgsProperty.fromExpression(expression))
        if grid_step:
            above.setCustomProperty("cartoguide/grid_step", str(grid_step))
        self._grid(above, "kilometres", "grid", 0.15 if grid_step else 0.12,
                   "30,60,110,150" if grid_step else "36,81,59,90", ("Left", "Bottom"), 1.3)
        self._grid(above, "degrees", "frame", 0.1, "36,81,59,90", ("Right", "Top"), 1.3)
        return item

    def fold_ticks(self, name: str, across: Sequence[float]) -> None:
        """Ticks at the edges of the sheet where it is folded, at these places from the left."""
        length, height = 2.0 * self.k, self.sheet.height
        for number, x in enumerate(across):
            self.shape(f"{name}_{number}_top", Box(x - 0.1, 0, 0.2, length), HAIR)
            self.shape(f"{name}_{number}_bottom", Box(x - 0.1, height - length, 0.2, length), HAIR)

    def _flatten(self, item: QgsLayoutItemMap) -> None:
        """Let QGIS export the map as one picture."""
        flattening = QgsLayoutItemMapGrid("flatten", item)
        item.grids().addGrid(flattening)
        flattening.setEnabled(True)
        flattening.setStyle(QgsLayoutItemMapGrid.GridStyle.FrameAnnotationsOnly)
        flattening.setIntervalX(1e9)
        flattening.setIntervalY(1e9)
        flattening.setAnnotationTextFormat(self.text_format(TextRole.GRID_FIGURE, MUTED))
        flattening.setBlendMode(QPainter.CompositionMode.CompositionMode_Multiply)

    def detail(self, box: Box) -> None:
        """A detail of the map on a cover: it gets layers and scale of the map."""
        item = QgsLayoutItemMap(self.layout)
        self.add(item, "cover", box)
        item.setExtent(QgsRectangle.fromCenterAndSize(QgsPointXY(455000, 4250000), box.width * 50, box.height * 50))
        item.setBackgroundColor(QColor("white"))
        self._flatten(item)

    def _grid(self, item, name: str, kind: str, width: float, colour: str, sides, tick: float) -> None:
        grid = QgsLayoutItemMapGrid(name, item)
        item.grids().addGrid(grid)
        grid.setEnabled(True)
        grid.setUnits(QgsLayoutItemMapGrid.GridUnit.MapUnit)
        grid.setIntervalX(1000)
        grid.setIntervalY(1000)
        styles = QgsLayoutItemMapGrid.GridStyle
        grid.setStyle(styles.Solid if kind == "grid" else styles.FrameAnnotationsOnly)
        grid.setLineSymbol(QgsLineSymbol.createSimple({"line_color": colour, "line_width": str(width)}))
        grid.setFrameStyle(QgsLayoutItemMapGrid.FrameStyle.ExteriorTicks)
        grid.setFrameWidth(tick * self.k)
        grid.setFramePenSize(0.2)
        grid.setFramePenColor(INK)
        grid.setAnnotationEnabled(True)
        grid.setAnnotationFormat(QgsLayoutItemMapGrid.AnnotationFormat.CustomFormat)
        grid.setAnnotationExpression("to_string(@grid_number)")
        grid.setAnnotationFrameDistance(0.6 * self.k)
        grid.setAnnotationTextFormat(self.text_format(TextRole.GRID_FIGURE, MUTED))
        self.sides_of(grid, sides)

    def sides_of(self, grid: QgsLayoutItemMapGrid, sides: Sequence[str]) -> None:
        """Let a grid have figures and ticks at these sides of the map, outside it."""
        border = QgsLayoutItemMapGrid.BorderSide
        for side in ("Left", "Right", "Bottom", "Top"):
            shown = side in sides
            modes = QgsLayoutItemMapGrid.DisplayMode
            # a line that is oblique to the frame would else be named on the wrong side
            along = modes.LatitudeOnly if side in ("Left", "Right") else modes.LongitudeOnly
            grid.setAnnotationDisplay(along if shown else modes.HideAll, getattr(border, side))
            grid.setFrameDivisions(along if shown else modes.HideAll, getattr(border, side))
            grid.setAnnotationPosition(QgsLayoutItemMapGrid.AnnotationPosition.OutsideMapFrame, getattr(border, side))
            if side in ("Left", "Right"):
                grid.setAnnotationDirection(QgsLayoutItemMapGrid.AnnotationDirection.Vertical if side == "Left"
                                            else QgsLayoutItemMapGrid.AnnotationDirection.VerticalDescending,
                                            getattr(border, side))
        flags = QgsLayoutItemMapGrid.FrameSideFlag
        for side in ("Left", "Right", "Bottom", "Top"):
            grid.setFrameSideFlag(getattr(flags, f"Frame{side}"), side in sides)

    def legend(self, box: Box, columns: int, linked: QgsLayoutItemMap) -> None:
        legend = QgsLayoutItemLegend(self.layout)
        legend.setTitle("")
        compat.stop_legend_updates(legend)
        legend.model().rootGroup().clear()
        legend.setResizeToContents(False)
        legend.setLinkedMap(linked)
        legend.setColumnCount(columns)
        legend.setSplitLayer(True)
        legend.setEqualColumnWidth(False)
        legend.setFontColor(INK)
        legend.setBoxSpace(0)
        legend.setBackgroundEnabled(False)
        legend.setColumnSpace(3 * self.k)
        legend.setSymbolWidth(6 * self.k)
        legend.setSymbolHeight(2.9 * self.k)
        legend.setLineSpacing(0.5 * self.k)
        legend.setWmsLegendWidth(box.width)
        styles = QgsLegendStyle.Style
        for style, role, bold in ((styles.Title, TextRole.LEGEND_GROUP, True),
                                  (styles.Group, TextRole.LEGEND_GROUP, True), (styles.Subgroup, TextRole.LEGEND, True),
                                  (styles.Symbol, TextRole.LEGEND, False),
                                  (styles.SymbolLabel, TextRole.LEGEND, False)):
            legend.setStyleFont(style, self.font(role, bold))
        side = QgsLegendStyle.Side
        # QGIS leaves room below an empty title too
        for style, where, space in ((QgsLegendStyle.Style.Title, side.Bottom, 0.6),
                                    (QgsLegendStyle.Style.Group, side.Top, 1.3),
                                    (QgsLegendStyle.Style.Group, side.Bottom, 0.5),
                                    (QgsLegendStyle.Style.Subgroup, side.Top, 0.5),
                                    (QgsLegendStyle.Style.Subgroup, side.Bottom, 0.4),
                                    (QgsLegendStyle.Style.Symbol, side.Top, 0.25),
                                    (QgsLegendStyle.Style.SymbolLabel, side.Top, 0.25),
                                    (QgsLegendStyle.Style.SymbolLabel, side.Left, 1.8)):
            legend.rstyle(style).setMargin(where, space * self.k)
        self.add(legend, "legend", box)

    def inset(self, box: Box, linked: QgsLayoutItemMap) -> None:
        item = QgsLayoutItemMap(self.layout)
        self.add(item, "inset", box)
        item.setFrameEnabled(True)
        item.setFrameStrokeColor(HAIR)
        item.setFrameStrokeWidth(QgsLayoutMeasurement(0.2))
        item.setBackgroundColor(QColor("#e4eef3"))
        overview = QgsLayoutItemMapOverview("extent", item)
        item.overviews().addOverview(overview)
        overview.setLinkedMap(linked)
        overview.setFrameSymbol(QgsFillSymbol.createSimple(
            {"color": "201,60,40,110", "outline_color": "#b3261e", "outline_width": "0.4"}))

    def scale(self, box: Box, linked: QgsLayoutItemMap, note: bool = True) -> None:
        """Ratio, bar and north arrow, and with ``note`` the reference system below them."""
        arrow = 11 * self.k
        # a narrow panel has no room for a long text in one line
        height = (5.6 if box.width > 65 * self.k else 7.2) * self.k
        self.label("scale_text", Box(box.x, box.y, box.width - arrow - 2, height), TextRole.SCALE, True,
                   text="1:50 000",
                   valign=Qt.AlignmentFlag.AlignVCenter)
        bar = QgsLayoutItemScaleBar(self.layout)
        bar.setStyle("Single Box")
        bar.setLinkedMap(linked)
        bar.setHeight(1.4 * self.k)
        bar.setLabelBarSpace(0.9 * self.k)
        bar.setBoxContentSpace(0)
        bar.setTextFormat(self.text_format(TextRole.SCALE_FIGURE, INK))
        for setter, colour in ((bar.setFillColor, GREEN), (bar.setFillColor2, QColor("white")),
                               (bar.setLineColor, GREEN)):
            setter(colour)
        bar.setLineWidth(0.2)
        bar.setCustomProperty("cartoguide/room", str(round(box.width - arrow - 2, 1)))
        self.add(bar, "scalebar", Box(box.x, box.y + height + 0.8 * self.k, box.width - arrow - 2, 6 * self.k))
        picture = QgsLayoutItemPicture(self.layout)
        picture.setPicturePath("north-arrow.svg")
        # a theme gives it other ones
        picture.setSvgFillColor(INK)
        picture.setSvgStrokeColor(INK)
        picture.setLinkedMap(linked)
        picture.setNorthMode(QgsLayoutItemPicture.NorthMode.TrueNorth)
        picture.setPictureAnchor(picture.ReferencePoint.Middle)
        self.add(picture, "north_arrow", Box(box.right - arrow, box.y - 0.5, arrow, 15 * self.k))
        if note:
            below = Box(box.x, box.y + 15.8 * self.k, box.width, box.height - 15.8 * self.k)
            self.projection(below)

    def projection(self, box: Box) -> None:
        self.label("projection", box, TextRole.NOTE, False, MUTED)

    def footer(self, box: Box, shares, colophon: Optional[Box] = None, gap: float = 6) -> None:
        """Texts side by side below a rule, and the colophon at ``colophon``, else below them."""
        self.shape("footer_rule", Box(box.x, box.y, box.width, 0.25), HAIR)
        gap, x, top = gap * self.k, box.x, box.y + 1.6 * self.k
        width = box.width - gap * (len(shares) - 1)
        bottom = box.bottom if colophon is not None else box.bottom - (LINE + 0.3) * self.k
        for name, share in shares:
            self.text(name, Box(x, top, width * share, bottom - top))
            x += width * share + gap
        place = colophon or Box(box.x, box.bottom - LINE * self.k, box.width, LINE * self.k)
        self.label("colophon", place, TextRole.NOTE, False, MUTED, align=Qt.AlignmentFlag.AlignRight,
                   valign=Qt.AlignmentFlag.AlignBottom)

    def small_maps(self, box: Box, columns: int, rows: int) -> QgsLayoutItemMap:
        """Maps in rows, each below its label; the first of them is the sheet's map."""
        gap, label = 1.8 * self.k, 3.8 * self.k
        width = (box.width - gap * (columns - 1)) / columns
        height = (box.height - gap * (rows - 1)) / rows
        first = None
        for number in range(columns * rows):
            x = box.x + number % columns * (width + gap)
            y = box.y + number // columns * (height + gap)
            self.label(f"label:{number + 1}", Box(x, y, width, label), TextRole.PANEL, True, INK,
                       valign=Qt.AlignmentFlag.AlignVCenter, text=str(number + 1))
            item = self.plain_map(f"map:{number + 1}" if number else "map",
                                  Box(x, y + label, width, height - label))
            first = first or item
        assert first is not None
        return first

    def plain_map(self, item_id: str, box: Box) -> QgsLayoutItemMap:
        """A map of the whole region, without grids."""
        item = QgsLayoutItemMap(self.layout)
        self.add(item, item_id, box)
        item.setExtent(QgsRectangle.fromCenterAndSize(QgsPointXY(361000, 4132500), box.width * 15000,
                                                      box.height * 15000))
        item.setBackgroundColor(QColor("#eef3f5"))
        item.setFrameEnabled(True)
        item.setFrameStrokeColor(HAIR)
        item.setFrameStrokeWidth(QgsLayoutMeasurement(0.15))
        return item

    def facts(self, box: Box) -> None:
        """The table of facts."""
        table = QgsLayoutItemManualTable.create(self.layout)
        self.layout.addMultiFrame(table)
        table.setHeaderTextFormat(self.text_format(TextRole.TABLE, INK))
        table.setContentTextFormat(self.text_format(TextRole.TABLE, INK))
        table.setGridColor(HAIR)
        table.setGridStrokeWidth(0.15)
        table.setVerticalGrid(False)
        table.setCellMargin(0.65 * self.k)
        table.setWrapBehavior(table.WrapBehavior.WrapText)
        table.setEmptyTableBehavior(table.EmptyTableMode.HeadersOnly)
        frame = QgsLayoutFrame(self.layout, table)
        # a table gives its frame the width that its columns need, so the box is no measure
        frame.setCustomProperty("cartoguide/room", f"{box.width:.1f}")
        self.add(frame, "facts", box)
        table.addFrame(frame)
