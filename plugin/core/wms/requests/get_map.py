"""GetMap: the options of a map, and the request for it (OGC 06-042 7.3, 01-068r3 7.2, 00-028 for 1.0.0).

Most servers, MapServer among them, accept the parameters as a form, which is the default. A few take an XML document
(05-078r4 9.2.3). The capabilities of 06-042 cannot declare an encoding. Some services declare it as in OWS Common (a
Constraint PostEncoding inside Post) or with a Format inside Post.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from lxml import etree

from ...box import Box
from ...errors import InvalidRequest
from ...i18n import tr
from ...request import HttpMethod, Request
from ...safe_xml import serialise
from ..crs import bounding_boxes
from ..crs.codes import complete_automatic_crs, is_standard_automatic_crs, proj_definition, unknown_crs_error
from ..dimensions.declared_dimensions import dimension_parameters
from ..model.protocol import base_parameters
from ..model.service import Layer, Service
from . import request_validation
from .advertised_operations import post_encodings
from .sld_profile import user_style_parameters
from .urls import ParameterValue, build_request

#: formats by preference, if none is chosen
PREFERRED_MAP_FORMATS = ("image/png", "image/png; mode=8bit", "image/png8", "image/jpeg", "image/gif", "image/webp",
                         "image/tiff")


@dataclass(frozen=True)
class MapOptions:
    """The contents of a map request.

    ``layers`` are ordered from bottom to top (7.3.3.3). ``styles`` has one entry for each layer, or none for the
    default styles. The extent is either ``bbox`` (west, south, east, north in degrees on WGS 84) or ``native_bbox``
    (minx, miny, maxx, maxy in ``crs`` with x to the east as in QGIS, whatever the axis order of the CRS). With neither
    it is the full extent of the layers. ``width`` and ``height`` are pixels. ``dimensions`` are values by name.
    ``user_style`` is an SLD document or its address.
    """

    layers: Sequence[str]
    crs: str
    width: int
    height: int
    bbox: Optional[Sequence[float]] = None
    native_bbox: Optional[Sequence[float]] = None
    styles: Sequence[str] = ()
    format: str = ""
    transparent: Optional[bool] = None
    background: str = ""
    exceptions: str = ""
    dimensions: Mapping[str, str] = field(default_factory=dict)
    user_style: str = ""


def map_request(service: Service, options: MapOptions, method: HttpMethod = HttpMethod.GET, address: str = "",
                encoding: str = "") -> Request:
    """Return a GetMap request (7.3).

    ``address`` replaces the advertised one. ``encoding`` of a POST body is ``form`` or ``xml``, by default the declared
    one. Raises InvalidRequest, which lists what is offered, for anything that the capabilities do not allow, and
    UnknownCrs for an unknown CRS.
    """
    parameters = {**base_parameters(service.version, "GetMap"), **map_parameters(service, options)}
    info = request_validation.require_operation(service, "GetMap")
    target = request_validation.operation_url(info, method, address)
    if method is HttpMethod.POST and (encoding.lower() or post_encodings(info)[0]) == "xml":
        return build_request(target, method, parameters, body=get_map_document(service, parameters))
    return build_request(target, method, parameters)


def map_parameters(service: Service, options: MapOptions) -> Dict[str, ParameterValue]:
    """Return the parameters of the map without VERSION and REQUEST.

    They are also the first part of GetFeatureInfo (7.4.3.3). Raises InvalidRequest and UnknownCrs like ``map_request``.
    """
    version = request_validation.version_numbers(service)
    layers = request_validation.require_layers(service, options.layers)
    request_validation.check_layer_limit(service, len(layers))
    styles = request_validation.styles_parameter(layers, options.styles)
    crs = resolve_map_crs(layers, options.crs, options.bbox, options.native_bbox is None)
    request_validation.check_size(service, layers, options.width, options.height)
    box = _map_bbox(layers, options, crs, version)
    info = request_validation.require_operation(service, "GetMap")
    parameters: Dict[str, ParameterValue] = {
        "LAYERS": list(options.layers), "STYLES": styles,
        "CRS" if version >= (1, 3) else "SRS": _crs_parameter(crs),
        "BBOX": bounding_boxes.bbox_parameter(crs, box, version),
        "WIDTH": str(options.width), "HEIGHT": str(options.height),
        "FORMAT": request_validation.choose_format(info, options.format, PREFERRED_MAP_FORMATS),
    }
    if options.transparent is not None:
        parameters["TRANSPARENT"] = "TRUE" if options.transparent else "FALSE"
    if options.background:
        parameters["BGCOLOR"] = request_validation.colour_parameter(options.background)
    if options.exceptions:
        parameters["EXCEPTIONS"] = request_validation.exceptions_parameter(service, options.exceptions)
    parameters.update(dimension_parameters(layers, options.dimensions))
    parameters.update(user_style_parameters(service, options.user_style))
    return parameters


def resolve_map_crs(layers: Sequence[Layer], code: str, bbox: Optional[Sequence[float]],
                    use_layer_extent: bool = True) -> str:
    """Return the CRS in the spelling of the layers.

    An automatic projection without parameters is centred on ``bbox`` (degrees), or, if ``use_layer_extent`` is set, on
    the extent of the first layer that has one. Raises InvalidRequest if a layer does not offer the CRS or the
    projection lacks parameters, and UnknownCrs for a CRS that PROJ does not know.
    """
    crs = request_validation.require_common_crs(layers, code)
    if bbox is None and use_layer_extent:
        geographic = next((layer.geographic_bbox for layer in layers if layer.geographic_bbox), None)
        bbox = None if geographic is None else geographic.unwrapped
    if bbox is not None and len(bbox) == 4:
        crs = complete_automatic_crs(crs, (bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2)
    try:
        proj_definition(crs)
    except ValueError as error:
        bare = crs.partition(",")[0]
        if not is_standard_automatic_crs(bare):
            raise unknown_crs_error(crs, str(error)) from error
        raise InvalidRequest(
            tr("The automatic projection {code} requires a unit, a longitude and a latitude, such as {example}.",
               code=crs, example=complete_automatic_crs(bare, -3.5, 38.4)), str(error)) from error
    return crs


def _crs_parameter(crs: str) -> ParameterValue:
    """Return the value of CRS. The parameters of an automatic projection are a list with literal commas."""
    return crs.split(",") if crs[:4].upper() == "AUTO" else crs


def _map_bbox(layers: Sequence[Layer], options: MapOptions, crs: str, version: Tuple[int, int, int]) -> Box:
    """Return the map's box, x to the east.

    Layers with noSubsets can only be drawn as a whole (7.2.4.7.5).
    """
    if options.bbox is not None and options.native_bbox is not None:
        raise InvalidRequest(tr("Enter the extent either in degrees or in the units of {crs}, not both.", crs=crs))
    indivisible = [layer for layer in layers if layer.no_subsets]
    if options.native_bbox is not None:
        box = bounding_boxes.check_bbox(options.native_bbox)
    elif options.bbox is not None:
        box = bounding_boxes.project_bbox(crs, options.bbox)
    else:
        return bounding_boxes.combined_bbox(indivisible or layers, crs, version)
    for layer in indivisible:
        full = bounding_boxes.layer_bbox(layer, crs, version)
        if full is None:
            continue
        geographic = layer.geographic_bbox
        is_full_extent = geographic is not None and options.bbox is not None \
            and bounding_boxes.is_same_bbox(options.bbox, geographic.unwrapped)
        if not (is_full_extent or bounding_boxes.is_same_bbox(box, full)):
            numbers: List[str] = [bounding_boxes.format_number(value) for value in full]
            raise InvalidRequest(tr("The layer “{layer}” can only be drawn as a whole: its extent in {crs} is {box}.",
                                    layer=layer.name, crs=crs, box=", ".join(numbers)))
        box = full
    return box


SLD = "http://www.opengis.net/sld"
SE = "http://www.opengis.net/se"
OWS = "http://www.opengis.net/ows"
WMS = "http://www.opengis.net/wms"
#: parameters that the document can express
_SUPPORTED_PARAMETERS = frozenset(("SERVICE", "VERSION", "REQUEST", "LAYERS", "STYLES", "CRS", "SRS", "BBOX", "WIDTH",
                                   "HEIGHT", "FORMAT", "TRANSPARENT", "BGCOLOR", "EXCEPTIONS", "TIME", "ELEVATION"))
_OPTIONAL_ELEMENTS = {"EXCEPTIONS": "Exceptions", "TIME": "Time", "ELEVATION": "Elevation"}


def get_map_document(service: Service, parameters: Mapping[str, ParameterValue]) -> bytes:
    """Return the GetMap document with the content of ``parameters``.

    Raises InvalidRequest for parameters that the document cannot express.
    """
    beyond = sorted(set(parameters) - _SUPPORTED_PARAMETERS)
    if beyond:
        raise InvalidRequest(tr("A request as XML cannot contain {parameters}. Use GET or a form.",
                                parameters=", ".join(beyond)))
    root = etree.Element(f"{{{SLD}}}GetMap", nsmap={"sld": SLD, "se": SE, "ows": OWS, "wms": WMS},
                         attrib={"service": "WMS", "version": service.version})
    _add_styled_layers(root, _as_list(parameters["LAYERS"]), _as_list(parameters["STYLES"]))
    crs = _as_text(parameters.get("CRS") or parameters.get("SRS") or "")
    _add_element(root, SLD, "CRS", crs)
    box = _as_list(parameters["BBOX"])
    box_element = etree.SubElement(root, f"{{{SLD}}}BoundingBox", attrib={"crs": crs})
    _add_element(box_element, OWS, "LowerCorner", " ".join(box[:2]))
    _add_element(box_element, OWS, "UpperCorner", " ".join(box[2:]))
    output = etree.SubElement(root, f"{{{SLD}}}Output")
    size = etree.SubElement(output, f"{{{SLD}}}Size")
    _add_element(size, SLD, "Width", _as_text(parameters["WIDTH"]))
    _add_element(size, SLD, "Height", _as_text(parameters["HEIGHT"]))
    _add_element(output, WMS, "Format", _as_text(parameters["FORMAT"]))
    if "TRANSPARENT" in parameters:
        _add_element(output, SLD, "Transparent", _as_text(parameters["TRANSPARENT"]).lower())
    if "BGCOLOR" in parameters:
        _add_element(output, SLD, "BGcolor", _as_text(parameters["BGCOLOR"]))
    for name, element in _OPTIONAL_ELEMENTS.items():
        if name in parameters:
            _add_element(root, SLD, element, _as_text(parameters[name]))
    return serialise(root)


def _add_styled_layers(root: etree._Element, layers: List[str], styles: List[str]) -> None:
    """Add each layer as a NamedLayer, a style other than the default as a NamedStyle (SLD 1.1.0 11.2, 11.3)."""
    document = etree.SubElement(root, f"{{{SLD}}}StyledLayerDescriptor", attrib={"version": "1.1.0"})
    for index, layer in enumerate(layers):
        named = etree.SubElement(document, f"{{{SLD}}}NamedLayer")
        _add_element(named, SE, "Name", layer)
        style = styles[index] if index < len(styles) else ""
        if style:
            _add_element(etree.SubElement(named, f"{{{SLD}}}NamedStyle"), SE, "Name", style)


def _add_element(parent: etree._Element, space: str, name: str, text: str) -> None:
    """Add a child element with text. Raises InvalidRequest for characters that XML cannot contain."""
    try:
        etree.SubElement(parent, f"{{{space}}}{name}").text = text
    except ValueError as error:
        raise InvalidRequest(tr("“{words}” cannot be written as XML.", words=repr(text)[:80]), str(error)) from error


def _as_list(value: ParameterValue) -> List[str]:
    return [value] if isinstance(value, str) else list(value)


def _as_text(value: ParameterValue) -> str:
    return value if isinstance(value, str) else ",".join(value)
