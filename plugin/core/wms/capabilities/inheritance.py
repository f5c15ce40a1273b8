"""Inheritance of layer properties (OGC 06-042 7.2.4.8 Table 7, 01-068r3 7.1.4.7 Table 5).

Most layers add nothing to what they inherit. They share their parent's tuples, so thousands of layers take little
memory.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Tuple, TypeVar

from ...errors import UnreadableDocument
from ...i18n import tr
from ..crs.codes import normalise_crs
from ..model.service import BoundingBox, LinkedDocument, Style

#: limit of inherited values in one document, against attacks on memory
MAX_INHERITED_VALUES = 5_000_000

Item = TypeVar("Item")


class InheritanceMerger:
    """Merges own with inherited values, shares equal results, and limits the total for one document."""

    def __init__(self) -> None:
        self._crs: Dict[Tuple[Tuple[str, ...], Tuple[str, ...]], Tuple[str, ...]] = {}
        self._codes: Dict[str, str] = {}
        self._value_count = 0

    def intern_code(self, text: str) -> str:
        """Return the one string object that represents a CRS code throughout the document."""
        return self._codes.setdefault(text, text)

    def merge_crs(self, inherited: Tuple[str, ...], additions: List[str]) -> Tuple[str, ...]:
        """Return the inherited CRSs followed by the layer's own ones, each once (7.2.4.6.7)."""
        if not additions:
            return inherited
        key = (inherited, tuple(additions))
        merged = self._crs.get(key)
        if merged is None:
            combined = tuple(dict.fromkeys(inherited + key[1]))
            merged = inherited if combined == inherited else combined
            self._count_values(len(merged))
            self._crs[key] = merged
        return merged

    def merge_styles(self, inherited: Tuple[Style, ...], additions: List[Style]) -> Tuple[Style, ...]:
        """Return the inherited styles and the layer's own ones (7.2.4.6.5).

        A layer must not redefine an inherited style. If it does, its definition replaces the inherited one.
        """
        return self._merge(inherited, additions, lambda style: style.name)

    def merge_bounding_boxes(self, inherited: Tuple[BoundingBox, ...],
                             additions: List[BoundingBox]) -> Tuple[BoundingBox, ...]:
        """Return the inherited boxes, each replaced by an own box of the same CRS, then the others (7.2.4.6.8)."""
        return self._merge(inherited, additions, lambda box: normalise_crs(box.crs))

    def merge_authorities(self, inherited: Tuple[LinkedDocument, ...],
                          additions: List[LinkedDocument]) -> Tuple[LinkedDocument, ...]:
        """Return the inherited AuthorityURLs and the layer's own ones (7.2.4.6.12)."""
        return self._merge(inherited, additions, lambda link: link.name or link.url)

    def _merge(self, inherited: Tuple[Item, ...], additions: List[Item],
               key: Callable[[Item], str]) -> Tuple[Item, ...]:
        if not additions:
            return inherited
        merged = {key(item): item for item in inherited}
        for item in additions:
            merged[key(item)] = item
        result = tuple(merged.values())
        if result == inherited:
            return inherited
        self._count_values(len(result))
        return result

    def _count_values(self, count: int) -> None:
        """Raise UnreadableDocument if the document has spread too many values over its layers."""
        self._value_count += count
        if self._value_count > MAX_INHERITED_VALUES:
            raise UnreadableDocument(
                tr("The capabilities document is too large: its layers inherit more than {limit} values.",
                   limit=MAX_INHERITED_VALUES))
