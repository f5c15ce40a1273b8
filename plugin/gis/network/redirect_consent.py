"""Redirects from https to http: refused, unless a person agreed to one for this server and that target."""

from __future__ import annotations

from typing import List, Tuple

from qgis.core import QgsSettings

from .authentication import origin_from_key, origin_key

_GROUP = "cartoguide/http_agreed/"


def is_http_redirect_allowed(https_url: str, http_url: str) -> bool:
    """Whether requests to the origin of ``before`` (https) may follow a redirect to the origin of ``after`` (http)."""
    return bool(QgsSettings().value(_GROUP + origin_key(https_url), "") == origin_key(http_url))


def allow_http_redirect(https_url: str, http_url: str) -> None:
    """From now on follow redirects from the origin of ``before`` to that of ``after``, and to no other http one."""
    QgsSettings().setValue(_GROUP + origin_key(https_url), origin_key(http_url))


def revoke_http_redirect(https_url: str) -> None:
    """Take the agreement for the origin of ``before`` back."""
    QgsSettings().remove(_GROUP + origin_key(https_url))


def allowed_redirects() -> List[Tuple[str, str]]:
    """(https origin, http origin) of every agreement, as addresses, in alphabetical order."""
    store = QgsSettings()
    store.beginGroup(_GROUP.rstrip("/"))
    keys = sorted(store.childKeys())
    pairs = [(origin_from_key(key), origin_from_key(str(store.value(key, "")))) for key in keys]
    store.endGroup()
    return pairs
