"""What GetFeatureInfo tells: features with attributes and where they lie, or a page, or text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from ..wms.crs.bounding_boxes import BBox
from .geometry import Geometry


@dataclass(frozen=True)
class IdentifiedFeature:
    """One feature: the layer's name as the answer has it, attributes in its order, and in ``crs`` (x to the east) a
    geometry or a box where the answer has any.
    """

    layer: str = ""
    attributes: Tuple[Tuple[str, str], ...] = ()
    identifier: str = ""
    crs: str = ""
    geometry: Optional[Geometry] = None
    bbox: Optional[BBox] = None

    @property
    def zoom_bbox(self) -> Optional[BBox]:
        """The box to zoom to, in ``crs``; None where the answer does not say where the feature lies."""
        return self.geometry.bbox() if self.geometry is not None else self.bbox

    def value(self, name: str) -> str:
        """The attribute called ``name``, or an empty text."""
        return next((value for key, value in self.attributes if key == name), "")


@dataclass(frozen=True)
class FeatureInfoResult:
    """One answer as it can be shown: features for a table, else a harmless HTML fragment, else text; or nothing at all.

    ``text`` is always there: what came, as text, to be looked at and copied.
    """

    format: str = ""
    features: Tuple[IdentifiedFeature, ...] = ()
    html: str = ""
    text: str = ""
    is_empty: bool = False

    @property
    def has_attributes(self) -> bool:
        """Whether any feature says more than that it is there."""
        return any(feature.attributes for feature in self.features)


def attribute_names(features: Sequence[IdentifiedFeature]) -> List[str]:
    """The names of the features' attributes, each once, in the order in which they come."""
    return list(dict.fromkeys(name for feature in features for name, _ in feature.attributes))


def group_by_layer(features: Sequence[IdentifiedFeature]) -> List[Tuple[str, List[IdentifiedFeature]]]:
    """The features of each layer together, layers in the answer's order."""
    found: dict[str, List[IdentifiedFeature]] = {}
    for feature in features:
        found.setdefault(feature.layer, []).append(feature)
    return list(found.items())


def as_tsv(features: Sequence[IdentifiedFeature], heading: bool = True) -> str:
    """Features as lines of tab-separated values for spreadsheets, one for each; tabs and line breaks become spaces."""
    names = attribute_names(features)
    lines = ["\t".join(map(_cell, names))] if heading else []
    lines += ["\t".join(_cell(feature.value(name)) for name in names) for feature in features]
    return "\n".join(lines) + "\n"


def _cell(value: str) -> str:
    return " ".join(value.split())
