"""pycsw on SQLite in its own process, with the queries that the record library gets."""

from __future__ import annotations

import logging
import sqlite3
import statistics
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Mapping, Sequence, Tuple

from lxml import etree

sys.path.append(str(Path(__file__).resolve().parents[1] / "network"))

_INSERT = (
    "INSERT INTO records(identifier, typename, schema, mdsource, insert_date, xml, anytext, type, title, abstract, "
    "date, wkt_geometry) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"
)
_GMD = "http://www.isotc211.org/2005/gmd"


def seconds_beside(
    folder: Path, documents: Iterable[bytes], asked: Mapping[str, Sequence[Any]], ours: Callable[[Any], object]
) -> Dict[str, Tuple[float, float]]:
    """The median seconds of ``ours`` and of pycsw's first 50 answers to each kind of query, asked in turns.

    ImportError where pycsw is not installed.
    """
    from netserve.csw import Csw

    folder.mkdir()
    logging.disable(logging.CRITICAL)
    try:
        catalogue = Csw(folder, "http://127.0.0.1:1", [])
        _load(folder / "catalogue.db", documents)
        return {kind: _in_turns(catalogue, some, ours) for kind, some in asked.items()}
    finally:
        logging.disable(logging.NOTSET)


def _in_turns(catalogue: Any, asked: Sequence[Any], ours: Callable[[Any], object]) -> Tuple[float, float]:
    mine, peers = [], []
    for query in asked:
        started = time.perf_counter()
        ours(query)
        mine.append(time.perf_counter() - started)
        peers.append(_seconds(catalogue, query))
    return statistics.median(mine), statistics.median(peers)


def _load(database: Path, documents: Iterable[bytes]) -> None:
    """The columns that these queries read, as pycsw's own loader fills them."""
    from plugin.core.library.index.row_extraction import index_rows

    connection = sqlite3.connect(database)
    with connection:
        for data in documents:
            row, _ = index_rows(data)[0]
            west, south, east, north = row.bbox or (0, 0, 0, 0)
            ring = f"{west} {south}, {west} {north}, {east} {north}, {east} {south}, {west} {south}"
            text = " ".join(part.strip() for part in etree.fromstring(data).itertext() if part.strip())
            polygon = f"POLYGON(({ring}))"
            common = ("gmd:MD_Metadata", _GMD, "local", "2026-01-01", data.decode())
            values = (row.identifier, *common, text, row.kind, row.title, "", row.date_stamp, polygon)
            connection.execute(_INSERT, values)
    connection.close()


_ASK = """<csw:GetRecords xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:ogc="http://www.opengis.net/ogc"
 xmlns:gml="http://www.opengis.net/gml" xmlns:ows="http://www.opengis.net/ows" service="CSW" version="2.0.2"
 resultType="results" maxRecords="50"><csw:Query typeNames="csw:Record"><csw:ElementSetName>brief</csw:ElementSetName>
<csw:Constraint version="1.1.0"><ogc:Filter>{filter}</ogc:Filter></csw:Constraint></csw:Query></csw:GetRecords>"""
_LIKE = (
    '<ogc:PropertyIsLike wildCard="%" singleChar="_" escapeChar="\\"><ogc:PropertyName>csw:AnyText</ogc:PropertyName>'
    "<ogc:Literal>%{word}%</ogc:Literal></ogc:PropertyIsLike>"
)
_MEETS = (
    "<ogc:BBOX><ogc:PropertyName>ows:BoundingBox</ogc:PropertyName><gml:Envelope><gml:lowerCorner>{south} {west}"
    "</gml:lowerCorner><gml:upperCorner>{north} {east}</gml:upperCorner></gml:Envelope></ogc:BBOX>"
)


def _seconds(catalogue: Any, query: Any) -> float:
    parts = [_LIKE.format(word=word) for word in query.text.split()]
    if query.bbox is not None:
        west, south, east, north = query.bbox
        parts.append(_MEETS.format(west=west, south=south, east=east, north=north))
    asked = parts[0] if len(parts) == 1 else f"<ogc:And>{''.join(parts)}</ogc:And>"
    body = _ASK.format(filter=asked).encode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = time.perf_counter()
        answer = catalogue.answer("POST", "/csw", "", body, "application/xml")
        seconds = time.perf_counter() - started
    if b"SearchResults" not in answer.body:
        raise ValueError(answer.body[-400:].decode("utf-8", "replace"))
    return seconds
