"""Detection of redirects that lead from a public server into the user's own network."""

from __future__ import annotations

from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtNetwork import QHostInfo

from ...core.addresses import is_internal_host
from ..runtime import main_thread
from .http_exchange import uses_proxy


def leads_inside(url: str, target: str) -> bool:
    """Return True if ``url`` is on a public host and ``target`` on one of this computer or its network.

    A name is resolved, as Qt will resolve it for the request, unless a proxy does that. May block, so it must run in a
    task. A server that answers each resolution differently is not detected.
    """
    before, after = QUrl(url).host(), QUrl(target).host()
    if before.lower() == after.lower():
        return False
    return not is_internal_host(before) and _is_inside(target) and not _is_inside(url)


def _is_inside(url: str) -> bool:
    host = QUrl(url).host()
    if is_internal_host(host):
        return True
    if main_thread.call(lambda: uses_proxy(QUrl(url))):
        return False
    return any(is_internal_host(address.toString()) for address in QHostInfo.fromName(host).addresses())
