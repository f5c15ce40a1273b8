"""Results of GetFeatureInfo: features with attributes and locations, or HTML, or text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from ..csv_tables import safe_cell
from ..wms.crs.bounding_boxes import BBox
from .geometry import Geometry


@dataclass(frozen=True)
class IdentifiedFeature:
    """One feature of a response.

    ``layer`` and ``attributes`` are as in the response. ``crs`` is the CRS of the geometry or box, if there is one,
    with x to the east.
    """

    layer: str = ""
    attributes: Tuple[Tuple[str, str], ...] = ()
    identifier: str = ""
    crs: str = ""
    geometry: Optional[Geometry] = None
    bbox: Optional[BBox] = None

    @property
    def zoom_bbox(self) -> Optional[BBox]:
        """The box to zoom to, in ``crs``, or None if the response has no location."""
        return self.geometry.bbox() if self.geometry is not None else self.bbox

    def value(self, name: str) -> str:
        """Return the value of the attribute called ``name``, or an empty text."""
        return next((value for key, value in self.attributes if key == name), "")


@dataclass(frozen=True)
class FeatureInfoResult:
    """One response in displayable form: features for a table, a sanitised HTML fragment, or text.

    ``text`` is always the response as text.
    """

    format: str = ""
    features: Tuple[IdentifiedFeature, ...] = ()
    html: str = ""
    text: str = ""
    is_empty: bool = False

    @property
    def has_attributes(self) -> bool:
        """True if any feature has attributes."""
        return any(feature.attributes for feature in self.features)


def attribute_names(features: Sequence[IdentifiedFeature]) -> List[str]:
    """Return the names of the features' attributes, each once, in order."""
    return list(dict.fromkeys(name for feature in features for name, _ in feature.attributes))


def group_by_layer(features: Sequence[IdentifiedFeature]) -> List[Tuple[str, List[IdentifiedFeature]]]:
    """Return the features grouped by layer, in the order of the response."""
    by_layer: dict[str, List[IdentifiedFeature]] = {}
    for feature in features:
        by_layer.setdefault(feature.layer, []).append(feature)
    return list(by_layer.items())


def as_tsv(features: Sequence[IdentifiedFeature], heading: bool = True) -> str:
    """Return the features as tab-separated values for spreadsheets, one line each.

    Tabs and line breaks in values become spaces.
    """
    names = attribute_names(features)
    lines = ["\t".join(map(_cell, names))] if heading else []
    lines += ["\t".join(_cell(feature.value(name)) for name in names) for feature in features]
    return "\n".join(lines) + "\n"


def _cell(value: str) -> str:
    return safe_cell(" ".join(value.split()))
