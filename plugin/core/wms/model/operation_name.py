"""Names of the operations of a Web Map Service."""

from __future__ import annotations

from enum import Enum


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
#: these and the parameters of all operations. Others of an address stay: ``map``, logins, those of a vendor
OPERATION_PARAMETERS = IDENTIFYING_PARAMETERS | frozenset((
    "LAYERS", "LAYER", "STYLES", "STYLE", "CRS", "SRS", "BBOX", "WIDTH", "HEIGHT", "FORMAT", "TRANSPARENT", "BGCOLOR",
    "EXCEPTIONS", "TIME", "ELEVATION", "SLD", "SLD_BODY", "SLD_VERSION", "QUERY_LAYERS", "INFO_FORMAT",
    "FEATURE_COUNT", "I", "J", "X", "Y", "UPDATESEQUENCE"))

#: the names as they are written in requests, without prefix
OPERATION_NAMES = tuple(operation.value for operation in OperationName)
