"""GetFeatureInfo responses in plain text, as written by MapServer, GeoServer and QGIS Server."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

from .features import IdentifiedFeature
from .geojson_features import MAX_ATTRIBUTES, MAX_FEATURES

_LAYER = re.compile(r"\s*(?:Layer|Results for FeatureType|Capa)\s+['\"“]?(.*?)['\"”]?\s*:?\s*\Z", re.IGNORECASE)
_FEATURE = re.compile(r"\s*Feature\s+([^:=]{0,80}?)\s*:?\s*\Z", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r"\s*[-=_*]{4,}\s*\Z")
_NO_RESULTS = re.compile(r"no (?:results|features)|search returned no|sin resultados", re.IGNORECASE)
_HEADING = re.compile(r"\s*GetFeatureInfo results:?\s*\Z", re.IGNORECASE)
_MAX_HEADING_LENGTH = 500
_MAX_NAME_LENGTH = 200


def read_text_features(text: str) -> Optional[Tuple[IdentifiedFeature, ...]]:
    """Return the features in ``text``, or None if its form is unknown.

    The tuple is empty if the text states that there are no results.
    """
    reader = _TextReader()
    lines = text.lstrip("\ufeff").splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        while reader.is_unterminated(line) and index < len(lines):
            # a quoted value that continues on the next line
            line = f"{line}\n{lines[index]}"
            index += 1
        reader.read_line(line)
    reader.finish_feature()
    if reader.features:
        return tuple(reader.features[:MAX_FEATURES])
    return () if _NO_RESULTS.search(text) or reader.only_headings else None


class _TextReader:
    """Collects features line by line. A feature ends where another feature, a layer or a separator line begins."""

    def __init__(self) -> None:
        self.features: List[IdentifiedFeature] = []
        self.only_headings = True
        self._layer, self._name = "", ""
        self._attributes: List[Tuple[str, str]] = []

    def is_unterminated(self, line: str) -> bool:
        """Return whether a quoted value continues on the next line."""
        value = line.partition("=")[2].strip()
        return _is_attribute(line) and value.startswith("'") and not (len(value) > 1 and value.endswith("'")) \
            and line.count("\n") < 200

    def read_line(self, line: str) -> None:
        """Read a heading, a separator or an attribute."""
        if not line.strip() or _HEADING.match(line[:_MAX_HEADING_LENGTH]):
            return
        heading_line = line if len(line) < _MAX_HEADING_LENGTH else ""
        layer_heading, feature_heading = _LAYER.match(heading_line), _FEATURE.match(heading_line)
        first, equals, value = line.partition("=")
        if layer_heading is not None and not equals:
            self.finish_feature()
            # GeoServer puts the namespace in front
            self._layer = layer_heading.group(1).rpartition(":")[2]
        elif feature_heading is not None and not equals:
            self.finish_feature()
            self._name = feature_heading.group(1)
        elif _SEPARATOR_LINE.match(heading_line):
            self.finish_feature()
        elif _is_attribute(line) and len(self._attributes) < MAX_ATTRIBUTES:
            self._attributes.append((first.strip(), _unquoted(value.strip())))
        else:
            self.only_headings = False

    def finish_feature(self) -> None:
        """Add the current feature if it has attributes."""
        if self._attributes:
            self.features.append(IdentifiedFeature(self._layer, tuple(self._attributes), self._name))
        self._attributes, self._name = [], ""


def _is_attribute(line: str) -> bool:
    """Return whether a line, or the first of several, is a name and a value."""
    name, equals, _value = line.partition("\n")[0].partition("=")
    return bool(name and equals) and len(name.strip()) <= _MAX_NAME_LENGTH


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value
