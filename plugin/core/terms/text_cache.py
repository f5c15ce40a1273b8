"""Bounded cache of readings by text: short texts repeat among records, of long ones only the last few are cached.

A thread that loads a record reads its terms, so that the window's thread finds the readings of long texts here.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import Any, Callable, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: characters of a short text
_MAX_SHORT = 1_500
#: readings of longer texts, which hold their texts
_LONG_TEXTS = 24


def cached_by_text(maxsize: int) -> Callable[[_Function], _Function]:
    """Return a decorator that caches a function's result for ``maxsize`` short texts and the last few long ones.

    The text is the first argument.
    """

    def decorate(function: _Function) -> _Function:
        of_short, of_long = lru_cache(maxsize)(function), lru_cache(_LONG_TEXTS)(function)

        @wraps(function)
        def called(text: str, *arguments: Any) -> Any:
            return (of_short if len(text) <= _MAX_SHORT else of_long)(text, *arguments)

        def clear() -> None:
            of_short.cache_clear()
            of_long.cache_clear()

        called.cache_clear = clear  # type: ignore[attr-defined]
        return cast(_Function, called)

    return decorate
