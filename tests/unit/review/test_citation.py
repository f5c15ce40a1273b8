"""The citation of a record."""

from __future__ import annotations

import pytest

from plugin.core.catalogues.protocols.geonetwork_api import page_url, record_request
from plugin.core.records.model.record import Contact, Record, RecordDate, RecordFormat
from plugin.core.review.report.bibliography import citation


def record(**values):
    return Record(RecordFormat.DUBLIN_CORE, id="abc", **values)


@pytest.mark.parametrize(("values", "address", "expected"), [
    ({"title": "Soils.", "contacts": (Contact(organisation="Agency", role="pointOfContact"),
                                      Contact(organisation="Owner", role="owner")),
      "dates": (RecordDate("2014-03-01", "publication"),)}, "https://x.org/1",
     "Owner (2014). Soils. https://x.org/1 (accessed on 1 May 2026)"),
    ({"title": "Soils\nof  Spain"}, "", "Soils of Spain."),
    ({"contacts": (Contact(individual="Ana"),)}, "", "Ana. abc."),
])
def test_a_citation_says_who_when_what_and_where(values, address, expected):
    assert citation(record(**values), address, "1 May 2026") == expected


def test_the_page_of_a_record_is_an_address_that_is_read_again():
    address = page_url("https://x.org/geonetwork/", "ab c", "spa")
    assert address == "https://x.org/geonetwork/srv/spa/catalog.search#/metadata/ab%20c"
    request = record_request(page_url("https://x.org/geonetwork", "0f-1", "spa"))
    assert request is not None and request.url.endswith("/records/0f-1/formatters/xml")
