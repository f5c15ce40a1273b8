"""Positions of the items on each kind of sheet: guide map, technical sheet, field sheet, small multiples, folded
leaflet, and the frame of an animation.
"""

from __future__ import annotations

from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor
from template_drawing import GREEN, HAIR, INK, LINE, MUTED, OCHRE, PALE, Box, Drawing, Sheet

from plugin.core.page_design.type_scale import PAPER_FACTORS, TextRole
from plugin.core.pages.small_multiples import PLACES

#: width and height (portrait) in millimetres
PAPERS = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}


#: a guide map: height of its title's ground, margin of what is read, its legend's column, the line at the page's foot,
#: and the room for the figures of the grid at an edge of the map, in millimetres on A4
BAND, SIDE, COLUMN, FOOT, FIGURES = 14.6, 5.5, 46.0, 3.6, 3.2


def guide_landscape(drawing: Drawing) -> None:
    """Map to the left edge of the paper, a narrow legend beside it and the location below that. Scale and credits at
    the foot.
    """
    sheet, k = drawing.sheet, drawing.k
    margin, column = SIDE * k, COLUMN * k
    top = drawing.band(margin, BAND)
    last = Box(margin, sheet.height - (FOOT + LINE) * k, sheet.width - 2 * margin, LINE * k)
    panel_x = sheet.width - margin - column
    footer = Box(margin, last.y - 28.6 * k, panel_x - FIGURES * k - margin, 27.6 * k)
    frame = Box(0, top, panel_x - (FIGURES + 1) * k, footer.y - (FIGURES + 0.6) * k - top)
    item = drawing.map(frame)
    _figures_of_guide(drawing, "Right")
    drawing.heading("legend", Box(panel_x, top + 0.6 * k, column, 4.2 * k))
    inset = Box(panel_x, last.y - 24.4 * k, column, 23.4 * k)
    drawing.legend(Box(panel_x, top + 4.8 * k, column, inset.y - 1 * k - top - 4.8 * k), 1, item)
    drawing.inset(inset, item)
    scale = 49 * k
    drawing.scale(Box(footer.x, footer.y + 2.2 * k, scale, 14 * k), item, note=False)
    drawing.footer(Box(footer.x + scale + 4 * k, footer.y, footer.width - scale - 4 * k, footer.height),
                   (("credits", 0.33), ("terms", 0.22), ("sources", 0.45)), _half(last, 0.3, right=True), gap=4)
    drawing.layout.itemById("footer_rule").attemptSetSceneRect(QRectF(footer.x, footer.y, footer.width, 0.25))
    drawing.projection(_half(last, 0.7))


def guide_portrait(drawing: Drawing) -> None:
    """Map across the page, below it the legend, and beside that location and scale. Credits at the foot."""
    sheet, k = drawing.sheet, drawing.k
    margin = SIDE * k
    top = drawing.band(margin, BAND)
    last = Box(margin, sheet.height - (FOOT + LINE) * k, sheet.width - 2 * margin, LINE * k)
    footer = Box(margin, last.y - 31 * k, last.width, 30 * k)
    panel_y = footer.y - 58.6 * k
    item = drawing.map(Box(0, top, sheet.width - (SIDE + FIGURES - 2) * k, panel_y - (FIGURES + 1) * k - top))
    _figures_of_guide(drawing, "Right")
    side = 44 * k
    side_x = footer.right - side
    drawing.heading("legend", Box(margin, panel_y - 0.6 * k, side, 4.2 * k))
    drawing.legend(Box(margin, panel_y + 3.6 * k, side_x - 2 * k - margin, 53.8 * k), 4, item)
    drawing.inset(Box(side_x, panel_y + 1 * k, side, 25 * k), item)
    drawing.scale(Box(side_x, panel_y + 28.2 * k, side, 14 * k), item, note=False)
    drawing.projection(Box(side_x, panel_y + 43.4 * k, side, 14 * k))
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)), last)


