"""The use of a service that fits it best: a time series, the base of a map, an overlay, or a choice of its layers.

The decision is made from the capabilities alone: TIME dimensions and dates in titles, the layers' ``opaque`` attribute
(06-042 7.2.4.7.5) and the formats of GetMap. Buttons, rows and drops go by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Dict, List, Mapping, Optional, Sequence

from ..i18n import tr
from ..wms.dimensions.time_series import TimeSeries
from ..wms.model.service import Layer, Service
from .planner import drawable_layers, normalise_media_type

#: a service with more layers than this is added by choosing some of them
MAX_LAYERS_ADDED_UNASKED = 40
_OPAQUE_FORMATS = frozenset(("image/jpeg", "image/jpg"))


class ServiceUse(str, Enum):
    """Ways to add a service to a map."""

    SERIES = "series"
    BASE = "base"
    OVERLAY = "overlay"
    #: some of its layers, which the person chooses
    CHOOSE = "choose"
    #: all layers, in the project but not on the custom map
    PROJECT_ONLY = "project"


@dataclass(frozen=True)
class UseDecision:
    """The use that fits, and the reasons why others are not possible.

    ``best`` is None if nothing can be added. ``series`` is the time series of the use SERIES.
    """

    best: Optional[ServiceUse]
    series: Optional[TimeSeries] = None
    unavailable: Mapping[ServiceUse, str] = field(default_factory=dict)


def decide_use(service: Service, series: Sequence[TimeSeries], has_base: bool = False) -> UseDecision:
    """Return the use that fits ``service``, whose time series are ``series``.

    A time series that most of the layers belong to is added as one. A service that hides what is below it becomes the
    base. ``has_base``: the map has another base already, so that this one is an overlay, which ``hides_below`` puts
    below the others.
    """
    layers = drawable_layers(service)
    if not layers:
        reason = tr("The service offers no layer that can be requested.")
        return UseDecision(None, None, dict.fromkeys(ServiceUse, reason))
    unavailable: Dict[ServiceUse, str] = {}
    main = _main_series(series, layers)
    if not series:
        unavailable[ServiceUse.SERIES] = tr("The service has no time series: neither a time dimension nor layers of "
                                            "several dates.")
    if main is not None:
        return UseDecision(ServiceUse.SERIES, main, unavailable)
    if len(layers) > MAX_LAYERS_ADDED_UNASKED or _has_several_series(series, layers):
        return UseDecision(ServiceUse.CHOOSE, None, unavailable)
    if hides_below(service) and not has_base:
        return UseDecision(ServiceUse.BASE, None, unavailable)
    return UseDecision(ServiceUse.OVERLAY, None, unavailable)


def hides_below(service: Service, names: Sequence[str] = ()) -> bool:
    """Return true where the layers called ``names``, by default all, hide what is drawn below them.

    One of them is declared opaque, or the service returns images without transparency only.
    """
    operation = service.operation("GetMap")
    formats = [normalise_media_type(name) for name in (operation.formats if operation is not None else ())]
    if formats and _OPAQUE_FORMATS.issuperset(formats):
        return True
    wanted = set(names)
    layers = [layer for layer in service.iter_layers() if layer.name in wanted] if wanted else drawable_layers(service)
    return any(layer.opaque for layer in layers)


def _main_series(series: Sequence[TimeSeries], layers: List[Layer]) -> Optional[TimeSeries]:
    """Return the series that at least half of the layers belong to, or None if there is none or more than one."""
    large = [one for one in series if 2 * len({entry.layer for entry in one.entries}) >= len(layers)]
    return large[0] if len(large) == 1 else None


def _has_several_series(series: Sequence[TimeSeries], layers: List[Layer]) -> bool:
    """Return true where most of the layers belong to different series, of which one has to be chosen."""
    names = {entry.layer for one in series for entry in one.entries}
    return len(series) > 1 and 2 * len(names) >= len(layers)
