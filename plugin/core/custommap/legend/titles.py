"""Titles and headings of the legend by language."""

from __future__ import annotations

from typing import Mapping

from ...text import single_line

#: characters of a title or heading in the legend
MAX_LEGEND_TITLE = 300


def legend_title(text: str) -> str:
    """Return ``text`` as a title or heading in the legend: on one line and not longer than the document allows."""
    return single_line(text)[:MAX_LEGEND_TITLE].strip()


def text_in(texts: Mapping[str, str], language: str) -> str:
    """Return the text in ``language``, else in the same language of another region, else ""."""
    return texts.get(_code_of(texts, language), "")


def with_text(texts: Mapping[str, str], language: str, text: str) -> Mapping[str, str]:
    """Return ``texts`` with ``text`` in place of what ``text_in`` returns for ``language``, "" for none."""
    others = {code: other for code, other in texts.items() if code != _code_of(texts, language)}
    return {**others, language: text} if text else others


def _code_of(texts: Mapping[str, str], language: str) -> str:
    """Return the code in ``texts`` that is ``language``, else one of another region, else ``language``."""
    if language in texts:
        return language
    return next((code for code in texts if _primary(code) == _primary(language)), language)


def _primary(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()
