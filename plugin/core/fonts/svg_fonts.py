"""Fonts of an SVG: those that its texts name, and the element that brings them with the file.

Browsers use embedded fonts (CSS Fonts 4, 4 "Font resources"), also where the file is an image of a page.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

from lxml import etree

from ..text import printable

_SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class FontFace:
    """A font as the SVG's texts name it. ``weight`` is the number that is written there."""

    family: str
    weight: str = "400"
    is_italic: bool = False


#: returns font files for texts by the fonts that they name
FontFinder = Callable[[Mapping[FontFace, Tuple[str, ...]]], Mapping[FontFace, bytes]]


def texts_by_face(root: etree._Element) -> Dict[FontFace, Tuple[str, ...]]:
    """Return the texts below ``root`` by their fonts, which elements inherit, each text once."""
    found: Dict[FontFace, Dict[str, None]] = {}
    for text, face in _texts(root, FontFace("")):
        if face.family:
            found.setdefault(face, {})[text] = None
    return {face: tuple(texts) for face, texts in found.items()}


def add_fonts(root: etree._Element, fonts: Mapping[FontFace, bytes]) -> None:
    """Put a style sheet with these font files into the SVG."""
    if not fonts:
        return
    style = etree.Element(f"{{{_SVG}}}style", {"type": "text/css"})
    style.text = "".join(map(_rule, fonts.items()))
    root.insert(0, style)


def _rule(font: Tuple[FontFace, bytes]) -> str:
    face, data = font
    family = printable(face.family).replace("\\", "").replace('"', "")
    return (f'@font-face{{font-family:"{family}";font-weight:{face.weight};'
            f'font-style:{"italic" if face.is_italic else "normal"};'
            f"src:url(data:font/ttf;base64,{base64.b64encode(data).decode('ascii')})}}\n")


def _texts(element: etree._Element, inherited: FontFace) -> Iterator[Tuple[str, FontFace]]:
    """Yield texts with their fonts, without recursion, since groups may be nested deeply."""
    waiting: List[Tuple[etree._Element, FontFace]] = [(element, inherited)]
    while waiting:
        current, above = waiting.pop()
        if not isinstance(current.tag, str):
            continue
        face = FontFace(current.get("font-family", above.family), _weight(current.get("font-weight"), above.weight),
                        current.get("font-style", "italic" if above.is_italic else "normal") != "normal")
        if etree.QName(current).localname in ("text", "tspan"):
            yield from ((part, face) for part in _parts(current) if part.strip())
        waiting.extend((child, face) for child in current)


def _parts(element: etree._Element) -> Iterable[str]:
    """Return the texts of an element itself: before its first child, and after each."""
    return [element.text or "", *(child.tail or "" for child in element)]


def _weight(written: Optional[str], inherited: str) -> str:
    if written is None:
        return inherited
    names = {"normal": "400", "bold": "700"}
    weight = names.get(written.strip(), written.strip())
    return weight if weight.isdigit() and weight.isascii() and 1 <= int(weight) <= 1000 else inherited
