"""The HTTP server of the test network: WMS endpoints, catalogue pages, control addresses (``/__…``)."""

from __future__ import annotations

import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import parse_qsl, unquote

from .answers import Answers
from .bridge import Answer, Bridge
from .catalogue import Catalogue
from .faults import EXCEPTION, HTML, Faults, one_colour_png, rewritten
from .mapfiles import ENDPOINTS, MapfileMaker, endpoint_path

CONTROL = ("/__log", "/__reset", "/__faults", "/__quit")


class State:
    """What the requests of one server share."""

    def __init__(self, work: Path, data: Path, url: str, node: str, max_size: int, answers: Optional[Path]) -> None:
        self.answers = Answers(answers, {url: "", str(work): ""}) if answers else None
        self.lock = threading.Lock()
        self.log: List[Dict[str, Any]] = []
        self.faults = Faults()
        host, port = url.rsplit("/", 1)[-1].split(":")
        self.bridge = Bridge(work, host, int(port))
        self.maker = MapfileMaker(work, data, url, node, max_size)
        self.mapfiles = self.maker.write()
        self.keys = {endpoint_path(node, e.suffix): e.key for e in ENDPOINTS}
        self.catalogue = Catalogue(work, url, node, self.picture)

    def ask_mapserver(self, mapfile: Path, path: str, query: str, method: str, body: bytes, kind: str) -> Answer:
        """MapServer's answer, for the second time the first one where the server was started to remember."""
        if self.answers is None or method != "GET":
            return self.bridge.run(mapfile, path, query, method, body, kind)
        place = self.answers.place(mapfile, query)
        answer = self.answers.read(place)
        if answer is None:
            answer = self.bridge.run(mapfile, path, query, method, body, kind)
            self.answers.write(place, answer)
        return answer

    def picture(self, key: str, query: str) -> bytes:
        """A GetMap picture of an endpoint, for thumbnails; not logged."""
        for path, mapfile in self.mapfiles.items():
            if self.keys[path] == key:
                return self.bridge.run(mapfile, path, query).body
        raise KeyError(key)


def _is_left_blank(seen: Dict[str, Any]) -> bool:
    """Whether the request is for days of rain alone whose pixels are not square: MapServer interpolates nothing then.

    The days are files here, and keep this manner of a server that interpolates.
    """
    if seen["request"].lower() != "getmap" or not all(name.startswith("precipitacion_") for name in seen["layers"]):
        return False
    try:
        west, south, east, north = (float(part) for part in seen["parameters"]["BBOX"].split(","))
        width, height = float(seen["parameters"]["WIDTH"]), float(seen["parameters"]["HEIGHT"])
        # the first axis may be north
        sides = [(wide / width) / (high / height)
                 for wide, high in ((east - west, north - south), (north - south, east - west))]
    except (KeyError, ValueError, ZeroDivisionError):
        return False
    return min(abs(side - 1.0) for side in sides) > 0.005


