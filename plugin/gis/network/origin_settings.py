"""Settings of each origin (RFC 6454): its authentication configuration, and consent to redirects with a risk.

Only ids of configurations are saved here, the secrets stay in QGIS's encrypted store. Without consent a redirect from
https to http is not followed, nor one from a public server into the user's own network.
"""

from __future__ import annotations

from enum import Enum
from typing import List, Tuple

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QUrl

_AUTHCFG_GROUP = "cartoguide/authcfg/"


class RedirectRisk(str, Enum):
    """Redirects that need the user's consent. The values are names of settings groups.

    INSECURE leads from https to http, INTERNAL from a public server to this computer or its network.
    """

    INSECURE = "http_agreed"
    INTERNAL = "internal_agreed"


def authcfg_for(url: str) -> str:
    """Return the id of the configuration for the origin of ``url``, or an empty text."""
    value = QgsSettings().value(_AUTHCFG_GROUP + origin_key(url), "")
    return value if isinstance(value, str) else ""


def set_authcfg(url: str, authcfg: str) -> None:
    """Use the configuration with the id ``authcfg`` (empty for none) for all requests to the origin of ``url``."""
    if authcfg:
        QgsSettings().setValue(_AUTHCFG_GROUP + origin_key(url), authcfg)
    else:
        QgsSettings().remove(_AUTHCFG_GROUP + origin_key(url))


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


def is_redirect_allowed(url: str, target: str, risk: RedirectRisk) -> bool:
    """Return True if the user has allowed redirects from the origin of ``url`` to that of ``target``."""
    return bool(QgsSettings().value(_consent_group(risk) + origin_key(url), "") == origin_key(target))


def allow_redirect(url: str, target: str, risk: RedirectRisk) -> None:
    """Allow redirects from the origin of ``url`` to that of ``target``, and to no other origin."""
    QgsSettings().setValue(_consent_group(risk) + origin_key(url), origin_key(target))


def revoke_redirect(url: str, risk: RedirectRisk) -> None:
    """Withdraw the consent for the origin of ``url``."""
    QgsSettings().remove(_consent_group(risk) + origin_key(url))


def allowed_redirects(risk: RedirectRisk) -> List[Tuple[str, str]]:
    """Return the (redirecting origin, target origin) of every consent, as addresses, sorted."""
    store = QgsSettings()
    store.beginGroup(_consent_group(risk).rstrip("/"))
    keys = sorted(store.childKeys())
    pairs = [(origin_from_key(key), origin_from_key(str(store.value(key, "")))) for key in keys]
    store.endGroup()
    return pairs


def _consent_group(risk: RedirectRisk) -> str:
    return f"cartoguide/{risk.value}/"
