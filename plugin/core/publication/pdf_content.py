"""Content streams of PDF pages as Qt writes them: where each text stands, and marks that tie it to the structure.

Qt writes an operator at the end of each line, and every text as one text object with its glyphs placed one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from .pdf_update import PdfDict, PdfReference, PdfUpdate, UnreadablePdf, read_value

#: bytes of a content stream that are read. Only pages with large vector layers have more.
MAX_CONTENT = 20_000_000
_TOKEN = re.compile(rb"<[0-9A-Fa-f\s]*>|\((?:[^()\\]|\\.)*\)|\[|\]|/?[^\x00\t\n\x0c\r ()<>\[\]{}/%]+", re.DOTALL)
#: what is read of a line. Of others than Qt's, text may stand on a line with anything
_HAS_WORK = re.compile(rb"[>)\] ]T[jJ]|(?:^|[ \n])(?:q|Q|cm|BT|ET|Tm|Td|Tf|Do)\s*$")
_CHARACTERS = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
_GLYPH = re.compile(rb"<[0-9A-Fa-f]{4}>")
_HEX_OR_LIST = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")

#: texts of a glyph that are none (ISO 19005-3, 6.2.11.7.2). Qt gives the first to glyphs that stand for no character
_NO_TEXTS = frozenset(("", "\x00", "\ufeff", "\ufffe"))

#: letters that a font joins to one glyph, by the character that Qt names it
LIGATURES: Mapping[str, str] = {
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
_LETTERS = str.maketrans(dict(LIGATURES))

_FIRST_MARK, _LAST_MARK = b"/Artifact BMC", b"EMC"
_MARK = re.compile(rb"EMC /(?:Artifact BMC|\w{1,20} <</MCID \d{1,9}>> BDC)")

Matrix = Tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Glyph:
    """One character on the page, the start of its baseline in points from the lower left corner, and its height."""

    text: str
    x: float
    y: float
    size: float


@dataclass
class TextObject:
    """One text object of a content stream: the lines from ``first`` to ``last``, and its glyphs in order."""

    first: int
    last: int = 0
    glyphs: List[Glyph] = field(default_factory=list)

    @property
    def start(self) -> Tuple[float, float]:
        """The beginning of its first character, in points from the lower left corner."""
        return self.glyphs[0].x, self.glyphs[0].y

    @property
    def text(self) -> str:
        return "".join(glyph.text for glyph in self.glyphs)


@dataclass(frozen=True)
class ImageUse:
    """An image drawn in line ``line``, with the middle of its area in points from the lower left corner."""

    line: int
    x: float
    y: float


class PageContent:
    """A page's content stream. ``fonts`` have the text of each glyph number, by the fonts' names in the stream."""

    def __init__(self, content: bytes, fonts: Mapping[str, Mapping[int, str]]) -> None:
        self.lines = _without_marks(content.split(b"\n"))
        self.texts: List[TextObject] = []
        self.images: List[ImageUse] = []
        #: fonts of which glyphs without a text are shown, by their names in the stream
        self.unreadable_fonts: Set[str] = set()
        #: levels of graphics states that are saved within each other
        self.depth = 0
        self._fonts = fonts
        self._read()

    def marked(self, mark_text: Callable[[TextObject], Optional[Tuple[str, int]]],
               mark_image: Callable[[ImageUse], Optional[Tuple[str, int]]]) -> bytes:
        """Return the content with marks. The functions return a structure type and a number, or None.

        Everything that has none is an artifact: lines, shapes and backgrounds that say nothing by themselves.
        """
        starts: Dict[int, Tuple[str, int]] = {}
        ends = set()
        for text in self.texts:
            mark = mark_text(text)
            if mark is not None:
                starts[text.first] = mark
                ends.add(text.last)
        for image in self.images:
            mark = mark_image(image)
            if mark is not None and image.line not in starts:
                starts[image.line] = mark
                ends.add(image.line)
        written = [_FIRST_MARK]
        for number, line in enumerate(self.lines):
            if number in starts:
                written.append(b"EMC /%s <</MCID %d>> BDC" % (starts[number][0].encode(), starts[number][1]))
            written.append(line)
            if number in ends:
                written.append(b"EMC /Artifact BMC")
        return b"\n".join([*written, _LAST_MARK])

    def _read(self) -> None:
        reader = _ContentReader(self._fonts, self.texts, self.images)
        for number, line in enumerate(self.lines):
            if not _HAS_WORK.search(line):
                continue
            operands: List[bytes] = []
            for token in _TOKEN.findall(line):
                operator = _OPERATORS.get(token)
                if operator is None:
                    operands.append(token)
                else:
                    operator(reader, operands, number)
                    operands = []
        self.unreadable_fonts, self.depth = reader.unreadable_fonts, reader.depth


def _without_marks(lines: List[bytes]) -> List[bytes]:
    """Return the lines of a content stream without the marks of a former ``PageContent.marked``."""
    if lines[0] != _FIRST_MARK or lines[-1] != _LAST_MARK:
        return lines
    return [line for line in lines[1:-1] if not _MARK.fullmatch(line)]


class _ContentReader:
    """The graphics and text state while a content stream is read (ISO 32000-1, 8.4 and 9.4)."""

    def __init__(self, fonts: Mapping[str, Mapping[int, str]], texts: List[TextObject], images: List[ImageUse]) -> None:
        self._fonts, self._texts, self._images = fonts, texts, images
        self._matrix, self._line_matrix = _IDENTITY, _IDENTITY
        #: matrix, font's name and size of the states that are saved
        self._stack: List[Tuple[Matrix, str, float]] = []
        self._font: Mapping[int, str] = {}
        self._size = 0.0
        self._text: Optional[TextObject] = None
        self._font_name = ""
        self.unreadable_fonts: Set[str] = set()
        self.depth = 0

    def save_state(self, _operands: List[bytes], _line: int) -> None:
        """``q``"""
        self._stack.append((self._matrix, self._font_name, self._size))
        self.depth = max(self.depth, len(self._stack))

    def restore_state(self, _operands: List[bytes], _line: int) -> None:
        """``Q``"""
        state = self._stack.pop() if self._stack else (_IDENTITY, self._font_name, self._size)
        self._matrix, self._font_name, self._size = state
        self._font = self._fonts.get(self._font_name, {})

    def transform(self, operands: List[bytes], _line: int) -> None:
        """``cm``"""
        self._matrix = _multiply(_matrix(operands), self._matrix)

    def begin_text(self, _operands: List[bytes], line: int) -> None:
        """``BT``"""
        self._text, self._line_matrix = TextObject(line), _IDENTITY

    def set_font(self, operands: List[bytes], _line: int) -> None:
        """``Tf``"""
        if len(operands) >= 2:
            self._font_name = operands[-2][1:].decode("latin-1")
            self._font = self._fonts.get(self._font_name, {})
            self._size = _number(operands[-1])

    def set_text_matrix(self, operands: List[bytes], _line: int) -> None:
        """``Tm``"""
        self._line_matrix = _matrix(operands)

    def move_text(self, operands: List[bytes], _line: int) -> None:
        """``Td``"""
        x, y = _numbers(operands, 2)
        self._line_matrix = _multiply((1.0, 0.0, 0.0, 1.0, x, y), self._line_matrix)

    def show_text(self, operands: List[bytes], _line: int) -> None:
        """``Tj`` and ``TJ``"""
        if self._text is None:
            return
        shown = _multiply(self._line_matrix, self._matrix)
        texts = [self._font.get(code, "") for operand in operands if operand[:1] in (b"<", b"(")
                 for code in _codes(operand)]
        if not _NO_TEXTS.isdisjoint(texts):
            self.unreadable_fonts.add(self._font_name)
        height = self._size * (shown[2] ** 2 + shown[3] ** 2) ** 0.5
        self._text.glyphs.append(Glyph("".join(texts), shown[4], shown[5], height))

    def end_text(self, _operands: List[bytes], line: int) -> None:
        """``ET``"""
        if self._text is not None and self._text.glyphs:
            self._text.last = line
            self._texts.append(self._text)
        self._text = None

    def draw_object(self, _operands: List[bytes], line: int) -> None:
        """``Do``"""
        self._images.append(ImageUse(line, *_apply(self._matrix, 0.5, 0.5)))


_OPERATORS: Mapping[bytes, Callable[[_ContentReader, List[bytes], int], None]] = {
    b"q": _ContentReader.save_state, b"Q": _ContentReader.restore_state, b"cm": _ContentReader.transform,
    b"BT": _ContentReader.begin_text, b"ET": _ContentReader.end_text, b"Tf": _ContentReader.set_font,
    b"Tm": _ContentReader.set_text_matrix, b"Td": _ContentReader.move_text, b"Tj": _ContentReader.show_text,
    b"TJ": _ContentReader.show_text, b"Do": _ContentReader.draw_object,
}


def read_to_unicode(cmap: bytes) -> Dict[int, str]:
    """Return the text of each glyph number of a ToUnicode CMap (ISO 32000-1, 9.10.3), ligatures as their letters."""
    texts: Dict[int, str] = {}
    for kind, body in _CHARACTERS.findall(cmap):
        values: List[List[bytes]] = []
        in_list = False
        for digits, opened, closed in _HEX_OR_LIST.findall(body):
            if opened or closed:
                in_list = bool(opened)
                if opened:
                    values.append([])
            elif in_list:
                values[-1].append(digits)
            else:
                values.append([digits])
        step = 2 if kind == b"bfchar" else 3
        for start in range(0, len(values) - step + 1, step):
            first = int(values[start][0] or b"0", 16)
            if step == 2:
                texts[first] = _unicode(values[start + 1][0])
                continue
            last, targets = int(values[start + 1][0] or b"0", 16), values[start + 2]
            for code in range(first, min(last, first + 0xffff) + 1):
                if len(targets) > 1 or first == last:
                    texts[code] = _unicode(targets[code - first]) if code - first < len(targets) else ""
                else:
                    texts[code] = _unicode(b"%04X" % (int(targets[0] or b"0", 16) + code - first))
    return texts


def _unicode(digits: bytes) -> str:
    digits = b"".join(digits.split())
    if len(digits) % 2:
        return ""
    return bytes.fromhex(digits.decode().zfill(4)).decode("utf-16-be", "replace").translate(_LETTERS)


def _codes(operand: bytes) -> List[int]:
    """Return the glyph numbers of a string, which Qt writes with two bytes each."""
    # nearly all are one glyph in four digits
    string = bytes.fromhex(operand[1:5].decode()) if _GLYPH.fullmatch(operand) else read_value(operand, 0)[0]
    return [string[start] << 8 | string[start + 1] for start in range(0, len(string) - 1, 2)]


def _number(token: bytes) -> float:
    try:
        return float(token)
    except ValueError:
        return 0.0


def _numbers(operands: List[bytes], count: int) -> Tuple[float, ...]:
    numbers = [_number(token) for token in operands[-count:]]
    return tuple([0.0] * (count - len(numbers)) + numbers)


def _matrix(operands: List[bytes]) -> Matrix:
    return _numbers(operands, 6)  # type: ignore[return-value]


def _multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies ``first`` and then ``second`` (ISO 32000-1, 8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _apply(matrix: Matrix, x: float, y: float) -> Tuple[float, float]:
    return matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]


def page_content(update: PdfUpdate, page: PdfDict) -> Optional[PageContent]:
    """Return the page's content, or None if it is too large or in a form that neither Qt nor GDAL writes."""
    references = page.get("Contents")
    if isinstance(references, PdfReference):
        value = update.value(references)
        references = value if isinstance(value, list) else [references]
    try:
        content = b"\n".join(update.stream(reference) for reference in references or ())
        if len(content) > MAX_CONTENT:
            return None
        fonts = {name: _font_texts(update, update.dictionary(font)) for name, font in
                 update.dictionary(update.dictionary(page.get("Resources")).get("Font")).items()}
        return PageContent(content, fonts)
    except UnreadablePdf:
        return None


