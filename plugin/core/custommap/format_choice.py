"""The image format in which a layer is requested, among those advertised for GetMap (06-042 7.3.3.7)."""

from __future__ import annotations

import re
from typing import List, Optional, Sequence

#: formats with transparency, best first (GIF has one transparent colour and 256 in all)
_TRANSPARENT = ("image/png", "image/png; mode=32bit", "image/png32", "image/webp", "image/png; mode=8bit", "image/png8",
                "image/vnd.jpeg-png", "image/vnd.jpeg-png8", "image/gif")
_OPAQUE = ("image/jpeg", "image/jpg")
#: other formats that QGIS reads
_OTHER_FORMATS = ("image/png; mode=24bit", "image/png24", "image/jpeg", "image/jpg", "image/tiff", "image/bmp")


def best_format(offered: Sequence[str], opaque: bool, wanted: Optional[str] = None) -> Optional[str]:
    """Return the format to request, as the service spells it, or None where QGIS reads none of the offered ones.

    ``wanted`` is the choice of the document and is taken where it is offered. Otherwise opaque layers are requested as
    JPEG, which is smaller, and all others as PNG with transparency. That includes a base that is not opaque, because
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
    """Return the spelling in which a format is offered, or None. Case and spaces make no difference."""
    return next((item for item in offered if normalise_media_type(item) == normalise_media_type(name)), None)


def supports_transparency(name: str) -> bool:
    """Return true where images of this format can show the layers below."""
    return normalise_media_type(name) in {normalise_media_type(item) for item in _TRANSPARENT
                                          } or (normalise_media_type(name).startswith("image/png") and "24" not in name)


def normalise_media_type(name: str) -> str:
    """Return a media type in lower case without spaces."""
    return re.sub(r"\s+", "", name).lower()
