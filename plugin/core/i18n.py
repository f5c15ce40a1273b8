"""Text for people, translatable without Qt: QGIS installs its translator here, scripts go without."""

from __future__ import annotations

from typing import Callable, Optional

CONTEXT = "Cartoguide"

#: (source text, number for the plural or -1) -> text in the user's language
Translator = Callable[[str, int], str]

_translator: Optional[Translator] = None


def set_translator(translator: Optional[Translator]) -> None:
    """Use ``translator`` for every later ``tr``; None goes back to the English sources."""
    global _translator
    _translator = translator


def tr(text: str, n: Optional[int] = None, **values: object) -> str:
    """``text`` in the user's language, its ``{name}`` places filled from ``values``.

    With ``n`` the plural form for that number is taken and ``%n`` stands for the number.
    The text must be a literal where ``tr`` is called: the translation tool reads the sources.
    """
    translated = _translator(text, -1 if n is None else n) if _translator else untranslated(text, n)
    return translated.format(**values) if values else translated


def untranslated(text: str, n: Optional[int]) -> str:
    """``text`` without a catalogue: ``(s)`` follows the number, as Qt's own sources are written."""
    if n is None:
        return text
    return text.replace("%n", str(n)).replace("(s)", "" if n == 1 else "s")
