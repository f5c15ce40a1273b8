"""The layout templates on offer: those bundled with the plugin, by paper, and the person's .qpt files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Tuple

from ...core.custommap.model import Orientation, PageSetup
from ...core.custommap.moments import ANIMATION_TEMPLATE
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.pages.page_features import FEATURES, shows_all_moments
from .layout_items import MAP_PREFIX
from .template_loading import BUNDLED_FOLDER, read_template, templates_folder

SUFFIX = ".qpt"
PAPERS = ("A4", "A3", "A2", "A1", "A0")


@dataclass(frozen=True)
class Template:
    """A template: its title for people, its name in a ``PageSetup``, and its sizes as (paper, orientation).

    A person's template is named by its path and has a fixed page, so ``sizes`` is empty.
    """

    title: str
    name: str
    sizes: Tuple[Tuple[str, Orientation], ...] = ()

    @property
    def is_user_made(self) -> bool:
        """True for a person's template."""
        return is_user_template(self.name)


def is_user_template(name: str) -> bool:
    """Return whether the template name of a ``PageSetup`` is a person's file."""
    return name.lower().endswith(SUFFIX)


def template_path(page: PageSetup) -> Path:
    """Return the bundled template of the page, or the person's file if ``page.template`` is the path of a .qpt file."""
    if is_user_template(page.template):
        return Path(page.template)
    return BUNDLED_FOLDER / f"{page.template}-{page.paper}-{page.orientation.value}{SUFFIX}"


def may_have_more_pages(page: PageSetup) -> bool:
    """Return whether what does not fit may be moved to a further page: not of a person's file, nor of an animation."""
    return not is_user_template(page.template) and page.template != ANIMATION_TEMPLATE


def has_small_multiples(page: PageSetup) -> bool:
    """Return whether the page's template has several maps, to show all moments of a series side by side."""
    if not is_user_template(page.template):
        return shows_all_moments(page.template)
    try:
        maps = read_template(template_path(page), page.agreed_file).contents.maps
    except CartoguideError:
        return False
    return any(item.id.startswith(MAP_PREFIX) and item.id[len(MAP_PREFIX):].isdigit() for item in maps)


def bundled_templates() -> List[Template]:
    """Return the plugin's templates with the papers that they exist for."""
    titles: Dict[str, str] = {"guide": tr("Guide map"), **{feature.template: feature.template_title()
                                                           for feature in FEATURES if feature.template_title}}
    found = []
    for name, title in titles.items():
        sizes = tuple((paper, orientation) for paper in PAPERS for orientation in Orientation
                      if template_path(PageSetup(paper, orientation, name)).is_file())
        if sizes:
            found.append(Template(title, name, sizes))
    return found


def user_templates() -> List[Template]:
    """Return the person's templates by name: every .qpt file of the folder.

    One that cannot be read is refused when it is used.
    """
    try:
        files = sorted(file for file in templates_folder().iterdir() if file.suffix.lower() == SUFFIX)
    except OSError:
        return []
    return [user_template(file) for file in files]


def user_template(path: Path) -> Template:
    """Return a person's file as a template."""
    return Template(path.stem, str(path))


def all_templates() -> List[Template]:
    """Return all templates, the plugin's first."""
    return [*bundled_templates(), *user_templates()]
