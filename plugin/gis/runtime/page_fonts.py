"""Fonts of the bundled templates on computers that do not have them.

Debian's QGIS has Open Sans beside it. On Windows and macOS QGIS downloads it, which fails without a network. Where it
is missing, the files of the package are added to the fonts of this process, and nothing is installed.
"""

from __future__ import annotations

from typing import List

from qgis.PyQt.QtGui import QFont

from ...core.resources import RESOURCES
from . import compat, log

#: the family that the bundled templates are designed in
FAMILY = "Open Sans"
_FILES = "OpenSans-*.ttf"
_added: List[int] = []


def available_families() -> List[str]:
    """Return the families that a page can use: those installed, and that of the bundled templates."""
    from qgis.PyQt.QtGui import QFontDatabase

    families = compat.font_families()
    if FAMILY in families:
        return families
    for file in sorted((RESOURCES / "fonts").glob(_FILES)):
        number = QFontDatabase.addApplicationFont(str(file))
        if number >= 0:
            _added.append(number)
        else:
            log.warning(f"{file.name} could not be loaded as a font")
    return compat.font_families()


def set_style(font: QFont, style: str) -> None:
    """Set the style of a font, such as Semibold, by the name that the installed font has for it.

    Files of Open Sans differ in it (Semibold, SemiBold), and Qt draws a style of an unknown name as Regular. Where the
    font has no such style, its weight decides.
    """
    def plain(name: str) -> str:
        return name.replace(" ", "").lower()

    styles = compat.font_styles(font.family())
    font.setStyleName(style if style in styles else
                      next((name for name in styles if plain(name) == plain(style)), ""))


def set_semibold(font: QFont) -> None:
    """Make a font semi-bold, as the headings of the bundled templates are."""
    font.setWeight(QFont.Weight.DemiBold)
    set_style(font, "Semibold")


def remove() -> None:
    """Remove the fonts that were added, when the plugin is unloaded."""
    if not _added:
        return
    from qgis.PyQt.QtGui import QFontDatabase

    while _added:
        QFontDatabase.removeApplicationFont(_added.pop())
