"""Walker over the elements of a record, which gives every value to a field or lists it as unread.

It knows the languages of localised texts (PT_Locale, ISO 19139 7.2, and defaultLocale and otherLocale of ISO 19115-1).
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Tuple, Type

from lxml import etree

from ...html_text import plain_text, read_html_text
from ..model.codelists import is_known_code
from ..model.languages import alpha3
from ..model.record import MAX_UNREAD, Constraint, UnreadValue, bounded_unread
from .element_names import ISO_NAMES, READABLE_NAMES, ElementNames, readable_name, split_tag

Element = etree._Element
#: values read from one object, keyed by field name (a list for repeatable fields)
FieldValues = Dict[str, Any]
#: reads one property element into the field values
Handler = Callable[["ElementWalker", Element, FieldValues], None]
HandlerTable = Mapping[str, Handler]

XLINK = "{http://www.w3.org/1999/xlink}"
HREF = XLINK + "href"
TITLE = XLINK + "title"
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
#: limit for hostile records, because every reference reads its object again
MAX_REFERENCES = 200
_GML_IDS = ("{http://www.opengis.net/gml}id", "{http://www.opengis.net/gml/3.2}id")
_IDS = ("id", *_GML_IDS)
#: attributes about the encoding, which carry no content of the record
_TECHNICAL_ATTRIBUTES: FrozenSet[str] = frozenset(
    ("codeList", "isoType", "nilReason", "id", "locale", "{http://www.w3.org/XML/1998/namespace}lang",
     "{http://www.w3.org/XML/1998/namespace}space", _XSI + "type", _XSI + "schemaLocation", _XSI + "nil",
     _XSI + "noNamespaceSchemaLocation", XLINK + "type", XLINK + "show", XLINK + "actuate", *_GML_IDS,
     *("{" + gco + "}" + name
       for gco in ("http://www.isotc211.org/2005/gco", "http://standards.iso.org/iso/19115/-3/gco/1.0")
       for name in ("isoType", "nilReason")),
     ))
_CODE_ATTRIBUTES = frozenset(("codeList", "codeListValue", "codeSpace"))
_TECHNICAL_LOCAL_NAMES = frozenset(("nilReason", "isoType"))
#: reasons of ISO 19139 for an absent value. As the text of a property with nilReason they only repeat the reason.
NIL_REASONS = frozenset(("missing", "inapplicable", "template", "unknown", "withheld"))
_MAX_PATH_LENGTH = 600
#: name of the code list before the code, as in the identifiers of GML dictionaries
_LIST_NAME = re.compile(r"\A[A-Z]{2}_\w+?Code_")
_DASHES = "-–— \t\r\n"
#: prefix of the numeric codes in the register of the North American Profile, which has the names as text
REGISTER_CODE_PREFIX = "RI_"
_LOCALE_PROPERTIES = frozenset(("locale", "defaultLocale", "otherLocale"))
_LANGUAGE_PROPERTIES = frozenset(("languageCode", "language"))
#: builds a value from the fields of an object, or returns None if they do not suffice and the object is unread
Builder = Callable[[FieldValues], Optional[Any]]
_LINE_BREAK = re.compile(r"(?<!\s)\s*[\r\n]\s*")
#: prose, in which a link stays beside its name
_PROSE = frozenset(("abstract", "purpose", "description", "lineage", "explanation", "fees"))
#: names, of which the addresses of links are no part
_NAMES = frozenset(("title", "alternate_titles", "credits", "organisation", "individual", "name",
                    "thesaurus"))


def clean_text(text: Optional[str]) -> Optional[str]:
    """Return ``text`` without the white space around it, or None if it is blank or consists of dashes."""
    if not text:
        return None
    value = text.strip()
    if not value or (value[0] in "-–—" and not value.strip(_DASHES)):
        return None
    return value


def code_from_address(value: str) -> str:
    """Return the code at the end of an address in a register ("…/ResponsiblePartyRole/owner"), or ``value`` if it is no
    address.
    """
    if "://" not in value:
        return value
    return _LIST_NAME.sub("", re.split(r"[/#]", value.rstrip("/#"))[-1]) or value


class ElementWalker:
    """Walker over one record: it reads values in the preferred language and collects the values that no field takes.

    ``root`` is the element of the record, ``language`` an ISO 639-2/B code ("" for the record's main language),
    ``names`` the names by which the handler tables know the elements.
    """

    __slots__ = ("_elements_by_id", "_locales", "_open_references", "_reference_count", "language", "names", "root",
                 "unread_items", "_left_out")

    def __init__(self, root: Element, language: str = "", names: ElementNames = ISO_NAMES) -> None:
        self.root = root
        self.names = names
        self.language = language
        #: (element, attribute or None, text)
        self.unread_items: List[Tuple[Element, Optional[str], str]] = []
        self._left_out = 0
        self._locales: Optional[Locales] = None
        # references within the record (ISO 19139 7.4.1.5): targets by id, those being read, and how many were read
        self._elements_by_id: Optional[Dict[str, Element]] = None
        self._open_references: List[Element] = []
        self._reference_count = 0

    # -- unread values -------------------------------------------------------------------------------------------------
    def add_unread(self, element: Element, text: str, attribute: Optional[str] = None) -> None:
        """Add one value to the unread ones."""
        if len(self.unread_items) < MAX_UNREAD:
            self.unread_items.append((element, attribute, text))
        else:
            self._left_out += 1

    def add_unread_attributes(self, element: Element, except_for: FrozenSet[str] = frozenset()) -> None:
        """Add the attributes of ``element`` that carry content, except those named in ``except_for``."""
        for name, text in element.items():
            if name in _TECHNICAL_ATTRIBUTES or name in except_for or split_tag(name)[1] in _TECHNICAL_LOCAL_NAMES:
                continue
            value = clean_text(text)
            if value is not None:
                self.add_unread(element, value, name)

    def add_unread_element(self, element: Element) -> None:
        """Add every value at and below ``element``."""
        for node in element.iter("*"):
            if node.keys():
                self.add_unread_attributes(node)
            value = clean_text(node.text)
            if value is not None and value != clean_text(node.get("codeListValue")):
                self.add_unread(node, value)
            if node is not element:
                tail = clean_text(node.tail)
                above = node.getparent()
                if tail is not None and above is not None:
                    self.add_unread(above, tail)

    def unread_values(self) -> Tuple[UnreadValue, ...]:
        """Return the unread values in the order in which they were found, each with its path below the record's root.
        """
        paths: Dict[Element, str] = {self.root: ""}
        unread = []
        # an object that was read by reference has added its unread values more than once
        items = dict.fromkeys(self.unread_items) if self._reference_count else self.unread_items
        for element, attribute, text in items:
            path = _element_path(element, paths)
            if attribute is not None:
                path = f"{path}/@{READABLE_NAMES[attribute]}" if path else f"@{READABLE_NAMES[attribute]}"
            unread.append((path or ".", text))
        return bounded_unread(unread, self._left_out)

    # -- structure -----------------------------------------------------------------------------------------------------
    def walk(self, element: Element, table: HandlerTable, values: FieldValues) -> None:
        """Read the properties of the object ``element`` by the handlers in ``table``, and add all other properties to
        the unread ones.
        """
        if element.keys():
            self.add_unread_attributes(element)
        stray = element.text
        if stray and not stray.isspace():
            self._add_stray_text(element, stray)
        names = self.names
        for prop in element:
            handler = table.get(names[prop.tag]) or (table.get(iso_type(prop)) if prop.keys() else None)
            if handler is not None:
                handler(self, prop, values)
            else:
                self.add_unread_element(prop)
            stray = prop.tail
            if stray and not stray.isspace():
                self._add_stray_text(element, stray)

    def objects(self, prop: Element) -> Iterable[Element]:
        """Return the objects that a property contains, or refers to by an id in the same record (ISO 19139 7.4.1.5).

        The attributes of the property and its stray text are added to the unread values.
        """
        if prop.keys():
            self.add_unread_attributes(prop)
        stray = prop.text
        if stray and not stray.isspace():
            self._add_stray_text(prop, stray)
        return prop if len(prop) or not prop.keys() else self.resolve_reference(prop)

    def resolve_reference(self, prop: Element) -> Iterable[Element]:
        """Yield the object that an empty property refers to (``xlink:href="#id"``), unless it is being read already."""
        href = prop.get(HREF) or ""
        if not href.startswith("#") or self._reference_count >= MAX_REFERENCES:
            return
        if self._elements_by_id is None:
            self._elements_by_id = {
                value: node for node in self.root.iter("*") for value in map(node.get, _IDS) if value
            }
        target = self._elements_by_id.get(href[1:].strip())
        if target is None or target in self._open_references or any(above is target for above in prop.iterancestors()):
            return
        self._reference_count += 1
        self._open_references.append(target)
        yield target
        self._open_references.remove(target)

    def _add_stray_text(self, element: Element, text: str) -> None:
        value = clean_text(text)
        if value is not None:
            self.add_unread(element, value)

    # -- values --------------------------------------------------------------------------------------------------------
    def text(self, prop: Element) -> Optional[str]:
        """Return the text of a property in the preferred language. The address of an Anchor is added to the unread
        values.
        """
        if len(prop) == 1:
            child = prop[0]
            if not len(child) and not child.keys():
                if prop.keys():
                    return self._nillable_text(prop, child)
                return clean_text(child.text)
        value, href, holder = self._text_href_and_source(prop)
        if value is None:
            return href
        if href is not None and href != value:
            self.add_unread(holder, href, HREF)
        return value

    def text_and_href(self, prop: Element) -> Tuple[Optional[str], Optional[str]]:
        """Return the text of a property and the address that an Anchor gives it."""
        value, href, _ = self._text_href_and_source(prop)
        return value, href

    def code(self, prop: Element) -> Optional[str]:
        """Return the code of a code list property: its codeListValue, otherwise its text. A text that differs is
        unread.
        """
        code: Optional[str] = None
        if prop.keys():
            self.add_unread_attributes(prop)
        for child in prop:
            if len(child):
                self.add_unread_element(child)
                continue
            value = clean_text(child.get("codeListValue"))
            text = clean_text(child.text)
            bare = code_from_address(value) if value else value
            if bare != value and value:
                self.add_unread(child, value, "codeListValue")
                value = bare
            if not _CODE_ATTRIBUTES.issuperset(child.keys()):
                self.add_unread_attributes(child, _CODE_ATTRIBUTES)
            if value is None:
                value, text = text, None
            elif text is not None and value.startswith(REGISTER_CODE_PREFIX) and value[3:].isdigit():
                named = _code_from_names(split_tag(child.tag)[1], text)
                if named:
                    self.add_unread(child, value, "codeListValue")
                    value = named
            if code is None:
                code = value
            elif value is not None:
                self.add_unread(child, value, "codeListValue" if child.get("codeListValue") else None)
            if text is not None and text != value:
                self.add_unread(child, text)
        if code is None:
            code = clean_text(prop.text)
        return None if _repeats_nil_reason(prop, code) else code

    def _nillable_text(self, prop: Element, child: Element) -> Optional[str]:
        self.add_unread_attributes(prop)
        value = clean_text(child.text)
        return None if _repeats_nil_reason(prop, value) else value

    def _text_href_and_source(self, prop: Element) -> Tuple[Optional[str], Optional[str], Element]:
        """Return text, address and the element with the address, whatever elements the value of a property consists of.
        """
        text: Optional[str] = None
        href: Optional[str] = None
        holder = prop
        translations: List[Element] = []
        if prop.keys():
            self.add_unread_attributes(prop)
        for child in prop:
            if len(child):
                localised = [node for node in child.iter("*") if node.get("locale") is not None]
                if localised:
                    translations += localised
                else:
                    self.add_unread_element(child)
                continue
            value, link = self._leaf_text_and_href(child)
            if text is None and href is None:
                text, href, holder = value, link, child
            elif value is not None or link is not None:
                self.add_unread_element(child)
        direct_text = clean_text(prop.text)
        if direct_text is not None:
            if text is None:
                text = direct_text
            else:
                self.add_unread(prop, direct_text)
        if translations:
            text = self._choose_translation(holder, text, translations)
        if _repeats_nil_reason(prop, text):
            text = None
        return text, href, holder

    def _leaf_text_and_href(self, child: Element) -> Tuple[Optional[str], Optional[str]]:
        """Return text and address of gco:CharacterString, gmx:Anchor, gmx:MimeFileType, gmx:FileName, a code, a date
        and so on.
        """
        value = clean_text(child.text)
        if not child.keys():
            return value, None
        link = clean_text(child.get(HREF))
        read_attributes = {HREF}
        for instead in ("codeListValue", "src"):
            other = clean_text(child.get(instead))
            if other is not None and (value is None or other == value):
                value = other
                read_attributes.add(instead)
        title = XLINK + "title"
        if clean_text(child.get(title)) == value:
            read_attributes.add(title)
        self.add_unread_attributes(child, frozenset(read_attributes))
        return value, link

    def _choose_translation(self, holder: Element, main: Optional[str], translations: List[Element]) -> Optional[str]:
        """Return the text in the preferred language, otherwise the main text, otherwise any. The others are unread."""
        if self._locales is None:
            self._locales = Locales(self.root)
        texts = [(node, clean_text(node.text)) for node in translations]
        chosen = main
        if self.language and (main is None or self.language != self._locales.main):
            preferred = [text for node, text in texts if text and self._locales.language(node) == self.language]
            chosen = preferred[0] if preferred else main
        if chosen is None:
            chosen = next((text for _, text in texts if text), None)
        if main is not None and main != chosen:
            self.add_unread(holder, main)
        for node, text in texts:
            if text is not None and text != chosen and text != main:
                self.add_unread(node, text)
        return chosen


def iso_type(element: Element) -> str:
    """Return the name of the ISO element that an element of an application profile stands for, or ""."""
    for name, value in element.items():
        if name.endswith("isoType"):
            return value.strip().rpartition(":")[2]
    return ""


def _code_from_names(code_list: str, text: str) -> str:
    """Return the first name of a register's item (``dataset; jeuDonnées``) in ``code_list``, otherwise the first."""
    names = [name.strip() for name in text.split(";") if name.strip()]
    return next((name for name in names if is_known_code(code_list, name)), names[0] if names else "")


def _repeats_nil_reason(prop: Element, value: Optional[str]) -> bool:
    """Return True if ``value`` only repeats the nilReason of its property."""
    if value is None or value.lower() not in NIL_REASONS:
        return False
    return any(split_tag(name)[1] == "nilReason" for name, _ in prop.items())


def _element_path(element: Element, paths: Dict[Element, str]) -> str:
    """Return the path of ``element`` below the root. The paths of its ancestors are cached in ``paths``."""
    cached_path = paths.get(element)
    if cached_path is not None:
        return cached_path
    above = element.getparent()
    name = readable_name(element)
    if above is None:
        return name
    before = _element_path(above, paths)
    if len(before) > _MAX_PATH_LENGTH:
        before = "…" + before[-_MAX_PATH_LENGTH // 2:]
    path = f"{before}/{name}" if before else name
    paths[element] = path
    return path


class Locales:
    """Locales that a record declares, with its main language as ISO 639-2/B code ("" if it declares none)."""

    def __init__(self, root: etree._Element) -> None:
        self.main = ""
        self._languages: Dict[str, str] = {}
        for prop in root:
            name = ISO_NAMES[prop.tag]
            if name == "language":
                self.main = self.main or _language_code(prop)
            elif name in _LOCALE_PROPERTIES:
                self._declare(prop, name)

    def _declare(self, prop: etree._Element, name: str) -> None:
        for locale in prop:
            if ISO_NAMES[locale.tag] != "PT_Locale":
                continue
            languages = (_language_code(child) for child in locale if ISO_NAMES[child.tag] in _LANGUAGE_PROPERTIES)
            language = next(languages, "")
            identifier = locale.get("id") or ""
            if identifier:
                self._languages[identifier] = language
            if name == "defaultLocale" and not self.main:
                self.main = language

    def language(self, element: etree._Element) -> str:
        """Return the ISO 639-2/B code of a localised text: that of its locale, otherwise the locale's name read as a
        code.
        """
        reference = (element.get("locale") or "").strip().rsplit("#", 1)[-1]
        return self._languages.get(reference) or alpha3(reference)


def _language_code(prop: etree._Element) -> str:
    for child in prop.iter("*"):
        code = alpha3(child.get("codeListValue") or child.text or "")
        if code:
            return code
    return ""


def _unchanged(value: str) -> str:
    return value


def _one_line(value: str) -> str:
    """Return a name without line breaks, which only lay out the document."""
    return _LINE_BREAK.sub(" ", value) if "\n" in value or "\r" in value else value


def _read_address(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a property with one address. The address of a file (gmx:FileName/@src) takes precedence over its name."""
    unread_before = len(walker.unread_items)
    value = walker.text(prop)
    source = clean_text(prop[0].get("src")) if len(prop) == 1 else None
    if source is not None and "://" in source and "://" not in (value or ""):
        del walker.unread_items[unread_before:]
        if value is not None:
            walker.add_unread(prop[0], value)
        value = source
    if value is not None:
        set_once(walker, prop, values, "url", _LINE_BREAK.sub("", value) if "\n" in value or "\r" in value else value)


#: fields whose text keeps its line breaks. All others are names on one line.
_NORMALISERS = {
    **dict.fromkeys(("abstract", "purpose", "description", "lineage", "explanation", "fees", "credits"), _unchanged)
}


def _without_html(walker: ElementWalker, prop: Element, field: str, value: str) -> str:
    """Return the value of a field as plain text. Addresses of links that the text no longer has are unread."""
    if "<" not in value and "&" not in value:
        return value
    if field in _PROSE:
        return plain_text(value)
    if field not in _NAMES:
        return value
    found = read_html_text(value)
    for address in found.addresses:
        if address not in found.text:
            walker.add_unread(prop, address)
    return found.text


def html_constraints(value: Optional[str], href: Optional[str] = None) -> List[Constraint]:
    """Return a text about use as plain text, with the address of its link, and one more for each further link."""
    if value is None or "<" not in value and "&" not in value:
        return [Constraint(value, href)]
    found = read_html_text(value)
    addresses = [address for address in found.addresses if address not in (found.text, href)]
    if href is None and addresses:
        href = addresses.pop(0)
    return [Constraint(found.text or None, href), *(Constraint(None, address) for address in addresses)]


def text(field: str) -> Handler:
    """Return a handler for a property with one text. A second text is unread."""
    if field == "url":
        return _read_address
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            set_once(walker, prop, values, field, form(_without_html(walker, prop, field, value)))
    return read


def texts(field: str) -> Handler:
    """Return a handler for a repeatable property with texts."""
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            values.setdefault(field, []).append(form(_without_html(walker, prop, field, value)))
    return read


def code(field: str) -> Handler:
    """Return a handler for a code list property. A second code is unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.code(prop)
        if value is not None:
            set_once(walker, prop, values, field, value)
    return read


def codes(field: str) -> Handler:
    """Return a handler for a repeatable code list property."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.code(prop)
        if value is not None:
            values.setdefault(field, []).append(value)
    return read


def nested(table: HandlerTable) -> Handler:
    """Return a handler for a property whose object's properties go into the same field values."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            walker.walk(item, table, values)
    return read


def repeat(field: str, table: HandlerTable, build: Builder) -> Handler:
    """Return a handler for a repeatable property that builds one value for each object.

    An object for which ``build`` returns None is unread.
    """
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            value = build_one(walker, item, table, build)
            if value is not None:
                values.setdefault(field, []).append(value)
    return read


def reference(field: str) -> Handler:
    """Return a handler for a property that refers to a resource by uuidref or xlink:href. Its content is unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        identifier = clean_text(prop.get("uuidref"))
        read_attribute = "uuidref"
        if identifier is None:
            identifier, read_attribute = clean_text(prop.get(HREF)), HREF
        if identifier is not None:
            values.setdefault(field, []).append(identifier)
        walker.add_unread_attributes(prop, frozenset((read_attribute,)))
        for item in prop:
            walker.add_unread_element(item)
        direct_text = clean_text(prop.text)
        if direct_text is not None:
            walker.add_unread(prop, direct_text)
    return read


def set_once(walker: ElementWalker, prop: Element, values: FieldValues, field: str, value: Any) -> None:
    """Set ``field`` to ``value``, or add the value to the unread ones if the field has another value already."""
    if field in values:
        if values[field] != value:
            walker.add_unread(prop, str(value))
    else:
        values[field] = value


def built(kind: Type[Any], *needed: str) -> Builder:
    """Return a builder of a dataclass from the values of its fields, of None where one of ``needed`` is missing."""
    names = [member.name for member in fields(kind)]

    def build(values: FieldValues) -> Optional[Any]:
        if not all(name in values for name in needed):
            return None
        return kind(**{name: tuple(values[name]) if isinstance(values[name], list) else values[name]
                       for name in names if name in values})

    return build


def build_one(walker: ElementWalker, item: Element, table: HandlerTable, build: Builder) -> Optional[Any]:
    """Return the value built from one object, or None if ``build`` returns None. All of the object is unread then."""
    unread_before = len(walker.unread_items)
    values: FieldValues = {}
    walker.walk(item, table, values)
    value = build(values) if values else None
    if value is None and values:
        del walker.unread_items[unread_before:]
        walker.add_unread_element(item)
    return value
