"""SVG pictures of somebody else: what they refer to, and how long it takes to draw them."""

from __future__ import annotations

import base64
import re
from itertools import accumulate
from typing import Dict, Iterable, Iterator, List, Optional, Tuple

from lxml import etree

from .. import safe_xml
from ..errors import CartoguideError
from ..i18n import tr
from ..wms.responses.image_headers import image_format, image_size, is_overloaded

#: images inside an SVG, and the most pixels of one
_INNER_FORMATS, _MAX_INNER_PIXELS = ("png", "jpeg", "gif", "webp"), 40_000_000
_SCRIPTS = frozenset({"script", "handler", "listener", "foreignobject", "iframe"})
_DATA = re.compile(r"data:image/[\w.+-]{1,40};base64,", re.IGNORECASE)
#: cost of drawing an SVG, in units of about 10 µs for 1,000 pixels: of all of it, of an element, of one with a gradient
#: or a pattern, of a character, and pixels of an image for one unit
MAX_PICTURE_COST = 100_000.0
_ELEMENT_COST, _PAINT_COST, _CHARACTER_COST, _PIXELS = 25.0, 300.0, 50.0, 1_000
_PATH_TOKEN = re.compile(r"([A-Za-df-z])|([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)")
#: numbers that each command of a path takes (SVG 1.1, 8.3)
_PATH_NUMBERS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7}
_REFERENCE = re.compile(r"url\(\s*[\"']?\s*#([^)\"'\s]*)")
_GRADIENTS = frozenset({"lineargradient", "radialgradient"})
_OUTSIDE = re.compile(r"@import|url\(\s*[\"']?\s*(?![#\s\"'])", re.IGNORECASE)


def self_contained_svg(data: bytes, name: str, max_bytes: int) -> bytes:
    """Return an SVG without its comments, processing instructions and document type, if it is complete in itself.

    Drawing it reads no other file, contacts no server and ends. Raises CartoguideError if it refers to something
    outside, if it contains a script, if it would take very long to draw, or if it is not SVG.
    """
    root = safe_xml.parse(data, name, max_bytes)
    if _local_name(root) != "svg":
        raise CartoguideError(tr("{file} is not an image.", file=name))
    if b"<?xml-stylesheet" in data:
        raise _outside_error(name)
    for element in root.iter(etree.Element):
        tag = _local_name(element)
        attributes = [(etree.QName(key).localname.lower(), str(value)) for key, value in element.attrib.items()]
        if tag in _SCRIPTS or any(key.startswith("on") for key, _value in attributes):
            raise CartoguideError(tr("{file} contains a script, so it is not taken. Save it as a PNG, or without "
                                     "scripts.", file=name))
        texts = [value for _key, value in attributes] + (["".join(element.itertext())] if tag == "style" else [])
        # a link is not followed when the image is drawn
        links = [value.strip() for key, value in attributes if key == "href" and tag != "a"]
        if any(_OUTSIDE.search(text) for text in texts) or not all(map(_is_inside, links)):
            raise _outside_error(name)
    if _DrawingCost(root).of(root) > MAX_PICTURE_COST:
        raise CartoguideError(tr("{file} would take very long to draw, so it is not taken. Save it as a PNG.",
                                 file=name))
    return safe_xml.serialise(root)


def picture_cost(data: bytes) -> float:
    """Return the cost of drawing a raster image or an SVG that was judged, of which ``MAX_PICTURE_COST`` is bearable.
    """
    if image_format(data) in _INNER_FORMATS:
        width, height = image_size(data) or (0, 0)
        return width * height / _PIXELS
    root = safe_xml.parse(data)
    return _DrawingCost(root).of(root)


