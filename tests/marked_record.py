"""A record with a mark in each of its fields, to find out which of them are shown."""

from __future__ import annotations

import dataclasses
import typing

from plugin.core.records.model import record as model

#: what is no value of the record's document: our own format's name, and the bytes themselves (the XML tab shows them)
NOT_SHOWN = {"format", "original", "addresses_with_secrets", "data"}
#: shown where the record gives no hierarchy level
DERIVED = {"kind"}
#: a member of each enumeration, and how it is shown
SHOWN_MEMBERS = {model.ConstraintKind: (model.ConstraintKind.LEGAL, "Legal constraints"),
                 model.ResourceKind: (model.ResourceKind.SERIES, "Series")}


class Marks:
    """Values of every field, each different, and the texts by which they are found on the sheet."""

    def __init__(self) -> None:
        self.by_path: dict[str, str] = {}

    def filled(self, kind: type, path: str = "") -> typing.Any:
        """An instance of the dataclass ``kind`` with a mark in each of its fields, and in those of its members."""
        hints = typing.get_type_hints(kind, vars(model))
        return kind(**{field.name: self.value(hints[field.name], f"{path}.{field.name}".lstrip("."))
                       for field in dataclasses.fields(kind) if field.name not in NOT_SHOWN})

    def value(self, hint: typing.Any, path: str) -> typing.Any:
        arguments = [item for item in typing.get_args(hint) if item not in (type(None), Ellipsis)]
        if typing.get_origin(hint) is tuple:
            return (self.value(arguments[0], path),)
        if arguments:
            return self.value(arguments[0], path)
        if dataclasses.is_dataclass(hint):
            return self.filled(hint, path)
        number = len(self.by_path) + 1
        if hint is bool:
            self.by_path[path] = ": conformant"
            return True
        if hint in SHOWN_MEMBERS:
            member, self.by_path[path] = SHOWN_MEMBERS[hint]
            return member
        if hint is float:
            self.by_path[path] = f"{number}.25"
            return number + 0.25
        mark = f"https://mark.example/{number:03}" if path.endswith(("url", "href")) else f"MARK{number:03}"
        self.by_path[path] = mark
        return mark
