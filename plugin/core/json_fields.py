"""JSON documents that are declared on the fields of their classes.

A field says in one place how its member is read, within which bounds, what holds without it, and how it is written:

    @json_object
    class Place:
        name: str = member(string(80))
        height: float = member(number(-500, 9000), default=0.0)
        extra: Mapping[str, Any] = unknown_members()

:func:`read_object` and :func:`write_object` go by that. A member that is null or absent has its field's default, and is
missing in a field without one. Other fields, such as who wrote a document, are left alone. Members are
written in the order of the fields. A class that has more to check, such as members that belong together, has a method
``as_read(node)``, which returns the object itself or a corrected one, or raises ``node.error``.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, Mapping, NamedTuple, Pattern, Tuple, Type, TypeVar

from .addresses import without_secrets
from .i18n import tr
from .json_document import MAX_TEXT, JsonNode, json_number

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:
    def dataclass_transform(**_options: Any) -> Callable[[Any], Any]:
        """Stand in for PEP 681, which Python has from 3.11 on."""
        return lambda decorator: decorator

_Object = TypeVar("_Object")
_MEMBER, _UNKNOWN = "member", "unknown members"


class ValueKind(NamedTuple):
    """The kind of a member's value. ``read`` gets the object and the member's key, and raises InvalidDocument."""

    read: Callable[[JsonNode, str], Any]
    write: Callable[[Any], Any] = lambda value: value


class Member(NamedTuple):
    """A field that is a member: its names in the document and in the class, and what :func:`member` was given."""

    name: str
    attribute: str
    kind: ValueKind
    default: Any
    absent: Any
    sparse: bool


#: the members of each class in the order of the document, and the field of unknown members, or ""
_DECLARED: Dict[Type[Any], Tuple[Tuple[Member, ...], str]] = {}


def member(kind: ValueKind, *, default: Any = MISSING, name: str = "", absent: Any = MISSING, sparse: bool = False,
           order: int = 0, compare: bool = True) -> Any:
    """Return a dataclass field that is a member of the document. ``name`` is its name there, if it is another one.

    ``absent`` is what is read where the document lacks a member whose field has no default. A ``sparse`` member is
    written only where it differs from its default. ``order`` is its place among the others, for a document that has
    not the order of the fields.
    """
    options = {_MEMBER: (order, Member(name, "", kind, default, absent, sparse))}
    if isinstance(default, dict):
        return field(default_factory=default.copy, hash=False, metadata=options)
    return field(default=default, compare=compare, metadata=options)


def unknown_members() -> Any:
    """Return the field with the members that a later version of the format has written, which are kept as they are."""
    return field(default_factory=dict, hash=False, metadata={_UNKNOWN: True})


@dataclass_transform(frozen_default=True, field_specifiers=(member, field))
def json_object(cls: Type[_Object]) -> Type[_Object]:
    """Make a class a frozen dataclass, some of whose fields are members of an object in JSON."""
    made = dataclass(frozen=True)(cls)
    declared = sorted((each for each in fields(made) if _MEMBER in each.metadata),  # type: ignore[arg-type]
                      key=lambda each: each.metadata[_MEMBER][0])
    unknown = next((each.name for each in fields(made) if _UNKNOWN in each.metadata), "")  # type: ignore[arg-type]
    _DECLARED[made] = tuple(each.metadata[_MEMBER][1]._replace(
        name=each.metadata[_MEMBER][1].name or each.name, attribute=each.name) for each in declared), unknown
    return made


def read_object(cls: Type[_Object], node: JsonNode, known: Collection[str] = ()) -> _Object:
    """Return the object that a JSON object describes. ``known`` are further members, which are not kept as unknown.

    Raises InvalidDocument with the place of what is wrong.
    """
    members, unknown = _DECLARED[cls]
    values: Dict[str, Any] = {}
    for declared in members:
        if node.value.get(declared.name) is not None:
            values[declared.attribute] = declared.kind.read(node, declared.name)
        elif declared.absent is not MISSING:
            values[declared.attribute] = declared.absent
        elif declared.default is MISSING:
            raise node.error(declared.name, tr("is missing"))
    if unknown:
        values[unknown] = node.unknown_members((*known, *(declared.name for declared in members)))
    found = cls(**values)
    return found.as_read(node) if hasattr(found, "as_read") else found


def write_object(value: Any) -> Dict[str, Any]:
    """Return the members of an object in their order, and behind them those that no field is for."""
    members, unknown = _DECLARED[type(value)]
    written: Dict[str, Any] = {}
    for declared in members:
        content = getattr(value, declared.attribute)
        if declared.sparse and content == declared.default:
            continue
        json_value = None if content is None else declared.kind.write(content)
        if json_value != {} or not declared.sparse:
            written[declared.name] = json_value
    names = {declared.name for declared in members}
    return {**written, **{name: content for name, content in getattr(value, unknown, {}).items() if name not in names}}


# kinds of values


def string(max_length: int = MAX_TEXT, problem: Callable[[str], str] = lambda _value: "",
           clean: Callable[[str], str] = lambda value: value) -> ValueKind:
    """Return the kind of a text. ``problem`` says what is wrong with one, to continue a sentence, or "".

    ``clean`` is what is done to a text that is read or written.
    """
    def read(node: JsonNode, key: str) -> str:
        value = node.text(key, max_length=max_length)
        found = problem(value)
        if found:
            raise node.error(key, found)
        return clean(value)

    return ValueKind(read, clean)


def matching(pattern: Pattern[str], example: str) -> ValueKind:
    """Return the kind of a text that has the form of ``example``."""
    return string(problem=lambda value: "" if pattern.fullmatch(value) else not_written_like(example, value))


def not_written_like(example: str, value: str) -> str:
    """Return the problem of a text that has another form than ``example``."""
    return tr("must be written like “{example}”, not “{value}”", example=example, value=value[:60])


def filled_problem(value: str) -> str:
    """Return the problem of a text that is empty or blank, or ""."""
    return "" if value.strip() else tr("must not be empty")


#: a web address without login and keys
WEB_ADDRESS = ValueKind(lambda node, key: node.web_address(key), without_secrets)


def number(least: float, most: float) -> ValueKind:
    """Return the kind of a finite number between two bounds, both included."""
    return ValueKind(lambda node, key: node.number(key, least, most), json_number)


def integer(least: int, most: int) -> ValueKind:
    """Return the kind of a whole number. One with a fraction loses it."""
    return ValueKind(lambda node, key: int(node.number(key, least, most)))


def pair(first: Tuple[float, float], second: Tuple[float, float]) -> ValueKind:
    """Return the kind of a list of two finite numbers, each between its bounds, as a tuple."""
    def read(node: JsonNode, key: str) -> Tuple[float, float]:
        value = node.value[key]
        if not isinstance(value, list) or len(value) != 2:
            raise node.error(key, tr("must be a list of two numbers"))
        holder = node.list_items(key, 2)
        return holder.number("0", *first), holder.number("1", *second)

    return ValueKind(read, lambda values: [json_number(value) for value in values])


BOOLEAN = ValueKind(lambda node, key: node.flag(key, False))


def choice(members: Type[Enum]) -> ValueKind:
    """Return the kind of a member of an Enum of texts."""
    return ValueKind(lambda node, key: members(node.one_of(key, [each.value for each in members], "")),
                lambda value: value.value)


def one_of(choices: Collection[str]) -> ValueKind:
    """Return the kind of a text that is one of a few."""
    return ValueKind(lambda node, key: node.one_of(key, choices, ""))


def object_of(cls: Type[Any]) -> ValueKind:
    """Return the kind of an object that the class declares."""
    return ValueKind(lambda node, key: read_object(cls, _child(node, key)), write_object)


def _child(node: JsonNode, key: str) -> JsonNode:
    child = node.child(key)
    if child is None:
        raise node.error(key, tr("must be an object"))
    return child


def items(kind: ValueKind, most: int) -> ValueKind:
    """Return the kind of a list of at most so many values of one kind, as a tuple."""
    def read(node: JsonNode, key: str) -> Tuple[Any, ...]:
        holder = node.list_items(key, most)
        return tuple(kind.read(holder, place) for place in holder.value)

    return ValueKind(read, lambda values: [kind.write(value) for value in values])


def by_name(kind: ValueKind, most: int, name_problem: Callable[[str], str] = lambda _name: "") -> ValueKind:
    """Return the kind of an object whose members have values of one kind. Null ones are left out.

    ``name_problem`` says what is wrong with a member's name, to continue a sentence, or "".
    """
    def read(node: JsonNode, key: str) -> Mapping[str, Any]:
        child = _child(node, key)
        if len(child.value) > most:
            raise node.error(key, tr("has more than {count} members", count=most))
        for found in filter(None, map(name_problem, child.value)):
            raise node.error(key, found)
        return {name: kind.read(child, name) for name, value in child.value.items() if value is not None}

    return ValueKind(read, lambda values: {name: kind.write(value) for name, value in values.items()})
