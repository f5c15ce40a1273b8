"""Provenance of documents: what this profile wrote itself, and what came from elsewhere.

The author of a document cannot say in it that it may be trusted. So a document that is saved here gets a seal: a keyed
digest (HMAC-SHA-256, RFC 2104) of all that it names, made with a key that never leaves the profile. A document that was
changed, moved to other files of the same names, or made elsewhere has no valid one, and is foreign.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from enum import Enum
from typing import Any

#: bytes of a profile's key
KEY_BYTES = 32


class Trust(str, Enum):
    """Trust in a thing that a document names, which decides about opening it."""

    #: this profile wrote the document, or the thing is in the open project: it is opened as it was left
    OWN = "own"
    #: somebody else's document names it, and nobody has agreed to open it
    FOREIGN = "foreign"
    #: somebody else's document names it, and the person agreed: it is opened by the rules for foreign things
    AGREED = "agreed"

    @property
    def may_open(self) -> bool:
        """True where nothing has to be asked before it is opened."""
        return self is not Trust.FOREIGN


def make_seal(named: Any, key: bytes) -> str:
    """Return the seal of ``named``, a value of JSON with all that a document names, in hexadecimal.

    Without a key it is "".
    """
    if len(key) != KEY_BYTES:
        return ""
    message = json.dumps(named, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def is_valid_seal(seal: str, named: Any, key: bytes) -> bool:
    """Return whether ``seal`` was made of ``named`` with this key. A key of another length is never valid."""
    return len(key) == KEY_BYTES and hmac.compare_digest(seal.encode("utf-8", "replace"),
                                                         make_seal(named, key).encode("ascii"))
