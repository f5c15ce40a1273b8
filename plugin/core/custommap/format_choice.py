"""The image format that a layer is asked for, among those that the service's GetMap advertises (06-042 7.3.3.7)."""

from __future__ import annotations

import re
from typing import List, Optional, Sequence

#: with an alpha channel, best first; GIF has one transparent colour and 256 in all
_TRANSPARENT = ("image/png", "image/png; mode=32bit", "image/png32", "image/webp", "image/png; mode=8bit", "image/png8",
                "image/vnd.jpeg-png", "image/vnd.jpeg-png8", "image/gif")
_OPAQUE = ("image/jpeg", "image/jpg")
#: what QGIS reads besides, none of it better
_OTHER_FORMATS = ("image/png; mode=24bit", "image/png24", "image/jpeg", "image/jpg", "image/tiff", "image/bmp")


def best_format(offered: Sequence[str], opaque: bool, wanted: Optional[str] = None) -> Optional[str]:
    """The format to ask for, as the service spells it; None where it offers no image that QGIS reads.

    ``wanted`` is the document's own choice and wins where it is offered. Else a layer that is declared opaque is asked
    for as JPEG, which is smaller, and everything else as PNG with transparency; a base that is not opaque too, because
    JPEG would fill its gaps and blur its text.
    """
    if wanted:
        chosen = advertised_format(offered, wanted)
        if chosen:
            return chosen
    order: List[str] = [*(_OPAQUE if opaque else ()), *_TRANSPARENT, *_OTHER_FORMATS]
    for name in order:
        chosen = advertised_format(offered, name)
        if chosen:
            return chosen
    return next((name for name in offered if normalise_media_type(name).startswith("image/png")), None)


def advertised_format(offered: Sequence[str], name: str) -> Optional[str]:
    """The spelling in which a format is offered; case and the spaces around parameters make no difference."""
    return next((item for item in offered if normalise_media_type(item) == normalise_media_type(name)), None)


def supports_transparency(name: str) -> bool:
    """Whether an image of this format can let what lies below it show through."""
    return normalise_media_type(name) in {normalise_media_type(item) for item in _TRANSPARENT
                                          } or (normalise_media_type(name).startswith("image/png") and "24" not in name)


def normalise_media_type(name: str) -> str:
    """A media type in lower case without spaces."""
    return re.sub(r"\s+", "", name).lower()
