"""Which of QGIS's authentication configurations goes to which server; the secrets stay in QGIS's own store."""

from __future__ import annotations

from typing import Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QUrl

_GROUP = "cartoguide/authcfg/"


def authcfg_for(url: str) -> str:
    """The id of the configuration that was chosen for the address's origin, or an empty string."""
    value = QgsSettings().value(_GROUP + origin_key(url), "")
    return value if isinstance(value, str) else ""


def set_authcfg(url: str, authcfg: str) -> None:
    """Use ``authcfg`` (an id; empty: none) for every request to the address's origin: scheme, host and port."""
    if authcfg:
        QgsSettings().setValue(_GROUP + origin_key(url), authcfg)
    else:
        QgsSettings().remove(_GROUP + origin_key(url))


def origin(url: str) -> Tuple[str, str, int]:
    """Scheme, host and port of an address: what a login is good for."""
    parts = QUrl(url)
    scheme = parts.scheme().lower()
    return scheme, parts.host().lower(), parts.port(443 if scheme == "https" else 80)


def origin_key(url: str) -> str:
    """The origin as one settings key: a slash would open a group."""
    return "_".join(map(str, origin(url)))


def origin_from_key(key: str) -> str:
    """The address of an origin that ``origin_key`` wrote; a port that goes without saying is left out."""
    scheme, _, rest = key.partition("_")
    host, _, port = rest.rpartition("_")
    usual = {"https": "443", "http": "80"}.get(scheme) == port
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if usual else f":{port}")
