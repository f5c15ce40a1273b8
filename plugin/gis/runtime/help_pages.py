"""Paths of the pages of the user guide."""

from __future__ import annotations

from pathlib import Path

from ...core.resources import RESOURCES
from .i18n import user_locale

FOLDER = RESOURCES / "guide"


def page_path(topic: str, folder: Path = FOLDER) -> Path:
    """Return the file of the page ``topic`` in the user's language, or in English.

    In a checkout without the built guide it is the Markdown source.
    """
    languages = (user_locale().replace("-", "_").split("_")[0].lower(), "en")
    paths = [folder / "html" / language / f"{topic}.html" for language in languages]
    paths += [folder / language / f"{topic}.md" for language in languages]
    return next((path for path in paths if path.is_file()), paths[1])
