"""What a layer takes over from its parent, element by element (OGC 06-042 7.2.4.8 Table 7, 01-068r3 7.1.4.7 Table 5).

Most layers add nothing to what they inherit: the parent's own tuples are handed on, so that thousands of layers share
them.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Tuple, TypeVar

from ...errors import UnreadableDocument
from ...i18n import tr
from ..crs.codes import normalise_crs
from ..model.service import BoundingBox, LinkedDocument, Style

#: inherited values that one document may spread over its layers before it is refused as an attack on memory
MAX_INHERITED_VALUES = 5_000_000

Item = TypeVar("Item")


class InheritanceMerger:
    """Joins own and inherited values, shares equal results, and bounds what one document may make of them."""

    def __init__(self) -> None:
        self._crs: Dict[Tuple[Tuple[str, ...], Tuple[str, ...]], Tuple[str, ...]] = {}
        self._codes: Dict[str, str] = {}
        self._value_count = 0

    def intern_code(self, text: str) -> str:
        """The one string object that stands for a CRS code all over the document."""
        return self._codes.setdefault(text, text)

    def merge_crs(self, inherited: Tuple[str, ...], own: List[str]) -> Tuple[str, ...]:
        """CRSs add to the inherited ones (7.2.4.6.7), each once."""
        if not own:
            return inherited
        key = (inherited, tuple(own))
        known = self._crs.get(key)
        if known is None:
            joined = tuple(dict.fromkeys(inherited + key[1]))
            known = inherited if joined == inherited else joined
            self._count_values(len(known))
            self._crs[key] = known
        return known

    def merge_styles(self, inherited: Tuple[Style, ...], own: List[Style]) -> Tuple[Style, ...]:
        """Styles add (7.2.4.6.5); one that a child redefines, which it must not, counts as the child describes it."""
        return self._merge(inherited, own, lambda style: style.name)

    def merge_bounding_boxes(self, inherited: Tuple[BoundingBox, ...],
                             own: List[BoundingBox]) -> Tuple[BoundingBox, ...]:
        """A box replaces the inherited one of the same CRS; one for another CRS is added (7.2.4.6.8)."""
        return self._merge(inherited, own, lambda box: normalise_crs(box.crs))

    def merge_authorities(self, inherited: Tuple[LinkedDocument, ...],
                          own: List[LinkedDocument]) -> Tuple[LinkedDocument, ...]:
        """AuthorityURLs add (7.2.4.6.12)."""
        return self._merge(inherited, own, lambda link: link.name or link.url)

    def _merge(self, inherited: Tuple[Item, ...], own: List[Item], key: Callable[[Item], str]) -> Tuple[Item, ...]:
        if not own:
            return inherited
        joined = {key(item): item for item in inherited}
        for item in own:
            joined[key(item)] = item
        result = tuple(joined.values())
        if result == inherited:
            return inherited
        self._count_values(len(result))
        return result

    def _count_values(self, count: int) -> None:
        self._value_count += count
        if self._value_count > MAX_INHERITED_VALUES:
            raise UnreadableDocument(
                tr("The capabilities document is too large to be read: its layers inherit more than {limit} values.",
                   limit=MAX_INHERITED_VALUES))
