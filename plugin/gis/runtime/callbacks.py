"""What stands where a callback has nothing to do."""

from __future__ import annotations


def no_op(*_told: object) -> None:
    """Take whatever is told, and do nothing."""
