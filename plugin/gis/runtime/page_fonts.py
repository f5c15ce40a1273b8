"""Fonts of the bundled templates on computers that do not have them.

Debian's QGIS has Open Sans beside it. On Windows and macOS QGIS downloads it, which fails without a network. Where it
is missing, the files of the package are added to the fonts of this process, and nothing is installed.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Dict, List, Tuple

from qgis.PyQt.QtGui import QFont

from ...core.resources import RESOURCES
from . import compat, log

#: the family that the bundled templates are designed in
FAMILY = "Open Sans"
_FILES = "OpenSans-*.ttf"
_added: List[int] = []
#: categories of characters that draw nothing (Unicode)
_DRAWS_NOTHING = ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
_MAX_LISTED = 20
_FONTS_OF_BOXES = ("lastresort", ".lastresort", "adobeblank", "adobenotdef")


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


def letters_without_font(text: str) -> str:
    """Return the letters of ``text`` that no installed font has, each once. They would be printed as empty boxes."""
    return "".join(letter for letter in _visible(text) if not _family_with(letter))


def substituted_letters(text: str, font: QFont) -> Dict[str, str]:
    """Return the letters of ``text`` that ``font`` lacks, by the installed family that has them.

    Qt draws such letters with another font by itself. Letters that no font has are left out.
    """
    from qgis.PyQt.QtGui import QRawFont

    raw = QRawFont.fromFont(font)
    found: Dict[str, str] = {}
    for letter in _visible(text):
        if not raw.supportsCharacter(ord(letter)) and _family_with(letter):
            family = _family_drawn(letter, font)
            found[family] = found.get(family, "") + letter
    return found


def _family_drawn(letter: str, font: QFont) -> str:
    """Return the family that Qt draws a letter with that ``font`` lacks. Of several that have it Qt chooses one."""
    from qgis.PyQt.QtGui import QTextLayout

    layout = QTextLayout(letter, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    families = (run.rawFont().familyName() for run in layout.glyphRuns())
    return next(filter(None, families), "") or _family_with(letter)


def listed_letters(letters: str) -> str:
    """Return letters as a sentence names them: with spaces between them, and not more than one can take in."""
    return " ".join(letters[:_MAX_LISTED])


def _visible(text: str) -> List[str]:
    """Return the letters and signs beyond ASCII that are drawn, each once: no spaces, marks of direction or joiners."""
    return [letter for letter in dict.fromkeys(text) if not letter.isascii() and
            unicodedata.category(letter) not in _DRAWS_NOTHING and not "\ufe00" <= letter <= "\ufe0f"]


def _family_with(letter: str) -> str:
    return _find_family(ord(letter), tuple(available_families()))


@lru_cache(maxsize=4096)
def _find_family(code: int, families: Tuple[str, ...]) -> str:
    """Return the first of ``families`` with the character of this code point, or ""."""
    from qgis.PyQt.QtGui import QRawFont

    # fonts that draw a box or nothing for every character there is
    usable = (family for family in families if family.replace(" ", "").lower() not in _FONTS_OF_BOXES)
    return next((family for family in usable if QRawFont.fromFont(QFont(family)).supportsCharacter(code)), "")


def set_style(font: QFont, style: str) -> None:
    """Set the style of a font, such as Semibold, by the name that the installed font has for it.

    Files of Open Sans differ in it (Semibold, SemiBold), and Qt draws a style of an unknown name as Regular. Where the
    font has no such style, its weight decides.
    """
    def plain(name: str) -> str:
        return name.replace(" ", "").lower()

    styles = compat.font_styles(font.family())
    font.setStyleName(style if style in styles else next((name for name in styles if plain(name) == plain(style)), ""))


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
