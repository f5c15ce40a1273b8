"""The names and statements that the terms themselves prescribe for a credit."""

from __future__ import annotations

import json
import re
from typing import Iterable, List, Tuple

from ..text import fold, single_line, unique_texts

#: longer texts do not fit on a map
MAX_CREDIT_LENGTH = 200
_MAX_TEXT = 20_000

_OWNERS = re.compile(r"\b(?:propietari\w*|propiedad|titulares?|titularidad|owners?|proprietaires?|eigentumer\w*"
                     r"|rechteinhaber\w*|rights ?holders?|propietat|proprietari\w*)\b")
_AUTHORS = re.compile(r"\b(?:autor(?:a|as|es|i|s|ia)?|authors?|auteure?s?|urheber\w*|autorin\w*|autore)\b")

#: words that introduce the prescribed statement
_CREDITING_WORDS = (
    r"(?:cit[aáeéo]\w*|menci[oó]n\w*|reconoc\w*|reconozc\w*|atribu\w+|acredit\w+|indi(?:c|qu)\w+|credit\w*"
    r"|acknowledg\w*|attribut\w*|mention\w*|statement|wording|leyenda|texto|nennung|namensnennung|angabe\w*"
    r"|quell\w+|vermerk\w*|angegeben|zitier\w+|fuente|source)")
_QUOTED = re.compile(
    rf"\b{_CREDITING_WORDS}\b[^.;\n“”\"«»„‘]{{0,120}}?(?:[“„]([^“”„\n]{{3,400}})[”“]|«([^«»\n]{{3,400}})»"
    r"|\"([^\"\n]{3,400})\"|‘([^‘’\n]{3,400})’)", re.IGNORECASE)
_AS_FOLLOWS = re.compile(
    rf"\b{_CREDITING_WORDS}\b[^.;:\n]{{0,80}}?(?:as follows|de la siguiente (?:forma|manera)|como sigue"
    r"|folgenderma(?:ß|ss)en|wie folgt|comme suit|de la fa[cç]on suivante|nel modo seguente"
    r"|da seguinte forma)\s*:\s*([^\n]{3,400})",
    re.IGNORECASE)
_NOTICE = re.compile(r"(?:©|\(c\)(?=\s*(?:19|20)\d\d))[^\n;.“”\"«»<>©|]{3,400}", re.IGNORECASE)
_AFTER_NOTICE = re.compile(r"[\s,–-]*(?:https?://|www\.|all rights|todos los derechos|tous droits|alle rechte"
                           r"|reservados).*", re.IGNORECASE | re.DOTALL)
_WITHOUT_CONTENT = re.compile(r"(?:\(c\))?[\W\d]*(?:https?://\S*)?\W*\Z", re.IGNORECASE)
_SIGN = re.compile(r"\A(?:©|\(c\)|copyright)\s*|[\s.,;:]+\Z")


def credited_roles(texts: Iterable[str]) -> Tuple[str, ...]:
    """Return the roles (CI_RoleCode) named by texts that make credit a duty: "owner", "author", both or none."""
    folded = fold(" ".join(text[:_MAX_TEXT] for text in texts))
    return tuple(role for role, pattern in (("owner", _OWNERS), ("author", _AUTHORS)) if pattern.search(folded))


def prescribed_statements(text: str) -> List[str]:
    """Return the statements that a constraint prescribes for the credit, as written.

    These are a source statement (GDI-DE's ``"quelle"`` beside a licence), quoted text after a crediting word, the text
    after "as follows:", or a copyright notice.
    """
    text = text[:_MAX_TEXT]
    if text.lstrip().startswith("{"):
        return _usable_statements([_source_statement(text)])
    found = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    found += [match.group(1) for match in _AS_FOLLOWS.finditer(text)]
    if not found:
        found = [_AFTER_NOTICE.sub("", match.group()) for match in _NOTICE.finditer(text)]
    return _usable_statements(found)


def append_statements(line: str, statements: Iterable[str]) -> str:
    """Append the statements that the credit line does not contain yet, each as a sentence."""
    for statement in statements:
        if _comparable(statement) not in _comparable(line):
            line = f"{line.rstrip('. ')}. {statement}" if line else statement
    return line


def _source_statement(text: str) -> str:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    statement = values.get("quelle") if isinstance(values, dict) else None
    return statement if isinstance(statement, str) else ""


def _usable_statements(found: Iterable[str]) -> List[str]:
    tidied = (single_line(statement).strip(" .,:") for statement in found)
    return unique_texts(statement for statement in tidied
                        if len(statement) <= MAX_CREDIT_LENGTH and not _WITHOUT_CONTENT.match(statement))


def _comparable(text: str) -> str:
    return _SIGN.sub("", fold(text))
