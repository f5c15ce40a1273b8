"""Rules for following the addresses that a catalogue declares."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(address: str) -> bool:
    """Return True if an address is valid only on the machine that it comes from."""
    try:
        return (urlsplit(address).hostname or "").lower() in _LOOPBACK
    except ValueError:
        return False


def trusted_address(declared: str, address: str) -> str:
    """Return a declared address as a client that used ``address`` may use it.

    It never leads from https to http, nor to the server's own localhost. ``address`` is returned if the declared one is
    not a web address.
    """
    try:
        told, used = urlsplit(declared), urlsplit(address)
        told_host, used_host = (told.hostname or "").lower(), (used.hostname or "").lower()
    except ValueError:
        return address
    if told.scheme.lower() not in ("http", "https") or not told_host:
        return address
    same = told_host == used_host
    if not same and told_host in _LOOPBACK:
        return urlunsplit((used.scheme, used.netloc, told.path, told.query, "")) if told.path else address
    if used.scheme.lower() == "https" and told.scheme.lower() == "http":
        return urlunsplit(("https", used.netloc, told.path, told.query, "")) if same else address
    return declared
