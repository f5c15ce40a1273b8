"""Settings of each origin (RFC 6454): its authentication configuration, and consent to what has a risk.

Only ids of configurations are saved here, the secrets stay in QGIS's encrypted store. Without consent a redirect from
https to http is not followed, nor one from a public server into the user's own network, and a login is sent to no other
origin than the one that it was set for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from qgis.core import QgsApplication, QgsAuthMethodConfig, QgsSettings
from qgis.PyQt.QtCore import QUrl

from ...core.errors import CartoguideError
from ...core.i18n import tr

if TYPE_CHECKING:
    from ...core.addresses import AddressSecret

_AUTHCFG_GROUP = "cartoguide/authcfg/"
#: headers that are no secret of a host
_FOR_EVERYBODY = ("accept", "accept-encoding", "accept-language", "content-type", "range", "referer", "soapaction",
                  "user-agent")
#: origin whose login another origin may get, which is the key
_LOGIN_CONSENT_GROUP = "cartoguide/login_agreed/"


class RedirectRisk(str, Enum):
    """Redirects that need the user's consent. The values are names of settings groups.

    INSECURE leads from https to http, INTERNAL from a public server to this computer or its network.
    """

    INSECURE = "http_agreed"
    INTERNAL = "internal_agreed"


@dataclass(frozen=True)
class OriginLogin:
    """The id of an authentication configuration that somebody chose for the origin of ``address``, and for no other."""

    address: str
    authcfg: str


#: for a request to an address that somebody else chose: it carries none of the person's logins
NO_LOGIN = OriginLogin("", "")


def authcfg_for(url: str, login: Optional[OriginLogin] = None) -> str:
    """Return the id of the configuration that a request to ``url`` carries, or an empty text.

    It is that of ``login`` at the origin that the login is for, else the one that is set for the origin of ``url``,
    else that of the origin whose login may be sent there.
    """
    if login is NO_LOGIN:
        return ""
    if login is not None and login.authcfg and origin(login.address) == origin(url):
        return login.authcfg
    own = saved_authcfg(url)
    lender = "" if own else _saved(_LOGIN_CONSENT_GROUP + origin_key(url))
    return _saved(_AUTHCFG_GROUP + lender) if lender else own


def saved_authcfg(url: str) -> str:
    """Return the id of the configuration that is set for the origin of ``url`` itself, or an empty text."""
    return _saved(_AUTHCFG_GROUP + origin_key(url))


def set_authcfg(url: str, authcfg: str) -> None:
    """Use the configuration with the id ``authcfg`` (empty for none) for all requests to the origin of ``url``."""
    if authcfg:
        QgsSettings().setValue(_AUTHCFG_GROUP + origin_key(url), authcfg)
    else:
        QgsSettings().remove(_AUTHCFG_GROUP + origin_key(url))


def login_state() -> Tuple[Tuple[str, str], ...]:
    """Return everything that decides which login a request carries, as a value to be compared."""
    store = QgsSettings()
    return tuple((key, _saved(group + key)) for group in (_AUTHCFG_GROUP, _LOGIN_CONSENT_GROUP)
                 for key in _keys(store, group))


def is_login_allowed(url: str, target: str) -> bool:
    """Return True if the user has allowed that the login of the origin of ``url`` is sent to that of ``target``."""
    return _saved(_LOGIN_CONSENT_GROUP + origin_key(target)) == origin_key(url)


def allow_login(url: str, target: str) -> None:
    """Allow that the login of the origin of ``url`` is sent to the origin of ``target``, which gets no other one."""
    QgsSettings().setValue(_LOGIN_CONSENT_GROUP + origin_key(target), origin_key(url))


def revoke_login(target: str) -> None:
    """Withdraw the consent that the origin of ``target`` gets the login of another one."""
    QgsSettings().remove(_LOGIN_CONSENT_GROUP + origin_key(target))


def allowed_logins() -> List[Tuple[str, str]]:
    """Return the (origin of the login, target origin) of every consent, as addresses, sorted."""
    return sorted((origin_from_key(_saved(_LOGIN_CONSENT_GROUP + key)), origin_from_key(key))
                  for key in _keys(QgsSettings(), _LOGIN_CONSENT_GROUP))


def origin(url: str) -> Tuple[str, str, int]:
    """Return scheme, host and port of an address (RFC 6454)."""
    parts = QUrl(url)
    scheme = parts.scheme().lower()
    return scheme, parts.host().lower(), parts.port(443 if scheme == "https" else 80)


def headers_at(url: str, headers: Mapping[str, str], address: str) -> Dict[str, str]:
    """Return those of the headers that a source at ``address`` asks for which a request to ``url`` may carry.

    They may be keys. Another host gets the address of the page alone, unless the login may be sent to it.
    """
    if is_same_server(url, address) or is_login_allowed(address, url):
        return dict(headers)
    return {name: value for name, value in headers.items() if name.lower() in _FOR_EVERYBODY}


def is_same_server(url: str, address: str) -> bool:
    """Return whether ``url`` is of the origin of ``address``, or of the same host by https where that is by http."""
    own = origin(address)
    return origin(url) in (own, upgraded_origin(own))


def upgraded_origin(place: Tuple[str, str, int]) -> Optional[Tuple[str, str, int]]:
    """Return the origin of the same host by https, for one by http with both at their default ports. Else None.

    Consent to the former covers the latter: the same host answers there, and nobody else can read it.
    """
    scheme, host, port = place
    return ("https", host, 443) if scheme == "http" and port == 80 else None


def origin_key(url: str) -> str:
    """Return the origin as a settings key, without slashes, which would open a settings group."""
    return "_".join(map(str, origin(url)))


def origin_address(url: str) -> str:
    """Return the origin of an address for display, without a default port."""
    return origin_from_key(origin_key(url))


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
    group = _consent_group(risk)
    return [(origin_from_key(key), origin_from_key(_saved(group + key))) for key in _keys(QgsSettings(), group)]


def _consent_group(risk: RedirectRisk) -> str:
    return f"cartoguide/{risk.value}/"


def _keys(store: QgsSettings, group: str) -> List[str]:
    store.beginGroup(group.rstrip("/"))
    keys = sorted(store.childKeys())
    store.endGroup()
    return keys


def _saved(key: str) -> str:
    value = QgsSettings().value(key, "")
    return value if isinstance(value, str) else ""


#: parameters whose value servers also accept as ``Authorization: Bearer`` (RFC 6750, 2.1)
_BEARER_NAMES = ("access_token", "auth_token")


def save_login(secret: AddressSecret) -> str:
    """Save a login or a key as an authentication configuration, use it for the address's origin and return its id.

    A user name and password are sent by HTTP basic authentication, ``token`` as ArcGIS servers accept it in a header,
    ``access_token`` as ``Authorization: Bearer``, and another key as ``X-API-Key``. QGIS may ask for its master
    password. Raises CartoguideError if the store refuses, or if this QGIS cannot send such headers (3.22).
    """
    from ..runtime.network_errors import host_of  # this module is imported when QGIS starts

    manager = QgsApplication.authManager()
    host = host_of(secret.address)
    method, values = _method_and_values(secret)
    if method not in manager.authMethodsKeys():
        raise CartoguideError(tr("This version of QGIS cannot send the key for {host}. A newer version can.",
                                 host=host))
    config = QgsAuthMethodConfig(method)
    config.setName(f"Cartoguide: {host}")
    parts = urlsplit(secret.address)
    config.setUri(f"{parts.scheme}://{parts.netloc}")
    for name, value in values.items():
        config.setConfig(name, value)
    identifier = manager.uniqueConfigId()
    config.setId(identifier)
    stored = manager.setMasterPassword(True) and manager.storeAuthenticationConfig(config)
    if not (stored[0] if isinstance(stored, tuple) else stored):
        raise CartoguideError(tr("QGIS's authentication store did not take the login for {host}. Add it in QGIS's "
                                 "options.", host=host))
    set_authcfg(secret.address, identifier)
    return str(identifier)


def _method_and_values(secret: AddressSecret) -> Tuple[str, Dict[str, str]]:
    """Return the authentication method of QGIS for a login or a key, and its values."""
    if secret.user or secret.password:
        return "Basic", {"username": secret.user, "password": secret.password}
    keys = {name.lower(): value for name, value in secret.keys}
    if "token" in keys:
        return "EsriToken", {"token": keys["token"]}
    bearer = next((keys[name] for name in _BEARER_NAMES if name in keys), "")
    if bearer:
        return "APIHeader", {"Authorization": f"Bearer {bearer}"}
    return "APIHeader", {"X-API-Key": next(iter(keys.values()))}
