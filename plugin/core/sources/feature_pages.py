"""Features of services, asked for an area page by page, with the number that the service says there are.

WFS 1.0.0 (OGC 02-058), 1.1.0 (04-094) and 2.0 (09-025r2), OGC API - Features (17-069r4), ArcGIS REST API.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Protocol, Set, Tuple
from urllib.parse import quote

from .. import json_document, safe_xml
from ..addresses import host_and_port, joined_address
from ..box import Box
from ..errors import ServiceError, UnreadableDocument
from ..i18n import tr
from ..wms.model.xml_values import local_name
from ..wms.requests.urls import with_parameters
from ..wms.responses.response_validation import ExpectedContent

#: returns what the function makes of the answer at an address. Raises CartoguideError where it does, and Cancelled
Get = Callable[[str, ExpectedContent, Callable[[bytes], Any]], Any]

#: features of a page, where the service has no smaller one, and ids in one address
_PAGE, _IDS = 1000, 100
#: pages of one layer. A service that names the next page for ever has more
_MAX_PAGES = 10_000


@dataclass(frozen=True)
class Feature:
    """One feature: its id, "" if it has none, its attributes, and its geometry as JSON (GeoJSON or Esri's).

    Attributes of GML are texts, and its geometry is in the document.
    """

    key: str
    attributes: Mapping[str, Any]
    geometry: Optional[Mapping[str, Any]]


@dataclass(frozen=True)
class FeaturePage:
    """One answer. ``total`` is the number of features in the area, None if the service does not say it.

    ``document`` is the GML that has the geometries, in the order of the features. With ``is_followed`` there are more
    features than the pages so far have.
    """

    total: Optional[int]
    features: Tuple[Feature, ...] = ()
    document: bytes = b""
    is_followed: bool = False


class FeatureQuery(Protocol):
    """The features of one layer of a service, at its ``address``."""

    @property
    def address(self) -> str:
        """The address in the layer's source."""
        ...

    def pages(self, box: Box, get: Get) -> Iterator[FeaturePage]:
        """Yield the pages of the features in ``box``. Raises CartoguideError, and Cancelled from ``get``."""
        ...


@dataclass(frozen=True)
class WfsQuery:
    """Features of a type. ``address`` is the service's, ``crs`` the name of a reference system, such as EPSG:4326.

    ``inverted`` says that the service takes and sends y first. Without ``version`` it is the service's highest.
    """

    address: str
    type_name: str
    crs: str
    version: str = ""
    inverted: bool = False

    def pages(self, box: Box, get: Get) -> Iterator[FeaturePage]:
        """Yield the pages of the features in ``box``. Raises CartoguideError, and Cancelled from ``get``."""
        root = get(with_parameters(self.address, {
            "SERVICE": "WFS", "REQUEST": "GetCapabilities",
            **({"VERSION": self.version} if self.version else {"ACCEPTVERSIONS": "2.0.0,1.1.0,1.0.0"})}),
            ExpectedContent.XML, self._parse)
        version = root.get("version") or self.version or "2.0.0"
        address = _get_feature_address(root) or self.address
        is_new, has_hits = version.startswith("2"), not version.startswith("1.0")
        corners = box.with_axes_swapped if self.inverted and has_hits else box
        name, authority, code = self.crs, *(self.crs.partition(":")[::2])
        urn = f"urn:ogc:def:crs:{authority}::{code}"
        parameters: Dict[str, str] = {
            "SERVICE": "WFS", "VERSION": version, "REQUEST": "GetFeature",
            "TYPENAMES" if is_new else "TYPENAME": self.type_name, "SRSNAME": urn if has_hits else name,
            "BBOX": ",".join([*map(repr, corners), *([urn] if has_hits else [])])}
        total, most = None, _most_features(root)
        if has_hits:
            total = _stated(get(with_parameters(address, {**parameters, "RESULTTYPE": "hits"}), ExpectedContent.XML,
                                self._parse))
            if total is not None and total == most:
                # MapServer counts no more features than it sends at once
                total = None
        start, count = 0, "COUNT" if is_new else "MAXFEATURES"
        size = 0
        for _number in range(_MAX_PAGES):
            if total == 0:
                return
            asked = {**parameters, **({"STARTINDEX": str(start), count: str(size)} if start else {})}
            page = get(with_parameters(address, asked), ExpectedContent.XML, partial(_gml_page, total, self._name))
            yield replace(page, is_followed=page.is_followed or len(page.features) == most)
            start, size = start + len(page.features), size or len(page.features)
            if not page.features or (total is not None and start >= total) or not has_hits:
                return

    def _parse(self, data: bytes) -> Any:
        return safe_xml.parse(data, self._name)

    @property
    def _name(self) -> str:
        return host_and_port(self.address)


@dataclass(frozen=True)
class OgcApiQuery:
    """Features of a collection. ``address`` is that of the landing page, with its own parameters."""

    address: str
    collection: str

    def pages(self, box: Box, get: Get) -> Iterator[FeaturePage]:
        """Yield the pages of the features in ``box``, in degrees (CRS84). Raises as those of WFS."""
        bare, _, query = self.address.partition("?")
        landing = bare.rstrip("/").partition("/collections")[0]
        address = with_parameters(
            f"{landing}/collections/{quote(self.collection, safe='')}/items{'?' + query if query else ''}",
            {"limit": str(_PAGE), "bbox": ",".join(map(repr, box))})
        visited: Set[str] = set()
        total: Optional[int] = None
        while address and address not in visited and len(visited) < _MAX_PAGES:
            visited.add(address)
            value = get(address, ExpectedContent.JSON, partial(_with_list, "features", host_and_port(address)))
            matched = value.get("numberMatched")
            total = matched if isinstance(matched, int) and not isinstance(matched, bool) else total
            links = value.get("links")
            address = next((joined_address(address, link["href"]) for link in (links if isinstance(links, list) else ())
                            if isinstance(link, dict) and link.get("rel") == "next"
                            and isinstance(link.get("href"), str)), "")
            found = tuple(_geojson_feature(one) for one in value["features"])
            yield FeaturePage(total, found, is_followed=bool(address and found))


@dataclass(frozen=True)
class ArcGisQuery:
    """Features of a layer of a service. ``address`` is the layer's, ``wkid`` the number of the reference system."""

    address: str
    wkid: str
    where: str = ""

    def pages(self, box: Box, get: Get) -> Iterator[FeaturePage]:
        """Yield the pages of the features in ``box``, in the reference system. Raises as those of WFS.

        A service limits the features of an answer, but not their ids.
        """
        bare, _, query = self.address.partition("?")
        address = f"{bare.rstrip('/')}/query{'?' + query if query else ''}"
        answer = self._ask(address, "objectIds", {
            "where": self.where or "1=1", "geometry": ",".join(map(repr, box)), "inSR": self.wkid,
            "geometryType": "esriGeometryEnvelope", "spatialRel": "esriSpatialRelIntersects", "returnIdsOnly": "true"},
            get)
        field = str(answer.get("objectIdFieldName") or "OBJECTID")
        ids = list(dict.fromkeys(str(one) for one in answer["objectIds"]))
        is_cut = bool(answer.get("exceededTransferLimit"))
        for first in range(0, len(ids), _IDS):
            asked = ids[first:first + _IDS]
            page = self._ask(address, "features", {
                "objectIds": ",".join(asked), "outFields": "*", "outSR": self.wkid, "returnGeometry": "true"}, get)
            found = (_esri_feature(one, field) for one in page["features"])
            yield FeaturePage(None if is_cut else len(ids),
                              tuple(one for one in found if not one.key or one.key in asked), is_followed=is_cut)

    def _ask(self, address: str, member: str, parameters: Mapping[str, str], get: Get) -> Mapping[str, Any]:
        found: Mapping[str, Any] = get(with_parameters(address, {**parameters, "f": "json"}), ExpectedContent.JSON,
                                       partial(_with_list, member, host_and_port(self.address)))
        return found


def _with_list(member: str, name: str, data: bytes) -> Mapping[str, Any]:
    """Return a JSON object that has a list, null for an empty one. Raises ServiceError for an error of ArcGIS."""
    value = json_document.parse_json(data, name)
    error = value.get("error") if isinstance(value, dict) else None
    if isinstance(error, dict):
        raise ServiceError(tr("{name} answered: {message}", name=name,
                              message=str(error.get("message") or error.get("code") or "")[:200]),
                           str(error)[:1000], str(error.get("code") or ""))
    if not isinstance(value, dict) or member not in value or not isinstance(value[member] or [], list):
        raise UnreadableDocument(tr("{name} sent no features.", name=name))
    return {**value, member: value[member] or []}


def _geojson_feature(value: Any) -> Feature:
    """Return a feature of GeoJSON (RFC 7946 3.2)."""
    found: Mapping[str, Any] = value if isinstance(value, dict) else {}
    properties = found.get("properties")
    attributes = dict(properties) if isinstance(properties, dict) else {}
    key = "" if found.get("id") is None else str(found["id"])
    if key:
        attributes.setdefault("id", found["id"])
    geometry = found.get("geometry")
    return Feature(key, attributes, geometry if isinstance(geometry, dict) else None)


def _esri_feature(value: Any, id_field: str) -> Feature:
    found: Mapping[str, Any] = value if isinstance(value, dict) else {}
    attributes = found.get("attributes")
    attributes = attributes if isinstance(attributes, dict) else {}
    geometry = found.get("geometry")
    return Feature(str(attributes.get(id_field, "")), attributes, geometry if isinstance(geometry, dict) else None)


def _gml_page(total: Optional[int], name: str, data: bytes) -> FeaturePage:
    root = safe_xml.parse(data, name)
    if local_name(root) != "FeatureCollection":
        raise UnreadableDocument(tr("{name} sent no features.", name=name))
    members: List[Any] = []
    for child in root:
        if local_name(child) in ("member", "featureMember", "featureMembers"):
            # a collection of its own may lie in a member (09-025r2 7.7.4.3)
            members += [one for one in child if local_name(one) not in ("FeatureCollection", "SimpleFeatureCollection")]
    # the address of the next page (09-025r2 7.7.4.4)
    return FeaturePage(total if total is not None else _stated(root, "numberMatched"),
                       tuple(map(_gml_feature, members)), data, bool(members and root.get("next")))


def _gml_feature(member: Any) -> Feature:
    attributes: Dict[str, str] = {}
    for child in member:
        if not len(child) and child.text and child.text.strip():
            attributes.setdefault(local_name(child), child.text.strip())
    key = next((str(value) for name, value in member.attrib.items()
                if str(name).rpartition("}")[2] in ("id", "fid")), "")
    return Feature(key, attributes, None)


def _stated(root: Any, *names: str) -> Optional[int]:
    """Return the number of features that an answer states (09-025r2 7.7.4.2, 04-094 9.2), or None."""
    found = (root.get(name) or "" for name in names or ("numberMatched", "numberOfFeatures"))
    return next((int(text) for text in found if text.isdigit()), None)


def _most_features(root: Any) -> Optional[int]:
    """Return the number of features that an answer has at most, as capabilities state it, or None.

    CountDefault (09-025r2 table 14), and DefaultMaxFeatures (04-094 13.3).
    """
    for constraint in root.iter():
        if local_name(constraint) == "Constraint" and constraint.get("name") in ("CountDefault", "DefaultMaxFeatures"):
            texts = ((one.text or "").strip() for one in constraint.iter())
            return next((int(text) for text in texts if text.isdigit()), None)
    return None


def _get_feature_address(root: Any) -> str:
    """Return the address of GetFeature in capabilities, or ""."""
    for operation in root.iter():
        if local_name(operation) == "Operation" and operation.get("name") == "GetFeature":
            return _first_link(operation, "Get", "{http://www.w3.org/1999/xlink}href")
        if local_name(operation) == "GetFeature":
            return _first_link(operation, "Get", "onlineResource")
    return ""


def _first_link(operation: Any, method: str, attribute: str) -> str:
    return next((str(one.get(attribute)) for one in operation.iter()
                 if local_name(one) == method and one.get(attribute)), "")
