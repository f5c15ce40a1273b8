"""Failures of network requests with a sentence for the user, and helpers for showing addresses."""

from __future__ import annotations

from typing import Callable, Dict, Sequence, Tuple

from qgis.PyQt.QtNetwork import QNetworkReply, QSslError

from ...core.addresses import host_and_port
from ...core.errors import FailureKind, NetworkFailure
from ...core.i18n import tr
from ...core.numbers import format_figures


def host_of(url: str) -> str:
    """Return the host of an address for display, with its port if that is not the default one."""
    return host_and_port(url) or url


def without_credentials(url: str) -> str:
    """Return ``url`` without user name and password, for display and for the log."""
    before, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{before}{mark}{host.rpartition('@')[2]}{slash}{path}"


_Error = QNetworkReply.NetworkError

_KIND_BY_QT_ERROR = {
    _Error.ConnectionRefusedError: FailureKind.REFUSED,
    _Error.RemoteHostClosedError: FailureKind.CLOSED,
    _Error.HostNotFoundError: FailureKind.DNS,
    _Error.TimeoutError: FailureKind.TIMEOUT,
    # QGIS's own inactivity limit aborts the reply
    _Error.OperationCanceledError: FailureKind.TIMEOUT,
    _Error.SslHandshakeFailedError: FailureKind.TLS,
    _Error.TemporaryNetworkFailureError: FailureKind.OFFLINE,
    _Error.NetworkSessionFailedError: FailureKind.OFFLINE,
    _Error.BackgroundRequestNotAllowedError: FailureKind.OFFLINE,
    _Error.TooManyRedirectsError: FailureKind.REDIRECT,
    _Error.InsecureRedirectError: FailureKind.REDIRECT,
    _Error.ProxyConnectionRefusedError: FailureKind.PROXY,
    _Error.ProxyConnectionClosedError: FailureKind.PROXY,
    _Error.ProxyNotFoundError: FailureKind.PROXY,
    _Error.ProxyTimeoutError: FailureKind.PROXY,
    _Error.ProxyAuthenticationRequiredError: FailureKind.PROXY,
    _Error.UnknownProxyError: FailureKind.PROXY,
}

#: errors that Qt reports once a server has answered
_ANSWERS = (
    _Error.ContentAccessDenied, _Error.ContentOperationNotPermittedError, _Error.ContentNotFoundError,
    _Error.AuthenticationRequiredError, _Error.ContentReSendError, _Error.ContentConflictError,
    _Error.ContentGoneError, _Error.UnknownContentError, _Error.InternalServerError,
    _Error.OperationNotImplementedError, _Error.ServiceUnavailableError, _Error.UnknownServerError)

#: the status that each of them stands for alone, where the answer itself does not name it
_STATUS = {_Error.ContentNotFoundError: 404, _Error.ContentConflictError: 409, _Error.ContentGoneError: 410,
           _Error.InternalServerError: 500, _Error.OperationNotImplementedError: 501,
           _Error.ServiceUnavailableError: 503}

#: the sentence for each kind, from the address and its host (functions, because the language is chosen at run time)
_SENTENCES: Dict[FailureKind, Callable[[str, str], str]] = {
    FailureKind.REFUSED: lambda url, host: tr(
        "{host} refuses connections, so it seems to be down. Try again later.", host=host),
    FailureKind.CLOSED: lambda url, host: tr(
        "{host} closed the connection before the response was complete. Try again.", host=host),
    FailureKind.DAMAGED: lambda url, host: tr(
        "The compressed response of {host} is damaged or incomplete. Try again.", host=host),
    FailureKind.DNS: lambda url, host: tr(
        "The server {host} was not found. Check the address and your connection.", host=host),
    FailureKind.TLS: lambda url, host: tr(
        "{host} could not prove its identity: its certificate is not accepted. Nothing was read. If you trust the "
        "server, add its certificate in QGIS's authentication settings.", host=host),
    FailureKind.TIMEOUT: lambda url, host: tr(
        "{host} did not respond in time. Try again later, or allow more time in the settings.", host=host),
    FailureKind.OFFLINE: lambda url, host: tr(
        "There seems to be no network connection, so {host} could not be contacted.", host=host),
    FailureKind.PROXY: lambda url, host: tr(
        "The proxy did not let the request to {host} through. Check the proxy in QGIS's network options.", host=host),
    FailureKind.SCHEME: lambda url, host: tr("{url} is not an http or https address, so it is not opened.", url=url),
    FailureKind.ADDRESS: lambda url, host: tr("{url} is not a valid address. Check its spelling.", url=url),
    FailureKind.REDIRECT: lambda url, host: tr(
        "{host} redirects in a loop, so the request was abandoned. Check the address.", host=host),
    FailureKind.AUTH: lambda url, host: tr(
        "The authentication configuration for {host} cannot be used. Check it in QGIS's options.", host=host),
}


