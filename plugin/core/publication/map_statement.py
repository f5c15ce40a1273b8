"""The statement of a published map, and its citation: its title and rights, and of each source where it came from.

It is written into the file as XMP for programs that look for rights, and as JSON (``cartoguide-sources.json``) with
all of it. The JSON object has ``format`` ("cartoguide-sources"), ``version`` (1), ``title``, ``language``, ``made``
(ISO 8601, UTC), ``software``, ``crs``, ``scale`` (denominator or null), ``extent`` {west, south, east, north} in
degrees or null, ``credits`` and ``sources``, each with ``title``, ``layers``, ``record_id``, ``endpoint``, ``credit``,
``credit_required`` ("yes", "no", "undecided"), ``licence``, ``licence_url``, ``capabilities_date``,
``capabilities_sha256``, ``requests`` (the number of images) and ``times`` (the moments shown, ISO 8601).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .. import json_document
from ..addresses import json_without_secrets
from ..box import Box
from ..custommap.model import CustomMap
from ..i18n import tr
from ..numbers import format_scale
from ..review.report.bibliography import Work, WorkKind
from ..terms.model import Decision
from ..text import single_line

FORMAT = "cartoguide-sources"
VERSION = 1


@dataclass(frozen=True)
class MapSource:
    """One source of a map: a service's layers, or a layer of the cartographer's own."""

    title: str
    layers: Tuple[str, ...] = ()
    record_id: str = ""
    endpoint: str = ""
    credit: str = ""
    credit_required: Decision = Decision.UNDECIDED
    licence: str = ""
    licence_url: str = ""
    capabilities_date: str = ""
    capabilities_sha256: str = ""
    requests: int = 0
    times: Tuple[str, ...] = ()


@dataclass(frozen=True)
class MapStatement:
    """Statement of a published map about itself. ``extent`` is in degrees."""

    title: str
    language: str
    made: str
    software: str
    crs: str = ""
    scale: Optional[float] = None
    extent: Optional[Box] = None
    credits: Tuple[str, ...] = ()
    sources: Tuple[MapSource, ...] = ()
    creators: Tuple[str, ...] = ()
    keywords: Tuple[str, ...] = ()
    summary: str = ""


def write_statement(statement: MapStatement) -> bytes:
    """Return the statement as UTF-8 JSON, as the module describes. Logins and keys in addresses are left out."""
    scale = None if statement.scale is None else json_document.json_number(statement.scale)
    extent = None if statement.extent is None else {
        side: json_document.json_number(value) for side, value in statement.extent._asdict().items()}
    members: Dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "title": statement.title, "language": statement.language,
        "made": statement.made, "software": statement.software, "crs": statement.crs, "scale": scale, "extent": extent,
        "summary": statement.summary, "creators": list(statement.creators), "keywords": list(statement.keywords),
        "credits": list(statement.credits),
        "sources": [{name: list(value) if isinstance(value, tuple) else value
                     for name, value in asdict(source).items()} for source in statement.sources]}
    return json_document.dump(json_without_secrets(members))


def map_work(document: CustomMap, credits: Sequence[str], today: date) -> Work:
    """Return the map as a work to cite that was made on ``today``.

    Its author is left open, because a person's name on a computer is not what they sign with. Its sources are named in
    the note, with the credits that the map shows.
    """
    scale = format_scale(document.scale).replace("\u202f", " ") if document.scale else ""
    note = tr("Map made of: {credits}", credits="; ".join(credits)) if credits else ""
    return Work(WorkKind.MAP, single_line(document.title) or tr("Custom map"), (), str(today.year), today,
                language=document.language, scale=scale, note=note)


def map_citation(work: Work) -> str:
    """Return the citation of a map as text: title, year, scale and the credits of its sources."""
    parts: List[str] = [f"{work.title} ({work.year})", work.scale, work.note]
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)
