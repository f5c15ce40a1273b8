"""The Service: what a WMS says of itself, with everything that its layers inherit already in place (OGC 06-042)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Tuple

FORMAT = "cartoguide-service/1"


#: (MinScaleDenominator, MaxScaleDenominator), None where open
ScaleRange = Tuple[Optional[float], Optional[float]]


def draws_at(scale_range: ScaleRange, scale: float) -> bool:
    """Whether what has ``scale_range`` is drawn at the denominator ``scale`` (7.2.4.6.9; SE 1.1, 10.2): the minimum
    is included, the maximum is not.
    """
    least, most = scale_range
    return (least is None or scale >= least) and (most is None or scale < most)


@dataclass(frozen=True)
class BoundingBox:
    """A box in ``crs``: min/max of the CRS's first axis (``minx``/``maxx``) and second axis, exactly as advertised
    (6.7.4).
    """

    crs: str
    minx: float
    miny: float
    maxx: float
    maxy: float
    resx: Optional[float] = None
    resy: Optional[float] = None


@dataclass(frozen=True)
class GeographicBox:
    """EX_GeographicBoundingBox / LatLonBoundingBox: degrees of longitude and latitude."""

    west: float
    south: float
    east: float
    north: float


@dataclass(frozen=True)
class LinkedDocument:
    """MetadataURL, DataURL, FeatureListURL, LegendURL, AuthorityURL, logo: address, media type, and what it is."""

    url: str
    format: Optional[str] = None
    type: Optional[str] = None
    name: Optional[str] = None
    width: Optional[int] = None
    height: Optional[int] = None
    #: the catalogue record's identifier where the address carries one (GeoNetwork's stands after ``#``)
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
    """A dimension with its extent as written (Annex C)."""

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
    """An identifier under an authority."""

    authority: str
    value: str


@dataclass(frozen=True)
class Attribution:
    """Who is to be credited (7.2.4.6.11)."""

    title: Optional[str] = None
    url: Optional[str] = None
    logo: Optional[LinkedDocument] = None


@dataclass(frozen=True)
class ServiceContact:
    """ContactInformation."""

    organisation: Optional[str] = None
    individual: Optional[str] = None
    position: Optional[str] = None
    email: Optional[str] = None
    phone: Optional[str] = None
    address: Optional[str] = None


@dataclass(frozen=True)
class Limits:
    """LayerLimit, MaxWidth, MaxHeight; None is no limit (7.2.4.3)."""

    layers: Optional[int] = None
    width: Optional[int] = None
    height: Optional[int] = None


@dataclass(frozen=True)
class OperationInfo:
    """An operation's advertised addresses and formats; ``name`` keeps its prefix (``sld:DescribeLayer``)."""

    name: str
    get: Optional[str] = None
    post: Optional[str] = None
    formats: Tuple[str, ...] = ()
    #: the encodings that the service declares for its POST address ("KVP", "XML", a media type); mostly none is
    post_encodings: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Layer:
    """A layer with what it inherits. ``name`` is None for a mere group, which cannot be asked for.

    ``scale_range`` is (largest, smallest) allowed as denominators: (MinScaleDenominator, MaxScaleDenominator), None
    where open.
    """

    name: Optional[str] = None
    title: str = ""
    abstract: Optional[str] = None
    keywords: Tuple[str, ...] = ()
    crs: Tuple[str, ...] = ()
    styles: Tuple[Style, ...] = ()
    bboxes: Tuple[BoundingBox, ...] = ()
    geographic_bbox: Optional[GeographicBox] = None
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
        """This layer and all below it, in the document's order."""
        yield self
        for layer in self.layers:
            yield from layer.walk()

    def style(self, name: str) -> Optional[Style]:
        """The style called ``name``, own or inherited."""
        return next((style for style in self.styles if style.name == name), None)


@dataclass(frozen=True)
class Service:
    """One WMS endpoint as its capabilities describe it."""

    version: str
    title: str = ""
    name: Optional[str] = None
    abstract: Optional[str] = None
    keywords: Tuple[str, ...] = ()
    online_resource: Optional[str] = None
    contact: ServiceContact = ServiceContact()
    fees: Optional[str] = None
    access_constraints: Optional[str] = None
    limits: Limits = Limits()
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

    def layers(self) -> Iterator[Layer]:
        """Every layer and group, in the document's order."""
        if self.root is not None:
            yield from self.root.walk()

    def layer(self, name: str) -> Optional[Layer]:
        """The layer that can be asked for under ``name`` (case matters, 7.3.3.3)."""
        return next((layer for layer in self.layers() if layer.name == name), None)

    def operation(self, name: str) -> Optional[OperationInfo]:
        """The operation called ``name``, with or without its prefix."""
        short = name.split(":")[-1]
        return next((info for key, info in self.operations.items() if key.split(":")[-1] == short), None)

    @property
    def attribution(self) -> Optional[Attribution]:
        """The root layer's attribution: the one that speaks for the whole service."""
        return self.root.attribution if self.root else None

    def to_dict(self) -> dict[str, Any]:
        """The Service as JSON-ready values: the stable format ``cartoguide-service/1``."""
        from .as_json import service_to_dict

        return service_to_dict(self)
