"""Tests of the test network itself: MapServer, the catalogue and the faults, with the requests of any client."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Dict
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy
import pytest
from osgeo import gdal

gdal.UseExceptions()
_numbers = itertools.count()


@pytest.fixture(autouse=True, scope="session")
def mapserver() -> None:
    """These tests need MapServer's CGI program."""
    from network import MAPSERV, available

    if not available():
        pytest.skip(f"MapServer is not installed: there is no {MAPSERV}")


class Got:
    """A plain HTTP answer."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body
        self.type = headers.get("Content-Type", "")

    @property
    def text(self) -> str:
        """The body as UTF-8."""
        return self.body.decode("utf-8")

    @property
    def pixels(self) -> numpy.ndarray:
        """The picture: bands × rows × columns."""
        name = f"/vsimem/answer-{next(_numbers)}"
        gdal.FileFromMemBuffer(name, self.body)
        try:
            return gdal.Open(name).ReadAsArray()
        finally:
            gdal.Unlink(name)


@pytest.fixture
def fetch() -> Callable[..., Got]:
    """``fetch(address, parameters, post=False, timeout=60)``: one request."""

    def get(address: str, parameters: Dict[str, Any] | None = None, post: bool = False, timeout: float = 60) -> Got:
        query = urlencode(parameters or {}).encode()
        request = Request(address, data=query) if post else Request(address + query.decode())
        try:
            with urlopen(request, timeout=timeout) as answer:
                return Got(answer.status, answer.headers, answer.read())
        except HTTPError as error:
            return Got(error.code, error.headers, error.read())

    return get


@pytest.fixture
def get_map(network: Any, fetch: Callable[..., Got]) -> Callable[..., Got]:
    """``get_map(endpoint, layers, box, width, height, **more)``: a GetMap in EPSG:25830 unless told otherwise."""

    def get(endpoint: str, layers: str, box: Any, width: int, height: int, post: bool = False, **more: Any) -> Got:
        parameters = {
            "SERVICE": "WMS",
            "VERSION": "1.3.0",
            "REQUEST": "GetMap",
            "LAYERS": layers,
            "STYLES": "",
            "CRS": "EPSG:25830",
            "BBOX": ",".join(repr(float(v)) for v in box),
            "WIDTH": width,
            "HEIGHT": height,
            "FORMAT": "image/png",
            **more,
        }
        return fetch(network.endpoints[endpoint], parameters, post=post)

    return get
