"""Logins and keys that stood in an address, saved as authentication configurations in QGIS's encrypted store."""

from __future__ import annotations

from typing import Dict, Tuple
from urllib.parse import urlsplit

from qgis.core import QgsApplication, QgsAuthMethodConfig

from ...core.addresses import AddressSecret
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime.network_errors import host_of
from .origin_settings import set_authcfg

#: parameters whose value servers also accept as ``Authorization: Bearer`` (RFC 6750, 2.1)
_BEARER_NAMES = ("access_token", "auth_token")


def save_login(secret: AddressSecret) -> str:
    """Save a login or a key as an authentication configuration, use it for the address's origin and return its id.

    A user name and password are sent by HTTP basic authentication, ``token`` as ArcGIS servers accept it in a header,
    ``access_token`` as ``Authorization: Bearer``, and another key as ``X-API-Key``. QGIS may ask for its master
    password. Raises CartoguideError if the store refuses, or if this QGIS cannot send such headers (3.22).
    """
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
