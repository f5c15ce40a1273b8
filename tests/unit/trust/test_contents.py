"""What data files and answers of others lead to: links of a CRS, links of a service, queries of a GeoPackage."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from plugin.core.trust.contents import CRS_MEMBER, followed_links, is_bounded_query, is_harmless_crs, view_query

NAMED = '{"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}'
LINK = '{"type": "link", "properties": {"href": "http://a.invalid/crs"}}'


@pytest.mark.parametrize("rest", [f": {NAMED}, ", f":{NAMED}", ': "EPSG:25830"', ": null", ", 1]", "}", ": 25830",
                                  ': {"properties": {"code": 4326}, "type": "EPSG"}'])
def test_a_named_crs_and_a_property_of_that_name_are_harmless(rest):
    assert is_harmless_crs(rest)


@pytest.mark.parametrize("rest", [
    f": {LINK}", f":/**/{LINK}", f"/* a */ : {LINK}", LINK.replace("link", "URL").join((":", "")),
    ': {"type": "name", "Type": "link", "properties": {}}', ': {"\\u0074ype": "\\u006cink"}',
    ': {"type": "name", "properties": {}, "href": "http://a.invalid"}', ": {'type': 'link'}", ': {"type": "name"',
    ": {" + '"a": {' * 3000])
def test_a_linked_crs_and_one_that_cannot_be_read_are_not(rest):
    assert not is_harmless_crs(rest)


@pytest.mark.parametrize("name", [b'"crs"', b"'crs'", b'"CRS"', b'"\\u0063rs"', b'"\\u0043\\u0052\\u0073"'])
def test_the_member_is_found_however_it_is_written(name):
    assert CRS_MEMBER.search(b'{"a": 1, ' + name + b": 2}")


def test_links_are_found_wherever_they_stand_in_an_answer():
    links = [{"rel": "http://www.opengis.net/def/rel/ogc/1.0/conformance", "href": "http://b.invalid/c"},
             {"title": "}{" * 300, "href": "//c.invalid/d", "rel": "data"}, {"rel": "self", "href": "http://d.invalid"}]
    answer = " " * 3_000_000 + json.dumps({"links": links}).replace("/", "\\/")
    assert followed_links(answer.encode(), "https://a.invalid/x") == ["http://b.invalid/c", "https://c.invalid/d"]
    # no address at all is no server that anybody agreed to
    assert followed_links(b'{"links": [{"rel": "data", "href": "http://[a"}]}', "http://b.invalid") == ["http://[a"]
    assert followed_links(b"[1]", "http://a.invalid") == [] and followed_links(b"{", "http://a.invalid") is None
    assert followed_links(b'{"a":' * 100_000, "http://a.invalid") is None


HARMLESS = [
    ("view", 'CREATE VIEW w AS SELECT t.fid, t.geom, upper("word") AS word FROM t JOIN "n" ON n.i = t.fid'),
    ("view", "CREATE VIEW \"w\" (fid, geom) AS SELECT fid, geom FROM t WHERE word IN ('a', 'with') -- with a remark"),
    ("table", "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom POINT, n DECIMAL(4, 2) CHECK (hex(n) > 'a'))"),
    ("table", "CREATE TABLE t (a REAL, b REAL GENERATED ALWAYS AS (round(a * 2)) VIRTUAL)"),
    ("trigger", "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO r VALUES (NEW.fid, ST_MinX(NEW.geom)); END")]
HOSTILE = [
    "WITH c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    "with/**/recursive c(x) as (select 1 union all select x + 1 from c) select x from c",
    "SELECT (SELECT group_concat(file) FROM pragma_database_list) FROM t", "SELECT hex(zeroblob(400000000)) FROM t",
    'SELECT "ogr_geocode"(word) FROM t', "SELECT [load_extension] ('a') FROM t", "SELECT readfile/**/('a') FROM t",
    "SELECT `zeroblob`(9) FROM t", "SELECT * FROM v", 'SELECT * FROM "V"', "SELECT " + "||".join(["word"] * 30),
    "SELECT * FROM dbstat", "SELECT name FROM \"pragma_function_list\""]


@pytest.mark.parametrize(("kind", "sql"), HARMLESS)
def test_plain_tables_and_views_may_be_read(kind, sql):
    assert is_bounded_query(kind, sql, frozenset(("w", "v")) - {"w"})


@pytest.mark.parametrize("query", HOSTILE)
def test_queries_that_never_end_or_tell_of_the_computer_may_not(query):
    assert not is_bounded_query("view", f"CREATE VIEW w AS {query}", frozenset(("w", "v")))


def test_what_a_view_calls_is_seen_as_sqlite_sees_it():
    """A name in any kind of quotes is a function, and a comment may stand before its bracket."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for call in ('"hex"', "[hex]", "`hex`", "hex/* */", "hex --\n"):
            assert connection.execute(f"SELECT {call}('a')").fetchone() == ("61",)
            assert not is_bounded_query("view", f"CREATE VIEW w AS SELECT {call}('a')", frozenset())


def test_computed_columns_may_not_make_giants():
    assert not is_bounded_query("table", "CREATE TABLE t (a TEXT AS (hex(zeroblob(400000000))))", frozenset())


def test_the_query_of_a_view_is_what_it_runs():
    assert view_query('CREATE VIEW "as" (a) /* as */ AS\nSELECT a AS b FROM t') == "SELECT a AS b FROM t"
    assert view_query("CREATE VIEW w AS ATTACH DATABASE 'a' AS b") == view_query("CREATE TABLE t (a)") == ""
