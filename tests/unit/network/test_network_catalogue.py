"""The catalogue of the test network: records in both shapes, thumbnails, pages, CSW, the profile."""

from __future__ import annotations

import hashlib
import json
import re
from urllib.parse import urlsplit

import pytest

KEYS = ["precipitation", "guide", "facilities"]


@pytest.mark.parametrize("key", KEYS)
def test_both_shapes_of_a_record_say_the_same(network, key):
    from plugin.core import records

    [harvested] = records.read((network.workdir / "records" / f"{key}.xml").read_bytes())
    [edited] = records.read((network.workdir / "records-editor" / f"{key}.xml").read_bytes())
    one, two = harvested.to_dict(), edited.to_dict()
    for name in (
        "id",
        "title",
        "abstract",
        "kind",
        "language",
        "character_set",
        "date_stamp",
        "standard_name",
        "standard_version",
        "dates",
        "status",
        "contacts",
        "metadata_contacts",
        "keywords",
        "use_limitations",
        "access_constraints",
        "use_constraints",
        "other_constraints",
        "service_type",
        "service_versions",
        "fees",
        "coupling_type",
        "extents",
        "formats",
        "online",
        "conformance",
        "overviews",
    ):
        assert one[name] == two[name] and one[name], name
    assert [o.name for o in harvested.operations] == [o.name for o in edited.operations]


def test_the_harvester_repeats_connect_points_for_each_format(network):
    from plugin.core import records

    [record] = records.read((network.workdir / "records" / "guide.xml").read_bytes())
    counts = {operation.name: len(operation.connect_points) for operation in record.operations}
    assert counts == {
        "GetCapabilities": 1,
        "GetMap": 6,
        "GetFeatureInfo": 3,
        "sld:DescribeLayer": 1,
        "sld:GetLegendGraphic": 3,
        "ms:GetStyles": 1,
    }
    assert {point.url for operation in record.operations for point in operation.connect_points} == {
        network.endpoints["guide"]
    }
    assert {operation.platforms for operation in record.operations} == {("HTTP-GET", "HTTP-POST")}
    assert len(record.conformance) == 2


@pytest.mark.parametrize("key", KEYS)
def test_a_record_names_its_service_and_its_box(network, fetch, key):
    from plugin.core import records

    [record] = records.read((network.workdir / "records" / f"{key}.xml").read_bytes())
    assert record.id == hashlib.sha1(urlsplit(network.endpoints[key]).path.encode()).hexdigest()
    assert [link.url for link in record.online if link.protocol == "OGC:WMS-1.3.0-http-get-map"] == [
        network.endpoints[key]
    ]
    text = fetch(network.endpoints[key], {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}).text
    sides = [
        float(re.search(f"<{name}>([-0-9.]+)<", text)[1])
        for name in ("westBoundLongitude", "eastBoundLongitude", "southBoundLatitude", "northBoundLatitude")
    ]
    [extent] = record.extents
    assert [extent.west, extent.east, extent.south, extent.north] == pytest.approx(sides, abs=1e-5)


@pytest.mark.parametrize("key", KEYS)
def test_overviews_are_pictures_of_the_service(network, fetch, key):
    from plugin.core import records

    [record] = records.read((network.workdir / "records" / f"{key}.xml").read_bytes())
    assert [overview.description for overview in record.overviews] == ["thumbnail", "large_thumbnail"]
    small, large = (fetch(overview.url) for overview in record.overviews)
    assert small.type == large.type == "image/png"
    assert small.pixels.shape[2] == 180 and large.pixels.shape[2] == 800
    assert large.pixels.std() > 10
    assert network.count("GetMap") == 0, "the network's own pictures are not counted"


def test_records_are_given_by_identifier(network, fetch):
    from plugin.core import records

    for path in [*network.records, network.dataset_record]:
        [record] = records.read(path.read_bytes())
        got = fetch(f"{network.url}/geonetwork/srv/api/records/{record.id}/formatters/xml")
        assert got.type.startswith("application/xml") and got.body == path.read_bytes()
    assert fetch(f"{network.url}/geonetwork/srv/api/records/none/formatters/xml").status == 404
    page = fetch(f"{network.url}/geonetwork/srv/spa/catalog.search")
    assert page.type.startswith("text/html") and "/metadata/" in page.text


def test_the_dataset_record_links_to_the_guide(network):
    from plugin.core import records

    [record] = records.read(network.dataset_record.read_bytes())
    assert record.kind == "dataset"
    assert network.endpoints["guide"] in [link.url for link in record.online]


def test_the_profile_is_one_that_cartoguide_reads(network):
    from plugin.core.network_profile import read_profile_file

    profile = read_profile_file(network.profile_path)
    assert profile.endpoints == network.endpoints
    assert [path.resolve() for path in profile.records] == [path.resolve() for path in network.records]
    assert profile.catalogue.url == f"{network.url}/geonetwork"
    assert json.loads(network.profile_path.read_text("utf-8"))["format"] == "cartoguide-network"


def test_the_catalogue_finds_a_record_by_its_endpoint(network, fetch):
    pytest.importorskip("netserve.csw", reason="pycsw is not installed", exc_type=ImportError)
    pytest.importorskip("sqlalchemy")
    got = fetch(
        f"{network.url}/geonetwork/srv/spa/csw?",
        {
            "service": "CSW",
            "version": "2.0.2",
            "request": "GetRecords",
            "typeNames": "csw:Record",
            "resultType": "results",
            "elementSetName": "full",
            "outputSchema": "http://www.isotc211.org/2005/gmd",
            "constraintLanguage": "CQL_TEXT",
            "constraint_language_version": "1.1.0",
            "constraint": "csw:AnyText like '%NODO_equipamientos_uso_publico%'",
        },
    )
    assert 'numberOfRecordsMatched="1"' in got.text, got.text[:800]
    assert hashlib.sha1(urlsplit(network.endpoints["facilities"]).path.encode()).hexdigest() in got.text
