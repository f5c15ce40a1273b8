"""Positions of the items on each kind of sheet: guide map, technical sheet, field sheet, small multiples, folded
leaflet, and the frame of an animation.
"""

from __future__ import annotations

from qgis.core import QgsLayoutItemMap
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor
from template_drawing import GREEN, HAIR, INK, LINE, MUTED, OCHRE, PALE, Box, Drawing, Sheet

from plugin.core.page_design.type_scale import PAPER_FACTORS, TextRole
from plugin.core.pages.small_multiples import PLACES

#: width and height (portrait) in millimetres
PAPERS = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}


#: a guide map: height of its title's ground, margin of what is read, its legend's column, and the line at the page's
#: foot, in millimetres on A4
BAND, SIDE, COLUMN, FOOT = 14.6, 5.5, 43.5, 3.6
#: distance of a map's figures from an edge of the paper, which office printers leave white, and from other edges
SAFE, CLOSE = 5.2, 0.8


def guide_landscape(drawing: Drawing) -> None:
    """Map to the left edge of the paper, a narrow legend beside it, credits at the foot. Scale and location lie on the
    map.
    """
    sheet, k = drawing.sheet, drawing.k
    margin, column = SIDE * k, COLUMN * k
    top = drawing.band(margin, BAND)
    footer = Box(margin, sheet.height - (FOOT + 27.6) * k, sheet.width - 3 * k - 2 * margin - column, 23.4 * k)
    frame = Box(0, top, sheet.width - margin - column - 3 * k, footer.y - 1.4 * k - top)
    item = drawing.map(frame)
    _on_the_map(drawing, item, frame)
    panel_x = sheet.width - margin - column
    drawing.heading("legend", Box(panel_x, top + 2 * k, column, 4.2 * k))
    colophon = Box(panel_x, sheet.height - FOOT * k - 2 * LINE * k, column, 2 * LINE * k)
    drawing.legend(Box(panel_x, top + 6.2 * k, column, colophon.y - k - top - 6.2 * k), 1, item)
    drawing.footer(footer, (("credits", 0.328), ("terms", 0.19), ("sources", 0.482)), colophon, gap=4)
    drawing.projection(Box(footer.x, footer.bottom + 0.8 * k, footer.width, LINE * k))


def guide_portrait(drawing: Drawing) -> None:
    """Map to both edges of the paper, the legend across the page below it, credits at the foot. Scale and location lie
    on the map.
    """
    sheet, k = drawing.sheet, drawing.k
    margin = SIDE * k
    top = drawing.band(margin, BAND)
    footer = Box(margin, sheet.height - (FOOT + 34.2) * k, sheet.width - 2 * margin, 30 * k)
    panel_y = footer.y - 57.8 * k
    frame = Box(0, top, sheet.width, panel_y - 2 * k - top)
    item = drawing.map(frame)
    _on_the_map(drawing, item, frame)
    colophon = 70 * k
    drawing.heading("legend", Box(margin, panel_y, footer.width - colophon - 2 * k, 4.2 * k))
    drawing.legend(Box(margin, panel_y + 4.2 * k, footer.width, 52.6 * k), 4, item)
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)),
                   Box(footer.right - colophon, panel_y, colophon, 4.2 * k))
    drawing.projection(Box(footer.x, footer.bottom + 0.8 * k, footer.width, LINE * k))


def _on_the_map(drawing: Drawing, item: QgsLayoutItemMap, frame: Box) -> None:
    """Scale and north on white in the lower left corner of a map, the location in its upper left corner, and the
    figures of its grids within it.
    """
    k = drawing.k
    drawing.layout.itemById("grid").setFrameEnabled(False)
    drawing.figures_inside({"kilometres": SAFE * k, "degrees": CLOSE * k})
    # meridians and parallels are no lines on the map: without ticks their figures would name nothing
    ticks = drawing.layout.itemById("grid").grids().grid(1)
    ticks.setFrameStyle(ticks.FrameStyle.InteriorTicks)
    left, height = frame.x + (SAFE + 3.4) * k, 15.8 * k
    box = Box(left, frame.bottom - (SAFE + 3.4) * k - height, 67 * k, height)
    drawing.shape("cartouche", box, QColor("white"))
    drawing.scale(Box(box.x + 1.8 * k, box.y + 0.8 * k, box.width - 2.2 * k, 14 * k), item, note=False)
    drawing.inset(Box(left, frame.y + (CLOSE + 3.4) * k, 38 * k, 22 * k), item)


