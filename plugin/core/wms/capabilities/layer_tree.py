"""The layer tree of a capabilities document with inherited values filled in (OGC 06-042 7.2.4.5 to 7.2.4.8).

Most layers add nothing to what they inherit (06-042 Table 7, 01-068r3 Table 5). They share their parent's tuples, so
thousands of layers take little memory.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Callable, Dict, List, Mapping, Optional, Tuple, TypeVar, cast
from urllib.parse import unquote

from lxml import etree

from ...box import Box
from ...cooperative_yield import yielding
from ...errors import UnreadableDocument
from ...html_text import read_html_text
from ...i18n import tr
from ..crs.codes import normalise_crs
from ..dimensions.declared_dimensions import read_dimensions
from ..model import xml_values
from ..model.service import Attribution, BoundingBox, Dimension, Identifier, Layer, LinkedDocument, ScaleRange, Style
from ..model.xml_values import child, child_text, online_resource_url, parse_positive_integer

#: positions of a record's identifier: GeoNetwork's page and API, CSW GetRecordById, pycsw, OGC API Records
_RECORD_ID_PATTERNS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    r"#/?metadata/([^/?&#]+)",
    r"[?&#](?:uuid|fileidentifier|recordid|identifier|metadataid)=([^&#]+)",
    r"/records/([^/?&#]+)",
    r"/collections/[^/?&#]+/items/([^/?&#]+)",
    r"[?&#]id=([^&#]+)",
    r"/metadata/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}|[0-9a-f]{32,64})(?=[/?&#]|\Z)",
))
#: characters. Longer values in an address are not identifiers
_MAX_IDENTIFIER_LENGTH = 256


def record_id_from_url(url: Optional[str]) -> Optional[str]:
    """Return the identifier of the catalogue record that an address contains, or None.

    It is found after ``#/metadata/``, ``uuid=``, ``id=``, ``/records/`` and in similar positions.
    """
    for pattern in _RECORD_ID_PATTERNS if url else ():
        match = pattern.search(url or "")
        if match:
            identifier = unquote(match.group(1)).strip()
            if identifier and len(identifier) <= _MAX_IDENTIFIER_LENGTH:
                return identifier
    return None


def read_link(element: Optional[etree._Element]) -> Optional[LinkedDocument]:
    """Read a MetadataURL, DataURL, FeatureListURL, LegendURL, AuthorityURL or LogoURL. None without an address."""
    if element is None:
        return None
    url = online_resource_url(child(element, "OnlineResource"))
    if url is None:
        return None
    values = xml_values.attributes(element)
    return LinkedDocument(
        url=url, format=child_text(element, "Format"), type=values.get("type"), name=values.get("name"),
        width=parse_positive_integer(values.get("width")), height=parse_positive_integer(values.get("height")))


def read_metadata_link(element: etree._Element) -> Optional[LinkedDocument]:
    """Read a MetadataURL with the identifier of the record that its address contains (7.2.4.6.12)."""
    document = read_link(element)
    if document is None:
        return None
    return LinkedDocument(url=document.url, format=document.format, type=document.type,
                          record_id=record_id_from_url(document.url))


#: limit of inherited values in one document, against attacks on memory
MAX_INHERITED_VALUES = 5_000_000

Item = TypeVar("Item")


class InheritanceMerger:
    """Merges own with inherited values, shares equal results, and limits the total for one document."""

    def __init__(self) -> None:
        self._crs: Dict[Tuple[Tuple[str, ...], Tuple[str, ...]], Tuple[str, ...]] = {}
        self._codes: Dict[str, str] = {}
        #: the last result for each kind of value: layers beside each other often have the same
        self._last: Dict[type, Tuple[object, ...]] = {}
        self._value_count = 0

    def intern_code(self, text: str) -> str:
        """Return the one string object that represents a CRS code throughout the document."""
        return self._codes.setdefault(text, text)

    def merge_crs(self, inherited: Tuple[str, ...], additions: List[str]) -> Tuple[str, ...]:
        """Return the inherited CRSs followed by the layer's own ones, each once (7.2.4.6.7)."""
        if not additions:
            return inherited
        key = (inherited, tuple(additions))
        merged = self._crs.get(key)
        if merged is None:
            combined = tuple(dict.fromkeys(inherited + key[1]))
            merged = inherited if combined == inherited else combined
            self._count_values(len(merged))
            self._crs[key] = merged
        return merged

    def merge(self, inherited: Tuple[Item, ...], additions: List[Item],
              key: Callable[[Item], str]) -> Tuple[Item, ...]:
        """Return the inherited values, each replaced by an own one of the same key, then the others."""
        if not additions:
            return inherited
        merged = {key(item): item for item in inherited}
        for item in additions:
            merged[key(item)] = item
        result = tuple(merged.values())
        if result == inherited:
            return inherited
        self._count_values(len(result))
        former = self._last.get(type(result[0]))
        if former == result:
            return cast(Tuple[Item, ...], former)
        self._last[type(result[0])] = result
        return result

    def _count_values(self, count: int) -> None:
        """Raise UnreadableDocument if the document has spread too many values over its layers."""
        self._value_count += count
        if self._value_count > MAX_INHERITED_VALUES:
            raise UnreadableDocument(
                tr("The capabilities document is too large: its layers inherit more than {limit} values.",
                   limit=MAX_INHERITED_VALUES))


