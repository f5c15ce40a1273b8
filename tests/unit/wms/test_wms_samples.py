"""Every capabilities document and exception report of the sample collection, where the collection is available."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Iterator, Tuple

import pytest

from plugin.core.errors import CartoguideError, ServiceError
from plugin.core.wms import read_service
from plugin.core.wms.requests.get_map import MapOptions, map_request


def documents(samples: Path, *kinds: str) -> Iterator[Tuple[str, str, bytes]]:
    """(kind, name, bytes) of the samples whose kind begins with one of ``kinds``."""
    with open(samples / "INDEX.tsv", encoding="utf-8", newline="") as index:
        for row in csv.DictReader(index, delimiter="\t"):
            path = samples / row["repo"].replace("/", "+") / row["path"]
            if row["kind"].startswith(kinds) and path.is_file():
                yield row["kind"], f"{row['repo']}/{row['path']}", path.read_bytes()


def test_every_capabilities_document_is_read_in_its_version(samples):
    count = 0
    for kind, name, data in documents(samples, "wms-caps-"):
        service = read_service(data, name)
        assert kind == f"wms-caps-{service.version}", name
        assert any(layer.title for layer in service.iter_layers()), name
        assert json.loads(json.dumps(service.to_dict()))["layers"], name
        count += 1
    assert count > 30


def test_every_layer_that_has_crs_and_box_can_be_asked_for(samples):
    asked = 0
    for _, name, data in documents(samples, "wms-caps-"):
        service = read_service(data, name)
        for layer in list(service.iter_layers())[:40]:
            usable = layer.name and layer.geographic_bbox and not layer.no_subsets and not any(layer.fixed_size)
            needs = [dimension for dimension in layer.dimensions if dimension.extent and not dimension.default]
            address = service.operations["GetMap"].get if "GetMap" in service.operations else None
            if not usable or "EPSG:4326" not in layer.crs or needs or not address or "hostname:port" in address:
                continue
            url = map_request(service, MapOptions([layer.name], "EPSG:4326", 100, 100, bbox=(-4, 38, -3, 39))).url
            assert "BBOX=38,-4,39,-3" in url if service.version == "1.3.0" else "BBOX=-4,38,-3,39" in url, name
            asked += 1
    assert asked > 100


def test_every_exception_report_is_the_service_s_own_error(samples):
    count = 0
    for _, name, data in documents(samples, "ogc-exception", "ows-exception"):
        with pytest.raises(ServiceError) as caught:
            read_service(data, name)
        assert caught.value.user_text and caught.value.detail, name
        count += 1
    assert count > 20


def test_everything_else_is_refused_with_a_reason(samples):
    for kind, name, data in documents(samples, "wmts", "wfs", "csw", "iso", "mef", "atom", "stac", "ogcapi", "wms-de"):
        if "exception" in kind:
            continue
        with pytest.raises(CartoguideError) as caught:
            read_service(data, name)
        assert name in caught.value.user_text or isinstance(caught.value, ServiceError), name
