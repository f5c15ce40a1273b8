"""JSON documents, read within limits. Errors of Cartoguide's own documents name the member by its JSON pointer."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Callable, Collection, Dict, Iterable, List, Mapping, Optional, Pattern, Tuple, Union
from urllib.parse import urlsplit

from .addresses import without_secrets
from .errors import InvalidDocument, UnreadableDocument, too_large
from .i18n import tr
from .text import without_direction_marks

#: limit for a document of Cartoguide
MAX_BYTES = 8 * 1024 * 1024
#: limit for a document of others
MAX_RESPONSE_BYTES = 16_000_000
#: limits of objects and lists, texts, and values, which bound the memory
_MAX_CONTAINERS, _MAX_TEXTS, _MAX_VALUES = 400_000, 1_500_000, 2_000_000
#: limit of values in a document of Cartoguide, of which each object is checked for repeated members
_MAX_OWN_VALUES = 1_000_000
#: digits of a number: no type has more, and converting them takes quadratic time
_MAX_DIGITS = 400
#: limit for a text, far beyond titles, names and addresses
MAX_TEXT = 20_000
#: limit for the path of a file
MAX_PATH = 2_000
_MAX_DEPTH = 64
#: escaped control characters and direction marks, if their backslash is not escaped itself
_HIDDEN_ESCAPE = re.compile(r"\\u(?:00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])|202[a-eA-E]|206[6-9])")
_DIRECTION_ESCAPE = re.compile(r"\\u(?:202[a-eA-E]|206[6-9])")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
#: an escape in JSON: a pair of surrogates, a lone one (the group), or any other
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)


def load(data: bytes, name: str, max_bytes: int = MAX_BYTES) -> JsonNode:
    """Return the root object of a UTF-8 JSON document.

    Raises UnreadableDocument if it is empty, too large, nested too deeply or not a JSON object, or if it has repeated
    members or numbers that are not finite. Marks that turn the direction of text are dropped.
    """
    if not data.strip():
        raise UnreadableDocument(tr("{name} is empty.", name=name))
    if len(data) > max_bytes:
        raise too_large(name, max_bytes, len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(tr("{name} is not encoded in UTF-8.", name=name), str(error)) from error
    # a map may come from anybody: nothing in its texts shows them in another order than they have
    text = _without_escapes(_DIRECTION_ESCAPE, without_direction_marks(text))
    _check_counts(text, name, _MAX_OWN_VALUES)
    value = _parse(text, name, object_pairs_hook=_unique_members, parse_constant=_reject_constant)
    _check_values(value, name)
    if not isinstance(value, dict):
        raise UnreadableDocument(tr("{name} does not contain a JSON object.", name=name))
    return JsonNode(value, "", name)


def parse_json(data: bytes, name: str = "", max_bytes: int = MAX_RESPONSE_BYTES) -> Any:
    """Return the value of a JSON document of others in UTF-8, UTF-16 or UTF-32.

    Numbers that are not finite are None. Control characters and marks that turn the direction of text are dropped, and
    lone surrogates, which could not be encoded, are U+FFFD.

    Raises UnreadableDocument if it is broken (with line and column), too large or nested too deeply.
    """
    where = name or tr("The document")
    if len(data) > max_bytes:
        raise too_large(where, max_bytes, len(data))
    readable = _without_hidden_characters(data)
    _check_counts(readable, where)
    return _parse(readable, where, parse_constant=lambda _: None)


def as_text(value: Any) -> Optional[str]:
    """Return a string or number as text, or None for any other value, for a blank and for ``--``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = without_surrogates(value).strip() if isinstance(value, str) else str(value)
    return text if text.strip("-–— ") else None


def without_surrogates(text: str) -> str:
    """Return ``text`` without lone surrogates, which are valid in JSON but cannot be encoded."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def count_of(value: object) -> Optional[int]:
    """Return a whole number that is not negative, or None for anything else, such as a truth value."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def object_in(holder: Any, name: str) -> Dict[str, Any]:
    """Return the object that is a member of another one. It is empty where there is none."""
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, dict) else {}