#: 0.28 mm, the pixel size on which scale denominators are based (06-042 7.2.4.6.9)
STANDARD_PIXEL_METRES = 0.00028

#: about two milliseconds of reading: `make bench ARGS="--only window"` with 3,000 layers held the window for 90 ms
#: where the reader did not pause
_LAYERS_BETWEEN_PAUSES = 8

#: degrees of latitude, with a tolerance for boxes written with a margin or a rounding error
_MAX_LATITUDE = 91.0

ElementsByName = Dict[str, List[etree._Element]]


def read_layer_tree(elements: List[etree._Element], version: Tuple[int, ...], service_title: str) -> Optional[Layer]:
    """Return the root layer for the Layer elements of Capability, or None if there are none.

    Several elements become the children of a root layer without a name. Raises UnreadableDocument if the layers inherit
    more values than a sound document needs.
    """
    merger = InheritanceMerger()
    roots = [_read_layer(element, Layer(), version, merger) for element in elements]
    if len(roots) > 1:
        return Layer(title=service_title, layers=tuple(roots))
    return roots[0] if roots else None


def _read_layer(element: etree._Element, parent: Layer, version: Tuple[int, ...], merger: InheritanceMerger) -> Layer:
    """Return one layer and all layers below it. ``parent`` is the layer from which it inherits."""
    elements: ElementsByName = {}
    for kind, part in xml_values.children(element):
        elements.setdefault(kind, []).append(part)
    attributes = xml_values.attributes(element)
    name = xml_values.single_line_text(_first_element(elements, "Name"))
    layer = Layer(
        name=name, title=xml_values.name_of(_first_element(elements, "Title")) or name or "",
        abstract=xml_values.prose(_first_element(elements, "Abstract")),
        keywords=read_keywords(_first_element(elements, "KeywordList"), _first_element(elements, "Keywords")),
        crs=merger.merge_crs(parent.crs, _crs_codes(elements, merger)),
        # a layer must not redefine an inherited style (7.2.4.6.5)
        styles=merger.merge(parent.styles, _styles(elements), lambda style: style.name),
        bboxes=merger.merge(parent.bboxes, _read_bounding_boxes(elements, merger),
                            lambda box: normalise_crs(box.crs)),
        geographic_bbox=_read_geographic_bbox(elements) or parent.geographic_bbox,
        scale_range=_scale_range(elements, parent.scale_range),
        dimensions=_dimensions(elements, parent, version),
        attribution=_attribution(_first_element(elements, "Attribution")) or parent.attribution,
        authorities=merger.merge(parent.authorities, _links(elements, "AuthorityURL"),
                                 lambda link: link.name or link.url),
        identifiers=_identifiers(elements),
        metadata_urls=tuple(filter(None, map(read_metadata_link, elements.get("MetadataURL", ())))),
        data_urls=tuple(_links(elements, "DataURL")),
        feature_list_urls=tuple(_links(elements, "FeatureListURL")),
        queryable=_boolean_attribute(attributes, "queryable", parent.queryable),
        cascaded=_count_attribute(attributes, "cascaded", parent.cascaded) or 0,
        opaque=_boolean_attribute(attributes, "opaque", parent.opaque),
        no_subsets=_boolean_attribute(attributes, "nosubsets", parent.no_subsets),
        fixed_size=(_count_attribute(attributes, "fixedwidth", parent.fixed_size[0]),
                    _count_attribute(attributes, "fixedheight", parent.fixed_size[1])))
    child_layers = elements.get("Layer")
    if not child_layers:
        return layer
    # thousands of layers are read beside a window
    return replace(layer, layers=tuple([
        _read_layer(child, layer, version, merger) for child in yielding(child_layers, _LAYERS_BETWEEN_PAUSES)]))


