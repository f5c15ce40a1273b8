"""Trial requests of the preflight: every layer's image at print size, and https for services with http addresses.

The images are cached for the export, which requests them no second time.
"""

from __future__ import annotations

import ipaddress
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import urlsplit

from qgis.core import QgsMapLayer, QgsPrintLayout
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.custommap.model import Plan
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.preflight import TrialRequest
from ...core.request import HttpMethod, Request
from ...core.wms.requests.urls import as_https
from ...core.wms.responses.response_validation import check_response
from ..network.client import RequestLimits, fetch
from ..network.http_exchange import CachePolicy
from ..pixels.fetch import Keep, fetch_pixels
from ..pixels.files import FetchedFile
from ..pixels.plan import absent_trials, plan_page
from ..runtime import tasks
from ..runtime.thread_pool import pool_slot_released
from ..services.service_cache import capabilities_url
from .sealed_layouts import sealed

#: seconds that a host has to answer by https
_HTTPS_TIMEOUT = 8.0


@dataclass(frozen=True)
class PreflightResponses:
    """Results of the trial requests: one for each image, the seconds for all, and endpoints that also answer https."""

    trial_requests: Tuple[TrialRequest, ...]
    seconds: float
    https_endpoints: Tuple[str, ...] = ()
    #: names of layers whose files are too large to be fetched
    unproved: Tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if every image arrived."""
        return not any(answer.error for answer in self.trial_requests)


def start_preflight_requests(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                             endpoints: Sequence[str], dpi: int, done: Callable[[PreflightResponses], None],
                             failed: tasks.ErrorCallback, owner: Optional[QObject] = None,
                             progress: Optional[Callable[[float, str], None]] = None, as_image: bool = False,
                             own_layers: Mapping[str, str] = MappingProxyType({})) -> tasks.Job:
    """Send in a task the requests that exporting ``layout`` at ``dpi`` will make. Main thread only.

    ``layers`` are the QGIS layers of ``plan``'s in its order, ``endpoints`` the map's services, ``own_layers`` the ids
    of the own layers by those of their QGIS layers.
    """
    # QGIS handles events while the requests are found
    with sealed([layout]) as work:
        requests = plan_page(work.layouts[0], dpi, as_image)
    entries: Dict[str, int] = {
        layer.id(): planned.entry_index for planned, layer in zip(plan.layers, layers)
        if layer is not None and not sip.isdeleted(layer)
    }

    def send_requests(feedback: tasks.Feedback) -> PreflightResponses:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            pieces = fetch_pixels(requests, feedback, Path(folder), keep=Keep.NOTHING)
        seconds = time.monotonic() - started
        came = [(piece.request.layer_id, piece.to_trial_request()) for piece in pieces]
        return PreflightResponses(
            tuple(replace(trial, entry_index=entries.get(layer_id), own_layer=own_layers.get(layer_id, ""))
                  for layer_id, trial in (*came, *absent_trials(requests))), seconds,
            find_https_endpoints(endpoints, feedback),
            tuple(dict.fromkeys(piece.request.title for piece in pieces
                                if isinstance(piece, FetchedFile) and piece.is_unproved)))

    return tasks.start(tr("Checking “{title}” for printing", title=plan.title), send_requests, done, failed, owner,
                       progress)


def find_https_endpoints(endpoints: Sequence[str], feedback: tasks.Feedback) -> Tuple[str, ...]:
    """Return the http endpoints whose service also answers https. Blocks, for worker threads. Raises Cancelled."""
    http_endpoints = [
        endpoint for endpoint in dict.fromkeys(endpoints)
        if endpoint.lower().startswith("http:") and _has_host_name(endpoint)
    ]
    if not http_endpoints:
        return ()
    limits = replace(RequestLimits.from_settings(), first_byte=_HTTPS_TIMEOUT, total=2 * _HTTPS_TIMEOUT, retries=0)

    def responds(endpoint: str) -> bool:
        try:
            url = capabilities_url(as_https(endpoint))
            check_response(
                fetch(Request(HttpMethod.GET, url), limits=limits, feedback=feedback,
                      cache_policy=CachePolicy.NORMAL), "xml")
        except Cancelled:
            return False
        except CartoguideError:
            return False
        return True

    with pool_slot_released(), ThreadPoolExecutor(max_workers=min(4, len(http_endpoints))) as pool:
        found: List[bool] = list(pool.map(responds, http_endpoints))
    feedback.raise_if_cancelled()
    return tuple(endpoint for endpoint, answers_https in zip(http_endpoints, found) if answers_https)


def _has_host_name(endpoint: str) -> bool:
    """Return whether the address has a host name: IP addresses have no certificates."""
    host = urlsplit(endpoint).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(host)
    return False
