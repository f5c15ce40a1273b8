"""A loopback catalogue that follows a script: GeoNetwork 4's documented responses, and every way to misbehave.

``with ScriptedCatalogue(records) as server``: ``/csw`` (2.0.2), ``/geonetwork`` (its API), ``/api`` (OGC API Records),
each well-behaved until ``server.misbehave`` names a fault: repeat, repeat-renewed, lie-more, lie-less, back, skip,
html, hang, password, big, exception, problem, duplicate, forever, broken-record, cut, foreign-next, circle, empty,
no-xml. ``fault_from`` is the search (from 1) from which on it holds.
"""

from __future__ import annotations

import io
import json
import re
import threading
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from typing import Any, Dict, List, Optional, Sequence, Tuple
from urllib.parse import parse_qsl, unquote, urlsplit

from loopback import LoopbackServer

CSW = "http://www.opengis.net/cat/csw/2.0.2"
_CAPABILITIES = """<csw:Capabilities xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" version="2.0.2"
 xmlns:ows="http://www.opengis.net/ows" xmlns:xlink="http://www.w3.org/1999/xlink">
<ows:ServiceIdentification><ows:Title>Catálogo con guion</ows:Title></ows:ServiceIdentification>
<ows:OperationsMetadata><ows:Operation name="GetRecords"><ows:DCP><ows:HTTP>
<ows:Post xlink:href="{url}/csw"/></ows:HTTP></ows:DCP><ows:Parameter name="outputSchema"><ows:Value>http://www.isotc211.org/2005/gmd</ows:Value></ows:Parameter>
</ows:Operation></ows:OperationsMetadata></csw:Capabilities>"""
_EXCEPTION = """<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows" version="1.2.0"><ows:Exception
 exceptionCode="NoApplicableCode"><ows:ExceptionText>El índice está roto</ows:ExceptionText></ows:Exception>
</ows:ExceptionReport>"""
_PROBLEM = {"title": "Internal Server Error", "status": 500, "detail": "El índice está roto"}
_PAGE = "<!DOCTYPE html><html><head><title>Portal en mantenimiento</title></head><body>Vuelva mañana</body></html>"

Reply = Tuple[int, str, bytes]


