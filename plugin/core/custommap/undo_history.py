"""Undo and redo of custom maps by complete documents, which are small and immutable.

A map that took the place of another one follows it in the history, so that undo leads back to the former.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ..i18n import tr
from ..pages.page_feature import PageFeature
from ..text import quoted, shorten, single_line
from .model import CustomMap, MapEntry, OwnLayer

MAX_STEPS = 100
#: characters of a service's title in the label of a change
_MAX_TITLE = 40
_Layer = Union[MapEntry, OwnLayer]


class Change(NamedTuple):
    """A change of the document: its label for people, in lower case ("remove “Hydrography”").

    Successive changes of one ``gesture``, as of a slider, are one step to undo.
    """

    label: str
    gesture: str = ""


class Step(NamedTuple):
    """A document with its extent mode, which it does not contain, the change that led to it, and the map's number."""

    document: CustomMap
    extent_mode: str
    change: Change
    map_number: int = 0


class UndoHistory:
    """The documents in temporal order and the position of the current one."""

    def __init__(self) -> None:
        self._steps: List[Step] = []
        self._position = -1
        self._gesture = ""
        #: the number of the map whose documents are pushed, and of the last one that was begun
        self.map_number = self._last_map = 0

    def clear(self) -> None:
        """Remove all steps, when another project is opened."""
        self._steps.clear()
        self._position, self._gesture = -1, ""

    def begin_map(self) -> None:
        """Let the next document be the first of another map, which takes the place of the present one."""
        self._last_map += 1
        self.map_number = self._last_map

    def restart_map(self) -> None:
        """Remove the steps of the present map. Those of the maps before it stay."""
        self._steps = [step for step in self._steps[:self._position + 1] if step.map_number != self.map_number]
        self._position, self._gesture = len(self._steps) - 1, ""

    @property
    def has_changed_map(self) -> bool:
        """True where the present map was changed since it was begun."""
        return self.can_undo and self._steps[self._position - 1].map_number == self.map_number

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
        return self._steps[self._position].change.label if self.can_undo else ""

    @property
    def redo_label(self) -> str:
        """The change that ``redo`` would make again, in a few words for people, or ""."""
        return self._steps[self._position + 1].change.label if self.can_redo else ""

    def push(self, document: CustomMap, change: Optional[Change], extent_mode: str = "") -> None:
        """Add the current document, if it is another one or is seen in another extent mode.

        Without ``change`` it was changed in QGIS, and is compared with the one before.
        """
        before = self._steps[self._position] if self._position >= 0 else None
        if before is not None and (document, extent_mode, self.map_number) == (*before[:2], before.map_number):
            return
        if before is None or before.map_number != self.map_number:
            change = Change(tr("Another custom map"))
        change = change or change_in_qgis(before.document if before is not None else document, document)
        step = Step(document, extent_mode, change, self.map_number)
        same_mode = before is not None and before.extent_mode == extent_mode
        del self._steps[self._position + 1:]
        if change.gesture and same_mode and change.gesture == self._gesture and self._position > 0:
            self._steps[self._position] = step
        else:
            self._steps.append(step)
            del self._steps[:-MAX_STEPS]
        self._position = len(self._steps) - 1
        self._gesture = change.gesture if same_mode else ""

    def end_gesture(self) -> None:
        """Start a new step with the next change, even with one of the same slider."""
        self._gesture = ""

    def undo(self) -> Optional[Step]:
        """Return the previous document, or None."""
        return self._move(-1) if self.can_undo else None

    def undo_map(self) -> Optional[Step]:
        """Return the last document of the map before the present one, or None."""
        first = [step.map_number for step in self._steps].index(self.map_number)
        return self.show_map(self._steps[first - 1].map_number) if first else None

    def show_map(self, number: int) -> Optional[Step]:
        """Return the last document of the map with this number, the present one of the present map, or None."""
        places = [place for place, step in enumerate(self._steps) if step.map_number == number]
        if self._position in places:
            return self._move(0)
        return self._move(places[-1] - self._position) if places else None

    def redo(self) -> Optional[Step]:
        """Return the document that was undone last, or None."""
        return self._move(1) if self.can_redo else None

    def _move(self, step: int) -> Step:
        self._position += step
        self._gesture = ""
        self.map_number = self._steps[self._position].map_number
        return self._steps[self._position]


