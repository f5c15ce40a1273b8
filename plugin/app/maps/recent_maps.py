"""List of the custom map files that were used last."""

from __future__ import annotations

import json
from pathlib import Path

from ...gis.runtime import settings


def recent_maps() -> list[Path]:
    """Return the files that were saved or opened last, the latest first, as far as they exist."""
    try:
        stored = json.loads(settings.get("recent_maps") or "[]")
    except ValueError:
        return []
    return [Path(text) for text in stored if isinstance(text, str) and Path(text).is_file()]


_MAX_RECENT = 8


def add_recent_map(path: Path) -> None:
    """Put a file at the head of the list."""
    found = [path.resolve(), *(other for other in recent_maps() if other.resolve() != path.resolve())]
    settings.set("recent_maps", json.dumps([str(one) for one in found[:_MAX_RECENT]], ensure_ascii=False))
