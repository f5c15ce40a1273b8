"""Images in several tiles: as many as the limits require, with the same result at their seams as one large image."""

from __future__ import annotations

import itertools
from random import Random
from urllib.request import urlopen

import numpy
import pytest
from network import Network
from qgis.PyQt.QtCore import QBuffer, QByteArray, QIODevice, QRect
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.wms.requests import tile_overlap
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.pixels.fetch import fetch_pixels
from plugin.gis.pixels.plan import plan_page
from plugin.gis.pixels.raster import drawn_locally, is_plain_beyond
from plugin.gis.pixels.request import PixelRequest
from plugin.gis.runtime import tasks
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


def test_no_name_is_cut_where_two_images_of_a_service_meet(network, project, tmp_path):
    with Network(max_size=1024) as narrow:
        made = composed(narrow, project, overlays=(), **{**LABELLED, "guide": ("toponimia",)})
        request, = (one for one in plan_page(made.layout, 180, True) if isinstance(one, PixelRequest))
        came = tasks.run_and_wait(lambda feedback: fetch_pixels([request], feedback, tmp_path), 60)
        with drawn_locally([made.layout], [request], came) as drawing:
            page = pixels(drawing.paint(request.layer, request.settings)).astype(numpy.int16)
        files = {piece.piece: tmp_path / f"{number}.png" for number, piece in enumerate(request.pieces)}
        for piece in request.pieces:
            with urlopen(piece.url, timeout=60) as answer:
                files[piece.piece].write_bytes(answer.read())
    images = {piece: pixels(QImage(str(file)).convertToFormat(
        QImage.Format.Format_ARGB32_Premultiplied)).astype(numpy.int16) for piece, file in files.items()}
    crossed = cut = rows = 0
    for piece, image in images.items():
        right = next((other for other in images if other.top == piece.top and other.left == piece.left + piece.width),
                     None)
        if right is None:
            continue
        begin, end = right.left - right.margin_left, piece.left + piece.width + right.margin_left
        # the corners belong to four images
        inner = slice(piece.margin_top + right.margin_left * (piece.top > 0), piece.margin_top + piece.height - (
            right.margin_left if piece.requested[1] > piece.margin_top + piece.height else 0))
        first, second = image[inner, begin - piece.left + piece.margin_left:], images[right][inner, :end - begin]
        x, y = request.viewport.left + begin, request.viewport.top + piece.top - piece.margin_top + inner.start
        shown = page[y:y + len(first), x:x + end - begin]
        for one, other, row in zip(first, second, shown):
            equal = (abs(one - other).max(axis=1) < 3)
            # from the left image up to a place on which both are equal, and from the right one beyond it
            until = numpy.minimum.accumulate(abs(row - one).max(axis=1) < 3)
            beyond = numpy.minimum.accumulate((abs(row - other).max(axis=1) < 3)[::-1])[::-1]
            rows += 1
            crossed += not equal[right.margin_left - 3:right.margin_left + 3].all()
            cut += not any(until[place - 1] and beyond[place] and equal[place - 2:place + 2].all()
                           for place in range(2, len(row) - 1))
    assert rows > 800 and crossed > 10, "names of one of the images lie where the images met"
    assert cut == 0


@pytest.mark.parametrize("quality", [30, 75, 95])
def test_a_symbol_just_beyond_the_stated_extent_is_data_and_the_noise_of_an_edge_is_none(quality):
    """An image whose white beyond its extent is data would be cut there without a word."""
    def plain(symbol: bool) -> bool:
        image = QImage(300, 200, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter, random = QPainter(image), Random(1)
        for x, y in itertools.product(range(0, 200, 5), range(0, 200, 5)):
            painter.fillRect(x, y, 5, 5, QColor(*(random.randrange(60, 230) for _ in range(3))))
        if symbol:
            painter.fillRect(207, 50, 6, 6, QColor("#c03020"))
        painter.end()
        written, stored = QByteArray(), QImage()
        buffer = QBuffer(written)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        assert image.save(buffer, "JPG", quality) and stored.loadFromData(written)
        return is_plain_beyond(stored.convertToFormat(QImage.Format.Format_RGB32), QRect(0, 0, 200, 200))

    assert plain(symbol=False) and not plain(symbol=True)
