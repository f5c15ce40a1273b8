"""Describe a PDF that QGIS has written: structure, XMP, output intent, links, bookmarks and attachments.

The additions are an incremental update (``PdfUpdate``). They make a tagged PDF whose reading order is that of its
elements, and one that conforms to PDF/A-3u (ISO 19005-3) as far as Qt's own objects do: all fonts embedded with their
texts, an output intent, no encryption, XMP that agrees with the document's information, attachments with their
relationship. ``pdfa_obstacles`` names what does not, and then the file does not claim to conform.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import quote

from ..page_design.print_boxes import print_boxes
from .map_statement import MapStatement
from .page_elements import ElementRole, PageElement, element_at, entries_of_lines
from .pdf_content import LIGATURES, Glyph, ImageUse, PageContent, TextObject, drawn_objects, media_box, page_content
from .pdf_update import Buffer, PdfDict, PdfName, PdfReference, PdfUpdate, read_text_string
from .xmp import xmp_packet

PDFA = (3, "U")
_POINTS_PER_MM = 72.0 / 25.4
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)")
_UNICODE_TARGETS = re.compile(rb"\[[^\[\]]*\]")
#: texts of glyphs in a ToUnicode CMap, and those that they are to have
_PLAIN_TEXTS = {b"<0009>": b"<0020>", **{
    b"<%04X>" % ord(one): b"<" + letters.encode("utf-16-be").hex().upper().encode() + b">"
    for one, letters in LIGATURES.items()}}
_ODD_TEXT = re.compile(b"|".join(_PLAIN_TEXTS), re.IGNORECASE)
#: print a link's area, which PDF/A demands of annotations (ISO 19005-3, 6.3.2)
_PRINTED = 4
#: graphics states within each other (ISO 19005-3, 6.1.13)
_MAX_STATES = 28
#: links of one text, and characters of an address, more than which no page has
_MAX_LINKS, _MAX_ADDRESS = 1_000, 2_000
_ASCII = "".join(map(chr, range(0x21, 0x7f)))
_LEVELS = {ElementRole.TITLE: 1, ElementRole.HEADING: 2, ElementRole.SUBHEADING: 3}
#: structure types of GDAL's
_LAYER, _FEATURE = "Layer", "feature"
_ROWS = (ElementRole.ROW_NUMBER, ElementRole.ROW)


@dataclass(frozen=True)
class Attachment:
    """A file inside the PDF. ``relationship`` is Source, Data, Alternative, Supplement or Unspecified."""

    name: str
    media_type: str
    data: bytes
    description: str
    relationship: str = "Source"


@dataclass(frozen=True)
class PageDescription:
    """One page: its title for the bookmarks, and its elements in reading order.

    ``paper`` is the size in millimetres of a page with bleed when it is cut (see ``print_boxes``), else None.
    """

    title: str
    elements: Sequence[PageElement] = ()
    paper: Optional[Tuple[float, float]] = None


def describe_pdf(data: Buffer, statement: MapStatement, pages: Sequence[PageDescription],
                 attachments: Sequence[Attachment] = (), colour_profile: bytes = b"",
                 is_inner_layer: Callable[[str], bool] = lambda name: False) -> bytes:
    """Return what is to be appended to the PDF ``data``. ``colour_profile`` is an ICC profile of the RGB colours.

    ``pages`` follow one another as in the file. ``is_inner_layer`` is given the name of a GeoPDF's layer, and returns
    whether it is not the map's. Its contents are then always shown. Raises UnreadablePdf where the file's structure is
    not understood.
    """
    update = PdfUpdate(data)
    _remove_layers(update, is_inner_layer)
    catalogue = update.dictionary(update.catalogue)
    structure = _Structure(update)
    references = update.pages()
    obstacles: List[str] = []
    for number, reference in enumerate(references):
        page = pages[number] if number < len(pages) else PageDescription("")
        obstacles += _describe_page(update, reference, page, structure)
    _mend_texts(update, references)
    obstacles += pdfa_obstacles(update)
    if not colour_profile:
        obstacles.append("no colour profile")
    catalogue.update({
        "Version": PdfName("1.7"), "Lang": statement.language.encode("ascii", "ignore"),
        "MarkInfo": {**update.dictionary(catalogue.get("MarkInfo")), "Marked": True},
        "ViewerPreferences": {"DisplayDocTitle": True},
        "StructTreeRoot": structure.write(statement.language),
        "Metadata": update.add({"Type": PdfName("Metadata"), "Subtype": PdfName("XML")},
                               xmp_packet(statement, "application/pdf", None if obstacles else PDFA), packed=False)})
    _name_layers(update, catalogue, statement.title)
    if colour_profile:
        profile = update.add({"N": 3, "Alternate": PdfName("DeviceRGB")}, colour_profile)
        catalogue["OutputIntents"] = [{
            "Type": PdfName("OutputIntent"), "S": PdfName("GTS_PDFA1"), "OutputConditionIdentifier": b"sRGB",
            "Info": b"sRGB IEC61966-2.1", "RegistryName": b"http://www.color.org", "DestOutputProfile": profile}]
    if attachments:
        _attach(update, catalogue, attachments, statement.made)
    if len(references) > 1:
        catalogue["Outlines"] = _outlines(update, references, pages)
        catalogue["PageMode"] = PdfName("UseOutlines")
    update.replace(update.catalogue, catalogue)
    trailer: PdfDict = {"Info": _information(update, statement)}
    if "ID" not in update.trailer:
        first = hashlib.md5(bytes(data[-4096:]) + statement.made.encode(), usedforsecurity=False).digest()
        trailer["ID"] = [first, first]
    return update.appendix(trailer)


def pdfa_obstacles(update: PdfUpdate) -> List[str]:
    """Return what keeps the file from conforming to PDF/A-3u, of what Qt and GDAL can write.

    Fonts must be embedded and have texts (6.2.11.4, 6.2.11.7.2), images must not be interpolated (6.2.8), and all
    layers of a GeoPDF must be in its one configuration (6.9), which ``describe_pdf`` names.
    """
    obstacles: List[str] = []
    layers = update.dictionary(update.dictionary(update.catalogue).get("OCProperties"))
    if layers:
        shown = update.dictionary(layers.get("D"))
        if layers.get("Configs") or "AS" in shown or _keys(shown.get("Order", layers.get("OCGs"))) != _keys(
                layers.get("OCGs")):
            obstacles.append("its layers are arranged in another way than GDAL does it")
    seen = set()
    for page in update.pages():
        resources = update.dictionary(update.dictionary(page).get("Resources"))
        drawn = list(drawn_objects(update, resources))
        for members in (resources, *(update.dictionary(each.get("Resources")) for _name, _reference, each in drawn)):
            for name, font in update.dictionary(members.get("Font")).items():
                if _key(font) not in seen:
                    seen.add(_key(font))
                    obstacles += _font_obstacles(update, name, update.dictionary(font))
        for name, reference, each in drawn:
            if each.get("Interpolate") is True:
                obstacles.append(f"image {name} is interpolated")
            is_content = each.get("Subtype") == "Form" or each.get("PatternType") == 1
            if is_content and isinstance(reference, PdfReference):
                obstacles += _content_obstacles(page_content(update, {**each, "Contents": reference}))
    return obstacles


def _content_obstacles(content: Optional[PageContent]) -> List[str]:
    if content is None:
        return ["the page's content cannot be read"]
    obstacles = [f"glyphs of font {name} have no texts" for name in sorted(content.unreadable_fonts)]
    if content.depth > _MAX_STATES:
        obstacles.append("there are too many graphics states within each other")
    return obstacles


def _key(value: Any) -> Any:
    return value.number if isinstance(value, PdfReference) else id(value)


def _keys(references: Any) -> List[Any]:
    return sorted(map(_key, references)) if isinstance(references, list) else []


def _font_obstacles(update: PdfUpdate, name: str, font: PdfDict) -> List[str]:
    obstacles = [] if "ToUnicode" in font else [f"font {name} has no texts"]
    descendants = update.value(font.get("DescendantFonts")) or [font]
    for descendant in descendants:
        members = update.dictionary(descendant)
        descriptor = update.dictionary(members.get("FontDescriptor"))
        if members.get("Subtype") != "Type3" and not any(f"FontFile{kind}" in descriptor for kind in ("", "2", "3")):
            obstacles.append(f"font {name} is not embedded")
    return obstacles


@dataclass
class _Rows:
    """A list whose rows are elements: its reference, its items with their parts, and whether a row awaits its text."""

    reference: PdfReference
    items: List[Tuple[PdfReference, List[PdfReference]]] = field(default_factory=list)
    is_begun: bool = False
    has_numbers: bool = False


def _entries(marks: Mapping[int, str], entries: Sequence[str]) -> List[List[int]]:
    numbers = list(marks)
    return [[numbers[line] for line in lines] for lines in entries_of_lines(list(marks.values()), entries)]


class _Structure:
    """The structure tree: one element for each page element, with the marks of the content that it consists of."""

    def __init__(self, update: PdfUpdate) -> None:
        self._update = update
        self._root, self._document = update.reserve(), update.reserve()
        self._kids: List[PdfReference] = []
        #: by the key of a page or an annotation
        self._parents: Dict[int, Any] = {}
        #: elements that GDAL has written for the features of a GeoPDF, with their attributes
        self._features: List[PdfReference] = []
        self._take_features()
        self._next_key = 1 + max(self._parents, default=-1)
        #: level of the last heading
        self._level = 0

    def _take_features(self) -> None:
        former = self._update.dictionary(self._update.dictionary(self._update.catalogue).get("StructTreeRoot"))
        kids = self._update.value(former.get("K"))
        numbers = self._update.value(self._update.dictionary(former.get("ParentTree")).get("Nums"))
        if isinstance(kids, list) and isinstance(numbers, list):
            self._features = [kid for kid in kids if isinstance(kid, PdfReference)
                              and self._update.dictionary(kid).get("S") == _LAYER]
        if self._features:
            self._parents.update((key, self._update.value(parents)) for key, parents in
                                 zip(numbers[::2], numbers[1::2]) if isinstance(key, int))

    def has_features(self, page: PdfDict) -> bool:
        return bool(self._features) and page.get("StructParents") in self._parents

    def add_figure(self, page: PdfReference, text: str) -> None:
        """Add a figure without content to a page."""
        self._kids.append(self._update.add({
            "Type": PdfName("StructElem"), "S": PdfName("Figure"), "P": self._document, "Pg": page,
            "Alt": text or " ", "A": {"O": PdfName("Layout"), "Placement": PdfName("Block")}}))

    def add_page(self, page: PdfReference, elements: Sequence[PageElement], marks: Mapping[int, Mapping[int, str]],
                 links: Mapping[int, Sequence[PdfReference]]) -> int:
        """Add the elements of a page that have content, and all figures with a text. Return its key in the parent tree.

        ``marks`` are the numbers of marked content with their texts by element, ``links`` the annotations by element.
        """
        key = self._new_key()
        owners: Dict[int, PdfReference] = {}
        rows: Optional[_Rows] = None
        for number, element in enumerate(elements):
            content = marks.get(number, {})
            is_drawing = element.role is ElementRole.FIGURE and bool(element.text)
            if not content and not is_drawing:
                continue
            # lines and areas have no marks: a drawing without images or letters is a figure without content
            reference = self._update.reserve()
            members: PdfDict = {"Type": PdfName("StructElem"), "S": PdfName(self._tag(element.role)),
                                "P": self._document, "Pg": page}
            if element.role is ElementRole.LIST:
                members["K"] = [self._entry(reference, page, entry, owners)
                                for entry in _entries(content, element.entries)]
            elif content:
                owners.update((mark, reference) for mark in content)
                members["K"] = [*content, *(self._link(reference, page, link) for link in links.get(number, ()))]
            if element.role is ElementRole.FIGURE:
                members["Alt"] = element.text or " "
                members["A"] = {"O": PdfName("Layout"), "Placement": PdfName("Block")}
            if element.role not in _ROWS:
                self._close(rows)
                rows = None
                self._kids.append(reference)
            else:
                rows = rows or _Rows(self._update.reserve())
                members["P"] = self._row_item(rows, reference, element.role)
            self._update.replace(reference, members)
        self._close(rows)
        self._parents[key] = [owners[mark] for mark in sorted(owners)]
        return key

    def _tag(self, role: ElementRole) -> str:
        """Return the structure type of a role. The first heading is H1, and none is more than a level below another."""
        if role not in _LEVELS:
            return role.value
        self._level = min(_LEVELS[role], self._level + 1)
        return f"H{self._level}"

    def _row_item(self, rows: _Rows, part: PdfReference, role: ElementRole) -> PdfReference:
        """Put a part of a row into its item. Return the item's reference."""
        if not rows.items or role is ElementRole.ROW_NUMBER or not rows.is_begun:
            rows.items.append((self._update.reserve(), []))
        rows.is_begun = role is ElementRole.ROW_NUMBER
        rows.has_numbers = rows.has_numbers or rows.is_begun
        item, parts = rows.items[-1]
        parts.append(part)
        return item

    def _close(self, rows: Optional[_Rows]) -> None:
        """Write the list of the rows, if there is one."""
        if rows is None:
            return
        self._kids.append(rows.reference)
        for item, parts in rows.items:
            self._update.replace(item, {"Type": PdfName("StructElem"), "S": PdfName("LI"), "P": rows.reference,
                                        "K": parts})
        numbering = PdfName("Decimal" if rows.has_numbers else "None")
        self._update.replace(rows.reference, {
            "Type": PdfName("StructElem"), "S": PdfName("L"), "P": self._document,
            "K": [item for item, _parts in rows.items], "A": {"O": PdfName("List"), "ListNumbering": numbering}})

    def write(self, language: str) -> PdfReference:
        """Write the tree and return the reference of its root."""
        numbers: List[Any] = []
        for key in sorted(self._parents):
            numbers += [key, self._parents[key]]
        for reference in self._features:
            self._update.replace(reference, {**self._update.dictionary(reference), "P": self._document})
        self._update.replace(self._document, {
            "Type": PdfName("StructElem"), "S": PdfName("Document"), "P": self._root,
            "K": [*self._kids, *self._features], "Lang": language.encode("ascii", "ignore")})
        self._update.replace(self._root, {
            "Type": PdfName("StructTreeRoot"), "K": [self._document],
            **({"RoleMap": {_LAYER: PdfName("Sect"), _FEATURE: PdfName("Div")}} if self._features else {}),
            "ParentTree": self._update.add({"Nums": numbers}), "ParentTreeNextKey": self._next_key})
        return self._root

    def _entry(self, parent: PdfReference, page: PdfReference, marks: Sequence[int],
               owners: Dict[int, PdfReference]) -> PdfReference:
        item, body = self._update.reserve(), self._update.reserve()
        owners.update((mark, body) for mark in marks)
        self._update.replace(item, {"Type": PdfName("StructElem"), "S": PdfName("LI"), "P": parent, "K": [body]})
        self._update.replace(body, {"Type": PdfName("StructElem"), "S": PdfName("LBody"), "P": item, "Pg": page,
                                    "K": list(marks)})
        return item

    def _link(self, parent: PdfReference, page: PdfReference, annotation: PdfReference) -> PdfReference:
        key = self._new_key()
        members = self._update.dictionary(annotation)
        self._update.replace(annotation, {**members, "StructParent": key})
        self._parents[key] = self._update.add({
            "Type": PdfName("StructElem"), "S": PdfName("Link"), "P": parent, "Pg": page,
            "K": [{"Type": PdfName("OBJR"), "Obj": annotation, "Pg": page}]})
        return self._parents[key]  # type: ignore[no-any-return]

    def _new_key(self) -> int:
        self._next_key += 1
        return self._next_key - 1


