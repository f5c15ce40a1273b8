"""Undo and redo of a custom map: whole documents, which are small and never change, and what is seen beside them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Optional, Set, Tuple

from .model import CustomMap, Entry

MOST = 100


class History:
    """Documents in the order in which they came; ``place`` is the one that the map is now.

    Each has a word beside it for what a person sees and the document does not say: where its extent comes from.
    """

    def __init__(self) -> None:
        self._steps: list[Tuple[CustomMap, str]] = []
        self._place = -1
        self._kind: Tuple[str, ...] = ()

    def clear(self) -> None:
        """Begin anew: another map was opened."""
        self._steps.clear()
        self._place, self._kind = -1, ()

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier map."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a later one, which was undone."""
        return self._place + 1 < len(self._steps)

    @property
    def mode(self) -> str:
        """The word beside the map that ``undo`` or ``redo`` gave last."""
        return self._steps[self._place][1] if self._steps else ""

    def note(self, document: CustomMap, mode: str = "") -> None:
        """Take down the map as it is now. Steps of the same slider, or letters of the same title, are one."""
        step = document, mode
        if self._place >= 0 and step == self._steps[self._place]:
            return
        before = self._steps[self._place] if self._place >= 0 else None
        kind = _kind(before[0], document) if before is not None and before[1] == mode else ()
        del self._steps[self._place + 1:]
        if kind and kind == self._kind and self._place > 0:
            self._steps[self._place] = step
        else:
            self._steps.append(step)
            del self._steps[:-MOST]
        self._place = len(self._steps) - 1
        self._kind = kind

    def pause(self) -> None:
        """What comes next is a step of its own, even on the same slider."""
        self._kind = ()

    def undo(self) -> Optional[CustomMap]:
        """The map before; None where there is none."""
        return self._go(-1) if self.can_undo else None

    def redo(self) -> Optional[CustomMap]:
        """The map that was undone last; None where there is none."""
        return self._go(1) if self.can_redo else None

    def replace_present(self, document: CustomMap, mode: str = "") -> None:
        """The present step turned out otherwise (a service that did not come back)."""
        if self._place >= 0:
            self._steps[self._place] = document, mode

    def _go(self, step: int) -> CustomMap:
        self._place += step
        self._kind = ()
        return self._steps[self._place][0]


def _kind(before: CustomMap, after: CustomMap) -> Tuple[str, ...]:
    """What tells a gesture that goes on: only the title, or only one service's opacity, was changed; else nothing."""
    changed = {item.name for item in fields(CustomMap) if getattr(before, item.name) != getattr(after, item.name)}
    if changed == {"title"}:
        return ("title",)
    if not changed <= {"base", "overlays"} or len(before.entries) != len(after.entries):
        return ()
    places: Set[int] = {number for number, (one, other) in enumerate(zip(before.entries, after.entries))
                        if one != other}
    if len(places) == 1:
        place = places.pop()
        one, other = before.entries[place], after.entries[place]
        if _opaque(one) == _opaque(other):
            return ("opacity", str(place))
    return ()


def _opaque(entry: Entry) -> Entry:
    return replace(entry, opacity=1.0)
