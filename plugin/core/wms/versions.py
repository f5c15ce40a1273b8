"""WMS version numbers: which ones are understood, and which one to ask for next (OGC 06-042 6.2)."""

from __future__ import annotations

import re
from typing import Collection, Dict, Optional, Sequence, Tuple

#: the versions that Cartoguide speaks, best first
UNDERSTOOD: Tuple[str, ...] = ("1.3.0", "1.1.1", "1.1.0", "1.0.0")

#: what 1.0.0 calls its operations in REQUEST (00-028 Annex A)
_OLD_WORDS = {"GetCapabilities": "capabilities", "GetMap": "map", "GetFeatureInfo": "feature_info"}
_NUMBER = re.compile(r"\s*(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?\s*\Z")


def parsed(version: str) -> Optional[Tuple[int, int, int]]:
    """The three numbers of ``x.y.z`` (``x.y`` counts as ``x.y.0``); None where it is no version number."""
    match = _NUMBER.match(version)
    return (int(match.group(1)), int(match.group(2)), int(match.group(3) or 0)) if match else None


def understands(version: str, understood: Sequence[str] = UNDERSTOOD) -> bool:
    """Whether ``version`` is one of those understood."""
    return parsed(version) in [parsed(own) for own in understood]


def head(version: str, request: str) -> Dict[str, str]:
    """SERVICE, VERSION and REQUEST of an operation that every version has; 1.0.0 has WMTVER and words of its own."""
    numbers = parsed(version)
    if numbers is not None and numbers < (1, 1):
        return {"WMTVER": version, "REQUEST": _OLD_WORDS[request]}
    return {"SERVICE": "WMS", "VERSION": version, "REQUEST": request}


def negotiate(asked: str, answered: str, understood: Sequence[str] = UNDERSTOOD,
              already: Collection[str] = ()) -> Optional[str]:
    """The version to ask for next when ``asked`` ("" for none) was answered with ``answered``; None ends it.

    It ends well where ``understands(answered)``; else there is nothing left to try. As 6.2.4 has it: an answer that is
    not understood is followed by the highest version below it, or, where the server already went up because it has
    nothing lower, by the lowest version above it. What was asked for ``already`` is not asked for again, so that a
    caller who keeps count comes to an end with any server.
    """
    numbers = parsed(answered)
    if numbers is None or understands(answered, understood):
        return None
    known = {parsed(version): version for version in understood}
    for version in (asked, *already):
        known.pop(parsed(version), None)
    asked_numbers = parsed(asked)
    if asked_numbers is not None and numbers > asked_numbers:
        above = [own for own in known if own is not None and own > numbers]
        return known[min(above)] if above else None
    below = [own for own in known if own is not None and own < numbers]
    return known[max(below)] if below else None