def added(layers: Sequence[_Layer]) -> Change:
    return Change(tr("add {title}", title=_title(layers[0])) if len(layers) == 1 else tr("add layers"))


def removed(layers: Sequence[_Layer]) -> Change:
    return Change(tr("remove {title}", title=_title(layers[0])) if len(layers) == 1 else tr("remove layers"))


def replaced_layers() -> Change:
    """Return the change of services to others, or to other addresses."""
    return Change(tr("replace layers"))


def order_of_layers() -> Change:
    return Change(tr("order of the layers"))


def visibility(layer: _Layer) -> Change:
    return Change(tr("visibility of {title}", title=_title(layer)))


def opacity(layer: _Layer) -> Change:
    """Return the change of an opacity. Those of one layer continue each other."""
    return Change(tr("opacity of {title}", title=_title(layer)), f"opacity {_name(layer)}")


def blending_mode(layer: _Layer) -> Change:
    return Change(tr("blending mode of {title}", title=_title(layer)))


def layer_settings(layer: _Layer) -> Change:
    """Return the change of anything else in a layer."""
    return Change(tr("settings of {title}", title=_title(layer)))


def map_title() -> Change:
    return Change(tr("title of the map"), "title")


def extent_and_scale() -> Change:
    return Change(tr("extent and scale"))


def page_feature(feature: PageFeature[Any]) -> Change:
    """Return the change of a page feature's value."""
    return Change(feature.change_label() if feature.change_label else tr("page"),
                  feature.name if feature.is_typed else "")


def change_in_qgis(before: CustomMap, after: CustomMap) -> Change:
    """Return what somebody changed in QGIS's layer tree or layer styling, which do not say it themselves.

    Services and own layers that were removed or added come first, since other changes follow from them.
    """
    former, present = _layers_by_key(before), _layers_by_key(after)
    gone = [layer for key, layer in former.items() if key not in present]
    new = [layer for key, layer in present.items() if key not in former]
    if gone and new:
        return replaced_layers()
    if gone or new:
        return removed(gone) if gone else added(new)
    changed = [(layer, present[key]) for key, layer in former.items() if layer != present[key]]
    if list(former) != list(present):
        return order_of_layers()
    if not changed:
        return map_title() if before.title != after.title else Change(tr("coordinate reference system"))
    if len(changed) > 1:
        return Change(tr("several layers"))
    (old, now), = changed
    if set(getattr(now, "layers", ())) < set(getattr(old, "layers", ())):
        return Change(tr("remove layers of {title}", title=_title(now)))
    if old.visible != now.visible or getattr(old, "hidden", ()) != getattr(now, "hidden", ()):
        return visibility(now)
    if replace(old, opacity=now.opacity) == now or getattr(old, "layer_opacities", {}) != getattr(
            now, "layer_opacities", {}):
        return opacity(now)
    if getattr(old, "blend", None) is not getattr(now, "blend", None):
        return blending_mode(now)
    return layer_settings(now)


def _layers_by_key(document: CustomMap) -> Dict[Tuple[str, int], _Layer]:
    """Return services and own layers in the order of drawing, by endpoint or id and a number for repeated ones."""
    layers: Dict[Tuple[str, int], _Layer] = {}
    for layer in document.stack:
        name = _name(layer)
        number = 0
        while (name, number) in layers:
            number += 1
        layers[name, number] = layer
    return layers


def _name(layer: _Layer) -> str:
    return layer.endpoint if isinstance(layer, MapEntry) else layer.id


def _title(layer: _Layer) -> str:
    name = layer.title or layer.endpoint if isinstance(layer, MapEntry) else layer.name
    return quoted(shorten(single_line(name), _MAX_TITLE))
