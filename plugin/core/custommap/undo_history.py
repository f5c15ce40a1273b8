"""Undo and redo of a custom map by complete documents, which are small and immutable."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Optional, Set, Tuple

from .model import CustomMap, MapEntry

MAX_STEPS = 100


class UndoHistory:
    """The documents in temporal order and the position of the current one.

    Each comes with its extent mode, which the document itself does not contain.
    """

    def __init__(self) -> None:
        self._steps: list[Tuple[CustomMap, str]] = []
        self._position = -1
        self._gesture: Tuple[str, ...] = ()

    def clear(self) -> None:
        """Remove all steps, when another map is opened."""
        self._steps.clear()
        self._position, self._gesture = -1, ()

    @property
    def can_undo(self) -> bool:
        """True where there is an earlier document."""
        return self._position > 0

    @property
    def can_redo(self) -> bool:
        """True where there is a later document that was undone."""
        return self._position + 1 < len(self._steps)

    @property
    def extent_mode(self) -> str:
        """The extent mode of the current document."""
        return self._steps[self._position][1] if self._steps else ""

    def push(self, document: CustomMap, extent_mode: str = "") -> None:
        """Add the current document. Successive changes of one opacity or of the title are merged into one step."""
        step = document, extent_mode
        if self._position >= 0 and step == self._steps[self._position]:
            return
        before = self._steps[self._position] if self._position >= 0 else None
        kind = _gesture_of(before[0], document) if before is not None and before[1] == extent_mode else ()
        del self._steps[self._position + 1:]
        if kind and kind == self._gesture and self._position > 0:
            self._steps[self._position] = step
        else:
            self._steps.append(step)
            del self._steps[:-MAX_STEPS]
        self._position = len(self._steps) - 1
        self._gesture = kind

    def end_gesture(self) -> None:
        """Start a new step with the next change, even with one of the same slider."""
        self._gesture = ()

    def undo(self) -> Optional[CustomMap]:
        """Return the previous document, or None."""
        return self._move(-1) if self.can_undo else None

    def redo(self) -> Optional[CustomMap]:
        """Return the document that was undone last, or None."""
        return self._move(1) if self.can_redo else None

    def _move(self, step: int) -> CustomMap:
        self._position += step
        self._gesture = ()
        return self._steps[self._position][0]


def _gesture_of(before: CustomMap, after: CustomMap) -> Tuple[str, ...]:
    """Return the key of a continued gesture: only the title, or only one service's opacity, was changed. Else empty."""
    changed = {item.name for item in fields(CustomMap) if getattr(before, item.name) != getattr(after, item.name)}
    if changed == {"title"}:
        return ("title",)
    if changed == {"own_layers"} and len(before.own_layers) == len(after.own_layers):
        own = [(old, new) for old, new in zip(before.own_layers, after.own_layers) if old != new]
        if len(own) == 1 and replace(own[0][0], opacity=1.0) == replace(own[0][1], opacity=1.0):
            return ("own opacity", own[0][0].id)
    if not changed <= {"base", "overlays"} or len(before.entries) != len(after.entries):
        return ()
    changed_indexes: Set[int] = {
        number for number, (old, new) in enumerate(zip(before.entries, after.entries)) if old != new
    }
    if len(changed_indexes) == 1:
        index = changed_indexes.pop()
        old, new = before.entries[index], after.entries[index]
        if _without_opacity(old) == _without_opacity(new):
            return ("opacity", str(index))
    return ()


def _without_opacity(entry: MapEntry) -> MapEntry:
    return replace(entry, opacity=1.0)
