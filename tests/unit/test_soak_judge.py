"""The judge of ``make soak``: growth in every round is a leak, and what comes and goes is none."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def soak(load_tool):
    return load_tool("tools/soak")


def rounds(megabytes: list[float], **changes: list[int]) -> list[dict[str, Any]]:
    """Rounds of 50 actions with this much memory, and counts of "widgets" or "own" objects."""
    made = []
    for number, memory in enumerate(megabytes):
        count = {name: counts[number] for name, counts in changes.items()}
        made.append({"done": 50 * (number + 1), "memory": memory, "trimmed": memory, "threads": 5, "layers": 0,
                     "counts": {"widgets": count.get("widgets", 100), "open files": 20},
                     "own": {"Dock": count.get("own", 1)}, "window": {}})
    return made


def test_a_round_like_the_others_is_no_growth(soak):
    assert soak.growth(rounds([300.0] * 6)) == []


def test_memory_that_grows_in_every_round_is_a_leak(soak):
    leak = 2 * soak.STEADY_GROWTH * 50
    found = soak.growth(rounds([300 + leak * number for number in range(6)]))
    assert found and all("more for each action, in every round" in line for line in found)


def test_memory_that_grows_in_some_rounds_is_none(soak):
    leak = 2 * soak.STEADY_GROWTH * 50
    assert soak.growth(rounds([300.0, 300.0, 300 + leak, 300 + leak, 300 + leak, 300 + 2 * leak])) == []


def test_widgets_and_objects_that_stay_are_named(soak):
    many = [100, 100, 150, 200, 250, 300]
    assert [line.split(":")[0] for line in soak.growth(rounds([300.0] * 6, widgets=many, own=many))] == [
        "widgets", "objects of Dock"]


def test_objects_of_a_cache_that_is_emptied_at_times_are_none(soak):
    assert soak.growth(rounds([300.0] * 8, own=[140, 200, 330, 470, 60, 210, 60, 480])) == []
    assert soak.growth(rounds([300.0] * 8, own=[140, 200, 330, 470, 60, 210, 290, 480])) == [
        "objects of Dock: 200 → 290"]