def _describe_page(update: PdfUpdate, reference: PdfReference, page: PageDescription,
                   structure: _Structure) -> List[str]:
    """Mark the page's content and add its links. Return what in its content keeps it from conforming to PDF/A-3u.

    Glyphs must have texts (6.2.11.7.2, 6.2.11.8), and graphics states are limited in depth (6.1.13).
    """
    members = update.dictionary(reference)
    if structure.has_features(members):
        structure.add_figure(reference, _text_of(page))
        update.replace(reference, {**members, "Tabs": PdfName("S"),
                                   **print_boxes(media_box(update, members), page.paper)})
        return _content_obstacles(page_content(update, members))
    content = page_content(update, members)
    if content is None:
        _describe_as_figure(update, reference, page, structure)
        return _content_obstacles(content)
    obstacles = _content_obstacles(content)
    height = float(media_box(update, members)[3])
    elements = list(page.elements)
    marks: Dict[int, Dict[int, str]] = {}
    texts: Dict[int, List[TextObject]] = {}
    count = 0

    def mark(index: Optional[int], text: str = "") -> Optional[Tuple[str, int]]:
        nonlocal count
        if index is None:
            return None
        marks.setdefault(index, {})[count] = text
        count += 1
        role = elements[index].role
        return ("Span" if role is ElementRole.LIST else role.value), count - 1

    def mark_text(text: TextObject) -> Optional[Tuple[str, int]]:
        index = element_at(elements, *_millimetres(text.start, height), of_letters=True)
        if index is None:
            if not text.text.strip():
                return None
            left, top = _millimetres(text.start, height)
            elements.append(PageElement(ElementRole.PARAGRAPH, (left, top, 0.0, 0.0)))
            index = len(elements) - 1
        texts.setdefault(index, []).append(text)
        return mark(index, text.text)

    def mark_image(image: ImageUse) -> Optional[Tuple[str, int]]:
        index = element_at(elements, *_millimetres((image.x, image.y), height))
        return mark(index) if index is not None and elements[index].role is ElementRole.FIGURE else None

    stream = content.marked(mark_text, mark_image)
    links = {index: [_link(update, reference, address, area) for address, area in
                     _addresses_on_page(elements[index], texts.get(index, ()))] for index in texts}
    for index in texts:
        links[index] += _page_links(update, reference, elements[index], height)
    annotations = [_printed(update, item) for item in update.value(members.get("Annots")) or []]
    annotations += [link for found in links.values() for link in found]
    members.update({"Contents": update.add({}, stream), "Tabs": PdfName("S"), "Annots": annotations,
                    "StructParents": structure.add_page(reference, elements, marks, links),
                    **print_boxes(media_box(update, members), page.paper)})
    update.replace(reference, members)
    return obstacles


