"""The files of custom maps that were saved or opened last."""

from __future__ import annotations

import json
from pathlib import Path

from ...gis.runtime import settings


def recent_maps() -> list[Path]:
    """The files of custom maps that were saved or opened last, the latest first; only those that are still there."""
    try:
        told = json.loads(settings.get("recent_maps") or "[]")
    except ValueError:
        return []
    return [Path(text) for text in told if isinstance(text, str) and Path(text).is_file()]


_MAX_RECENT = 8


def add_recent_map(path: Path) -> None:
    """Put a file at the head of the list."""
    found = [path.resolve(), *(other for other in recent_maps() if other.resolve() != path.resolve())]
    settings.set("recent_maps", json.dumps([str(one) for one in found[:_MAX_RECENT]], ensure_ascii=False))
