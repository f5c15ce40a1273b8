"""Matrices of the suite have each pair of values."""

from __future__ import annotations

import itertools

from tests import pairwise


def test_each_pair_of_values_occurs_in_few_rows(monkeypatch):
    monkeypatch.setattr(pairwise, "ALL", False)
    columns = ("abc", "de", "fg", "hi")
    chosen = pairwise.pairwise(itertools.product(*columns))
    assert len(chosen) <= 8
    for (one, first), (other, second) in itertools.combinations(enumerate(columns), 2):
        assert {(row[one], row[other]) for row in chosen} == set(itertools.product(first, second))


def test_campaigns_have_each_combination(monkeypatch):
    monkeypatch.setattr(pairwise, "ALL", True)
    assert len(pairwise.pairwise(itertools.product("ab", "cd", "ef"))) == 8
    assert pairwise.some("abcd", 3) == ["a", "b", "c", "d"]


def test_some_rows_are_spread_over_all(monkeypatch):
    monkeypatch.setattr(pairwise, "ALL", False)
    assert pairwise.some("abcdefg", 3) == ["a", "d", "g"]
