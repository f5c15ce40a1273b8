"""Title of a map to which nobody has given one: the name of the park that the titles of its services name."""

from __future__ import annotations

import re
from typing import Iterable

from ..i18n import tr
from ..text import MAX_TITLE, printable, single_line

_KIND = (r"(?:(?:Parque|Paraje|Reserva|Monumento|Espacio|Parc|Parco|Paratge)\s+(?:Natural|Nacional|Regional|Rural|"
         r"Periurbano|Protegido|Naturel|National|Naturale|Nazionale))")
_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’-]*"
_LINKS = r"(?:\s+(?:de|del|de\s+la|de\s+las|de\s+los|des|du|della|y|e|et|i|la|las|los|el))?"
_PARK = re.compile(rf"{_KIND}(?:{_LINKS}\s+{_WORD})+|"
                   rf"(?:{_WORD}\s+)+(?:National|Natural|Nature|Regional|State)\s+Park\b")


def default_map_title(service_titles: Iterable[str]) -> str:
    """Return the name of the first park that one of the titles names, "Custom map" if none does.

    The title of a service says what it is to a computer, and is none for a map.
    """
    found = (_PARK.search(single_line(printable(title[:MAX_TITLE]))) for title in service_titles)
    return next((match.group(0) for match in found if match is not None), tr("Custom map"))
