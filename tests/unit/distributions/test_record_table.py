"""The record table: a row for each record, and MetaSearch's rule beside it."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.append(str(REPOSITORY / "tests" / "tools"))

from record_table import link_types, rows  # noqa: E402

TYPES = 'WFS_LINK_TYPES = ["OGC:WFS"]\nWMSWMST_LINK_TYPES = ["OGC:WMS", "OGC:WMTS"]\n'


def test_a_row_says_what_is_offered_and_what_metasearch_would_make_of_it(tmp_path):
    (tmp_path / "link_types.py").write_text(TYPES)
    records = tmp_path / "records"
    records.mkdir()
    for name in ("atom_feed.xml", "dublin_core.xml", "service_harvester.xml"):
        (records / name).write_bytes((REPOSITORY / "tests/unit/fixtures/records" / name).read_bytes())
    (records / "torn.xml").write_bytes(b"<gmd:MD_Metadata")
    entry, other_entry, dublin_core, service, torn = rows(records, link_types(tmp_path))
    assert (service.distributions, service.button, service.credit) == ("WMS", "Add map", "Precipitación diaria")
    assert other_entry.button == "" and other_entry.reason == "This record names nothing that can be added to a map."
    assert [row.metasearch for row in (entry, dublin_core, service)] == ["not read", "WMSWMST", "nothing"]
    assert torn.reason and not torn.button
