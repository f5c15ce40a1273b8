"""Ways to break a document."""

from __future__ import annotations

import random
import re

NASTY = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"]]>",
    b"<![CDATA[",
    b"<!--",
    b"&",
    b"&#0;",
    b"&#x10FFFF;",
    b"&lol;",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"{",
    b"}",
    b"[",
    b'"',
    b"NaN",
    b"1e999",
    b"-1",
    b"9" * 400,
    b"<a>" * 300,
    b' xsi:nil="true"',
    b' xlink:href="file:///etc/hostname"',
    b' xml:lang=""',
    b'encoding="UTF-16"',
    b"\r\n" * 50,
    b"\xe2\x80\xae",
    b"AUTO2:42001,",
    b"http://[",
    b"\xc3\x28",
    b"<?xml version='1.1'?>",
    b"\\ud800",
    b"1e-400",
)
VALUES = (
    b"",
    b" ",
    b"--",
    b"1e309",
    b"nan",
    b"-",
    b"0/0/P1D",
    b"EPSG:99999999",
    b"http://[",
    b"\xc3\xb1" * 9,
    b"null",
    b"-1",
    b"9" * 40,
    b"true",
    b"2016-13-45T99:00",
    b"//host/share",
    b"../../a",
    b"CON",
    b"a" * 3000,
)
_LONGEST_RUN = 60_000


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return ``data`` broken in one to four ways. ``other`` is any other document, to be crossed with."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(_WAYS)(data or b" ", other, chance)
    return data


def flip(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Change one to eight bytes."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Remove the end, or a piece of the middle."""
    start = chance.randrange(len(data))
    end = len(data) if chance.random() < 0.5 else min(len(data), start + chance.randint(1, 500))
    return data[:start] + data[end:]


def insert(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Insert something nasty anywhere."""
    place = chance.randrange(len(data))
    return data[:place] + chance.choice(NASTY) + data[place:]


def cross(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Join the beginning of one document and the end of another."""
    return data[: chance.randrange(len(data))] + (other or b" ")[-chance.randint(1, 20_000) :]


def repeat(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Repeat a piece of a few bytes many times."""
    start = chance.randrange(len(data))
    piece = data[start : start + chance.choice((1, 2, 4, 8, 30, 200))]
    return data[:start] + piece * (chance.choice((50, 1000, _LONGEST_RUN)) // len(piece)) + data[start:]


def swap_value(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Replace one text or attribute value, so that more than the parser is reached."""
    places = list(re.finditer(rb'(?<=>)[^<>]+(?=<)|(?<==")[^"<]*(?=")|(?<=: ")[^"]*(?=")|(?<=: )[\d.]+', data))
    if not places:
        return insert(data, other, chance)
    place = chance.choice(places)
    return data[: place.start()] + chance.choice(VALUES) + data[place.end() :]


def move_element(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Repeat one leaf element somewhere else, or remove it."""
    places = list(re.finditer(rb"<([\w:]+)(?=[\s>])[^<>]*>[^<>]*</\1>", data))
    if not places:
        return cut(data, other, chance)
    place = chance.choice(places)
    if chance.random() < 0.5:
        return data[: place.start()] + data[place.end() :]
    target = chance.choice(places).start()
    return data[:target] + place.group() + data[target:]


_WAYS = (flip, cut, insert, cross, repeat, swap_value, swap_value, move_element, move_element)
