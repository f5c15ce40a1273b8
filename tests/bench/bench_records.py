"""How fast records are read, beside lxml's bare parse of the same bytes and OWSLib's reader."""

from __future__ import annotations

from typing import Iterator

from harness import TINY, Row, alternately, benchmark
from lxml import etree
from made_records import records

COUNT = 5 if TINY else 200


@benchmark
def records_read() -> Iterator[Row]:
    """Service records read in a second, on one core."""
    from owslib.iso import MD_Metadata

    from plugin.core.records import read

    documents = list(records(COUNT))
    size = sum(map(len, documents)) / COUNT / 1000
    for document in documents[:3]:
        first = read(document)[0]
        if first.service_type != "OGC:WMS" or len(first.operations) == 0:
            raise ValueError("the reader lost what the record says, so its speed means nothing")
    ours, bare, owslib = alternately(
        lambda: [read(document) for document in documents],
        lambda: [etree.fromstring(document) for document in documents],
        lambda: [MD_Metadata(etree.fromstring(document)) for document in documents],
    )
    rate, parsed, peers = (COUNT / seconds for seconds in (ours, bare, owslib))
    note = f"{COUNT} records of {size:.0f} kB"
    yield Row("records read", rate, "records/s", "lxml's parse alone, same bytes", parsed, "", note)
    yield Row("records read", rate, "records/s", "OWSLib MD_Metadata, same bytes", peers, "ratio >= 1", note)
