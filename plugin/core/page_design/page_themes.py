"""Themes of printed pages: colours of the title, lines and panels. Names are in documents.

A theme is decided here alone. The bundled templates are drawn with the colours of STANDARD, which are replaced by those
of the chosen theme. Contrast is that of WCAG 2.2, 1.4.3: at least 4.5 for every text on its ground.
"""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Sequence, Tuple

from ..i18n import tr

#: names that a document has as ``page.theme``
STANDARD, PARK, GREY, HIGH_CONTRAST, OWN = "standard", "park", "grey", "high-contrast", "own"
THEME_NAMES = (STANDARD, PARK, GREY, HIGH_CONTRAST, OWN)
#: themes of former versions, with what their documents are printed in
FORMER_THEMES = {"large-print": HIGH_CONTRAST}
#: least contrast of a text with its ground
MIN_CONTRAST = 4.5
#: red, green and blue of sRGB, from 0 to 255
Rgb = Tuple[int, int, int]
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_STEP = 0.02


class PageTheme(NamedTuple):
    """Colours as ``#rrggbb``.

    ``title`` and ``subtitle`` stand on ``band``. The other texts stand on white paper, except ``place``, the names on
    the location map, which stand on its land, region and sea, or names on the ``ground`` of a map without a base.
    ``accent`` is the line below the title, ``extent`` the map's area on the location map.
    """

    name: str
    band: str = "#24513b"
    title: str = "#ffffff"
    subtitle: str = "#dce8df"
    accent: str = "#c98b2b"
    heading: str = "#24513b"
    ink: str = "#1f2a24"
    muted: str = "#4d5a52"
    hair: str = "#b9c4bc"
    place: str = "#3c4841"
    region: str = "#d3e3d6"
    land: str = "#f7f4ea"
    neighbour: str = "#eceae2"
    sea: str = "#e4eef3"
    border: str = "#9aa79e"
    extent: str = "#b3261e"
    ground: str = "#f7f4ea"


_THEMES: Dict[str, PageTheme] = {theme.name: theme for theme in (
    PageTheme(STANDARD),
    PageTheme(PARK, band="#3b4a1f", title="#ffffff", subtitle="#f3e9cd", accent="#d9962b", heading="#7a4a12",
              ink="#2a2417", muted="#5c5140", hair="#cdbf9f", place="#443a28", region="#e6dcbc", land="#f8f3e6",
              neighbour="#ece6d8", sea="#e3ecec", border="#b0a284", extent="#a3200f", ground="#f8f3e6"),
    PageTheme(GREY, band="#3a4a54", title="#ffffff", subtitle="#dfe7ec", accent="#9bb0bd", heading="#2f4a5c",
              ink="#1f272b", muted="#4c585f", hair="#b8c2c8", place="#39444b", region="#cfdae1", land="#f4f5f5",
              neighbour="#e6e8e9", sea="#e6eef3", border="#9aa5ac", extent="#b3261e", ground="#f0f2f3"),
    # accents are blue and orange of Okabe and Ito's palette, darkened for text
    PageTheme(HIGH_CONTRAST, band="#00344f", title="#ffffff", subtitle="#ffffff", accent="#e69f00", heading="#00344f",
              ink="#000000", muted="#262626", hair="#6b6b6b", place="#000000", region="#ffffff", land="#dcdcdc",
              neighbour="#cfcfcf", sea="#bcdff2", border="#4d4d4d", extent="#a83c00", ground="#f2f2f2"),
)}


def theme_title(name: str) -> str:
    """Return the title of the theme of this name, for people, or the name itself of one of a later version."""
    titles = {STANDARD: tr("Standard"), PARK: tr("Park"), GREY: tr("Blue-grey"), HIGH_CONTRAST: tr("High contrast"),
              "large-print": tr("Large print"), OWN: tr("Own colours")}
    return titles.get(name, name)


def find_theme(name: str, own_colours: Sequence[str] = ()) -> PageTheme:
    """Return the theme of this name. STANDARD where there is none, as in documents of a later version.

    ``own_colours`` are those of OWN.
    """
    if name == OWN:
        return own_theme(own_colours)
    return _THEMES.get(FORMER_THEMES.get(name, name), _THEMES[STANDARD])


def own_theme(colours: Sequence[str]) -> PageTheme:
    """Return the theme of a person's colours: that of title and headings, and that of the line below the title.

    A first colour on which or in which a text could not be read is darkened. Other texts than colours are left out.
    """
    usable = [colour.lower() for colour in colours if is_colour(colour)]
    standard = _THEMES[STANDARD]
    if not usable:
        return PageTheme(OWN)
    main = readable_colour(usable[0])
    return PageTheme(OWN, band=main, subtitle=_mixed(main, standard.title, 0.97), heading=main,
                     accent=usable[1] if len(usable) > 1 else _mixed(main, standard.title, 0.45), ink="#1f2427",
                     muted="#4f5457", hair="#bfc3c5", place="#3a3f42", region=_mixed(main, standard.title, 0.8),
                     border="#a0a4a6")


def is_colour(text: str) -> bool:
    """Return whether ``text`` is a colour as ``#rrggbb``."""
    return bool(_HEX.fullmatch(text))


def readable_colour(colour: str) -> str:
    """Return the colour, or the nearest darker one whose contrast with white is that of a text."""
    share, found = 0.0, colour
    while contrast(found, "#ffffff") < MIN_CONTRAST + 0.3:
        share += _STEP
        found = _mixed(colour, "#000000", share)
    return found


def darkened_colours(colours: Sequence[str]) -> List[Tuple[str, str]]:
    """Return each of a person's colours that the theme does not use as it is, and what it uses in its place."""
    usable = [colour.lower() for colour in colours if is_colour(colour)][:1]
    return [(colour, readable_colour(colour)) for colour in usable if readable_colour(colour) != colour]


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def rgb(colour: str) -> Rgb:
    """Return red, green and blue of a colour as ``#rrggbb``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    """Return the relative luminance, from 0 to 1 (WCAG 2.2)."""
    parts = (value / 255 for value in rgb(colour))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055)**2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _mixed(colour: str, other: str, share: float) -> str:
    """Return the colour with so large a share of another, in sRGB."""
    parts = (round(one + (two - one) * min(share, 1.0)) for one, two in zip(rgb(colour), rgb(other)))
    return "#" + "".join(f"{part:02x}" for part in parts)
