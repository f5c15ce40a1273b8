"""Errors that are shown to a person."""

from __future__ import annotations

from typing import Optional

from .i18n import tr


class CartoguideError(Exception):
    """What happened, to what, and what to do, in words for a person.

    ``user_text`` is one or two translated sentences; ``detail`` is whatever a technician needs beside it
    (an address, a status, a server's own text), never needed to understand the first.
    """

    def __init__(self, user_text: str, detail: str = "") -> None:
        super().__init__(user_text)
        self.user_text = user_text
        self.detail = detail

    def __str__(self) -> str:
        return self.user_text


class Cancelled(CartoguideError):
    """The person cancelled, or the caller is no longer interested in the result. Nothing is shown for it.

    ``url`` is the address of the request that was cancelled, if it was one.
    """

    kind = "cancelled"

    def __init__(self, url: str = "") -> None:
        super().__init__(tr("Cancelled."), url)
        self.url = url


class UnreadableDocument(CartoguideError):
    """Bytes that are not a readable document: broken, empty, too large or hostile."""


def too_large(name: str, max_bytes: int, size: Optional[int] = None) -> UnreadableDocument:
    """Return the error for the document ``name``, which is larger than ``max_bytes``.

    ``size`` is its size in bytes, None if only the excess is known.
    """
    limit = max_bytes // 1_000_000
    if size is None:
        return UnreadableDocument(
            tr("{name} is too large to be read: the limit is {limit} MB.", name=name, limit=limit))
    return UnreadableDocument(
        tr("{name} is too large to be read: {size} MB, the limit is {limit} MB.", name=name, size=size // 1_000_000,
           limit=limit))


class NotARecord(CartoguideError):
    """The document is sound, but it is something other than a catalogue record; ``what`` names it."""

    def __init__(self, user_text: str, detail: str = "", document_kind: str = "") -> None:
        super().__init__(user_text, detail)
        self.document_kind = document_kind


class ServiceError(CartoguideError):
    """A service answered with an exception report; ``code`` is the service's own (may be empty)."""

    def __init__(self, user_text: str, detail: str = "", code: str = "") -> None:
        super().__init__(user_text, detail)
        self.code = code


class InvalidRequest(CartoguideError):
    """A request that the service's own capabilities do not allow."""


class NotCapabilities(CartoguideError):
    """The document is sound, but it is no WMS capabilities document that can be read; ``what`` names what it is.

    ``version`` is the WMS version that the document announces, where that is what stands in the way.
    """

    def __init__(self, user_text: str, detail: str = "", document_kind: str = "", version: str = "") -> None:
        super().__init__(user_text, detail)
        self.document_kind = document_kind
        self.version = version


class UnexpectedResponse(CartoguideError):
    """A server answered, but not with what was asked for; ``status`` is the HTTP status (0 where there is none).

    ``url`` is the address that answered, where what can be done about it depends on the server.
    """

    def __init__(self, user_text: str, detail: str = "", status: int = 0, url: str = "") -> None:
        super().__init__(user_text, detail)
        self.status = status
        self.url = url


class InvalidDocument(CartoguideError):
    """A Cartoguide document (custom map, network profile) that breaks its format; ``place`` is a JSON pointer."""

    def __init__(self, user_text: str, detail: str = "", pointer: str = "") -> None:
        super().__init__(user_text, detail)
        self.pointer = pointer
