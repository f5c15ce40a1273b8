"""Catalogues in words: what kind they are, where they are, and how a search of them stands."""

from __future__ import annotations

from ..core.i18n import tr
from ..core.sources.model import CSW2, CSW3, GEONETWORK, OGCAPI, Source
from ..gis.network import host_of
from ..gis.sources import ASKING, FAILED, WAITING, SourceRow


def kind_words(source: Source) -> str:
    """What kind of catalogue it is."""
    return {CSW2: "CSW 2.0.2", CSW3: "CSW 3.0.0", OGCAPI: "OGC API Records", GEONETWORK: "GeoNetwork"}.get(
        source.kind, tr("Document"))


def host_words(source: Source) -> str:
    """The host of its address."""
    return host_of(source.address)


def row_words(row: SourceRow) -> str:
    """How a catalogue's part of a search stands, in a few words."""
    if row.state == FAILED:
        return row.error.user_text if row.error is not None else tr("failed")
    if row.state == ASKING:
        return tr("asking… {count} so far", count=f"{row.shown:n}") if row.shown else tr("asking…")
    if row.state == WAITING:
        return tr("not asked")
    if row.total is not None and row.total > row.shown:
        return tr("{shown} of {total}", shown=f"{row.shown:n}", total=f"{row.total:n}")
    return tr("{shown} found", shown=f"{row.shown:n}")
