"""The catalogue's side of the network: records, thumbnails, pages, and a real CSW where pycsw can be imported."""

from __future__ import annotations

import html
import re
import threading
from pathlib import Path
from typing import Callable, Dict, Tuple

from . import records
from .bridge import Answer

XML = [("Content-Type", "application/xml; charset=UTF-8")]
PAGE = [("Content-Type", "text/html; charset=UTF-8")]

PICTURES: Dict[str, Tuple[str, str, float]] = {
    "guide": (
        "relieve,exterior_parque,hidrografia,limite_parque,ferrocarril,carreteras,senderos,toponimia",
        "446500,4242500,463500,4254200",
        11.7 / 17.0,
    ),
    "facilities": ("", "449500,4243500,460500,4251100", 7.6 / 11.0),
    "precipitation": ("precipitacion_20160616,limite_andalucia", "90000,3975000,632000,4295000", 320.0 / 542.0),
}
"""Layers (none: all), box in EPSG:25830, height by width."""

SIZES = {"thumbnail": 180, "large_thumbnail": 800}


class Catalogue:
    """Answers everything that is not a WMS. ``picture`` draws a GetMap of an endpoint."""

    def __init__(self, work: Path, url: str, node: str, picture: Callable[[str, str], bytes]) -> None:
        self.work, self.url, self.node, self._picture = work, url, node, picture
        self.book = records.write_records(work, url, node)
        self._pictures: Dict[Tuple[str, str], bytes] = {}
        self._lock = threading.Lock()
        self._csw = None

    def answer(self, method: str, path: str, query: str, body: bytes, content_type: str) -> Answer:
        """The answer to any path of the catalogue; 404 for the rest."""
        match = re.fullmatch(r"/geonetwork/srv/(?:spa|eng|api|\w+/api)/records/([^/]+)(?:/formatters/xml)?", path)
        if match:
            return self._record(match.group(1))
        match = re.fullmatch(r"/geonetwork/srv/api/records/([^/]+)/attachments/(large_thumbnail|thumbnail)\.png", path)
        if match and match.group(1) in self.book.keys:
            picture = self.thumbnail(self.book.keys[match.group(1)], match.group(2))
            return Answer(200, [("Content-Type", "image/png")], picture)
        if re.fullmatch(r"/geonetwork/srv/\w+/csw", path):
            return self._search(method, path, query, body, content_type)
        if re.fullmatch(r"/geonetwork(/srv/\w+/catalog\.search)?/?", path):
            return Answer(200, PAGE, self._page().encode())
        if path.startswith(("/medioambiente/red", "/s/")):
            return Answer(
                200, PAGE, _html("Red de pruebas", "<p>Página informativa de la red de pruebas.</p>").encode()
            )
        return Answer(404, PAGE, _html("404", f"<p>No existe {html.escape(path)}</p>").encode())

    def _record(self, identifier: str) -> Answer:
        path = self.book.by_id.get(identifier)
        if path is None:
            return Answer(404, PAGE, _html("404", "<p>No existe ese registro.</p>").encode())
        return Answer(200, XML, path.read_bytes())

    def thumbnail(self, key: str, size: str) -> bytes:
        """A PNG of an endpoint, drawn once."""
        with self._lock:
            if (key, size) not in self._pictures:
                layers, box, ratio = PICTURES[key]
                width = SIZES[size]
                query = (
                    "SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&FORMAT=image/png&STYLES=&CRS=EPSG:25830"
                    f"&LAYERS={layers or self.node}&BBOX={box}&WIDTH={width}&HEIGHT={round(width * ratio)}"
                )
                self._pictures[key, size] = self._picture(key, query)
            return self._pictures[key, size]

    def _search(self, method: str, path: str, query: str, body: bytes, content_type: str) -> Answer:
        try:
            from . import csw
        except ImportError as error:
            return Answer(
                501,
                [("Content-Type", "text/plain; charset=UTF-8")],
                f"CSW is not offered: pycsw cannot be imported ({error}).".encode(),
            )
        with self._lock:
            if self._csw is None:
                self._csw = csw.Csw(self.work, self.url, list(self.book.by_id.values()))
            return self._csw.answer(method, path, query, body, content_type)

    def _page(self) -> str:
        rows = "".join(
            f'<li><a href="#/metadata/{identifier}">{html.escape(self.book.titles[identifier])}</a></li>'
            for identifier in self.book.by_id
        )
        return _html("Catálogo de la red de pruebas", f"<ul>{rows}</ul>")


def _html(title: str, body: str) -> str:
    return (
        f"<!DOCTYPE html><html lang='es'><head><meta charset='utf-8'><title>{title}</title></head>"
        f"<body><h1>{title}</h1>{body}</body></html>"
    )
