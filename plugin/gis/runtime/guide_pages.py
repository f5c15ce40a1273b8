"""The pages of the user guide: their topics and their files."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from ...core.resources import RESOURCES
from .i18n import user_locale

FOLDER = RESOURCES / "guide"


class GuideTopic(str, Enum):
    """Pages that help leads to, by the names of their files."""

    INDEX = "index"
    FIRST_MAP = "first-map"
    RECORDS = "records"
    CATALOGUES = "catalogues"
    TERMS = "terms"
    SERVICES = "services"
    MAPS = "maps"
    PRINTING = "printing"
    CREDITS = "credits"
    SETTINGS = "settings"
    FIELDS = "fields"
    OFFLINE = "offline"
    IN_QGIS = "qgis"
    PROCESSING = "processing"
    PROBLEMS = "problems"


def page_path(topic: GuideTopic, folder: Path = FOLDER) -> Path:
    """Return the file of the page ``topic`` in the user's language, or in English.

    In a checkout without the built guide it is the Markdown source.
    """
    languages = (user_locale().replace("-", "_").split("_")[0].lower(), "en")
    paths = [folder / "html" / language / f"{topic.value}.html" for language in languages]
    paths += [folder / language / f"{topic.value}.md" for language in languages]
    return next((path for path in paths if path.is_file()), paths[1])