_CertificateError = QSslError.SslError

#: what is wrong with a certificate. Qt's own sentences are in English wherever QGIS has no translation of Qt
_CERTIFICATE_PROBLEMS: Sequence[Tuple[Tuple[int, ...], Callable[[], str]]] = (
    ((_CertificateError.CertificateExpired,), lambda: tr("it has expired")),
    ((_CertificateError.CertificateNotYetValid,), lambda: tr("it is not valid yet")),
    ((_CertificateError.HostNameMismatch,), lambda: tr("it was issued for another host")),
    ((_CertificateError.SelfSignedCertificate, _CertificateError.SelfSignedCertificateInChain),
     lambda: tr("it is self-signed")),
    ((_CertificateError.CertificateUntrusted, _CertificateError.UnableToGetIssuerCertificate,
      _CertificateError.UnableToGetLocalIssuerCertificate, _CertificateError.UnableToVerifyFirstCertificate),
     lambda: tr("its issuer is not known")),
    ((_CertificateError.CertificateRevoked,), lambda: tr("it was revoked")),
)


def connection_failure(url: str, error: int, detail: str,
                       certificate_errors: Sequence[Tuple[int, str]] = ()) -> NetworkFailure:
    """Return the failure for a Qt network error.

    ``error`` is a QNetworkReply.NetworkError. ``certificate_errors`` are the problems of the server's certificate: a
    QSslError.SslError and Qt's sentence.
    """
    kind = _KIND_BY_QT_ERROR.get(error, FailureKind.OTHER)
    failure = network_failure(kind, url, detail)
    if kind is not FailureKind.TLS:
        return failure
    if not certificate_errors:
        failure.user_text = tr("{host} did not agree on a secure connection. It may not offer https at this address: "
                               "check the address.", host=host_of(failure.url))
        return failure
    found = {code for code, _ in certificate_errors}
    reasons = [problem() for codes, problem in _CERTIFICATE_PROBLEMS if found.intersection(codes)]
    reason = "; ".join(reasons) or tr("it is not valid")
    failure.user_text += " " + tr("Certificate problem: {reason}.", reason=reason)
    return failure


def network_failure(kind: FailureKind, url: str, detail: str = "") -> NetworkFailure:
    """Return the failure of ``kind`` at ``url``, with a sentence on what happened, to which host, and what to do."""
    url = without_credentials(url)
    sentence = _SENTENCES.get(kind)
    if sentence is None:
        text = tr("{host} could not be reached. Try again later.", host=host_of(url))
    else:
        text = sentence(url, host_of(url))
    return NetworkFailure(text, detail or url, kind, url)


#: the phrase for each kind of failure that people can tell apart, from the host
_PHRASES: Dict[FailureKind, Callable[[str], str]] = {
    FailureKind.REFUSED: lambda host: tr("{host} refuses connections", host=host),
    FailureKind.CLOSED: lambda host: tr("{host} closes the connection", host=host),
    FailureKind.DNS: lambda host: tr("{host} is not found", host=host),
    FailureKind.TIMEOUT: lambda host: tr("{host} does not respond in time", host=host),
}


