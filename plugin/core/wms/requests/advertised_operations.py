"""The operations that a service offers, with methods and formats, or the reason why one is unavailable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from ...box import Box
from ...i18n import tr
from ...request import HttpMethod
from ..model.protocol import OperationName
from ..model.service import OperationInfo, Service
from .sld_profile import advertised_legend


@dataclass(frozen=True)
class AdvertisedOperation:
    """One operation of a service.

    ``name`` has no prefix. ``unavailable_reason`` is a translated sentence, empty if the operation can be requested.
    """

    name: str
    methods: Tuple[HttpMethod, ...] = ()
    formats: Tuple[str, ...] = ()
    encodings: Tuple[str, ...] = ()
    unavailable_reason: str = ""


def advertised_operation(service: Service, name: str) -> AdvertisedOperation:
    """Return how ``service`` offers the operation called ``name`` (without prefix)."""
    info = service.operation(name)
    if info is None and name == OperationName.GET_LEGEND_GRAPHIC and any(map(advertised_legend, service.iter_layers())):
        # legends have separate addresses (7.2.4.6.5), which are fetched unchanged
        return AdvertisedOperation(name, (HttpMethod.GET,))
    if info is None:
        return AdvertisedOperation(name, unavailable_reason=tr("The service does not advertise this operation."))
    methods = tuple(method for method, address in ((HttpMethod.GET, info.get), (HttpMethod.POST, info.post)) if address)
    unavailable_reason = "" if methods else tr("The service gives no address for this operation.")
    can_be_queried = any(layer.queryable and layer.name for layer in service.iter_layers())
    if methods and name == OperationName.GET_FEATURE_INFO and not can_be_queried:
        unavailable_reason = tr("None of the service’s layers can be queried.")
    return AdvertisedOperation(name, methods, info.formats, post_encodings(info), unavailable_reason)


def size_within_limits(box: Optional[Box], width: int, limits: Tuple[Optional[int], Optional[int]]) -> \
        Tuple[int, int]:
    """Return (width, height) in pixels at which the pixels of ``box`` are square, within ``limits``.

    ``limits`` are the service's largest width and height, None for no limit.
    """
    widest, highest = limits
    width = max(1, min(width, widest or width))
    if box is None or not box.width > 0:
        return width, max(1, min(round(width * 0.75), highest or width))
    ratio = box.height / box.width
    if highest and width * ratio > highest:
        width = max(1, int(highest / ratio))
    return width, max(1, round(width * ratio))


def post_encodings(info: OperationInfo) -> Tuple[str, ...]:
    """Return the encodings of a POST: a form unless only XML is declared, and XML if it is declared."""
    declared = [value.lower() for value in info.post_encodings]
    xml = any("xml" in value for value in declared)
    form = not declared or any("kvp" in value or "form" in value for value in declared)
    return (("form",) if form or not xml else ()) + (("xml",) if xml else ())
