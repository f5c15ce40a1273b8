"""GetFeatureInfo as plain text: MapServer's, GeoServer's and QGIS Server's ways of writing features."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

from .features import IdentifiedFeature
from .geojson_features import MAX_ATTRIBUTES, MAX_FEATURES

_LAYER = re.compile(r"\s*(?:Layer|Results for FeatureType|Capa)\s+['\"“]?(.*?)['\"”]?\s*:?\s*\Z", re.IGNORECASE)
_FEATURE = re.compile(r"\s*Feature\s+([^:=]{0,80}?)\s*:?\s*\Z", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\s*([^=]{1,200}?)\s*=\s?(.*)\Z")
_SEPARATOR_LINE = re.compile(r"\s*[-=_*]{4,}\s*\Z")
_NO_RESULTS = re.compile(r"no (?:results|features)|search returned no|sin resultados", re.IGNORECASE)
_HEADING = re.compile(r"\s*GetFeatureInfo results:?\s*\Z", re.IGNORECASE)
_MAX_HEADING_LENGTH = 500


def read_text_features(text: str) -> Optional[Tuple[IdentifiedFeature, ...]]:
    """The features in ``text``, none where it says that there are none; None where it is written in no known way."""
    found = _TextReader()
    lines = text.lstrip("\ufeff").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        while found.is_unterminated(line) and at < len(lines):
            # a value in quotes that goes on in the next line
            line = f"{line}\n{lines[at]}"
            at += 1
        found.read_line(line)
    found.finish_feature()
    if found.features:
        return tuple(found.features[:MAX_FEATURES])
    return () if _NO_RESULTS.search(text) or found.only_headings else None


class _TextReader:
    """The features so far; one that has begun ends where the next one, a layer or a rule begins."""

    def __init__(self) -> None:
        self.features: List[IdentifiedFeature] = []
        self.only_headings = True
        self._layer, self._name = "", ""
        self._attributes: List[Tuple[str, str]] = []

    def is_unterminated(self, line: str) -> bool:
        pair = _ATTRIBUTE.match(line.partition("\n")[0])
        value = line.partition("=")[2].strip()
        return bool(pair) and value.startswith("'") and not (len(value) > 1 and value.endswith("'")) \
            and line.count("\n") < 200

    def read_line(self, line: str) -> None:
        if not line.strip() or _HEADING.match(line[:_MAX_HEADING_LENGTH]):
            return
        short = line if len(line) < _MAX_HEADING_LENGTH else ""
        head, feature = _LAYER.match(short), _FEATURE.match(short)
        first, equals, value = line.partition("=")
        if head is not None and not equals:
            self.finish_feature()
            # GeoServer writes the namespace in front
            self._layer = head.group(1).rpartition(":")[2]
        elif feature is not None and not equals:
            self.finish_feature()
            self._name = feature.group(1)
        elif _SEPARATOR_LINE.match(short):
            self.finish_feature()
        elif equals and _ATTRIBUTE.match(line.partition("\n")[0]) and len(self._attributes) < MAX_ATTRIBUTES:
            self._attributes.append((first.strip(), _unquoted(value.strip())))
        else:
            self.only_headings = False

    def finish_feature(self) -> None:
        if self._attributes:
            self.features.append(IdentifiedFeature(self._layer, tuple(self._attributes), self._name))
        self._attributes, self._name = [], ""


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value
