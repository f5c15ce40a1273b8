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