def _font_texts(update: PdfUpdate, font: PdfDict) -> Dict[int, str]:
    return read_to_unicode(update.stream(font["ToUnicode"])) if "ToUnicode" in font else {}


def media_box(update: PdfUpdate, page: PdfDict) -> Sequence[float]:
    """Return left, bottom, right and top of a page in points. Raises UnreadablePdf if it has no size."""
    for _level in range(50):
        box = update.value(page.get("MediaBox"))
        if isinstance(box, list) and len(box) == 4:
            sides = [update.value(side) for side in box]
            if not all(isinstance(side, (int, float)) for side in sides):
                break
            return [float(side) for side in sides]
        # it may have it from the pages above it
        page = update.dictionary(page.get("Parent"))
    raise UnreadablePdf("a page has no size")


def drawn_objects(update: PdfUpdate, resources: PdfDict) -> Iterator[Tuple[str, Any, PdfDict]]:
    """Yield the images, forms and patterns of a page: name, reference and members, those within others too."""
    waiting, seen = [resources], set()
    while waiting:
        members = waiting.pop()
        for kind in ("XObject", "Pattern"):
            for name, reference in update.dictionary(members.get(kind)).items():
                if reference in seen:
                    continue
                seen.add(reference)
                drawn = update.dictionary(reference)
                waiting.append(update.dictionary(drawn.get("Resources")))
                yield name, reference, drawn
