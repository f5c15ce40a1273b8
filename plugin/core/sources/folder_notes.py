"""What is known of a watched folder, kept in the store between sessions: in parts, so that a change writes little."""

from __future__ import annotations

import zlib
from typing import Iterable, List, Optional

from .folders import State, state_from_json, state_to_json
from .harvesting import Progress

#: files of one part, about; a part is written in a few milliseconds, in which nobody else may have Python
_IN_A_PART = 4000


def load(progress: Progress, folder: str) -> State:
    """What was known of ``folder``; nothing where it was never looked at."""
    head = progress.get(_key(folder)) or {}
    state = state_from_json(head.get("files"))
    parts = head.get("parts")
    for number in range(parts if isinstance(parts, int) else 0):
        state.update(state_from_json((progress.get(_key(folder, number)) or {}).get("files")))
    return state


def note(progress: Progress, folder: str, state: State, touched: Optional[Iterable[str]] = None) -> None:
    """Keep what is known of ``folder``; ``touched`` are the paths that differ from what was kept (None: perhaps all).

    A break in between costs no more than that some files are read again.
    """
    head = progress.get(_key(folder)) or {}
    known = head.get("parts")
    wanted = known if isinstance(known, int) and known * _IN_A_PART * 2 >= len(state) else _parts_for(len(state))
    every = touched is None or wanted != known
    numbers = range(wanted) if every else sorted({_part(path, wanted) for path in touched or ()})
    files: List[State] = [{} for _ in range(wanted)]
    for path, mark in state.items():
        files[_part(path, wanted)][path] = mark
    if wanted != known:
        progress.note(_key(folder), None)
    for number in numbers:
        progress.note(_key(folder, number), {"files": state_to_json(files[number])})
    for number in range(wanted, known if isinstance(known, int) else 0):
        progress.note(_key(folder, number), None)
    if wanted != known:
        progress.note(_key(folder), {"parts": wanted})


def _parts_for(files: int) -> int:
    parts = 1
    while parts * _IN_A_PART < files:
        parts *= 2
    return parts


def _part(path: str, parts: int) -> int:
    return zlib.crc32(path.encode("utf-8", "surrogateescape")) % parts


def _key(folder: str, part: Optional[int] = None) -> str:
    return f"folder:{folder}" if part is None else f"folder:{folder}\n{part}"
