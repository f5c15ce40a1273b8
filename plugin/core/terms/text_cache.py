"""Bounded cache of readings by text: short texts repeat among records, of long ones only the last few are cached.

A thread that loads a record reads its terms, so that the window's thread finds the readings of long texts here.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache, wraps
from typing import Any, Callable, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
#: characters of the longest text that is a key by itself
_MAX_KEY = 1_500
#: readings of longer texts
_LONG_TEXTS = 24


def cached_by_text(maxsize: int) -> Callable[[_Function], _Function]:
    """Return a decorator that caches a function's result for ``maxsize`` short texts and the last few long ones.

    The text is the first argument.
    """

    def decorate(function: _Function) -> _Function:
        cached = lru_cache(maxsize=maxsize)(function)

        @lru_cache(maxsize=_LONG_TEXTS)
        def cached_long(key: _LongText, *arguments: Any) -> Any:
            return function(key.text, *arguments)

        @wraps(function)
        def called(text: str, *arguments: Any) -> Any:
            if len(text) <= _MAX_KEY:
                return cached(text, *arguments)
            key = _LongText(text)
            try:
                return cached_long(key, *arguments)
            finally:
                key.text = ""  # the cache may hold the key for long

        def clear() -> None:
            cached.cache_clear()
            cached_long.cache_clear()

        called.cache_clear = clear  # type: ignore[attr-defined]
        return cast(_Function, called)

    return decorate


class _LongText:
    """Key of a long text, by its digest."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()

    def __hash__(self) -> int:
        return hash(self._digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _LongText) and self._digest == other._digest
