"""Positions of the items on each kind of sheet: guide map, technical sheet, field sheet, small multiples, folded
leaflet, and the frame of an animation.
"""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor
from template_drawing import GREEN, HAIR, INK, LINE, MUTED, OCHRE, PALE, Box, Drawing, Sheet

from plugin.core.page_design.type_scale import PAPER_FACTORS, TextRole

#: width and height (portrait) in millimetres
PAPERS = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}


def guide_landscape(drawing: Drawing) -> None:
    """Map on the left, panel on the right, credits below."""
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin) + 7.5 * k
    footer = Box(margin, sheet.height - 5.5 * k - 25.1 * k, sheet.width - 2 * margin, 25.1 * k)
    panel_width = 74.5 * k
    note = Box(margin + 4.5 * k, footer.y - 1.6 * k - LINE * k, sheet.width - 2 * margin - 4.5 * k, LINE * k)
    bottom = note.y - 4.8 * k
    frame = Box(note.x, top, note.width - panel_width - 7 * k, bottom - top)
    item = drawing.map(frame)
    panel_x = sheet.width - margin - panel_width
    scale_height, inset_height = 13 * k, 21.5 * k
    scale = Box(panel_x, bottom - scale_height, panel_width, scale_height)
    inset = Box(panel_x, scale.y - 5 * k - inset_height, panel_width, inset_height)
    drawing.heading("legend", Box(panel_x, top - 6.2 * k, panel_width, 4.2 * k))
    drawing.legend(Box(panel_x, top - 2 * k, panel_width, inset.y - 5.6 * k - top + 2 * k), 1, item)
    drawing.heading("location", Box(panel_x, inset.y - 5 * k, panel_width, 4.2 * k))
    drawing.inset(inset, item)
    drawing.scale(scale, item, note=False)
    drawing.projection(Box(note.x, note.y, frame.width, note.height))
    drawing.footer(footer, (("credits", 0.33), ("terms", 0.25), ("sources", 0.42)),
                   Box(frame.right + 2 * k, note.y, panel_x + panel_width - frame.right - 2 * k, note.height))


def guide_portrait(drawing: Drawing) -> None:
    """Map above, legend and location below it, credits at the foot."""
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin) + 7.5 * k
    footer = Box(margin, sheet.height - 5.5 * k - 34 * k, sheet.width - 2 * margin, 34 * k)
    panel_height = 74 * k
    panel_y = footer.y - 3 * k - panel_height
    frame = Box(margin + 4.5 * k, top, sheet.width - 2 * margin - 9 * k, panel_y - 7.5 * k - top)
    item = drawing.map(frame)
    side = 54 * k
    side_x = sheet.width - margin - side
    legend_width = sheet.width - 2 * margin - side - 5 * k
    drawing.heading("legend", Box(margin, panel_y - 1 * k, legend_width, 4.2 * k))
    drawing.legend(Box(margin, panel_y + 3.2 * k, legend_width, panel_height - 3.2 * k), 2, item)
    drawing.heading("location", Box(side_x, panel_y - 1 * k, side, 4.2 * k))
    drawing.inset(Box(side_x, panel_y + 4 * k, side, 33 * k), item)
    drawing.scale(Box(side_x, panel_y + 42 * k, side, 32 * k), item)
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)))


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
    """As much map as there is room for, with a grid of 1 km; below it legend, scale and what a compass needs."""
    sheet, k = drawing.sheet, drawing.k
    margin, top = 8 * k, _plain_title(drawing)
    footer = Box(margin, sheet.height - 5 * k - 33 * k, sheet.width - 2 * margin, 33 * k)
    panel_y = footer.y - 2 * k - 44 * k
    side = 68 * k
    side_x, legend_width = sheet.width - margin - side, sheet.width - 2 * margin - side - 5 * k
    item = drawing.map(Box(margin + 4.5 * k, top, sheet.width - 2 * margin - 9 * k, panel_y - 7 * k - top), 1000)
    drawing.heading("legend", Box(margin, panel_y - 1 * k, legend_width, 4.2 * k))
    drawing.legend(Box(margin, panel_y + 3.2 * k, legend_width, 40.8 * k), 2, item)
    drawing.scale(Box(side_x, panel_y, side, 14 * k), item, note=False)
    _field_notes(drawing, side_x, panel_y + 15 * k, side)
    drawing.footer(footer, (("credits", 0.34), ("terms", 0.2), ("sources", 0.46)))
    drawing.without("subtitle", "inset")


def field_landscape(drawing: Drawing) -> None:
    """The same with legend, scale and notes beside the map."""
    sheet, k = drawing.sheet, drawing.k
    margin, top = 8 * k, _plain_title(drawing)
    footer = Box(margin, sheet.height - 5 * k - 25 * k, sheet.width - 2 * margin, 25 * k)
    panel, bottom = 62 * k, footer.y - 6 * k
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
    return 20.5 * k


def _field_notes(drawing: Drawing, x: float, y: float, width: float) -> None:
    k = drawing.k
    drawing.projection(Box(x, y, width, 11 * k))
    drawing.label("field_note", Box(x, y + 12 * k, width, 18.5 * k), TextRole.NOTE, False, INK)