def _text_of(page: PageDescription) -> str:
    """Return the texts of all elements of a page, in reading order."""
    return "\n".join(element.text for element in page.elements if element.text) or page.title


def _describe_as_figure(update: PdfUpdate, reference: PdfReference, page: PageDescription,
                        structure: _Structure) -> None:
    """Make the page's content one figure, whose text is that of all its elements."""
    members = update.dictionary(reference)
    contents = members.get("Contents")
    value = update.value(contents)
    drawn = value if isinstance(value, list) else [contents] if isinstance(contents, PdfReference) else []
    figure = PageElement(ElementRole.FIGURE, (0.0, 0.0, 0.0, 0.0), _text_of(page))
    begin = update.add({}, b"/%s <</MCID 0>> BDC" % figure.role.value.encode())
    members.update({"Contents": [begin, *drawn, update.add({}, b"EMC")], "Tabs": PdfName("S"),
                    "StructParents": structure.add_page(reference, [figure], {0: {0: ""}}, {}),
                    **print_boxes(media_box(update, members), page.paper)})
    update.replace(reference, members)


def _millimetres(point: Tuple[float, float], height: float) -> Tuple[float, float]:
    """Return a point of the page, in points from the lower left corner, in millimetres from the upper left one."""
    return point[0] / _POINTS_PER_MM, (height - point[1]) / _POINTS_PER_MM


