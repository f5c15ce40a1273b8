"""Queries of a library of varied records, by kind, the same ones every time."""

from __future__ import annotations

import random
from typing import Dict, List, Optional, Tuple

from varied_records import ORGANISATIONS, WORDS, some_words

from plugin.core.box import Box
from plugin.core.library.query import LibraryQuery, SortOrder

EVERYWHERE = ("servicio", "mapas", "red", "información")


def _box(chance: random.Random) -> Box:
    """A map's view: a town, a province, a country, a continent, the world."""
    size = chance.choice((0.05, 0.3, 1.5, 8.0, 30.0, 150.0))
    west, south = chance.uniform(-9, 3), chance.uniform(36, 43)
    half, third = size / 2, size / 3
    return Box(max(-180, west - half), max(-90, south - third), min(180, west + half), min(90, south + third))


def _words(chance: random.Random, count: int) -> str:
    return " ".join(some_words(chance, count))


def _prefix(chance: random.Random) -> str:
    word = some_words(chance, 1)[0]
    return word[: chance.randint(1, max(1, len(word) - 1))]


def _facets(chance: random.Random) -> Dict[str, Tuple[str, ...]]:
    years = tuple(str(chance.randint(1998, 2025)) for _ in range(chance.randint(1, 3)))
    kinds: Tuple[Dict[str, Tuple[str, ...]], ...] = (
        {"year": years}, {"kind": ("service",)}, {"kind": ("dataset",), "year": years},
        {"organisation": (chance.choice(ORGANISATIONS),)}, {"licence": ("CC-BY-4.0", "CC0-1.0")},
        {"service_type": ("OGC:WMS", "view"), "kind": ("service",)}, {"keyword": (chance.choice(WORDS[:60]),)},
    )  # fmt: skip
    return chance.choice(kinds)


def queries(each: int = 40, seed: int = 5) -> Dict[str, List[LibraryQuery]]:
    """``each`` queries of every kind."""
    chance = random.Random(seed)

    def query(text: str = "", box: Optional[Box] = None, narrow: bool = False,
              sort: SortOrder = SortOrder.RELEVANCE) -> LibraryQuery:
        return LibraryQuery(text, box, _facets(chance) if narrow else {}, sort)

    made: Dict[str, List[LibraryQuery]] = {
        "words": [query(_words(chance, chance.randint(1, 3))) for _ in range(each)],
        "rare words": [query(chance.choice(WORDS[2000:])) for _ in range(each)],
        "words in every record": [
            query(" ".join(chance.sample(EVERYWHERE, chance.randint(1, 4)))) for _ in range(each)
        ],
        "prefixes": [query(_prefix(chance)) for _ in range(each)],
        "words as they are typed": [query(f"{_words(chance, 1)} {_prefix(chance)}") for _ in range(each)],
        "box": [query(box=_box(chance)) for _ in range(each)],
        "facets": [query(narrow=True) for _ in range(each)],
        "common word and box": [query(chance.choice(EVERYWHERE), _box(chance)) for _ in range(each)],
        "words, box and facets": [
            query(f"{_words(chance, 1)} {_prefix(chance)}", _box(chance), True) for _ in range(each)
        ],
        "sorted by title or date": [
            query(chance.choice((_words(chance, 1), _prefix(chance), "servicio", "")), None, chance.random() < 0.3,
                  chance.choice((SortOrder.TITLE, SortOrder.DATE))) for _ in range(each)
        ],
    }  # fmt: skip
    return made


