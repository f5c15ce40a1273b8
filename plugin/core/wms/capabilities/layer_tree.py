"""The layer tree of a capabilities document, with what every layer inherits in place (OGC 06-042 7.2.4.5 to
7.2.4.8).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Mapping, Optional, Tuple

from lxml import etree

from ..dimensions.declarations import read_dimensions
from ..model import xml_values
from ..model.service import (
    Attribution,
    BoundingBox,
    Dimension,
    GeographicBoundingBox,
    Identifier,
    Layer,
    LinkedDocument,
    ScaleRange,
    Style,
)
from .inheritance import InheritanceMerger
from .links import read_link, read_metadata_link

#: 0.28 mm, the "common pixel" that scale denominators are reckoned with (06-042 7.2.4.6.9)
STANDARD_PIXEL_METRES = 0.00028

#: degrees of latitude; boxes are written with a margin or a rounding error now and then
_MAX_LATITUDE = 91.0

ElementsByName = Dict[str, List[etree._Element]]


def read_layer_tree(elements: List[etree._Element], version: Tuple[int, ...], service_title: str) -> Optional[Layer]:
    """The root layer from Capability's Layer elements: none, one, or several gathered under one without a name."""
    heritage = InheritanceMerger()
    roots = [_read_layer(element, Layer(), version, heritage) for element in elements]
    if len(roots) > 1:
        return Layer(title=service_title, layers=tuple(roots))
    return roots[0] if roots else None


def _read_layer(element: etree._Element, parent: Layer, version: Tuple[int, ...], heritage: InheritanceMerger) -> Layer:
    """One layer and all below it; ``parent`` is where it inherits from."""
    found: ElementsByName = {}
    for kind, child in xml_values.children(element):
        found.setdefault(kind, []).append(child)
    own = xml_values.attributes(element)
    name = xml_values.single_line_text(_first_element(found, "Name"))
    layer = Layer(
        name=name, title=xml_values.single_line_text(_first_element(found, "Title")) or name or "",
        abstract=xml_values.multiline_text(_first_element(found, "Abstract")),
        keywords=read_keywords(_first_element(found, "KeywordList"),
                               _first_element(found,
                                              "Keywords")), crs=heritage.merge_crs(parent.crs,
                                                                                   _crs_codes(found, heritage)),
        styles=heritage.merge_styles(parent.styles, _styles(found)), bboxes=heritage.merge_bounding_boxes(
            parent.bboxes, _read_bounding_boxes(found, heritage)), geographic_bbox=_read_geographic_bbox(found) or
        parent.geographic_bbox, scale_range=_scale_range(found, parent.scale_range), dimensions=_dimensions(
            found, parent,
            version), attribution=_attribution(_first_element(found, "Attribution")) or parent.attribution,
        authorities=heritage.merge_authorities(parent.authorities,
                                               _links(found, "AuthorityURL")), identifiers=_identifiers(found),
        metadata_urls=tuple(filter(None, map(read_metadata_link,
                                             found.get("MetadataURL", ())))), data_urls=tuple(_links(found, "DataURL")),
        feature_list_urls=tuple(_links(found, "FeatureListURL")), queryable=_boolean_attribute(
            own, "queryable", parent.queryable), cascaded=_count_attribute(own, "cascaded", parent.cascaded) or 0,
        opaque=_boolean_attribute(own, "opaque",
                                  parent.opaque), no_subsets=_boolean_attribute(own, "nosubsets", parent.no_subsets),
        fixed_size=(_count_attribute(own, "fixedwidth",
                                     parent.fixed_size[0]), _count_attribute(own, "fixedheight", parent.fixed_size[1])))
    below = found.get("Layer")
    return replace(layer, layers=tuple([_read_layer(child, layer, version, heritage)
                                        for child in below])) if below else layer


def read_keywords(*lists: Optional[etree._Element]) -> Tuple[str, ...]:
    """The keywords of a KeywordList, trimmed, blank ones left out; 1.0.0 writes them as words of one text."""
    result: List[str] = []
    for element in lists:
        if element is None:
            continue
        inside = [
            xml_values.single_line_text(child) for name, child in xml_values.children(element) if name == "Keyword"
        ]
        result += [word for word in inside if word] if inside else (xml_values.single_line_text(element) or "").split()
    return tuple(result)


def _first_element(found: ElementsByName, name: str) -> Optional[etree._Element]:
    return found[name][0] if name in found else None


def _crs_codes(found: ElementsByName, heritage: InheritanceMerger) -> List[str]:
    """The layer's own CRSs; one SRS element may list several, separated by spaces (01-068r3 7.1.4.5.5)."""
    codes: List[str] = []
    for name in ("CRS", "SRS"):
        for element in found.get(name, ()):
            codes += [heritage.intern_code(code) for code in (xml_values.single_line_text(element) or "").split()]
    return codes


def _styles(found: ElementsByName) -> List[Style]:
    styles = []
    for element in found.get("Style", ()):
        name = xml_values.child_text(element, "Name")
        if name is None:
            continue
        legends = [read_link(child) for kind, child in xml_values.children(element) if kind == "LegendURL"]
        styles.append(
            Style(name=name, title=xml_values.child_text(element, "Title"),
                  abstract=xml_values.multiline_text(xml_values.child(element, "Abstract")),
                  legends=tuple(legend for legend in legends if legend)))
    return styles


def _read_bounding_boxes(found: ElementsByName, heritage: InheritanceMerger) -> List[BoundingBox]:
    boxes = []
    for element in found.get("BoundingBox", ()):
        attributes = xml_values.attributes(element)
        code = attributes.get("crs") or attributes.get("srs")
        corners = _corners(attributes)
        if code is not None and corners is not None:
            resx, resy = (xml_values.parse_number(attributes.get(name)) for name in ("resx", "resy"))
            boxes.append(BoundingBox(heritage.intern_code(code), *corners, resx=resx, resy=resy))
    return boxes


