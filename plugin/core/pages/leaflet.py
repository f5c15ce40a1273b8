"""Folded leaflet: texts for visitors, a table of trails and facilities with numbers on the map, photos, and bleed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ..i18n import tr
from ..json_document import MAX_PATH, JsonNode
from ..json_fields import (
    BOOLEAN,
    WEB_ADDRESS,
    items,
    json_object,
    member,
    object_of,
    read_object,
    string,
    unknown_members,
    write_object,
)
from ..review.checks.rules import Severity
from ..text import fold, printable, sort_key
from ..trust.files import is_local_path
from .page_feature import MapOnPage, OnlyPaper, PageFeature, PageFile, PageFiles, PageProblem

#: the bundled template with texts, table and photos for visitors
TEMPLATE = "leaflet"
#: texts of a leaflet, with their most characters in a document
TEXT_LENGTHS = {"visitor_text": 3000, "directions": 1000, "opening_hours": 600, "emergency_numbers": 400}
#: photos of a leaflet, and characters of the text and of the credit of one
MAX_PHOTOS, MAX_PHOTO_TEXT = 3, 300
#: layers that one table lists
MAX_TABLE_LAYERS = 40
#: features of one layer in the map's area, and rows of the whole table: a longer list is no table of a leaflet
MAX_FEATURES, MAX_ROWS = 2000, 400
#: names of fields with the name of a feature, beginnings of others, and names of fields with its kind
_NAME_FIELDS = ("nombre", "name", "nom", "nome", "toponimo", "rotulo", "titulo", "title", "etiqueta", "label")
_NAME_BEGINNINGS = ("nombre", "name_", "denom", "toponim")
_KIND_FIELDS = ("tipo", "type", "kind", "clase", "class", "categoria", "category")
#: directions in which a number may lie beside its feature: first to the right and above, as cartographers place names
_DIRECTIONS = (-45.0, 0.0, 45.0, -90.0, 90.0, -135.0, 180.0, 135.0)
#: distances of a number from its feature, in heights of the number
_RINGS = (0.75, 1.15, 1.7, 2.5)


@json_object
class TableSource:
    """A layer whose features a leaflet lists in a table: one of a service (endpoint and name), or an own layer (id)."""

    endpoint: str = member(WEB_ADDRESS, default="", sparse=True)
    layer: str = member(string(), default="", sparse=True)
    own_layer: str = member(string(), default="", sparse=True)
    extra: Mapping[str, Any] = unknown_members()

    def as_read(self, node: JsonNode) -> TableSource:
        """Return the source, which is either of the two. Raises InvalidDocument if it is neither."""
        if self.own_layer:
            return replace(self, endpoint="", layer="")
        for name in ("layer", "endpoint"):
            if not getattr(self, name).strip():
                raise node.error(name, tr("must not be empty") if name in node.value else tr("is missing"))
        return self


@json_object
class LeafletPhoto:
    """A photo of a leaflet: its file, its text for those who do not see it, and its credit, printed below it.

    The path is absolute, or relative to the document's file.
    """

    path: str = member(string(MAX_PATH, lambda path: "" if is_local_path(path) else tr(
        "must be a file of this computer")))
    text: str = member(string(MAX_PHOTO_TEXT), default="")
    credit: str = member(string(MAX_PHOTO_TEXT), default="")
    extra: Mapping[str, Any] = unknown_members()
    #: what its path led to when somebody agreed to open it, with links followed, "" if nobody was asked
    agreed_file: str = field(default="", compare=False)


@json_object
class LeafletTexts:
    """Texts of a leaflet for its readers, besides the map. Each may have several lines, and may be "".

    ``table`` has the layers whose features are listed in a table, in its order.
    """

    visitor_text: str = member(string(TEXT_LENGTHS["visitor_text"]), default="", sparse=True)
    directions: str = member(string(TEXT_LENGTHS["directions"]), default="", sparse=True)
    opening_hours: str = member(string(TEXT_LENGTHS["opening_hours"]), default="", sparse=True)
    emergency_numbers: str = member(string(TEXT_LENGTHS["emergency_numbers"]), default="", sparse=True)
    extra: Mapping[str, Any] = unknown_members()
    table: Tuple[TableSource, ...] = member(items(object_of(TableSource), MAX_TABLE_LAYERS), default=(), sparse=True)
    photos: Tuple[LeafletPhoto, ...] = member(items(object_of(LeafletPhoto), MAX_PHOTOS), default=(), sparse=True)
    #: the page has 3 mm of bleed and crop marks, for a print shop
    bleed: bool = member(BOOLEAN, default=False, sparse=True)
    #: rows of the table that its panel has no room for stand on a further sheet, else the least important are left out
    further_sheet: bool = member(BOOLEAN, default=False, sparse=True)


def read_leaflet(page: JsonNode) -> LeafletTexts:
    """Return what the document's page says of a leaflet. Raises InvalidDocument."""
    node = page.child("leaflet")
    return LeafletTexts() if node is None else read_object(LeafletTexts, node)


