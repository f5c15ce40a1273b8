"""Work in short steps: what holds during a step does not hold while others work."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Generator, Iterator, List

import pytest

from plugin.core.cooperative_yield import run_to_end, steps_within

entered: List[str] = []


@contextmanager
def noted() -> Iterator[None]:
    entered.append("in")
    try:
        yield
    finally:
        entered.pop()


def work(fails: bool = False) -> Generator[None, None, List[int]]:
    seen = [len(entered)]
    yield
    seen.append(len(entered))
    if fails:
        raise ValueError("no")
    return seen


def test_each_step_is_within_its_context_and_a_pause_is_not():
    steps = steps_within(noted, work())
    next(steps)
    assert entered == []
    assert run_to_end(steps) == [1, 1] and entered == []


def test_a_step_that_fails_leaves_its_context():
    with pytest.raises(ValueError, match="no"):
        run_to_end(steps_within(noted, work(fails=True)))
    assert entered == []
