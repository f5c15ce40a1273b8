"""A loopback HTTP server that misbehaves on request, for faults that the test network does not have."""

from __future__ import annotations

import json
import re
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, Callable, Dict, List, Optional, Tuple, Union
from urllib.parse import parse_qs, urlsplit

from loopback import LoopbackServer
from wire_faults import Sound, Writer


class OddServer(LoopbackServer):
    """``url`` and paths: /ok, /echo, /status/NNN, /hang, /drip, /trickle/SECONDS, /stream, /huge, /cut, /loop,
    /to?URL, /hop/N, /flaky/CODE/N (CODE or ``close`` N times, then 200), /slow/SECONDS, /login, ``files`` (path to
    content, or to what gives it for a request), ``encoded`` (path to content encoding and body as sent) and
    ``answers`` (path to status, content type and body, of which a range may be asked for, or to what gives them for a
    request);
    ``requests`` lists what was asked. A file with
    ``validators`` (ETag or Last-Modified) is answered with 304 to who has it already; ``delay`` is how long files take,
    in seconds. ``fault`` (see ``wire_faults``) is written instead of the answer to the requests for which ``strikes``
    is true; ``struck`` counts them. ``handshake_delay`` is how long TLS begins, in seconds."""

    def __init__(self, certificate: str = "", handshake_delay: float = 0.0, host: str = "127.0.0.1") -> None:
        super().__init__(_handler(self), host)
        self.requests: List[Dict[str, Any]] = []
        self.files: Dict[str, Union[bytes, Callable[[Dict[str, Any]], bytes]]] = {}
        self.answers: Dict[str, Any] = {}
        self.encoded: Dict[str, Tuple[str, bytes]] = {}
        self.validators: Dict[str, Dict[str, str]] = {}
        self.unchanged = 0
        self.delay = 0.0
        self.fault: Optional[Writer] = None
        self.strikes: Callable[[Dict[str, Any]], bool] = lambda request: True
        self.struck = 0
        self.handshake_delay = handshake_delay
        self.most_at_once = 0
        self._at_once = 0
        self._counts: Dict[str, int] = {}
        self._lock = threading.Lock()
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True,
                                                    do_handshake_on_connect=False)
            self.url = f"https://localhost:{self._http.server_address[1]}"

    def count(self, path: str) -> int:
        """How often ``path`` was asked for."""
        return sum(1 for request in self.requests if request["path"] == path)

    def answer(self, request: Dict[str, Any]) -> Tuple[int, str, bytes]:
        """The sound answer of ``answers`` or ``files`` to a request: status, media type and body."""
        if request["path"] in self.answers:
            return self.answers[request["path"]]
        content = self.files.get(request["path"])
        content = content(request) if callable(content) else content
        return (404, "text/plain", b"no such path") if content is None else (200, "application/octet-stream", content)

    def enter(self, request: Dict[str, Any]) -> int:
        """Note a request; how often its path was asked for until now."""
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self._counts[request["path"]] = self._counts.get(request["path"], 0) + 1
            return self._counts[request["path"]]

    def leave(self) -> None:
        """The request's answer is out."""
        with self._lock:
            self._at_once -= 1


