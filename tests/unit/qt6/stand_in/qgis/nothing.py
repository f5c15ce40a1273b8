"""A module whose every name is a class that takes anything and does nothing."""

from __future__ import annotations

import sys
import types
from typing import Any


class _Kind(type):
    """A class whose every name is another such class, so that ``QgsX.Enum.Member`` is there."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Kind(name, (Nothing,), {})
        setattr(cls, name, made)
        return made

    def __or__(cls, _other: Any) -> Any:
        return cls

    def __int__(cls) -> int:
        return 0


class Nothing(metaclass=_Kind):
    """Takes anything, gives more of itself, is false and empty."""

    def __init__(self, *_arguments: Any, **_names: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __call__(self, *_arguments: Any, **_names: Any) -> Any:
        return Nothing()

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __str__(self) -> str:
        return ""

    def __fspath__(self) -> str:
        return ""


class _Names(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Kind(name, (Nothing,), {})
        setattr(self, name, made)
        return made


def fill(name: str) -> None:
    """Let the module called ``name`` have every name."""
    sys.modules[name].__class__ = _Names