def phrase_of_failure(url: str, error: int, status: int = 0, media_type: str = "") -> str:
    """Return a phrase about an answer in place of a part of a map, without a full stop.

    ``error`` is a QNetworkReply.NetworkError, ``status`` that of HTTP (0 without an answer).
    """
    host, status = host_of(without_credentials(url)), status or _STATUS.get(error, 0)
    if status >= 400:
        return tr("{host} answers with HTTP {status}", host=host, status=status)
    if error == _Error.NoError:
        return tr("{host} sends a web page in place of the map", host=host) if "html" in media_type \
            else tr("{host} sends an error in place of the map", host=host)
    if error in _ANSWERS:
        return tr("{host} answers with an error", host=host)
    return phrase_of_kind(_KIND_BY_QT_ERROR.get(error, FailureKind.OTHER), url) or tr("{host} cannot be reached",
                                                                                      host=host)


def phrase_without_reason(url: str) -> str:
    """Return a phrase about a part of a map that has not come from ``url``, without a full stop.

    It is for what is known from the text of QGIS alone.
    """
    return tr("{host} has not sent the map", host=host_of(without_credentials(url)))


def phrase_of_kind(kind: FailureKind, url: str) -> str:
    """Return a phrase about a failure at ``url`` without a full stop, or "" for a kind that a phrase cannot explain."""
    phrase = _PHRASES.get(kind)
    return phrase(host_of(without_credentials(url))) if phrase is not None else ""


def slow_response(url: str, seconds: float, detail: str) -> NetworkFailure:
    """Return the failure for a response that did not arrive completely within ``seconds``."""
    url = without_credentials(url)
    text = tr("{host} responds so slowly that {seconds} s were not enough. Try again later, or allow more time in the "
              "settings.", host=host_of(url), seconds=format_figures(seconds))
    return NetworkFailure(text, detail or url, FailureKind.TOO_SLOW, url)


def large_response(url: str, max_bytes: int, detail: str) -> NetworkFailure:
    """Return the failure for a response larger than ``max_bytes``."""
    url = without_credentials(url)
    text = tr("The response of {host} is larger than {limit} MB and was not read. Request less, or raise the limit in "
              "the settings.", host=host_of(url), limit=format_figures(max_bytes / 1024 / 1024))
    return NetworkFailure(text, detail or url, FailureKind.TOO_LARGE, url)


def insecure_redirect(url: str, target: str) -> NetworkFailure:
    """Return the failure for a redirect from https to the http address ``target``, which the user may allow."""
    url = without_credentials(url)
    text = tr("{host} redirects from https to the insecure address {target}, which was not followed. Anyone on the "
              "network path could read and alter what is sent there.", host=host_of(url),
              target=f"http://{host_of(target)}")
    return NetworkFailure(text, target, FailureKind.REDIRECT, url, target)


def internal_redirect(url: str, target: str) -> NetworkFailure:
    """Return the failure for a redirect from a public server into the user's network, which the user may allow."""
    url, target = without_credentials(url), without_credentials(target)
    text = tr("{host} redirects to {target}, an address of this computer or its own network, which was not followed. "
              "A public server has no reason to know such addresses.", host=host_of(url), target=host_of(target))
    return NetworkFailure(text, target, FailureKind.REDIRECT, url, internal_target=target)


def unlisted_redirect(address: str, target: str) -> NetworkFailure:
    """Return the failure for a redirect of a foreign map's server to another one, "" for one that is not known.

    Nobody agreed to that server. Both addresses are origins.
    """
    text = tr("{address} leads to {target}, and nobody agreed to that server. Nothing was sent there.",
              address=address, target=target or tr("another server"))
    return NetworkFailure(text, target, FailureKind.REDIRECT, address)


def diverted_text(layer: str, address: str, target: str) -> str:
    """Return the text about a layer that lacks parts, because its server led to another one (``unlisted_redirect``)."""
    return tr("“{layer}” lacks parts. {reason}", layer=layer, reason=unlisted_redirect(address, target).user_text)


def foreign_redirect(url: str, target: str) -> NetworkFailure:
    """Return the failure for a redirect to an address that is neither http nor https."""
    url = without_credentials(url)
    text = tr("{host} redirects to {target}, which is not an http or https address, so it was not followed.",
              host=host_of(url), target=target)
    return NetworkFailure(text, target, FailureKind.REDIRECT, url)
