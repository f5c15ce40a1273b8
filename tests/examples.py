"""How many examples hypothesis makes: few in the suite, as many as are worth it in ``make campaigns``."""

from __future__ import annotations

from tests.pairwise import ALL


def examples(most: int) -> int:
    """Return ``most`` in a campaign, a quarter in the suite. Each run makes the same ones, the simple ones first."""
    return most if ALL else max(15, most // 4)
