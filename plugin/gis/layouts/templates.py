"""The layout templates on offer: those that come with the plugin, by paper, and the person's own .qpt files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Tuple

from qgis.core import QgsApplication

from ...core.custommap.model import PageSetup
from ...core.custommap.small_multiples import MULTIPLES_TEMPLATE
from ...core.i18n import tr
from ...core.resources import RESOURCES
from ..runtime import settings
from .layout_items import MAP_PREFIX

BUNDLED_FOLDER = RESOURCES / "templates"
SUFFIX = ".qpt"
_PAPERS = ("A4", "A3", "A2", "A1", "A0")
_ORIENTATIONS = ("landscape", "portrait")


@dataclass(frozen=True)
class Template:
    """One template: its title for people, its name in a ``Page``, and the (paper, orientation) that it is made for.

    An own one is named by its path and brings its paper along: ``sizes`` is empty.
    """

    title: str
    name: str
    sizes: Tuple[Tuple[str, str], ...] = ()

    @property
    def is_user_made(self) -> bool:
        """Whether it is the person's."""
        return is_user_template(self.name)


def is_user_template(name: str) -> bool:
    """Whether a ``Page``'s template is a file of the person's."""
    return name.lower().endswith(SUFFIX)


def template_path(page: PageSetup) -> Path:
    """The bundled template for the page, or the person's own where ``page.template`` is the path of a .qpt file."""
    if is_user_template(page.template):
        return Path(page.template)
    return BUNDLED_FOLDER / f"{page.template}-{page.paper}-{page.orientation}{SUFFIX}"


def has_small_multiples(page: PageSetup) -> bool:
    """Whether the page's template holds more maps than one: then all moments of a series are shown side by side."""
    if not is_user_template(page.template):
        return page.template == MULTIPLES_TEMPLATE
    try:
        text = template_path(page).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(f'"{MAP_PREFIX}{number}"' in text for number in range(2, 32))


def bundled_templates() -> List[Template]:
    """The plugin's own templates with the papers that there are."""
    titles: Dict[str, str] = {"guide": tr("Guide map"), "sheet": tr("Technical sheet"),
                              "multiples": tr("Small multiples"), "leaflet": tr("Folded leaflet")}
    found = []
    for name, title in titles.items():
        sizes = tuple((paper, orientation) for paper in _PAPERS for orientation in _ORIENTATIONS
                      if template_path(PageSetup(paper, orientation, name)).is_file())
        if sizes:
            found.append(Template(title, name, sizes))
    return found


def templates_folder() -> Path:
    """Where the person's templates are looked for: the chosen folder, else one in the QGIS profile."""
    chosen = settings.get("templates_folder")
    return Path(chosen) if chosen else Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "templates"


def user_templates() -> List[Template]:
    """The person's templates: every .qpt file of the folder, by name; one that cannot be read is refused when used."""
    try:
        files = sorted(file for file in templates_folder().iterdir() if file.suffix.lower() == SUFFIX)
    except OSError:
        return []
    return [user_template(file) for file in files]


def user_template(path: Path) -> Template:
    """A file of the person's as a template."""
    return Template(path.stem, str(path))


def all_templates() -> List[Template]:
    """All templates, the plugin's first."""
    return [*bundled_templates(), *user_templates()]
