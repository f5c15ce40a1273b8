"""The printed legend by what visitors look for: facilities, paths, roads, water, places, relief, limits.

The subject of a layer is known by the words of its title, as services seldom say it otherwise. A legend whose headings,
services' titles or order somebody has edited is printed as it was edited.
"""

from __future__ import annotations

import re
from typing import Dict, List, Mapping, Optional, Tuple

from ...text import fold
from ..model import OwnLayer, Plan
from .tree import LegendGroup, LegendItem, LegendTree, legend_tree, text_in

#: subjects in the order of the legend, with their headings and the words of titles, folded, which are tried in turn
_SUBJECTS: Tuple[Tuple[Mapping[str, str], str], ...] = (
    ({"es": "Equipamientos", "en": "Facilities"},
     r"equipamient|facilit|uso publico|visit|puntos? de informacion|information point|aulas?\b|museo|museum|"
     r"inicio de sender|trailhead|mirador|viewpoint|observator|hide\b|areas? recreativ|picnic|acampad|camping|campsite|"
     r"refugio|shelter|hut\b|albergue|casas? rural|hostel|alojamient|kiosc|bares\b|bar\b|restaurant|fuentes?\b|"
     r"puntos? de agua|drinking|aparcamient|parking|car park"),
    ({"es": "Senderos y caminos", "en": "Trails and tracks"},
     r"sender|caminos?\b|pistas?\b|vias? verdes?|vias? pecuaria|trail|paths?\b|tracks?\b|itinerari|cycle|bici"),
    ({"es": "Carreteras y ferrocarril", "en": "Roads and railways"},
     r"carreter|autovi|autopist|ferrocarril|viari|roads?\b|motorway|highway|rail|transport"),
    ({"es": "Agua", "en": "Water"},
     r"rios?\b|arroyo|hidrograf|embalse|lagun|lagos?\b|cauces?\b|masas? de agua|humedal|river|stream|water|lakes?\b|"
     r"wetland"),
    ({"es": "Poblaciones y lugares", "en": "Towns and places"},
     r"toponim|poblacion|nucleos?\b|asentamient|edific|place|names?\b|towns?\b|settlement|building"),
    ({"es": "Límites", "en": "Boundaries"},
     r"limites?\b|exterior|termino|municipi|provinci|zonificacion|boundar|border|outside|"
     r"espacios? (?:natural|protegid)"),
    ({"es": "Relieve y vegetación", "en": "Relief and vegetation"},
     r"relieve|curvas? de nivel|altitud|altimetr|hipsometr|sombread|pendient|cubierta|vegetacion|usos? del suelo|"
     r"relief|contour|elevation|hillshade|terrain|land ?cover|vegetation"),
)
_OTHER = {"es": "Otros datos", "en": "Other data"}
_PATTERNS = [re.compile(r"\b(?:" + words + ")") for _, words in _SUBJECTS]
#: limits stand last, below relief, though their words are looked for before those of relief
_ORDER = (0, 1, 2, 3, 4, 6, 5)


def printed_tree(plan: Plan) -> LegendTree:
    """Return the groups of the legend as the page prints them: ``legend_tree``, by subject where nobody has edited it.

    A service none of whose layers has a known subject keeps its group, and so do own layers.
    """
    tree = legend_tree(plan)
    if any(legend.titles or legend.heading or legend.position is not None for legend in plan.legends) or any(
            item.edit.heading or item.edit.position is not None for group in tree for item in group.items):
        return tree
    by_subject: Dict[Optional[int], List[LegendItem]] = {}
    others: List[LegendGroup] = []
    for group in tree:
        subjects = [_subject(item) for item in group.items]
        if all(subject is None for subject in subjects):
            others.append(group)
            continue
        for item, subject in zip(group.items, subjects):
            by_subject.setdefault(subject, []).append(item)
    headed = [(text_in(_SUBJECTS[number][0], plan.language) or _SUBJECTS[number][0]["en"], by_subject[number])
              for number in _ORDER if number in by_subject]
    if None in by_subject:
        headed.append((text_in(_OTHER, plan.language) or _OTHER["en"], by_subject[None]))
    return (*others, *(LegendGroup(title, title, tuple(items), {plan.language: title}, True)
                      for title, items in headed))


def _subject(item: LegendItem) -> Optional[int]:
    """Return the number of the subject of a service's layer, None where no word of its title says it."""
    if isinstance(item.layer, OwnLayer):
        return None
    for title in (item.default_title, item.title):
        folded = fold(title)
        for number, pattern in enumerate(_PATTERNS):
            if pattern.search(folded):
                return number
    return None