def _half(line: Box, share: float, right: bool = False) -> Box:
    """Return a part of a line of the page, at its left or its right end."""
    width = line.width * share
    return Box(line.right - width if right else line.x, line.y, width, line.height)


def _figures_of_guide(drawing: Drawing, upright: str) -> None:
    """Let the kilometres alone have figures, below the map and at one side of it, where they cover no name."""
    drawing.layout.itemById("grid").setFrameEnabled(False)
    for grid in drawing.layout.itemById("grid").grids().asList():
        is_shown = grid.name() == "kilometres"
        grid.setEnabled(is_shown)
        drawing.sides_of(grid, (upright, "Bottom") if is_shown else ())
        grid.setAnnotationFrameDistance(0.7 * drawing.k)
        grid.setFrameStyle(grid.FrameStyle.NoFrame)


def technical(drawing: Drawing) -> None:
    """Map across the page, below it what is known of the services as text and as a table, and the legend beside them.
    """
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin, BAND) + 4.6 * k
    last = Box(margin, sheet.height - (FOOT + 2 * LINE) * k, sheet.width - 2 * margin, 2 * LINE * k)
    footer = Box(margin, last.y - 32 * k, last.width, 31.5 * k)
    side = 73 * k
    side_x = footer.right - side
    main = side_x - margin - 4 * k
    # high enough that a map as wide as it is long, which fills the width, loses little. Larger papers are higher than
    # their type is larger: the map takes a part of that
    frame = Box(margin + 4.5 * k, top, footer.width - 9 * k, 99.4 * k + 0.5 * (sheet.height - 297 * k))
    item = drawing.map(frame)
    lower = frame.bottom + 5.8 * k
    scale_y = footer.y - 2 * k - 14 * k
    location = 18.7 * k + 0.2 * (sheet.height - 297 * k)
    inset = Box(side_x, scale_y - 2 * k - location, side, location)
    drawing.heading("legend", Box(side_x, lower - 0.4 * k, side, 4.2 * k))
    drawing.legend(Box(side_x, lower + 3.8 * k, side, inset.y - 6.4 * k - lower - 3.8 * k), 2, item)
    drawing.heading("location", Box(side_x, inset.y - 5 * k, side, 4.2 * k))
    drawing.inset(inset, item)
    drawing.scale(Box(side_x, scale_y, side, 14 * k), item, note=False)
    drawing.text("abstract", Box(margin, lower, main, 22.4 * k), TextRole.ABSTRACT)
    drawing.heading("facts", Box(margin, lower + 23 * k, main, 4.2 * k))
    table_top = lower + 27.6 * k
    drawing.facts(Box(margin, table_top, main, footer.y - 3 * k - table_top))
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)), _half(last, 0.37, right=True))
    drawing.projection(_half(last, 0.62))


def field_portrait(drawing: Drawing) -> None:
    """As much map as there is room for, with a grid of 1 km; below it the legend across the page, then scale and what a
    compass needs side by side.
    """
    sheet, k = drawing.sheet, drawing.k
    margin, top = 8 * k, _plain_title(drawing)
    footer = Box(margin, sheet.height - 5 * k - 33 * k, sheet.width - 2 * margin, 33 * k)
    strip = Box(margin, footer.y - 2 * k - 14 * k, sheet.width - 2 * margin, 14 * k)
    # one sheet is carried in the field: the legend of a whole guide has room on it
    panel_y = strip.y - 58 * k
    item = drawing.map(Box(margin + 4.5 * k, top, sheet.width - 2 * margin - 9 * k, panel_y - 6.2 * k - top), 1000)
    drawing.heading("legend", Box(margin, panel_y - 1 * k, strip.width, 4.2 * k))
    drawing.legend(Box(margin, panel_y + 3.2 * k, strip.width, 53.4 * k), 3, item)
    scale, projection = 60 * k, (strip.width - 60 * k) * 0.4
    drawing.scale(Box(strip.x, strip.y, scale, strip.height), item, note=False)
    note_x = strip.x + scale + projection + 4 * k
    drawing.projection(Box(strip.x + scale + 4 * k, strip.y, projection - 4 * k, strip.height))
    drawing.label("field_note", Box(note_x, strip.y, strip.right - note_x, strip.height), TextRole.NOTE, False, INK)
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)))
    drawing.without("subtitle", "inset")