def read_keywords(*lists: Optional[etree._Element]) -> Tuple[str, ...]:
    """Return the trimmed keywords of a KeywordList. WMS 1.0.0 writes them as one text separated by spaces."""
    result: List[str] = []
    for element in lists:
        if element is None:
            continue
        words = [
            xml_values.single_line_text(child) for name, child in xml_values.children(element) if name == "Keyword"
        ]
        result += [word for word in words if word] if words else (xml_values.single_line_text(element) or "").split()
    return tuple(result)


def _first_element(elements: ElementsByName, name: str) -> Optional[etree._Element]:
    return elements[name][0] if name in elements else None


def _crs_codes(elements: ElementsByName, merger: InheritanceMerger) -> List[str]:
    """Return the layer's own CRSs. One SRS element may list several, separated by spaces (01-068r3 7.1.4.5.5)."""
    codes: List[str] = []
    for name in ("CRS", "SRS"):
        for element in elements.get(name, ()):
            codes += [merger.intern_code(code) for code in (xml_values.single_line_text(element) or "").split()]
    return codes


def _styles(elements: ElementsByName) -> List[Style]:
    styles = []
    for element in elements.get("Style", ()):
        name = xml_values.child_text(element, "Name")
        if name is None:
            continue
        legends = [read_link(child) for kind, child in xml_values.children(element) if kind == "LegendURL"]
        styles.append(
            Style(name=name, title=xml_values.name_of(xml_values.child(element, "Title")),
                  abstract=xml_values.prose(xml_values.child(element, "Abstract")),
                  legends=tuple(legend for legend in legends if legend)))
    return styles


def _read_bounding_boxes(elements: ElementsByName, merger: InheritanceMerger) -> List[BoundingBox]:
    boxes = []
    for element in elements.get("BoundingBox", ()):
        attributes = xml_values.attributes(element)
        code = attributes.get("crs") or attributes.get("srs")
        corners = _corners(attributes)
        if code is not None and corners is not None:
            resx, resy = (xml_values.parse_number(attributes.get(name)) for name in ("resx", "resy"))
            boxes.append(BoundingBox(merger.intern_code(code), *corners, resx=resx, resy=resy))
    return boxes


def _corners(texts: Mapping[str, Optional[str]], names: Tuple[str, str, str, str] = ("minx", "miny", "maxx", "maxy"),
             ) -> Optional[Tuple[float, float, float, float]]:
    """Return the numbers in these four texts, or None unless all four are numbers."""
    minx, miny, maxx, maxy = (xml_values.parse_number(texts.get(name)) for name in names)
    if minx is None or miny is None or maxx is None or maxy is None:
        return None
    return (minx, miny, maxx, maxy)


def _read_geographic_bbox(elements: ElementsByName) -> Optional[Box]:
    """Read EX_GeographicBoundingBox, or LatLonBoundingBox of WMS 1.1.x, whose x is the longitude."""
    element = _first_element(elements, "EX_GeographicBoundingBox")
    if element is not None:
        texts = {name: xml_values.single_line_text(child) for name, child in xml_values.children(element)}
        sides = _corners(texts, ("westBoundLongitude", "southBoundLatitude", "eastBoundLongitude",
                                 "northBoundLatitude"))
        if sides is not None:
            return _valid_geographic_bbox(Box(*sides))
    element = _first_element(elements, "LatLonBoundingBox")
    corners = None if element is None else _corners(xml_values.attributes(element))
    return _valid_geographic_bbox(Box(*corners)) if corners else None


