"""Seams between the pieces of an image: they cover it once, and cut no name that one of two images has elsewhere."""

import random

import numpy
import pytest

from plugin.core.wms.requests.seams import are_equal_at_sides, edge_sums, joined_pieces
from plugin.core.wms.requests.tile_overlap import image_pieces

SIZE, LIMIT = (2600, 1900), 1200


def names(count, seed):
    """Left, top, width and height of names, which do not touch one another."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        one = (chance.randrange(SIZE[0] - 360), chance.randrange(SIZE[1] - 20), chance.randrange(230, 360), 20)
        if all(one[0] > x + wide + 70 or x > one[0] + one[2] + 70 or one[1] > y + 160 or y > one[1] + 160
               for x, y, wide, _high in found):
            found.append(one)
    return found


def drawn(piece, shown):
    """The image of a piece as a server draws it, which leaves out names that it would cut."""
    width, height = piece.requested
    image = numpy.zeros((height, width), numpy.uint32)
    for x, y, wide, high in shown:
        left, top = x - piece.left + piece.margin_left, y - piece.top + piece.margin_top
        if left >= 0 and top >= 0 and left + wide <= width and top + high <= height:
            for letter in range(left, left + wide, 14):
                image[top:top + high, letter:min(letter + 9, left + wide)] = 0xFF203040
    return image


@pytest.mark.parametrize("seed", range(6))
def test_each_name_that_an_image_has_is_whole_and_every_pixel_comes_from_one_image(seed):
    shown, pieces = names(36, seed), image_pieces(SIZE, (LIMIT, LIMIT))
    images = [drawn(piece, shown) for piece in pieces]
    former = numpy.zeros(SIZE[::-1], numpy.uint32)
    page, count = former.copy(), numpy.zeros(SIZE[::-1], int)
    for piece, image, joined in zip(pieces, images, joined_pieces(pieces, images.__getitem__)):
        for place, target in ((piece, former), (joined.piece, page)):
            part = image[place.margin_top:place.margin_top + place.height,
                         place.margin_left:place.margin_left + place.width]
            assert part.shape == (place.height, place.width)
            is_drawn = numpy.ones(part.shape, bool)
            for x, y, wide, high in joined.beyond if place is joined.piece else ():
                is_drawn[y:y + high, x:x + wide] = False
            window = slice(place.top, place.top + place.height), slice(place.left, place.left + place.width)
            target[window][is_drawn] = part[is_drawn]
            if target is page:
                count[window] += is_drawn
    assert (count == 1).all()
    whole = numpy.array([int((drawn(image_pieces(SIZE, (0, 0))[0], [one]) != 0).sum()) for one in shown])
    seen = [numpy.array([int((target[y:y + high, x:x + wide] != 0).sum()) for x, y, wide, high in shown])
            for target in (former, page)]
    assert ((seen[0] > 0) & (seen[0] < whole)).any(), "straight sides cut names"
    assert not ((seen[1] > 0) & (seen[1] < whole)).any()
    assert (seen[1] == whole).mean() > 0.95, "hardly any is lost"


def test_what_is_alike_keeps_its_sides():
    pieces = image_pieces(SIZE, (LIMIT, LIMIT))
    whole = numpy.arange(SIZE[0] * SIZE[1], dtype=numpy.uint32).reshape(SIZE[::-1]) // 7
    images = [whole[one.top - one.margin_top:, one.left - one.margin_left:][:one.requested[1], :one.requested[0]]
              for one in pieces]
    sums = [edge_sums(image, piece) for piece, image in zip(pieces, images)]
    assert are_equal_at_sides(pieces, sums)
    assert [(one.piece, one.beyond) for one in joined_pieces(pieces, images.__getitem__)] == [
        (piece, ()) for piece in pieces]
    images[0] = images[0].copy()
    images[0][:, pieces[0].width - 3] ^= 0xFF
    assert not are_equal_at_sides(pieces, [edge_sums(images[0], pieces[0]), *sums[1:]])


def test_large_letters_have_larger_margins_without_more_images():
    plain, large = (image_pieces((8617, 5719), (4096, 4096), factor) for factor in (1.0, 2.0))
    assert len(plain) == len(large) and max(max(piece.requested) for piece in large) <= 4096
    assert max(piece.margin_left for piece in plain) == 256 and max(piece.margin_left for piece in large) == 512
    assert image_pieces((7000, 900), (4096, 4096), 2.8)[1].margin_left == (4096 - 3500) // 2, "as there is room"