def field_landscape(drawing: Drawing) -> None:
    """The same with legend, scale and notes beside the map, down to the page's foot."""
    sheet, k = drawing.sheet, drawing.k
    margin, top = 8 * k, _plain_title(drawing)
    panel = 69.8 * k
    panel_x = sheet.width - margin - panel
    last = Box(panel_x, sheet.height - (5 + LINE) * k, panel, LINE * k)
    footer = Box(margin, sheet.height - 5 * k - 28.4 * k, panel_x - 7 * k - margin, 28.4 * k)
    item = drawing.map(Box(margin + 4.5 * k, top, footer.width - 4.5 * k, footer.y - 6 * k - top), 1000)
    notes = last.y - 31.5 * k
    drawing.heading("legend", Box(panel_x, top - 5 * k, panel, 4.2 * k))
    drawing.legend(Box(panel_x, top - 0.8 * k, panel, notes - 18 * k - top), 1, item)
    drawing.scale(Box(panel_x, notes - 16 * k, panel, 14 * k), item, note=False)
    drawing.projection(Box(panel_x, notes, panel, 11 * k))
    drawing.label("field_note", Box(panel_x, notes + 12 * k, panel, 18.5 * k), TextRole.NOTE, False, INK)
    drawing.footer(footer, (("credits", 0.33), ("terms", 0.25), ("sources", 0.42)), last, gap=4)
    drawing.without("subtitle", "inset")


def _plain_title(drawing: Drawing) -> float:
    """The title without a ground of its own, which costs paper and toner. Return where the map may begin."""
    k, margin = drawing.k, 8 * drawing.k
    width = drawing.sheet.width - 2 * margin
    # two lines in the least size of a title
    drawing.label("title", Box(margin, 3.3 * k, width, 10.6 * k), TextRole.FRAME_TITLE, True, GREEN,
                  valign=Qt.AlignmentFlag.AlignVCenter, text="Title")
    drawing.shape("band_accent", Box(margin, 13.9 * k, width, 0.6 * k), OCHRE)
    return 19.5 * k


