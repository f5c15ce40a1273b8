"""The Service: one WMS endpoint with its layer tree, inherited values already filled in (OGC 06-042)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any, Iterator, Mapping, Optional, Tuple

from ...box import Box

SERVICE_FORMAT = "cartoguide-service/1"


#: (MinScaleDenominator, MaxScaleDenominator), None where open
ScaleRange = Tuple[Optional[float], Optional[float]]


#: share by which the scale of a page differs from the one that was chosen, as a size in map units is rounded
_SCALE_TOLERANCE = 1e-6


def in_scale_range(scale_range: ScaleRange, scale: float) -> bool:
    """Return whether the scale denominator ``scale`` lies in ``scale_range`` (7.2.4.6.9, SE 1.1 10.2).

    The minimum is included, the maximum is not, whatever the last digits of ``scale`` are.
    """
    minimum, maximum = map(scale_limit, scale_range)
    return (minimum is None or scale >= minimum) and (maximum is None or scale < maximum)


def scale_limit(denominator: Optional[float]) -> Optional[float]:
    """Return the denominator that a scale is compared with for a limit of a scale range, None where it is open.

    Scales that are meant to be the limit are all on one side of it. What draws compares with the same one.
    """
    return None if denominator is None else denominator * (1 - _SCALE_TOLERANCE)


@dataclass(frozen=True)
class BoundingBox:
    """A bounding box in ``crs`` (6.7.4).

    ``minx`` and ``maxx`` belong to the CRS's first axis, ``miny`` and ``maxy`` to its second axis, exactly as
    advertised.
    """

    crs: str
    minx: float
    miny: float
    maxx: float
    maxy: float
    resx: Optional[float] = None
    resy: Optional[float] = None


@dataclass(frozen=True)
class LinkedDocument:
    """A MetadataURL, DataURL, FeatureListURL, LegendURL, AuthorityURL or logo."""

    url: str
    format: Optional[str] = None
    type: Optional[str] = None
    name: Optional[str] = None
    width: Optional[int] = None
    height: Optional[int] = None
    #: the catalogue record's identifier, if the address contains one (GeoNetwork puts it after ``#``)
    record_id: Optional[str] = None


@dataclass(frozen=True)
class Style:
    """A style of a layer (7.2.4.6.5)."""

    name: str
    title: Optional[str] = None
    abstract: Optional[str] = None
    legends: Tuple[LinkedDocument, ...] = ()


@dataclass(frozen=True)
class Dimension:
    """A dimension of a layer with its extent as written (Annex C)."""

    name: str
    units: Optional[str] = None
    unit_symbol: Optional[str] = None
    default: Optional[str] = None
    multiple_values: bool = False
    nearest_value: bool = False
    current: bool = False
    extent: str = ""


@dataclass(frozen=True)
class Identifier:
    """An identifier of a layer, and the authority that assigned it."""

    authority: str
    value: str


@dataclass(frozen=True)
class Attribution:
    """The data provider to credit (7.2.4.6.11)."""

    title: Optional[str] = None
    url: Optional[str] = None
    logo: Optional[LinkedDocument] = None


@dataclass(frozen=True)
class ServiceContact:
    organisation: Optional[str] = None
    individual: Optional[str] = None
    position: Optional[str] = None
    email: Optional[str] = None
    phone: Optional[str] = None
    address: Optional[str] = None


@dataclass(frozen=True)
class ServiceLimits:
    """LayerLimit, MaxWidth and MaxHeight in pixels (7.2.4.3). None means no limit."""

    layers: Optional[int] = None
    width: Optional[int] = None
    height: Optional[int] = None


@dataclass(frozen=True)
class OperationInfo:
    """The advertised addresses and formats of an operation. ``name`` keeps its prefix (``sld:DescribeLayer``)."""

    name: str
    get: Optional[str] = None
    post: Optional[str] = None
    formats: Tuple[str, ...] = ()
    #: the encodings that the service declares for its POST address ("KVP", "XML", a media type), usually none
    post_encodings: Tuple[str, ...] = ()
    #: every address that the document names for the operation: other programs use another one than the first
    named_addresses: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Layer:
    """A layer with the values that it inherits.

    ``name`` is None for a group that only has a title and cannot be requested. ``scale_range`` holds the denominators
    (MinScaleDenominator, MaxScaleDenominator), None where open. ``fixed_size`` is (fixedWidth, fixedHeight) in pixels.
    """

    name: Optional[str] = None
    title: str = ""
    abstract: Optional[str] = None
    keywords: Tuple[str, ...] = ()
    crs: Tuple[str, ...] = ()
    styles: Tuple[Style, ...] = ()
    bboxes: Tuple[BoundingBox, ...] = ()
    #: EX_GeographicBoundingBox or LatLonBoundingBox, in degrees
    geographic_bbox: Optional[Box] = None
    scale_range: ScaleRange = (None, None)
    dimensions: Tuple[Dimension, ...] = ()
    attribution: Optional[Attribution] = None
    authorities: Tuple[LinkedDocument, ...] = ()
    identifiers: Tuple[Identifier, ...] = ()
    metadata_urls: Tuple[LinkedDocument, ...] = ()
    data_urls: Tuple[LinkedDocument, ...] = ()
    feature_list_urls: Tuple[LinkedDocument, ...] = ()
    queryable: bool = False
    cascaded: int = 0
    opaque: bool = False
    no_subsets: bool = False
    fixed_size: Tuple[Optional[int], Optional[int]] = (None, None)
    layers: Tuple[Layer, ...] = ()

    def walk(self) -> Iterator[Layer]:
        """Yield this layer and all layers below it, in the document's order."""
        waiting = [self]
        while waiting:
            layer = waiting.pop()
            yield layer
            waiting.extend(reversed(layer.layers))

    def style(self, name: str) -> Optional[Style]:
        """Return the style called ``name``, defined here or inherited, or None."""
        return next((style for style in self.styles if style.name == name), None)