class _DrawingCost:
    """Estimates how long an SVG takes to be drawn, with all that its references repeat.

    Qt fills a path in the square of the number of its lines that cross one row of pixels, and nothing ends it.
    """

    def __init__(self, root: etree._Element) -> None:
        self._by_id = {element.get("id", ""): element for element in root.iter(etree.Element) if element.get("id")}
        self._costs: Dict[etree._Element, float] = {}
        self._painted_by_class = any(_local_name(element) == "style" and "url(" in "".join(element.itertext())
                                     for element in root.iter(etree.Element))

    def of(self, element: etree._Element) -> float:
        """Return the cost of an element with what is in it and what it refers to. Qt draws no circle of references."""
        if element not in self._costs:
            self._costs[element] = 0.0
            cost = self._own(element)
            for child in element.iterchildren(etree.Element):
                if cost > MAX_PICTURE_COST:
                    break
                cost += self.of(child)
            self._costs[element] = cost
        return self._costs[element]

    def _own(self, element: etree._Element) -> float:
        tag, cost = _local_name(element), _ELEMENT_COST
        points: List[Tuple[float, float]] = []
        if tag in _GRADIENTS:
            return float(len(element) ** 2) / 10_000
        if tag in ("stop", "defs", "g", "svg", "style", "title", "desc", "metadata"):
            cost = 1.0
        elif tag == "path":
            points = list(_path_points(element.get("d", "")))
        elif tag in ("polygon", "polyline"):
            numbers = [float(found[2]) for found in _PATH_TOKEN.finditer(element.get("points", "")) if found[2]]
            points = list(zip(numbers[::2], numbers[1::2]))
        elif tag in ("text", "tspan", "textarea"):
            cost += _CHARACTER_COST * sum(map(len, element.itertext()))
        elif tag == "image":
            cost += _pixels(next((str(value) for key, value in element.attrib.items()
                                  if etree.QName(key).localname == "href"), "")) / _PIXELS
        cost += len(points) + float(_most_crossings(points) ** 2)
        is_painted = self._painted_by_class
        for key, value in element.attrib.items():
            name = etree.QName(key).localname.lower()
            if name == "href" and tag == "use":
                cost += self._target(str(value).strip()[1:])
            for found in _REFERENCE.finditer(str(value)):
                is_painted = True
                # a marker is drawn at each point
                cost += self._target(found[1]) * (1 + len(points) if "marker" in f"{name}{value}" else 1)
        return cost + (_PAINT_COST if is_painted and cost >= _ELEMENT_COST else 0.0)

    def _target(self, identifier: str) -> float:
        target = self._by_id.get(identifier)
        return 0.0 if target is None or _local_name(target) in _GRADIENTS else self.of(target)


def _path_points(path: str) -> Iterator[Tuple[float, float]]:
    """Yield the points of a path, with those that direct its curves, between which all of it lies."""
    command, values = "", []  # type: str, List[float]
    x = y = first_x = first_y = 0.0
    for token in _PATH_TOKEN.finditer(path):
        if token[1]:
            command, values = token[1], []
            if command in "Zz":
                x, y = first_x, first_y
                yield x, y
            continue
        values.append(float(token[2]))
        kind = command.upper()
        if len(values) < _PATH_NUMBERS.get(kind, 1):
            continue
        base_x, base_y = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "A":
            reach = 2 * max(abs(values[0]), abs(values[1]))
            yield from ((x - reach, y - reach), (x + reach, y + reach))
            values = values[5:]
        if kind in "HV":
            x, y = (base_x + values[0], y) if kind == "H" else (x, base_y + values[0])
            yield x, y
        for place in range(0, len(values) - 1, 2):
            point = base_x + values[place], base_y + values[place + 1]
            yield point
            x, y = point
        if kind == "M":
            first_x, first_y, command = x, y, "l" if command == "m" else "L"
        values = []


def _most_crossings(points: List[Tuple[float, float]]) -> int:
    """Return how many lines between successive points cross one row or column at most."""
    return max((_most_overlaps(zip(line, line[1:])) for line in zip(*points)), default=0) if points else 0


def _most_overlaps(intervals: Iterable[Tuple[float, float]]) -> int:
    # at the same place an interval ends before another begins
    ends = sorted(end for one, other in intervals if one != other
                  for end in ((min(one, other), 1), (max(one, other), -1)))
    return max(accumulate(step for _place, step in ends), default=0)


def _pixels(reference: str) -> int:
    image = _embedded_image(reference)
    width, height = (image_size(image) if image else None) or (0, 0)
    return width * height


def _outside_error(name: str) -> CartoguideError:
    return CartoguideError(tr("{file} refers to other files or addresses, so it is not taken. Save it as a PNG, or "
                              "with its images embedded.", file=name))


def _is_inside(reference: str) -> bool:
    """Return whether a reference leads to a part of the SVG, or is a raster image itself."""
    if not reference or reference.startswith("#"):
        return True
    image = _embedded_image(reference)
    # what the bytes are counts, not what the reference says of them
    if image is None or image_format(image) not in _INNER_FORMATS:
        return False
    width, height = image_size(image) or (0, 0)
    return 0 < width * height <= _MAX_INNER_PIXELS and not is_overloaded(image)


def _embedded_image(reference: str) -> Optional[bytes]:
    start = _DATA.match(reference.strip())
    return _decoded("".join(reference.strip()[start.end():].split())) if start else None


def _decoded(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _local_name(element: etree._Element) -> str:
    return etree.QName(element).localname.lower()
