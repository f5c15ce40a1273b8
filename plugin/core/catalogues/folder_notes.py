"""What is known of a watched folder, kept in the store between sessions: in parts, so that a change writes little."""

from __future__ import annotations

import zlib
from typing import Iterable, List, Optional

from .folder_scan import FolderState, state_from_json, state_to_json
from .harvesting import Checkpoints

#: files of one part, about; a part is written in a few milliseconds, in which nobody else may have Python
_FILES_PER_PART = 4000


def load_folder_state(checkpoints: Checkpoints, folder: str) -> FolderState:
    """What was known of ``folder``; nothing where it was never looked at."""
    head = checkpoints.load(_checkpoint_key(folder)) or {}
    state = state_from_json(head.get("files"))
    parts = head.get("parts")
    for number in range(parts if isinstance(parts, int) else 0):
        state.update(state_from_json((checkpoints.load(_checkpoint_key(folder, number)) or {}).get("files")))
    return state


def save_folder_state(checkpoints: Checkpoints, folder: str, state: FolderState,
                      changed_paths: Optional[Iterable[str]] = None) -> None:
    """Keep what is known of ``folder``; ``touched`` are the paths that differ from what was kept (None: perhaps all).

    A break in between costs no more than that some files are read again.
    """
    head = checkpoints.load(_checkpoint_key(folder)) or {}
    known = head.get("parts")
    wanted = known if isinstance(known, int) and known * _FILES_PER_PART * 2 >= len(state) else _part_count(len(state))
    every = changed_paths is None or wanted != known
    numbers = range(wanted) if every else sorted({_part_of(path, wanted) for path in changed_paths or ()})
    files: List[FolderState] = [{} for _ in range(wanted)]
    for path, mark in state.items():
        files[_part_of(path, wanted)][path] = mark
    if wanted != known:
        checkpoints.save(_checkpoint_key(folder), None)
    for number in numbers:
        checkpoints.save(_checkpoint_key(folder, number), {"files": state_to_json(files[number])})
    for number in range(wanted, known if isinstance(known, int) else 0):
        checkpoints.save(_checkpoint_key(folder, number), None)
    if wanted != known:
        checkpoints.save(_checkpoint_key(folder), {"parts": wanted})


def _part_count(files: int) -> int:
    parts = 1
    while parts * _FILES_PER_PART < files:
        parts *= 2
    return parts


def _part_of(path: str, parts: int) -> int:
    return zlib.crc32(path.encode("utf-8", "surrogateescape")) % parts


def _checkpoint_key(folder: str, part: Optional[int] = None) -> str:
    return f"folder:{folder}" if part is None else f"folder:{folder}\n{part}"
