"""Font files for the texts of an SVG, from the fonts that Qt has drawn them with."""

from __future__ import annotations

from typing import Dict, Mapping, Optional, Set, Tuple

from qgis.PyQt.QtGui import QFont, QRawFont, QTextLayout

from ...core.fonts.font_subset import TABLES, may_embed, subset_font
from ...core.fonts.svg_fonts import FontFace
from ..runtime import compat, log

#: pixels of the font that texts are laid out in to learn their glyphs. Any will do
_SIZE = 100
#: bytes of all fonts of a page. Fonts of Chinese or Japanese have many megabytes
_MAX_BYTES = 4_000_000
_WIDE = 1e7


def font_files(texts: Mapping[FontFace, Tuple[str, ...]]) -> Dict[FontFace, bytes]:
    """Return a font file for each face, with the glyphs of its texts, ligatures among them.

    A font is left out if it is not installed, does not allow it, or is too large. Characters that another font stands
    in for are not in it. Viewers use their fallback fonts then.
    """
    found: Dict[FontFace, bytes] = {}
    for face, written in texts.items():
        font = _font(face)
        raw = QRawFont.fromFont(font)
        if not raw.isValid() or not _is_family(raw, face.family):
            continue
        tables = {tag: bytes(raw.fontTable(tag)) for tag in TABLES}
        if not may_embed(tables):
            continue
        try:
            file = subset_font(tables, _glyphs(written, font, raw))
        except ValueError as error:
            log.warning(f"{face.family}: {error}")
            continue
        if sum(map(len, found.values())) + len(file) <= _MAX_BYTES:
            found[face] = file
    return found


def _font(face: FontFace) -> QFont:
    font = QFont(face.family)
    font.setPixelSize(_SIZE)
    compat.set_svg_font_weight(font, int(face.weight))
    font.setItalic(face.is_italic)
    return font


def _is_family(raw: QRawFont, family: str) -> bool:
    """Return whether the font is of the family. The names of faces such as Semibold begin with it."""
    return str(raw.familyName()).casefold().startswith(family.casefold())


def _glyphs(texts: Tuple[str, ...], font: QFont, raw: QRawFont) -> Set[int]:
    """Return the glyphs of the texts as Qt shapes them, and those of their characters alone."""
    found: Set[int] = set()
    for text in texts:
        found.update(raw.glyphIndexesForString(text))
        layout = QTextLayout(text, font)
        layout.beginLayout()
        layout.createLine().setLineWidth(_WIDE)
        layout.endLayout()
        for run in layout.glyphRuns():
            if _file(run.rawFont()) == _file(raw):
                found.update(run.glyphIndexes())
    return found


def _file(raw: QRawFont) -> Tuple[str, str, Optional[bytes]]:
    """Return a key that differs between font files."""
    return raw.familyName(), raw.styleName(), bytes(raw.fontTable("head"))
