"""GetFeatureInfo as plain text: MapServer's, GeoServer's and QGIS Server's ways of writing features."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

from .geojson import MOST_ATTRIBUTES, MOST_FEATURES
from .model import Feature

_LAYER = re.compile(r"\s*(?:Layer|Results for FeatureType|Capa)\s+['\"“]?(.*?)['\"”]?\s*:?\s*\Z", re.IGNORECASE)
_FEATURE = re.compile(r"\s*Feature\s+([^:=]{0,80}?)\s*:?\s*\Z", re.IGNORECASE)
_PAIR = re.compile(r"\s*([^=]{1,200}?)\s*=\s?(.*)\Z")
_RULE = re.compile(r"\s*[-=_*]{4,}\s*\Z")
_NOTHING = re.compile(r"no (?:results|features)|search returned no|sin resultados", re.IGNORECASE)
_HEAD = re.compile(r"\s*GetFeatureInfo results:?\s*\Z", re.IGNORECASE)
_LONGEST_HEAD = 500


def read_plain(text: str) -> Optional[Tuple[Feature, ...]]:
    """The features in ``text``, none where it says that there are none; None where it is written in no known way."""
    found = _Reading()
    lines = text.lstrip("\ufeff").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        while found.is_open(line) and at < len(lines):
            # a value in quotes that goes on in the next line
            line = f"{line}\n{lines[at]}"
            at += 1
        found.take(line)
    found.close()
    if found.features:
        return tuple(found.features[:MOST_FEATURES])
    return () if _NOTHING.search(text) or found.only_heads else None


class _Reading:
    """The features so far; one that has begun ends where the next one, a layer or a rule begins."""

    def __init__(self) -> None:
        self.features: List[Feature] = []
        self.only_heads = True
        self._layer, self._name = "", ""
        self._pairs: List[Tuple[str, str]] = []

    def is_open(self, line: str) -> bool:
        pair = _PAIR.match(line.partition("\n")[0])
        value = line.partition("=")[2].strip()
        return bool(pair) and value.startswith("'") and not (len(value) > 1 and value.endswith("'")) \
            and line.count("\n") < 200

    def take(self, line: str) -> None:
        if not line.strip() or _HEAD.match(line[:_LONGEST_HEAD]):
            return
        short = line if len(line) < _LONGEST_HEAD else ""
        head, feature = _LAYER.match(short), _FEATURE.match(short)
        first, equals, value = line.partition("=")
        if head is not None and not equals:
            self.close()
            # GeoServer writes the namespace in front
            self._layer = head.group(1).rpartition(":")[2]
        elif feature is not None and not equals:
            self.close()
            self._name = feature.group(1)
        elif _RULE.match(short):
            self.close()
        elif equals and _PAIR.match(line.partition("\n")[0]) and len(self._pairs) < MOST_ATTRIBUTES:
            self._pairs.append((first.strip(), _unquoted(value.strip())))
        else:
            self.only_heads = False

    def close(self) -> None:
        if self._pairs:
            self.features.append(Feature(self._layer, tuple(self._pairs), self._name))
        self._pairs, self._name = [], ""


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value
