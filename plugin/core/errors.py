"""Errors that are shown to a person."""

from __future__ import annotations

from enum import Enum
from typing import Optional

from .i18n import tr


class FailureKind(str, Enum):
    """Reason why a request got no usable HTTP response."""

    #: the address is not http or https
    SCHEME = "scheme"
    #: the address is malformed
    ADDRESS = "address"
    #: the server refused the connection
    REFUSED = "refused"
    #: the host name could not be resolved
    DNS = "dns"
    #: the server's certificate is not accepted
    TLS = "tls"
    #: the proxy failed or refused the request
    PROXY = "proxy"
    #: no first byte arrived in time
    TIMEOUT = "timeout"
    #: the whole response did not arrive in time
    TOO_SLOW = "too-slow"
    #: the response is larger than the limit
    TOO_LARGE = "too-large"
    #: the server closed the connection early
    CLOSED = "closed"
    #: the compressed response cannot be unpacked
    DAMAGED = "damaged"
    #: a redirect loop, or a redirect that is not followed
    REDIRECT = "redirect"
    #: QGIS could not apply the authentication configuration
    AUTH = "auth"
    #: this machine has no network connection
    OFFLINE = "offline"
    #: the user cancelled
    CANCELLED = "cancelled"
    #: anything else
    OTHER = "other"


class CartoguideError(Exception):
    """Error shown to a person: what happened, to what, and what to do.

    ``user_text`` is one or two translated sentences. ``detail`` is additional technical information (an address, a
    status, a server's text), not needed to understand ``user_text``. Addresses in both lose their logins and keys.
    """

    def __init__(self, user_text: str, detail: str = "") -> None:
        from .addresses import text_without_secrets  # not at the start of QGIS, which loads this module

        self.user_text = text_without_secrets(user_text)
        self.detail = text_without_secrets(detail)
        super().__init__(self.user_text)

    def __str__(self) -> str:
        return self.user_text


class Cancelled(CartoguideError):
    """Work was cancelled by the person, or by a caller that no longer needs the result. Nothing is shown for it.

    ``url`` is the address of the cancelled request, "" for other work.
    """

    def __init__(self, url: str = "") -> None:
        super().__init__(tr("Cancelled."), url)
        self.kind = FailureKind.CANCELLED
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
            tr("{name} is too large to be read: the limit is {limit} MB. Divide it, or request less of it at once.",
               name=name, limit=limit))
    return UnreadableDocument(
        tr("{name} is too large to be read: {size} MB, the limit is {limit} MB. Divide it, or request less of it at "
           "once.", name=name, size=size // 1_000_000, limit=limit))


class NotARecord(CartoguideError):
    """Valid document that is not a catalogue record. ``document_kind`` describes it."""

    def __init__(self, user_text: str, detail: str = "", document_kind: str = "") -> None:
        super().__init__(user_text, detail)
        self.document_kind = document_kind


class ServiceError(CartoguideError):
    """Exception report of a service. ``code`` is the exception code of the service, which may be empty."""

    def __init__(self, user_text: str, detail: str = "", code: str = "") -> None:
        super().__init__(user_text, detail)
        self.code = code


class InvalidRequest(CartoguideError):
    """Request that the capabilities of the service do not allow."""


class NotCapabilities(CartoguideError):
    """Valid document that is not a readable WMS capabilities document. ``document_kind`` describes it.

    ``version`` is the WMS version of the document if it is not supported.
    """

    def __init__(self, user_text: str, detail: str = "", document_kind: str = "", version: str = "") -> None:
        super().__init__(user_text, detail)
        self.document_kind = document_kind
        self.version = version


class UnexpectedResponse(CartoguideError):
    """Response of a server that is not what was requested. ``status`` is the HTTP status (0 without one).

    ``url`` is the address that responded, if the remedy depends on the server.
    """

    def __init__(self, user_text: str, detail: str = "", status: int = 0, url: str = "") -> None:
        super().__init__(user_text, detail)
        self.status = status
        self.url = _without_secrets(url)


class InvalidDocument(CartoguideError):
    """Cartoguide document (custom map, network profile) that breaks its format. ``pointer`` is a JSON pointer."""

    def __init__(self, user_text: str, detail: str = "", pointer: str = "") -> None:
        super().__init__(user_text, detail)
        self.pointer = pointer


class NetworkFailure(CartoguideError):
    """A request got no response. A response with an HTTP error status is not a failure of this class.

    ``kind`` is the reason, ``url`` the requested address. ``insecure_target`` is the http address that an https server
    redirects to, and ``internal_target`` the address in the user's own network that a public server redirects to, if
    the user has not allowed that redirect yet.
    """

    def __init__(self, user_text: str, detail: str = "", kind: FailureKind = FailureKind.OTHER, url: str = "",
                 insecure_target: str = "", internal_target: str = "") -> None:
        super().__init__(user_text, detail)
        self.kind = kind
        self.url = _without_secrets(url)
        self.insecure_target = insecure_target
        self.internal_target = internal_target


class LoginWithheld(CartoguideError):
    """The login for ``url`` was not sent to ``target``, which is on another host and may require it."""

    def __init__(self, user_text: str, detail: str = "", url: str = "", target: str = "") -> None:
        super().__init__(user_text, detail)
        self.url = _without_secrets(url)
        self.target = _without_secrets(target)


#: reasons why no response came that a smaller one may not have
_OF_LARGE_RESPONSES = (FailureKind.TIMEOUT, FailureKind.TOO_SLOW, FailureKind.TOO_LARGE, FailureKind.CLOSED)


def may_depend_on_size(error: CartoguideError) -> bool:
    """Return whether a smaller response may come where this one did not, as far as the error says.

    A server that is down, fails (HTTP 500) or denies access does so for any size. One that finds the request or the
    response too large (413, 414) may send a smaller one.
    """
    kind, status = failure_kind(error), getattr(error, "status", 0)
    return kind in _OF_LARGE_RESPONSES if kind is not None else status < 400 or status in (413, 414)


def failure_kind(error: CartoguideError) -> Optional[FailureKind]:
    """Return why a request got no response, None if there was a response or no request was involved."""
    return error.kind if isinstance(error, (NetworkFailure, Cancelled)) else None


def _without_secrets(url: str) -> str:
    from .addresses import without_secrets  # not at the start of QGIS, which loads this module

    return without_secrets(url)