def _handler(server: OddServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        odd = server

        def log_message(self, *_: object) -> None:
            pass

        def setup(self) -> None:
            if isinstance(self.request, ssl.SSLSocket):
                # here, so that the server accepts others meanwhile
                server.stopping.wait(server.handshake_delay)
                self.request.do_handshake()
            super().setup()

        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def do_HEAD(self) -> None:
            request = self._request(None)
            server.enter(request)
            server.leave()
            status, media, body = server.answer(request)
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Accept-Ranges", "bytes")
            self.end_headers()

        def _request(self, body: Optional[bytes]) -> Dict[str, Any]:
            parts = urlsplit(self.path)
            return {"method": self.command, "path": parts.path, "query": parts.query, "body": body,
                    # Qt from 6.8 on sends the names in small letters
                    "headers": {name.title(): value for name, value in self.headers.items()}}

        def _answer(self, body: Optional[bytes]) -> None:
            request = self._request(body)
            times = server.enter(request)
            try:
                if server.fault is not None and server.strikes(request):
                    server.struck += 1
                    server.fault(self, Sound(*server.answer(request)))
                    return
                name, *rest = request["path"].strip("/").split("/")
                action: Callable[..., None] = getattr(self, f"odd_{name}", self.odd_missing)
                action(request, times, rest)
            except OSError:
                self.close_connection = True
            finally:
                server.leave()

        def _send(self, status: int, body: bytes = b"", **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def odd_ok(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self._send(200, b"fine", Content_Type="text/plain; charset=utf-8")

        def odd_echo(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            shown = dict(request, body=(request["body"] or b"").decode())
            self._send(200, json.dumps(shown).encode(), Content_Type="application/json")

        def odd_status(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self._send(int(rest[0]), b"<html>no</html>", Content_Type="text/html")

        def odd_login(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            server.stopping.wait(0.3)
            self._send(401, b"<html>no</html>", WWW_Authenticate='Basic realm="odd"')

        def odd_slow(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            server.stopping.wait(float(rest[0]))
            self._send(200, b"late")

        def odd_hang(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            server.stopping.wait(600)
            self.close_connection = True

        def odd_drip(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            while not server.stopping.wait(0.05):
                self.wfile.write(b"x")
                self.wfile.flush()

        def odd_trickle(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            """A byte every 50 ms for so many seconds, then the end."""
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            for _ in range(int(float(rest[0]) * 20)):
                if server.stopping.wait(0.05):
                    break
                self.wfile.write(b"x")
                self.wfile.flush()
            self.close_connection = True

        def odd_stream(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            while not server.stopping.is_set():
                self.wfile.write(b"x" * 65536)

        def odd_huge(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(10**12))
            self.end_headers()
            self.wfile.write(b"x")
            self.wfile.flush()
            server.stopping.wait(20)

        def odd_cut(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"x" * 10)
            self.close_connection = True

        def odd_flaky(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            if times <= int(rest[1]):
                if rest[0] == "close":
                    self.close_connection = True
                    return
                self._send(int(rest[0]), b"not now")
                return
            self._send(200, b"fine")

        def odd_busy(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self._send(503, b"not now", Retry_After=rest[0])

        def odd_to(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self._send(int(rest[0]) if rest else 302, Location=parse_qs(request["query"])["url"][0])

        def odd_hop(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            left = int(rest[0])
            self._send(301, Location=f"/hop/{left - 1}" if left else "/ok", Cache_Control="no-store")

        def odd_loop(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self._send(302, Location="/loop/b" if not rest else "/loop")

        def odd_cached(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            self._send(200, str(time.time()).encode(), Cache_Control="max-age=600")

        def odd_turning(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            """Fine at first (and storable), 500 ever after."""
            if times == 1:
                self._send(200, b"fine" * 1000, ETag='"one"', Cache_Control=f"max-age={rest[0]}")
            else:
                self._send(500, b"broken")

        def odd_tagged(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            if request["headers"].get("If-None-Match") == '"one"':
                self._send(304, ETag='"one"')
            else:
                self._send(200, b"tagged", ETag='"one"', Cache_Control="no-cache")

        def odd_missing(self, request: Dict[str, Any], times: int, rest: List[str]) -> None:
            if request["path"] in server.answers:
                known = server.answers[request["path"]]
                status, media, body = known(request) if callable(known) else known
                part = re.fullmatch(r"bytes=(\d+)-(\d*)", request["headers"].get("Range", ""))
                if part is not None and status == 200:
                    first, last = int(part.group(1)), min(int(part.group(2) or len(body)), len(body) - 1)
                    self._send(206, body[first:last + 1], Content_Type=media, Cache_Control="no-store",
                               Content_Range=f"bytes {first}-{last}/{len(body)}")
                    return
                self._send(status, body, Content_Type=media, Cache_Control="no-store")
                return
            if request["path"] in server.encoded:
                encoding, body = server.encoded[request["path"]]
                self._send(200, body, Content_Type="text/xml", Content_Encoding=encoding, Cache_Control="max-age=600")
                return
            content = server.files.get(request["path"])
            if callable(content):
                content = content(request)
            server.stopping.wait(server.delay)
            given = server.validators.get(request["path"], {})
            asked = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
            if any(request["headers"].get(asked[name]) == value for name, value in given.items()):
                server.unchanged += 1
                self._send(304, **{name.replace("-", "_"): value for name, value in given.items()})
                return
            self._send(404 if content is None else 200, content or b"no such path",
                       Content_Type="application/octet-stream", Cache_Control="no-store",
                       **{name.replace("-", "_"): value for name, value in given.items()})

    return Handler
