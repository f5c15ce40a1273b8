"""Where the user guide's pages are: for whatever opens them."""

from __future__ import annotations

from pathlib import Path

from ...core.resources import RESOURCES
from .i18n import user_locale

FOLDER = RESOURCES / "guide"


def page_path(topic: str, folder: Path = FOLDER) -> Path:
    """The file of the page ``topic`` in the person's language, else in English; where the guide was not built
    (a checkout of the sources), its Markdown.
    """
    languages = (user_locale().replace("-", "_").split("_")[0].lower(), "en")
    places = [folder / "html" / language / f"{topic}.html" for language in languages]
    places += [folder / language / f"{topic}.md" for language in languages]
    return next((place for place in places if place.is_file()), places[1])
