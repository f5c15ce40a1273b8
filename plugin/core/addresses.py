"""Hosts of web addresses: those that only their own machine or network can reach."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

#: suffixes of names that no public server answers to (RFC 6761, 6762, 8375, and ICANN's ``.internal``)
_INTERNAL_SUFFIXES = (".local", ".localhost", ".localdomain", ".internal", ".home.arpa")
#: IPv6 addresses that contain an IPv4 address (RFC 6052)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def host_of_address(address: str) -> str:
    """Return the host of an address in lower case, or an empty text."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def is_internal_host(host: str) -> bool:
    """Return True for a name or an IP address that only its own machine or network can reach.

    Names are judged by their form alone: a name of a public form may still resolve to an internal IP address.
    """
    name = host.strip("[]").rstrip(".").lower()
    if ("." not in name and ":" not in name) or name.endswith(_INTERNAL_SUFFIXES):
        return True
    try:
        number = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    if isinstance(number, ipaddress.IPv6Address):
        if number in _NAT64:
            number = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
        else:
            number = number.ipv4_mapped or number.sixtofour or number
    return not number.is_global or number.is_multicast
