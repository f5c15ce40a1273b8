"""Order of classes and the highest class of a series, on fields that are made here and so are known."""

from __future__ import annotations

import math

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.pages.series_summary import (
    SeriesClass,
    SummaryDefect,
    SummaryError,
    ascending_order,
    class_bounds,
    classes_seen,
    series_maximum,
)
from tests.examples import examples

COLOURS = ((231, 243, 235), (173, 220, 212), (101, 173, 213), (83, 110, 173), (138, 82, 159))
LABELS = ("0,1 – 1 mm", "1 – 5 mm", "5 – 10 mm", "10 – 20 mm", "> 20 mm")
HEIGHT, WIDTH = 12, 16
#: class of each pixel, -1 where nothing is drawn
FIELDS = st.lists(st.lists(st.integers(-1, len(COLOURS) - 1), min_size=HEIGHT * WIDTH, max_size=HEIGHT * WIDTH).map(
    lambda values: numpy.array(values).reshape(HEIGHT, WIDTH)), min_size=1, max_size=5)


def picture(field, colours=COLOURS, alpha=255):
    """The image that a service draws of a field of classes, which may be between two of them."""
    image = numpy.zeros((*field.shape, 4), dtype=numpy.uint8)
    for x in range(field.shape[1]):
        for y in range(field.shape[0]):
            if field[y, x] >= 0:
                low, part = int(field[y, x]), field[y, x] % 1
                high = min(low + 1, len(colours) - 1)
                image[y, x, :3] = [round(one + (other - one) * part) for one, other in zip(colours[low], colours[high])]
                image[y, x, 3] = alpha
    return image


def legend(colours=COLOURS, labels=LABELS):
    return [SeriesClass(colour, label) for colour, label in zip(colours, labels)]


def on_white(colour, alpha):
    return tuple(round(part * alpha / 255 + 255 - alpha) for part in colour)


def hill(top, centre, descending=False):
    """A field that falls by one class every two pixels from its centre."""
    y, x = numpy.mgrid[0:40, 0:60]
    field = numpy.floor(top + 1 - numpy.hypot(y - centre[0], x - centre[1]) / 3).clip(-1, len(COLOURS) - 1)
    return numpy.where(field >= 0, len(COLOURS) - 1 - field, -1) if descending else field


@pytest.mark.parametrize(("label", "bounds"), [
    ("10 – 20 mm", (10, 20)), ("0,1 – 1 mm", (0.1, 1)), ("0.5-1", (0.5, 1)), ("-5 a 0 °C", (-5, 0)),
    ("−10 … −5", (-10, -5)), ("< 5 mm", (-math.inf, 5)), ("> 60 mm", (60, math.inf)), ("≥ 100", (100, math.inf)),
    ("más de 60 mm", (60, math.inf)), ("Less than 3", (-math.inf, 3)), ("25", (25, 25)), ("Bosque", None), ("", None),
    ("20 - 10", None)])
def test_the_values_of_a_class_are_those_of_its_label(label, bounds):
    assert class_bounds(label) == bounds


def test_classes_are_ordered_by_their_values_and_those_without_are_left_out():
    assert ascending_order(["> 20", "10 - 20", "Sin datos", "< 10"]) == [3, 1, 0]
    assert ascending_order(["0", "5", "10"]) == [0, 1, 2]
    assert ascending_order(["Bosque", "Agua"]) is None and ascending_order([]) is None
    assert ascending_order(["0 - 10", "5 - 20"]) is None, "what overlaps has no order"
    assert ascending_order(["0 - 10", "0 - 10"]) is None


@settings(max_examples=examples(60), deadline=None)
@given(FIELDS, st.sampled_from([255, 217, 140]), st.booleans())
def test_each_pixel_has_the_highest_class_of_all_moments(fields, alpha, is_legend_on_white):
    if not any((field >= 0).any() for field in fields):
        return
    shown = [on_white(colour, alpha) for colour in COLOURS] if is_legend_on_white else COLOURS
    pictures = [picture(field, COLOURS, alpha) for field in fields]
    result = series_maximum(pictures, legend(shown))
    expected = numpy.max(fields, axis=0)
    assert (numpy.where(result.highest == -2, -1, result.highest) == expected).all()
    assert (result.image == picture(expected, COLOURS, alpha)).all(), "the service's own pixels"
    area = (expected >= 0).sum()
    for field, shares in zip(fields, result.shares):
        assert shares == pytest.approx([(field == place).sum() / area for place in range(len(COLOURS))])


@settings(max_examples=examples(30), deadline=None)
@given(FIELDS, st.permutations(range(len(COLOURS))))
def test_neither_the_order_of_the_legend_nor_that_of_the_moments_changes_the_maximum(fields, order):
    if not any((field >= 0).any() for field in fields):
        return
    pictures = [picture(field) for field in fields]
    shuffled = legend([COLOURS[number] for number in order], [LABELS[number] for number in order])
    one, other = series_maximum(pictures, legend()), series_maximum(pictures[::-1], shuffled)
    assert (one.image == other.image).all() and (one.highest == other.highest).all()
    assert [order[number] for number in other.classes] == list(one.classes)
    assert one.shares == other.shares[::-1]


