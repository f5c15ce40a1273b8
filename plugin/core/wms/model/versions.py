"""WMS version numbers: which ones are understood, and which one to ask for next (OGC 06-042 6.2)."""

from __future__ import annotations

import re
from typing import Collection, Dict, Optional, Sequence, Tuple

#: the versions that Cartoguide speaks, best first
SUPPORTED_VERSIONS: Tuple[str, ...] = ("1.3.0", "1.1.1", "1.1.0", "1.0.0")

#: what 1.0.0 calls its operations in REQUEST (00-028 Annex A)
_WMS_1_0_REQUESTS = {"GetCapabilities": "capabilities", "GetMap": "map", "GetFeatureInfo": "feature_info"}
_VERSION_NUMBER = re.compile(r"\s*(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?\s*\Z")


def parse_version(version: str) -> Optional[Tuple[int, int, int]]:
    """The three numbers of ``x.y.z`` (``x.y`` counts as ``x.y.0``); None where it is no version number."""
    match = _VERSION_NUMBER.match(version)
    return (int(match.group(1)), int(match.group(2)), int(match.group(3) or 0)) if match else None


def is_supported_version(version: str, supported: Sequence[str] = SUPPORTED_VERSIONS) -> bool:
    """Whether ``version`` is one of those understood."""
    return parse_version(version) in [parse_version(own) for own in supported]


def base_parameters(version: str, request: str) -> Dict[str, str]:
    """SERVICE, VERSION and REQUEST of an operation that every version has; 1.0.0 has WMTVER and words of its own."""
    numbers = parse_version(version)
    if numbers is not None and numbers < (1, 1):
        return {"WMTVER": version, "REQUEST": _WMS_1_0_REQUESTS[request]}
    return {"SERVICE": "WMS", "VERSION": version, "REQUEST": request}


def negotiate_version(requested: str, received: str, supported: Sequence[str] = SUPPORTED_VERSIONS,
                      tried: Collection[str] = ()) -> Optional[str]:
    """The version to ask for next when ``asked`` ("" for none) was answered with ``answered``; None ends it.

    It ends well where ``understands(answered)``; else there is nothing left to try. As 6.2.4 has it: an answer that is
    not understood is followed by the highest version below it, or, where the server already went up because it has
    nothing lower, by the lowest version above it. What was asked for ``already`` is not asked for again, so that a
    caller who keeps count comes to an end with any server.
    """
    numbers = parse_version(received)
    if numbers is None or is_supported_version(received, supported):
        return None
    known = {parse_version(version): version for version in supported}
    for version in (requested, *tried):
        known.pop(parse_version(version), None)
    asked_numbers = parse_version(requested)
    if asked_numbers is not None and numbers > asked_numbers:
        above = [own for own in known if own is not None and own > numbers]
        return known[min(above)] if above else None
    below = [own for own in known if own is not None and own < numbers]
    return known[max(below)] if below else None
