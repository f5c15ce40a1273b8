"""Translation of texts for people without Qt, from the sources of the translations (``i18n/cartoguide_*.ts``)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, Mapping, Optional, Tuple

from lxml import etree

from . import i18n
from .resources import TRANSLATIONS

#: the three-letter codes (ISO 639-2) of the languages that have a translation, as catalogues write them
_ISO_639_1 = {"spa": "es", "eng": "en"}

#: environment variables that name the locale of messages, the most important first (POSIX)
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of_environment(environment: Mapping[str, str]) -> str:
    """Return the language (``es``) that the environment variables of the locale name, or ``en``.

    As in GNU gettext, the first language of the list in ``LANGUAGE`` counts unless the locale is C or POSIX.
    """
    locale = next((environment[name] for name in _LOCALE_VARIABLES if environment.get(name)), "C")
    language = _language_code(locale)
    if language in ("c", "posix"):
        return "en"
    return _language_code(environment.get("LANGUAGE", "").split(":")[0]) or language or "en"


def _language_code(locale: str) -> str:
    """Return ``es`` for ``es``, ``es_ES``, ``es-ES``, ``es_ES.UTF-8@euro`` and ``spa``."""
    code = re.split(r"[-_.@]", locale.strip().lower(), maxsplit=1)[0]
    return _ISO_639_1.get(code, code)


def load_translator(language: str, folder: Path = TRANSLATIONS) -> Optional[i18n.Translator]:
    """Return the translator into ``language`` (``es``, ``es_ES``, ``spa``), or None if there is no such translation.

    Texts without a translation stay in English.
    """
    code = _language_code(language)
    path = folder / f"cartoguide_{code}.ts"
    if not code.isalpha() or not path.is_file():
        return None
    forms = _read_translations(path)

    def translate(text: str, n: int) -> str:
        translated = forms.get(text)
        if not translated:
            return i18n.untranslated(text, None if n < 0 else n)
        form = translated[0] if n < 0 or len(translated) == 1 else translated[min(n != 1, len(translated) - 1)]
        return form if n < 0 else form.replace("%n", str(n))

    return translate


def _read_translations(path: Path) -> Dict[str, Tuple[str, ...]]:
    """Return the finished translations of a .ts file: one text, or the singular and the plural, by English text."""
    forms: Dict[str, Tuple[str, ...]] = {}
    for _event, message in etree.iterparse(str(path), tag="message", no_network=True, resolve_entities=False):
        translation = message.find("translation")
        if translation is not None and translation.get("type") is None:
            plurals = tuple(form.text or "" for form in translation.iterfind("numerusform"))
            texts = plurals or (translation.text or "",)
            if all(texts):
                forms[message.findtext("source", "")] = texts
        message.clear()
    return forms
