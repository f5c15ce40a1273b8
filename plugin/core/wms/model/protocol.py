"""Names of a Web Map Service's operations and parameters, its versions, and version negotiation (OGC 06-042 6.2)."""

from __future__ import annotations

import re
from enum import Enum
from typing import Collection, Dict, Optional, Sequence, Tuple


class OperationName(str, Enum):
    """The operations of WMS 1.3.0 (OGC 06-042) and of its SLD profile (OGC 05-078r4), in the order of the form."""

    GET_MAP = "GetMap"
    GET_FEATURE_INFO = "GetFeatureInfo"
    GET_LEGEND_GRAPHIC = "GetLegendGraphic"
    DESCRIBE_LAYER = "DescribeLayer"
    GET_STYLES = "GetStyles"
    GET_CAPABILITIES = "GetCapabilities"


def operation_key(name: str) -> str:
    """Return the name of an operation without prefix (``sld:``), in lower case, as documents are compared by it."""
    return name.strip().rpartition(":")[2].lower()


#: the parameters that say what a request is for, which no address of a service has, in capital letters
IDENTIFYING_PARAMETERS = frozenset(("SERVICE", "REQUEST", "VERSION", "WMTVER"))
#: these and the parameters of all operations, with the resolution that QGIS sends with each GetMap. Others of an
#: address stay: ``map``, logins, those of a vendor
OPERATION_PARAMETERS = IDENTIFYING_PARAMETERS | frozenset((
    "LAYERS", "LAYER", "STYLES", "STYLE", "CRS", "SRS", "BBOX", "WIDTH", "HEIGHT", "FORMAT", "TRANSPARENT", "BGCOLOR",
    "EXCEPTIONS", "TIME", "ELEVATION", "SLD", "SLD_BODY", "SLD_VERSION", "QUERY_LAYERS", "INFO_FORMAT",
    "FEATURE_COUNT", "I", "J", "X", "Y", "UPDATESEQUENCE", "DPI", "MAP_RESOLUTION"))

#: the names as they are written in requests, without prefix
OPERATION_NAMES = tuple(operation.value for operation in OperationName)
#: the versions that Cartoguide supports, best first
SUPPORTED_VERSIONS: Tuple[str, ...] = ("1.3.0", "1.1.1", "1.1.0", "1.0.0")

#: values of REQUEST in WMS 1.0.0 (00-028 Annex A)
_WMS_1_0_REQUESTS = {"GetCapabilities": "capabilities", "GetMap": "map", "GetFeatureInfo": "feature_info"}
_VERSION_NUMBER = re.compile(r"\s*(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?\s*\Z")


def parse_version(version: str) -> Optional[Tuple[int, int, int]]:
    """Return the numbers of ``x.y.z`` (``x.y`` counts as ``x.y.0``), or None for any other text."""
    match = _VERSION_NUMBER.match(version)
    return (int(match.group(1)), int(match.group(2)), int(match.group(3) or 0)) if match else None


def is_supported_version(version: str, supported: Sequence[str] = SUPPORTED_VERSIONS) -> bool:
    return parse_version(version) in [parse_version(candidate) for candidate in supported]


def base_parameters(version: str, request: str) -> Dict[str, str]:
    """Return SERVICE, VERSION and REQUEST of an operation that all versions share.

    WMS 1.0.0 has the parameter WMTVER and other names of the operations (00-028 Annex A).
    """
    numbers = parse_version(version)
    if numbers is not None and numbers < (1, 1):
        return {"WMTVER": version, "REQUEST": _WMS_1_0_REQUESTS[request]}
    return {"SERVICE": "WMS", "VERSION": version, "REQUEST": request}


def negotiate_version(requested: str, received: str, supported: Sequence[str] = SUPPORTED_VERSIONS,
                      tried: Collection[str] = ()) -> Optional[str]:
    """Return the version to request next, or None if negotiation ends here (6.2.4).

    ``requested`` is the version of the last request ("" for none) and ``received`` the version of its response.
    Negotiation ends well if ``received`` is supported. Otherwise the highest supported version below ``received`` is
    next, or, if the server already answered with a higher version than requested, the lowest supported version above
    it. Versions in ``tried`` are not requested again, so a caller that records them always terminates.
    """
    numbers = parse_version(received)
    if numbers is None or is_supported_version(received, supported):
        return None
    candidates = {parse_version(version): version for version in supported}
    for version in (requested, *tried):
        candidates.pop(parse_version(version), None)
    asked_numbers = parse_version(requested)
    if asked_numbers is not None and numbers > asked_numbers:
        above = [candidate for candidate in candidates if candidate is not None and candidate > numbers]
        return candidates[min(above)] if above else None
    below = [candidate for candidate in candidates if candidate is not None and candidate < numbers]
    return candidates[max(below)] if below else None