@pytest.mark.parametrize("descending", [False, True])
def test_without_values_the_order_is_that_which_the_images_show(descending):
    colours = COLOURS[::-1] if descending else COLOURS
    fields = [hill(4, (15, 20)), hill(2, (25, 40)), hill(3, (10, 50))]
    result = series_maximum([picture(field) for field in fields], legend(colours, [""] * 5))
    assert (numpy.where(result.highest == -2, -1, result.highest) == numpy.max(fields, axis=0)).all()
    assert result.classes == ((4, 3, 2, 1, 0) if descending else (0, 1, 2, 3, 4))


def test_without_values_and_without_an_order_in_the_images_there_is_no_maximum():
    noise = numpy.random.default_rng(7).integers(-1, 5, (3, 40, 60))
    with pytest.raises(SummaryError) as refused:
        series_maximum([picture(field) for field in noise], legend(labels=[""] * 5))
    assert refused.value.defect is SummaryDefect.NO_ORDER
    full = [numpy.full((40, 60), 2), numpy.full((40, 60), 3)]
    with pytest.raises(SummaryError):
        series_maximum([picture(field) for field in full], legend(labels=[""] * 5))


def test_colours_between_two_classes_are_those_of_a_ramp():
    y, x = numpy.mgrid[0:20, 0:41]
    rising = x / 10.0
    falling = (40 - x) / 10.0
    result = series_maximum([picture(rising), picture(falling)], legend())
    expected = picture(numpy.maximum(rising, falling))
    assert abs(result.image.astype(int) - expected.astype(int)).max() <= 2
    assert [sum(shares) for shares in result.shares] == pytest.approx([1.0, 1.0])


def test_colours_that_the_legend_does_not_have_are_refused():
    strange = picture(numpy.full((20, 20), 0), ((20, 200, 20),) * 5)
    with pytest.raises(SummaryError) as refused:
        series_maximum([strange, picture(numpy.full((20, 20), 1))], legend())
    assert refused.value.defect is SummaryDefect.OTHER_COLOURS


def test_a_class_without_a_value_says_nothing_of_its_place():
    fields = [numpy.full((10, 10), 5), numpy.full((10, 10), 1), numpy.full((10, 10), 5)]
    fields[1][:5] = 5
    colours = (*COLOURS, (120, 120, 120))
    result = series_maximum([picture(field, colours) for field in fields], legend(colours, (*LABELS, "Sin datos")))
    assert (result.highest[5:] == 1).all() and (result.highest[:5] == -1).all()
    assert (result.image[:5] == (120, 120, 120, 255)).all(), "it is shown as the service shows it"
    assert result.shares[0] == (0.0,) * 5


@pytest.mark.parametrize(("pictures", "classes", "defect"), [
    ([], legend(), SummaryDefect.UNEQUAL_IMAGES),
    ([numpy.zeros((4, width, 4), numpy.uint8) for width in (4, 5)], legend(), SummaryDefect.UNEQUAL_IMAGES),
    ([numpy.zeros((4, 4, 4), numpy.uint8)], legend(), SummaryDefect.NOTHING_DRAWN),
    ([picture(numpy.zeros((4, 4)))], legend()[:1], SummaryDefect.NO_ORDER),
    ([picture(numpy.zeros((4, 4)))], [legend()[0], legend()[0]], SummaryDefect.NO_ORDER)])
def test_what_has_no_maximum_says_why(pictures, classes, defect):
    with pytest.raises(SummaryError) as refused:
        series_maximum(pictures, classes)
    assert refused.value.defect is defect


def test_the_classes_of_an_image_are_those_whose_colours_it_has():
    counts = {(*COLOURS[1], 255): 60, (*COLOURS[3], 255): 40, (0, 0, 0, 0): 500}
    assert classes_seen(counts, COLOURS) == [1, 3]
    assert classes_seen({**counts, (120, 30, 30, 255): 5}, COLOURS) == [1, 3], "letters and edges"
    assert classes_seen({**counts, (120, 30, 30, 255): 50}, COLOURS) is None, "half of it is something else"
    pale = {tuple(round(part / 2 + 127.5) for part in COLOURS[4]) + (255, ): 10}
    assert classes_seen(pale, [tuple(round(part / 2 + 127.5) for part in colour) for colour in COLOURS]) == [4]
    assert classes_seen({(*COLOURS[4], 128): 10}, COLOURS) == [4], "translucent in the image, and not in the legend"
    for nothing in ({}, {(0, 0, 0, 0): 10}):
        assert classes_seen(nothing, COLOURS) is None
