"""Languages of localised texts (PT_Locale, ISO 19139 7.2 and ISO 19115-1 defaultLocale and otherLocale)."""

from __future__ import annotations

from typing import Dict

from lxml import etree

from ..model.languages import alpha3
from .element_names import ISO_NAMES

_LOCALE_PROPERTIES = frozenset(("locale", "defaultLocale", "otherLocale"))
_LANGUAGE_PROPERTIES = frozenset(("languageCode", "language"))


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