def write_leaflet(leaflet: LeafletTexts) -> Optional[Dict[str, Any]]:
    """Return the member of the document's page, None for a leaflet without anything."""
    return write_object(leaflet) or None


def _problems(leaflet: LeafletTexts, _map: MapOnPage) -> Iterator[PageProblem]:
    """Yield photos without a credit, with which the map is not exported, and without a text."""
    for photo in leaflet.photos:
        name = printable(PurePath(photo.path).name)
        if not photo.credit.strip():
            yield PageProblem(
                "photo-credit", Severity.ERROR,
                tr("The photo {file} has no credit. Say who took it, and under which licence.", file=name),
                tr("Type its credit in the form of the leaflet. Without it the map is not exported."))
        if not photo.text.strip():
            yield PageProblem("photo-text", Severity.NOTE,
                              tr("The photo {file} has no text for people who do not see it.", file=name),
                              tr("Say in the form of the leaflet what it shows."))


def _unmet_need(leaflet: LeafletTexts, custom_map: MapOnPage) -> Optional[PageProblem]:
    """Return that the leaflet has no text for visitors, no table or no ground: its outside only repeats the map then,
    or is white.
    """
    if not leaflet.visitor_text.strip():
        return PageProblem("leaflet-text", Severity.WARNING, tr("A folded leaflet needs a text for visitors."),
                           tr("Choose the leaflet in the form of the page, and type it under “Texts of the leaflet”."))
    if not leaflet.table:
        return PageProblem("leaflet-table", Severity.WARNING,
                           tr("A folded leaflet needs a table of trails and facilities."),
                           tr("Choose the leaflet in the form of the page, and tick layers under “Texts of the "
                              "leaflet”."))
    if not custom_map.has_ground:
        return PageProblem("leaflet-ground", Severity.WARNING,
                           tr("A folded leaflet needs a base on which visitors find their way."),
                           tr("Add a map of the ground, such as a guide map or a topographic one, and use it as the "
                              "base."))
    return None


def _files(leaflet: LeafletTexts) -> Tuple[PageFile, ...]:
    return tuple(PageFile(photo.path, photo.agreed_file) for photo in leaflet.photos)


def _with_files(leaflet: LeafletTexts, change: Callable[[PageFile], Optional[PageFile]]) -> LeafletTexts:
    photos = [(photo, change(file)) for photo, file in zip(leaflet.photos, _files(leaflet))]
    return replace(leaflet, photos=tuple(replace(photo, path=file.path, agreed_file=file.agreed_file)
                                         for photo, file in photos if file is not None))


def _with_layer_ids(leaflet: LeafletTexts, ids: Mapping[str, str]) -> LeafletTexts:
    return replace(leaflet, table=tuple(replace(source, own_layer=ids.get(source.own_layer, source.own_layer))
                                        for source in leaflet.table))


def _paper_note(size: str, former: str) -> str:
    return tr("The folded leaflet is made as {size}. Its page was {former}, for which there is no template. Check the "
              "area of its map and whether its texts fit.", size=size, former=former)


FEATURE: PageFeature[LeafletTexts] = PageFeature(
    "leaflet", "leaflet", TEMPLATE, lambda: tr("Folded leaflet"), only_paper=OnlyPaper("A3", "landscape", _paper_note),
    read=read_leaflet, write=write_leaflet, change_label=lambda: tr("texts of the leaflet"), is_typed=True,
    unmet_need=_unmet_need, problems=_problems, files=PageFiles(lambda: tr("photo"), _files, _with_files),
    with_layer_ids=_with_layer_ids)

Point = Tuple[float, float]


@dataclass(frozen=True)
class TableFeature:
    """A feature of the table. ``length`` is in metres, None where it has none.

    ``places`` are points of the feature within the map's area, in the map's CRS, the best for a number first.
    ``along``: a number may lie on the places themselves, as on a line.
    """

    name: str
    kind: str
    length: Optional[float]
    places: Tuple[Point, ...]
    along: bool = False


@dataclass(frozen=True)
class TableGroup:
    """The features of one layer, under its title."""

    title: str
    features: Tuple[TableFeature, ...]


@dataclass(frozen=True)
class FacilityTable:
    """A table with the credits that its data ask for. ``notes`` say what it leaves out."""

    groups: Tuple[TableGroup, ...]
    credits: Tuple[str, ...] = ()
    notes: Tuple[str, ...] = ()

    @property
    def features(self) -> Tuple[TableFeature, ...]:
        """All features in the order of their numbers, which begin with 1."""
        return tuple(feature for group in self.groups for feature in group.features)


def name_field(fields: Sequence[str]) -> str:
    """Return the field with the name of each feature, or "". Shapefiles cut the names of fields to ten letters."""
    by_name = {fold(name): name for name in fields}
    return next((by_name[name] for name in _NAME_FIELDS if name in by_name),
                next((field for name, field in by_name.items() if name.startswith(_NAME_BEGINNINGS)), ""))


def kind_field(fields: Sequence[str]) -> str:
    """Return the field with the kind of each feature, or ""."""
    by_name = {fold(name): name for name in fields}
    return next((by_name[name] for name in _KIND_FIELDS if name in by_name), "")


