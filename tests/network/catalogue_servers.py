"""Real catalogue servers for tests, each a process of its own on loopback: pycsw (2.0.2 and 3.0.0) and pygeoapi.

``catalogue_servers.py pycsw FOLDER`` or ``… pygeoapi FOLDER`` serves what FOLDER holds and prints its address.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, List, Optional, Sequence

HERE = Path(__file__).resolve().parent


def has(*modules: str) -> bool:
    """Whether these Python modules can be imported."""
    return all(importlib.util.find_spec(module) is not None for module in modules)


class CatalogueServer:
    """``with CatalogueServer("pycsw", records) as server: server.url`` (``records`` are made_catalogue.Made)."""

    def __init__(self, kind: str, records: Sequence[Any]) -> None:
        self.kind, self.records = kind, records
        self.url = ""
        self._folder = Path(tempfile.mkdtemp(prefix=f"cartoguide-{kind}-"))
        self._process: Optional[subprocess.Popen[bytes]] = None

    def __enter__(self) -> CatalogueServer:
        for record in self.records:
            (self._folder / f"{record.id}.xml").write_bytes(record.xml)
        (self._folder / "features.json").write_text(json.dumps([record.feature for record in self.records]))
        self._process = subprocess.Popen([sys.executable, str(HERE / "catalogue_servers.py"), self.kind,
                                          str(self._folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         start_new_session=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.kind} did not start (exit status {self._process.wait()}).")
        self.url = json.loads(line)["url"]
        return self

    def __exit__(self, *_: Any) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def serve(make: Callable[[str], Callable[..., Any]]) -> None:
    """Answer with what ``make(address)`` gives for (method, path, query, body, content type), until stdin closes."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path, _, query = self.path.partition("?")
            status, headers, content = answer(self.command, path, query, body, self.headers.get("Content-Type") or "")
            self.send_response(status)
            for name, value in headers:
                if name.lower() not in ("content-length", "transfer-encoding"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.handle_error = lambda *_: None  # type: ignore[method-assign]
    url = f"http://127.0.0.1:{http.server_address[1]}"
    answer = make(url)
    threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
    print(json.dumps({"url": url}), flush=True)
    http.serve_forever()


def pycsw(folder: Path) -> Callable[[str], Callable[..., Any]]:
    """pycsw on the folder's XML files, at /geonetwork/srv/spa/csw."""
    sys.path.insert(0, str(HERE))
    from netserve.csw import Csw

    lock = threading.Lock()

    def make(url: str) -> Callable[..., Any]:
        catalogue = Csw(folder, url, sorted(folder.glob("*.xml")))

        def answer(method: str, path: str, query: str, body: bytes, kind: str) -> Any:
            if not path.endswith("/csw"):
                return 404, [("Content-Type", "text/html")], b"<html><title>Nada</title></html>"
            with lock:
                got = catalogue.answer(method, path, query, body, kind)
            return got.status, got.headers, got.body

        return answer

    return make


def pygeoapi(folder: Path) -> Callable[[str], Callable[..., Any]]:
    """pygeoapi with one record collection ("registros") in TinyDB and one of plain features."""
    import io

    from tinydb import TinyDB

    database = TinyDB(folder / "records.db")
    database.insert_multiple(json.loads((folder / "features.json").read_text()))
    database.close()
    plain = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": str(number), "properties": {"id": number},
         "geometry": {"type": "Point", "coordinates": [-3.59 + number % 12 / 80, 38.33 + number // 12 / 110]}}
        for number in range(1, 121)]}
    (folder / "plain.geojson").write_text(json.dumps(plain))

    def make(url: str) -> Callable[..., Any]:
        import yaml

        (folder / "config.yml").write_text(yaml.safe_dump(_pygeoapi_config(url, folder)))
        # the Info object as pygeoapi generates it from its configuration
        (folder / "openapi.yml").write_text(yaml.safe_dump({
            "openapi": "3.0.2", "paths": {},
            "info": {"title": "Red de pruebas", "version": "1", "contact": {"name": "Red de pruebas", "url": url},
                     "license": {"name": "CC-BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}}}))
        os.environ["PYGEOAPI_CONFIG"] = str(folder / "config.yml")
        os.environ["PYGEOAPI_OPENAPI"] = str(folder / "openapi.yml")
        from pygeoapi.flask_app import APP

        def answer(method: str, path: str, query: str, body: bytes, kind: str) -> Any:
            got = APP.test_client().open(path, method=method, query_string=query, data=io.BytesIO(body),
                                         content_type=kind or None, base_url=url)
            return got.status_code, list(got.headers.items()), got.data

        return answer

    return make


def _pygeoapi_config(url: str, folder: Path) -> Any:
    extents = {"spatial": {"bbox": [-180, -90, 180, 90], "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}}
    collection = {"type": "collection", "description": "Registros de la red", "keywords": ["red"], "extents": extents,
                  "links": []}
    return {
        "server": {"bind": {"host": "127.0.0.1", "port": 0}, "url": url, "mimetype": "application/json; charset=UTF-8",
                   "encoding": "utf-8", "languages": ["en-US"], "limits": {"default_items": 10, "max_items": 50},
                   "map": {"url": "https://tiles.invalid", "attribution": ""}},
        "logging": {"level": "CRITICAL"},
        "metadata": {
            "identification": {"title": "Red de pruebas", "description": "Catálogo", "keywords": ["red"],
                               "keywords_type": "theme", "terms_of_service": "", "url": url},
            "license": {"name": "CC-BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
            "provider": {"name": "Red de pruebas", "url": url}, "contact": {"name": "Red"}},
        "resources": {
            "registros": {**collection, "title": "Registros", "providers": [
                {"type": "record", "name": "TinyDBCatalogue", "data": str(folder / "records.db"),
                 "id_field": "externalId", "time_field": "recordUpdated", "title_field": "title"}]},
            "lugares": {**collection, "title": "Lugares", "providers": [
                {"type": "feature", "name": "GeoJSON", "data": str(folder / "plain.geojson"), "id_field": "id"}]}},
    }


def main(arguments: List[str]) -> None:
    """Serve one kind of catalogue."""
    serve({"pycsw": pycsw, "pygeoapi": pygeoapi}[arguments[0]](Path(arguments[1])))


if __name__ == "__main__":
    main(sys.argv[1:])