def technical(drawing: Drawing) -> None:
    """Map and legend above, below them what is known of the services as text and as a table."""
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin) + 7.5 * k
    footer = Box(margin, sheet.height - 5.5 * k - 34 * k, sheet.width - 2 * margin, 34 * k)
    side = 60 * k
    side_x = sheet.width - margin - side
    main = side_x - margin - 9 * k
    # larger papers are higher than their type is larger: the map takes most of that
    frame = Box(margin + 4.5 * k, top, main - 4.5 * k, 75 * k + 0.75 * (sheet.height - 297 * k))
    item = drawing.map(frame)
    lower = frame.bottom + 8 * k
    drawing.heading("legend", Box(side_x, top - 5 * k, side, 4.2 * k))
    inset = Box(side_x, footer.y - 3 * k - 30 * k - 4 * k - 28 * k, side, 28 * k)
    drawing.legend(Box(side_x, top - 0.8 * k, side, inset.y - 6 * k - top + 0.8 * k), 1, item)
    drawing.heading("location", Box(side_x, inset.y - 5 * k, side, 4.2 * k))
    drawing.inset(inset, item)
    drawing.scale(Box(side_x, inset.bottom + 4 * k, side, 30 * k), item)
    drawing.text("abstract", Box(margin, lower, main, 28 * k), TextRole.ABSTRACT)
    drawing.heading("facts", Box(margin, lower + 30.5 * k, main, 4.2 * k))
    table_top = lower + 35.5 * k
    drawing.facts(Box(margin, table_top, main, footer.y - 3 * k - table_top))
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)))


def field_portrait(drawing: Drawing) -> None:
    """As much map as there is room for, with a grid of 1 km; below it the legend across the page, then scale and what a
    compass needs side by side.
    """
    sheet, k = drawing.sheet, drawing.k
    margin, top = 8 * k, _plain_title(drawing)
    footer = Box(margin, sheet.height - 5 * k - 33 * k, sheet.width - 2 * margin, 33 * k)
    strip = Box(margin, footer.y - 2 * k - 14 * k, sheet.width - 2 * margin, 14 * k)
    # one sheet is carried in the field: the legend of a whole guide has room on it
    panel_y = strip.y - 50.2 * k
    item = drawing.map(Box(margin + 4.5 * k, top, sheet.width - 2 * margin - 9 * k, panel_y - 6.2 * k - top), 1000)
    drawing.heading("legend", Box(margin, panel_y - 1 * k, strip.width, 4.2 * k))
    drawing.legend(Box(margin, panel_y + 3.2 * k, strip.width, 45.5 * k), 2, item)
    scale, projection = 60 * k, (strip.width - 60 * k) * 0.4
    drawing.scale(Box(strip.x, strip.y, scale, strip.height), item, note=False)
    note_x = strip.x + scale + projection + 4 * k
    drawing.projection(Box(strip.x + scale + 4 * k, strip.y, projection - 4 * k, strip.height))
    drawing.label("field_note", Box(note_x, strip.y, strip.right - note_x, strip.height), TextRole.NOTE, False, INK)
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)))
    drawing.without("subtitle", "inset")


def field_landscape(drawing: Drawing) -> None:
    """The same with legend, scale and notes beside the map."""
    sheet, k = drawing.sheet, drawing.k
    margin, top = 8 * k, _plain_title(drawing)
    footer = Box(margin, sheet.height - 5 * k - 25 * k, sheet.width - 2 * margin, 25 * k)
    panel, bottom = 69.8 * k, footer.y - 6 * k
    panel_x = sheet.width - margin - panel
    item = drawing.map(Box(margin + 4.5 * k, top, panel_x - 7 * k - margin - 4.5 * k, bottom - top), 1000)
    notes = bottom - 33 * k
    drawing.heading("legend", Box(panel_x, top - 5 * k, panel, 4.2 * k))
    drawing.legend(Box(panel_x, top - 0.8 * k, panel, notes - 18 * k - top), 1, item)
    drawing.scale(Box(panel_x, notes - 16 * k, panel, 14 * k), item, note=False)
    _field_notes(drawing, panel_x, notes, panel)
    drawing.footer(footer, (("credits", 0.33), ("terms", 0.25), ("sources", 0.42)))
    drawing.without("subtitle", "inset")


def _plain_title(drawing: Drawing) -> float:
    """The title without a ground of its own, which costs paper and toner. Return where the map may begin."""
    k, margin = drawing.k, 8 * drawing.k
    width = drawing.sheet.width - 2 * margin
    drawing.label("title", Box(margin, 5 * k, width, 8 * k), TextRole.FRAME_TITLE, True, GREEN,
                  valign=Qt.AlignmentFlag.AlignVCenter, text="Title")
    drawing.shape("band_accent", Box(margin, 13.6 * k, width, 0.6 * k), OCHRE)
    return 19.2 * k


def _field_notes(drawing: Drawing, x: float, y: float, width: float) -> None:
    k = drawing.k
    drawing.projection(Box(x, y, width, 11 * k))
    drawing.label("field_note", Box(x, y + 12 * k, width, 18.5 * k), TextRole.NOTE, False, INK)