def _mend_texts(update: PdfUpdate, pages: Sequence[PdfReference]) -> None:
    """Give the fonts' spaces the text of a space, and ligatures that of their letters.

    Qt names them tabs and single characters, which a copied credit would have, and which no search finds.
    """
    fonts = {font for page in pages for font in update.dictionary(
        update.dictionary(update.dictionary(page).get("Resources")).get("Font")).values()
        if isinstance(font, PdfReference)}
    for font in fonts:
        cmap = update.dictionary(font).get("ToUnicode")
        if isinstance(cmap, PdfReference):
            texts = update.stream(cmap)
            mended = _UNICODE_TARGETS.sub(
                lambda found: _ODD_TEXT.sub(lambda odd: _PLAIN_TEXTS[odd[0].upper()], found[0]), texts)
            if mended != texts:
                update.replace(cmap, {}, mended)


def _addresses_on_page(element: PageElement,
                       texts: Sequence[TextObject]) -> List[Tuple[str, Tuple[float, float, float, float]]]:
    """Return the web addresses of an element with their areas on the page, in points: one area for each line."""
    glyphs: List[Tuple[str, Glyph, int]] = []
    for line, text in enumerate(texts):
        for glyph in text.glyphs:
            glyphs += [(character, glyph, line) for character in glyph.text if not character.isspace()]
    written = "".join(character for character, _glyph, _line in glyphs)
    found = []
    for address in element.addresses[:_MAX_LINKS]:
        if len(address) > _MAX_ADDRESS:
            continue
        start = written.find(address)
        while start >= 0:
            part = glyphs[start:start + len(address)]
            for line in dict.fromkeys(item[2] for item in part):
                run = [glyph for _character, glyph, on_line in part if on_line == line]
                found.append((address, _area_of(run)))
            start = written.find(address, start + len(address))
    return found


