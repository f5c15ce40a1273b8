"""Files of maps as they were written: what stands on their pages, in their metadata, and inside them.

The text of a PDF's pages and of an SVG is read. That in the pixels of images is not, but whether they are as they were
exported is known by their digest.
Text that something covers counts as shown. Text outside the page or of what was cropped of it, without size or drawn
invisibly does not.
"""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import List, Optional, Tuple

from lxml import etree

from ..custommap.document import read_document
from ..custommap.model import CustomMap
from ..errors import CartoguideError, UnreadableDocument, too_large
from ..i18n import tr
from ..json_document import MAX_BYTES
from ..text import fold
from ..trust.files import open_regular
from .content_digest import JPEG, ContentState, PixelDigest, compared_content, jpeg_digest, svg_digest
from .embedded_documents import DOCUMENT_NAME, SOURCES_NAME, embedded_file, embedded_files
from .map_statement import MapStatement, read_statement
from .pdf_objects import Buffer, UnreadablePdf
from .pdf_pages import has_text_in_forms, page_content, visible_box
from .pdf_update import PdfUpdate
from .written_rights import WrittenRights, read_rights, rights_in_xmp

_MAX_SVG = 400_000_000
#: points below which text is no longer text for readers
_SMALLEST_TEXT = 1.0
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_HIDING = (("display", ("none",)), ("visibility", ("hidden", "collapse")), ("opacity", ("0", "0.0")))


class MapFileKind(str, Enum):
    PDF = "pdf"
    PNG = "png"
    JPEG = "jpeg"
    SVG = "svg"
    TIFF = "tiff"
    GIF = "gif"
    DOCUMENT = "custommap"


@dataclass(frozen=True)
class WrittenMap:
    """The contents of a map's file.

    ``text`` is what can be read on its pages, and ``all_text`` is True if there can be no other text. ``rights`` are
    those of the metadata, or of the entries of a document. ``problems`` say what in the file is broken.
    ``further_statements`` are those of other maps that were joined to one file. ``content`` says whether an image's
    pixels or an SVG's drawing are as they were exported.
    """

    name: str
    kind: MapFileKind
    text: str = ""
    all_text: bool = False
    rights: WrittenRights = WrittenRights()
    statement: Optional[MapStatement] = None
    document: Optional[CustomMap] = None
    problems: Tuple[str, ...] = ()
    further_statements: Tuple[MapStatement, ...] = ()
    content: ContentState = ContentState.UNKNOWN

    @property
    def statements(self) -> Tuple[MapStatement, ...]:
        """All lists of sources in the file."""
        return ((self.statement,) if self.statement is not None else ()) + self.further_statements

    def shows(self, credit: str) -> bool:
        """Return whether the credit is on a page, as a whole or line by line."""
        return shows_credit(self.text, credit)

    def states(self, credit: str) -> bool:
        """Return whether the credit is in the file's metadata."""
        return shows_credit("\n".join(self.rights.credits), credit)


def shows_credit(text: str, credit: str) -> bool:
    """Return whether ``text`` has the credit. Case, accents and the ends of lines do not count.

    A credit of several lines, separated by semicolons, may stand in several places.
    """
    page = _comparable(text)
    parts = [part for part in map(_comparable, credit.split("; ")) if part]
    if not parts:
        return False
    return _comparable(credit) in page or all(part in page for part in parts) or _shows_words(page, credit)


def _shows_words(page: str, credit: str) -> bool:
    """Return whether the page has every word of a credit that is written from right to left.

    A PDF has such words in the order in which they are seen.
    """
    if not any("\u0590" <= character <= "\u08ff" for character in credit):
        return False
    words = [word for word in map(_comparable, credit.split()) if word]
    return all(word in page or word[::-1] in page for word in words)


def read_written_map(path: Path, pixel_digest: Optional[PixelDigest] = None) -> WrittenMap:
    """Return the contents of a PDF, PNG, JPEG, SVG, TIFF, GIF or custom map document.

    Without ``pixel_digest`` the pixels of PNG and TIFF are not compared with those that were exported.
    Raises CartoguideError if the file cannot be opened or is of no such kind.
    """
    with open_regular(path) as file:
        try:
            kind = _kind(file.read(4_096))
            if kind is MapFileKind.DOCUMENT:
                file.seek(0)
                return _of_document(path.name, file.read(MAX_BYTES + 1))
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                if kind is MapFileKind.SVG:
                    return _of_svg(path.name, data)
                found = _of_file(path.name, kind, data)
                return replace(found, content=_content_state(found, path, data, pixel_digest))
        except OSError as error:
            raise CartoguideError(tr("{name} could not be opened: {reason}.", name=path.name,
                                     reason=error.strerror or "?"), str(error)) from error


def _kind(head: bytes) -> MapFileKind:
    """Return the kind of a file by its first bytes. Everything else is taken for a document."""
    for start, kind in ((b"%PDF-", MapFileKind.PDF), (b"\x89PNG\r\n\x1a\n", MapFileKind.PNG),
                        (b"\xff\xd8\xff", MapFileKind.JPEG), (b"II", MapFileKind.TIFF), (b"MM", MapFileKind.TIFF),
                        (b"GIF89a", MapFileKind.GIF)):
        if head.startswith(start):
            return kind
    is_xml = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    return MapFileKind.SVG if is_xml and b"<svg" in head else MapFileKind.DOCUMENT


