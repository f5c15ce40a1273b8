"""Content and size of the pages of a PDF, read through ``PdfUpdate``."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Optional, Sequence, Tuple

from .pdf_content import MAX_CONTENT, PageContent, read_to_unicode
from .pdf_objects import PdfDict, PdfReference, UnreadablePdf
from .pdf_update import PdfUpdate


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
        fonts = {name: update.dictionary(font) for name, font in
                 update.dictionary(update.dictionary(page.get("Resources")).get("Font")).items()}
        return PageContent(content, {name: _font_texts(update, font) for name, font in fonts.items()},
                           {name for name, font in fonts.items() if font.get("Subtype") not in (None, "Type0")})
    except UnreadablePdf:
        return None


def _font_texts(update: PdfUpdate, font: PdfDict) -> Dict[int, str]:
    return read_to_unicode(update.stream(font["ToUnicode"])) if "ToUnicode" in font else {}


def visible_box(update: PdfUpdate, page: PdfDict) -> Sequence[float]:
    """Return left, bottom, right and top of what readers see of a page. Raises UnreadablePdf if it has no size."""
    left, bottom, right, top = media_box(update, page)
    crop = _box(update, page, "CropBox")
    if crop is None:
        return left, bottom, right, top
    # its corners may be given in any order
    return (max(left, min(crop[0], crop[2])), max(bottom, min(crop[1], crop[3])),
            min(right, max(crop[0], crop[2])), min(top, max(crop[1], crop[3])))


def media_box(update: PdfUpdate, page: PdfDict) -> Sequence[float]:
    """Return left, bottom, right and top of a page in points. Raises UnreadablePdf if it has no size."""
    box = _box(update, page, "MediaBox")
    if box is None:
        raise UnreadablePdf("a page has no size")
    return box


def _box(update: PdfUpdate, page: PdfDict, name: str) -> Optional[Sequence[float]]:
    """Return a box of a page, which it may have from the pages above it, or None."""
    for _level in range(50):
        box = update.value(page.get(name))
        if isinstance(box, list) and len(box) == 4:
            sides = [update.value(side) for side in box]
            if not all(isinstance(side, (int, float)) for side in sides):
                raise UnreadablePdf(f"a page has no {name}")
            return [float(side) for side in sides]
        page = update.dictionary(page.get("Parent"))
    return None


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


def has_text_in_forms(update: PdfUpdate, page: PdfDict) -> bool:
    """Return whether forms that the page can draw have text, or cannot be read. Their place on the page is unknown."""
    for _name, reference, drawn in drawn_objects(update, update.dictionary(page.get("Resources"))):
        if drawn.get("Subtype") == "Form" and isinstance(reference, PdfReference):
            content = page_content(update, {**drawn, "Contents": reference})
            if content is None or content.texts:
                return True
    return False
