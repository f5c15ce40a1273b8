"""Bounded cache of readings by text: short texts repeat among records, long ones only take memory."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import Any, Callable, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: characters of the longest text that is cached
_MAX_CACHED = 1_500


def cached_by_text(maxsize: int) -> Callable[[_Function], _Function]:
    """Return a decorator that caches a function's result for short texts. The text is the first argument."""

    def decorate(function: _Function) -> _Function:
        cached = lru_cache(maxsize=maxsize)(function)

        @wraps(function)
        def called(text: str, *arguments: Any) -> Any:
            return cached(text, *arguments) if len(text) <= _MAX_CACHED else function(text, *arguments)

        called.cache_clear = cached.cache_clear  # type: ignore[attr-defined]
        return cast(_Function, called)

    return decorate
