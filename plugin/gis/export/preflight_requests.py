"""The part of the preflight that asks: every layer's picture at print size, and https where a service is asked by http.

The pictures go where the export looks for them, so that asking is not work done twice.
"""

from __future__ import annotations

import ipaddress
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence, Tuple
from urllib.parse import urlsplit

from qgis.core import QgsMapLayer, QgsPrintLayout
from qgis.PyQt.QtCore import QObject

from ...core.custommap.model import Plan
from ...core.custommap.preflight import TrialRequest
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.request import Request
from ...core.wms.requests.urls import as_https
from ...core.wms.responses.response_validation import check_response
from ..network.client import RequestLimits, fetch
from ..network.http_exchange import CachePolicy
from ..runtime import tasks
from ..runtime.thread_pool import pool_slot_released
from ..services.capabilities_fetch import capabilities_url
from . import prefetch

#: seconds that a host gets to answer by https
_HTTPS_TIMEOUT = 8.0


@dataclass(frozen=True)
class PreflightResponses:
    """What was heard: an answer for each picture, the seconds that all took, endpoints that https answers for."""

    trial_requests: Tuple[TrialRequest, ...]
    seconds: float
    https_endpoints: Tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every picture came."""
        return not any(answer.error for answer in self.trial_requests)


def start_preflight_requests(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                             endpoints: Sequence[str], dpi: int, done: Callable[[PreflightResponses], None],
                             failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None,
                             progress: Optional[Callable[[float, str],
                                                         None]] = None, as_image: bool = False) -> tasks.Job:
    """Ask in a job for what exporting ``layout`` at ``dpi`` will ask for; on the main thread.

    ``layers`` are the QGIS layers of ``plan``'s in its order, ``endpoints`` the map's services.
    """
    requests = prefetch.layout_requests(layout, dpi, as_image)
    entries: Dict[str, int] = {
        layer.id(): planned.entry_index for planned, layer in zip(plan.layers, layers) if layer is not None
    }

    def work(feedback: tasks.Feedback) -> PreflightResponses:
        begun = time.monotonic()
        pictures = prefetch.fetch_images(requests, feedback)
        took = time.monotonic() - begun
        return PreflightResponses(
            tuple(picture.to_trial_request(entries.get(picture.request.layer.layer_id)) for picture in pictures), took,
            find_https_endpoints(endpoints, feedback))

    return tasks.start(tr("Checking “{title}” for printing", title=plan.title), work, done, failed, owner, progress)


def find_https_endpoints(endpoints: Sequence[str], feedback: tasks.Feedback) -> Tuple[str, ...]:
    """The http endpoints whose service answers by https, too; blocks, for worker threads."""
    plain = [
        endpoint for endpoint in dict.fromkeys(endpoints)
        if endpoint.lower().startswith("http:") and _has_host_name(endpoint)
    ]
    if not plain:
        return ()
    limits = replace(RequestLimits.from_settings(), first_byte=_HTTPS_TIMEOUT, total=2 * _HTTPS_TIMEOUT, retries=0)

    def answers(endpoint: str) -> bool:
        try:
            url = capabilities_url(as_https(endpoint))
            check_response(
                fetch(Request("GET", url), limits=limits, feedback=feedback, cache_policy=CachePolicy.NORMAL), "xml")
        except Cancelled:
            return False
        except CartoguideError:
            return False
        return True

    with pool_slot_released(), ThreadPoolExecutor(max_workers=min(4, len(plain))) as pool:
        found: List[bool] = list(pool.map(answers, plain))
    feedback.raise_if_cancelled()
    return tuple(endpoint for endpoint, sound in zip(plain, found) if sound)


def _has_host_name(endpoint: str) -> bool:
    """Whether the host is called by a name: numbers have no certificate to show."""
    host = urlsplit(endpoint).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(host)
    return False
