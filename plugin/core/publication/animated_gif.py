"""Animated GIF (GIF89a): frames, each with a palette for itself, written one after the other.

Neither Qt nor GDAL writes animations, so the format is written here. Each frame holds only the pixels that differ from
the frame before it, within their bounding box. The others stay as they are, in the colours that they have already, so
that nothing flickers although each frame has a palette that suits its own pixels.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, BinaryIO, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    import numpy

    Pixels = numpy.ndarray[Any, Any]

SIGNATURE = b"GIF89a"
#: last byte of every GIF
TRAILER = b";"
#: colours of a frame, besides the transparent one
MAX_COLOURS = 255
_TRANSPARENT = 255
#: widest and highest frame
MAX_SIZE = 65_535
_MAX_CODE = 4095
_APPLICATION, _GRAPHIC_CONTROL, _IMAGE = b"\x21\xff", b"\x21\xf9", b"\x2c"


class GifWriter:
    """Writes frames of one size to a stream, shown one after the other in an endless loop."""

    def __init__(self, stream: BinaryIO, width: int, height: int) -> None:
        if not (0 < width <= MAX_SIZE and 0 < height <= MAX_SIZE):
            raise ValueError(f"a GIF has no frame of {width} by {height} pixels")
        self._stream, self._size = stream, (width, height)
        self._shown: Optional[Pixels] = None
        stream.write(SIGNATURE + struct.pack("<HHBBB", width, height, 0x70, 0, 0))
        stream.write(_APPLICATION + b"\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", 0) + b"\x00")

    def add_frame(self, pixels: Pixels, seconds: float) -> None:
        """Add a frame of height × width × RGB that is shown for ``seconds``. Raises ValueError for another size."""
        import numpy

        width, height = self._size
        if pixels.shape != (height, width, 3):
            raise ValueError(f"the frame has the shape {pixels.shape}")
        colours = (pixels[:, :, 0].astype(numpy.uint32) << 16 | pixels[:, :, 1].astype(numpy.uint32) << 8
                   | pixels[:, :, 2])
        changed = numpy.ones_like(colours, bool) if self._shown is None else colours != self._shown
        self._shown = colours
        rows, columns = numpy.flatnonzero(changed.any(axis=1)), numpy.flatnonzero(changed.any(axis=0))
        # a frame like the one before it is a single pixel that changes nothing
        top, bottom = (rows[0], rows[-1] + 1) if rows.size else (0, 1)
        left, right = (columns[0], columns[-1] + 1) if columns.size else (0, 1)
        part, is_new = colours[top:bottom, left:right], changed[top:bottom, left:right]
        indexes = numpy.full(part.shape, _TRANSPARENT, numpy.uint8)
        palette = b""
        if rows.size:
            values, inverse, counts = numpy.unique(part[is_new], return_inverse=True, return_counts=True)
            chosen = choose_palette(values, counts)
            indexes[is_new] = nearest_colours(values, chosen)[inverse.reshape(-1)]
            palette = chosen.tobytes()
        delay = max(2, min(MAX_SIZE, round(seconds * 100)))
        self._stream.write(_GRAPHIC_CONTROL + struct.pack("<BBHBB", 4, 0x05, delay, _TRANSPARENT, 0))
        self._stream.write(_IMAGE + struct.pack("<HHHHB", left, top, right - left, bottom - top, 0x87))
        self._stream.write(palette.ljust(3 * 256, b"\x00"))
        self._stream.write(b"\x08" + sub_blocks(compress(indexes.tobytes())))

    def finish(self) -> None:
        """Write the end of the file."""
        self._stream.write(TRAILER)


def choose_palette(values: Pixels, counts: Pixels, size: int = MAX_COLOURS) -> Pixels:
    """Return at most ``size`` colours (count × RGB) for ``values`` (24 bits each), which occur ``counts`` times.

    They are exact if there are no more. Else those that fill most of the picture are exact, as a legend's are, and the
    others are the means of groups that are divided where they differ most.
    """
    import numpy

    if values.size <= size:
        return numpy.asarray(_split(values), numpy.uint8)
    order = numpy.argsort(counts, kind="stable")[::-1]
    frequent = [number for number in order[:size // 2] if counts[number] * 2 * size >= counts.sum()]
    rest = numpy.setdiff1d(order, frequent)
    colours, weights = _split(values[rest]).astype(numpy.float64), counts[rest].astype(numpy.float64)
    groups = [numpy.arange(rest.size)]
    spreads = [_spread(colours, weights)]
    while len(groups) < size - len(frequent):
        widest = max(range(len(groups)), key=lambda number: spreads[number][0])
        deviation, channel, middle = spreads[widest]
        if deviation <= 0:
            break
        members = groups[widest]
        is_low = colours[members, channel] <= middle
        for place, half in ((widest, members[is_low]), (len(groups), members[~is_low])):
            groups[place:place + 1] = [half]
            spreads[place:place + 1] = [_spread(colours[half], weights[half])]
    means = [numpy.average(colours[group], axis=0, weights=weights[group]) for group in groups]
    exact = _split(values[frequent]) if frequent else numpy.zeros((0, 3))
    return numpy.asarray(numpy.concatenate([exact, numpy.rint(means)]), numpy.uint8)


def _spread(colours: Pixels, weights: Pixels) -> Tuple[float, int, float]:
    """Return the weighted deviation of colours in the channel where it is largest, that channel, and its mean."""
    import numpy

    means = numpy.average(colours, axis=0, weights=weights)
    deviations = (weights[:, None] * (colours - means)**2).sum(axis=0)
    channel = int(deviations.argmax())
    return float(deviations[channel]), channel, float(means[channel])


def nearest_colours(values: Pixels, palette: Pixels) -> Pixels:
    """Return for each of ``values`` (24 bits) the index of the nearest colour of ``palette``."""
    import numpy

    targets = palette.astype(numpy.float32)
    lengths = (targets**2).sum(axis=1)
    found = numpy.empty(values.size, numpy.uint8)
    for start in range(0, values.size, 65_536):
        part = slice(start, start + 65_536)
        found[part] = (lengths - 2 * _split(values[part]).astype(numpy.float32) @ targets.T).argmin(axis=1)
    return found


def _split(values: Pixels) -> Pixels:
    """Return colours of 24 bits as count × RGB."""
    import numpy

    return numpy.stack([values >> 16 & 255, values >> 8 & 255, values & 255], axis=1)


def compress(indexes: bytes) -> bytes:
    """Return indexes of 8 bits compressed by LZW with codes of variable length (GIF89a, appendix F)."""
    clear, end = 256, 257
    codes: List[int] = [clear]
    #: numbers of codes after which they are one bit longer, or 9 bits again
    lengths: List[Tuple[int, int]] = [(0, 9)]
    table: dict[int, int] = {}
    following, length = 258, 9
    prefix = indexes[0]
    for value in indexes[1:]:
        key = prefix << 8 | value
        code = table.get(key)
        if code is not None:
            prefix = code
            continue
        codes.append(prefix)
        if following > _MAX_CODE:
            codes.append(clear)
            table = {}
            following, length = 258, 9
            lengths.append((len(codes), length))
        else:
            table[key] = following
            if following >> length:
                length += 1
                lengths.append((len(codes), length))
            following += 1
        prefix = value
    codes += [prefix, end]
    return _packed(codes, lengths)


def _packed(codes: Sequence[int], lengths: Sequence[Tuple[int, int]]) -> bytes:
    """Return codes as a stream of bits, the lowest first. ``lengths`` are (number of the first code, its bits)."""
    import numpy

    array = numpy.array(codes, numpy.uint16)
    bits = []
    for (start, length), stop in zip(lengths, [*(first for first, _ in lengths[1:]), array.size]):
        bits.append((array[start:stop, None] >> numpy.arange(length, dtype=numpy.uint16) & 1).astype(numpy.uint8)
                    .ravel())
    return numpy.packbits(numpy.concatenate(bits), bitorder="little").tobytes()


def sub_blocks(data: bytes) -> bytes:
    """Return data in blocks of at most 255 bytes, each after its length, and the empty block that ends them."""
    blocks = [data[start:start + 255] for start in range(0, len(data), 255)]
    return b"".join(bytes([len(block)]) + block for block in blocks) + b"\x00"
