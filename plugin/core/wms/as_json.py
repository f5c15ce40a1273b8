"""The Service as JSON-ready values: the stable format ``cartoguide-service/1`` that DESIGN describes."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .model import FORMAT, Attribution, Dimension, Layer, LinkedDocument, Service, Style


def service_to_dict(service: Service) -> Dict[str, Any]:
    """The Service with its layer tree; an absent value is None or an empty list, inherited values are in place."""
    contact = service.contact
    return {
        "format": FORMAT, "version": service.version, "name": service.name, "title": service.title,
        "abstract": service.abstract, "keywords": list(service.keywords), "online_resource": service.online_resource,
        "fees": service.fees, "access_constraints": service.access_constraints,
        "contact": {"organisation": contact.organisation, "individual": contact.individual,
                    "position": contact.position, "email": contact.email, "phone": contact.phone,
                    "address": contact.address},
        "attribution": _attribution(service.attribution),
        "limits": {"layers": service.limits.layers, "width": service.limits.width, "height": service.limits.height},
        "operations": {name: {"get": info.get, "post": info.post, "formats": list(info.formats),
                              "post_encodings": list(info.post_encodings)}
                       for name, info in service.operations.items()},
        "exceptions": list(service.exceptions), "update_sequence": service.update_sequence,
        "supports_sld": service.supports_sld,
        "metadata_urls": [_link(link) for link in service.metadata_urls],
        "languages": list(service.languages), "default_language": service.default_language,
        "layers": [layer_to_dict(service.root)] if service.root else [],
    }


def layer_to_dict(layer: Layer) -> Dict[str, Any]:
    """A layer and all below it. Boxes are in the CRS's own axis order, ``geographic_bbox`` in degrees."""
    box = layer.geographic_bbox
    return {
        "name": layer.name, "title": layer.title, "abstract": layer.abstract, "keywords": list(layer.keywords),
        "crs": list(layer.crs), "styles": [_style(style) for style in layer.styles],
        "bboxes": [{"crs": bbox.crs, "minx": bbox.minx, "miny": bbox.miny, "maxx": bbox.maxx, "maxy": bbox.maxy,
                    "resx": bbox.resx, "resy": bbox.resy} for bbox in layer.bboxes],
        "geographic_bbox": None if box is None else {"west": box.west, "south": box.south, "east": box.east,
                                                     "north": box.north},
        "scale_range": list(layer.scale_range), "dimensions": [_dimension(dimension) for dimension in layer.dimensions],
        "attribution": _attribution(layer.attribution),
        "authorities": [_link(link) for link in layer.authorities],
        "identifiers": [{"authority": identifier.authority, "value": identifier.value}
                        for identifier in layer.identifiers],
        "metadata_urls": [_link(link) for link in layer.metadata_urls],
        "data_urls": [_link(link) for link in layer.data_urls],
        "feature_list_urls": [_link(link) for link in layer.feature_list_urls],
        "queryable": layer.queryable, "cascaded": layer.cascaded, "opaque": layer.opaque,
        "no_subsets": layer.no_subsets, "fixed_size": list(layer.fixed_size),
        "layers": [layer_to_dict(child) for child in layer.layers],
    }


def _style(style: Style) -> Dict[str, Any]:
    return {"name": style.name, "title": style.title, "abstract": style.abstract,
            "legends": [_link(legend) for legend in style.legends]}


def _dimension(dimension: Dimension) -> Dict[str, Any]:
    return {"name": dimension.name, "units": dimension.units, "unit_symbol": dimension.unit_symbol,
            "default": dimension.default, "multiple_values": dimension.multiple_values,
            "nearest_value": dimension.nearest_value, "current": dimension.current, "extent": dimension.extent}


def _attribution(attribution: Optional[Attribution]) -> Optional[Dict[str, Any]]:
    if attribution is None:
        return None
    return {"title": attribution.title, "url": attribution.url,
            "logo": _link(attribution.logo) if attribution.logo else None}


def _link(link: LinkedDocument) -> Dict[str, Any]:
    return {"url": link.url, "format": link.format, "type": link.type, "name": link.name, "width": link.width,
            "height": link.height, "record_id": link.record_id}
