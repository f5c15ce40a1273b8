"""Classification of pasted text, without network access: XML or JSON of records, addresses, or paths."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Tuple
from urllib.parse import unquote, urlsplit

from ..addresses import AddressSecret, is_web_address, separate_secrets
from ..errors import InvalidRequest
from ..i18n import tr
from ..records.rdf.turtle import looks_like_turtle

MAX_CHARACTERS = 32_000_000
_MAX_LOCATIONS = 200
_HEAD = 8192
_MAX_LOCATION_LENGTH = 8000
_BARE_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?::\d{1,5})?(?:/\S*)?", re.IGNORECASE)


class PasteKind(str, Enum):
    DOCUMENT = "document"
    ADDRESS = "address"
    PATH = "path"


@dataclass(frozen=True)
class PastedText:
    """Pasted text: the ``data`` of a document, or ``locations`` to open, and the ``secrets`` that were in these."""

    kind: PasteKind
    data: bytes = b""
    locations: Tuple[str, ...] = ()
    secrets: Tuple[AddressSecret, ...] = field(default=(), repr=False)


def classify_pasted_text(text: str) -> PastedText:
    """Classify ``text``. Raises InvalidRequest if it is something else, is empty or is too long."""
    stripped = text.strip().strip("\ufeff\x00").strip()
    if not stripped:
        raise InvalidRequest(tr("There is nothing to open: the text is empty."))
    if len(stripped) > MAX_CHARACTERS:
        raise InvalidRequest(tr("The text is too long to be read; save it as a file and open that."),
                             str(len(stripped)))
    is_document = stripped[0] in "<{[" or looks_like_turtle(stripped[:_HEAD])
    if is_document and not re.fullmatch(r"<https?://[^<>\s]+>", stripped):
        return PastedText(PasteKind.DOCUMENT, _encode_text(stripped))
    lines = (line for line in stripped.splitlines() if line.strip())
    # one more than are opened, which tells that there are too many
    locations = [_strip_quotes(line) for line in islice(lines, _MAX_LOCATIONS + 1)]
    if any(len(location) > _MAX_LOCATION_LENGTH for location in locations):
        raise _unrecognised_error(stripped)
    paths = [_local_path(location) for location in locations]
    are_addresses = all(is_web_address(location) for location in locations)
    are_paths = not are_addresses and all(path and os.path.exists(path) for path in paths)
    if len(locations) > _MAX_LOCATIONS and (are_addresses or are_paths):
        raise InvalidRequest(tr("These are more than {most} addresses or files. Paste a part of them at a time.",
                                most=_MAX_LOCATIONS))
    if are_addresses:
        separated = [separate_secrets(location) for location in locations]
        return PastedText(PasteKind.ADDRESS, locations=tuple(dict.fromkeys(clean for clean, _ in separated)),
                          secrets=tuple(secret for _, secret in separated if secret is not None))
    if are_paths:
        return PastedText(PasteKind.PATH, locations=tuple(dict.fromkeys(paths)))
    if len(locations) == 1 and _BARE_HOST.fullmatch(locations[0]):
        return PastedText(PasteKind.ADDRESS, locations=(f"https://{locations[0]}",))
    raise _unrecognised_error(stripped)


def _unrecognised_error(stripped: str) -> InvalidRequest:
    return InvalidRequest(
        tr("This text is neither the XML of a record nor an address or a file: “{words}”",
           words=" ".join(stripped[:2000].split())[:120]), stripped[:2000])


def _encode_text(text: str) -> bytes:
    """Return the text as UTF-8, without an XML declaration of another encoding."""
    head = re.sub(r"""\A(<\?xml[^>]{0,200}?)\s+encoding\s*=\s*(["'])[^"']*\2""", r"\1", text)
    return head.encode("utf-8", "replace")


def _strip_quotes(line: str) -> str:
    """Return a line without the quotes or angle brackets around it."""
    stripped = line.strip()
    if len(stripped) > 1 and stripped[0] + stripped[-1] in ('""', "''", "<>", "“”", "«»"):
        stripped = stripped[1:-1].strip()
    return stripped


def _local_path(location: str) -> str:
    """Return a path, converted from a ``file:`` address if it is one."""
    if not location.lower().startswith("file:"):
        return os.path.expanduser(location)
    parts = urlsplit(location)
    if parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path)
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path
