"""The walk through a record's elements, in which every value is either taken by a field or kept as unread."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Tuple

from lxml import etree

from .codelists import is_known
from .freetext import Locales
from .model import Unread
from .names import NAMES, READABLE, Names, readable, split

Element = etree._Element
#: what the fields of one object gather: field name to value, or to a list of values
Bag = Dict[str, Any]
#: reads one property element into a bag
Handler = Callable[["Reading", Element, Bag], None]
Table = Mapping[str, Handler]

XLINK = "{http://www.w3.org/1999/xlink}"
HREF = XLINK + "href"
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
#: objects that a record refers to are read again; a hostile one could refer without end
MAX_REFERENCES = 200
_GML_IDS = ("{http://www.opengis.net/gml}id", "{http://www.opengis.net/gml/3.2}id")
_IDS = ("id", *_GML_IDS)
#: attributes that say how something is written, not what the record says
_TECHNICAL: FrozenSet[str] = frozenset((
    "codeList", "isoType", "nilReason", "id", "locale", "{http://www.w3.org/XML/1998/namespace}lang",
    "{http://www.w3.org/XML/1998/namespace}space", _XSI + "type", _XSI + "schemaLocation", _XSI + "nil",
    _XSI + "noNamespaceSchemaLocation", XLINK + "type", XLINK + "show", XLINK + "actuate", *_GML_IDS,
    *("{" + gco + "}" + name for gco in ("http://www.isotc211.org/2005/gco", "http://standards.iso.org/iso/19115/-3/gco/1.0")
      for name in ("isoType", "nilReason")),
))
_CODE = frozenset(("codeList", "codeListValue", "codeSpace"))
_TECHNICAL_LOCAL = frozenset(("nilReason", "isoType"))
#: the reasons that ISO 19139 gives for an absent value; as text beside a nilReason they say only that
NIL_REASONS = frozenset(("missing", "inapplicable", "template", "unknown", "withheld"))
#: no honest record leaves as many values without a field; of a hostile one the rest is only said to be there
MAX_UNREAD = 50_000
_LONGEST_PATH = 600
#: the code list's name before the code, as GML dictionaries identify their entries
_LIST_NAME = re.compile(r"\A[A-Z]{2}_\w+?Code_")
_DASHES = "-–— \t\r\n"
#: how the register of the North American Profile numbers its codes, whose names stand in the text, in two languages
REGISTER_ITEM = "RI_"


def clean(text: Optional[str]) -> Optional[str]:
    """``text`` without the white space around it; None where it is blank or only dashes."""
    if not text:
        return None
    value = text.strip()
    if not value or (value[0] in "-–—" and not value.strip(_DASHES)):
        return None
    return value


def bare_code(value: str) -> str:
    """The code itself where a record gives its address in a register ("…/ResponsiblePartyRole/owner")."""
    if "://" not in value:
        return value
    return _LIST_NAME.sub("", re.split(r"[/#]", value.rstrip("/#"))[-1]) or value


class Reading:
    """One record being read: the language that a person wants, and what no field has taken so far."""

    __slots__ = ("_following", "_locales", "_named", "_referred", "language", "left", "names", "root")

    def __init__(self, root: Element, language: str = "", names: Names = NAMES) -> None:
        self.root = root
        self.names = names
        self.language = language
        #: (element, attribute or None, text)
        self.left: List[Tuple[Element, Optional[str], str]] = []
        self._locales: Optional[Locales] = None
        #: elements by their id, those that are being read by reference, and how many were
        self._named: Optional[Dict[str, Element]] = None
        self._following: List[Element] = []
        self._referred = 0

    # -- what has no place ---------------------------------------------------------------------------------------------
    def keep(self, element: Element, text: str, attribute: Optional[str] = None) -> None:
        """Keep one value for ``unread``."""
        if len(self.left) < MAX_UNREAD:
            self.left.append((element, attribute, text))

    def attributes(self, element: Element, but: FrozenSet[str] = frozenset()) -> None:
        """Keep the attributes of ``element`` that say something, except those in ``but``."""
        for name, text in element.items():
            if name in _TECHNICAL or name in but or split(name)[1] in _TECHNICAL_LOCAL:
                continue
            value = clean(text)
            if value is not None:
                self.keep(element, value, name)

    def leave(self, element: Element) -> None:
        """Keep everything at and below ``element``."""
        for node in element.iter("*"):
            if node.keys():
                self.attributes(node)
            value = clean(node.text)
            if value is not None and value != clean(node.get("codeListValue")):
                self.keep(node, value)
            if node is not element:
                tail = clean(node.tail)
                above = node.getparent()
                if tail is not None and above is not None:
                    self.keep(above, tail)
            if len(self.left) >= MAX_UNREAD:
                break

    def unread(self) -> Tuple[Unread, ...]:
        """Everything kept so far in the document's words, each with its path below the record's root."""
        paths: Dict[Element, str] = {self.root: ""}
        found = []
        # what was read by reference, too, is left where it stands and said once
        for element, attribute, text in dict.fromkeys(self.left) if self._referred else self.left:
            path = _path(element, paths)
            if attribute is not None:
                path = f"{path}/@{READABLE[attribute]}" if path else f"@{READABLE[attribute]}"
            found.append(Unread(path or ".", text))
        if len(found) >= MAX_UNREAD:
            found.append(Unread(".", "…"))
        return tuple(found)

    # -- structure -----------------------------------------------------------------------------------------------------
    def walk(self, element: Element, table: Table, bag: Bag) -> None:
        """Read the properties of one object; one that ``table`` does not name is left."""
        if element.keys():
            self.attributes(element)
        stray = element.text
        if stray and not stray.isspace():
            self._stray(element, stray)
        names = self.names
        for prop in element:
            handler = table.get(names[prop.tag])
            if handler is not None:
                handler(self, prop, bag)
            else:
                self.leave(prop)
            stray = prop.tail
            if stray and not stray.isspace():
                self._stray(element, stray)

    def objects(self, prop: Element) -> Iterable[Element]:
        """The objects that a property holds, or refers to by an id in the same record (ISO 19139 7.4.1.5); its own
        attributes and stray text are kept.
        """
        if prop.keys():
            self.attributes(prop)
        stray = prop.text
        if stray and not stray.isspace():
            self._stray(prop, stray)
        return prop if len(prop) or not prop.keys() else self.referred(prop)

    def referred(self, prop: Element) -> Iterable[Element]:
        """The object that an empty property refers to (``xlink:href="#id"``), while it is not being read already."""
        href = prop.get(HREF) or ""
        if not href.startswith("#") or self._referred >= MAX_REFERENCES:
            return
        if self._named is None:
            self._named = {value: node for node in self.root.iter("*") for value in map(node.get, _IDS) if value}
        target = self._named.get(href[1:].strip())
        if target is None or target in self._following or any(above is target for above in prop.iterancestors()):
            return
        self._referred += 1
        self._following.append(target)
        yield target
        self._following.remove(target)

    def _stray(self, element: Element, text: str) -> None:
        value = clean(text)
        if value is not None:
            self.keep(element, value)

    # -- values --------------------------------------------------------------------------------------------------------
    def text(self, prop: Element) -> Optional[str]:
        """The text of a property in the language wanted; an address that an Anchor adds to it is kept as unread."""
        if len(prop) == 1:
            child = prop[0]
            if not len(child) and not child.keys():
                if prop.keys():
                    return self._nillable(prop, child)
                return clean(child.text)
        value, href, holder = self._rich(prop)
        if value is None:
            return href
        if href is not None and href != value:
            self.keep(holder, href, HREF)
        return value

    def linked(self, prop: Element) -> Tuple[Optional[str], Optional[str]]:
        """The text of a property and the address that an Anchor gives it."""
        value, href, _ = self._rich(prop)
        return value, href

    def code(self, prop: Element) -> Optional[str]:
        """The code of a code list property: codeListValue, else its text; a text that says something else is kept."""
        found: Optional[str] = None
        if prop.keys():
            self.attributes(prop)
        for child in prop:
            if len(child):
                self.leave(child)
                continue
            value = clean(child.get("codeListValue"))
            text = clean(child.text)
            bare = bare_code(value) if value else value
            if bare != value and value:
                self.keep(child, value, "codeListValue")
                value = bare
            if not _CODE.issuperset(child.keys()):
                self.attributes(child, _CODE)
            if value is None:
                value, text = text, None
            elif text is not None and value.startswith(REGISTER_ITEM) and value[3:].isdigit():
                named = _named(split(child.tag)[1], text)
                if named:
                    self.keep(child, value, "codeListValue")
                    value = named
            if found is None:
                found = value
            elif value is not None:
                self.keep(child, value, "codeListValue" if child.get("codeListValue") else None)
            if text is not None and text != value:
                self.keep(child, text)
        if found is None:
            found = clean(prop.text)
        return None if _says_only_nil(prop, found) else found

    def _nillable(self, prop: Element, child: Element) -> Optional[str]:
        self.attributes(prop)
        value = clean(child.text)
        return None if _says_only_nil(prop, value) else value

    def _rich(self, prop: Element) -> Tuple[Optional[str], Optional[str], Element]:
        """Text, address, and the element that bears the address, whatever a property's value is made of."""
        found: Optional[str] = None
        href: Optional[str] = None
        holder = prop
        translations: List[Element] = []
        if prop.keys():
            self.attributes(prop)
        for child in prop:
            if len(child):
                localised = [node for node in child.iter("*") if node.get("locale") is not None]
                if localised:
                    translations += localised
                else:
                    self.leave(child)
                continue
            value, link = self._leaf(child)
            if found is None and href is None:
                found, href, holder = value, link, child
            elif value is not None or link is not None:
                self.leave(child)
        own = clean(prop.text)
        if own is not None:
            if found is None:
                found = own
            else:
                self.keep(prop, own)
        if translations:
            found = self._translated(holder, found, translations)
        if _says_only_nil(prop, found):
            found = None
        return found, href, holder

    def _leaf(self, child: Element) -> Tuple[Optional[str], Optional[str]]:
        """Text and address of gco:CharacterString, gmx:Anchor, gmx:MimeFileType, gmx:FileName, a code, a date …"""
        value = clean(child.text)
        if not child.keys():
            return value, None
        link = clean(child.get(HREF))
        taken = {HREF}
        for instead in ("codeListValue", "src"):
            other = clean(child.get(instead))
            if other is not None and (value is None or other == value):
                value = other
                taken.add(instead)
        title = XLINK + "title"
        if clean(child.get(title)) == value:
            taken.add(title)
        self.attributes(child, frozenset(taken))
        return value, link

    def _translated(self, holder: Element, main: Optional[str], translations: List[Element]) -> Optional[str]:
        """The text in the language wanted, else the main one, else any; the others are kept."""
        if self._locales is None:
            self._locales = Locales(self.root)
        texts = [(node, clean(node.text)) for node in translations]
        chosen = main
        if self.language and (main is None or self.language != self._locales.main):
            wanted = [text for node, text in texts if text and self._locales.language(node) == self.language]
            chosen = wanted[0] if wanted else main
        if chosen is None:
            chosen = next((text for _, text in texts if text), None)
        if main is not None and main != chosen:
            self.keep(holder, main)
        for node, text in texts:
            if text is not None and text != chosen and text != main:
                self.keep(node, text)
        return chosen


def _named(code_list: str, text: str) -> str:
    """The code among the names of a register's item ("dataset; jeuDonnées"), else the first of them; "" without."""
    names = [name.strip() for name in text.split(";") if name.strip()]
    return next((name for name in names if is_known(code_list, name)), names[0] if names else "")


def _says_only_nil(prop: Element, value: Optional[str]) -> bool:
    """Whether a value only repeats the nilReason of its property."""
    if value is None or value.lower() not in NIL_REASONS:
        return False
    return any(split(name)[1] == "nilReason" for name, _ in prop.items())


def _path(element: Element, paths: Dict[Element, str]) -> str:
    """The path of ``element`` below the root; those of its ancestors are remembered in ``paths``."""
    known = paths.get(element)
    if known is not None:
        return known
    above = element.getparent()
    name = readable(element)
    if above is None:
        return name
    before = _path(above, paths)
    if len(before) > _LONGEST_PATH:
        before = "…" + before[-_LONGEST_PATH // 2:]
    path = f"{before}/{name}" if before else name
    paths[element] = path
    return path