def multiples(drawing: Drawing) -> None:
    """Small maps in weeks of seven days, below them one legend and one scale for all: a month and its summary."""
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin, BAND) + 2.4 * k
    # four lines for the sources of three services, above the colophon
    footer = Box(margin, sheet.height - 4.5 * k - 22 * k, sheet.width - 2 * margin, 22 * k)
    strip = Box(margin, footer.y - 24 * k, footer.width, 23 * k)
    item = drawing.small_maps(Box(margin, top, footer.width, strip.y - 2 * k - top), 7, -(-PLACES // 7))
    scale = 56 * k
    drawing.heading("legend", Box(margin, strip.y, 40 * k, 4.2 * k))
    drawing.legend(Box(margin, strip.y + 4.2 * k, strip.width - scale - 4 * k, strip.height - 3.4 * k), 4, item)
    drawing.scale(Box(strip.right - scale, strip.y, scale, 14 * k), item, note=False)
    drawing.projection(Box(strip.right - scale, strip.y + 15.6 * k, scale, 7.2 * k))
    drawing.footer(footer, (("credits", 0.33), ("terms", 0.26), ("sources", 0.41)))
    drawing.without("inset")


#: panels of a leaflet side by side. An even number: folded in a zigzag, the first and the last panel of the same side
#: lie outside, as back and as cover, and all panels have one width since none lies within another
PANELS = 4


def leaflet(drawing: Drawing) -> None:
    """A sheet folded in a zigzag: inside the map to the edge and beside it the legend, outside back, visit, table and
    cover.
    """
    sheet, k = drawing.sheet, drawing.k
    folds = [sheet.width * number / PANELS for number in range(1, PANELS)]
    side, margin = 5.8 * k, 8 * k
    panels = [Box(left + side, margin, sheet.width / PANELS - 2 * side, sheet.height - 2 * margin)
              for left in (0, *folds)]
    _leaflet_inside(drawing, panels, folds)
    drawing.add_page()
    back, visit, flap, cover = panels
    drawing.heading("table", Box(flap.x, flap.y, flap.width, 4.2 * k))
    # removed where the leaflet has no table
    drawing.shape("table", Box(flap.x, flap.y + 5 * k, flap.width, flap.height - 5 * k), PALE)
    inset = Box(visit.x, visit.bottom - 40 * k, visit.width, 40 * k)
    above = Box(visit.x, visit.y, visit.width, inset.y - 9 * k - visit.y)
    # stacked anew by the plugin, without those that are empty
    drawing.text("abstract", above, TextRole.BODY)
    # the text begins below the photos that there are
    drawing.shape("photos", above, PALE)
    drawing.heading("location", Box(visit.x, inset.y - 5 * k, visit.width, 4.2 * k))
    drawing.inset(inset, drawing.layout.itemById("map"))
    y = back.y
    for name, height in (("directions", 40), ("opening_hours", 34), ("emergency_numbers", 28)):
        drawing.text(name, Box(back.x, y, back.width, height * k), TextRole.BODY)
        y += (height + 1) * k
    for name in ("abstract", "directions", "opening_hours", "emergency_numbers"):
        drawing.layout.itemById(name).setFontColor(INK)
    lower = back.bottom - 112 * k
    drawing.shape("back_rule", Box(back.x, lower - 3 * k, back.width, 0.25), HAIR)
    _leaflet_credits(drawing, back, lower)
    left, width = folds[-1], sheet.width - folds[-1]
    drawing.shape("band", Box(left, 0, width, 92 * k), GREEN)
    drawing.shape("band_accent", Box(left, 92 * k, width, 1.2 * k), OCHRE)
    drawing.label("title", Box(cover.x, 18 * k, cover.width, 46 * k), TextRole.COVER_TITLE, True, QColor("white"),
                  valign=Qt.AlignmentFlag.AlignBottom, text="Title")
    drawing.label("subtitle", Box(cover.x, 67 * k, cover.width, 22 * k), TextRole.SUBTITLE, False, PALE,
                  text="Subtitle")
    # below the band a detail of the map, to the edges of the panel. A photo takes its upper part
    drawing.detail(Box(left, 93.2 * k, width, sheet.height - 93.2 * k))
    drawing.fold_ticks("fold_outside", folds)


def _leaflet_inside(drawing: Drawing, panels: list[Box], folds: list[float]) -> None:
    sheet, k = drawing.sheet, drawing.k
    last = panels[-1]
    item = drawing.map(Box(0, 0, folds[-1], sheet.height))
    # a map that goes to the trim has no room for figures beside it
    drawing.layout.itemById("grid").setFrameEnabled(False)
    for grid in drawing.layout.itemById("grid").grids().asList():
        grid.setEnabled(False)
    scale_y = last.bottom - 31 * k
    drawing.heading("legend", Box(last.x, last.y, last.width, 4.2 * k))
    drawing.legend(Box(last.x, last.y + 4.2 * k, last.width, scale_y - 3 * k - last.y - 4.2 * k), 1, item)
    drawing.scale(Box(last.x, scale_y, last.width, 14 * k), item, note=False)
    drawing.projection(Box(last.x, scale_y + 16 * k, last.width, 7 * k))
    drawing.label("foot", Box(last.x, last.bottom - 6 * k, last.width, 6 * k), TextRole.FOOT, True, INK,
                  valign=Qt.AlignmentFlag.AlignBottom, text="Title")
    drawing.fold_ticks("fold_inside", folds)


def _leaflet_credits(drawing: Drawing, back: Box, top: float) -> None:
    """Credits, terms and sources one below the other from ``top``, and the colophon at the panel's foot."""
    k = drawing.k
    drawing.text("credits", Box(back.x, top, back.width, 34 * k))
    drawing.text("terms", Box(back.x, top + 37 * k, back.width, 26 * k))
    # a heading of two lines: with the day on which the services were accessed
    drawing.heading("sources", Box(back.x, top + 64 * k, back.width, 2 * LINE * k))
    drawing.text("sources", Box(back.x, top + (64 + 2.1 * LINE) * k, back.width, (42 - 2.1 * LINE) * k), head=False)
    drawing.label("colophon", Box(back.x, back.bottom - LINE * k, back.width, LINE * k), TextRole.NOTE, False, MUTED,
                  valign=Qt.AlignmentFlag.AlignBottom)


def animation(drawing: Drawing) -> None:
    """A frame of an animation: title and moment above the map, the legend beside it, credits and scale below."""
    sheet, margin, panel = drawing.sheet, 7, 62
    middle = Qt.AlignmentFlag.AlignVCenter
    moment_width = 78
    # two lines of a long title in the least size
    drawing.label("title", Box(margin, 2, sheet.width - 2 * margin - moment_width - 4, 13.6), TextRole.FRAME_TITLE,
                  True, GREEN, valign=middle, text="Title")
    drawing.label("label:1", Box(sheet.width - margin - moment_width, 2, moment_width, 13.6), TextRole.FRAME_TITLE,
                  True, INK, align=Qt.AlignmentFlag.AlignRight, valign=middle, text="1")
    drawing.shape("band_accent", Box(margin, 16, sheet.width - 2 * margin, 0.7), OCHRE)
    top, foot = 20, sheet.height - 25
    width, panel_x = sheet.width - 2 * margin - panel - 5, sheet.width - margin - panel
    item = drawing.plain_map("map", Box(margin, top, width, foot - 3 - top))
    drawing.heading("legend", Box(panel_x, top, panel, 5))
    drawing.legend(Box(panel_x, top + 5, panel, foot - 3 - top - 5), 1, item)
    drawing.scale(Box(panel_x, foot - 2.5, panel, 18), item, note=False)
    # on a screen no ratio is true
    drawing.layout.removeLayoutItem(drawing.layout.itemById("scale_text"))
    drawing.text("credits", Box(margin, foot, width, 17.5), head=False)
    below = Box(margin, sheet.height - 7, 40, LINE * drawing.k)
    drawing.label("frame_number", below, TextRole.NOTE, False, MUTED, valign=Qt.AlignmentFlag.AlignBottom, text="1")
    drawing.label("colophon", Box(below.right, below.y, sheet.width - margin - below.right, below.height),
                  TextRole.NOTE, False, MUTED, align=Qt.AlignmentFlag.AlignRight, valign=Qt.AlignmentFlag.AlignBottom)
    drawing.without("subtitle", "inset", "scale_text", "terms", "sources", "projection")


def _sheet(template: str, paper: str, orientation: str) -> Sheet:
    short, long = PAPERS[paper]
    size = (long, short) if orientation == "landscape" else (short, long)
    return Sheet(template, paper, orientation, *size, PAPER_FACTORS[paper])


#: every sheet, and what draws it
SHEETS = {
    **{_sheet("guide", paper, "landscape"): guide_landscape for paper in PAPERS},
    **{_sheet("guide", paper, "portrait"): guide_portrait for paper in PAPERS},
    **{_sheet("sheet", paper, "portrait"): technical for paper in ("A4", "A3")},
    **{_sheet("field", paper, "portrait"): field_portrait for paper in ("A4", "A3")},
    **{_sheet("field", paper, "landscape"): field_landscape for paper in ("A4", "A3")},
    **{_sheet("multiples", paper, "landscape"): multiples for paper in ("A4", "A3")},
    _sheet("leaflet", "A3", "landscape"): leaflet,
    # 1280 by 720 pixels at 127 dpi
    Sheet("animation", "screen", "landscape", 256, 144, PAPER_FACTORS["screen"]): animation,
}
