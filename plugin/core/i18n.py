"""Texts and dates in the language of people, without Qt. QGIS installs its translator and its date format here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

if TYPE_CHECKING:
    from datetime import date, time

CONTEXT = "Cartoguide"

#: (English text, number for the plural or -1) -> text in the user's language
Translator = Callable[[str, int], str]
#: formats a day, and a time of that day if it is not None
DateFormatter = Callable[["date", Optional["time"]], str]

_translator: Optional[Translator] = None
_language = "en"
_date_formatter: Optional[DateFormatter] = None


def set_translator(translator: Optional[Translator], language: str = "en") -> None:
    """Use ``translator`` into ``language`` (ISO 639) for every later ``tr``. None restores the English sources."""
    global _translator, _language
    _translator = translator
    _language = language if translator is not None else "en"


def set_date_formatter(formatter: Optional[DateFormatter]) -> None:
    """Use ``formatter`` for all dates. None restores ISO 8601."""
    global _date_formatter
    _date_formatter = formatter


def date_formatter() -> Optional[DateFormatter]:
    """Return the formatter of dates, or None for ISO 8601."""
    return _date_formatter


def language() -> str:
    """Return the language (ISO 639) of the texts that ``tr`` returns."""
    return _language


def tr(text: str, n: Optional[int] = None, **values: object) -> str:
    """Return ``text`` in the user's language, with its ``{name}`` placeholders filled from ``values``.

    With ``n`` the plural form for that number is used, and ``%n`` is replaced by the number. ``text`` must be a
    literal, because the translation tool reads the sources. Raises KeyError for a placeholder without value.
    """
    found = _translator(text, -1 if n is None else n) if _translator else untranslated(text, n)
    return found.format(**values) if values else found


def tr_noop(text: str) -> str:
    """Return a literal as it is, marked for the translation tool.

    For a text of a class or a module, where ``tr`` would run before QGIS has installed its translator. ``translated``
    translates it when it is shown.
    """
    return text


def translated(text: str) -> str:
    """Return a text that ``tr_noop`` has marked in the user's language."""
    return _translator(text, -1) if _translator else text


def untranslated(text: str, n: Optional[int]) -> str:
    """Return the English ``text``. ``(s)`` and ``(es)`` follow the number ``n``, as in Qt's sources."""
    if n is None:
        return text
    for ending in ("s", "es"):
        text = text.replace(f"({ending})", "" if n == 1 else ending)
    return text.replace("%n", str(n))