class Server(ThreadingHTTPServer):
    """The threaded server; ``state`` is set before it serves."""

    daemon_threads = True
    state: State

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that drop a connection are no news."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    #: else the body of an answer waits until the client has confirmed its headers: 40 ms for each request
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are kept in the log that ``/__log`` gives, not printed."""

    def do_GET(self) -> None:
        """Any request."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        path, _, query = self.path.partition("?")
        path = unquote(path)
        if path in CONTROL:
            self._control(path, body)
            return
        seen = self._describe(path, query, body)
        with self.server.state.lock:
            self.server.state.log.append(seen)
        action = self.server.state.faults.strike(seen)
        if action is not None and action["type"] == "drawn_error":
            action = self._drawn_error(seen)
        if action is not None and action["type"] == "rewrite":
            query = rewritten(seen, action)
        if action is None or not self._early(action, seen):
            answer = self._answer(path, query, body, seen)
            seen["status"], seen["bytes"] = answer.status, len(answer.body)
            self._send(answer, action)
        seen["ended"] = time.time()

    do_POST = do_GET
    do_HEAD = do_GET

    def _describe(self, path: str, query: str, body: bytes) -> Dict[str, Any]:
        parameters = dict(parse_qsl(query, keep_blank_values=True))
        if self.command == "POST" and "form" in (self.headers.get("Content-Type") or ""):
            parameters.update(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        upper = {name.upper(): value for name, value in parameters.items()}
        layers = (upper.get("LAYERS") or upper.get("LAYER") or "").split(",")
        return {
            "time": time.time(),
            "method": self.command,
            "path": path,
            "query": query,
            "parameters": upper,
            "endpoint": self.server.state.keys.get(path, ""),
            "request": upper.get("REQUEST", ""),
            "layers": layers,
            "headers": {name.title(): value for name, value in self.headers.items()},
        }

    def _answer(self, path: str, query: str, body: bytes, seen: Dict[str, Any]) -> Answer:
        state = self.server.state
        mapfile = state.mapfiles.get(path)
        if mapfile is not None:
            method = "POST" if self.command == "POST" else "GET"
            if _is_left_blank(seen):
                width, height = (int(seen["parameters"][name]) for name in ("WIDTH", "HEIGHT"))
                return Answer(200, [("Content-Type", "image/png")], one_colour_png(width, height, "transparent"))
            if seen["request"].lower() == "getlegendgraphic":
                mapfile = self._legend_mapfile(mapfile, seen["parameters"])
            return state.ask_mapserver(mapfile, path, query, method, body, self.headers.get("Content-Type") or "")
        return state.catalogue.answer(self.command, path, query, body, self.headers.get("Content-Type") or "")

    def _legend_mapfile(self, mapfile: Path, parameters: Dict[str, str]) -> Path:
        try:
            return self.server.state.maker.legend_variant(mapfile, float(parameters["MAP_RESOLUTION"]))
        except (KeyError, ValueError):
            return mapfile

    def _drawn_error(self, seen: Dict[str, Any]) -> Dict[str, Any]:
        """MapServer's own picture of an error, or the report where the client asks for XML."""
        if "xml" in seen["parameters"].get("EXCEPTIONS", "").lower():
            return {"type": "exception", "code": "LayerNotDefined", "text": "No hay capa"}
        picture = {"REQUEST": "GetMap", "EXCEPTIONS": "INIMAGE", "LAYERS": "no_such_layer", "STYLES": "",
                   "CRS": "CRS:84", "VERSION": "1.3.0", "BBOX": "-4,38,-3,39", "FORMAT": "image/png",
                   "TRANSPARENT": "TRUE"}
        wanted = seen["parameters"]
        size = {"WIDTH": wanted.get("WIDTH", "200"), "HEIGHT": wanted.get("HEIGHT", "100")}
        return {"type": "rewrite", "parameters": {**picture, **size}}

    def _early(self, action: Dict[str, Any], seen: Dict[str, Any]) -> bool:
        """Carry out a fault that needs no real answer; False if the real answer must still come."""
        kind = action["type"]
        text_xml, text_html = "text/xml; charset=UTF-8", "text/html; charset=UTF-8"
        if kind == "delay":
            time.sleep(float(action.get("seconds", 1)))
            return False
        if kind in ("truncate", "shorten", "corrupt", "content_type", "drip", "rewrite"):
            return False
        if kind == "hang":
            time.sleep(float(action.get("seconds", 600)))
            self.close_connection = True
        elif kind == "close":
            self.close_connection = True
        elif kind == "redirect":
            self._send(Answer(int(action.get("code", 302)), [("Location", action.get("to", self.path))], b""))
        elif kind == "status":
            code = int(action.get("code", 500))
            extra = [("WWW-Authenticate", 'Basic realm="red de pruebas"')] if code == 401 else []
            self._send(Answer(code, [("Content-Type", text_html), *extra], f"<h1>{code}</h1>".encode()))
        elif kind == "exception":
            report = EXCEPTION.format(
                code=action.get("code", "LayerNotDefined"), text=action.get("text", "Capa no definida.")
            )
            self._send(Answer(int(action.get("status", 200)), [("Content-Type", text_xml)], report.encode()))
        elif kind == "picture":
            size = [int(seen["parameters"].get(name, 100)) for name in ("WIDTH", "HEIGHT")]
            picture = one_colour_png(size[0], size[1], action.get("colour", "transparent"))
            self._send(Answer(200, [("Content-Type", "image/png")], picture))
        elif kind == "html":
            self._send(Answer(200, [("Content-Type", text_html)], HTML.encode()))
        elif kind == "body":
            head = [("Content-Type", action.get("content_type", "text/plain"))]
            text = action.get("text", "").encode(action.get("encoding", "utf-8"))
            self._send(Answer(int(action.get("status", 200)), head, text))
        else:
            self._send(Answer(500, [("Content-Type", "text/plain")], f"unknown fault {kind}".encode()))
        return True

    def _send(self, answer: Answer, action: Optional[Dict[str, Any]] = None) -> None:
        kind = action["type"] if action else ""
        headers: List[Tuple[str, str]] = [h for h in answer.headers if h[0].lower() != "content-length"]
        if kind == "content_type" and action:
            headers = [h for h in headers if h[0].lower() != "content-type"] + [
                ("Content-Type", action.get("value", "text/plain"))
            ]
        headers += list((action or {}).get("headers", {}).items())
        body = answer.body
        if kind == "shorten" and action:
            body = body[: int(len(body) * float(action.get("share", 0.5)))]
        if kind == "corrupt":
            middle = len(body) // 2
            body = body[:middle] + bytes(255 - byte for byte in body[middle:middle + 64]) + body[middle + 64:]
        self.send_response(answer.status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if kind == "truncate" and action:
            body = body[: int(len(body) * float(action.get("share", 0.5)))]
            self.close_connection = True
        if kind == "drip" and action:
            for index in range(len(body)):
                self.wfile.write(body[index : index + 1])
                self.wfile.flush()
                time.sleep(float(action.get("seconds", 0.5)))
            return
        self.wfile.write(body)

    def _control(self, path: str, body: bytes) -> None:
        state = self.server.state
        reply: Any = "ok"
        if path == "/__log":
            with state.lock:
                reply = list(state.log)
        elif path == "/__reset":
            with state.lock:
                state.log.clear()
            state.faults.replace([])
        elif path == "/__faults" and self.command == "POST":
            try:
                state.faults.replace(json.loads(body))
            except (ValueError, AttributeError) as error:
                self._send(Answer(400, [("Content-Type", "text/plain")], str(error).encode()))
                return
        elif path == "/__faults":
            reply = state.faults.listed()
        self._send(Answer(200, [("Content-Type", "application/json")], json.dumps(reply, ensure_ascii=False).encode()))
        if path == "/__quit":
            os._exit(0)
