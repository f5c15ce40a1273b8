"""Catalogues in words: what kind they are, where they are, and how a search of them stands."""

from __future__ import annotations

from typing import Optional

from ..core.catalogues.model import CSW2, CSW3, GEONETWORK, OGCAPI, Source
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis.catalogues.federated_search import FAILED, REQUESTING, WAITING, SourceStatus
from ..gis.network.client import host_of

#: letters of a catalogue's name that a row of the list has room for
_MAX_NAME_LENGTH = 28


def catalogue_kind_label(source: Source) -> str:
    """What kind of catalogue it is."""
    return {CSW2: "CSW 2.0.2", CSW3: "CSW 3.0.0", OGCAPI: "OGC API Records", GEONETWORK: "GeoNetwork"}.get(
        source.kind, tr("Document"))


def catalogue_host(source: Source) -> str:
    """The host of its address."""
    return host_of(source.address)


def short_catalogue_name(name: str) -> str:
    """A catalogue's name for where there is little room."""
    return name if len(name) <= _MAX_NAME_LENGTH else name[:_MAX_NAME_LENGTH - 1].rstrip() + "…"


def failure_label(error: Optional[CartoguideError]) -> str:
    """Why no answer came, in two or three words; the error's own are one click away."""
    if getattr(error, "status", 0) in (401, 403, 407):
        return tr("needs a login")
    words = {"refused": tr("is down"), "closed": tr("broke off"), "dns": tr("server not found"),
             "tls": tr("not trusted"), "proxy": tr("stopped by the proxy"), "timeout": tr("no answer in time"),
             "too-slow": tr("too slow"), "too-large": tr("answer too large"), "offline": tr("no connection"),
             "auth": tr("login does not work")}
    return words.get(getattr(error, "kind", ""), tr("failed"))


def search_state_label(row: SourceStatus) -> str:
    """How a catalogue's part of a search stands, in two or three words."""
    if row.state == FAILED:
        return failure_label(row.error)
    if row.state == REQUESTING:
        return tr("asking… {count} so far", count=f"{row.shown:n}") if row.shown else tr("asking…")
    if row.state == WAITING:
        return tr("not asked")
    if row.filtered and row.more:
        return tr("%n found so far", n=row.shown)
    if row.total is not None and row.total > row.shown and not row.filtered:
        return tr("{shown} of {total}", shown=f"{row.shown:n}", total=f"{row.total:n}")
    return tr("%n found", n=row.shown)