def multiples(drawing: Drawing) -> None:
    """Thirty small maps in five rows, one legend and one scale for all of them."""
    sheet, k = drawing.sheet, drawing.k
    margin = 10 * k
    top = drawing.band(margin) + 4 * k
    footer = Box(margin, sheet.height - 5.5 * k - 20 * k, sheet.width - 2 * margin, 20 * k)
    panel = 48 * k
    panel_x = sheet.width - margin - panel
    bottom = footer.y - 4 * k
    item = drawing.small_maps(Box(margin, top, panel_x - 5 * k - margin, bottom - top), 6, 5)
    scale = 26 * k
    drawing.heading("legend", Box(panel_x, top, panel, 4.2 * k))
    drawing.legend(Box(panel_x, top + 4.2 * k, panel, bottom - scale - 5 * k - top - 4.2 * k), 1, item)
    drawing.scale(Box(panel_x, bottom - scale, panel, scale), item)
    drawing.footer(footer, (("credits", 0.33), ("terms", 0.26), ("sources", 0.41)))
    drawing.without("inset")


def leaflet(drawing: Drawing) -> None:
    """A sheet folded twice: the map over the three inner panels; outside cover, back, and the flap with the legend."""
    sheet, k = drawing.sheet, drawing.k
    _leaflet_inside(drawing)
    drawing.add_page()
    # the flap lies inside the others when folded, so it is a little narrower
    folds = (sheet.width / 3 - 1.0, sheet.width * 2 / 3 - 0.5)
    margin = 11 * k
    flap = Box(margin, margin, folds[0] - 2 * margin, sheet.height - 2 * margin)
    back = Box(folds[0] + margin, margin, folds[1] - folds[0] - 2 * margin, sheet.height - 2 * margin)
    cover = Box(folds[1] + margin, margin, sheet.width - folds[1] - 2 * margin, sheet.height - 2 * margin)
    item = drawing.layout.itemById("map")
    drawing.heading("legend", Box(flap.x, flap.y, flap.width, 4.2 * k))
    drawing.legend(Box(flap.x, flap.y + 4.2 * k, flap.width, flap.height - 4.2 * k), 1, item)
    # stacked anew by the plugin, without those that are empty
    y = back.y
    for name, height in (("abstract", 58), ("directions", 22), ("opening_hours", 17), ("emergency_numbers", 18)):
        drawing.text(name, Box(back.x, y, back.width, height * k), TextRole.BODY)
        drawing.layout.itemById(name).setFontColor(INK)
        y += (height + 1) * k
    lower = back.bottom - 92 * k
    drawing.shape("back_rule", Box(back.x, lower - 3 * k, back.width, 0.25), HAIR)
    drawing.text("credits", Box(back.x, lower, back.width, 27 * k))
    drawing.text("terms", Box(back.x, lower + 30 * k, back.width, 22 * k))
    drawing.text("sources", Box(back.x, lower + 55 * k, back.width, 31 * k))
    drawing.label("colophon", Box(back.x, back.bottom - LINE * k, back.width, LINE * k), TextRole.NOTE, False, MUTED,
                  valign=Qt.AlignmentFlag.AlignBottom)
    panel = Box(folds[1], 0, sheet.width - folds[1], sheet.height)
    drawing.shape("band", Box(panel.x, 0, panel.width, 112 * k), GREEN)
    drawing.shape("band_accent", Box(panel.x, 112 * k, panel.width, 1.2 * k), OCHRE)
    drawing.label("title", Box(cover.x, 34 * k, cover.width, 44 * k), TextRole.COVER_TITLE, True, QColor("white"),
                  valign=Qt.AlignmentFlag.AlignBottom, text="Title")
    drawing.label("subtitle", Box(cover.x, 81 * k, cover.width, 26 * k), TextRole.SUBTITLE, False, PALE,
                  text="Subtitle")
    drawing.heading("location", Box(cover.x, 124 * k, cover.width, 4.2 * k))
    drawing.inset(Box(cover.x, 129 * k, cover.width, 52 * k), item)
    for number, x in enumerate(folds):
        _fold(drawing, x, f"fold_outside_{number}")


def _leaflet_inside(drawing: Drawing) -> None:
    sheet, k = drawing.sheet, drawing.k
    # seen from the other side the folds lie at the other end
    folds = (sheet.width / 3 + 0.5, sheet.width * 2 / 3 + 1.0)
    margin = 10 * k
    strip = 19 * k
    frame = Box(margin + 1 * k, margin, sheet.width - 2 * margin - 2 * k, sheet.height - 2 * margin - strip - 5 * k)
    item = drawing.map(frame)
    top = frame.bottom + 6.5 * k
    drawing.scale(Box(margin, top, folds[0] - 2 * margin, 16 * k), item, note=False)
    middle = Box(folds[0] + margin, top, folds[1] - folds[0] - 2 * margin, 16 * k)
    drawing.projection(middle)
    drawing.label("foot", Box(folds[1] + margin, top, sheet.width - folds[1] - 2 * margin, 16 * k), TextRole.FOOT, True,
                  INK, align=Qt.AlignmentFlag.AlignRight, text="Title")
    for number, x in enumerate(folds):
        _fold(drawing, x, f"fold_inside_{number}")


def _fold(drawing: Drawing, x: float, name: str) -> None:
    """Ticks at both edges of the sheet where it is folded."""
    length = 3.5 * drawing.k
    drawing.shape(f"{name}_top", Box(x - 0.1, 0, 0.2, length), HAIR)
    drawing.shape(f"{name}_bottom", Box(x - 0.1, drawing.sheet.height - length, 0.2, length), HAIR)


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
