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

from ..core.custommap.model import Plan
from ..core.custommap.preflight import Asked
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request
from ..core.wms.addresses import by_https
from ..core.wms.answers import explain_answer
from . import prefetch, tasks
from .network import Cancelled, Freshness, Limits, fetch, pool_thread_lent
from .services import capabilities_url

#: seconds that a host gets to answer by https
_PATIENCE = 8.0


@dataclass(frozen=True)
class Checked:
    """What was heard: an answer for each picture, the seconds that all took, endpoints that https answers for."""

    answers: Tuple[Asked, ...]
    seconds: float
    secure: Tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every picture came."""
        return not any(answer.error for answer in self.answers)


def start(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], endpoints: Sequence[str],
          dpi: int, done: Callable[[Checked], None], failed: Callable[[CartoguideError], None],
          owner: Optional[QObject] = None, progress: Optional[Callable[[float, str], None]] = None,
          as_image: bool = False) -> tasks.Job:
    """Ask in a job for what exporting ``layout`` at ``dpi`` will ask for; on the main thread.

    ``layers`` are the QGIS layers of ``plan``'s in its order, ``endpoints`` the map's services.
    """
    requests = prefetch.requests_of(layout, dpi, as_image)
    entries: Dict[str, int] = {layer.id(): planned.entry for planned, layer in zip(plan.layers, layers)
                               if layer is not None}

    def work(feedback: tasks.Feedback) -> Checked:
        begun = time.monotonic()
        pictures = prefetch.fetch_pictures(requests, feedback)
        took = time.monotonic() - begun
        return Checked(tuple(picture.asked(entries.get(picture.request.layer.layer_id)) for picture in pictures), took,
                       secure_endpoints(endpoints, feedback))

    return tasks.start(tr("Checking “{title}” for printing", title=plan.title), work, done, failed, owner, progress)


def secure_endpoints(endpoints: Sequence[str], feedback: tasks.Feedback) -> Tuple[str, ...]:
    """The http endpoints whose service answers by https, too; blocks, for worker threads."""
    plain = [endpoint for endpoint in dict.fromkeys(endpoints)
             if endpoint.lower().startswith("http:") and _has_name(endpoint)]
    if not plain:
        return ()
    limits = replace(Limits.from_settings(), first_byte=_PATIENCE, total=2 * _PATIENCE, retries=0)

    def answers(endpoint: str) -> bool:
        try:
            url = capabilities_url(by_https(endpoint))
            explain_answer(fetch(Request("GET", url), limits=limits, feedback=feedback,
                                 freshness=Freshness.NORMAL), "xml")
        except Cancelled:
            return False
        except CartoguideError:
            return False
        return True

    with pool_thread_lent(), ThreadPoolExecutor(max_workers=min(4, len(plain))) as pool:
        found: List[bool] = list(pool.map(answers, plain))
    feedback.stop_if_cancelled()
    return tuple(endpoint for endpoint, sound in zip(plain, found) if sound)


def _has_name(endpoint: str) -> bool:
    """Whether the host is called by a name: numbers have no certificate to show."""
    host = urlsplit(endpoint).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(host)
    return False
