"""Plain technical English in docstrings and in texts for people: no riddles, no invented verbs, no calques."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, Tuple

import pytest

from tests.unit.repository.sources import ROOT, SOURCES, nodes, text

FIRST_WORD = re.compile(r"^(What|Where|Whether|Who|Whose|Whom|Why)\b")
#: words that stand for something else in these sources; the first group is what was found
ODD_IN_DOCSTRINGS = re.compile(
    r"\b(told|tells|hears|heard|obeys?|lent|to be had|of its own|of their own|(?<!there )is no (?!longer\b|more\b)|"
    r"(?<!there )are no "
    r"(?!longer\b|more\b)|none of (?:its|their|our)|whoever|is nobody'?s|stands in|comes upon|passes for|"
    r"lies ahead|begin anew|made anew|broke off|gone on with)\b", re.IGNORECASE)
ODD_IN_TEXTS = re.compile(
    r"(\bbegin anew\b|\bmade anew\b|\bbroke off\b|\bbroken off\b|\blook(?:ed)? which\b|\blook whether\b|"
    r"\bhas not been asked\b|\bask(?:ed|s)? again\b|\basked for in\b|\bwhat lies here\b|\bsorted out here\b|"
    r"\bare kept of\b|\bsays of itself\b|(?<!there )\bis no (?!longer\b|more\b)|\btells its\b|\bin words\b|"
    r"\bnone told\b|\bno type told\b|\bas it came\b|\bas they came\b|\bto its end\b|\bgoes on\b|\bgo on\b|"
    # one word for one thing: issue, unclear, number of, computer, library, removed
    r"\bfindings?\b|(?<!or )\bundecided\b|^How many\b|\bthis machine\b|\banother machine\b|"
    r"\b(?:that|which) (?:you|I) keep\b|\btaken off\b|\bmust hold\b|\bstands? in\b|\bkept records\b|\bto be had\b)",
    re.IGNORECASE)


def docstrings(source: str) -> Iterator[Tuple[int, str]]:
    for node in nodes(source):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found = ast.get_docstring(node)
            if found:
                yield getattr(node, "lineno", 1), found


def user_texts(source: str) -> Iterator[Tuple[int, str]]:
    """Every English text that is translated, and so shown to people."""
    for node in nodes(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


@pytest.mark.parametrize("wrong", [FIRST_WORD, re.compile(r";"), ODD_IN_DOCSTRINGS], ids=["begins", "semicolon", "odd"])
def test_docstrings_are_plain(wrong):
    found = [f"{source}:{line} {match.group().strip()!r}" for source in SOURCES for line, words in docstrings(source)
             for match in [wrong.search(re.sub(r"``[^`]*``", "", words))] if match]
    assert found == []


def test_texts_for_people_are_plain():
    found: List[str] = [f"{source}:{line} {match.group()!r} in {words!r}" for source in SOURCES
                        for line, words in user_texts(source) for match in [ODD_IN_TEXTS.search(words)] if match]
    assert found == []


def test_pages_for_people_are_plain():
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "metadata.txt",
             *sorted((ROOT / "resources" / "guide" / "en").glob("*.md")), *sorted((ROOT / "docs").glob("[cs]*.md"))]
    found = [f"{path.name}: {match.group()}" for path in pages
             for match in ODD_IN_TEXTS.finditer(path.read_text(encoding="utf-8"))]
    assert len(pages) > 15 and found == []


def test_the_word_list_finds_what_it_is_for():
    assert FIRST_WORD.search("What a service says.") and ODD_IN_DOCSTRINGS.search("It is told to the window.")
    assert not ODD_IN_DOCSTRINGS.search("It is no longer needed.") and ODD_IN_TEXTS.search("Begin anew")
    assert any("tr(" in text(source) for source in SOURCES)