def _corners(attributes: Mapping[str, str]) -> Optional[Tuple[float, float, float, float]]:
    """minx, miny, maxx, maxy; None unless all four are numbers."""
    minx, miny, maxx, maxy = (xml_values.parse_number(attributes.get(name))
                              for name in ("minx", "miny", "maxx", "maxy"))
    if minx is None or miny is None or maxx is None or maxy is None:
        return None
    return (minx, miny, maxx, maxy)


def _read_geographic_bbox(found: ElementsByName) -> Optional[GeographicBoundingBox]:
    """EX_GeographicBoundingBox, or LatLonBoundingBox of 1.1.x, whose x is the longitude."""
    element = _first_element(found, "EX_GeographicBoundingBox")
    if element is not None:
        texts = {name: xml_values.single_line_text(child) for name, child in xml_values.children(element)}
        sides = [
            xml_values.parse_number(texts.get(name))
            for name in ("westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude")
        ]
        if None not in sides:
            return _valid_geographic_bbox(*[side for side in sides if side is not None])
    element = _first_element(found, "LatLonBoundingBox")
    corners = None if element is None else _corners(xml_values.attributes(element))
    return _valid_geographic_bbox(*corners) if corners else None


def _valid_geographic_bbox(west: float, south: float, east: float, north: float) -> Optional[GeographicBoundingBox]:
    """The box in degrees; None where it is none of this world. What a pole is passed by is a rounding error, and a
    box that only makes sense with its axes exchanged is one that was written so: both occur.
    """
    if not _is_valid_geographic_bbox(west, south, east, north) and _is_valid_geographic_bbox(south, west, north, east):
        west, south, east, north = south, west, north, east
    if not _is_valid_geographic_bbox(west, south, east, north):
        return None
    return GeographicBoundingBox(west, max(south, -90.0), east, min(north, 90.0))


def _is_valid_geographic_bbox(west: float, south: float, east: float, north: float) -> bool:
    return max(abs(west), abs(east)) <= 360 and max(abs(south), abs(north)) <= _MAX_LATITUDE and south <= north


def _scale_range(found: ElementsByName, inherited: ScaleRange) -> ScaleRange:
    """Min- and MaxScaleDenominator, each replacing the inherited one (7.2.4.6.9), or both from a ScaleHint."""
    smallest, largest = inherited
    if "MinScaleDenominator" in found:
        smallest = _positive_or_none(
            xml_values.parse_number(xml_values.single_line_text(found["MinScaleDenominator"][0])))
    if "MaxScaleDenominator" in found:
        largest = _positive_or_none(
            xml_values.parse_number(xml_values.single_line_text(found["MaxScaleDenominator"][0])))
    if "ScaleHint" in found and not ("MinScaleDenominator" in found or "MaxScaleDenominator" in found):
        hint = found["ScaleHint"][0]
        smallest = _scale_denominator(xml_values.parse_number(xml_values.attribute(hint, "min")))
        largest = _scale_denominator(xml_values.parse_number(xml_values.attribute(hint, "max")))
    return (smallest, largest) if (smallest, largest) != inherited else inherited


def _scale_denominator(diagonal: Optional[float]) -> Optional[float]:
    """A scale denominator from a ScaleHint: the diagonal, in metres, of the map's central pixel (01-068r3
    7.1.4.5.16).
    """
    return _positive_or_none(diagonal / 2 ** 0.5 / STANDARD_PIXEL_METRES if diagonal else None)


def _positive_or_none(value: Optional[float]) -> Optional[float]:
    """A denominator of 0 or less bounds nothing."""
    return value if value is not None and 0 < value < float("inf") else None


def _dimensions(found: ElementsByName, parent: Layer, version: Tuple[int, ...]) -> Tuple[Dimension, ...]:
    if "Dimension" not in found and "Extent" not in found:
        return parent.dimensions
    elements = [(name, element) for name in ("Dimension", "Extent") for element in found.get(name, ())]
    return read_dimensions(elements, parent.dimensions, separate_extents=version < (1, 3))


def _attribution(element: Optional[etree._Element]) -> Optional[Attribution]:
    """Title, address and logo of whom to credit (7.2.4.6.11); None where all are blank."""
    if element is None:
        return None
    attribution = Attribution(title=xml_values.child_text(element, "Title"),
                              url=xml_values.online_resource_url(xml_values.child(element, "OnlineResource")),
                              logo=read_link(xml_values.child(element, "LogoURL")))
    return attribution if attribution != Attribution() else None


def _identifiers(found: ElementsByName) -> Tuple[Identifier, ...]:
    pairs = ((xml_values.attribute(element, "authority"), xml_values.single_line_text(element))
             for element in found.get("Identifier", ()))
    return tuple(Identifier(authority=authority or "", value=value) for authority, value in pairs if value)


def _links(found: ElementsByName, name: str) -> List[LinkedDocument]:
    return [link for link in map(read_link, found.get(name, ())) if link]


def _boolean_attribute(attributes: Mapping[str, str], name: str, inherited: bool) -> bool:
    """A yes-or-no attribute, inherited where it is absent or unreadable (7.2.4.7)."""
    own = xml_values.parse_boolean(attributes.get(name))
    return inherited if own is None else own


def _count_attribute(attributes: Mapping[str, str], name: str, inherited: Optional[int]) -> Optional[int]:
    """A counting attribute, inherited where it is absent; 0 says none and so undoes an inherited one (7.2.4.7.6)."""
    own = xml_values.parse_integer(attributes.get(name))
    if own is None:
        return inherited
    return own if own > 0 else None
