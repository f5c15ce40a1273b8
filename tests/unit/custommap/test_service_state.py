"""States of services from what was received of their layers: rounds, since when, and all layers together."""

from __future__ import annotations

from datetime import datetime, timezone

from plugin.core.custommap.service_state import DrawnState, Progress, ReceivedParts, combined_state

NOON = datetime(2024, 6, 1, 12, 0, tzinfo=timezone.utc)
LATER = datetime(2024, 6, 1, 12, 4, tzinfo=timezone.utc)


def judged(parts: ReceivedParts, when: datetime = NOON) -> DrawnState:
    parts.close(when)
    return parts.state


def test_a_layer_is_judged_by_the_parts_of_its_round():
    parts = ReceivedParts()
    assert judged(parts) == DrawnState() and not parts.state.is_missing
    for number in (1, 2):
        parts.request(number, f"tile {number}")
    parts.receive(1, "tile 1")
    assert parts.is_awaited
    parts.receive(2, "tile 2")
    assert not parts.is_awaited and judged(parts).progress is Progress.DRAWN
    parts.receive(3, "tile 3")
    parts.fail(4, "tile 4", "it refuses", "ECONNREFUSED")
    assert judged(parts) == DrawnState(Progress.PARTLY, NOON, "it refuses", "ECONNREFUSED")
    parts.fail(5, "tile 5", "it refuses", "")
    assert judged(parts, LATER) == DrawnState(Progress.FAILED, NOON, "it refuses", ""), "since it began"
    parts.fail(6, "tile 6", "it refuses", "")
    parts.receive(7, "tile 6")
    assert judged(parts) == DrawnState(Progress.DRAWN), "a part that came in the end has come"


def test_what_is_cancelled_or_stored_says_nothing_of_the_server():
    parts = ReceivedParts()
    parts.fail(1, "map", "it refuses", "")
    failed = judged(parts)
    parts.receive(2, "map", is_stored=True)
    assert judged(parts, LATER) == failed
    parts.request(3, "map")
    parts.is_slow = True
    assert parts.state.progress is Progress.LOADING and parts.state.is_missing
    parts.give_up(3)
    assert judged(parts, LATER) == failed
    stored = ReceivedParts()
    stored.receive(1, "map", is_stored=True)
    assert judged(stored).progress is Progress.DRAWN


def test_a_service_is_as_far_as_its_layers():
    drawn, failed = DrawnState(Progress.DRAWN), DrawnState(Progress.FAILED, LATER, "it refuses", "b")
    former = DrawnState(Progress.FAILED, NOON, "it hangs", "a")
    assert combined_state([]) == combined_state([DrawnState()]) == DrawnState()
    assert combined_state([drawn, DrawnState()]) == drawn
    assert combined_state([failed, former]) == DrawnState(Progress.FAILED, NOON, "it hangs", "b\na")
    assert combined_state([failed, DrawnState()]) == failed, "nothing of it is drawn"
    assert combined_state([failed, drawn]) == DrawnState(Progress.PARTLY, LATER, "it refuses", "b")
    assert combined_state([failed, DrawnState(Progress.LOADING)]).progress is Progress.LOADING
    assert "it refuses" in failed.problem and drawn.problem == ""
