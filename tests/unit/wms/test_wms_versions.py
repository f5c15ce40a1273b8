"""Version negotiation after OGC 06-042 6.2.4, with the standard's own examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.wms.model.protocol import SUPPORTED_VERSIONS, is_supported_version, negotiate_version, parse_version


def server(known, asked):
    """The version asked for, else the highest below it, else the lowest; where none is asked for, the highest."""
    if not asked:
        return known[-1]
    if asked in known:
        return asked
    lower = [version for version in known if parse_version(version) < parse_version(asked)]
    return lower[-1] if lower else known[0]


def play(known, understood, asked):
    """The answers until the negotiation ends."""
    answers, already = [], []
    while asked is not None:
        answers.append(server(known, asked))
        already.append(asked)
        asked = negotiate_version(asked, answers[-1], understood, already)
    return answers


def versions(*numbers):
    return [f"{number}.0.0" for number in numbers]


def test_the_standard_s_first_example():
    assert play(versions(1, 2, 4, 5, 8), versions(7, 6, 4, 3, 1), "7.0.0") == versions(5, 4)


def test_the_standard_s_second_example_fails():
    answers = play(versions(4, 5, 8), versions(3), "3.0.0")
    assert answers == versions(4)
    assert not is_supported_version(answers[-1], versions(3))


@pytest.mark.parametrize(("asked", "answered", "following"), [
    ("1.3.0", "1.3.0", None), ("1.3.0", "1.1.1", None), ("1.3.0", "1.2.0", "1.1.1"), ("", "1.4.0", "1.3.0"),
    ("1.1.1", "1.2.0", "1.3.0"), ("1.3.0", "1.0.7", "1.0.0"), ("1.3.0", "0.9.0", None), ("1.3.0", "2.0.0", None),
    ("1.3.0", "nonsense", None), ("1.3.0", "", None), ("1.3.0", "1.3", None)])
def test_what_is_asked_for_next(asked, answered, following):
    assert negotiate_version(asked, answered) == following


numbers = st.lists(st.integers(0, 30), min_size=1, unique=True).map(sorted)


@given(numbers, numbers, st.booleans())
def test_every_negotiation_ends_and_finds_what_both_know_below_what_was_asked(known, own, ask):
    server_knows, client_knows = versions(*known), versions(*reversed(own))
    answers = play(server_knows, client_knows, client_knows[0] if ask else "")
    if set(server_knows) & set(client_knows):
        assert is_supported_version(answers[-1], client_knows)


def test_all_versions_spoken_are_understood():
    assert SUPPORTED_VERSIONS == ("1.3.0", "1.1.1", "1.1.0", "1.0.0")
    assert is_supported_version("1.3")
    assert not is_supported_version("1.2.0")