def problem_text(value: Any) -> str:
    """Return the text of an exception report (RFC 7807, OGC API, GeoNetwork, Elasticsearch), or "" if it is not one."""
    if not isinstance(value, dict):
        return ""
    inner = object_in(value, "error")
    texts = [as_text(inner.get(name)) for name in ("reason", "message", "description")]
    texts += [as_text(value.get(name)) for name in ("description", "detail", "message", "error", "title")]
    return next((" ".join(text.split()) for text in texts if text), "")


def stored_list(text: object) -> List[Any]:
    """Return a list that the plugin saved as JSON in a setting, a project or a layout, empty if it is broken.

    Projects and profiles come from others too: a damaged value counts as absent, whatever is in it.
    """
    value = _stored(text)
    return value if isinstance(value, list) else []


def stored_object(text: object) -> Dict[str, Any]:
    """Return a JSON object that the plugin saved, see :func:`stored_list`, empty if it is broken."""
    value = _stored(text)
    return value if isinstance(value, dict) else {}


def _stored(text: object) -> Any:
    if not isinstance(text, (str, bytes)) or not text or len(text) > MAX_BYTES:
        return None
    try:
        text = text.decode(json.detect_encoding(text), "surrogatepass") if isinstance(text, bytes) else text
        _check_counts(text, "")
        return _parse(_encodable(text), "", parse_constant=_reject_constant)
    except (UnreadableDocument, UnicodeError):
        return None


def _without_hidden_characters(data: bytes) -> Union[bytes, str]:
    """Return JSON without direction marks, escaped control characters and lone surrogates. Tabs and line ends stay."""
    try:
        # Python's parser of JSON lets the bytes of surrogates pass too
        text = data.decode(json.detect_encoding(data), "surrogatepass")
    except UnicodeError:
        return data  # refused by the parser, with its reason
    return _encodable(_without_escapes(_HIDDEN_ESCAPE, without_direction_marks(text)))


def _encodable(text: str) -> str:
    """Return JSON with U+FFFD in the place of lone surrogates, written as such or as escapes."""
    if "\\ud" in text or "\\uD" in text:
        text = _ESCAPE.sub(lambda escape: "\ufffd" if escape.group(1) else escape.group(), text)
    return without_surrogates(text)


def _without_escapes(escape: Pattern[str], text: str) -> str:
    """Return JSON without the escapes that ``escape`` finds. A backslash that is escaped itself begins none."""
    pieces: List[str] = []
    start = 0
    for found in escape.finditer(text):
        before = found.start()
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (found.start() - before) % 2 == 0:
            pieces.append(text[start:found.start()])
            start = found.end()
    return "".join((*pieces, text[start:])) if pieces else text


def _parse(data: Union[bytes, str], name: str, **hooks: Callable[..., Any]) -> Any:
    try:
        return json.loads(data, parse_int=_bounded_integer, **hooks)  # type: ignore[arg-type]
    except json.JSONDecodeError as error:
        raise UnreadableDocument(
            tr("{name} is broken JSON at line {line}, column {column}.", name=name, line=error.lineno,
               column=error.colno), str(error)) from error
    except UnicodeError as error:
        raise UnreadableDocument(
            tr("{name} is not in the character encoding that it declares.", name=name), str(error)) from error
    except RecursionError as error:
        raise UnreadableDocument(tr("{name} is nested too deeply to be read.", name=name), str(error)) from error
    except ValueError as error:
        raise UnreadableDocument(tr("{name} cannot be read: {reason}.", name=name, reason=str(error)[:200])) from error


