"""Classification of pasted text, without network access: XML or JSON of records, addresses, or paths."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Tuple
from urllib.parse import unquote, urlsplit

from ..errors import InvalidRequest
from ..i18n import tr
from ..records.model.endpoints import is_web_address

DOCUMENT, ADDRESS, PATH = "document", "address", "path"
MAX_CHARACTERS = 64_000_000
_MAX_ADDRESSES = 200
_MAX_LOCATION_LENGTH = 8000
_BARE_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?::\d{1,5})?(?:/\S*)?", re.IGNORECASE)


@dataclass(frozen=True)
class PastedText:
    """Pasted text. ``kind`` is "document" (with its ``data``), "address" or "path" (with ``locations`` to open)."""

    kind: str
    data: bytes = b""
    locations: Tuple[str, ...] = ()


def classify_pasted_text(text: str) -> PastedText:
    """Classify ``text``. Raises InvalidRequest if it is none of these, is empty or is too long."""
    bare = text.strip().strip("\ufeff\x00").strip()
    if not bare:
        raise InvalidRequest(tr("There is nothing to open: the text is empty."))
    if len(bare) > MAX_CHARACTERS:
        raise InvalidRequest(tr("The text is too long to be read; save it as a file and open that."), str(len(bare)))
    if bare[0] in "<{[" and not _is_angled_address(bare):
        return PastedText(DOCUMENT, _encode_text(bare))
    places = [_strip_quotes(line) for line in bare.splitlines()[:_MAX_ADDRESSES] if line.strip()]
    if any(len(place) > _MAX_LOCATION_LENGTH for place in places):
        raise _unrecognised_error(bare)
    if places and all(is_web_address(place) for place in places):
        return PastedText(ADDRESS, locations=tuple(dict.fromkeys(places)))
    paths = [_local_path(place) for place in places]
    if paths and all(path and os.path.exists(path) for path in paths):
        return PastedText(PATH, locations=tuple(dict.fromkeys(paths)))
    if len(places) == 1 and _BARE_HOST.fullmatch(places[0]):
        return PastedText(ADDRESS, locations=(f"https://{places[0]}",))
    raise _unrecognised_error(bare)


def _unrecognised_error(bare: str) -> InvalidRequest:
    return InvalidRequest(tr("This text is neither the XML of a record nor an address or a file: “{words}”",
                             words=" ".join(bare[:2000].split())[:120]), bare[:2000])


def _encode_text(text: str) -> bytes:
    """Return the text as UTF-8, without an XML declaration of another encoding."""
    head = re.sub(r"""\A(<\?xml[^>]{0,200}?)\s+encoding\s*=\s*(["'])[^"']*\2""", r"\1", text)
    return head.encode("utf-8", "replace")


def _is_angled_address(text: str) -> bool:
    return bool(re.fullmatch(r"<https?://[^<>\s]+>", text))


def _strip_quotes(line: str) -> str:
    """Return a line without the quotes or angle brackets around it."""
    bare = line.strip()
    if len(bare) > 1 and bare[0] + bare[-1] in ('""', "''", "<>", "“”", "«»"):
        bare = bare[1:-1].strip()
    return bare


def _local_path(place: str) -> str:
    """Return a path, converted from a ``file:`` address if it is one."""
    if not place.lower().startswith("file:"):
        return os.path.expanduser(place)
    parts = urlsplit(place)
    if parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path)
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path