def _area_of(run: Sequence[Glyph]) -> Tuple[float, float, float, float]:
    """Return left, bottom, right and top of glyphs in points, with room around them where they stand at an angle."""
    size = max(glyph.size for glyph in run)
    left, right = min(glyph.x for glyph in run), max(glyph.x for glyph in run)
    bottom, top = min(glyph.y for glyph in run), max(glyph.y for glyph in run)
    if top - bottom > 0.1 * size:
        return left - size, bottom - size, right + size, top + size
    return left, bottom - 0.25 * size, right + 0.6 * size, top + 0.85 * size


def _link(update: PdfUpdate, page: PdfReference, address: str, area: Tuple[float, float, float, float]) -> PdfReference:
    """Add a link. Its address is of ASCII characters alone (ISO 32000-1, 12.6.4.7)."""
    return update.add({
        "Type": PdfName("Annot"), "Subtype": PdfName("Link"), "Rect": [float(value) for value in area], "F": _PRINTED,
        "Border": [0, 0, 0], "P": page, "Contents": address,
        "A": {"S": PdfName("URI"), "URI": quote(address, safe=_ASCII, errors="replace").encode()}})


def _page_links(update: PdfUpdate, page: PdfReference, element: PageElement, height: float) -> List[PdfReference]:
    """Add the link of an element that leads to another page of the file. ``height`` is the page's, in points."""
    pages = update.pages()
    if element.linked_page is None or not 0 <= element.linked_page < len(pages):
        return []
    left, top, width, depth = (value * _POINTS_PER_MM for value in element.area)
    return [update.add({
        "Type": PdfName("Annot"), "Subtype": PdfName("Link"), "F": _PRINTED, "Border": [0, 0, 0], "P": page,
        "Rect": [left, height - top - depth, left + width, height - top], "Contents": element.text,
        "Dest": [pages[element.linked_page], PdfName("Fit")]})]


