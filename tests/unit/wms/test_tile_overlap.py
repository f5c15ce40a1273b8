"""Pieces of an image: one within the limits, otherwise several that are requested with a margin and cover it once."""

import pytest

from plugin.core.wms.requests.tile_overlap import ImagePiece, image_pieces, tile_margin, tile_step


def test_an_image_within_the_limits_is_one_piece():
    whole = [ImagePiece(0, 0, 1500, 1100, 0, 0, (1500, 1100))]
    for limits in ((2048, 2048), (0, 0), (1500, 0)):
        assert image_pieces((1500, 1100), limits) == whole


def test_else_each_has_a_margin_towards_its_neighbours_and_none_outwards():
    assert tile_margin(2048) == 256 and tile_step(2048) == 1536 and tile_margin(600) == 100
    assert image_pieces((3000, 400), (2048, 2048)) == [
        ImagePiece(0, 0, 1500, 400, 0, 0, (1756, 400)), ImagePiece(1500, 0, 1500, 400, 256, 0, (1756, 400))]


@pytest.mark.parametrize("size", [(4724, 3272), (9933, 14043), (601, 599), (601, 1)])
@pytest.mark.parametrize("limits", [(600, 600), (1024, 2000), (4608, 4608), (97, 0)])
def test_pieces_cover_the_image_once_and_keep_the_limits(size, limits):
    pieces = image_pieces(size, limits)
    assert sum(piece.width * piece.height for piece in pieces) == size[0] * size[1]
    for piece in pieces:
        for start, length, margin, requested, side, limit in (
                (piece.left, piece.width, piece.margin_left, piece.requested[0], size[0], limits[0]),
                (piece.top, piece.height, piece.margin_top, piece.requested[1], size[1], limits[1])):
            assert 1 <= length <= requested <= (limit or side)
            assert start >= margin and start - margin + requested <= side and margin + length <= requested
            inner = (start > 0) + (start + length < side)
            assert requested - length <= inner * tile_margin(limit) and bool(requested - length) == bool(inner)
    assert len({(piece.left, piece.top) for piece in pieces}) == len(pieces)
