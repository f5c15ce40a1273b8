"""Seals: only what this profile wrote, as it wrote it and for the files that it named, is known again."""

from __future__ import annotations

import random

import pytest

from plugin.core.trust.provenance import KEY_BYTES, Trust, is_valid_seal, make_seal

KEY = bytes(range(KEY_BYTES))


def test_a_seal_is_valid_for_what_it_was_made_of_and_for_nothing_else():
    named = {"own_layers": [["vector", "ogr", "/maps/a.gpkg", "<qgis/>"]], "template": ""}
    seal = make_seal(named, KEY)
    assert is_valid_seal(seal, named, KEY)
    assert not is_valid_seal(seal, {**named, "template": "/x.qpt"}, KEY)
    assert not is_valid_seal(seal, named, KEY[::-1])


@pytest.mark.parametrize("key", [b"", b"x", KEY + b"x"])
def test_without_a_key_nothing_is_sealed_and_nothing_is_valid(key):
    assert make_seal({}, key) == "" and not is_valid_seal("", {}, key)
    assert not is_valid_seal(make_seal({}, KEY), {}, key)


def test_no_changed_seal_is_valid():
    draw = random.Random(1)
    seal = make_seal(["a"], KEY)
    for _ in range(500):
        place = draw.randrange(len(seal))
        changed = seal[:place] + draw.choice("0123456789abcdefé") + seal[place + 1:]
        assert is_valid_seal(changed, ["a"], KEY) == (changed == seal)
    assert not is_valid_seal(seal[:-1], ["a"], KEY) and not is_valid_seal("\ud800", ["a"], KEY)


def test_only_what_nobody_agreed_to_may_not_be_opened():
    assert [trust for trust in Trust if not trust.may_open] == [Trust.FOREIGN]
