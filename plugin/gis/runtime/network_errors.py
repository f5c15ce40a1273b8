"""Why no answer came, in words for a person: one sentence for each kind of failure."""

from __future__ import annotations

from typing import Sequence
from urllib.parse import urlsplit

from qgis.PyQt.QtNetwork import QNetworkReply

from ...core.errors import CartoguideError
from ...core.i18n import tr


class NetworkFailure(CartoguideError):
    """No answer came. ``kind`` says why in one word, ``url`` which address was asked.

    Kinds: scheme, address, refused, dns, tls, proxy, timeout, too-slow, too-large, closed, redirect, auth, offline,
    cancelled, other. An answer with an HTTP error status is an answer, not a failure. ``insecure_target`` is the http
    address that an https one sends to, where nobody agreed to that.
    """

    def __init__(self, user_text: str, detail: str = "", kind: str = "other", url: str = "",
                 insecure_target: str = "") -> None:
        super().__init__(user_text, detail)
        self.kind = kind
        self.url = url
        self.insecure_target = insecure_target


class Cancelled(NetworkFailure):
    """The person cancelled; nobody needs to be told."""

    def __init__(self, url: str = "") -> None:
        super().__init__(tr("Cancelled."), without_credentials(url), "cancelled", url)


def host_of(url: str) -> str:
    """The host (and port where it is not the usual one) of an address, for people."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2] or url
    except ValueError:
        return url


def without_credentials(url: str) -> str:
    """``url`` as it may be shown and logged: without the name and password that it may carry."""
    before, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{before}{mark}{host.rpartition('@')[2]}{slash}{path}"


_Error = QNetworkReply.NetworkError

_KIND_BY_QT_ERROR = {
    _Error.ConnectionRefusedError: "refused",
    _Error.RemoteHostClosedError: "closed",
    _Error.HostNotFoundError: "dns",
    _Error.TimeoutError: "timeout",
    # QGIS's own inactivity limit aborts the reply
    _Error.OperationCanceledError: "timeout",
    _Error.SslHandshakeFailedError: "tls",
    _Error.TemporaryNetworkFailureError: "offline",
    _Error.NetworkSessionFailedError: "offline",
    _Error.BackgroundRequestNotAllowedError: "offline",
    _Error.TooManyRedirectsError: "redirect",
    _Error.InsecureRedirectError: "redirect",
    _Error.ProxyConnectionRefusedError: "proxy",
    _Error.ProxyConnectionClosedError: "proxy",
    _Error.ProxyNotFoundError: "proxy",
    _Error.ProxyTimeoutError: "proxy",
    _Error.ProxyAuthenticationRequiredError: "proxy",
    _Error.UnknownProxyError: "proxy",
}


def connection_failure(url: str, error: int, detail: str, certificate: Sequence[str] = ()) -> NetworkFailure:
    """The failure that Qt reports as ``error`` (a QNetworkReply.NetworkError), in words; ``certificate`` is what is
    wrong with the server's.
    """
    kind = _KIND_BY_QT_ERROR.get(error, "other")
    return network_failure(kind, url, detail, reason="; ".join(dict.fromkeys(line.rstrip(".") for line in certificate)))


def network_failure(kind: str, url: str, detail: str = "", seconds: str = "", limit: str = "", target: str = "",
                    reason: str = "") -> NetworkFailure:
    """The failure of ``kind`` at ``url``, with its sentence: what happened, to which host, what to do."""
    url, host = without_credentials(url), host_of(url)
    sentences = {
        "refused": lambda: tr("{host} refuses connections, so it seems to be down. Try again later.", host=host),
        "closed": lambda: tr("{host} closed the connection before its answer was complete. Try again.", host=host),
        "dns": lambda: tr("The server {host} was not found. Check the address and your connection.", host=host),
        "tls": lambda: tr("{host} could not prove who it is: its certificate is not accepted. Nothing was read. If "
                          "you trust the server, add its certificate in QGIS's authentication settings.", host=host)
        + (" " + tr("What is wrong with it: {reason}.", reason=reason) if reason else ""),
        "timeout": lambda: tr("{host} did not answer in time. Try again later, or allow more time in the settings.",
                              host=host),
        "too-slow": lambda: tr("{host} answers so slowly that {seconds} s were not enough. Try again later, or allow "
                               "more time in the settings.", host=host, seconds=seconds),
        "too-large": lambda: tr("The answer of {host} is larger than {limit} MB and was not read. Ask for less, or "
                                "raise the limit in the settings.", host=host, limit=limit),
        "offline": lambda: tr("There seems to be no network connection, so {host} could not be asked.", host=host),
        "proxy": lambda: tr("The proxy did not let the request to {host} through. Check the proxy in QGIS's "
                            "network options.", host=host),
        "scheme": lambda: tr("{url} is not an http or https address, so it is not opened.", url=url),
        "address": lambda: tr("{url} is not a valid address. Check how it is written.", url=url),
        "redirect": lambda: tr("{host} sends the request round in circles, so it was given up. Check the address.",
                               host=host),
        "insecure-redirect": lambda: tr("{host} redirects from https to the insecure address {target}, which was not "
                                        "followed. What is sent there can be read and changed on its way.",
                                        host=host, target=target),
        "foreign-redirect": lambda: tr("{host} redirects to {target}, which is not an http or https address, so it was "
                                       "not followed.", host=host, target=target),
        "auth": lambda: tr("The authentication configuration for {host} cannot be used. Check it in QGIS's options.",
                           host=host),
    }
    sentence = sentences.get(kind, lambda: tr("{host} could not be reached. Try again later.", host=host))()
    short = "redirect" if kind.endswith("-redirect") else kind
    return NetworkFailure(sentence, detail or url, short, url, target if kind == "insecure-redirect" else "")