class ScriptedCatalogue(LoopbackServer):
    """The server; ``records`` are made_catalogue.Made. ``requests`` lists (method, path, body) of what was asked."""

    def __init__(self, records: Sequence[Any]) -> None:
        super().__init__(_handler(self))
        self.records = list(records)
        self.misbehave = ""
        self.fault_from = 1
        self.requests: List[Tuple[str, str, bytes]] = []
        self._searches = 0
        self._lock = threading.Lock()

    def answer(self, method: str, path: str, body: bytes) -> Reply:
        """Status, media type and content for one request."""
        with self._lock:
            self.requests.append((method, path, body))
            search = b"GetRecords " in body or path.endswith("_search") or "/items" in path
            self._searches += search
            fault = self.misbehave if search and self._searches >= self.fault_from else ""
        if fault == "hang":
            self.stopping.wait(30)
        if fault == "repeat-renewed":
            # the same page for ever, in which every record says something new each time
            status, kind, content = self._right(path, body, "repeat")
            return status, kind, re.sub(rb"(Red|Relieve) de", rb"\1 %d de" % self._searches, content)
        if fault == "password":
            return 401, "text/html", b"<html><title>401</title></html>"
        if fault == "html":
            return 200, "text/html", _PAGE.encode()
        if fault == "exception":
            return 200, "application/xml", _EXCEPTION.encode()
        if fault == "problem":
            return 500, "application/problem+json", json.dumps(_PROBLEM).encode()
        return self._right(path, body, fault)

    def _right(self, path: str, body: bytes, fault: str) -> Reply:
        if path.startswith("/csw"):
            return self._csw(path, body, fault)
        if path.startswith(("/geonetwork", "/api")):
            status, kind, content = self._geonetwork(path, body, fault) if path[1] == "g" else self._api(path, fault)
            return status, kind, content[:-400] if fault == "cut" else content
        return 404, "text/html", _PAGE.encode()

    # -- CSW -----------------------------------------------------------------------------------------------------------
    def _csw(self, path: str, body: bytes, fault: str) -> Reply:
        if b"GetRecords" not in body:
            if "getrecordbyid" in path.lower():
                return self._by_id(path)
            return 200, "application/xml", _CAPABILITIES.format(url=self.url).encode()
        start = int(re.search(rb'startPosition="(\d+)"', body)[1])  # type: ignore[index]
        size = int(re.search(rb'maxRecords="(\d+)"', body)[1])  # type: ignore[index]
        chosen = self.records[start - 1:start - 1 + size]
        total, following = len(self.records), start + len(chosen)
        documents = [record.xml for record in chosen]
        if fault == "broken-record" and any(record.number == 13 for record in chosen):
            return 500, "application/xml", _EXCEPTION.encode()
        if fault == "repeat":
            documents, following = [record.xml for record in self.records[:size]], start + size
        if fault == "forever":
            documents = [record.xml.replace(record.id.encode(), f"x-{start + n}".encode())
                         for n, record in enumerate(self.records[:size])]
            following = start + size
        if fault == "lie-more":
            total = 10_000
        if fault == "lie-less":
            total = 3
        if fault == "back" and start > 1:
            following = 1
        if fault == "skip":
            following += 17
        if fault == "duplicate":
            documents = [document.replace(b"made-0002", b"made-0001") for document in documents]
        if fault == "empty":
            documents, following = [], start + size
        if fault == "big":
            documents = [document.replace(b"</gmd:MD_Metadata>", b"<!--" + b" " * 10_000_000 + b"--></gmd:MD_Metadata>")
                         for document in documents[:1]] + documents[1:]
        last = following > total and fault not in ("repeat", "forever", "lie-less", "skip", "empty")
        told = 0 if last or not chosen and fault not in ("repeat", "forever", "empty") else following
        inner = b"".join(document.partition(b"?>")[2] for document in documents)
        text = (f'<csw:GetRecordsResponse xmlns:csw="{CSW}"><csw:SearchResults numberOfRecordsMatched="{total}" '
                f'numberOfRecordsReturned="{len(documents)}" nextRecord="{told}">').encode()
        content = text + inner + b"</csw:SearchResults></csw:GetRecordsResponse>"
        return 200, "application/xml", content[:-400] if fault == "cut" else content

    def _by_id(self, path: str) -> Reply:
        asked = {name.lower(): value for name, value in parse_qsl(urlsplit(path).query)}
        record = self._record(asked.get("id", ""))
        inner = record.xml.partition(b"?>")[2] if record else b""
        return 200, "application/xml", f'<csw:GetRecordByIdResponse xmlns:csw="{CSW}">'.encode() + inner + (
            b"</csw:GetRecordByIdResponse>")

    # -- GeoNetwork ----------------------------------------------------------------------------------------------------
    def _geonetwork(self, path: str, body: bytes, fault: str) -> Reply:
        if path.endswith("/srv/api/site"):
            site = {"system/site/name": "GeoNetwork de pruebas", "system/platform/version": "4.2.8",
                    "system/site/siteId": "abc"}
            return 200, "application/json", json.dumps(site).encode()
        match = re.fullmatch(r"/geonetwork/srv/api/records/([^/]+)/formatters/(xml|zip)(?:\?.*)?", path)
        if match:
            return self._formatted(unquote(match[1]), match[2])
        if not path.endswith("/srv/api/search/records/_search"):
            return 200, "text/html", b"<html><title>GeoNetwork</title></html>"
        asked = json.loads(body)
        chosen = [record for record in self.records if self._fits(record, asked["query"]["bool"])]
        total, size = len(chosen), asked["size"]
        if "search_after" in asked:
            after = asked["search_after"][-1]
            chosen = [record for record in chosen if record.id > after]
        chosen = chosen[asked.get("from", 0):][:size]
        if fault == "repeat":
            chosen = self.records[:size]
        if fault in ("lie-more", "lie-less"):
            total = 10_000 if fault == "lie-more" else 3
        if fault == "forever":
            chosen = [replace(record, number=1000 * self._searches + record.number) for record in self.records[:size]]
        if fault == "duplicate":
            chosen = [replace(record, number=1) if record.number == 2 else record for record in chosen]
        hits = [{"_index": "gn-records", "_id": record.id, "_source": self._source(record), "sort": [record.id]}
                for record in chosen]
        if fault == "repeat":
            for hit in hits:
                hit["sort"] = [f"{hit['_id']}-{self._searches}"]
        value: Dict[str, Any] = {"took": 3, "timed_out": False, "_shards": {"total": 1, "successful": 1, "failed": 0},
                                 "hits": {"total": {"value": total, "relation": "eq"}, "max_score": None, "hits": hits}}
        return 200, "application/json", json.dumps(value).encode()

    def _formatted(self, identifier: str, kind: str) -> Reply:
        record = self._record(identifier)
        if record is None or (self.misbehave == "no-xml" and kind == "xml"):
            problem = {"code": "resource_not_found", "message": "Metadata not found", "description": "No hay tal cosa"}
            return 404, "application/json", json.dumps(problem).encode()
        if kind == "xml":
            return 200, "application/xml", record.xml
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr(f"{identifier}/info.xml", "<info version=\"1.1\"><general/></info>")
            archive.writestr(f"{identifier}/metadata/metadata.xml", record.xml)
        return 200, "application/x-gn-mef-2-zip", stream.getvalue()

    def _fits(self, record: Any, condition: Dict[str, Any]) -> bool:
        return all(self._holds(record, part) for part in (*condition["filter"], *condition.get("must", ())))

    def _holds(self, record: Any, part: Dict[str, Any]) -> bool:
        """One condition of Elasticsearch's query language, as far as it is used."""
        [(name, asked)] = part.items()
        if name == "bool":
            return sum(self._holds(record, one) for one in asked["should"]) >= asked["minimum_should_match"]
        if name == "query_string":
            text = f"{record.title} {record.abstract} {' '.join(record.keywords)} Red de pruebas".lower()
            return all(word.rstrip("*").replace("\\", "") in text for word in asked["query"].lower().split())
        if name == "geo_shape":
            (west, north), (east, south) = asked["geom"]["shape"]["coordinates"]
            box = record.box
            return bool(box[0] <= east and box[2] >= west and box[1] <= north and box[3] >= south)
        [(field, wanted)] = asked.items()
        own = {"isTemplate": ("n",), "tag.default": record.keywords, "resourceType": (record.kind,),
               "publicationYearForResource": (record.stamp[:4],)}.get(field, ())
        return any(value in own for value in (wanted if name == "terms" else [wanted]))

    def _source(self, record: Any) -> Dict[str, Any]:
        west, south, east, north = record.box
        ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        return {
            "uuid": record.id, "metadataIdentifier": record.id, "isTemplate": "n", "mainLanguage": "spa",
            "resourceTitleObject": {"default": record.title, "langspa": record.title},
            "resourceAbstractObject": {"default": record.abstract, "langspa": record.abstract},
            "resourceType": [record.kind], "dateStamp": f"{record.stamp}T00:00:00.000Z",
            "tag": [{"default": word, "langspa": word} for word in record.keywords],
            "link": [{"protocol": "OGC:WMS", "urlObject": {"default": f"https://maps.invalid/{record.number}?"},
                      "nameObject": {"default": "mapa"}, "function": ""}],
            "overview": [{"url": f"../api/records/{record.id}/attachments/mapa.png"}],
            "contactForResource": [{"organisationObject": {"default": "Red de pruebas"}, "role": "owner"}],
            "geom": [{"type": "Polygon", "coordinates": [ring]}]}

    # -- OGC API -------------------------------------------------------------------------------------------------------
    def _api(self, path: str, fault: str) -> Reply:
        parts = urlsplit(path)
        base = f"{self.url}/api"
        collection = {"id": "registros", "title": "Registros", "itemType": "record",
                      "links": [{"rel": "items", "type": "application/geo+json", "href": f"{base}/items"}]}
        if parts.path.rstrip("/") == "/api":
            value: Any = {"title": "API", "links": [{"rel": "data", "type": "application/json",
                                                     "href": f"{base}/collections"}]}
        elif parts.path == "/api/collections":
            value = {"collections": [collection], "links": []}
        else:
            value = self._items(dict(parse_qsl(parts.query)), base, fault)
        return 200, "application/json", json.dumps(value).encode()

    def _items(self, asked: Dict[str, str], base: str, fault: str) -> Any:
        offset, limit = int(asked.get("offset", 0)), int(asked.get("limit", 10))
        chosen = self.records[offset:offset + limit]
        link: Optional[str] = f"{base}/items?offset={offset + limit}&limit={limit}"
        if offset + limit >= len(self.records):
            link = None
        if fault in ("repeat", "forever"):
            chosen, link = self.records[:limit], f"{base}/items?offset={offset + limit}&limit={limit}"
        if fault == "forever":
            chosen = [replace(record, number=1000 * self._searches + record.number) for record in chosen]
        if fault == "duplicate":
            chosen = [replace(record, number=1) if record.number == 2 else record for record in chosen]
        if fault == "circle":
            link = f"{base}/items?limit={limit}"
        if fault == "foreign-next":
            link = "http://elsewhere.invalid/api/items?offset=10"
        links = [{"rel": "next", "type": "application/geo+json", "href": link}] if link else []
        return {"type": "FeatureCollection", "features": [record.feature for record in chosen], "links": links,
                "numberMatched": {"lie-more": 10_000, "lie-less": 3}.get(fault, len(self.records)),
                "numberReturned": len(chosen)}

    def _record(self, identifier: str) -> Any:
        return next((record for record in self.records if record.id == identifier), None)


def _handler(server: ScriptedCatalogue) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, kind, content = server.answer(self.command, self.path, body)
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Cache-Control", "no-store")
                if status == 401:
                    self.send_header("WWW-Authenticate", 'Basic realm="red"')
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True

        do_POST = do_GET

    return Handler
