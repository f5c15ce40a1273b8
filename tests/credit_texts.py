"""Random credit texts whose fate on paper is known: sound ones, ones that ask for something, and ones to be cleaned."""

from __future__ import annotations

from random import Random
from typing import List, Tuple

NAMES = ("Instituto Geográfico Nacional", "Unknown Pleasures GmbH", "GeoBasis-DE / BKG", "Todo Mapas S.L.",
         "INE & Hijos", "MapServer Foundation", "Année de la mer SARL", "None-de-Suisse",
         "Junta de Andalucía (Consejería de Fomento)",
         "Ordnance Survey", "[Autonomía] de Madrid", "Title Insurance Office", "Owner Maps", "Dato Oy", "Namen & Söhne")
_SIGNS = ("", "© ", "(c) ", "Source: ", "Fuente: ", "Quelle: © ")
_ENDS = ("", ", 2024", " 2019", " (2024)", " [2016]", ". CC BY 4.0", " – Roads, 2020", ". All rights reserved")
#: blanks of a year, which is filled where the year of the data is known
YEARS = ("[year]", "<Jahr>", "（year）", "[год]", "[年]", "YYYY", "20XX", "«año»")
BLANKS = ("{name}", "${owner}", "$date", "[nombre del producto]", "【title】", "〈provider〉", "____", "<>", "[ ]",
          "[…]", "&lt;name&gt;", "%DATE%", "<insert date>")
#: words in the place of a name
NOBODY = ("none", "N/A", "unknown", "TODO", "tbd", "insert name here", "MapServer", "GeoServer", "ArcGIS Server",
          "ninguno", "keine", "desconocido", "aucun", "不明", "неизвестно", "…", "(provider)", "null", "no title set")
DELIVERED = ("GeoServer Web Map Service", "QGIS Server", "no abstract set, add some in metadata",
             "The ancient geographes INC")


def sound_line(random: Random) -> str:
    """Return a credit line that a publisher would sign."""
    names = " / ".join(random.sample(NAMES, random.choice((1, 1, 2))))
    return f"{random.choice(_SIGNS)}{names}{random.choice(_ENDS)}"


def unfit_line(random: Random, is_year_known: bool = False) -> str:
    """Return a credit line that lacks something, other than a year where ``is_year_known``."""
    blank = random.choice(BLANKS if is_year_known else BLANKS + YEARS)
    kind = random.randrange(3)
    if kind == 0:
        return f"{sound_line(random)} {blank}"
    if kind == 1:
        return f"{random.choice(_SIGNS)}{blank}, {random.choice(NAMES)}"
    sign = random.choice((*_SIGNS, "© IGN; Source: "))
    return f"{sign}{random.choice(NOBODY)}{random.choice(('', ', 2024', '. All rights reserved'))}"


def delivered_line(random: Random) -> Tuple[str, str]:
    """Return a line with a text of a server as delivered, and the line that may be printed."""
    line = sound_line(random)
    return f"{line}, {random.choice(DELIVERED)}", line


def sound_lines(random: Random, count: int) -> List[str]:
    """Return sound lines, none of which contains another."""
    found: List[str] = []
    while len(found) < count:
        found.append(f"{random.choice(_SIGNS)}{NAMES[len(found)]}, sheet {len(found) + 1}{random.choice(_ENDS)}")
    return found
