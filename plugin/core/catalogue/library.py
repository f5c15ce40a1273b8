"""The records at hand, in memory: each identifier once, searched by the beginnings of words, accents or not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

from ..records.links import endpoint, normalise_endpoint
from ..records.model import Record
from ..records.starter import is_starter
from ..text import fold

#: what a hit in each field counts; the title outweighs all the others together
_WEIGHTS = (100, 20, 10, 8, 1)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class _Shelf:
    """One identifier: the record that counts first, then the other versions; its words, field by field."""

    versions: Tuple[Record, ...]
    words: Tuple[str, ...]
    order: Tuple[str, str]

    @property
    def record(self) -> Record:
        return self.versions[0]


class Library:
    """A set of records. Iterating gives each identifier's current record in the order of their titles."""

    def __init__(self) -> None:
        self._shelves: Dict[str, _Shelf] = {}
        self._sorted: Optional[List[_Shelf]] = None

    def add(self, record: Record) -> Record:
        """Take a record in and give the one that counts under its identifier from now on.

        Of several with one identifier the newest date stamp counts, of equals the one that came last; ``versions``
        lists the others. A starter record gives way to any other record of its identifier, and to a service's record
        that leads to its endpoint, because a catalogue's own identifier may be another.
        """
        if is_starter(record):
            stand_in = self._replacement(record)
            if stand_in is not None:
                return stand_in
        elif record.kind == "service":
            self._retire_starters(record)
        key = _key(record)
        shelf = self._shelves.get(key)
        versions = [record, *(item for item in (shelf.versions if shelf else ()) if item != record)]
        versions.sort(key=lambda item: (not is_starter(item), item.date_stamp or ""), reverse=True)
        if not is_starter(versions[0]):
            versions = [item for item in versions if not is_starter(item)]
        self._shelves[key] = _Shelf(tuple(versions), _words(versions[0]), (fold(versions[0].title or ""), key))
        self._sorted = None
        return versions[0]

    def replace(self, old: Record, new: Record) -> Record:
        """Take ``old`` out, whatever its identifier, and ``new`` in."""
        self.remove(_key(old))
        return self.add(new)

    def remove(self, record_id: str) -> bool:
        """Take an identifier out with all its versions; whether it was there."""
        self._sorted = None
        return self._shelves.pop(record_id, None) is not None

    def get(self, record_id: str) -> Optional[Record]:
        """The record that counts under an identifier."""
        shelf = self._shelves.get(record_id)
        return shelf.record if shelf else None

    def versions(self, record_id: str) -> Tuple[Record, ...]:
        """Every version of an identifier, the one that counts first."""
        shelf = self._shelves.get(record_id)
        return shelf.versions if shelf else ()

    def search(self, text: str) -> List[Record]:
        """The records in which every word of ``text`` begins a word of title, keywords, organisations, id or abstract.

        Accents and case do not matter. Hits in the title come first, whole words before beginnings.
        """
        wanted = _WORD.findall(fold(text))
        if not wanted:
            return list(self)
        found = []
        for shelf in self._in_order():
            scores = [_score(shelf.words, word) for word in wanted]
            if all(scores):
                found.append((-sum(scores), shelf.order, shelf.record))
        return [record for _, _, record in sorted(found, key=lambda item: item[:2])]

    def __iter__(self) -> Iterator[Record]:
        return iter([shelf.record for shelf in self._in_order()])

    def __len__(self) -> int:
        return len(self._shelves)

    def __contains__(self, record_id: object) -> bool:
        return record_id in self._shelves

    def _in_order(self) -> List[_Shelf]:
        if self._sorted is None:
            self._sorted = sorted(self._shelves.values(), key=lambda shelf: shelf.order)
        return self._sorted

    def _replacement(self, starter: Record) -> Optional[Record]:
        """What is here already in place of a starter record."""
        own = self._shelves.get(_key(starter))
        if own is not None and not is_starter(own.record):
            return own.record
        address = _endpoint(starter)
        return next((shelf.record for shelf in self._shelves.values()
                     if address and shelf.record.kind == "service" and not is_starter(shelf.record)
                     and _endpoint(shelf.record) == address), None)

    def _retire_starters(self, record: Record) -> None:
        address = _endpoint(record)
        gone = [key for key, shelf in self._shelves.items()
                if address and is_starter(shelf.record) and _endpoint(shelf.record) == address]
        for key in gone:
            del self._shelves[key]


def _key(record: Record) -> str:
    """The identifier; for a record without one its place, else its title."""
    return record.id or f"{record.source or 'record'}#{record.title or ''}"


def _endpoint(record: Record) -> str:
    address = endpoint(record)
    return normalise_endpoint(address) if address else ""


def _words(record: Record) -> Tuple[str, ...]:
    """The folded words of title, keywords, organisations, identifier, abstract, each field as one text.

    A space stands before every word and behind the last: a beginning is found by looking for it with its space.
    """
    organisations = [name for contact in record.contacts for name in (contact.organisation, contact.individual) if name]
    fields = ([record.title or "", *record.alternate_titles], list(record.keywords), organisations, [record.id or ""],
              [record.abstract or ""])
    return tuple(" " + "".join(f"{word} " for word in _WORD.findall(fold(" ".join(texts)))) for texts in fields)


def _score(words: Tuple[str, ...], wanted: str) -> int:
    """0 where no word begins so."""
    score = 0
    for weight, text in zip(_WEIGHTS, words):
        if f" {wanted} " in text:
            score += 2 * weight
        elif f" {wanted}" in text:
            score += weight
    return score
