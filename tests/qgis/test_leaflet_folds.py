"""Leaflets that are folded in half and then upright: where each panel lies in the end, on both sides of the sheet."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest
from qgis.core import QgsLayoutItem, QgsLayoutItemLabel, QgsLayoutItemMap
from qgis.PyQt.QtCore import QRectF

from plugin.core.custommap.model import LeafletTexts, MapExtent, Orientation, PageSetup, TableSource
from plugin.gis.layouts import layout_builder, layout_items
from plugin.gis.layouts.completeness_checks import check_complete
from plugin.gis.page_items import print_marks
from plugin.gis.page_items.qr_code_item import QR_CODE
from tests.network.network import REFERENCE
from tests.qgis.print_maps import composed

TEXTS = ("Un parque. " * 30, "Por la A-4.", "De 10 a 14 h.", "112")
#: paper, orientation, and the size of the folded leaflet
CROSS = [("A3", Orientation.PORTRAIT, (100.0, 210.0)), ("A2", Orientation.LANDSCAPE, (148.5, 210.0))]


class Ply(NamedTuple):
    """A panel of the folded sheet: its column and row on the reverse, and which of its sides and ends are up."""

    column: int
    row: int
    reverse_is_up: bool = True
    is_upright: bool = True

    def turned_sideways(self):
        """About an upright line, as the page of a book."""
        return self._replace(reverse_is_up=not self.reverse_is_up)

    def turned_over(self):
        """About a level line: the head of what was up is now at the foot."""
        return self._replace(reverse_is_up=not self.reverse_is_up, is_upright=not self.is_upright)


def half_fold(columns):
    """Stacks of plies by column, the topmost first, of a sheet whose reverse is up and whose upper half goes below."""
    return [[Ply(column, 1), Ply(column, 0).turned_over()] for column in range(columns)]


def zigzag(stacks):
    """The last column stays as it is. Each one before it goes below, turned the other way than its neighbour."""
    folded = []
    for number, stack in enumerate(reversed(stacks)):
        folded += [ply.turned_sideways() for ply in reversed(stack)] if number % 2 else stack
    return folded


def letter(stacks):
    """The first column goes below the second one, then the last one below both."""
    flap, middle, last = stacks
    below = [[ply.turned_sideways() for ply in reversed(stack)] for stack in (flap, last)]
    return [*middle, *below[0], *below[1]]


def made(network, project, paper, orientation, **texts):
    page = PageSetup(paper, orientation, "leaflet", link="https://parque.example/", leaflet=LeafletTexts(*TEXTS, table=(
        TableSource(network.endpoints["facilities"], REFERENCE["layer"]),), **texts))
    return composed(network, project, page=page, language="es").layout


def panels(layout, number):
    """The panels of a page between its folds, by column and row, on the cut paper."""
    margin = print_marks.print_margin(layout)
    page = layout.pageCollection().page(number).rect().adjusted(margin, margin, -margin, -margin)
    xs = [page.left(), *layout_items.vertical_folds(layout, number), page.right()]
    ys = [page.top(), *layout_items.horizontal_folds(layout, number), page.bottom()]
    return {(column, row): QRectF(left, top, right - left, bottom - top)
            for column, (left, right) in enumerate(pairwise(xs)) for row, (top, bottom) in enumerate(pairwise(ys))}


def panel_of(layout, item_id):
    item = layout.itemById(item_id)
    place = item.rect().translated(item.pagePos())
    return next((key for key, area in panels(layout, item.page()).items() if area.contains(place)), None)


@pytest.mark.parametrize(("paper", "orientation", "size"), CROSS)
def test_the_cover_lies_in_front_and_the_credits_behind_both_upright(network, project, paper, orientation, size):
    layout = made(network, project, paper, orientation)
    check_complete(layout)
    reverse = panels(layout, 1)
    columns = 1 + max(column for column, _row in reverse)
    folded = (letter if columns == 3 else zigzag)(half_fold(columns))
    assert len(folded) == len({ply[:2] for ply in folded}) == 2 * columns
    front, back = panel_of(layout, "title"), panel_of(layout, "credits")
    assert front is not None and back is not None
    outside = {(folded[0].column, folded[0].row), (folded[-1].column, folded[-1].row)}
    assert outside == {front, back}
    # the one shows its reverse to whoever looks at the stack, the other one to whoever looks from behind
    assert folded[0].reverse_is_up and not folded[-1].reverse_is_up
    assert folded[0].is_upright and folded[-1].is_upright
    # the map's side lies on itself, so that no map is outside
    assert {row for _column, row in outside} == {1}
    widths = [area.width() for (_column, row), area in reverse.items() if row == 1]
    assert max(widths) == pytest.approx(size[0]) and {area.height() for area in reverse.values()} == {size[1]}
    if columns == 3:
        assert size[0] <= 108 and size[1] <= 218, "it goes into an envelope for DL, of 110 by 220 mm"
        assert widths[0] + 2 <= min(widths[1:]), "the flap lies within the others"
    else:
        assert len(set(widths)) == 1


@pytest.mark.parametrize(("paper", "orientation", "size"), CROSS)
def test_both_sides_are_folded_at_the_same_places(network, project, paper, orientation, size):
    layout = made(network, project, paper, orientation, bleed=True)
    width = layout.pageCollection().page(0).rect().width()
    inside, outside = (layout_items.vertical_folds(layout, number) for number in (0, 1))
    assert inside == pytest.approx(sorted(width - x for x in outside))
    assert layout_items.horizontal_folds(layout, 0) == layout_items.horizontal_folds(layout, 1)
    bleed = layout.itemById("map").rect()
    page = layout.pageCollection().page(0).rect()
    for item in layout_items.fold_ticks(layout, 0):
        assert not item.rect().translated(item.pagePos()).intersects(bleed.translated(7, 7)), "beyond what is cut"
        assert page.contains(item.rect().translated(item.pagePos()))


@pytest.mark.parametrize("bleed", [False, True])
@pytest.mark.parametrize(("paper", "orientation", "size"), CROSS)
def test_the_map_goes_to_the_edges_and_nothing_that_is_read_lies_on_a_fold_or_there(network, project, paper,
                                                                                  orientation, size, bleed):
    layout = made(network, project, paper, orientation, bleed=bleed)
    map_item = layout.itemById("map")
    page = layout.pageCollection().page(0).rect()
    beyond = print_marks.print_margin(layout) and print_marks.print_margin(layout) - 3.0
    assert map_item.rect().translated(map_item.pagePos()) == page.adjusted(beyond, beyond, -beyond, -beyond)
    margin = print_marks.print_margin(layout) + 4
    read = [item for kind in (QgsLayoutItemLabel, QgsLayoutItem) for item in layout_items.items_of_type(layout, kind)
            if kind is QgsLayoutItemLabel or item.id() in ("legend", "scalebar", QR_CODE)]
    for item in read:
        place = item.rect().translated(item.pagePos())
        if isinstance(item, QgsLayoutItemLabel) and not item.currentText().strip():
            continue
        number = max(0, item.page())
        paper_area = layout.pageCollection().page(number).rect().adjusted(margin, margin, -margin, -margin)
        assert paper_area.contains(place), item.id()
        if item.id() != QR_CODE and not item.id().startswith("table-number"):
            assert any(area.contains(place) for area in panels(layout, number).values()), item.id()
    assert layout_items.find_item(layout, "inset", QgsLayoutItemMap) is not None


def test_the_frame_on_the_canvas_is_the_map_that_is_printed(network, project):
    from plugin.gis.layouts.page_measurement import PageMeasurement

    for bleed in (False, True):
        made_map = composed(network, project, language="es", extent=MapExtent(-3.5966, 38.3295, -3.4233, 38.4306),
                            page=PageSetup("A2", Orientation.LANDSCAPE, "leaflet", leaflet=LeafletTexts(bleed=bleed)))
        item = layout_items.main_map(made_map.layout)
        extent, scale, _turn = PageMeasurement(project).placed(made_map.plan)
        assert scale == pytest.approx(item.scale(), rel=1e-3)
        assert extent.width() == pytest.approx(item.extent().width()) and extent.height() == pytest.approx(
            item.extent().height())
        assert not [note for note in layout_builder.layout_notes(made_map.layout) if "room" in note]