def _remove_layers(update: PdfUpdate, is_removed: Callable[[str], bool]) -> None:
    """Make layers that a GeoPDF is not to name into groups without a condition (ISO 32000-1, 8.11.2.2), always shown.

    They leave the lists of the file's layers, which name all that there are (8.11.4.2).
    """
    catalogue = update.dictionary(update.catalogue)
    layers = update.dictionary(catalogue.get("OCProperties"))
    groups = [group for group in update.value(layers.get("OCGs")) or () if isinstance(group, PdfReference)]
    removed = {group.number for group in groups if is_removed(read_text_string(update.dictionary(group).get("Name")))}
    for group in groups:
        if group.number in removed:
            update.replace(group, {"Type": PdfName("OCMD")})

    def remaining(value: Any) -> Any:
        found = update.value(value)
        if isinstance(found, list):
            kept = (remaining(member) for member in found
                    if not (isinstance(member, PdfReference) and member.number in removed))
            # a list of those below one that is gone has nothing left
            return [member for member in kept if member != []]
        return {name: remaining(member) for name, member in found.items()} if isinstance(value, dict) else value

    if removed:
        update.replace(update.catalogue, {**catalogue, "OCProperties": {
            **remaining(layers), "D": remaining(update.dictionary(layers.get("D")))}})