def multiples(drawing: Drawing) -> None:
    """Small maps in six rows, one legend and one scale for all of them: a month of 31 days and its summary."""
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin) + 4 * k
    footer = Box(margin, sheet.height - 5.5 * k - 20 * k, sheet.width - 2 * margin, 20 * k)
    panel = 48 * k
    panel_x = sheet.width - margin - panel
    bottom = footer.y - 4 * k
    item = drawing.small_maps(Box(margin, top, panel_x - 5 * k - margin, bottom - top), 6, PLACES // 6)
    scale = 26 * k
    drawing.heading("legend", Box(panel_x, top, panel, 4.2 * k))
    drawing.legend(Box(panel_x, top + 4.2 * k, panel, bottom - scale - 5 * k - top - 4.2 * k), 1, item)
    drawing.scale(Box(panel_x, bottom - scale, panel, scale), item)
    drawing.footer(footer, (("credits", 0.33), ("terms", 0.26), ("sources", 0.41)))
    drawing.without("inset")


#: panels of a leaflet side by side. An even number: folded in a zigzag, the first and the last panel of the same side
#: lie outside, as back and as cover, and all panels have one width since none lies within another
PANELS = 4


def leaflet(drawing: Drawing) -> None:
    """A sheet folded in a zigzag: inside the map and beside it the table, outside back, visit, legend and cover."""
    sheet, k = drawing.sheet, drawing.k
    folds = [sheet.width * number / PANELS for number in range(1, PANELS)]
    side, margin = 5.8 * k, 8 * k
    panels = [Box(left + side, margin, sheet.width / PANELS - 2 * side, sheet.height - 2 * margin)
              for left in (0, *folds)]
    _leaflet_inside(drawing, panels, folds)
    drawing.add_page()
    back, visit, flap, cover = panels
    item = drawing.layout.itemById("map")
    drawing.heading("legend", Box(flap.x, flap.y, flap.width, 4.2 * k))
    drawing.legend(Box(flap.x, flap.y + 4.2 * k, flap.width, flap.height - 4.2 * k), 1, item)
    # stacked anew by the plugin, without those that are empty
    drawing.text("abstract", visit, TextRole.BODY)
    # the text begins below the photos that there are
    drawing.shape("photos", visit, PALE)
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
    # below the band a detail of the map, as wide as the panel
    drawing.detail(Box(left, 93.2 * k, width, cover.bottom - 50 * k - 93.2 * k))
    drawing.heading("location", Box(cover.x, cover.bottom - 46.2 * k, cover.width, 4.2 * k))
    drawing.inset(Box(cover.x, cover.bottom - 42 * k, cover.width, 42 * k), item)
    drawing.fold_ticks("fold_outside", folds)


def _leaflet_inside(drawing: Drawing, panels: list[Box], folds: list[float]) -> None:
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    strip = 19 * k
    left, bottom = margin + 1 * k, sheet.height - margin - strip - 5 * k
    last = panels[-1]
    right = sheet.width - left
    drawing.heading("table", Box(last.x, margin, last.width, 4.2 * k))
    # without a table the map takes its place
    drawing.shape("table", Box(last.x, margin + 5 * k, right - last.x, bottom - margin - 5 * k), PALE)
    item = drawing.map(Box(left, margin, folds[-1] - 8 * k - left, bottom - margin))
    top = bottom + 6.5 * k
    drawing.scale(Box(panels[0].x, top, panels[0].width, 16 * k), item, note=False)
    drawing.projection(Box(panels[1].x, top, panels[1].width, 16 * k))
    drawing.label("foot", Box(last.x, top, last.width, 16 * k), TextRole.FOOT, True, INK,
                  align=Qt.AlignmentFlag.AlignRight, text="Title")
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
    """A frame of an animation: title and moment above the map, legend and scale beside it, credits below."""
    sheet, margin, panel = drawing.sheet, 7, 62
    middle = Qt.AlignmentFlag.AlignVCenter
    moment_width = 78
    drawing.label("title", Box(margin, 5, sheet.width - 2 * margin - moment_width - 4, 10), TextRole.FRAME_TITLE, True,
                  GREEN, valign=middle, text="Title")
    drawing.label("label:1", Box(sheet.width - margin - moment_width, 5, moment_width, 10), TextRole.FRAME_TITLE, True,
                  INK, align=Qt.AlignmentFlag.AlignRight, valign=middle, text="1")
    drawing.shape("band_accent", Box(margin, 16, sheet.width - 2 * margin, 0.7), OCHRE)
    top, foot = 20, sheet.height - 19
    item = drawing.plain_map("map", Box(margin, top, sheet.width - 2 * margin - panel - 5, foot - 3 - top))
    panel_x = sheet.width - margin - panel
    drawing.heading("legend", Box(panel_x, top, panel, 5))
    drawing.legend(Box(panel_x, top + 5, panel, foot - 26 - top - 5), 1, item)
    drawing.scale(Box(panel_x, foot - 21, panel, 18), item, note=False)
    # on a screen no ratio is true
    drawing.layout.removeLayoutItem(drawing.layout.itemById("scale_text"))
    drawing.text("credits", Box(margin, foot, sheet.width - 2 * margin, 11.5), head=False)
    drawing.label("colophon", Box(margin, sheet.height - 7, sheet.width - 2 * margin, LINE * drawing.k),
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