def _valid_geographic_bbox(box: Box) -> Optional[Box]:
    """Return the box in degrees, or None if it lies outside valid longitudes and latitudes.

    An overshoot at a pole is clipped as a rounding error. Swapped axes are corrected if only that gives a valid box.
    """
    valid = next(filter(_is_valid_geographic_bbox, (box, box.with_axes_swapped)), None)
    return None if valid is None else valid._replace(south=max(valid.south, -90.0), north=min(valid.north, 90.0))


def _is_valid_geographic_bbox(box: Box) -> bool:
    return (max(abs(box.west), abs(box.east)) <= 360 and max(abs(box.south), abs(box.north)) <= _MAX_LATITUDE
            and box.south <= box.north)


def _scale_range(elements: ElementsByName, inherited: ScaleRange) -> ScaleRange:
    """Return MinScaleDenominator and MaxScaleDenominator, or both from a ScaleHint.

    Each replaces the inherited value (7.2.4.6.9).
    """
    smallest, largest = inherited
    if "MinScaleDenominator" in elements:
        text = xml_values.single_line_text(elements["MinScaleDenominator"][0])
        smallest = _positive_or_none(xml_values.parse_number(text))
    if "MaxScaleDenominator" in elements:
        text = xml_values.single_line_text(elements["MaxScaleDenominator"][0])
        largest = _positive_or_none(xml_values.parse_number(text))
    if "ScaleHint" in elements and not ("MinScaleDenominator" in elements or "MaxScaleDenominator" in elements):
        hint = elements["ScaleHint"][0]
        smallest = _scale_denominator(xml_values.parse_number(xml_values.attribute(hint, "min")))
        largest = _scale_denominator(xml_values.parse_number(xml_values.attribute(hint, "max")))
    return (smallest, largest) if (smallest, largest) != inherited else inherited


def _scale_denominator(diagonal: Optional[float]) -> Optional[float]:
    """Return the scale denominator for a value of ScaleHint (01-068r3 7.1.4.5.16).

    ``diagonal`` is the diagonal of the map's central pixel in metres.
    """
    return _positive_or_none(diagonal / 2 ** 0.5 / STANDARD_PIXEL_METRES if diagonal else None)


def _positive_or_none(value: Optional[float]) -> Optional[float]:
    """Return the denominator if it is positive and finite, otherwise None, which sets no limit."""
    return value if value is not None and 0 < value < float("inf") else None


def _dimensions(elements: ElementsByName, parent: Layer, version: Tuple[int, ...]) -> Tuple[Dimension, ...]:
    if "Dimension" not in elements and "Extent" not in elements:
        return parent.dimensions
    dimension_elements = [(name, element) for name in ("Dimension", "Extent") for element in elements.get(name, ())]
    return read_dimensions(dimension_elements, parent.dimensions, separate_extents=version < (1, 3))


def _attribution(element: Optional[etree._Element]) -> Optional[Attribution]:
    """Return title, address and logo of the data provider (7.2.4.6.11), or None if all are blank."""
    if element is None:
        return None
    title = read_html_text(xml_values.child_text(element, "Title") or "")
    attribution = Attribution(title=" ".join(title.text.split()) or None,
                              url=xml_values.online_resource_url(xml_values.child(element, "OnlineResource"))
                              or title.address,
                              logo=read_link(xml_values.child(element, "LogoURL")))
    return attribution if attribution != Attribution() else None


def _identifiers(elements: ElementsByName) -> Tuple[Identifier, ...]:
    pairs = ((xml_values.attribute(element, "authority"), xml_values.single_line_text(element))
             for element in elements.get("Identifier", ()))
    return tuple(Identifier(authority=authority or "", value=value) for authority, value in pairs if value)


def _links(elements: ElementsByName, name: str) -> List[LinkedDocument]:
    return [link for link in map(read_link, elements.get(name, ())) if link]


def _boolean_attribute(attributes: Mapping[str, str], name: str, inherited: bool) -> bool:
    """Return a boolean attribute, or the inherited value if it is absent or unreadable (7.2.4.7)."""
    value = xml_values.parse_boolean(attributes.get(name))
    return inherited if value is None else value


def _count_attribute(attributes: Mapping[str, str], name: str, inherited: Optional[int]) -> Optional[int]:
    """Return a counting attribute, or the inherited value if it is absent (7.2.4.7.6).

    0 means none and cancels an inherited value.
    """
    value = xml_values.parse_integer(attributes.get(name))
    if value is None:
        return inherited
    return value if value > 0 else None
