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
    """Return the address that a catalogue declares, made safe for a client that reached it at ``address``.

    It never leads from https to http, nor to the localhost of the server that declares it: path and query are then
    taken over to the host of ``address``. ``address`` itself is returned if the declared one is not a web address.
    """
    try:
        declared_parts, used_parts = urlsplit(declared), urlsplit(address)
        declared_host, used_host = (declared_parts.hostname or "").lower(), (used_parts.hostname or "").lower()
    except ValueError:
        return address
    if declared_parts.scheme.lower() not in ("http", "https") or not declared_host:
        return address
    is_same_host = declared_host == used_host
    on_used_host = urlunsplit((used_parts.scheme, used_parts.netloc, declared_parts.path, declared_parts.query, ""))
    if not is_same_host and declared_host in _LOOPBACK:
        return on_used_host if declared_parts.path else address
    if used_parts.scheme.lower() == "https" and declared_parts.scheme.lower() == "http":
        return on_used_host if is_same_host else address
    return declared