def _check_counts(data: Union[bytes, str], name: str, most_values: int = _MAX_VALUES) -> None:
    """Refuse documents that would take memory far beyond their size. Marks within texts count too."""
    counted = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    braces, brackets, quotes, commas = (counted.count(mark) for mark in (b"{", b"[", b'"', b","))
    if braces + brackets > _MAX_CONTAINERS or quotes > 2 * _MAX_TEXTS or commas > most_values:
        raise UnreadableDocument(
            tr("{name} has too many values to be read: the limit is {limit}. Request less of it at once, or divide it.",
               name=name, limit=most_values))


def _bounded_integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(tr("a number has more than {limit} digits", limit=_MAX_DIGITS))
    return int(digits)


class JsonNode:
    """Object inside a document. Its methods raise InvalidDocument with the JSON pointer of the member (RFC 6901)."""

    def __init__(self, value: Mapping[str, Any], pointer: str, name: str) -> None:
        self.value, self.pointer, self.name = value, pointer, name

    def text(self, key: str, default: Optional[str] = None, max_length: int = MAX_TEXT) -> str:
        """Return a string, or ``default`` if it is absent. Without ``default`` the member is required."""
        value = self._get(key, default)
        if not isinstance(value, str):
            raise self.error(key, tr("must be text"))
        if len(value) > max_length or "\x00" in value:
            raise self.error(key, tr("is too long or contains invalid characters"))
        return value

    def web_address(self, key: str) -> str:
        """Return an http(s) address without its login and keys. One without a host is an error."""
        address = self.text(key)
        try:
            parts = urlsplit(address)
            is_valid = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
        except ValueError:
            is_valid = False
        if not is_valid or re.search(r"[\s\x00-\x1f\x7f]", address):
            raise self.error(key, tr("must be a web address (http or https)"))
        return without_secrets(address)

    def one_of(self, key: str, choices: Collection[str], default: str) -> str:
        value = self.text(key, default)
        if value not in choices:
            raise self.error(
                key, tr("must be one of {choices}, not “{value}”", choices=", ".join(choices), value=value[:60]))
        return value

    def number(self, key: str, minimum: float, maximum: float, default: Optional[float] = None) -> float:
        """Return a finite number between ``minimum`` and ``maximum``, both included."""
        value = self._get(key, default)
        return self._bounded_number(value, key, minimum, maximum)

    def flag(self, key: str, default: bool) -> bool:
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.error(key, tr("must be true or false"))
        return value

    def texts(self, key: str, max_items: int = 10_000) -> Tuple[str, ...]:
        """Return a list of strings, empty if it is absent."""
        return tuple(
            JsonNode({key: item}, self.pointer, self.name)._item_text(key, number)
            for number, item in enumerate(self._list(key, max_items)))

    def child(self, key: str) -> Optional[JsonNode]:
        """Return the object of a member, or None if it is null or absent."""
        value = self.value.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(key, tr("must be an object"))
        return JsonNode(value, f"{self.pointer}/{_escape_pointer(key)}", self.name)

    def children(self, key: str, max_items: int) -> List[JsonNode]:
        """Return the objects of a list, empty if it is absent."""
        places = []
        for number, item in enumerate(self._list(key, max_items)):
            if not isinstance(item, dict):
                raise self.error(f"{key}/{number}", tr("must be an object"))
            places.append(JsonNode(item, f"{self.pointer}/{key}/{number}", self.name))
        return places

    def list_items(self, key: str, max_items: int) -> JsonNode:
        """Return the items of a list as the members of an object, with their numbers from 0 as keys."""
        items = {str(number): item for number, item in enumerate(self._list(key, max_items))}
        return JsonNode(items, f"{self.pointer}/{_escape_pointer(key)}", self.name)

    def check_format(self, expected: str, newest: int, problem: str = "") -> None:
        """Raise InvalidDocument unless the document has this format, in a version up to the ``newest``.

        ``problem`` is what is wrong with another format, to continue a sentence.
        """
        if self.text("format", "") != expected:
            raise self.error("format", problem or tr("must be “{format}”", format=expected))
        if self.number("version", 1, 1_000_000) > newest:
            raise self.error("version", tr("is newer than this version of Cartoguide supports. Update Cartoguide"))

    def unknown_members(self, known: Collection[str]) -> Dict[str, Any]:
        """Return the members that are not in ``known``, unchanged."""
        return {key: value for key, value in self.value.items() if key not in known}

    def error(self, key: str, problem: str) -> InvalidDocument:
        """Return the error about a member, to be raised. ``problem`` continues a sentence that begins with its name."""
        pointer = f"{self.pointer}/{key}" if key else self.pointer
        return InvalidDocument(
            tr("{name} is not valid: {place} {what}. Correct it, or use an earlier copy.", name=self.name,
               place=describe_pointer(pointer), what=problem), pointer, pointer)

    def _get(self, key: str, default: Any) -> Any:
        if key in self.value and self.value[key] is not None:
            return self.value[key]
        if default is None:
            raise self.error(key, tr("is missing"))
        return default

    def _list(self, key: str, max_items: int) -> List[Any]:
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(key, tr("must be a list"))
        if len(value) > max_items:
            raise self.error(
                key, tr("has {count} items, but at most {most} are allowed", count=len(value), most=max_items))
        return value

    def _item_text(self, key: str, number: int) -> str:
        value = self.value[key]
        if not isinstance(value, str) or len(value) > MAX_TEXT or "\x00" in value:
            raise self.error(f"{key}/{number}", tr("must be text"))
        return value

    def _bounded_number(self, value: Any, key: str, minimum: float, maximum: float) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.error(key, tr("must be a number"))
        try:
            number = float(value)
        except OverflowError as error:
            raise self.error(key, tr("must be a number")) from error
        if not math.isfinite(number) or not minimum <= number <= maximum:
            raise self.error(
                key,
                tr("must be between {least} and {most}, not {value}", least=f"{minimum:.12g}", most=f"{maximum:.12g}",
                   value=f"{number:.12g}"))
        return number


