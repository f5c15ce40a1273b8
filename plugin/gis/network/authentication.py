"""Authentication configuration for each server. Only ids are saved here, the secrets stay in QGIS's encrypted store."""

from __future__ import annotations

from typing import Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QUrl

_GROUP = "cartoguide/authcfg/"


def authcfg_for(url: str) -> str:
    """Return the id of the configuration for the origin of ``url``, or an empty text."""
    value = QgsSettings().value(_GROUP + origin_key(url), "")
    return value if isinstance(value, str) else ""


def set_authcfg(url: str, authcfg: str) -> None:
    """Use the configuration with the id ``authcfg`` (empty for none) for all requests to the origin of ``url``."""
    if authcfg:
        QgsSettings().setValue(_GROUP + origin_key(url), authcfg)
    else:
        QgsSettings().remove(_GROUP + origin_key(url))


def origin(url: str) -> Tuple[str, str, int]:
    """Return scheme, host and port of an address (RFC 6454)."""
    parts = QUrl(url)
    scheme = parts.scheme().lower()
    return scheme, parts.host().lower(), parts.port(443 if scheme == "https" else 80)


def origin_key(url: str) -> str:
    """Return the origin as a settings key, without slashes, which would open a settings group."""
    return "_".join(map(str, origin(url)))


def origin_from_key(key: str) -> str:
    """Return the address of an origin that ``origin_key`` wrote, without a default port."""
    scheme, _, rest = key.partition("_")
    host, _, port = rest.rpartition("_")
    is_default = {"https": "443", "http": "80"}.get(scheme) == port
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if is_default else f":{port}")
