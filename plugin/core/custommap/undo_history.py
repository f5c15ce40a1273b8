"""Undo and redo of a custom map by complete documents, which are small and immutable."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Dict, Optional, Set, Tuple, Union

from ..i18n import tr
from ..pages.page_feature import PageFeature
from ..pages.page_features import with_members
from ..text import quoted, shorten, single_line
from .legend import changes as legend_changes
from .model import CustomMap, MapEntry, OwnLayer

MAX_STEPS = 100
#: characters of a service's title in the label of a change
_MAX_TITLE = 40


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
    def undo_label(self) -> str:
        """The change that ``undo`` would undo, in a few words for people ("remove “Hydrography”"), or ""."""
        return self._change_label(self._position) if self.can_undo else ""

    @property
    def redo_label(self) -> str:
        """The change that ``redo`` would make again, in a few words for people, or ""."""
        return self._change_label(self._position + 1) if self.can_redo else ""

    def _change_label(self, position: int) -> str:
        return change_label(self._steps[position - 1][0], self._steps[position][0])

    @property
    def extent_mode(self) -> str:
        """The extent mode of the current document."""
        return self._steps[self._position][1] if self._steps else ""

    def push(self, document: CustomMap, extent_mode: str = "") -> None:
        """Add the current document. Successive changes of one opacity, the title or a typed text are one."""
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


def change_label(before: CustomMap, after: CustomMap) -> str:
    """Return in a few words for people, in lower case, how ``after`` differs from ``before``.

    Services and own layers that were removed or added come first, since other changes follow from them. Documents
    without a difference have been seen in another extent mode.
    """
    former, present = _layers_by_key(before), _layers_by_key(after)
    removed = [layer for key, layer in former.items() if key not in present]
    added = [layer for key, layer in present.items() if key not in former]
    if removed and not added:
        return tr("remove {title}", title=_title(removed[0])) if len(removed) == 1 else tr("remove layers")
    if added and not removed:
        return tr("add {title}", title=_title(added[0])) if len(added) == 1 else tr("add layers")
    changed = {item.name for item in fields(CustomMap) if getattr(before, item.name) != getattr(after, item.name)}
    if changed & {"base", "overlays", "own_layers"}:
        if not added and legend_changes.reset(before) == legend_changes.reset(after):
            return tr("legend")
        return _layer_change_label(former, present) if not added else tr("replace layers")
    if changed == {"page"} and replace(before.page, rotation=after.page.rotation) == after.page:
        return tr("rotation of the page")
    if changed == {"page"} and replace(before.page, theme=after.page.theme) == after.page:
        return tr("theme of the page")
    feature = _changed_feature(before, after) if changed == {"page"} else None
    if feature is not None and feature.change_label is not None:
        return feature.change_label()
    labels = {"title": tr("title of the map"), "language": tr("language of the map"),
              "crs": tr("coordinate reference system"), "page": tr("page")}
    return next((label for name, label in labels.items() if name in changed), tr("extent and scale"))


_Layer = Union[MapEntry, OwnLayer]


def _layers_by_key(document: CustomMap) -> Dict[Tuple[str, int], _Layer]:
    """Return services and own layers in the order of drawing, by endpoint or id and a number for repeated ones."""
    layers: Dict[Tuple[str, int], _Layer] = {}
    for layer in document.stack:
        name = layer.endpoint if isinstance(layer, MapEntry) else layer.id
        number = 0
        while (name, number) in layers:
            number += 1
        layers[name, number] = layer
    return layers


def _layer_change_label(former: Dict[Tuple[str, int], _Layer], present: Dict[Tuple[str, int], _Layer]) -> str:
    """Return the label of a change of the same layers: of one of them, or of their order."""
    changed = [(layer, present[key]) for key, layer in former.items() if layer != present[key]]
    if list(former) != list(present) or not changed:
        return tr("order of the layers")
    if len(changed) > 1:
        return tr("several layers")
    old, new = changed[0]
    title = _title(new)
    if old.visible != new.visible or getattr(old, "hidden", ()) != getattr(new, "hidden", ()):
        return tr("visibility of {title}", title=title)
    if replace(old, opacity=new.opacity) == new or getattr(old, "layer_opacities", {}) != getattr(
            new, "layer_opacities", {}):
        return tr("opacity of {title}", title=title)
    if getattr(old, "blend", None) is not getattr(new, "blend", None):
        return tr("blending mode of {title}", title=title)
    return tr("settings of {title}", title=title)


def _title(layer: _Layer) -> str:
    name = layer.title or layer.endpoint if isinstance(layer, MapEntry) else layer.name
    return quoted(shorten(single_line(name), _MAX_TITLE))


def _changed_feature(before: CustomMap, after: CustomMap) -> Optional[PageFeature[Any]]:
    """Return the page feature whose value is all that differs in the page."""
    return next((feature for feature in with_members()
                 if replace(before.page, **{feature.member: getattr(after.page, feature.member)}) == after.page), None)


def _gesture_of(before: CustomMap, after: CustomMap) -> Tuple[str, ...]:
    """Return the key of a continued gesture, else empty: only the title, a typed text or one opacity changed."""
    changed = {item.name for item in fields(CustomMap) if getattr(before, item.name) != getattr(after, item.name)}
    if changed == {"title"}:
        return ("title",)
    feature = _changed_feature(before, after) if changed == {"page"} else None
    if feature is not None and feature.is_typed:
        return (feature.name,)
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
