"""Faults that a test switches on: the requests that they affect, and the response that the client gets."""

from __future__ import annotations

import struct
import threading
import zlib
from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import urlencode

EXCEPTION = """<?xml version='1.0' encoding="UTF-8"?>
<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">
<ServiceException code="{code}">{text}</ServiceException>
</ServiceExceptionReport>
"""

HTML = (
    "<!DOCTYPE html><html lang='es'><head><title>Mantenimiento</title></head>"
    "<body><h1>Servicio en mantenimiento</h1></body></html>"
)


class Faults:
    """The faults in force.

    Each is ``{"match": {...}, "action": {...}}``. Match, all optional: ``endpoint`` (precipitation, guide, facilities),
    ``request`` (GetMap …, any case), ``layer`` (a name in LAYERS or LAYER), ``path`` (how the path begins), ``method``,
    ``query`` (a part of the query string), ``nth`` (only the k-th request that the rest of the match fits, from 1).
    Action ``type``: delay {seconds}, hang {seconds}, drip {seconds between bytes}, status {code}, redirect {to},
    exception {code, text}, html, truncate {share}, shorten {share} (so much of it, sent as if it were all),
    corrupt (changes bytes in the middle), content_type {value}, body {text, content_type, status}, close,
    picture {colour: #rrggbb or transparent} (one colour, of the requested size), rewrite {parameters, factor, headers}
    (changes the request to MapServer, pictures become ``factor`` times as large, the answer gets ``headers``),
    drawn_error (an error as a picture, unless EXCEPTIONS=XML is requested).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: List[Dict[str, Any]] = []
        self._counts: List[int] = []

    def replace(self, faults: List[Dict[str, Any]]) -> None:
        """Put these faults in force instead of the former."""
        for fault in faults:
            if not isinstance(fault.get("action"), dict) or "type" not in fault["action"]:
                raise ValueError("a fault needs an action with a type")
        with self._lock:
            self._faults = list(faults)
            self._counts = [0] * len(faults)

    def listed(self) -> List[Dict[str, Any]]:
        """The faults in force."""
        with self._lock:
            return list(self._faults)

    def strike(self, seen: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        """The action for a request (as the log describes it), or None."""
        struck: Optional[Dict[str, Any]] = None
        with self._lock:
            for index, fault in enumerate(self._faults):
                match = fault.get("match", {})
                if not _fits(match, seen):
                    continue
                self._counts[index] += 1
                if struck is None and match.get("nth", self._counts[index]) == self._counts[index]:
                    struck = fault["action"]
        return struck


def one_colour_png(width: int, height: int, colour: str) -> bytes:
    """A PNG of one colour (#rrggbb, or ``transparent``)."""
    pixel = bytes(4) if colour == "transparent" else bytes.fromhex(colour[1:]) + b"\xff"

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(
        b"IDAT", zlib.compress((b"\0" + pixel * width) * height)) + chunk(b"IEND", b"")


def rewritten(seen: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """The query that MapServer is asked instead of the client's."""
    parameters = {**seen["parameters"], **action.get("parameters", {})}
    for name in ("WIDTH", "HEIGHT"):
        if name in parameters:
            parameters[name] = str(max(1, round(int(parameters[name]) * float(action.get("factor", 1)))))
    return urlencode(parameters)


def _fits(match: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    if "endpoint" in match and match["endpoint"] != seen["endpoint"]:
        return False
    if "request" in match and match["request"].lower() != seen["request"].lower():
        return False
    if "layer" in match and match["layer"] not in seen["layers"]:
        return False
    if "query" in match and match["query"] not in seen["query"]:
        return False
    if "method" in match and match["method"].upper() != seen["method"]:
        return False
    return bool(str(seen["path"]).startswith(match.get("path", "")))
