"""Images in several tiles: as many as the limits require, with the same result at their seams as one large image."""

from __future__ import annotations

import numpy
import pytest
from network import Network
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.wms.requests import tile_overlap
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from tests.pairwise import some
from tests.qgis.print_maps import composed, pixels

#: a field sheet, because its map has names at the seams of its pieces
LABELLED = {"guide": ("toponimia",), "facilities": ("miradores",),
            "page": PageSetup("A4", Orientation.LANDSCAPE, "field")}


@pytest.fixture
def narrow(request):
    """A network whose services give pictures of so many pixels at the most."""
    with Network(max_size=request.param) as network:
        yield network


def drawn(made, path, dpi):
    """The pixels of the exported map: rows, columns, colours."""
    layout_export.export_png(made.layout, path, dpi)
    item = made.layout.itemById(layout_items.MAP)
    box = item.mapRectToScene(item.rect())
    cut = [int(side / 25.4 * dpi) for side in (box.x(), box.y(), box.width(), box.height())]
    return pixels(QImage(str(path)).copy(*cut))[:, :, :3].astype(numpy.int16)


def sizes(network):
    return [(int(seen["parameters"]["WIDTH"]), int(seen["parameters"]["HEIGHT"])) for seen in network.requests
            if seen["request"] == "GetMap"]


def unlike(pixels, whole):
    """The share of the pixels that are of another colour. QGIS rounds the place of pieces to a row or column."""
    shifted = [numpy.roll(whole, (rows, columns), axis=(0, 1)) for rows in (-1, 0, 1) for columns in (-1, 0, 1)]
    least = numpy.min([numpy.abs(pixels - other).max(axis=2) for other in shifted], axis=0)
    return (least > 60).mean()


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [1024], indirect=True)
def test_labels_at_the_seams_are_those_of_one_big_picture(network, narrow, project, tmp_path, monkeypatch):
    made = composed(network, project, **LABELLED)
    whole = drawn(made, tmp_path / "whole.png", 160)
    rect = made.layout.itemById(layout_items.MAP).rect()
    assert sizes(network) == [pytest.approx((rect.width() / 25.4 * 160, rect.height() / 25.4 * 160), abs=2)] * 2
    project.clear()
    made = composed(narrow, project, **LABELLED)
    with_margins = drawn(made, tmp_path / "margins.png", 160)
    assert len(sizes(narrow)) >= 4 and max(max(size) for size in sizes(narrow)) <= 1024
    monkeypatch.setattr(tile_overlap, "tile_margin", lambda _limit: 0)
    without = drawn(made, tmp_path / "without.png", 160)
    different = [unlike(pixels, whole) for pixels in (with_margins, without)]
    print(f"pixels that differ from one big picture: {different[0]:.4%} with margins, {different[1]:.4%} without")
    assert different[0] < different[1] / 2 and different[0] < 0.001


@pytest.mark.parametrize("narrow", some([2048, 1024], 2), indirect=True)
def test_a_picture_within_the_limits_is_one_image_however_qgis_cuts_it(narrow, project, tmp_path):
    made = composed(narrow, project, **LABELLED)
    # QGIS is told of smaller pieces, which leave room for margins
    dpi = {2048: 160, 1024: 80}[narrow.max_size]
    layout_export.export_png(made.layout, tmp_path / "map.png", dpi)
    item = made.layout.itemById(layout_items.MAP)
    wanted = (item.rect().width() / 25.4 * dpi, item.rect().height() / 25.4 * dpi)
    assert [size == pytest.approx(wanted, abs=4) for size in sizes(narrow)] == [True, True]
