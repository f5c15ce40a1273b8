"""Contents of data files and answers of somebody else: what they lead to, and what a query in them may do.

GDAL and QGIS follow more than the name of a source: the CRS of a GeoJSON file may be an address, the landing page of a
service names the addresses of its data, and a table of a GeoPackage may be a query.
"""

from __future__ import annotations

import json
import re
from typing import Any, FrozenSet, Iterator, List, Optional, Tuple
from urllib.parse import urljoin

from .expressions import words

#: bytes after the name of the member "crs" that are looked at, and the most of the name itself
MAX_CRS, MAX_CRS_NAME = 4_096, 40
_LINK_TYPES = frozenset(("name", "epsg", "ogc"))


def _escaped_letter(letter: str) -> str:
    codes = "|".join(rf"\\u00{ord(case):02x}" for case in (letter, letter.upper()))
    return f"(?:{letter}|{codes})"


#: the member "crs" as lenient readers of JSON find it: in any case, escaped, and in either kind of quotes
CRS_MEMBER = re.compile(("[\"']" + "".join(map(_escaped_letter, "crs")) + "[\"']").encode("ascii"), re.IGNORECASE)
#: relations of links that QGIS requests (OGC API - Features 17-069r4, 5.2 and 7.2)
_FOLLOWED_RELATIONS = frozenset(("data", "items", "conformance", "service-desc", "service", "collection", "collections",
                                 "queryables", "schema"))


def is_harmless_crs(rest: str) -> bool:
    """Return whether what follows the word "crs" in a GeoJSON file names no address of a CRS.

    GDAL requests the address of a linked CRS (GeoJSON 2008, 3.2). ``rest`` is the text after the word, of which
    ``MAX_CRS`` bytes are enough.
    """
    text = rest.lstrip(" \t\r\n")
    if text[:1] in (",", "}", "]", ""):
        # a value
        return True
    value = text[1:].lstrip(" \t\r\n") if text[0] == ":" else "/"
    if value[:1] not in ("{", "/"):
        return True
    try:
        found, _end = json.JSONDecoder(object_pairs_hook=list).raw_decode(value)
    except (ValueError, RecursionError):
        return False
    members = {str(name).lower(): member for name, member in found}
    return (len(members) == len(found) and members.keys() <= {"type", "properties"}
            and str(members.get("type", "name")).lower() in _LINK_TYPES)


def followed_links(answer: bytes, address: str) -> Optional[List[str]]:
    """Return the addresses that QGIS requests after this answer (JSON) of a service at ``address``.

    None if it is not JSON.
    """
    try:
        found: Any = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    links = found.get("links") if isinstance(found, dict) else None
    return [_joined(address, str(link["href"])) for link in links if isinstance(link, dict) and "href" in link
            and str(link.get("rel", "")).rpartition("/")[2].lower() in _FOLLOWED_RELATIONS] \
        if isinstance(links, list) else []


def _joined(address: str, reference: str) -> str:
    """Return the address of a reference, which stays as it is written if it is none, and so leads to no server."""
    try:
        return urljoin(address, reference)
    except ValueError:
        return reference


# -- queries

_SQL = re.compile(r"""(?P<space>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))|(?P<text>[xX]?'(?:[^']|'')*')
    |(?P<quoted>"(?:[^"]|"")*"|\[[^\]]*\]|`(?:[^`]|``)*`)|(?P<number>\d[\w.]*)|(?P<word>[^\W\d][\w$]*)
    |(?P<mark>\|\||.)""", re.VERBOSE | re.DOTALL)
#: words that a bracket may follow without being a call
_SQL_WORDS = words("""as in on and or not from select values using when then else exists between like glob case
    join where having by limit offset union all except intersect over is set check primary key unique""")
#: functions whose time and memory are bounded by their arguments, and that reveal nothing but these
_SQL_FUNCTIONS = words("""abs avg cast ceil ceiling char coalesce count date datetime floor ifnull iif instr
    julianday length lower ltrim max min nullif round rtrim row_number rank sign strftime substr substring sum time
    total trim typeof unicode unixepoch upper""")
#: tables that tell of the connection and its files
_INNER_TABLES = re.compile(r"pragma_|sqlite_(?:stmt|dbpage)|dbstat|bytecode|tables_used|fsdir|generate_series",
                           re.IGNORECASE)
#: joined texts in one query, each of which may double the text
_MAX_JOINS = 10


def is_bounded_query(kind: str, sql: str, views: FrozenSet[str]) -> bool:
    """Return whether the SQL of a table, view or index calls only known functions, and names no inner tables.

    ``kind`` is as in ``sqlite_master``, ``views`` the names of all views in lower case. Triggers do nothing while a
    file is read. How long a query takes is not judged.
    """
    tokens = list(_tokens(sql))
    plain = [text for name, text in tokens if name == "word"]
    has_query = kind in ("view", "index") or any(
        first == ("word", "as") and second == ("mark", "(") for first, second in zip(tokens, tokens[1:]))
    if kind == "trigger" or not has_query:
        return True
    if kind != "index" and "as" in plain:
        # before it are the names of the view and its columns
        tokens = tokens[tokens.index(("word", "as")):] if kind == "view" else tokens
    if kind == "view" and (not view_query(sql) or "with" in plain or tokens.count(("mark", "||")) > _MAX_JOINS):
        return False
    for (name, text), follows in zip(tokens, [*tokens[1:], ("", "")]):
        if name not in ("word", "quoted"):
            continue
        is_call = follows == ("mark", "(") and (name == "quoted" or text not in _SQL_WORDS)
        if _INNER_TABLES.match(text) or (kind == "view" and (text in views or is_call and text not in _SQL_FUNCTIONS)):
            return False
        if is_call and kind == "table" and text not in _SQL_FUNCTIONS and _is_heavy(text):
            return False
    return True


def view_query(sql: str) -> str:
    """Return the query of a view from the statement that made it, "" if there is none."""
    found = [part for part in _SQL.finditer(sql) if part.lastgroup != "space"]
    names = [part.group().lower() for part in found]
    begin = names.index("as") + 1 if "as" in names else len(names)
    return sql[found[begin].start():] if names[begin:begin + 1] == ["select"] else ""


def _is_heavy(function: str) -> bool:
    """Return whether a computed column may not call a function: of a table's other brackets many are types."""
    return function in ("zeroblob", "randomblob", "hex", "replace", "printf", "format", "group_concat", "quote",
                        "load_extension")


def _tokens(sql: str) -> Iterator[Tuple[str, str]]:
    for found in _SQL.finditer(sql):
        name = found.lastgroup or ""
        if name == "quoted":
            yield name, found.group()[1:-1].lower()
        elif name != "space":
            yield name, found.group().lower()