@dataclass(frozen=True)
class Service:
    """One WMS endpoint as described by its capabilities."""

    version: str
    title: str = ""
    name: Optional[str] = None
    abstract: Optional[str] = None
    keywords: Tuple[str, ...] = ()
    online_resource: Optional[str] = None
    contact: ServiceContact = ServiceContact()
    fees: Optional[str] = None
    access_constraints: Optional[str] = None
    limits: ServiceLimits = ServiceLimits()
    operations: Mapping[str, OperationInfo] = field(default_factory=dict)
    exceptions: Tuple[str, ...] = ()
    update_sequence: Optional[str] = None
    #: INSPIRE extended capabilities: metadata record and languages
    metadata_urls: Tuple[LinkedDocument, ...] = ()
    languages: Tuple[str, ...] = ()
    default_language: Optional[str] = None
    root: Optional[Layer] = None
    #: UserDefinedSymbolization's SupportSLD (05-078r4 7.3)
    supports_sld: bool = False
    #: the capabilities document as received
    original: bytes = field(default=b"", repr=False, compare=False)

    def iter_layers(self) -> Iterator[Layer]:
        """Yield every layer and group, in the document's order."""
        return iter(self._layers)

    def layer(self, name: str) -> Optional[Layer]:
        """Return the layer with the name ``name``, or None. Names are case-sensitive (7.3.3.3)."""
        return self._layers_by_name.get(name)

    @cached_property
    def _layers(self) -> Tuple[Layer, ...]:
        # a change of the map goes through the thousands of a large service many times
        return tuple(self.root.walk()) if self.root is not None else ()

    @cached_property
    def _layers_by_name(self) -> Mapping[str, Layer]:
        # the first of several
        return {layer.name: layer for layer in reversed(self._layers) if layer.name is not None}

    def operation(self, name: str) -> Optional[OperationInfo]:
        """Return the operation called ``name``, with or without its prefix, or None."""
        plain_name = name.split(":")[-1]
        return next((info for key, info in self.operations.items() if key.split(":")[-1] == plain_name), None)

    @property
    def attribution(self) -> Optional[Attribution]:
        """The root layer's attribution, which applies to the whole service."""
        return self.root.attribution if self.root else None

    def to_dict(self) -> dict[str, Any]:
        """Return the Service with its layer tree as JSON-ready values in the stable format ``cartoguide-service/1``.

        An absent value is None or an empty list. Inherited values are filled in. ``bboxes`` are in the axis order of
        their CRS, ``geographic_bbox`` is in degrees.
        """
        values = _json_ready(self)
        root = values.pop("root")
        del values["original"]
        for operation in values["operations"].values():
            del operation["name"], operation["named_addresses"]
        return {"format": SERVICE_FORMAT, **values, "attribution": _json_ready(self.attribution),
                "layers": [root] if root else []}


def _json_ready(value: Any) -> Any:
    # layers may be as deep as XML allows: no comprehensions, which would be called between
    if isinstance(value, str):
        # nearly all of them, since each layer has all CRSs that it inherits
        return value
    if isinstance(value, Box):
        return value._asdict()
    if is_dataclass(value):
        names = [member.name for member in fields(value)]
        return dict(zip(names, map(_json_ready, [getattr(value, name) for name in names])))
    if isinstance(value, Mapping):
        return dict(zip(value, map(_json_ready, value.values())))
    return list(map(_json_ready, value)) if isinstance(value, tuple) else value
