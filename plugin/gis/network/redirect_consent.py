"""Consent to redirects from https to http, per origin and target origin. Without consent they are not followed."""

from __future__ import annotations

from typing import List, Tuple

from qgis.core import QgsSettings

from .authentication import origin_from_key, origin_key

_GROUP = "cartoguide/http_agreed/"


def is_http_redirect_allowed(https_url: str, http_url: str) -> bool:
    """Return True if the user has allowed redirects from the origin of ``https_url`` to that of ``http_url``."""
    return bool(QgsSettings().value(_GROUP + origin_key(https_url), "") == origin_key(http_url))


def allow_http_redirect(https_url: str, http_url: str) -> None:
    """Allow redirects from the origin of ``https_url`` to that of ``http_url``, and to no other http origin."""
    QgsSettings().setValue(_GROUP + origin_key(https_url), origin_key(http_url))


def revoke_http_redirect(https_url: str) -> None:
    """Withdraw the consent for the origin of ``https_url``."""
    QgsSettings().remove(_GROUP + origin_key(https_url))


def allowed_redirects() -> List[Tuple[str, str]]:
    """Return the (https origin, http origin) of every consent, as addresses, sorted."""
    store = QgsSettings()
    store.beginGroup(_GROUP.rstrip("/"))
    keys = sorted(store.childKeys())
    pairs = [(origin_from_key(key), origin_from_key(str(store.value(key, "")))) for key in keys]
    store.endGroup()
    return pairs
