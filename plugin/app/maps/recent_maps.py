"""List of the custom map files that were used last."""

from __future__ import annotations

import json
from pathlib import Path

from ...gis.runtime import settings

#: the most files in the list
_MAX_RECENT = 8


def recent_maps() -> list[Path]:
    """Return the custom maps opened or saved most recently, newest first. Files that no longer exist are left out."""
    try:
        stored = json.loads(settings.get("recent_maps") or "[]")
    except ValueError:
        return []
    if not isinstance(stored, list):
        return []
    return [Path(text) for text in stored if isinstance(text, str) and Path(text).is_file()]


def add_recent_map(path: Path) -> None:
    """Put a file at the head of the list, which has each file once. The oldest files beyond the limit are dropped."""
    resolved = path.resolve()
    paths = [resolved, *(recent for recent in recent_maps() if recent.resolve() != resolved)]
    settings.set("recent_maps", json.dumps([str(recent) for recent in paths[:_MAX_RECENT]], ensure_ascii=False))
