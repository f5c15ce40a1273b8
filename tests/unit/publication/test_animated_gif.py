"""Animated GIF: read by Pillow and ImageMagick, exact where a frame has few colours, near where it has many."""

from __future__ import annotations

import io
import subprocess

import numpy
import pytest
from PIL import Image

from plugin.core.publication.animated_gif import MAX_COLOURS, GifWriter, choose_palette, compress, nearest_colours
from plugin.core.publication.image_metadata import gif_with_metadata
from plugin.core.publication.map_statement import MapSource, MapStatement
from plugin.core.terms.model import Decision
from tests.written_files import metadata, rights

CREDIT = "Consejería de Medio Ambiente, © 2016"
STATEMENT = MapStatement(
    title="Lluvia de junio", language="es", made="2026-06-03T10:00:00Z", software="Cartoguide", credits=(CREDIT,),
    sources=(MapSource("Lluvia", ("dia",), "id", "https://a.invalid/wms", CREDIT, Decision.YES),))


def animation(frames, seconds=1.0):
    stream = io.BytesIO()
    writer = GifWriter(stream, frames[0].shape[1], frames[0].shape[0])
    for frame in frames:
        writer.add_frame(frame, seconds)
    writer.finish()
    return stream.getvalue()


def shown(data):
    """The frames as Pillow shows them, and their times in milliseconds."""
    image = Image.open(io.BytesIO(data))
    found, times = [], []
    for number in range(image.n_frames):
        image.seek(number)
        found.append(numpy.asarray(image.convert("RGB")))
        times.append(image.info["duration"])
    return found, times


def noise(shape, colours=256, seed=1):
    return numpy.random.default_rng(seed).integers(0, colours, (*shape, 3), numpy.uint8)


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 400), (37, 53), (300, 400)])
def test_frames_with_few_colours_are_exact(shape):
    first = noise(shape, 6) * 40
    second = first.copy()
    second[shape[0] // 3:, shape[1] // 4:] = (9, 8, 7)
    frames, times = shown(animation([first, second, second, first], 0.5))
    assert [frame.tolist() for frame in frames] == [frame.tolist() for frame in (first, second, second, first)]
    assert times == [500] * 4


def test_what_does_not_change_keeps_its_colours_and_takes_no_room():
    background = numpy.clip(numpy.indices((240, 320)).sum(axis=0)[:, :, None] % 256 + noise((240, 320), 30), 0, 255)
    first = background.astype(numpy.uint8)
    second = first.copy()
    second[100:120, 50:90] = noise((20, 40), seed=2)
    one, two = len(animation([first])), len(animation([first, second]))
    assert two - one < 4000 < one / 10
    frames, _times = shown(animation([first, second]))
    changed = (frames[0] != frames[1]).any(axis=2)
    assert changed[100:120, 50:90].any() and not changed[:100].any() and not changed[:, :50].any()
    assert len(animation([first, first])) - one < 900, "a palette and one pixel"


def test_colours_of_many_are_near_and_those_of_large_areas_exact():
    frame = noise((200, 300))
    frame[:60], frame[60:90, :150] = (36, 81, 59), (255, 255, 254)
    found = shown(animation([frame]))[0][0].astype(int)
    difference = abs(found - frame)
    assert difference[:60].max() == 0 == difference[60:90, :150].max()
    assert difference.mean() < 16, "noise of all colours is the worst that there is"


def test_a_palette_has_no_more_colours_than_a_frame_may_have():
    values = numpy.arange(0, 2**24, 4001)
    palette = choose_palette(values, numpy.ones(values.size, int))
    assert palette.shape == (MAX_COLOURS, 3) and palette.dtype == numpy.uint8
    few = choose_palette(numpy.array([0x010203, 0xfffefd]), numpy.array([1, 1]))
    assert few.tolist() == [[1, 2, 3], [255, 254, 253]]
    assert nearest_colours(numpy.array([0x020202, 0xf0f0f0]), few).tolist() == [0, 1]


def test_codes_grow_to_twelve_bits_and_begin_anew():
    indexes = noise((1, 60_000))[0, :, 0].tobytes()
    image = noise((200, 300), MAX_COLOURS)[:, :, :1].repeat(3, axis=2)
    assert shown(animation([image]))[0][0].tolist() == image.tolist()
    assert len(compress(indexes)) > 60_000, "noise cannot be compressed"
    assert len(compress(bytes(60_000))) < 600


def test_times_are_at_least_what_viewers_obey():
    assert shown(animation([noise((2, 2))] * 2, 0.001))[1] == [20, 20]
    assert shown(animation([noise((2, 2))] * 2, 1e9))[1] == [655_350] * 2


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (70_000, 5)])
def test_sizes_that_a_gif_cannot_have_are_refused(size):
    with pytest.raises(ValueError, match="no frame"):
        GifWriter(io.BytesIO(), *size)
    with pytest.raises(ValueError, match="shape"):
        GifWriter(io.BytesIO(), 4, 4).add_frame(noise((4, 5)), 1.0)


def test_imagemagick_reads_as_many_frames(tmp_path):
    path = tmp_path / "a.gif"
    path.write_bytes(gif_with_metadata(animation([noise((20, 30), seed=number) for number in range(5)]), STATEMENT))
    listed = subprocess.run(["identify", str(path)], capture_output=True, check=True).stdout.decode()
    assert len(listed.splitlines()) == 5 and "30x20" in listed


def test_rights_are_in_the_file_and_leave_its_frames_alone(tmp_path):
    plain = animation([noise((20, 30), 5), noise((20, 30), 5, 2)])
    data = gif_with_metadata(plain, STATEMENT)
    assert [frame.tolist() for frame in shown(data)[0]] == [frame.tolist() for frame in shown(plain)[0]]
    image = Image.open(io.BytesIO(data))
    assert image.info["comment"].decode() == f"Lluvia de junio\n{CREDIT}" and image.info["loop"] == 0
    path = tmp_path / "junio.gif"
    path.write_bytes(data)
    assert rights(path) == [CREDIT] and metadata(path)["XMP-dc:Source"] == "https://a.invalid/wms"


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"GIF87a" + bytes(20), b"\x89PNG\r\n\x1a\n" + bytes(20)])
def test_other_data_is_refused(data):
    with pytest.raises(ValueError, match="GIF"):
        gif_with_metadata(data, STATEMENT)
