"""Ground of the tests of sources: a plain fetch, and the real servers, each started once."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator
from urllib.error import HTTPError
from urllib.request import Request as PlainRequest
from urllib.request import urlopen

import pytest
from catalogue_servers import CatalogueServer, has
from made_catalogue import Made, made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.errors import CartoguideError
from plugin.core.library.record_store import RecordStore
from plugin.core.request import Request, Response

COUNT = 120


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RecordStore]:
    """An empty library in a folder of its own."""
    made_store = RecordStore(tmp_path / "store" / "records.sqlite")
    yield made_store
    made_store.close()


class Carrier:
    """A plain fetch that remembers what it carried."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def __call__(self, request: Request) -> Response:
        self.requests.append(request)
        plain = PlainRequest(request.url, data=request.body, headers=dict(request.headers), method=request.method.value)
        try:
            with urlopen(plain, timeout=10) as answer:
                headers = {name.lower(): value for name, value in answer.headers.items()}
                return Response(answer.status, headers, answer.read(), answer.url)
        except HTTPError as error:
            headers = {name.lower(): value for name, value in error.headers.items()}
            return Response(error.code, headers, error.read(), request.url)
        except OSError as error:
            raise CartoguideError("no answer", str(error)) from error


@pytest.fixture
def fetch() -> Carrier:
    return Carrier()


@pytest.fixture
def server() -> Iterator[ScriptedCatalogue]:
    """A catalogue of 45 records that does what a test tells it to."""
    with ScriptedCatalogue(made(45)) as running:
        yield running


@pytest.fixture(scope="session")
def made_records() -> list[Made]:
    return made(COUNT)


@pytest.fixture(scope="session")
def pycsw_address(made_records: list[Made]) -> Iterator[str]:
    if not has("pycsw", "sqlalchemy"):
        pytest.skip("pycsw is not installed")
    with CatalogueServer("pycsw", made_records) as server:
        yield f"{server.url}/geonetwork/srv/spa/csw"


@pytest.fixture(scope="session")
def pygeoapi_address(made_records: list[Made]) -> Iterator[str]:
    if not has("pygeoapi", "tinydb"):
        pytest.skip("pygeoapi is not installed")
    with CatalogueServer("pygeoapi", made_records) as server:
        yield server.url