def table_group(title: str, features: Sequence[TableFeature]) -> TableGroup:
    """Return the group of these features by name. Parts of one line that share a name and a kind are one feature.

    The kind is dropped where it is the same for all, since the title says it.
    """
    merged: Dict[Tuple[str, str], TableFeature] = {}
    rows: List[TableFeature] = []
    for feature in features:
        key = fold(feature.name), fold(feature.kind)
        former = merged.get(key)
        if former is None or feature.length is None or former.length is None:
            merged[key] = feature
            if former is not None:
                rows.append(former)
            continue
        longer, shorter = (former, feature) if former.length >= feature.length else (feature, former)
        merged[key] = TableFeature(longer.name, longer.kind, former.length + feature.length,
                                   longer.places + shorter.places, longer.along)
    rows.extend(merged.values())
    kinds = {fold(feature.kind) for feature in rows}
    if len(kinds) == 1:
        rows = [TableFeature(row.name, "", row.length, row.places, row.along) for row in rows]
    return TableGroup(title, tuple(sorted(rows, key=lambda row: (sort_key(row.name), sort_key(row.kind)))))


def shortened_table(table: FacilityTable, count: int) -> FacilityTable:
    """Return the table with ``count`` of its features, at least one in each group as far as they suffice.

    The longest group loses one at a time: its shortest line, else the last of its places.
    """
    groups = [list(group.features) for group in table.groups]
    for _ in range(len(table.features) - max(0, count)):
        longest = max(groups, key=len)
        # of those that are alike the last
        lengths = [(feature.length, -number) for number, feature in enumerate(longest) if feature.length is not None]
        del longest[-min(lengths)[1] if lengths else -1]
    return replace(table, groups=tuple(replace(group, features=tuple(features))
                                       for group, features in zip(table.groups, groups) if features))


def length_text(metres: float, decimal: str) -> str:
    """Return a length for people in the map's language: metres below one kilometre, else kilometres to a tenth."""
    if metres < 950:
        return f"{max(10, round(metres, -1)):.0f} m"
    return f"{math.floor(metres / 100 + 0.5) / 10:.1f} km".replace(".", decimal)


class PageBox(NamedTuple):
    """A rectangle on the page in millimetres: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: PageBox) -> float:
        """Return the area that both share, in square millimetres."""
        # nearly all of the pairs of a page lie apart
        if (self.right <= other.left or other.right <= self.left
                or self.bottom <= other.top or other.bottom <= self.top):
            return 0.0
        return ((min(self.right, other.right) - max(self.left, other.left))
                * (min(self.bottom, other.bottom) - max(self.top, other.top)))

    def contains(self, other: PageBox) -> bool:
        """Return whether ``other`` lies within."""
        return (other.left >= self.left and other.top >= self.top and other.right <= self.right
                and other.bottom <= self.bottom)


@dataclass(frozen=True)
class NumberPlace:
    """The wanted place of a number: points on the page in millimetres, the best first, and the number's size.

    With ``along`` it may lie on the points, else beside them.
    """

    points: Tuple[Point, ...]
    width: float
    height: float
    along: bool = False


def place_numbers(numbers: Sequence[NumberPlace], area: PageBox,
                  taken: Sequence[PageBox] = ()) -> List[Optional[PageBox]]:
    """Return a box within ``area`` for each number, None for one that fits nowhere in it.

    No number overlaps another or one of the boxes ``taken`` where a free place is near its feature. Else it lies where
    it covers least. A number keeps off the points of other features if it can.
    """
    placed: List[Optional[PageBox]] = [None] * len(numbers)
    hard = list(taken)
    anchors = [number.points[0] for number in numbers if number.points and not number.along]
    # those with the fewest places to choose from come first
    order = sorted(range(len(numbers)), key=lambda index: (numbers[index].along, len(numbers[index].points)))
    for index in order:
        best: Optional[PageBox] = None
        least = math.inf
        for rank, box in enumerate(_candidates(numbers[index])):
            if not area.contains(box):
                continue
            cost = 100.0 * sum(box.overlap(other) for other in hard)
            cost += 2.0 * sum(box.left < x < box.right and box.top < y < box.bottom for x, y in anchors) + 0.01 * rank
            if cost < least:
                best, least = box, cost
            if cost < 0.01 * (rank + 1):
                break
        if best is not None:
            hard.append(best)
        placed[index] = best
    return placed


def _candidates(number: NumberPlace) -> Iterator[PageBox]:
    half_width, half_height = number.width / 2, number.height / 2
    if number.along:
        for x, y in number.points:
            yield PageBox(x - half_width, y - half_height, x + half_width, y + half_height)
    for x, y in number.points:
        for ring in _RINGS:
            for direction in _DIRECTIONS:
                # measured from edge to edge: wide numbers lie no further away
                cosine, sine = math.cos(math.radians(direction)), math.sin(math.radians(direction))
                centre_x = x + cosine * (half_width + ring * number.height)
                centre_y = y + sine * (half_height + ring * number.height)
                yield PageBox(centre_x - half_width, centre_y - half_height, centre_x + half_width,
                              centre_y + half_height)