def describe_pointer(pointer: str) -> str:
    """Return a JSON pointer for people: ``/overlays/1/opacity`` is “overlays › 2 › opacity”."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    return "“" + " › ".join(str(int(part) + 1) if part.isdigit() else part[:80] for part in parts) + "”"


def json_number(value: float) -> Any:
    """Return an int for a whole number, so that JSON is written without ``.0``, otherwise a float."""
    return int(value) if float(value).is_integer() and abs(value) < 2 ** 53 else float(value)


def dump(value: Mapping[str, Any]) -> bytes:
    """Return a document as UTF-8 JSON: indented by two spaces, members in their order, a line feed at the end.

    One that would be too large to be read again is not indented.
    """
    written = (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8", "replace")
    if len(written) <= MAX_BYTES:
        return written
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")


def _escape_pointer(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _unique_members(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members: Dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(tr("the member “{key}” occurs twice", key=key[:60]))
        members[key] = value
    return members


def _reject_constant(constant: str) -> float:
    raise ValueError(tr("{number} is not a valid number in JSON", number=constant))


def _check_values(value: Any, name: str) -> None:
    """Refuse values that could not be written back: nested too deeply, infinite numbers, lone surrogates."""
    ahead: List[Tuple[Iterable[Any], int]] = [((value,), 1)]
    while ahead:
        parts, depth = ahead.pop()
        for part in parts:
            if depth > _MAX_DEPTH:
                raise UnreadableDocument(tr("{name} is nested too deeply to be read.", name=name))
            if isinstance(part, float) and not math.isfinite(part):
                raise UnreadableDocument(tr("{name} contains a number that is too large.", name=name))
            if isinstance(part, str) and _LONE_SURROGATE.search(part):
                raise UnreadableDocument(tr("{name} contains text that is not valid Unicode.", name=name))
            if isinstance(part, (dict, list)):
                ahead.append((part, depth + 1))
            if isinstance(part, dict):
                ahead.append((part.values(), depth + 1))