def _of_document(name: str, data: bytes) -> WrittenMap:
    document = read_document(data, name)
    credits = [entry.credit.line for entry in document.entries] + [layer.credit for layer in document.own_layers]
    return WrittenMap(name, MapFileKind.DOCUMENT, document=document,
                      rights=WrittenRights(tuple(dict.fromkeys(line for line in credits if line))))


def _of_file(name: str, kind: MapFileKind, data: Buffer) -> WrittenMap:
    problems: List[str] = []
    text, all_text = _pdf_text(data) if kind is MapFileKind.PDF else ("", False)
    statements = _statements(data, problems)
    document: Optional[CustomMap] = None
    try:
        inside = embedded_file(data, DOCUMENT_NAME)
        document = read_document(inside, DOCUMENT_NAME) if inside is not None else None
    except CartoguideError as error:
        problems.append(error.user_text)
    return WrittenMap(name, kind, text, all_text, read_rights(data), statements[0] if statements else None, document,
                      tuple(problems), tuple(statements[1:]))


def _content_state(found: WrittenMap, path: Path, data: Buffer, pixel_digest: Optional[PixelDigest]) -> ContentState:
    written = found.rights.digest
    if found.kind is MapFileKind.JPEG:
        return compared_content(written, jpeg_digest(data))
    if found.kind not in (MapFileKind.PNG, MapFileKind.TIFF) or not written:
        return ContentState.UNKNOWN
    if written.startswith(f"{JPEG}:"):
        return ContentState.CHANGED
    return compared_content(written, pixel_digest(path) if pixel_digest is not None else "")


def _statements(data: Buffer, problems: List[str]) -> List[MapStatement]:
    """Return each list of sources once, and add to ``problems`` what cannot be read."""
    found: List[MapStatement] = []
    try:
        for sources in embedded_files(data, SOURCES_NAME):
            try:
                statement = read_statement(sources)
            except CartoguideError as error:
                problems.append(error.user_text)
                continue
            if statement not in found:
                found.append(statement)
    except CartoguideError as error:
        problems.append(error.user_text)
    return found


def _pdf_text(data: Buffer) -> Tuple[str, bool]:
    """Return the text of all pages, and whether all of it could be read."""
    try:
        update = PdfUpdate(data)
        pages = [update.dictionary(reference) for reference in update.pages()]
        contents = [page_content(update, page) for page in pages]
        boxes = [visible_box(update, page) for page in pages]
        in_forms = any(has_text_in_forms(update, page) for page in pages)
    except UnreadablePdf:
        return "", False
    lines: List[str] = []
    for content, (left, bottom, right, top) in zip(contents, boxes):
        for text in content.texts if content is not None else ():
            lines.append("".join(glyph.text for glyph in text.glyphs
                                 if left <= glyph.x <= right and bottom <= glyph.y <= top
                                 and glyph.size >= _SMALLEST_TEXT and glyph.visible))
    read = not in_forms and all(content is not None and not content.unreadable_fonts for content in contents)
    # a page without any text may have it as shapes
    return "\n".join(lines), read and any(line.strip() for line in lines)


def _of_svg(name: str, data: Buffer) -> WrittenMap:
    if len(data) > _MAX_SVG:
        raise too_large(name, _MAX_SVG, len(data))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True, remove_comments=True)
    try:
        root = etree.fromstring(bytes(data), parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableDocument(tr("{name} is not a readable SVG.", name=name), str(error)) from error
    view = _view(root)
    lines = ["".join(element.itertext()) for element in root.iter("{*}text")
             if not _is_hidden(element) and not _is_outside(element, view)]
    rights = rights_in_xmp(root)
    return WrittenMap(name, MapFileKind.SVG, "\n".join(lines), any(line.strip() for line in lines), rights,
                      content=compared_content(rights.digest, svg_digest(root) if rights.digest else ""))


def _is_hidden(element: etree._Element) -> bool:
    for holder in (element, *element.iterancestors()):
        style = (holder.get("style") or "").replace(" ", "")
        if any(holder.get(name) in values or any(f"{name}:{value}" in style.split(";") for value in values)
               for name, values in _HIDING):
            return True
    return False


def _view(root: etree._Element) -> Optional[Tuple[float, ...]]:
    """Return left, top, width and height of what an SVG shows, or None if it does not say so."""
    numbers = tuple(map(float, _NUMBER.findall(root.get("viewBox") or "")))
    return numbers if len(numbers) == 4 else None


def _is_outside(element: etree._Element, view: Optional[Tuple[float, ...]]) -> bool:
    """Return whether a text begins outside the view. One whose place cannot be computed counts as within it."""
    positions = [found.group() for name in ("x", "y") for found in [_NUMBER.match(element.get(name) or "")] if found]
    if view is None or len(positions) != 2:
        return False
    x, y = map(float, positions)
    for holder in (element, *element.iterancestors()):
        transform = holder.get("transform") or "matrix(1,0,0,1,0,0)"
        kind, _bracket, rest = transform.strip().partition("(")
        numbers = tuple(map(float, _NUMBER.findall(rest)))
        if kind.strip() != "matrix" or len(numbers) != 6 or rest.count("("):
            return False
        x, y = numbers[0] * x + numbers[2] * y + numbers[4], numbers[1] * x + numbers[3] * y + numbers[5]
    left, top, width, height = view
    return not (left <= x <= left + width and top <= y <= top + height)


def _comparable(text: str) -> str:
    return "".join(fold(text).split())