def _name_layers(update: PdfUpdate, catalogue: PdfDict, title: str) -> None:
    """Give the configuration of a GeoPDF's layers a name, which PDF/A demands (ISO 19005-3, 6.9)."""
    layers = update.dictionary(catalogue.get("OCProperties"))
    if layers:
        catalogue["OCProperties"] = {**layers, "D": {"Name": title or " ", **update.dictionary(layers.get("D"))}}


def _printed(update: PdfUpdate, annotation: Any) -> Any:
    """Return an annotation of Qt's, which is printed from now on."""
    members = update.dictionary(annotation)
    if isinstance(annotation, PdfReference) and members:
        update.replace(annotation, {**members, "F": _PRINTED})
    return annotation


def _attach(update: PdfUpdate, catalogue: PdfDict, attachments: Sequence[Attachment], made: str) -> None:
    names: List[Any] = []
    references = []
    for attachment in sorted(attachments, key=lambda item: item.name):
        stream = update.add({
            "Type": PdfName("EmbeddedFile"), "Subtype": PdfName(attachment.media_type),
            "Params": {"Size": len(attachment.data), "ModDate": pdf_date(made),
                       "CheckSum": hashlib.md5(attachment.data, usedforsecurity=False).digest()}}, attachment.data)
        reference = update.add({
            "Type": PdfName("Filespec"), "F": attachment.name.encode("ascii", "replace"), "UF": attachment.name,
            "Desc": attachment.description, "AFRelationship": PdfName(attachment.relationship),
            "EF": {"F": stream, "UF": stream}})
        names += [attachment.name.encode("utf-8"), reference]
        references.append(reference)
    tree = update.dictionary(catalogue.get("Names"))
    catalogue["Names"] = {**tree, "EmbeddedFiles": {"Names": names}}
    catalogue["AF"] = references


def _outlines(update: PdfUpdate, references: Sequence[PdfReference], pages: Sequence[PageDescription]) -> PdfReference:
    root = update.reserve()
    items = [update.reserve() for _reference in references]
    for number, (item, reference) in enumerate(zip(items, references)):
        title = pages[number].title if number < len(pages) else ""
        members: PdfDict = {"Title": title or str(number + 1), "Parent": root, "Dest": [reference, PdfName("Fit")]}
        if number:
            members["Prev"] = items[number - 1]
        if number + 1 < len(items):
            members["Next"] = items[number + 1]
        update.replace(item, members)
    update.replace(root, {"Type": PdfName("Outlines"), "First": items[0], "Last": items[-1], "Count": len(items)})
    return root


def _information(update: PdfUpdate, statement: MapStatement) -> PdfReference:
    """Return the document information, which says the same as the XMP."""
    members = {"Title": statement.title, "Author": "; ".join(statement.creators), "Subject": statement.summary,
               "Keywords": ", ".join(statement.keywords), "Creator": statement.software,
               "Producer": statement.software}
    information: PdfDict = {name: value for name, value in members.items() if value}
    information.update({"CreationDate": pdf_date(statement.made), "ModDate": pdf_date(statement.made)})
    reference = update.trailer.get("Info")
    if not isinstance(reference, PdfReference):
        return update.add(information)
    update.replace(reference, information)
    return reference


def pdf_date(moment: str) -> bytes:
    """Return an ISO 8601 time in UTC as PDF writes it (7.9.4), or b"" if it is none."""
    match = _DATE.match(moment)
    return f"D:{''.join(match.groups())}+00'00'".encode() if match else b""

