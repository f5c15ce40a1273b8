"""Documents declared on their fields: defaults, bounds, order, unknown members, and the places of errors."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple

import pytest

from plugin.core.errors import InvalidDocument
from plugin.core.json_document import JsonNode
from plugin.core.json_fields import (
    BOOLEAN,
    WEB_ADDRESS,
    by_name,
    integer,
    items,
    json_object,
    member,
    number,
    object_of,
    pair,
    read_object,
    string,
    unknown_members,
    write_object,
)


@json_object
class Peak:
    name: str = member(string(20))
    height: int = member(integer(-500, 9000), default=0, name="metres")
    names: Mapping[str, str] = member(by_name(string(5), 2, lambda name: "" if name.islower() else "is no code"),
                                      default={}, sparse=True)
    extra: Mapping[str, Any] = unknown_members()


@json_object
class Tour:
    start: Peak = member(object_of(Peak))
    kind: str = member(string(), absent="walk")
    peaks: Tuple[Peak, ...] = member(items(object_of(Peak), 3), default=())
    link: Optional[str] = member(WEB_ADDRESS, default=None, order=-1)
    shown: bool = member(BOOLEAN, default=True, sparse=True)
    place: Optional[Tuple[float, float]] = member(pair((-180, 180), (-90, 90)), default=None, sparse=True)
    weight: float = member(number(0, 1), default=1.0, sparse=True)
    #: no member of the document
    read: bool = False

    def as_read(self, node: JsonNode) -> Tour:
        """Return the tour, which begins at none of its peaks."""
        if self.start in self.peaks:
            raise node.error("start", "is twice there")
        return Tour(self.start, self.kind, self.peaks, self.link, self.shown, self.place, self.weight, True)


def read(value: Mapping[str, Any]) -> Tour:
    return read_object(Tour, JsonNode(value, "", "a tour"), ("format",))


def test_members_have_their_defaults_and_are_written_in_order():
    tour = read({"format": "tour", "start": {"name": "Mulhacén", "metres": 3479.0, "later": [1]}, "peaks": None})
    assert tour == Tour(Peak("Mulhacén", 3479, extra={"later": [1]}), "walk", read=True)
    assert write_object(tour) == {
        "link": None, "start": {"name": "Mulhacén", "metres": 3479, "later": [1]}, "kind": "walk", "peaks": []}
    assert list(write_object(tour)) == ["link", "start", "kind", "peaks"]


def test_sparse_members_are_written_where_they_say_something():
    tour = Tour(Peak("a", names={"es": "b"}), "walk", shown=False, place=(1.0, 2.5), weight=0.5)
    assert write_object(tour)["start"] == {"name": "a", "metres": 0, "names": {"es": "b"}}
    assert [write_object(tour)[name] for name in ("shown", "place", "weight")] == [False, [1, 2.5], 0.5]
    assert read(write_object(tour)) == Tour(**{**vars(tour), "read": True})


def test_a_member_that_is_known_is_not_written_a_second_time_as_an_unknown_one():
    assert write_object(Peak("a", extra={"names": 1, "later": 2})) == {"name": "a", "metres": 0, "later": 2}


def test_objects_share_no_default():
    assert Peak("a").names is not Peak("b").names


@pytest.mark.parametrize("change, pointer", [
    ({"start": None}, "/start"), ({"start": {}}, "/start/name"), ({"start": []}, "/start"),
    ({"start": {"name": "a" * 21}}, "/start/name"), ({"start": {"name": "a", "metres": 9001}}, "/start/metres"),
    ({"start": {"name": "a", "names": {"ES": "b"}}}, "/start/names"),
    ({"start": {"name": "a", "names": {"es": "abcdef"}}}, "/start/names/es"),
    ({"start": {"name": "a", "names": {"a": "", "b": "", "c": ""}}}, "/start/names"),
    ({"peaks": [{"name": "b"}, 1]}, "/peaks/1"), ({"peaks": [{"name": "b"}, None]}, "/peaks/1"),
    ({"peaks": [{"name": "b"}, {}]}, "/peaks/1/name"), ({"peaks": [{}, {}, {}, {}]}, "/peaks"),
    ({"peaks": {}}, "/peaks"),
    ({"link": "file:///a"}, "/link"), ({"link": "https://a b/"}, "/link"), ({"shown": 1}, "/shown"),
    ({"place": [1]}, "/place"), ({"place": [181, 0]}, "/place/0"), ({"place": [0, "1"]}, "/place/1"),
    ({"weight": True}, "/weight"), ({"peaks": [{"name": "a"}]}, "/start")])
def test_errors_name_the_place(change, pointer):
    with pytest.raises(InvalidDocument) as caught:
        read({"start": {"name": "a"}, **change})
    assert caught.value.pointer == pointer


def test_logins_in_addresses_are_neither_read_nor_written():
    link = "https://user:word@a.example/?token=1&map=b"
    assert read({"start": {"name": "a"}, "link": link}).link == "https://a.example/?map=b"
    assert write_object(Tour(Peak("a"), "walk", link=link))["link"] == "https://a.example/?map=b"
