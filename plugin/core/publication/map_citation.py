"""The citation of a custom map, and those of its sources."""

from __future__ import annotations

from datetime import date
from typing import List, Sequence

from ..custommap.model import CustomMap
from ..i18n import tr
from ..numbers import format_scale
from ..review.report.bibliography import Work, WorkKind
from ..text import single_line


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
