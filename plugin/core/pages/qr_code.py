"""QR code on the map (ISO/IEC 18004:2015) of an address: byte mode, error correction level M, versions 1 to 20.

Level M restores 15 % of a code, which a folded or stained map may lose.
"""

from __future__ import annotations

from typing import Callable, Iterator, List, Optional, Sequence, Tuple

from ..addresses import is_web_address, without_secrets
from ..i18n import tr
from ..json_document import JsonNode
from .page_feature import PageFeature

#: characters of the address in a QR code, which becomes too fine to be read on paper with more
MAX_LINK = 300

#: codewords of error correction in a block, and blocks, of versions 1 to 20 at level M (table 9)
_CORRECTION = (10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26)
_BLOCKS = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16)
#: bits of level M in the format information (table 12)
_LEVEL_M = 0
_BYTE_MODE = 0b0100
#: modules of quiet space that a code needs around it (6.3.8)
QUIET_ZONE = 4
_MASKS: Tuple[Callable[[int, int], int], ...] = (
    lambda x, y: (x + y) % 2, lambda x, y: y % 2, lambda x, y: x % 3, lambda x, y: (x + y) % 3,
    lambda x, y: (x // 3 + y // 2) % 2, lambda x, y: x * y % 2 + x * y % 3,
    lambda x, y: (x * y % 2 + x * y % 3) % 2, lambda x, y: ((x + y) % 2 + x * y % 3) % 2)
Modules = List[List[bool]]


def read_link(page: JsonNode) -> str:
    """Return the address that the code on the document's page leads to, without logins and keys, "" for no code.

    Raises InvalidDocument.
    """
    link = page.text("link", "", max_length=MAX_LINK)
    if link and not is_web_address(link):
        raise page.error("link", tr("must be a web address (http or https)"))
    return without_secrets(link)


def write_link(link: str) -> Optional[str]:
    """Return the member of the document's page, None without an address."""
    return link or None


FEATURE: PageFeature[str] = PageFeature("qr_code", "link", change_label=lambda: tr("QR code of the page"),
                                        read=read_link, write=write_link)


def qr_modules(text: str) -> Modules:
    """Return the rows of the smallest code with ``text`` in UTF-8, True for dark.

    Raises ValueError if it is too long.
    """
    data = text.encode("utf-8")
    for version in range(1, len(_BLOCKS) + 1):
        count_bits = 8 if version < 10 else 16
        if 4 + count_bits + 8 * len(data) <= 8 * _data_codewords(version):
            return _Code(version, _codewords(data, version, count_bits)).best()
    raise ValueError(f"{len(data)} bytes are too many for a QR code")


def qr_svg(text: str) -> bytes:
    """Return the code as an SVG of one path, with its quiet zone on white. The user unit is a module."""
    modules = qr_modules(text)
    size = len(modules) + 2 * QUIET_ZONE
    runs = "".join(f"M{start + QUIET_ZONE} {y + QUIET_ZONE}h{end - start}v1h-{end - start}z"
                   for y, row in enumerate(modules) for start, end in _runs(row))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}">'
            f'<path fill="#ffffff" d="M0 0h{size}v{size}h-{size}z"/><path fill="#000000" d="{runs}"/></svg>').encode()


def _runs(row: Sequence[bool]) -> Iterator[Tuple[int, int]]:
    """Yield start and end of each run of dark modules."""
    start = None
    for x, dark in enumerate([*row, False]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            yield start, x
            start = None


def _alignment_positions(version: int) -> List[int]:
    if version == 1:
        return []
    count, size = version // 7 + 2, 17 + 4 * version
    step = (version * 4 + count * 2 + 1) // (count * 2 - 2) * 2
    return [6, *sorted(size - 7 - number * step for number in range(count - 1))]


def _all_codewords(version: int) -> int:
    """Return the number of codewords, those of error correction too, that a version has room for."""
    bits = (16 * version + 128) * version + 64
    if version >= 2:
        count = version // 7 + 2
        bits -= (25 * count - 10) * count - 55
        if version >= 7:
            bits -= 36
    return bits // 8


def _data_codewords(version: int) -> int:
    return _all_codewords(version) - _CORRECTION[version - 1] * _BLOCKS[version - 1]


def _codewords(data: bytes, version: int, count_bits: int) -> bytes:
    """Return the codewords of the data and of its error correction, interleaved (7.4, 7.5, 7.6)."""
    room = _data_codewords(version)
    bits = f"{_BYTE_MODE:04b}{len(data):0{count_bits}b}" + "".join(f"{byte:08b}" for byte in data)
    bits += "0" * min(4, 8 * room - len(bits))
    bits += "0" * (-len(bits) % 8)
    words = bytes(int(bits[start:start + 8], 2) for start in range(0, len(bits), 8))
    words += bytes((0xec, 0x11)[number % 2] for number in range(room - len(words)))
    blocks, correction = _BLOCKS[version - 1], _CORRECTION[version - 1]
    short, long_blocks = room // blocks, room % blocks
    divisor = _generator(correction)
    parts, position = [], 0
    for number in range(blocks):
        length = short + (number >= blocks - long_blocks)
        parts.append(words[position:position + length])
        position += length
    corrections = [_remainder(part, divisor) for part in parts]
    mixed = [part[place] for place in range(short + 1) for part in parts if place < len(part)]
    return bytes(mixed + [part[place] for place in range(correction) for part in corrections])


def _multiply(first: int, second: int) -> int:
    """Return the product in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    for bit in range(7, -1, -1):
        product = (product << 1) ^ (product >> 7) * 0x11d
        product ^= (second >> bit & 1) * first
    return product


def _generator(degree: int) -> List[int]:
    """Return the coefficients of the generator polynomial without the leading one (annex A)."""
    coefficients = [0] * (degree - 1) + [1]
    root = 1
    for _power in range(degree):
        for place in range(degree):
            coefficients[place] = _multiply(coefficients[place], root)
            if place + 1 < degree:
                coefficients[place] ^= coefficients[place + 1]
        root = _multiply(root, 2)
    return coefficients


def _remainder(data: bytes, divisor: Sequence[int]) -> List[int]:
    result = [0] * len(divisor)
    for byte in data:
        factor = byte ^ result.pop(0)
        result.append(0)
        for place, coefficient in enumerate(divisor):
            result[place] ^= _multiply(coefficient, factor)
    return result


class _Code:
    """The modules of one code: function patterns first, then the codewords, then the mask."""

    def __init__(self, version: int, codewords: bytes) -> None:
        self._version, self._size = version, 17 + 4 * version
        self._modules: Modules = [[False] * self._size for _row in range(self._size)]
        self._fixed: Modules = [[False] * self._size for _row in range(self._size)]
        self._draw_patterns()
        self._draw_codewords(codewords)

    def best(self) -> Modules:
        """Return the modules with the mask that is easiest to read (7.8.3)."""
        return min((self._masked(number) for number in range(len(_MASKS))), key=_penalty)

    def _set(self, x: int, y: int, dark: bool) -> None:
        self._modules[y][x] = dark
        self._fixed[y][x] = True

    def _draw_patterns(self) -> None:
        size = self._size
        for place in range(size):
            self._set(6, place, place % 2 == 0)
            self._set(place, 6, place % 2 == 0)
        for x, y in ((3, 3), (size - 4, 3), (3, size - 4)):
            for dy in range(-4, 5):
                for dx in range(-4, 5):
                    if 0 <= x + dx < size and 0 <= y + dy < size:
                        self._set(x + dx, y + dy, max(abs(dx), abs(dy)) not in (2, 4))
        positions = _alignment_positions(self._version)
        corners = {(6, 6), (6, size - 7), (size - 7, 6)}
        for x, y in ((x, y) for x in positions for y in positions if (x, y) not in corners):
            for dy in range(-2, 3):
                for dx in range(-2, 3):
                    self._set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1)
        self._draw_format(0)
        if self._version >= 7:
            self._draw_version()

    def _draw_format(self, mask: int) -> None:
        """Draw level and mask with their error correction, twice (7.9)."""
        data = _LEVEL_M << 3 | mask
        bits = (data << 10 | _checked(data, 10, 0x537)) ^ 0x5412
        size = self._size
        first = [(8, place) for place in range(6)] + [(8, 7), (8, 8), (7, 8)] + [(14 - n, 8) for n in range(9, 15)]
        second = [(size - 1 - n, 8) for n in range(8)] + [(8, size - 15 + n) for n in range(8, 15)]
        for places in (first, second):
            for number, (x, y) in enumerate(places):
                self._set(x, y, bool(bits >> number & 1))
        self._set(8, size - 8, True)

    def _draw_version(self) -> None:
        """Draw the version with its error correction, twice (7.10)."""
        bits = self._version << 12 | _checked(self._version, 12, 0x1f25)
        for number in range(18):
            first, second = self._size - 11 + number % 3, number // 3
            self._set(first, second, bool(bits >> number & 1))
            self._set(second, first, bool(bits >> number & 1))

    def _draw_codewords(self, codewords: bytes) -> None:
        """Draw the codewords in columns of two modules, upwards and downwards in turn (7.7.3)."""
        position = 0
        columns = [*range(self._size - 1, 6, -2), 5, 3, 1]
        for number, right in enumerate(columns):
            rows = range(self._size) if number % 2 else range(self._size - 1, -1, -1)
            for y in rows:
                for x in (right, right - 1):
                    if not self._fixed[y][x] and position < 8 * len(codewords):
                        self._modules[y][x] = bool(codewords[position >> 3] >> (7 - (position & 7)) & 1)
                        position += 1

    def _masked(self, number: int) -> Modules:
        self._draw_format(number)
        mask = _MASKS[number]
        return [[dark != (not self._fixed[y][x] and mask(x, y) == 0) for x, dark in enumerate(row)]
                for y, row in enumerate(self._modules)]


def _checked(data: int, degree: int, generator: int) -> int:
    """Return the remainder of a BCH code."""
    remainder = data
    for _bit in range(degree):
        remainder = (remainder << 1) ^ (remainder >> (degree - 1)) * generator
    return remainder


def _penalty(modules: Modules) -> int:
    """Return how hard a code is to read: long runs, blocks, patterns like a finder's, and an uneven share of dark."""
    size = len(modules)
    total = 0
    turned = [list(column) for column in zip(*modules)]
    for rows in (modules, turned):
        for row in rows:
            line = "".join("#" if dark else "." for dark in row)
            total += sum(len(run) - 2 for side in "#." for run in line.replace("." if side == "#" else "#", " ").split()
                         if len(run) >= 5)
            total += 40 * sum(line.startswith(pattern, place) for pattern in ("#.###.#....", "....#.###.#")
                              for place in range(size - 10))
    total += 3 * sum(modules[y][x] == modules[y][x + 1] == modules[y + 1][x] == modules[y + 1][x + 1]
                     for y in range(size - 1) for x in range(size - 1))
    dark = sum(map(sum, modules))
    return total + 10 * (abs(20 * dark - 10 * size * size) // (size * size))
